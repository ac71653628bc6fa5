//! The body of a webhook: a JSON document of the operator's with placeholders in its texts.

use serde_json::Value;

use crate::provider::placeholder::fill;

/// How the texts of a question are written into a body, so that they stay plain text there.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, serde::Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Escape {
    /// As they are. For receivers that show plain text.
    #[default]
    None,
    /// For receivers that show Markdown: nothing is formatted, nobody is mentioned, and no link is hidden.
    Markdown,
}

impl Escape {
    /// The text for such a receiver.
    pub(super) fn apply(self, text: &str) -> String {
        match self {
            Escape::None => text.to_owned(),
            Escape::Markdown => escape_markdown(text),
        }
    }
}

/// Replaces the placeholders in all texts of the document, which stays valid JSON whatever they contain.
/// What contains an empty `{link}` is left out of its list: a button without an address is an error for most
/// receivers.
pub(super) fn fill_body(template: &Value, values: &[(&str, &str)]) -> Value {
    match template {
        Value::String(text) => Value::String(fill(text, values)),
        Value::Array(items) => {
            let has_link = values
                .iter()
                .any(|(name, value)| *name == "link" && !value.is_empty());
            let kept = items.iter().filter(|item| has_link || !mentions_link(item));
            kept.map(|item| fill_body(item, values)).collect()
        }
        Value::Object(members) => {
            let filled = members
                .iter()
                .map(|(name, value)| (name.clone(), fill_body(value, values)));
            Value::Object(filled.collect())
        }
        Value::Null | Value::Bool(_) | Value::Number(_) => template.clone(),
    }
}

/// Whether a list item is about the link: itself or one of its members, but no list inside of it, which
/// leaves out its own items.
fn mentions_link(item: &Value) -> bool {
    match item {
        Value::String(text) => text.contains("{link}"),
        Value::Object(members) => members.values().any(mentions_link),
        Value::Array(_) | Value::Null | Value::Bool(_) | Value::Number(_) => false,
    }
}

/// A backslash before everything that Markdown could take for a sign, and an invisible character behind what
/// begins a mention, for which a backslash does nothing.
fn escape_markdown(text: &str) -> String {
    let mut escaped = String::new();
    for c in text.chars() {
        if matches!(
            c,
            '\\' | '`' | '*' | '_' | '~' | '|' | '[' | ']' | '(' | ')' | '#' | '>' | '<' | '!'
        ) {
            escaped.push('\\');
        }
        escaped.push(c);
        if matches!(c, '@' | '<') {
            escaped.push('\u{200b}');
        }
    }
    escaped
}
