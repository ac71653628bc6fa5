//! Structs are deserialised from objects only, at every depth.

use std::collections::BTreeMap;

use askback_wire::conversation::NewConversationParams;
use askback_wire::draft::DraftParams;
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};

use super::{FieldCheck, FieldReason, ObjectsOnly};

fn read<T: DeserializeOwned>(json: &Value) -> Option<T> {
    let text = json.to_string();
    let mut reader = serde_json::Deserializer::from_str(&text);
    T::deserialize(ObjectsOnly(&mut reader, &FieldCheck::default())).ok()
}

#[derive(Debug, PartialEq, Deserialize)]
struct Outer {
    #[serde(default)]
    one: Option<Inner>,
    #[serde(default)]
    list: Vec<Inner>,
    #[serde(default)]
    map: BTreeMap<String, Inner>,
    #[serde(default)]
    kind: Option<Kind>,
    #[serde(default)]
    pair: Option<(u8, u8)>,
    #[serde(default)]
    any: Value,
}

#[derive(Debug, PartialEq, Deserialize)]
struct Inner {
    a: u8,
}

#[derive(Debug, PartialEq, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Kind {
    Unit,
    Held(Inner),
    Fields { a: u8 },
}

/// A list is refused in place of a struct, at any depth.
#[test]
fn list_is_no_struct() {
    for refused in [
        json!([]),
        json!([null]),
        json!({"one": [1]}),
        json!({"list": [[1]]}),
        json!({"list": [{"a": 1}, [1]]}),
        json!({"map": {"x": [1]}}),
        json!({"kind": {"held": [1]}}),
        json!({"kind": {"fields": [1]}}),
    ] {
        assert_eq!(read::<Outer>(&refused), None, "{refused}");
    }
    for refused in [json!([]), json!([null]), json!([null, null, "hi"])] {
        assert_eq!(read::<NewConversationParams>(&refused), None, "{refused}");
    }
    assert!(read::<DraftParams>(&json!({"draft": ["review", []]})).is_none());
}

/// Of two entries with one name, nobody can tell which is meant.
#[test]
fn repeated_name_is_refused_at_any_depth() {
    for (text, path) in [
        (r#"{"any": {"q1": 1, "q1": 2}}"#, "any.q1"),
        (r#"{"any": [{"a": {"b": 1, "b": 1}}]}"#, "any.a.b"),
        (r#"{"any": 1, "any": 1}"#, "any"),
        (r#"{"map": {"x": {"a": 3}, "x": {"a": 3}}}"#, "map.x"),
    ] {
        let check = FieldCheck::default();
        let mut reader = serde_json::Deserializer::from_str(text);
        let read = Outer::deserialize(ObjectsOnly(&mut reader, &check));
        assert!(read.is_err(), "{text}");
        let failure = check.into_failure();
        let repeated = FieldReason::Repeated;
        assert_eq!(
            (failure.path.join("."), failure.reason),
            (path.to_owned(), repeated)
        );
    }
}

/// Objects, and lists for types that are lists, are accepted.
#[test]
fn objects_and_lists_are_accepted() {
    for taken in [
        json!({}),
        json!({"one": null, "kind": null}),
        json!({"one": {"a": 1}, "list": [{"a": 2}], "map": {"x": {"a": 3}}}),
        json!({"kind": "unit"}),
        json!({"kind": {"held": {"a": 1}}}),
        json!({"kind": {"fields": {"a": 1}}}),
        json!({"pair": [1, 2], "any": [[], {"b": [1.5, "x", null, true]}]}),
    ] {
        let plain: Outer = serde_json::from_value(taken.clone()).unwrap();
        assert_eq!(read::<Outer>(&taken), Some(plain), "{taken}");
    }
    let draft = json!({"draft": {"page": {"question": 0}, "entries": [{}]}});
    assert!(read::<DraftParams>(&draft).is_some());
}
