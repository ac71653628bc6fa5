//! What the fields of a form answer, in the form in which every surface sends answers.

use askback_core::answer::{AnswerError, AnswerProblem};
use askback_core::inquiry::Inquiry;
use askback_core::question::{ChoiceKind, Kind, Question};
use serde_json::{Map, Value, json};

use super::data::{FormData, NONE_YET};

/// The answers in a form. Numbers and days are as they were typed.
pub(super) fn answers(inquiry: &Inquiry, data: &FormData) -> Result<Value, Vec<AnswerError>> {
    let mut answers = Map::new();
    let mut errors = Vec::new();
    for question in inquiry.questions() {
        match answer(question, data) {
            Ok(fields) if fields.is_empty() => {}
            Ok(fields) => drop(answers.insert(question.id.to_string(), Value::Object(fields))),
            Err(problem) => errors.push(AnswerError {
                question: Some(question.id.clone()),
                name: question.name().to_owned(),
                problem,
                message: None,
            }),
        }
    }
    if errors.is_empty() {
        Ok(Value::Object(answers))
    } else {
        Err(errors)
    }
}

fn answer(question: &Question, data: &FormData) -> Result<Map<String, Value>, AnswerProblem> {
    let id = question.id.as_str();
    let mut fields = match &question.kind {
        Kind::Choice(kind) => choices(kind, id, data)?,
        Kind::Text(_) => filled(&[("text", data.one(id))]),
        Kind::Number(_) | Kind::Date(_) => filled(&[("typed", data.one(id))]),
        Kind::DateRange(_) => filled(&[
            ("typed_start", data.one(&format!("{id}-start"))),
            ("typed_end", data.one(&format!("{id}-end"))),
        ]),
    };
    fields.extend(filled(&[("note", data.one(&format!("{id}-note")))]));
    if data.has(&format!("{id}-skip")) {
        fields.insert("skipped".to_owned(), Value::Bool(true));
    }
    Ok(fields)
}

/// Ticks and own text. A tick on “something else” alone is an answer that is missing its text. With
/// a single answer, a choice beside own text could mean either, so it is asked again.
fn choices(
    kind: &ChoiceKind,
    id: &str,
    data: &FormData,
) -> Result<Map<String, Value>, AnswerProblem> {
    let ticked = data
        .all(id)
        .filter(|value| !value.is_empty() && *value != NONE_YET);
    let ticked: Vec<&str> = ticked.collect();
    let mut fields = filled(&[("other", data.one(&format!("{id}-own")))]);
    if !kind.several && !ticked.is_empty() && !fields.is_empty() {
        return Err(AnswerProblem::OneChoiceOnly);
    }
    let own_ticked = data.all(id).any(str::is_empty);
    if own_ticked && fields.is_empty() && ticked.is_empty() {
        return Err(AnswerProblem::Empty);
    }
    if !ticked.is_empty() {
        fields.insert("values".to_owned(), json!(ticked));
    }
    Ok(fields)
}

/// The fields that hold something.
fn filled(fields: &[(&str, &str)]) -> Map<String, Value> {
    let filled = fields.iter().filter(|(_, value)| !value.trim().is_empty());
    filled
        .map(|(name, value)| ((*name).to_owned(), json!(value)))
        .collect()
}
