//! Plants every banned word and expects it to be found on its line, and lookalikes to pass.

use super::*;

fn file(path: &str, text: &str) -> SourceFile {
    SourceFile {
        path: path.to_owned(),
        text: text.to_owned(),
    }
}

fn found(path: &str, text: &str) -> Vec<String> {
    findings(&[file(path, text)])
}

#[test]
fn every_listed_word_is_found() {
    for (word, instead) in IN_RUST {
        assert_eq!(
            found("crates/askback/src/main.rs", &format!("//\n{word}")),
            [format!(
                "crates/askback/src/main.rs:2: `{word}` is banned; {instead}."
            )]
        );
    }
}

#[test]
fn words_of_the_core_count_only_there() {
    for (word, instead) in IN_CORE {
        assert_eq!(
            found("crates/domain/askback-core/src/id.rs", word),
            [format!(
                "crates/domain/askback-core/src/id.rs:1: `{word}` is banned; {instead}."
            )]
        );
        for elsewhere in [
            "crates/server/askback-engine/src/timers.rs",
            "crates/domain/askback-core/src/id_tests.rs",
        ] {
            assert_eq!(found(elsewhere, word), Vec::<String>::new(), "{word}");
        }
    }
}

#[test]
fn unfinished_work_needs_the_number_of_an_issue() {
    let text =
        "// TODO(#12): later\n// TODO later\n// TODO(someone): later\n// TODO(#): later\nTODOS";
    assert_eq!(
        found("scripts/test", text),
        [2, 3, 4].map(|line| format!(
            "scripts/test:{line}: `TODO` names no issue; write `TODO(#N)`, or do it now."
        ))
    );
}

#[test]
fn expectation_needs_a_reason() {
    let text = "\
#[expect(dead_code)]
#[expect(
    dead_code,
    reason = \"used in tests (all of them)\"
)]
#![expect(dead_code)]";
    assert_eq!(
        found("xtask/src/main.rs", text),
        [
            "xtask/src/main.rs:1: `#[expect(…)]` gives no reason; add `reason = \"…\"`.",
            "xtask/src/main.rs:6: `#![expect(…)]` gives no reason; add `reason = \"…\"`.",
        ]
    );
}

#[test]
fn lookalikes_pass() {
    let text = "my_std::env; std::iter::once(1); non_async_fn(); println(1);";
    assert_eq!(
        found("crates/domain/askback-core/src/id.rs", text),
        Vec::<String>::new()
    );
}

#[test]
fn rust_words_in_other_files_pass() {
    assert_eq!(
        found("web/question.js", "dbg!( #[ignore"),
        Vec::<String>::new()
    );
}
