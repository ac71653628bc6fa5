//! Goal: each client is held for as long as it was measured to wait, and no longer.

use super::*;

fn seconds(client: &str, connection: Connection, token: bool) -> Option<u64> {
    let hold = Hold::of(client, connection, token, None);
    hold.window.map(|window| window.as_secs())
}

/// One line for each measured client: name, silent and with progress over stdio, then over HTTP.
#[test]
fn each_client_is_held_as_measured() {
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
            seconds(client, Connection::Stdio, false),
            seconds(client, Connection::Stdio, true),
            seconds(client, Connection::Http, false),
            seconds(client, Connection::Http, true),
        ];
        assert_eq!(found, expected, "{client}");
    }
    let mut names: Vec<&str> = TABLE.iter().map(|row| row.name).collect();
    names.dedup();
    assert_eq!(names, measured.map(|(name, _)| name));
}

#[test]
fn a_client_that_is_not_known_is_held_for_less_than_a_minute() {
    for token in [false, true] {
        for connection in [Connection::Stdio, Connection::Http] {
            assert_eq!(seconds("new-agent", connection, token), Some(50));
        }
    }
}

#[test]
fn a_configured_window_goes_before_the_table() {
    let configured = Some(Duration::from_secs(5));
    let hold = Hold::of("claude-code", Connection::Stdio, true, configured);
    assert_eq!(
        hold,
        Hold {
            window: configured,
            progress: true
        }
    );
}
