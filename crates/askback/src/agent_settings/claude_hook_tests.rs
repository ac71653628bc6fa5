//! Our hook is found, added and removed among the hooks of others.

use super::*;

const OURS: &str = "/x/askback hook claude-code --data '/srv/two words'";

fn settings(matchers: &Value) -> String {
    format!(
        "{:#}\n",
        json!({"model": "opus", "hooks": {"PreToolUse": matchers}})
    )
}

fn other(pattern: &str, command: &str) -> Value {
    json!({"matcher": pattern, "hooks": [{"type": "command", "command": command}]})
}

#[test]
fn hook_is_added_and_removed_beside_others() {
    let plain = "{\n  \"model\": \"opus\"\n}\n".to_owned();
    for before in [plain, settings(&json!([other("Bash", "true")]))] {
        let added = json_text::push(&before, PATH, &matcher(OURS)).unwrap_or_default();
        assert_eq!(command_in(&added), Ok(Some(OURS.to_owned())));
        assert!(has(&added, &matcher(OURS).to_string()));
        assert!(!has(
            &added,
            &matcher("/y/askback hook claude-code").to_string()
        ));
        assert_eq!(remove(&added), Ok(before.clone()));
        assert_eq!(remove(&before), Ok(before));
    }
}

/// Somebody's own hook for the same tool stays, also if ours was added beside it.
#[test]
fn hook_of_another_program_stays() {
    let hook = |command: &str| json!({"type": "command", "command": command});
    let hooks = json!([hook("logger"), hook(OURS), hook("beep hook claude-code")]);
    let shared = settings(&json!([{"matcher": TOOL, "hooks": hooks}]));
    let left = remove(&shared).unwrap_or_default();
    let expected = json!([hook("logger"), hook("beep hook claude-code")]);
    assert_eq!(
        left,
        settings(&json!([{"matcher": TOOL, "hooks": expected}]))
    );
}

#[test]
fn programs_on_the_same_hook_are_found() {
    let text = settings(&json!([
        other("Bash|Edit", "no"),
        other("Bash|AskUserQuestion", "named"),
        other("Ask.*", "pattern"),
        other("*", "all"),
        {"hooks": [{"type": "command", "command": "without"}]},
        other(TOOL, OURS),
    ]));
    assert_eq!(others(&text), ["named", "pattern", "all", "without"]);
}

/// Its window shows only the status message while the hook runs.
#[test]
fn hook_waits_for_days_and_says_where_to_answer() {
    let hook = &matcher(OURS)["hooks"][0];
    assert_eq!(hook["timeout"], 604_800);
    let status = hook["statusMessage"].as_str().unwrap_or_default();
    assert!(status.contains("askback inbox"), "{status}");
}
