//! Puts what the agent heard into what it says: `{{answer}}` and its like.

use serde_json::Value;

use super::heard::Heard;

/// What there is to fill in, as an error lists it.
pub(super) const NAMES: &str = "{{answer}}, {{answer to THE QUESTION}}, {{message}}, {{task}}, \
                                {{result}}, {{result N}} and {{reply}}";

enum Name<'a> {
    Answer,
    AnswerTo(&'a str),
    Message,
    Task,
    Result(Option<usize>),
    Reply,
}

fn parse(name: &str) -> Option<Name<'_>> {
    let name = name.trim();
    if let Some(question) = name.strip_prefix("answer to ") {
        return Some(Name::AnswerTo(question.trim()));
    }
    if let Some(number) = name.strip_prefix("result ") {
        return number
            .trim()
            .parse()
            .ok()
            .map(|number| Name::Result(Some(number)));
    }
    match name {
        "answer" => Some(Name::Answer),
        "message" => Some(Name::Message),
        "task" => Some(Name::Task),
        "result" => Some(Name::Result(None)),
        "reply" => Some(Name::Reply),
        _ => None,
    }
}

/// The text with every placeholder filled in.
pub(super) fn text(template: &str, heard: Heard<'_>) -> String {
    let mut out = String::with_capacity(template.len());
    let mut rest = template;
    while let Some((before, name, after)) = placeholder(rest) {
        out.push_str(before);
        match parse(name) {
            Some(Name::Answer) => out.push_str(&heard.answer()),
            Some(Name::AnswerTo(question)) => out.push_str(&heard.answer_to(question)),
            Some(Name::Message) => out.push_str(heard.message()),
            Some(Name::Task) => out.push_str(heard.task()),
            Some(Name::Result(number)) => out.push_str(heard.result(number)),
            Some(Name::Reply) => out.push_str(&(heard.replies() + 1).to_string()),
            // Refused when the script was read.
            None => {}
        }
        rest = after;
    }
    out.push_str(rest);
    out
}

/// The value with the placeholders in its texts filled in.
pub(super) fn value(template: &Value, heard: Heard<'_>) -> Value {
    match template {
        Value::String(template) => Value::String(text(template, heard)),
        Value::Array(items) => items.iter().map(|item| value(item, heard)).collect(),
        Value::Object(map) => {
            let filled = map
                .iter()
                .map(|(key, item)| (key.clone(), value(item, heard)));
            Value::Object(filled.collect())
        }
        Value::Null | Value::Bool(_) | Value::Number(_) => template.clone(),
    }
}

/// The first placeholder that stands for nothing.
pub(super) fn unknown(template: &str) -> Option<String> {
    let mut rest = template;
    while let Some((_, name, after)) = placeholder(rest) {
        if parse(name).is_none() {
            return Some(name.to_owned());
        }
        rest = after;
    }
    None
}

/// The first placeholder in the texts of a value that stands for nothing.
pub(super) fn unknown_in(template: &Value) -> Option<String> {
    match template {
        Value::String(template) => unknown(template),
        Value::Array(items) => items.iter().find_map(unknown_in),
        Value::Object(map) => map.values().find_map(unknown_in),
        Value::Null | Value::Bool(_) | Value::Number(_) => None,
    }
}

/// The text before the first placeholder, its name, and the text behind it.
fn placeholder(text: &str) -> Option<(&str, &str, &str)> {
    let (before, rest) = text.split_once("{{")?;
    let (name, after) = rest.split_once("}}")?;
    Some((before, name, after))
}
