//! What a commit and the store change in the metrics.

use std::collections::BTreeMap;

use askback_store::Backlog;
use jiff::Timestamp;

use super::Metrics;

/// The lines of one metric, without comments.
fn lines(metrics: &Metrics, name: &str) -> Vec<String> {
    let text = metrics.text();
    let lines = text.lines().filter(|line| line.starts_with(name));
    lines.map(str::to_owned).collect()
}

#[test]
fn queues_of_one_kind_share_a_label() {
    let metrics = Metrics::default();
    let jobs = [
        ("webhook a.example", 2),
        ("webhook b.example", 3),
        ("llm", 1),
        ("of a later version", 9),
    ];
    let backlog = Backlog {
        pending: 7,
        oldest_asked_at: Some(Timestamp::from_second(100).unwrap()),
        jobs: jobs.map(|(queue, count)| (queue.to_owned(), count)).into(),
        messages: BTreeMap::new(),
    };
    metrics.set_backlog(&backlog, Timestamp::from_second(160).unwrap());
    assert_eq!(
        lines(&metrics, "askback_pending"),
        ["askback_pending_inquiries 7"]
    );
    assert_eq!(
        lines(&metrics, "askback_oldest"),
        ["askback_oldest_pending_seconds 60"]
    );
    let mut waiting = lines(&metrics, "askback_jobs_waiting{");
    waiting.retain(|line| !line.ends_with(" 0"));
    waiting.sort();
    assert_eq!(
        waiting,
        [
            "askback_jobs_waiting{queue=\"llm\"} 1",
            "askback_jobs_waiting{queue=\"webhook\"} 5"
        ]
    );
    metrics.set_backlog(&Backlog::default(), Timestamp::from_second(170).unwrap());
    let left = lines(&metrics, "askback_jobs_waiting{");
    assert!(left.iter().all(|line| line.ends_with(" 0")), "{left:?}");
    assert_eq!(
        lines(&metrics, "askback_oldest"),
        ["askback_oldest_pending_seconds 0"]
    );
}

#[test]
fn counter_of_the_store_never_falls() {
    let metrics = Metrics::default();
    for (counted, shown) in [(3, 3), (5, 5), (4, 5)] {
        metrics.set_transactions(counted);
        let expected = format!("askback_store_transactions_total {shown}");
        assert_eq!(
            lines(&metrics, "askback_store_transactions_total"),
            [expected]
        );
    }
}
