//! Goal: `/metrics` has what the dashboard and the alerts need, counts refused requests, and keeps ids and texts out.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use askback_wire::inquiry::NewInquiryParams;
use serde_json::json;

use super::support::raw_http::{bearer, body, raw, request};
use super::support::server_process::{Directory, Server};
use super::support::timeout::comes_to_hold;
use super::webhooks::{Receiver, answer, ask};

fn metrics(server: &Server) -> String {
    let auth = bearer();
    let headers = [("Host", "localhost"), ("Authorization", auth.as_str())];
    let (status, reply) = raw(server, &request("GET /metrics", &headers));
    assert_eq!(status, 200, "{reply}");
    body(&reply).to_owned()
}

#[track_caller]
fn has(metrics: &str, line: &str) -> bool {
    metrics.lines().any(|known| known == line)
}

#[test]
fn refused_and_unknown_requests_are_counted_by_route() {
    let directory = Directory::new();
    let server = Server::start_with(&directory, &[]);
    let auth = bearer();
    let signed_in = [("Host", "localhost"), ("Authorization", auth.as_str())];
    for (line, headers, status) in [
        ("GET /apps", &[("Host", "localhost")][..], 401),
        ("GET /inquiries/inq_1", &[("Host", "localhost")], 401),
        ("GET /apps", &[("Host", "evil.example")], 403),
        ("GET /secret/path", &signed_in, 404),
        ("GET /other/path?secret", &signed_in, 404),
        ("GET /wp-admin", &[("Host", "localhost")], 401),
        ("GET /inquiries/inq_1", &signed_in, 404),
    ] {
        assert_eq!(raw(&server, &request(line, headers)).0, status, "{line}");
    }
    let metrics = metrics(&server);
    let counted = |route: &str, status: u16, count: u8| {
        let labels = format!("route=\"{route}\",method=\"GET\",status=\"{status}\"");
        assert!(
            has(
                &metrics,
                &format!("askback_http_requests_total{{{labels}}} {count}"),
            ),
            "{metrics}"
        );
    };
    counted("/apps", 401, 1);
    counted("/apps", 403, 1);
    counted("/inquiries/{id}", 401, 1);
    counted("/inquiries/{id}", 404, 1);
    counted("none", 404, 2);
    counted("none", 401, 1);
    for unseen in ["secret", "inq_1", "wp-admin"] {
        assert!(!metrics.contains(unseen), "{metrics}");
    }
}

/// A server that has done a bit of everything.
async fn busy_server(directory: &Directory) -> (Server, Receiver) {
    let config = directory.path().join("askback.toml");
    let settings = "[channels.desk]\nkind = 'command'\nrun = ['true']\n\
                    [recipients.zoe]\nname = 'Zoë'\nidentities = ['command:zoe']\n";
    fs::write(&config, settings).expect("it can be written");
    let config = config.to_str().expect("the path is text");
    let server = Server::start_with(
        directory,
        &["--config", config, "--webhook-allow", "127.0.0.1"],
    );
    let receiver = Receiver::start(&[200]).await;
    let asked = ask(&server, &receiver, None).await;
    answer(&server, &asked).await;
    receiver.deliveries(1).await;
    let for_zoe = NewInquiryParams {
        input: json!({"question": "Ship it?", "options": ["Yes", "No"]}),
        // Through a named channel at once.
        recipient: Some("zoe@desk".to_owned()),
        ..NewInquiryParams::default()
    };
    server.client.ask(&for_zoe).await.expect("it is asked");
    let nobody = NewInquiryParams {
        recipient: Some("nobody".to_owned()),
        ..for_zoe
    };
    server.client.ask(&nobody).await.expect_err("it is refused");
    (server, receiver)
}

#[tokio::test(flavor = "multi_thread")]
async fn outcomes_refusals_webhooks_and_messages_are_counted() {
    let directory = Directory::new();
    let (server, _receiver) = busy_server(&directory).await;
    // How many depends on whether the outcome comes before the question was sent.
    let sent = "askback_channel_messages_total{channel=\"desk\",result=\"sent\"} ";
    let lines = [
        "askback_inquiries_asked_total 2",
        "askback_inquiries_refused_total{reason=\"unknown_recipient\"} 1",
        "askback_inquiry_outcomes_total{outcome=\"answered\",surface=\"http\"} 1",
        "askback_inquiry_answer_seconds_count 1",
        "askback_inquiry_answer_seconds_bucket{le=\"60.0\"} 1",
        "askback_pending_inquiries 1",
        "askback_channel_messages_waiting{channel=\"desk\"} 0",
        "askback_webhooks_total{result=\"delivered\"} 1",
        "askback_webhooks_total{result=\"failed\"} 0",
        "askback_job_runs_total{queue=\"webhook\"} 1",
        "askback_jobs_waiting{queue=\"webhook\"} 0",
        "askback_feed_lag_events 0",
        concat!(
            "askback_build_info{version=\"",
            env!("CARGO_PKG_VERSION"),
            "\"} 1"
        ),
    ];
    // Messages and webhooks are sent after the requests, and written down after that.
    let arrived = || {
        let metrics = metrics(&server);
        metrics.contains(sent) && lines.iter().all(|line| has(&metrics, line))
    };
    let has_arrived = comes_to_hold(arrived).await;
    let metrics = metrics(&server);
    let missing: Vec<_> = lines.iter().filter(|line| !has(&metrics, line)).collect();
    assert!(has_arrived, "{missing:?}\n{metrics}");
    assert!(metrics.contains("askback_store_commit_seconds_count "));
    assert!(
        !metrics.contains("Ship it?") && !metrics.contains("zoe"),
        "{metrics}"
    );
}

/// The words that begin with `askback_` in a text.
fn named_metrics(text: &str) -> BTreeSet<&str> {
    let words = text.split(|c: char| !c.is_ascii_alphanumeric() && c != '_');
    words.filter(|word| word.starts_with("askback_")).collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn every_metric_of_dashboard_alerts_and_documentation_exists() {
    let directory = Directory::new();
    let (server, _receiver) = busy_server(&directory).await;
    let sent = || metrics(&server).contains("askback_channel_messages_total{");
    assert!(comes_to_hold(sent).await, "{}", metrics(&server));
    let metrics = metrics(&server);
    let known: BTreeSet<&str> = metrics
        .lines()
        .filter(|line| !line.starts_with('#'))
        .filter_map(|line| line.split(['{', ' ']).next())
        .collect();
    let repository = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let mut named_somewhere = BTreeSet::new();
    for file in [
        "examples/operations/alerts.yml",
        "examples/operations/dashboard.json",
        "docs/operations.md",
    ] {
        let text = fs::read_to_string(repository.join(file)).expect("it is there");
        let named = named_metrics(&text);
        let is_known =
            |name: &&str| known.contains(name) || known.contains(format!("{name}_count").as_str());
        let unknown: Vec<_> = named.iter().filter(|name| !is_known(name)).collect();
        assert!(unknown.is_empty(), "{file}: {unknown:?}\n{metrics}");
        named_somewhere.extend(named.into_iter().map(str::to_owned));
    }
    let undocumented: Vec<_> = known
        .iter()
        .map(|name| {
            name.trim_end_matches("_bucket")
                .trim_end_matches("_count")
                .trim_end_matches("_sum")
        })
        .filter(|name| {
            !named_somewhere.contains(*name) && !named_somewhere.contains(&format!("{name}_bucket"))
        })
        .collect();
    assert!(undocumented.is_empty(), "{undocumented:?}");
}
