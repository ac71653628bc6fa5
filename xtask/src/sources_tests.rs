//! Checks which paths count as source and which sources count as tests.

use super::*;

#[test]
fn code_and_scripts_are_source_and_prose_is_not() {
    let paths = [
        "crates/domain/askback-core/src/id.rs",
        "web/question.js",
        "scripts/test",
        ".ci/run",
        "README.md",
        "LICENSE-MIT",
    ];
    let sources: Vec<&str> = paths.into_iter().filter(|path| is_source(path)).collect();
    assert_eq!(sources, paths[..4]);
}

#[test]
fn tests_are_told_by_their_place() {
    let is_test = |path: &str| {
        SourceFile {
            path: path.to_owned(),
            text: String::new(),
        }
        .is_test()
    };
    assert!(is_test("xtask/src/words_tests.rs"));
    assert!(is_test("crates/domain/askback-core/tests/all.rs"));
    assert!(!is_test("crates/testing/askback-testkit/src/lib.rs"));
}
