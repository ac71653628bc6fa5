//! Goal: people read who asks in names that they know.

use super::*;

fn source(name: &str, project: Option<&str>) -> String {
    let place = Place {
        project: project.map(str::to_owned),
    };
    let info = Implementation::new(name, "1");
    Agent::new(Some(&info), &place, &Presence::shared("s")).source()
}

#[test]
fn the_inbox_names_agent_and_project() {
    assert_eq!(
        source("claude-code", Some("/home/mia/webshop")),
        "Claude Code in webshop"
    );
    assert_eq!(source("qwen-cli-mcp-client-askback", None), "Qwen Code");
    assert_eq!(source("some-agent", Some("/srv/api/")), "some-agent in api");
    assert_eq!(source(" ", Some("/")), "unknown");
}

#[test]
fn a_long_name_is_cut() {
    let info = Implementation::new("ä".repeat(300), "1");
    let agent = Agent::new(Some(&info), &Place::default(), &Presence::shared("s"));
    assert_eq!(agent.client.chars().count(), CLIENT_CHARS_MAX);
}
