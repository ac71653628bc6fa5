//! Unwraps a tool input: models send it as text, inside a whole call, or as a bare list.

use std::borrow::Cow;

use serde_json::{Map, Value, json};

use super::Dialect;
use crate::contract::{InputReader, ParseProblemCode, fold, parse_nested_json};

/// Fields under which a whole call carries its input.
const INPUT_FIELDS: &[&str] = &["arguments", "input", "parameters", "args", "toolinput"];
/// Fields that show that an object is a whole call.
const NAME_FIELDS: &[&str] = &["name", "tool", "toolname", "function", "type", "id"];

/// Brings `input` to an object of the dialect's outer form: `{questions}` or one flat question.
pub(super) fn unwrap_input<'v>(
    dialect: Dialect,
    reader: &mut InputReader,
    input: &'v Value,
) -> Option<Cow<'v, Value>> {
    let mut value = Cow::Borrowed(input);
    if !reader.repairs_input() {
        return Some(value);
    }
    if let Some(text) = input.as_str() {
        let Some(inner) = parse_nested_json(text) else {
            reader.problem(
                ParseProblemCode::NotJson,
                "The input is a text: send an object.",
            );
            return None;
        };
        reader.repair("read JSON that was sent as a text");
        value = Cow::Owned(inner);
    }
    if let Some(inner) = call_input(&value) {
        reader.repair("took the input out of a whole call");
        let Some(inner) = inner
            .as_str()
            .map_or(Some(inner.clone()), parse_nested_json)
        else {
            reader.problem(
                ParseProblemCode::NotJson,
                "The arguments of the call are a text that is not JSON: send an object.",
            );
            return None;
        };
        value = Cow::Owned(inner);
    }
    if dialect.takes_list() {
        Some(into_list(reader, value))
    } else {
        into_single(reader, value)
    }
}

/// The input inside of a whole call such as `{"name": …, "arguments": {…}}`, which may itself stand
/// under `function`.
pub(super) fn call_input(value: &Value) -> Option<&Value> {
    let map = value.as_object()?;
    if let Some(function) = map.get("function").filter(|function| function.is_object()) {
        return call_input(function);
    }
    let input = find(map, INPUT_FIELDS)?;
    let others_name_it = map.len() == 1 || find(map, NAME_FIELDS).is_some();
    let holds_input = input.is_object() || input.is_string();
    (others_name_it && holds_input && !is_question(map) && find(map, &["questions"]).is_none())
        .then_some(input)
}

fn find<'v>(map: &'v Map<String, Value>, names: &[&str]) -> Option<&'v Value> {
    map.iter()
        .find(|(key, _)| names.contains(&fold(key).as_str()))
        .map(|(_, value)| value)
}

/// Whether an object is one flat question rather than a list of them.
fn is_question(map: &Map<String, Value>) -> bool {
    let text = find(map, &["question", "text", "prompt"]).is_some_and(Value::is_string);
    text || find(map, &["options", "choices"]).is_some()
}

fn into_list<'v>(reader: &mut InputReader, value: Cow<'v, Value>) -> Cow<'v, Value> {
    if value.is_array() {
        reader.repair("put a bare list of questions into an object");
        return Cow::Owned(json!({ "questions": value }));
    }
    let flat = |map| find(map, &["questions"]).is_none() && is_question(map);
    if value.as_object().is_some_and(flat) {
        reader.repair("put a flat question into a list");
        return Cow::Owned(json!({ "questions": [value] }));
    }
    value
}

fn into_single<'v>(reader: &mut InputReader, value: Cow<'v, Value>) -> Option<Cow<'v, Value>> {
    let Some(questions) = listed_questions(&value) else {
        return Some(value);
    };
    if let [single] = questions.as_slice() {
        reader.repair("took the only question out of a list");
        return Some(Cow::Owned(single.clone()));
    }
    let count = questions.len();
    let hint = format!("The input holds {count} questions: send one question with each call.");
    reader.problem(ParseProblemCode::OneQuestionOnly, hint);
    None
}

/// The questions of an input that holds a list of them.
fn listed_questions(value: &Value) -> Option<Vec<Value>> {
    if let Some(items) = value.as_array() {
        return Some(items.clone());
    }
    let listed = find(
        value.as_object().filter(|map| !is_question(map))?,
        &["questions"],
    )?;
    match listed {
        Value::Array(items) => Some(items.clone()),
        Value::String(text) => parse_nested_json(text)?.as_array().cloned(),
        Value::Object(_) => Some(vec![listed.clone()]),
        Value::Null | Value::Bool(_) | Value::Number(_) => None,
    }
}
