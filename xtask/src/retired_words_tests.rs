//! Plants retired words and expects them to be found, in names and in prose; what only looks like one
//! passes.

use super::*;

fn found(path: &str, text: &str) -> Vec<String> {
    findings(&[SourceFile {
        path: path.to_owned(),
        text: text.to_owned(),
    }])
}

#[test]
fn every_retired_word_is_found() {
    for (_, word, instead) in RETIRED {
        assert_eq!(
            found("docs/web.md", &format!("first line\nthe {word}, here")),
            [format!(
                "docs/web.md:2: `{word}` was retired; use {instead}."
            )]
        );
    }
}

#[test]
fn word_is_found_within_a_name() {
    for line in [
        "fn is_parked()",
        "struct ParkedQuestion;",
        "PARKED_MAX",
        "It is parked.",
    ] {
        assert_eq!(found("crates/askback/src/main.rs", line).len(), 1, "{line}");
    }
}

#[test]
fn other_words_pass() {
    for line in [
        "it sparked",
        "Desktop",
        "the desk",
        "standing",
        "Waiting_room",
        "Wishes",
    ] {
        assert_eq!(found("web/app.js", line), Vec::<String>::new(), "{line}");
    }
}

#[test]
fn stored_names_and_exempt_files_pass() {
    assert_eq!(
        found("a.rs", "#[serde(rename = \"parked\")]"),
        Vec::<String>::new()
    );
    assert_eq!(found("CHANGELOG.md", "parked"), Vec::<String>::new());
}
