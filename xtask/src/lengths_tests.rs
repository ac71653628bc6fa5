//! Plants files on both sides of the limit, inside and outside the places that it holds for.

use super::*;

fn file_of(lines: usize, path: &str) -> SourceFile {
    SourceFile {
        path: path.to_owned(),
        text: "//\n".repeat(lines),
    }
}

#[test]
fn long_file_is_found() {
    let sources = [
        file_of(LINES_MAX, "crates/domain/askback-core/src/text.rs"),
        file_of(
            LINES_MAX + 1,
            "crates/domain/askback-core/src/dialect/question.rs",
        ),
        file_of(LINES_MAX + 1, "xtask/src/main.rs"),
    ];
    assert_eq!(
        findings(&sources),
        [
            "crates/domain/askback-core/src/dialect/question.rs: 801 lines are more than the 800 that \
             one file may have; split it by idea, one type or command to a file.",
            "xtask/src/main.rs: 801 lines are more than the 800 that one file may have; split it \
             by idea, one type or command to a file.",
        ]
    );
}

#[test]
fn tests_and_other_places_may_be_long() {
    let sources = [
        file_of(
            LINES_MAX + 1,
            "crates/domain/askback-core/src/text_tests.rs",
        ),
        file_of(LINES_MAX + 1, "crates/domain/askback-core/tests/all.rs"),
        file_of(LINES_MAX + 1, "crates/domain/askback-core/benches/parse.rs"),
        file_of(LINES_MAX + 1, "crates/domain/askback-core/src/table.sql"),
    ];
    assert_eq!(findings(&sources), Vec::<String>::new());
}
