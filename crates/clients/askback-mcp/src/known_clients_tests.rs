//! Goal: a call waits for as long as its client was measured to wait, and no client gets what it does not handle.

use rmcp::model::NumberOrString;

use super::*;

fn seconds(client: &str, transport: TransportKind, token: bool) -> Option<u64> {
    let token = token.then_some(ProgressToken(NumberOrString::Number(1)));
    let limit = KnownClient::named(client).wait_limit(transport, token.as_ref());
    limit.map(|limit| limit.as_secs())
}

/// For each client: without and with progress over stdio, then over HTTP.
#[test]
fn every_client_has_its_measured_limit() {
    let measured = [
        ("@cline/core", [Some(50), Some(50), Some(50), Some(50)]),
        ("claude-code", [None, None, Some(290), None]),
        ("codex-mcp-client", [Some(290); 4]),
        ("continue-cli-client", [Some(50); 4]),
        ("copilot-cli", [Some(170), None, Some(170), None]),
        ("gemini-cli-mcp-client", [Some(590); 4]),
        ("goose-cli", [Some(290); 4]),
        ("kimi-code", [Some(50); 4]),
        ("opencode", [Some(50), None, Some(50), None]),
        (
            "qwen-cli-mcp-client",
            [Some(290), Some(590), Some(290), Some(590)],
        ),
    ];
    for (client, expected) in measured {
        let found = [
            seconds(client, TransportKind::Stdio, false),
            seconds(client, TransportKind::Stdio, true),
            seconds(client, TransportKind::Http, false),
            seconds(client, TransportKind::Http, true),
        ];
        assert_eq!(found, expected, "{client}");
    }
    let names: Vec<&str> = CLIENTS.iter().map(|known| known.name).collect();
    assert_eq!(names, measured.map(|(name, _)| name));
}

#[test]
fn unknown_client_has_less_than_a_minute() {
    for token in [false, true] {
        for transport in [TransportKind::Stdio, TransportKind::Http] {
            assert_eq!(seconds("new-agent", transport, token), Some(50));
        }
    }
}

#[test]
fn clients_that_do_not_cancel_calls_are_known() {
    let silent = CLIENTS.iter().filter(|known| !known.cancels_calls);
    let names: Vec<&str> = silent.map(|known| known.name).collect();
    assert_eq!(names, ["@cline/core", "gemini-cli-mcp-client"]);
    assert!(KnownClient::named("new-agent").cancels_calls);
}
