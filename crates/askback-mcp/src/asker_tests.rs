//! Goal: people read who asks, in names that they know.

use super::*;

fn source(name: &str, project: Option<&str>) -> String {
    let info = Implementation::new(name, "1");
    Asker::new(Some(&info), project, CallSession::agent("s")).source()
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
    let asker = Asker::new(Some(&info), None, CallSession::agent("s"));
    assert_eq!(asker.client.chars().count(), CLIENT_CHARS_MAX);
}
