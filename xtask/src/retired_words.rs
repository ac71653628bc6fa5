//! Refuses words that were replaced by the usual ones, in names and in prose.
//!
//! A word counts where it stands alone and where it is a part of a longer name: `Parked` also refuses
//! `parked`, `is_parked` and `ParkedQuestion`, but not `sparked`. Words that are ordinary English as
//! well, such as "hear", are listed only in the form in which they named something.

use crate::sources::SourceFile;

/// The files that have to spell the words out, and the record of earlier versions.
const EXEMPT: &[&str] = &[
    "CHANGELOG.md",
    "crates/askback-store/tests/fixtures/schema_10.sql",
    "crates/askback-store/tests/fixtures/schema_11.sql",
    "crates/askback-store/tests/fixtures/schema_7.sql",
    "crates/askback-stored/goldens/events.json",
    "crates/askback-stored/goldens/older.json",
    "crates/askback-stored/goldens/states.json",
    "typos.toml",
    "xtask/src/retired_words.rs",
    "xtask/src/retired_words_tests.rs",
];

/// Lines that hold one of these are about stored data, whose names stay as they are.
const STORED: &[&str] = &["serde(rename"];

/// How a word of the table is compared.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Match {
    /// In any case, as a whole part of a name: words that no sentence needs.
    AnyCase,
    /// Exactly as written, as a whole name: words that are ordinary English in lower case.
    ExactName,
}

use Match::{AnyCase, ExactName};

/// The words that were replaced, each with what to use instead.
const RETIRED: &[(Match, &str, &str)] = &[
    (AnyCase, "parked", "pending"),
    (AnyCase, "unpark", "remove_pending"),
    (AnyCase, "nought", "0, or zero"),
    (AnyCase, "expressly", "explicitly"),
    (AnyCase, "porthole", "small window"),
    (ExactName, "stand_in", "fake"),
    (ExactName, "Standing", "AnswerStatus"),
    (ExactName, "TakeBack", "UndoAnswer"),
    (ExactName, "Ledger", "InvariantChecker"),
    (ExactName, "Fate", "Ending, or CharAction"),
    (ExactName, "Desk", "ChatBackend, or InboxBackend"),
    (ExactName, "Office", "InquiryWatcher"),
    (ExactName, "News", "UiEvent"),
    (ExactName, "Stage", "TerminalApp"),
    (ExactName, "Happening", "TerminalEvent"),
    (ExactName, "Ink", "Style"),
    (ExactName, "Arming", "TypeaheadGuard"),
    (ExactName, "Eager", "UnbufferedInput"),
    (ExactName, "Woken", "Wakeup"),
    (ExactName, "LookArgs", "TerminalOptions"),
    (ExactName, "Histories", "HistoryCache"),
    (ExactName, "Claimed", "ClaimedJobs"),
    (ExactName, "Moment", "SqlTimestamp"),
    (ExactName, "LONGEST_NAP", "MAX_SLEEP"),
    (ExactName, "insist", "retry_while_unreachable"),
    (ExactName, "mend", "reconnect"),
];

/// Finds retired words in the sources and the documentation.
pub(crate) fn findings(files: &[SourceFile]) -> Vec<String> {
    files
        .iter()
        .filter(|file| !EXEMPT.contains(&file.path.as_str()))
        .flat_map(findings_in)
        .collect()
}

fn findings_in(file: &SourceFile) -> Vec<String> {
    let mut findings = Vec::new();
    for (index, line) in file.text.lines().enumerate() {
        if STORED.iter().any(|mark| line.contains(mark)) {
            continue;
        }
        for (matches, word, instead) in RETIRED {
            if holds(line, *matches, word) {
                let number = index + 1;
                findings.push(format!(
                    "{}:{number}: `{word}` was retired; use {instead}.",
                    file.path
                ));
            }
        }
    }
    findings
}

fn holds(line: &str, matches: Match, word: &str) -> bool {
    match matches {
        Match::ExactName => has_bounded(line, word, |c| c.is_alphanumeric() || c == '_'),
        Match::AnyCase => has_bounded(&separated(line), word, char::is_alphanumeric),
    }
}

/// The line in lower case, with the words of `CamelCase` names separated by `_`.
fn separated(line: &str) -> String {
    let mut separated = String::with_capacity(line.len());
    let mut after_lower = false;
    for c in line.chars() {
        if c.is_uppercase() && after_lower {
            separated.push('_');
        }
        after_lower = c.is_lowercase();
        separated.extend(c.to_lowercase());
    }
    separated
}

/// Whether `word` stands in `text` without a neighbour that belongs to the same name.
fn has_bounded(text: &str, word: &str, belongs: impl Fn(char) -> bool) -> bool {
    text.match_indices(word).any(|(at, _)| {
        let before = text[..at].chars().next_back();
        let after = text[at + word.len()..].chars().next();
        !before.is_some_and(&belongs) && !after.is_some_and(&belongs)
    })
}

#[cfg(test)]
#[path = "retired_words_tests.rs"]
mod tests;
