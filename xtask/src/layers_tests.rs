//! Plants forbidden dependencies in small workspaces and expects each to be found, and nothing
//! else.

use serde_json::{Value, json};

use super::*;

/// A dependency by its name and kind; `None` is a normal one.
type Declared = (&'static str, Option<&'static str>);

/// A workspace of crates, each given as its name and its dependencies.
fn workspace(crates: &[(&str, &[Declared])]) -> Workspace {
    let packages: Vec<Value> = crates
        .iter()
        .map(|(name, dependencies)| {
            let dependencies: Vec<Value> = dependencies
                .iter()
                .map(|(name, kind)| {
                    json!({
                        "name": name,
                        "kind": kind,
                        "uses_default_features": true,
                        "features": []
                    })
                })
                .collect();
            json!({"name": name, "dependencies": dependencies})
        })
        .collect();
    serde_json::from_value(json!({"packages": packages})).unwrap()
}

#[test]
fn rows_name_only_rows_above() {
    for (index, (name, may_use)) in LAYERS.iter().enumerate() {
        for used in may_use.split(' ').filter(|used| !used.is_empty()) {
            assert!(
                LAYERS[..index].iter().any(|(above, _)| *above == used),
                "{name} names {used}, which has no row above it"
            );
        }
    }
}

#[test]
fn owners_are_crates_of_the_table() {
    for (library, owners) in OWNERS {
        for owner in owners.split(' ') {
            assert!(
                LAYERS.iter().any(|(name, _)| *name == owner),
                "{library} belongs to {owner}, which has no row"
            );
        }
    }
}

#[test]
fn allowed_dependencies_pass() {
    let crates = workspace(&[
        ("askback-core", &[("serde", None)]),
        (
            "askback-store",
            &[("askback-core", None), ("rusqlite", None)],
        ),
        (
            "askback",
            &[("askback-core", None), ("askback-store", None)],
        ),
    ]);
    assert_eq!(layer_findings(&crates), Vec::<String>::new());
    assert_eq!(owner_findings(&crates), Vec::<String>::new());
}

#[test]
fn dependency_against_the_direction_is_found() {
    let crates = workspace(&[
        ("askback-core", &[("askback-store", None)]),
        ("askback-store", &[]),
    ]);
    assert_eq!(
        layer_findings(&crates),
        [
            "askback-core: the manifest names askback-store, but this layer may use no other \
             crate of the workspace; move the code that needs it to a crate that may, or pass \
             the value in."
        ]
    );
}

#[test]
fn build_dependency_against_the_direction_is_found() {
    let crates = workspace(&[
        ("askback-tui", &[("askback-engine", Some("build"))]),
        ("askback-engine", &[]),
    ]);
    assert_eq!(
        layer_findings(&crates),
        [
            "askback-tui: the manifest names askback-engine, but this layer may use \
             askback-core, askback-wire, askback-locale, askback-terminal; move the code that \
             needs it to a crate that may, or pass the value in."
        ]
    );
}

#[test]
fn testkit_is_for_tests_only() {
    let for_tests = workspace(&[
        ("askback-core", &[("askback-testkit", Some("dev"))]),
        ("askback-testkit", &[("askback-core", None)]),
    ]);
    assert_eq!(layer_findings(&for_tests), Vec::<String>::new());

    let shipped = workspace(&[
        ("askback", &[("askback-testkit", None)]),
        ("askback-testkit", &[]),
    ]);
    assert_eq!(layer_findings(&shipped).len(), 1);
}

#[test]
fn unknown_crate_is_found() {
    let crates = workspace(&[("askback-extras", &[])]);
    assert_eq!(
        layer_findings(&crates),
        [
            "askback-extras: the crate has no row in LAYERS; add one in xtask/src/layers.rs that \
             says which crates it may use."
        ]
    );
}

#[test]
fn library_of_another_crate_is_found() {
    let crates = workspace(&[
        ("askback-engine", &[("rusqlite", Some("dev"))]),
        ("askback-client", &[("reqwest", None)]),
    ]);
    assert_eq!(
        owner_findings(&crates),
        [
            "askback-engine: the manifest names rusqlite, which only askback-store, askback-store-testing, \
             askback-postgres, askback-bench may name; use what that crate offers instead."
        ]
    );
}
