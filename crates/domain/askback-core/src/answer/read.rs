//! Reads answers from JSON, in the forms that callers send.
//!
//! The full form names its field (`{"values": ["a"], "note": "…"}`). The short form is what a
//! person would write into a request by hand: a label, a list of labels, a number, a day. What a text
//! says is read by [`InputParser::answer`], as everywhere.

use std::borrow::Cow;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::problem::{AnswerError, AnswerProblem, ExpectedAnswer};
use super::typed_choices::{ShownChoices, TypedChoices};
use super::{Answer, AnswerValue};
use crate::input_parser::InputParser;
use crate::inquiry::Inquiry;
use crate::question::{ChoiceKind, Kind, Question};
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
    pub own: Option<String>,
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
                raw.own = own.as_ref().map(Text::to_string);
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

impl TypedChoices {
    /// The answer as a surface sends it. The row of own text is no choice.
    pub fn to_raw(&self, kind: &ChoiceKind) -> RawAnswer {
        let chosen = self.rows.iter().filter_map(|row| kind.choices.get(*row));
        let values: Vec<String> = chosen.map(|choice| choice.value.to_string()).collect();
        RawAnswer {
            values: (self.own.is_none() || !values.is_empty()).then_some(values),
            own: self.own.clone(),
            ..RawAnswer::default()
        }
    }
}

/// Finds the raw answer to each question of `inquiry`, in its order; `None` where there is none.
/// With them come the entries that could not be read.
pub(super) fn read_answers(
    inquiry: &Inquiry,
    answers: &Value,
    notes: Option<&Value>,
) -> (Vec<Option<RawAnswer>>, Vec<AnswerError>) {
    let parser = InputParser::without_language();
    let mut found: Vec<Option<RawAnswer>> = vec![None; inquiry.questions().len()];
    let mut errors = Vec::new();
    for_each_named(inquiry, answers, &mut errors, |index, question, value| {
        if found[index].is_some() {
            return Err(AnswerProblem::AnsweredTwice);
        }
        found[index] = read_answer(question, value, &parser)?;
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

/// The answers of a request with everything that somebody typed replaced by what it says, as `parser` reads it. What cannot
/// be read is left or made such that the check refuses it.
pub(super) fn parse_typed(inquiry: &Inquiry, mut answers: Value, parser: &InputParser) -> Value {
    let Value::Object(entries) = &mut answers else {
        return answers;
    };
    for (key, value) in entries {
        let Some(question) = inquiry.question_named(key) else {
            continue;
        };
        let raw = match read_answer(question, value, parser) {
            Ok(raw) => raw,
            Err(AnswerProblem::NotANumber | AnswerProblem::NotADate) => {
                Some(RawAnswer::unreadable(question))
            }
            Err(_) => None,
        };
        if let Some(Ok(read)) = raw.map(serde_json::to_value) {
            *value = read;
        }
    }
    answers
}

fn read_answer(
    question: &Question,
    value: &Value,
    parser: &InputParser,
) -> Result<Option<RawAnswer>, AnswerProblem> {
    let wrong_type = AnswerProblem::WrongType {
        wants: wants(question),
    };
    match value {
        // Of what may be skipped, "nothing" is the answer of whoever sends the form back.
        Value::Null => Ok(question.skippable.then(|| RawAnswer {
            skipped: true,
            ..RawAnswer::default()
        })),
        Value::Object(fields) => read_full(question, fields, parser).map(Some),
        Value::String(text) => parser.answer(question, text).map(Some),
        Value::Number(number) => match &question.kind {
            Kind::Number(_) => Ok(Some(RawAnswer {
                number: Some(value.clone()),
                ..RawAnswer::default()
            })),
            Kind::Choice(_) | Kind::Text(_) => {
                parser.answer(question, &number.to_string()).map(Some)
            }
            Kind::Date(_) | Kind::DateRange(_) => Err(wrong_type),
        },
        Value::Bool(is_yes) => {
            let kind = question.choice_kind().filter(|kind| kind.confirm);
            let choice = kind.and_then(|kind| kind.choices.get(usize::from(!is_yes)));
            Ok(Some(RawAnswer {
                values: Some(vec![choice.ok_or(wrong_type)?.value.to_string()]),
                ..RawAnswer::default()
            }))
        }
        Value::Array(items) => {
            let words: Option<Vec<Cow<str>>> = items.iter().map(word).collect();
            read_words(question, &words.ok_or(wrong_type)?, parser).map(Some)
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

/// The full form. `typed` holds what was typed for the question, `typed_start` and `typed_end` the two fields of a range; a
/// field that was left empty counts as missing.
fn read_full(
    question: &Question,
    fields: &Map<String, Value>,
    parser: &InputParser,
) -> Result<RawAnswer, AnswerProblem> {
    let wrong_type = || AnswerProblem::WrongType {
        wants: wants(question),
    };
    let mut named = fields.clone();
    let mut typed = |name: &str| match named.remove(name) {
        None => Ok(None),
        Some(Value::String(text)) => Ok(Some(text)),
        Some(_) => Err(wrong_type()),
    };
    let (whole, start, end) = (typed("typed")?, typed("typed_start")?, typed("typed_end")?);
    let raw = RawAnswer::deserialize(&named).map_err(|_| wrong_type())?;
    let read = match (whole, start, end) {
        (None, None, None) => return Ok(raw),
        (Some(whole), None, None) if whole.trim().is_empty() => return Ok(raw),
        (Some(whole), None, None) => parser.answer(question, &whole)?,
        (None, start, end) if matches!(question.kind, Kind::DateRange(_)) => {
            parser.two_days(&start.unwrap_or_default(), &end.unwrap_or_default())?
        }
        _ => return Err(wrong_type()),
    };
    let note = raw.note.clone();
    let has_nothing_else = raw
        == RawAnswer {
            note: note.clone(),
            ..RawAnswer::default()
        };
    if !has_nothing_else {
        return Err(wrong_type());
    }
    Ok(RawAnswer { note, ..read })
}

/// A short answer of several texts.
fn read_words(
    question: &Question,
    words: &[Cow<str>],
    parser: &InputParser,
) -> Result<RawAnswer, AnswerProblem> {
    match (&question.kind, words) {
        (Kind::Choice(kind), _) => {
            let shown = ShownChoices::of(kind).marked(&parser.recommended);
            let mut all = TypedChoices::default();
            let mut own = Vec::new();
            for word in words {
                let read = shown.read_part(word)?;
                all.rows.extend(read.rows);
                own.extend(read.own);
            }
            all.own = (!own.is_empty()).then(|| own.join("\n"));
            Ok(all.to_raw(kind))
        }
        (Kind::DateRange(_), [start, end]) => parser.two_days(start, end),
        (_, [word]) => parser.answer(question, word),
        _ => Err(AnswerProblem::WrongType {
            wants: wants(question),
        }),
    }
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
