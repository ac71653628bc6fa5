//! Reads answers from JSON, in the forms that callers send.
//!
//! The full form names its field (`{"values": ["a"], "note": "…"}`). The short form is what a
//! person would write into a request by hand: a label, a list of labels, a number, a day. A short
//! text for a question with several choices is one label if it is one, a comma list if every part
//! is a label, and otherwise the respondent's own text.

use std::borrow::Cow;
use std::cmp::Reverse;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::problem::{AnswerError, AnswerProblem, ExpectedAnswer};
use super::{Answer, AnswerValue};
use crate::inquiry::Inquiry;
use crate::limits;
use crate::question::{Choice, ChoiceKind, Kind, Question, RECOMMENDED_SUFFIX};
use crate::text::Text;

/// An answer as a surface sends it, not yet checked. Only the fields that apply are present.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RawAnswer {
    /// Values or labels of choices.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub values: Option<Vec<String>>,
    /// The respondent's own text beside or instead of choices.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub other: Option<String>,
    /// The answer to a text question.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub text: Option<String>,
    /// The answer to a number question: a JSON number, or one in a string.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub number: Option<Value>,
    /// A day as `YYYY-MM-DD`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub date: Option<String>,
    /// The first day of a range.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub start: Option<String>,
    /// The last day of a range.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub end: Option<String>,
    /// The question is passed over.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub skipped: bool,
    /// What the respondent wrote beside the answer.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub note: Option<String>,
}

impl From<&Answer> for RawAnswer {
    fn from(answer: &Answer) -> RawAnswer {
        let mut raw = RawAnswer {
            note: answer.note.as_ref().map(Text::to_string),
            ..RawAnswer::default()
        };
        match &answer.given {
            AnswerValue::Chosen { values, own } => {
                let taken = values.iter().map(Text::to_string).collect();
                raw.values = (!values.is_empty()).then_some(taken);
                raw.other = own.as_ref().map(Text::to_string);
            }
            AnswerValue::Text { text } => raw.text = Some(text.to_string()),
            AnswerValue::Number { number } => raw.number = serde_json::to_value(number).ok(),
            AnswerValue::Date { date } => raw.date = Some(date.to_string()),
            AnswerValue::DateRange { start, end } => {
                raw.start = Some(start.to_string());
                raw.end = Some(end.to_string());
            }
            AnswerValue::Skipped => raw.skipped = true,
            AnswerValue::Unanswered => {}
        }
        raw
    }
}

/// Finds the raw answer to each question of `inquiry`, in its order; `None` where there is none.
/// With them come the entries that could not be read.
pub(super) fn read_answers(
    inquiry: &Inquiry,
    answers: &Value,
    notes: Option<&Value>,
) -> (Vec<Option<RawAnswer>>, Vec<AnswerError>) {
    let mut found: Vec<Option<RawAnswer>> = vec![None; inquiry.questions().len()];
    let mut errors = Vec::new();
    for_each_named(inquiry, answers, &mut errors, |index, question, value| {
        if found[index].is_some() {
            return Err(AnswerProblem::AnsweredTwice);
        }
        found[index] = read_answer(question, value)?;
        Ok(())
    });
    if let Some(notes) = notes {
        for_each_named(inquiry, notes, &mut errors, |index, _, value| {
            if let Value::String(note) = value {
                found[index].get_or_insert_default().note = Some(note.clone());
                return Ok(());
            }
            Err(AnswerProblem::WrongType {
                wants: ExpectedAnswer::Text,
            })
        });
    }
    (found, errors)
}

/// Walks the entries of `object` with the question each of them names.
fn for_each_named(
    inquiry: &Inquiry,
    object: &Value,
    errors: &mut Vec<AnswerError>,
    mut visit: impl FnMut(usize, &Question, &Value) -> Result<(), AnswerProblem>,
) {
    let Value::Object(entries) = object else {
        errors.push(AnswerError::whole(AnswerProblem::NotAnObject));
        return;
    };
    for (key, value) in entries {
        let named = inquiry
            .question_named(key)
            .and_then(|q| Some((inquiry.position(&q.id)?, q)));
        let Some((index, question)) = named else {
            let known = inquiry.questions().iter().map(|q| q.id.clone()).collect();
            errors.push(AnswerError::whole(AnswerProblem::UnknownQuestion { known }));
            continue;
        };
        if let Err(problem) = visit(index, question, value) {
            errors.push(AnswerError::on(question, problem));
        }
    }
}

fn read_answer(question: &Question, value: &Value) -> Result<Option<RawAnswer>, AnswerProblem> {
    let wrong_type = AnswerProblem::WrongType {
        wants: wants(question),
    };
    match value {
        Value::Null => Ok(None),
        Value::Object(fields) => read_full(fields).map(Some).ok_or(wrong_type),
        Value::String(word) => Ok(Some(read_word(question, word))),
        Value::Number(number) => match &question.kind {
            Kind::Number(_) => Ok(Some(RawAnswer {
                number: Some(value.clone()),
                ..RawAnswer::default()
            })),
            Kind::Choice(_) | Kind::Text(_) => Ok(Some(read_word(question, &number.to_string()))),
            Kind::Date(_) | Kind::DateRange(_) => Err(wrong_type),
        },
        Value::Bool(_) => Err(wrong_type),
        Value::Array(items) => {
            let words: Option<Vec<Cow<str>>> = items.iter().map(word).collect();
            read_words(question, &words.ok_or(wrong_type.clone())?)
                .map(Some)
                .ok_or(wrong_type)
        }
    }
}

/// One text of a list; a number stands for how it is written.
fn word(item: &Value) -> Option<Cow<'_, str>> {
    match item {
        Value::String(text) => Some(Cow::Borrowed(text)),
        Value::Number(number) => Some(Cow::Owned(number.to_string())),
        Value::Null | Value::Bool(_) | Value::Array(_) | Value::Object(_) => None,
    }
}

fn read_full(fields: &Map<String, Value>) -> Option<RawAnswer> {
    RawAnswer::deserialize(fields).ok()
}

/// A short answer of one text.
fn read_word(question: &Question, word: &str) -> RawAnswer {
    let mut raw = RawAnswer::default();
    match &question.kind {
        Kind::Choice(choice) => {
            let named = name_choices(choice, word);
            if named.is_empty() {
                raw.other = Some(word.to_owned());
            } else {
                raw.values = Some(named);
            }
        }
        Kind::Text(_) => raw.text = Some(word.to_owned()),
        Kind::Number(_) => raw.number = Some(Value::String(word.to_owned())),
        Kind::Date(_) => raw.date = Some(word.to_owned()),
        Kind::DateRange(_) => {
            let (start, end) = word
                .split_once('/')
                .or_else(|| word.split_once(" to "))
                .unwrap_or((word, word));
            raw.start = Some(start.to_owned());
            raw.end = Some(end.to_owned());
        }
    }
    raw
}

/// A short answer of several texts.
fn read_words(question: &Question, words: &[Cow<str>]) -> Option<RawAnswer> {
    match (&question.kind, words) {
        (Kind::Choice(choice), _) => {
            let mut values = Vec::new();
            let mut own = Vec::new();
            for word in words {
                match choice.named(word) {
                    Some(choice) => values.push(choice.value.to_string()),
                    None => own.push(word.as_ref()),
                }
            }
            let other = (!own.is_empty()).then(|| own.join("\n"));
            Some(RawAnswer {
                values: Some(values),
                other,
                ..RawAnswer::default()
            })
        }
        (Kind::DateRange(_), [start, end]) => Some(RawAnswer {
            start: Some(start.to_string()),
            end: Some(end.to_string()),
            ..RawAnswer::default()
        }),
        (_, [word]) => Some(read_word(question, word)),
        _ => None,
    }
}

/// The values that `word` names: one choice, or all parts of a comma list; empty if it names none.
fn name_choices(kind: &ChoiceKind, word: &str) -> Vec<String> {
    let word = word.trim();
    if let Some(choice) = kind.named(word) {
        return vec![choice.value.to_string()];
    }
    if !kind.several {
        return Vec::new();
    }
    split_into_choices(kind, word).unwrap_or_default()
}

/// Splits a comma list whose every part names a choice. A name may hold commas itself, so each
/// place is tried with every name, the longest first, from the last place to the first.
fn split_into_choices(kind: &ChoiceKind, list: &str) -> Option<Vec<String>> {
    if list.len() > limits::OWN_TEXT_CHARS_MAX {
        return None;
    }
    let end = list.len();
    let part_at = |at: usize| end - list[at..].trim_start_matches([',', ' ']).len();
    let names = names(kind);
    // For each place from which the rest can be split: the choice there, and the next place.
    let mut splits: Vec<Option<(&Choice, usize)>> = vec![None; end + 1];
    let commas: Vec<usize> = list.match_indices(',').map(|(at, _)| at).collect();
    for start in commas.into_iter().rev().map(part_at).chain([0]) {
        splits[start] = names.iter().find_map(|(name, choice)| {
            let behind = list[start..].strip_prefix(name.as_str())?.trim_start();
            let parted = behind.is_empty() || behind.starts_with(',');
            let next = part_at(end - behind.len());
            (parted && (next == end || splits[next].is_some())).then_some((*choice, next))
        });
    }
    let mut values = Vec::new();
    let mut at = 0;
    while at < end {
        let (choice, next) = splits[at]?;
        values.push(choice.value.to_string());
        at = next;
    }
    Some(values)
}

/// Every name of every choice, the longest first.
fn names(kind: &ChoiceKind) -> Vec<(String, &Choice)> {
    let mut names: Vec<(String, &Choice)> = Vec::new();
    for choice in &kind.choices {
        names.push((choice.value.to_string(), choice));
        names.push((choice.label.to_string(), choice));
        if choice.recommended {
            names.push((format!("{} {RECOMMENDED_SUFFIX}", choice.label), choice));
        }
    }
    names.sort_by_key(|(name, _)| Reverse(name.len()));
    names
}

/// What a question takes, for the message that says so.
pub(super) fn wants(question: &Question) -> ExpectedAnswer {
    match question.kind {
        Kind::Choice(_) => ExpectedAnswer::Choices,
        Kind::Text(_) => ExpectedAnswer::Text,
        Kind::Number(_) => ExpectedAnswer::Number,
        Kind::Date(_) => ExpectedAnswer::Date,
        Kind::DateRange(_) => ExpectedAnswer::DateRange,
    }
}
