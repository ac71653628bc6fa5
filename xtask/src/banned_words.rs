//! Bans words from the sources: marks of unfinished work, of silenced tests and of silenced lints, and in the core also those
//! with which the standard library reaches the machine.

use crate::sources::SourceFile;

/// The files that must spell the words out: this table and its tests.
const EXEMPT: &[&str] = &[
    "xtask/src/banned_words.rs",
    "xtask/src/banned_words_tests.rs",
];

/// Words that no Rust file may hold, with what to do instead.
const IN_RUST: &[(&str, &str)] = &[
    ("dbg!(", "assert on the value in a test, then delete it"),
    (
        "todo!(",
        "finish it, or leave the item out until it is needed",
    ),
    (
        "unimplemented!(",
        "finish it, or leave the item out until it is needed",
    ),
    ("#[ignore", "make the test run everywhere, or delete it"),
    (
        "#[should_panic",
        "return an error and compare it in the test",
    ),
    ("#[allow(", "write `#[expect(the_lint, reason = \"…\")]`"),
    ("#![allow(", "write `#![expect(the_lint, reason = \"…\")]`"),
];

/// Words that no Rust file of the core may hold besides, since its dependencies alone do not keep
/// it pure.
const IN_CORE: &[(&str, &str)] = &[
    ("async fn", "return a job for the engine to run"),
    ("::now(", "take the time from the context"),
    ("println!(", "return the text"),
    ("std::env", "take the value as a parameter"),
    ("std::fs", "take the content as a parameter"),
    ("std::io", "take or return the bytes"),
    ("std::net", "return a job for the engine to run"),
    ("std::process", "return a job for the engine to run"),
    ("std::thread", "return a job for the engine to run"),
];

/// Where the words of [`IN_CORE`] count.
const CORE: &str = "crates/domain/askback-core/src/";

/// The mark of unfinished work; with the number of an issue it is allowed in any source file.
const UNFINISHED: &str = "TODO";

/// Finds the banned words of all tables, and lint expectations that give no reason.
pub(crate) fn findings(sources: &[SourceFile]) -> Vec<String> {
    sources
        .iter()
        .filter(|source| !EXEMPT.contains(&source.path.as_str()))
        .flat_map(|source| {
            let mut findings = unfinished(source);
            if source.is_rust() {
                findings.extend(listed(source, IN_RUST));
                findings.extend(unreasoned(source));
            }
            if source.path.starts_with(CORE) && source.is_rust() && !source.is_test() {
                findings.extend(listed(source, IN_CORE));
            }
            findings
        })
        .collect()
}

/// Finds the words of one table.
fn listed(source: &SourceFile, table: &[(&str, &str)]) -> Vec<String> {
    let mut findings = Vec::new();
    for (word, instead) in table {
        for at in whole_words(&source.text, word) {
            findings.push(format!(
                "{}: `{word}` is banned; {instead}.",
                place(source, at)
            ));
        }
    }
    findings
}

/// Finds marks of unfinished work without the number of an issue.
fn unfinished(source: &SourceFile) -> Vec<String> {
    whole_words(&source.text, UNFINISHED)
        .filter(|at| !has_number(&source.text[at + UNFINISHED.len()..]))
        .map(|at| {
            format!(
                "{}: `{UNFINISHED}` names no issue; write `{UNFINISHED}(#N)`, or do it now.",
                place(source, at)
            )
        })
        .collect()
}

/// Finds `#[expect(…)]` attributes without a reason.
fn unreasoned(source: &SourceFile) -> Vec<String> {
    ["#[expect(", "#![expect("]
        .into_iter()
        .flat_map(|start| source.text.match_indices(start))
        .filter(|(at, _)| {
            let attribute = source.text[*at..].split(")]").next().unwrap_or_default();
            !attribute.contains("reason")
        })
        .map(|(at, start)| {
            format!(
                "{}: `{start}…)]` gives no reason; add `reason = \"…\"`.",
                place(source, at)
            )
        })
        .collect()
}

/// Where a word begins in the text, leaving out those places where it is only a part of a longer
/// one.
fn whole_words<'a>(text: &'a str, word: &'a str) -> impl Iterator<Item = usize> + 'a {
    let goes_on = |c: char| c.is_alphanumeric() || c == '_';
    text.match_indices(word)
        .map(|(at, _)| at)
        .filter(move |at| {
            let open_start = word.starts_with(goes_on) && text[..*at].ends_with(goes_on);
            let open_end = word.ends_with(goes_on) && text[at + word.len()..].starts_with(goes_on);
            !open_start && !open_end
        })
}

/// Whether the text goes on with an issue's number in parentheses.
fn has_number(rest: &str) -> bool {
    rest.strip_prefix("(#")
        .and_then(|rest| rest.split_once(')'))
        .is_some_and(|(number, _)| number.parse::<u32>().is_ok())
}

/// The path and line of a place in a file.
fn place(source: &SourceFile, at: usize) -> String {
    let line = source.text[..at].matches('\n').count() + 1;
    format!("{}:{line}", source.path)
}

#[cfg(test)]
#[path = "banned_words_tests.rs"]
mod tests;
