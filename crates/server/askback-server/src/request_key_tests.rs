//! Goal: a key is bound to the whole request, and to nothing else.

use askback_wire::respond::AnswerParams;
use serde_json::{Value, json};

use super::*;

fn request(target: &str, body: Value) -> [u8; 32] {
    let params: AnswerParams = serde_json::from_value(body).unwrap();
    let options = idempotent(&Scope::Admin, target, &params).unwrap();
    options.keys.request.expect("it has a key").request
}

#[test]
fn the_same_request_has_the_same_hash() {
    let first = json!({"answers": {"q1": "A", "q2": ["B", "C"]}, "key": "k"});
    let same = [
        json!({"answers": {"q2": ["B", "C"], "q1": "A"}, "key": "k"}),
        json!({"answers": {"q1": "A", "q2": ["B", "C"]}, "key": "other"}),
        json!({"answers": {"q1": "A", "q2": ["B", "C"]}, "key": "k", "notes": null}),
        json!({"answers": {"q1": "A", "q2": ["B", "C"]}, "key": "k", "unknown": 1}),
    ];
    for body in same {
        assert_eq!(request("/a", body), request("/a", first.clone()));
    }
}

#[test]
fn another_request_has_another_hash() {
    let first = json!({"answers": {"q1": "A"}, "key": "k"});
    let other = [
        json!({"answers": {"q1": "B"}, "key": "k"}),
        json!({"answers": {"q1": ["A"]}, "key": "k"}),
        json!({"answers": {"q2": "A"}, "key": "k"}),
        json!({"answers": {"q1": "A", "key": "k"}, "key": "k"}),
        json!({"answers": {"q1": "A"}, "revision": 1, "key": "k"}),
        json!({"answers": {"q1": "A"}, "undo_seconds": 5, "key": "k"}),
        json!({"answers": "{\"q1\":\"A\"}", "key": "k"}),
    ];
    let hash = request("/a", first.clone());
    for body in other {
        assert_ne!(request("/a", body.clone()), hash, "{body}");
    }
    assert_ne!(request("/b", first), hash);
}

/// Values whose parts could be confused have different hashes.
#[test]
fn different_structures_have_different_hashes() {
    let pairs = [
        (json!(["a", "b"]), json!(["a,b"])),
        (json!([["a"], "b"]), json!([["a", "b"]])),
        (json!({"a": {"b": 1}}), json!({"a": {}, "b": 1})),
        (json!(1), json!("1")),
        (json!(null), json!("null")),
    ];
    for (one, other) in pairs {
        assert_ne!(hash("t", &one), hash("t", &other));
    }
    assert_ne!(hash("ta", &json!(1)), hash("t", &json!("a1")));
}

#[test]
fn keys_have_bounds() {
    let with_key = |key: Option<&str>| AnswerParams {
        key: key.map(str::to_owned),
        ..AnswerParams::default()
    };
    let most = "é".repeat(limits::KEY_CHARS_MAX);
    let more = format!("{most}e");
    for (key, fits) in [
        ("", false),
        ("k", true),
        (most.as_str(), true),
        (more.as_str(), false),
    ] {
        assert_eq!(
            idempotent(&Scope::Admin, "t", &with_key(Some(key))).is_ok(),
            fits
        );
        assert_eq!(message(Some(key), Some("text")).is_ok(), fits);
        assert_eq!(message(Some(key), None).is_ok(), fits);
    }
    assert_eq!(
        idempotent(&Scope::Admin, "t", &with_key(None))
            .unwrap()
            .keys,
        RequestKeys::default()
    );
}
