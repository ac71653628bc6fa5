//! Adding and removing one value keeps every other character.

use super::*;

const PATH: &[&str] = &["mcpServers", "askback"];
const STEPS: &[Step<'_>] = &[Step::Key("mcpServers"), Step::Key("askback")];
const ALLOW: &[&str] = &["permissions", "allow"];

fn value() -> Value {
    json!({"command": "askback"})
}

fn inserted(text: &str) -> String {
    insert(text, PATH, &value()).unwrap_or_else(|why| panic!("{why}: {text}"))
}

/// The text after an item was added, and after it was removed again.
fn pushed_and_removed(text: &str) -> (String, String) {
    let added = push(text, ALLOW, &json!("ask")).unwrap_or_else(|why| panic!("{why}: {text}"));
    let items = items(&added, ALLOW).unwrap_or_default();
    let index = items.iter().position(|item| *item == "\"ask\"");
    let index = index.unwrap_or_else(|| panic!("{added}"));
    let steps = [Step::Key(ALLOW[0]), Step::Key(ALLOW[1]), Step::Index(index)];
    let removed = remove(&added, &steps).unwrap_or_else(|why| panic!("{why}: {added}"));
    (added, removed)
}

#[test]
fn an_empty_file_becomes_an_object() {
    for empty in ["", " \n", "{}\n"] {
        let expected = "{\n  \"mcpServers\": {\n    \"askback\": {\n      \"command\": \"askback\"\n    }\n  }\n}\n";
        assert_eq!(inserted(empty), expected, "{empty:?}");
    }
}

/// A member comes last: in some settings, the last rule that matches counts.
#[test]
fn new_member_comes_last_in_the_style_of_the_file() {
    let with_comments = "{\n  // mine\n  \"a\" : [1,2 , {\"b\": \"}\\\"\"}],\n  \"mcpServers\": {\n    \"other\": {\"x\": 1e3} /* last */\n  }\n}\n";
    let tabs = "{\r\n\t\"mcpServers\": {\r\n\t\t\"other\": 1\r\n\t}\r\n}";
    for (before, from, to) in [
        (
            with_comments,
            "1e3} /* last */",
            "1e3}, /* last */\n    \"askback\": {\n      \"command\": \"askback\"\n    }",
        ),
        (
            tabs,
            "1\r\n",
            "1,\r\n\t\t\"askback\": {\r\n\t\t\t\"command\": \"askback\"\r\n\t\t}\r\n",
        ),
        (
            "{\"mcpServers\": {\"other\": 1}}",
            "1}",
            "1, \"askback\": {\"command\":\"askback\"}}",
        ),
        (
            "{\n    \"mcpServers\": {\n        \"other\": 1, // last\n    },\n}\n",
            "// last",
            "// last\n        \"askback\": {\n            \"command\": \"askback\"\n        },",
        ),
        (
            "{\n  \"mcpServers\": { } // none\n}\n",
            "{ }",
            "{\n    \"askback\": {\n      \"command\": \"askback\"\n    }\n  }",
        ),
    ] {
        let after = inserted(before);
        assert_eq!(after, before.replacen(from, to, 1));
        assert_eq!(
            insert(&after, PATH, &json!(1)),
            Ok(after.clone()),
            "it is there"
        );
        let removed = remove(&after, STEPS);
        if before.contains("{ }") {
            assert_eq!(removed, Ok("{ // none\n}\n".to_owned()));
        } else {
            assert_eq!(removed, Ok(before.to_owned()));
        }
    }
}

#[test]
fn removing_takes_the_comma_and_what_is_empty_then() {
    for (before, after) in [
        (
            "{\"mcpServers\": {\"other\": 1, \"askback\": {}}}",
            "{\"mcpServers\": {\"other\": 1}}",
        ),
        (
            "{\"mcpServers\": {\"askback\": {}, \"other\": 1}}",
            "{\"mcpServers\": {\"other\": 1}}",
        ),
        (
            "{\"a\": 1, \"mcpServers\": {\"askback\": {}}}",
            "{\"a\": 1}",
        ),
        ("{\"mcpServers\": {\"askback\": {}}}\n", "{}\n"),
        (
            "{\n  \"mcpServers\": {\n    // mine\n    \"askback\": 1\n  }\n}\n",
            "{\n  \"mcpServers\": {\n    // mine\n  }\n}\n",
        ),
        (
            "{\n  \"mcpServers\": {\n    \"o\": 1, // mine\n    \"askback\": 1\n  }\n}\n",
            "{\n  \"mcpServers\": {\n    \"o\": 1 // mine\n  }\n}\n",
        ),
        ("{\"mcpServers\": {}}", "{\"mcpServers\": {}}"),
        ("", ""),
    ] {
        assert_eq!(remove(before, STEPS), Ok(after.to_owned()), "{before}");
    }
}

#[test]
fn items_are_added_and_removed() {
    for (before, added) in [
        (
            "{\"permissions\": {\"allow\": [\"a\", \"b\"]}}",
            "{\"permissions\": {\"allow\": [\"a\", \"b\", \"ask\"]}}",
        ),
        (
            "{\n  \"permissions\": {\n    \"allow\": [\n      \"a\" // why\n    ]\n  }\n}\n",
            "{\n  \"permissions\": {\n    \"allow\": [\n      \"a\", // why\n      \"ask\"\n    ]\n  }\n}\n",
        ),
        (
            "{\n  \"x\": 1\n}\n",
            "{\n  \"x\": 1,\n  \"permissions\": {\n    \"allow\": [\n      \"ask\"\n    ]\n  }\n}\n",
        ),
    ] {
        let (found, removed) = pushed_and_removed(before);
        assert_eq!(found, added);
        assert_eq!(removed, before);
    }
    assert_eq!(items("{}", ALLOW), Ok(Vec::new()));
    assert_eq!(
        push("{\"permissions\": {\"allow\": {}}}", ALLOW, &json!(1)),
        Err(UNEXPECTED.to_owned())
    );
}

#[test]
fn other_values_are_refused() {
    for text in [
        "[]",
        "{",
        "{\"mcpServers\": 1}",
        "{\"mcpServers\": []}",
        "{\"a\" 1}",
        "{\"a\": }",
        "{a: 1}",
        "\"x",
    ] {
        assert_eq!(
            insert(text, PATH, &value()),
            Err(UNEXPECTED.to_owned()),
            "{text}"
        );
    }
}

/// Of two members with the same key, programs read different ones, and an edit would be of no effect in
/// some of them.
#[test]
fn duplicate_keys_are_refused() {
    let twice = r#"{"mcpServers": {}, "mcpServers": {"other": {}}}"#;
    let refused = Err("the key \"mcpServers\" occurs twice in an object".to_owned());
    assert_eq!(insert(twice, PATH, &json!(1)), refused);
    let elsewhere = r#"{"a": {"b": 1, "b": 2}, "mcpServers": {}}"#;
    assert!(insert(elsewhere, PATH, &json!(1)).is_ok());
}
