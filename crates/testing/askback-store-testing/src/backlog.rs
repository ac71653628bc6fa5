//! How much waits, for monitoring.

use std::collections::BTreeMap;

use crate::sample::{at, conversation, create, create_asking, inquiry, job, update_resolving};
use crate::{CaseResult, TestDatabase};
use askback_store::channel_store::{DeliveryPlan, NewDelivery};
use askback_store::rows::Backlog;

/// Pending inquiries, jobs and messages are counted, and the oldest pending inquiry is found.
pub async fn what_waits_is_counted(database: &dyn TestDatabase) -> CaseResult {
    let store = database.open().await?;
    assert_eq!(store.backlog().await?, Backlog::default());
    store.commit(create_asking(1, None, 1)).await?;
    store.commit(create_asking(2, Some(at(90)), 2)).await?;
    store.commit(create_asking(3, Some(at(80)), 3)).await?;
    store.commit(update_resolving(1, "answered", 4)).await?;
    let mut commit = create(&conversation(9), 5);
    for queue in ["timer", "webhook a.example", "webhook a.example"] {
        let mut job = job("timer", 10);
        queue.clone_into(&mut job.queue);
        commit.jobs.push(job);
    }
    store.commit(commit).await?;
    let mut plan = DeliveryPlan::due(at(6));
    plan.new = vec![NewDelivery {
        inquiry: inquiry(2),
        channel: "telegram".to_owned(),
        recipient: "zoe".to_owned(),
        address: "7".to_owned(),
    }];
    store.plan_deliveries(plan).await?;
    let counts = |counts: &[(&str, u64)]| -> BTreeMap<String, u64> {
        let counts = counts.iter();
        counts
            .map(|(name, count)| ((*name).to_owned(), *count))
            .collect()
    };
    let expected = Backlog {
        pending: 2,
        oldest_asked_at: Some(at(2)),
        jobs: counts(&[("timer", 1), ("webhook a.example", 2)]),
        messages: counts(&[("telegram", 1)]),
    };
    assert_eq!(store.backlog().await?, expected);
    Ok(())
}
