//! The whole machine on one page: every state with every command, written into `docs/machine.md`
//! and compared with it, so that no cell changes unseen.

mod cases;
mod page;
mod state_examples;

use std::path::PathBuf;

use cases::CASES;
use state_examples::examples;

fn page_path() -> PathBuf {
    let root = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../..");
    root.join("docs/machine.md")
}

#[test]
fn machine_page_is_fresh() {
    let page = page::render(&examples());
    let path = page_path();
    if std::env::var_os("ASKBACK_BLESS").is_some() {
        std::fs::write(&path, &page).unwrap();
    }
    let committed = std::fs::read_to_string(&path).unwrap_or_default();
    assert!(
        committed == page,
        "docs/machine.md is stale: the machine does something else than it says. Run \
         `ASKBACK_BLESS=1 cargo test -p askback-core --test all machine_page` and read the change."
    );
}

#[test]
fn every_state_is_tried_with_every_command() {
    let names = [
        "send_message",
        "llm_replied",
        "llm_failed",
        "tool_started",
        "tool_finished",
        "tool_interrupted",
        "sub_agent_finished",
        "ask",
        "answer",
        "decline",
        "reject",
        "cancel",
        "withdraw",
        "expire",
        "hand_on",
        "move_deadline",
    ];
    for stand in examples() {
        let tried = |name: &str| {
            let mut cases = CASES.iter().filter(|case| case.name == name);
            cases.any(|case| (case.command)(&stand.checked).is_some())
        };
        for name in names {
            assert!(tried(name), "{} is not tried with {name}", stand.title);
        }
    }
    let states: Vec<&str> = examples()
        .iter()
        .map(|stand| stand.checked.state())
        .collect();
    for state in [
        "idle",
        "llm_requesting",
        "tool_executing",
        "awaiting_user_response",
        "awaiting_sub_agents",
        "error",
    ] {
        assert!(states.contains(&state), "{state} is not tried");
    }
}
