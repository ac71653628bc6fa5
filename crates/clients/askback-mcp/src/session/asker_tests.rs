//! Goal: people read who asks, in names that they know.

use super::*;

fn source(name: &str, project: Option<&str>) -> String {
    let info = Implementation::new(name, "1");
    Asker::new(Some(&info), project, CallSession::agent("s"), None).source()
}

#[test]
fn source_names_agent_and_project() {
    assert_eq!(
        source("claude-code", Some("/home/mia/webshop")),
        "Claude Code in webshop"
    );
    assert_eq!(source("qwen-cli-mcp-client-askback", None), "Qwen Code");
    assert_eq!(source("some-agent", Some("/srv/api/")), "some-agent in api");
    assert_eq!(source(" ", Some("/")), "unknown");
}

#[test]
fn long_client_name_is_cut() {
    let info = Implementation::new("ä".repeat(300), "1");
    let asker = Asker::new(Some(&info), None, CallSession::agent("s"), None);
    assert_eq!(asker.client.chars(), limits::ASKER_CLIENT_CHARS_MAX);
}

/// What a client calls itself and where it runs acts on nobody's terminal, and two projects stay two.
#[test]
fn hostile_names_are_shown_escaped() {
    assert_eq!(
        source("evil\u{1b}[2J", Some("/srv/a\u{202e}\n")),
        r"evil\u001b[2J in a\u202e\u000a"
    );
    let mut info = Implementation::new("some-agent", "1");
    info.title = Some("Nice\u{7} agent".to_owned());
    let asker = Asker::new(Some(&info), None, CallSession::agent("s"), None);
    assert_eq!(asker.source(), "Nice␇ agent");
}
