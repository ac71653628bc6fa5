//! Goal: nodes of one database that have different tokens are noticed, and named as their operator named them.

use serde_json::json;

use super::json_log::JsonServer;
use super::support::run_binary::askback;
use super::support::server_process::{Directory, Server, TOKEN};
use super::two_nodes::POSTGRES;

/// The node that starts warns, and `askback doctor` fails on each of them. Nodes with the same token are fine.
#[test]
fn node_with_another_token_is_noticed() {
    let url = POSTGRES.create_database().expect("a database");
    let store = format!("{url}?lease=1200s");
    let directories = [0; 3].map(|_| Directory::new());
    let alpha = Server::start_with(&directories[0], &["--store", &store, "--node", "alpha"]);
    let doctor = || {
        let away = directories[0].path().join("away").display().to_string();
        let at = ["--url", &alpha.address, "--token", TOKEN, "--data", &away];
        askback(&[&["doctor", "--offline"], &at[..]].concat(), "")
    };
    let same = ["--store", &store, "--node", "beta", "--token", TOKEN];
    let same = JsonServer::start(&directories[1], &same);
    let healthy = doctor();
    assert!(!healthy.out.contains("token:"), "{}", healthy.out);
    assert_eq!(healthy.code, Some(0), "{}{}", healthy.out, healthy.err);
    // Only the server has a data directory.
    assert!(
        healthy.out.contains("permissions: not checked: "),
        "{}",
        healthy.out
    );
    let is_warning = |event: &serde_json::Value| {
        let text = event["fields"]["message"].as_str().unwrap_or_default();
        text.contains("have another token")
    };
    let log = same.stop();
    assert!(!log.iter().any(is_warning), "{log:?}");

    let other = [
        "--store",
        &store,
        "--node",
        "gamma",
        "--token",
        "another-token-of-16",
    ];
    let other = JsonServer::start(&directories[2], &other);
    let sick = std::iter::repeat_with(doctor).find(|run| run.out.contains("token: error:"));
    let sick = sick.expect("it is noticed");
    assert_eq!(sick.code, Some(1));
    assert!(
        sick.out.contains("with the same --token-file"),
        "{}",
        sick.out
    );
    let log = other.stop();
    let warning = log
        .iter()
        .find(|event| is_warning(event))
        .expect("a warning");
    assert_eq!(warning["level"], "WARN");
    let nodes = warning["fields"]["nodes"].as_str().expect("names");
    assert!(nodes.starts_with("alpha process "), "{warning}");
    assert!(!json!(log).to_string().contains("another-token-of-16"));

    // `askback migrate` names the node that is in the way.
    let target = directories[1].path().join("moved").display().to_string();
    let refused = askback(&["migrate", "--from", &url, "--to", &target], "");
    assert!(refused.err.contains("(alpha process "), "{}", refused.err);
}
