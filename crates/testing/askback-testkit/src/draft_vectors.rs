//! Test vectors for the rules of a draft, generated from the core's reducer.
//!
//! The rules exist once, in `askback_core::draft`. `web/draft/draft.js` applies them in the browser and has
//! to replay these vectors: `cargo xtask draft-vectors` prints them, and `cargo xtask web-test` writes
//! them to `target/draft-vectors.jsonl` before it runs the browser tests.
//!
//! Each line is one case, a JSON object:
//!
//! ```json
//! {"questions": [], "steps": [{"edit": {}, "draft": {}}], "answers": {}, "problem": null}
//! ```
//!
//! - `questions`: as the HTTP API sends them.
//! - `steps`: edits in order, beginning with a new draft. `draft` is the whole draft after the edit,
//!   without `problem`, which the browser does not keep in it.
//! - `edit`: `mark` (with a `row`), `mark_all`, `open`, `close`, `write`, `skip`, `go_to` as the core
//!   has them, and `reopen`, which opens question `page` from the review. Only edits that the browser
//!   has are used. `skip` also goes on: to the next page, or back to the review if the question was
//!   opened from there. On the review only `go_to` and `reopen` occur.
//! - `answers` and `problem`: what sending the last draft leads to. If it is sent, `answers` is what the
//!   browser puts into its request: numbers and days as they were typed. If it is refused, `problem`
//!   is why, with the question's id and a code. The browser itself finds `empty`, and `nothing_answered`
//!   if no question is skipped; the server finds the rest. Both are null if the review is shown first.

use askback_core::dialect::Dialect;
use askback_core::draft::{AnswerStatus, Draft, DraftEntry, DraftField, DraftPage, Edit};
use askback_core::input_parser::InputParser;
use askback_core::inquiry::Inquiry;
use askback_core::number::Number;
use askback_core::question::{
    Choice, ChoiceKind, DateRules, Kind, NumberRules, Question, QuestionId, TextRules,
};
use askback_core::text::Text;
use askback_wire::question::QuestionResponse;
use jiff::civil::Date;
use serde_json::{Map, Value, json};

use crate::rng::Rng;

/// The most questions of a case.
const QUESTIONS_MAX: usize = 4;
/// The most edits of a case.
const EDITS_MAX: usize = 14;

/// What respondents write into a field of text, within its rules and not.
const TEXTS: &[&str] = &[
    "",
    " ",
    "mine",
    "  mine, padded ",
    "two\nlines",
    "Zoë 日本 🙂",
    "much longer than any rule of the question allows it to be",
    "7",
];
/// What they type as a number.
const NUMBERS: &[&str] = &["", "0", "7", "3.5", "-2", "1e3", "11", "seven"];
/// What they type as a day.
const DAYS: &[&str] = &[
    "",
    "2027-03-27",
    "27 mar 2027",
    "2027-01-01",
    "tomorrow",
    "2028-02-29",
    "3/4/2027",
    "31.2.2027",
];

/// One case as a line of JSON, without a line break. The same seed and index give the same line.
pub fn draft_vector(seed: u64, index: u64) -> String {
    let mut rng = Rng::for_case(seed, index);
    let inquiry = inquiry(&mut rng);
    let parser = InputParser::english(today());
    let mut draft = Draft::new(&inquiry);
    let mut steps = Vec::new();
    for _ in 0..rng.within(0, EDITS_MAX) {
        let (edit, shown) = edit(&mut rng, &inquiry, &draft);
        draft = draft.reduce(&inquiry, &edit, &parser).draft;
        steps.push(json!({"edit": shown, "draft": without_problem(&draft)}));
    }
    let sent = draft.reduce(&inquiry, &Edit::Send, &parser);
    let problem = sent
        .draft
        .problem
        .as_ref()
        .map(|error| json!({"question": error.question, "code": code(&error.problem)}));
    let answers = sent.sent.map(|_| request_answers(&inquiry, &draft));
    let questions = inquiry.questions().iter().map(QuestionResponse::from);
    json!({
        "questions": questions.collect::<Vec<_>>(),
        "steps": steps,
        "answers": answers,
        "problem": problem,
    })
    .to_string()
}

/// The day on which everything is typed.
fn today() -> Date {
    jiff::civil::date(2027, 3, 26)
}

fn code(problem: &impl serde::Serialize) -> Value {
    let problem = serde_json::to_value(problem).unwrap_or_default();
    problem.get("code").cloned().unwrap_or_default()
}

fn without_problem(draft: &Draft) -> Value {
    let mut draft = serde_json::to_value(draft).unwrap_or_default();
    if let Some(fields) = draft.as_object_mut() {
        fields.remove("problem");
    }
    draft
}

/// An inquiry with questions of every kind. No dialect mixes kinds, but a draft must be able to.
fn inquiry(rng: &mut Rng) -> Inquiry {
    let count = if rng.percent(40) {
        1
    } else {
        rng.within(2, QUESTIONS_MAX)
    };
    let questions = (0..count).map(|index| question(rng, index)).collect();
    match Inquiry::restore(Dialect::AskUser, None, questions) {
        Ok(inquiry) => inquiry,
        Err(error) => unreachable!("the generated questions fit together: {error}"),
    }
}

fn question(rng: &mut Rng, index: usize) -> Question {
    Question {
        id: QuestionId::at(index),
        header: None,
        text: text(format!("Question {}?", index + 1)),
        context: None,
        placeholder: None,
        skippable: rng.one_in(3),
        kind: match rng.below(8) {
            0..4 => Kind::Choice(choices(rng)),
            4 => Kind::Text(TextRules {
                min_length: rng.one_in(3).then_some(3),
                max_length: rng.one_in(3).then_some(20),
                ..TextRules::default()
            }),
            5 => Kind::Number(number_rules(rng)),
            6 => Kind::Date(date_rules(rng)),
            _ => Kind::DateRange(date_rules(rng)),
        },
    }
}

fn text(clean: String) -> Text {
    match Text::try_from(clean) {
        Ok(text) => text,
        Err(error) => unreachable!("the generated texts are clean: {error}"),
    }
}

fn choices(rng: &mut Rng) -> ChoiceKind {
    let several = rng.one_in(2);
    let count = rng.within(1, 5);
    let choices = (1..=count).map(|number| Choice {
        value: text(format!("v{number}")),
        label: text(format!("Choice {number}")),
        description: None,
        preview: None,
        recommended: false,
        exclusive: several && number == count && rng.one_in(2),
    });
    ChoiceKind {
        several,
        choices: choices.collect(),
        own_text: rng.percent(60),
        confirm: false,
    }
}

fn number_rules(rng: &mut Rng) -> NumberRules {
    let is_bounded = rng.one_in(2);
    NumberRules {
        min: is_bounded.then_some(Number::Whole(0)),
        max: is_bounded.then_some(Number::Whole(10)),
        integer: rng.one_in(3),
        ..NumberRules::default()
    }
}

fn date_rules(rng: &mut Rng) -> DateRules {
    DateRules {
        min: rng.one_in(2).then(|| jiff::civil::date(2027, 3, 1)),
        ..DateRules::default()
    }
}

/// An edit that fits the page in view, for the core and as the browser has it.
fn edit(rng: &mut Rng, inquiry: &Inquiry, draft: &Draft) -> (Edit, Value) {
    let questions = inquiry.questions();
    let DraftPage::Question(at) = draft.page else {
        if rng.one_in(2) {
            let row = rng.below(questions.len());
            return (Edit::Pick { row }, json!({"edit": "reopen", "page": row}));
        }
        return as_it_is(Edit::GoTo {
            page: rng.within(0, questions.len()),
        });
    };
    let question = &questions[at];
    as_it_is(match rng.below(12) {
        0..4 => field_edit(rng, question),
        4..7 => Edit::Mark {
            row: Some(rng.within(0, question.choices().len() + 1)),
        },
        7 => Edit::MarkAll,
        8 => Edit::Close,
        9 => Edit::Skip,
        _ => Edit::GoTo {
            page: rng.within(0, questions.len()),
        },
    })
}

/// Opens or fills one of the fields that the question has.
fn field_edit(rng: &mut Rng, question: &Question) -> Edit {
    let fields: &[DraftField] = match &question.kind {
        Kind::Choice(_) => &[DraftField::Own, DraftField::Own, DraftField::Note],
        Kind::DateRange(_) => &[DraftField::Answer, DraftField::End, DraftField::Note],
        Kind::Text(_) | Kind::Number(_) | Kind::Date(_) => {
            &[DraftField::Answer, DraftField::Answer, DraftField::Note]
        }
    };
    let field = rng.pick(fields);
    let texts = match (field, &question.kind) {
        (DraftField::Answer, Kind::Number(_)) => NUMBERS,
        (DraftField::Answer | DraftField::End, Kind::Date(_) | Kind::DateRange(_)) => DAYS,
        (DraftField::Answer | DraftField::End | DraftField::Own | DraftField::Note, _) => TEXTS,
    };
    if rng.one_in(4) {
        Edit::Open { field }
    } else {
        Edit::Write {
            field,
            text: rng.pick(texts).to_owned(),
        }
    }
}

fn as_it_is(edit: Edit) -> (Edit, Value) {
    let shown = serde_json::to_value(&edit).unwrap_or_default();
    (edit, shown)
}

/// The answers of a draft as a browser sends them, by question id.
fn request_answers(inquiry: &Inquiry, draft: &Draft) -> Value {
    let answers = inquiry.questions().iter().zip(&draft.entries);
    let answers = answers.filter_map(|(question, entry)| {
        let mut answer = request_answer(question, entry);
        if !entry.note.trim().is_empty() {
            answer.insert("note".to_owned(), entry.note.as_str().into());
        }
        (!answer.is_empty()).then(|| (question.id.to_string(), answer.into()))
    });
    Value::Object(answers.collect())
}

fn request_answer(question: &Question, entry: &DraftEntry) -> Map<String, Value> {
    let mut answer = Map::new();
    let mut put = |name: &str, value: Value| answer.insert(name.to_owned(), value);
    match (entry.status(question), &question.kind) {
        (AnswerStatus::Skipped, _) => {
            put("skipped", true.into());
        }
        (AnswerStatus::Open, _) => {}
        (AnswerStatus::Given, Kind::Choice(_)) => {
            if !entry.picked.is_empty() {
                put("values", json!(entry.picked));
            }
            if entry.own_ticked && !entry.own.trim().is_empty() {
                put("own", entry.own.as_str().into());
            }
        }
        (AnswerStatus::Given, Kind::Text(_)) => {
            put("text", entry.typed.as_str().into());
        }
        (AnswerStatus::Given, Kind::Number(_) | Kind::Date(_)) => {
            put("typed", entry.typed.as_str().into());
        }
        (AnswerStatus::Given, Kind::DateRange(_)) => {
            put("typed_start", entry.typed.as_str().into());
            put("typed_end", entry.typed_end.as_str().into());
        }
    }
    answer
}

#[cfg(test)]
#[path = "draft_vectors_tests.rs"]
mod tests;
