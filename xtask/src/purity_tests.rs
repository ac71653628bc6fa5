//! Plants impure libraries at several depths below the core and expects the chain that leads to
//! each, and every way to switch on the clock of the date library.

use serde_json::{Value, json};

use super::*;

/// The core with one dependency.
fn core_with(dependency: &Value) -> Package {
    serde_json::from_value(json!({"name": CORE, "dependencies": [dependency]})).unwrap()
}

#[test]
fn pure_tree_passes() {
    let tree = "\
0askback-core v0.1.0 (/askback/crates/domain/askback-core)
1jiff v0.2.39
2serde_core v1.0.229
1logos v0.15.0
1regex v1.13.1
2regex-automata v0.4.18
3regex-syntax v0.8.11
2regex-syntax v0.8.11 (*)";
    assert_eq!(tree_findings(tree), Vec::<String>::new());
}

#[test]
fn random_source_is_found_with_its_chain() {
    let tree = "\
0askback-core v0.1.0 (/askback/crates/domain/askback-core)
1jiff v0.2.39
2serde_core v1.0.229
1regex v1.13.1
2memchr v2.8.3
2ahash v0.8.12
3getrandom v0.3.4
1serde v1.0.229";
    assert_eq!(
        tree_findings(tree),
        [
            "askback-core: getrandom brings randomness into the core by way of askback-core → \
             regex → ahash → getrandom; turn off the feature that pulls it in, or hand the value \
             to the core in the context."
        ]
    );
}

#[test]
fn library_is_named_once_and_what_it_brings_along_is_not() {
    let tree = "\
0askback-core v0.1.0 (/askback/crates/domain/askback-core)
1hyper v1.7.0
2tokio v1.54.1
3mio v1.0.4
1tower v0.5.2
2tokio v1.54.1 (*)";
    let found = tree_findings(tree);
    assert_eq!(found.len(), 1, "{found:?}");
    assert!(
        found[0].contains("askback-core → hyper → tokio;"),
        "{found:?}"
    );
}

#[test]
fn every_forbidden_library_is_found() {
    for name in FORBIDDEN.iter().flat_map(|(_, names)| *names) {
        let tree = format!("0askback-core v0.1.0\n1{name} v1.0.0 (proc-macro)");
        assert_eq!(tree_findings(&tree).len(), 1, "{name}");
    }
}

#[test]
fn dates_without_a_clock_pass() {
    let core = core_with(&json!({
        "name": "jiff",
        "kind": null,
        "uses_default_features": false,
        "features": ["alloc", "serde"]
    }));
    assert_eq!(date_findings(&core), Vec::<String>::new());
}

#[test]
fn dates_with_a_clock_pass_in_tests() {
    let core = core_with(&json!({
        "name": "jiff",
        "kind": "dev",
        "uses_default_features": true,
        "features": []
    }));
    assert_eq!(date_findings(&core), Vec::<String>::new());
}

#[test]
fn dates_with_default_features_are_found() {
    let core = core_with(&json!({
        "name": "jiff",
        "kind": null,
        "uses_default_features": true,
        "features": ["serde"]
    }));
    assert_eq!(
        date_findings(&core),
        [
            "askback-core: jiff is declared with its default features, which lets the core read \
             the clock; declare it with `default-features = false` and none of std, tz-system, \
             tzdb-bundle-platform, tzdb-concatenated, tzdb-zoneinfo."
        ]
    );
}

#[test]
fn dates_with_a_clock_feature_are_found() {
    for feature in CLOCK_FEATURES {
        let core = core_with(&json!({
            "name": "jiff",
            "kind": null,
            "uses_default_features": false,
            "features": ["alloc", feature]
        }));
        let found = date_findings(&core);
        assert_eq!(found.len(), 1);
        assert!(
            found[0].contains(&format!("the feature `{feature}`")),
            "{found:?}"
        );
    }
}
