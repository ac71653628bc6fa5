//! Editing one member keeps every other character.

use super::*;

const PATH: &[&str] = &["mcpServers", "askback"];

fn value() -> Value {
    json!({"command": "askback"})
}

#[test]
fn an_empty_file_becomes_an_object() {
    for empty in ["", " \n", "{}\n"] {
        let text = set(empty, PATH, &value()).unwrap_or_default();
        let expected = "{\n  \"mcpServers\": {\n    \"askback\": {\n      \"command\": \"askback\"\n    }\n  }\n}\n";
        assert_eq!(text, expected, "{empty:?}");
    }
}

#[test]
fn other_members_and_comments_are_kept() {
    let before = "{\n  // mine\n  \"a\" : [1,2 , {\"b\": \"}\\\"\"}],\n  \"mcpServers\": {\n    \"other\": {\"x\": 1e3}, /* last */\n  },\n}\n";
    let after = set(before, PATH, &value()).unwrap_or_default();
    let entry = "\n    \"askback\": {\n      \"command\": \"askback\"\n    },";
    assert_eq!(
        after,
        before.replace("\"mcpServers\": {", &format!("\"mcpServers\": {{{entry}"))
    );
    let written = "{\n      \"command\": \"askback\"\n    }";
    assert_eq!(get(&after, PATH), Ok(Some(written)));
    assert_eq!(remove(&after, PATH), Ok(Some(before.to_owned())));
}

#[test]
fn setting_twice_changes_nothing_more() {
    let once = set("{\"a\": 1}", PATH, &value()).unwrap_or_default();
    assert_eq!(set(&once, PATH, &value()), Ok(once.clone()));
    let other = set(&once, PATH, &json!({"command": "x"})).unwrap_or_default();
    let read: Value = serde_json::from_str(&other).unwrap_or_default();
    assert_eq!(
        read,
        json!({"a": 1, "mcpServers": {"askback": {"command": "x"}}})
    );
}

#[test]
fn removing_the_last_member_removes_its_comma() {
    let text = "{\"mcpServers\": {\"other\": 1, \"askback\": {}}}";
    let left = remove(text, PATH);
    assert_eq!(
        left,
        Ok(Some("{\"mcpServers\": {\"other\": 1}}".to_owned()))
    );
    assert_eq!(remove("{\"mcpServers\": {}}", PATH), Ok(None));
    assert_eq!(remove("", PATH), Ok(None));
}

#[test]
fn non_objects_are_refused() {
    for text in [
        "[]",
        "{",
        "{\"mcpServers\": 1}",
        "{\"a\" 1}",
        "{\"a\": }",
        "{a: 1}",
        "\"x",
    ] {
        assert_eq!(set(text, PATH, &value()), Err(NotAnObject), "{text}");
    }
}

/// F-M5: of two members with the same key, programs read different ones, and an edit would be of no effect in
/// some of them.
#[test]
fn duplicate_keys_are_refused() {
    let twice = r#"{"mcpServers": {}, "mcpServers": {"other": {}}}"#;
    let refused = Err(NotEditable::DuplicateKey("mcpServers".to_owned()));
    assert_eq!(set(twice, &["mcpServers", "askback"], &json!(1)), refused);
    let elsewhere = r#"{"a": {"b": 1, "b": 2}, "mcpServers": {}}"#;
    assert!(set(elsewhere, &["mcpServers", "askback"], &json!(1)).is_ok());
}
