//! What people type and what it answers: one table, which every surface on which they type replays.
//!
//! A case of `typed_answers.json` has the text and the answer in its full form, or the code with which it is refused.

use askback_core::answer::Answers;
use askback_core::dialect::{Dialect, ParseOptions};
use askback_core::inquiry::Inquiry;
use askback_locale::Locale;
use jiff::civil::{Date, date};
use serde::Deserialize;
use serde_json::{Map, Value, json};

/// The day on which everything was typed, a Friday.
pub const TODAY: Date = date(2027, 3, 26);

/// A text that somebody typed as the answer to a question.
#[derive(Debug, Clone)]
pub struct TypedAnswer {
    /// Names the case in a failed test.
    pub name: String,
    /// An inquiry with one question, whose id is `q1`.
    pub inquiry: Inquiry,
    /// The language of whoever typed it.
    pub locale: Locale,
    /// What they typed.
    pub typed: String,
    /// The answers that it gives, or the code of the problem.
    pub expected: Result<Answers, String>,
}

#[derive(Deserialize)]
struct Group {
    name: String,
    #[serde(default)]
    locale: String,
    input: Value,
    cases: Vec<Case>,
}

#[derive(Deserialize)]
struct Case {
    typed: String,
    refused: Option<String>,
    #[serde(flatten)]
    answer: Map<String, Value>,
}

/// Every case of the table.
///
/// # Panics
///
/// If the table has a question or an answer that is not valid.
#[expect(clippy::expect_used, reason = "the table is part of the source")]
pub fn typed_answers() -> Vec<TypedAnswer> {
    let groups: Vec<Group> =
        serde_json::from_str(include_str!("typed_answers.json")).expect("the table is JSON");
    let cases = groups.into_iter().flat_map(|group| {
        let parsed = Dialect::AskUser.parse(&group.input, ParseOptions::default());
        let inquiry = parsed.expect("the question is valid").inquiry;
        let locale = Locale::choose(&[group.locale.as_str()]);
        group.cases.into_iter().map(move |case| TypedAnswer {
            name: format!("{}: {:?}", group.name, case.typed),
            expected: match case.refused {
                Some(code) => Err(code),
                None => Ok(
                    Answers::from_json(&inquiry, &json!({ "q1": case.answer }), None)
                        .expect("the answer is valid"),
                ),
            },
            inquiry: inquiry.clone(),
            locale,
            typed: case.typed,
        })
    });
    cases.collect()
}
