//! Takes a tool input out of the wrappings it arrives in.

use serde_json::{Map, Value, json};

use super::Dialect;
use crate::contract::{ProblemCode, Reader, fold, unfold_text};

/// Fields under which a whole call carries its input.
const INPUT_FIELDS: &[&str] = &["arguments", "input", "parameters", "args", "toolinput"];
/// Fields that show that an object is a whole call.
const NAME_FIELDS: &[&str] = &["name", "tool", "toolname", "function", "type", "id"];

/// Brings `input` to an object of the dialect's outer form: `{questions}` or one flat question.
pub(super) fn open(dialect: Dialect, reader: &mut Reader, input: &Value) -> Option<Value> {
    let mut value = input.clone();
    if let Value::String(text) = &value {
        let Some(inner) = unfold_text(text) else {
            reader.problem(ProblemCode::NotJson, "The input is a text: send an object.");
            return None;
        };
        reader.repair("read JSON that was sent as a text");
        value = inner;
    }
    if let Some(inner) = call_input(&value) {
        reader.repair("took the input out of a whole call");
        value = match inner {
            Value::String(text) => unfold_text(text).unwrap_or(Value::Null),
            other => other.clone(),
        };
    }
    if dialect.takes_list() {
        Some(into_list(reader, value))
    } else {
        into_single(reader, value)
    }
}

/// The input inside of a whole call such as `{"name": …, "arguments": {…}}`.
pub(super) fn call_input(value: &Value) -> Option<&Value> {
    let map = value.as_object()?;
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

fn into_list(reader: &mut Reader, value: Value) -> Value {
    match value {
        Value::Array(_) => {
            reader.repair("put a bare list of questions into an object");
            json!({ "questions": value })
        }
        Value::Object(ref map) if find(map, &["questions"]).is_none() && is_question(map) => {
            reader.repair("put a flat question into a list");
            json!({ "questions": [value] })
        }
        other => other,
    }
}

fn into_single(reader: &mut Reader, value: Value) -> Option<Value> {
    let questions = match &value {
        Value::Array(items) => Some(items.clone()),
        Value::Object(map) if !is_question(map) => match find(map, &["questions"]) {
            Some(Value::Array(items)) => Some(items.clone()),
            Some(Value::String(text)) => {
                unfold_text(text).and_then(|inner| inner.as_array().cloned())
            }
            Some(single @ Value::Object(_)) => Some(vec![single.clone()]),
            _ => None,
        },
        _ => None,
    };
    match questions.as_deref() {
        None => Some(value),
        Some([single]) => {
            reader.repair("took the only question out of a list");
            Some(single.clone())
        }
        Some(several) => {
            let hint = format!(
                "The input holds {} questions: send one question with each call.",
                several.len()
            );
            reader.problem(ProblemCode::OneQuestionOnly, hint);
            None
        }
    }
}
