//! The history as a script sees it: the results and messages since the last reply, and the answers
//! to earlier questions.

use askback_core::conversation::event::{CallResult, ToolCall};
use askback_core::conversation::history::HistoryEntry;
use serde_json::Value;

/// Filled in for a question that was not answered.
const NO_ANSWER: &str = "(no answer)";

#[derive(Clone, Copy)]
pub(super) struct HistoryView<'a> {
    history: &'a [HistoryEntry],
}

impl<'a> HistoryView<'a> {
    pub(super) fn new(history: &'a [HistoryEntry]) -> HistoryView<'a> {
        HistoryView { history }
    }

    /// The number of replies so far.
    pub(super) fn reply_count(self) -> usize {
        let is_reply = |entry: &&HistoryEntry| matches!(entry, HistoryEntry::Assistant { .. });
        self.history.iter().filter(is_reply).count()
    }

    /// The first message of the user.
    pub(super) fn task(self) -> &'a str {
        messages(self.history).next().unwrap_or_default()
    }

    /// The last message of the user.
    pub(super) fn message(self) -> &'a str {
        messages(self.history).last().unwrap_or_default()
    }

    /// Result `number` of the last round, counted from 1, or its last one.
    pub(super) fn result(self, number: Option<usize>) -> &'a str {
        let (results, _) = self.since_last_reply();
        let result = match number {
            Some(number) => number.checked_sub(1).and_then(|index| results.get(index)),
            None => results.last(),
        };
        result.map_or("", |result| &result.content)
    }

    /// All results and messages since the last reply.
    pub(super) fn latest(self) -> String {
        let (results, after) = self.since_last_reply();
        let results = results.iter().map(|result| result.content.as_str());
        results
            .chain(messages(after))
            .collect::<Vec<_>>()
            .join("\n")
    }

    /// The last answer as plain text: the last message, or else the answer in the last result.
    pub(super) fn answer(self) -> String {
        let (results, after) = self.since_last_reply();
        match (messages(after).last(), results.last()) {
            (Some(message), _) => message.to_owned(),
            (None, Some(result)) => plain_text(&result.content),
            (None, None) => NO_ANSWER.to_owned(),
        }
    }

    /// The newest answer to the question with this text.
    pub(super) fn answer_to(self, question: &str) -> String {
        for (index, entry) in self.history.iter().enumerate().rev() {
            let HistoryEntry::Assistant { reply, results } = entry else {
                continue;
            };
            for (call, result) in reply.calls.iter().zip(results).rev() {
                if !contains_text(&call.input, question) {
                    continue;
                }
                let next_message = || message_after_round(&self.history[index + 1..]);
                return answer_in(call, result, question)
                    .or_else(next_message)
                    .unwrap_or_else(|| NO_ANSWER.to_owned());
            }
        }
        NO_ANSWER.to_owned()
    }

    /// The results of the last round, and the entries after it.
    fn since_last_reply(self) -> (&'a [CallResult], &'a [HistoryEntry]) {
        for (index, entry) in self.history.iter().enumerate().rev() {
            if let HistoryEntry::Assistant { results, .. } = entry {
                return (results, &self.history[index + 1..]);
            }
        }
        (&[], self.history)
    }
}

fn messages(entries: &[HistoryEntry]) -> impl Iterator<Item = &str> {
    entries.iter().filter_map(|entry| match entry {
        HistoryEntry::User(text) => Some(text.as_str()),
        HistoryEntry::Assistant { .. } => None,
    })
}

/// The message directly after a round. In the `question` dialect it is the answer.
fn message_after_round(after: &[HistoryEntry]) -> Option<String> {
    match after.first() {
        Some(HistoryEntry::User(text)) => Some(text.to_string()),
        Some(HistoryEntry::Assistant { .. }) | None => None,
    }
}

fn contains_text(value: &Value, wanted: &str) -> bool {
    match value {
        Value::String(text) => text == wanted,
        Value::Array(items) => items.iter().any(|item| contains_text(item, wanted)),
        Value::Object(map) => map.values().any(|item| contains_text(item, wanted)),
        Value::Null | Value::Bool(_) | Value::Number(_) => false,
    }
}

/// The answer to one question of a call; `None` if it is not in the result but in the next message.
fn answer_in(call: &ToolCall, result: &CallResult, question: &str) -> Option<String> {
    if result.is_error {
        return Some(NO_ANSWER.to_owned());
    }
    match serde_json::from_str::<Value>(&result.content) {
        Ok(json) if json.get("answers").is_some() => Some(
            json["answers"]
                .get(question)
                .map_or_else(|| NO_ANSWER.to_owned(), value_text),
        ),
        Ok(json) if json.get("status").is_some() => Some(status_text(&json)),
        _ if call.name == "question" => None,
        _ if is_prose(&result.content) => {
            let mut answered = prose_answers(&result.content).into_iter();
            let asked = format!("({question})");
            let answer = answered.find(|(title, _)| title.ends_with(&asked));
            Some(answer.map_or_else(|| NO_ANSWER.to_owned(), |(_, answer)| answer))
        }
        _ => Some(NO_ANSWER.to_owned()),
    }
}

/// The answers in a result, without the JSON around them.
fn plain_text(content: &str) -> String {
    match serde_json::from_str::<Value>(content) {
        Ok(json) if json.get("status").is_some() => status_text(&json),
        Ok(json) => match json.get("answers").and_then(Value::as_object) {
            Some(answers) => {
                let answers: Vec<String> = answers.values().map(value_text).collect();
                answers.join("; ")
            }
            None => content.to_owned(),
        },
        Err(_) if is_prose(content) => {
            let answers = prose_answers(content).into_iter();
            let answers: Vec<String> = answers.map(|(_, answer)| answer).collect();
            answers.join("; ")
        }
        Err(_) => content.to_owned(),
    }
}

/// Whether a result is the block of prose that `AskUserQuestion` gives.
fn is_prose(content: &str) -> bool {
    content.starts_with("User answered the following questions:\n")
}

/// The questions of such a block, each as `1. Header (Question)`, with their answers.
fn prose_answers(content: &str) -> Vec<(String, String)> {
    let mut answers: Vec<(String, Vec<&str>)> = Vec::new();
    for line in content.lines().skip(1) {
        let Some(given) = line.strip_prefix("   ") else {
            if line.starts_with(|ch: char| ch.is_ascii_digit()) {
                answers.push((line.to_owned(), Vec::new()));
            }
            continue;
        };
        let given = given
            .strip_prefix("Selected: ")
            .or_else(|| given.strip_prefix("Custom input: "));
        if let (Some((_, parts)), Some(given)) = (answers.last_mut(), given) {
            parts.push(given);
        }
    }
    let text = |parts: Vec<&str>| match parts.as_slice() {
        [] => NO_ANSWER.to_owned(),
        parts => parts.join(", "),
    };
    let answers = answers.into_iter();
    answers.map(|(title, parts)| (title, text(parts))).collect()
}

fn status_text(json: &Value) -> String {
    if json["status"] != "user_responded" {
        return NO_ANSWER.to_owned();
    }
    let answer = json.get("display_text").or_else(|| json.get("answer"));
    answer.map_or_else(|| NO_ANSWER.to_owned(), value_text)
}

fn value_text(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        Value::Array(items) => {
            let items: Vec<String> = items.iter().map(value_text).collect();
            items.join(", ")
        }
        Value::Null => NO_ANSWER.to_owned(),
        Value::Bool(_) | Value::Number(_) | Value::Object(_) => value.to_string(),
    }
}

#[cfg(test)]
#[path = "history_view_tests.rs"]
mod tests;
