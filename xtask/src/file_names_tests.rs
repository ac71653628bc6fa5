//! Plants bad file names among good ones that look like them.

use super::*;

#[test]
fn vague_names_and_mod_files_are_found() {
    let paths = [
        "crates/domain/askback-core/src/dialect/mod.rs",
        "crates/domain/askback-core/src/utils.rs",
        "crates/domain/askback-core/src/utils_tests.rs",
        "crates/domain/askback-core/tests/common/clock.rs",
        "web/helpers.js",
    ]
    .map(str::to_owned);
    assert_eq!(
        findings(&paths),
        [
            "crates/domain/askback-core/src/dialect/mod.rs: a module `foo` lives in `foo.rs` beside its \
             directory; move it there.",
            "crates/domain/askback-core/src/utils.rs: the name `utils.rs` does not say what is inside; \
             name it for its main type or command.",
            "crates/domain/askback-core/src/utils_tests.rs: the name `utils_tests.rs` does not say what \
             is inside; name it for its main type or command.",
            "crates/domain/askback-core/tests/common/clock.rs: the name `common` does not say what is \
             inside; name it for its main type or command.",
            "web/helpers.js: the name `helpers.js` does not say what is inside; name it for its \
             main type or command.",
        ]
    );
}

#[test]
fn names_that_only_contain_a_vague_word_pass() {
    let paths = [
        "src/model.rs",
        "src/task_manager_port.rs",
        "docs/commonplace.md",
    ]
    .map(str::to_owned);
    assert_eq!(findings(&paths), Vec::<String>::new());
}
