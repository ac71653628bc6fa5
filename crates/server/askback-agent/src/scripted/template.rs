//! Fills in placeholders such as `{{answer}}` from the history.

use serde_json::Value;

use super::history_view::HistoryView;

/// All placeholders, for error messages.
pub(super) const PLACEHOLDERS: &str = "{{answer}}, {{answer to THE QUESTION}}, {{message}}, \
                                       {{task}}, {{result}}, {{result N}} and {{reply}}";

enum Placeholder<'a> {
    Answer,
    AnswerTo(&'a str),
    Message,
    Task,
    Result(Option<usize>),
    Reply,
}

fn parse(name: &str) -> Option<Placeholder<'_>> {
    let name = name.trim();
    if let Some(question) = name.strip_prefix("answer to ") {
        return Some(Placeholder::AnswerTo(question.trim()));
    }
    if let Some(number) = name.strip_prefix("result ") {
        return number
            .trim()
            .parse()
            .ok()
            .map(|number| Placeholder::Result(Some(number)));
    }
    match name {
        "answer" => Some(Placeholder::Answer),
        "message" => Some(Placeholder::Message),
        "task" => Some(Placeholder::Task),
        "result" => Some(Placeholder::Result(None)),
        "reply" => Some(Placeholder::Reply),
        _ => None,
    }
}

pub(super) fn render(template: &str, view: HistoryView<'_>) -> String {
    let mut out = String::with_capacity(template.len());
    let mut rest = template;
    while let Some((before, name, after)) = split_placeholder(rest) {
        out.push_str(before);
        match parse(name) {
            Some(Placeholder::Answer) => out.push_str(&view.answer()),
            Some(Placeholder::AnswerTo(question)) => out.push_str(&view.answer_to(question)),
            Some(Placeholder::Message) => out.push_str(view.message()),
            Some(Placeholder::Task) => out.push_str(view.task()),
            Some(Placeholder::Result(number)) => out.push_str(view.result(number)),
            Some(Placeholder::Reply) => out.push_str(&(view.reply_count() + 1).to_string()),
            // `Script::parse` has refused it.
            None => {}
        }
        rest = after;
    }
    out.push_str(rest);
    out
}

/// Fills in the placeholders in all strings of a JSON value.
pub(super) fn render_value(template: &Value, view: HistoryView<'_>) -> Value {
    match template {
        Value::String(template) => Value::String(render(template, view)),
        Value::Array(items) => items.iter().map(|item| render_value(item, view)).collect(),
        Value::Object(map) => {
            let filled = map
                .iter()
                .map(|(key, item)| (key.clone(), render_value(item, view)));
            Value::Object(filled.collect())
        }
        Value::Null | Value::Bool(_) | Value::Number(_) => template.clone(),
    }
}

/// The first placeholder that does not exist.
pub(super) fn unknown_placeholder(template: &str) -> Option<String> {
    let mut rest = template;
    while let Some((_, name, after)) = split_placeholder(rest) {
        if parse(name).is_none() {
            return Some(name.to_owned());
        }
        rest = after;
    }
    None
}

/// As [`unknown_placeholder`], in all strings of a JSON value.
pub(super) fn unknown_placeholder_in(template: &Value) -> Option<String> {
    match template {
        Value::String(template) => unknown_placeholder(template),
        Value::Array(items) => items.iter().find_map(unknown_placeholder_in),
        Value::Object(map) => map.values().find_map(unknown_placeholder_in),
        Value::Null | Value::Bool(_) | Value::Number(_) => None,
    }
}

/// The text before the first placeholder, its name, and the text after it.
fn split_placeholder(text: &str) -> Option<(&str, &str, &str)> {
    let (before, rest) = text.split_once("{{")?;
    let (name, after) = rest.split_once("}}")?;
    Some((before, name, after))
}
