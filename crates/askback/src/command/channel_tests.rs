//! Goal: a channel that reaches nobody says what to do about it, in a way that works for its kind.

use askback_wire::channel::ChannelResponse;
use serde_json::json;

use super::line;

fn line_of(kind: &str) -> String {
    let channel = json!({"name": "mine", "kind": kind, "recipients": []});
    let channel: ChannelResponse = serde_json::from_value(channel).unwrap();
    line(&channel)
}

#[test]
fn only_accounts_that_can_be_linked_are_to_be_linked() {
    for kind in ["telegram", "slack"] {
        assert!(line_of(kind).ends_with("askback channel link mine"));
    }
    for kind in ["ntfy", "email", "command", "webhook"] {
        let line = line_of(kind);
        assert!(!line.contains("channel link"), "{line}");
        assert!(line.contains(&format!("\"{kind}:…\"")), "{line}");
    }
    assert!(line_of("webpush").contains("browser"));
}
