//! Tells which dialect an input is written in.

use serde_json::{Map, Value};

use super::Dialect;
use super::unwrap_input::call_input;
use crate::contract::{fold, parse_nested_json};

/// The dialect of an input, judged by its tool name if it carries one, else by its fields.
///
/// The two list dialects share their form: an input in which every question has a header, a
/// `multiSelect` and only described choices is `AskUserQuestion`, a laxer one `ask_user_question`.
pub fn recognise(input: &Value) -> Dialect {
    match input {
        Value::String(text) => parse_nested_json(text)
            .filter(|inner| !inner.is_string())
            .map_or(Dialect::AskUserQuestion, |inner| recognise(&inner)),
        Value::Array(items) => recognise_list(items),
        Value::Object(map) => {
            if let Some(inner) = call_input(input) {
                return named(map).unwrap_or_else(|| recognise(inner));
            }
            recognise_object(map)
        }
        Value::Null | Value::Bool(_) | Value::Number(_) => Dialect::AskUserQuestion,
    }
}

fn named(map: &Map<String, Value>) -> Option<Dialect> {
    let function = map.get("function").and_then(Value::as_object);
    ["name", "tool", "tool_name"]
        .iter()
        .find_map(|field| Dialect::of_tool(function.unwrap_or(map).get(*field)?.as_str()?))
}

fn recognise_object(map: &Map<String, Value>) -> Dialect {
    match map.get("questions") {
        Some(Value::Array(items)) => {
            let claude = has_any(map, &["metadata", "answers"]);
            return if claude {
                Dialect::AskUserQuestionClaude
            } else {
                recognise_list(items)
            };
        }
        Some(Value::String(text)) => {
            return match parse_nested_json(text) {
                Some(Value::Array(items)) => recognise_list(&items),
                _ => Dialect::AskUserQuestion,
            };
        }
        Some(_) => return Dialect::AskUserQuestion,
        None => {}
    }
    let options = map.get("options").or_else(|| map.get("choices"));
    let with_value = matches!(options, Some(Value::Array(items)) if items.iter().any(|o| o.get("value").is_some()));
    let typed = [
        "inputtype",
        "allowother",
        "allowskip",
        "placeholder",
        "context",
        "validation",
    ];
    if with_value || has_any(map, &typed) || options.is_none() {
        return Dialect::AskUser;
    }
    if has_any(map, &["multiselect"]) {
        return recognise_list(&[Value::Object(map.clone())]);
    }
    Dialect::Question
}

fn recognise_list(questions: &[Value]) -> Dialect {
    let strict = |question: &Value| {
        let options = question.get("options").and_then(Value::as_array);
        question.get("header").is_some()
            && question.get("multiSelect").is_some()
            && options.is_some_and(|options| options.iter().all(|o| o.get("description").is_some()))
    };
    if !questions.is_empty() && questions.iter().all(strict) {
        Dialect::AskUserQuestionClaude
    } else {
        Dialect::AskUserQuestion
    }
}

fn has_any(map: &Map<String, Value>, folded: &[&str]) -> bool {
    map.keys().any(|key| folded.contains(&fold(key).as_str()))
}
