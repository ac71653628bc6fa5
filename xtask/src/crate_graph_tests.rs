//! Goal: the picture has an arrow for each direct use that follows from no other, and nothing of test crates.

use super::*;

#[test]
fn arrows_that_follow_from_others_are_left_out() {
    let used = |name: &str| {
        serde_json::json!({
            "name": name, "kind": null, "uses_default_features": true, "features": [],
        })
    };
    let for_tests = serde_json::json!({
        "name": "askback-engine", "kind": "dev", "uses_default_features": true, "features": [],
    });
    let workspace = serde_json::json!({ "packages": [
        { "name": "askback-core", "dependencies": [used("serde")] },
        { "name": "askback-store", "dependencies": [used("askback-core"), for_tests] },
        { "name": "askback-engine", "dependencies": [used("askback-core"), used("askback-store")] },
        { "name": "askback-sim", "dependencies": [used("askback-engine")] },
    ] });
    let workspace = serde_json::from_value(workspace).unwrap();
    let page = format!("before\n{START}old\n{END}after\n");
    assert_eq!(
        with_picture(&page, &workspace).unwrap(),
        format!(
            "before\n{START}```mermaid\ngraph TD\n    engine --> store\n    store --> core\n```\n{END}after\n"
        )
    );
    assert!(with_picture("no picture", &workspace).is_err());
}
