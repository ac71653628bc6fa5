//! What the agent heard, as a script sees it: the results and messages since it last spoke, and the
//! answers to questions it asked before.

use askback_core::conversation::event::{CallResult, ToolCall};
use askback_core::conversation::history::Entry;
use serde_json::Value;

/// What stands where an answer would, if there is none.
const NO_ANSWER: &str = "(no answer)";

/// The history of a conversation, read backwards from its end.
#[derive(Clone, Copy)]
pub(super) struct Heard<'a> {
    history: &'a [Entry],
}

impl<'a> Heard<'a> {
    pub(super) fn new(history: &'a [Entry]) -> Heard<'a> {
        Heard { history }
    }

    /// How often the agent has spoken.
    pub(super) fn replies(self) -> usize {
        let spoken = |entry: &&Entry| matches!(entry, Entry::Assistant { .. });
        self.history.iter().filter(spoken).count()
    }

    /// The first message of the user.
    pub(super) fn task(self) -> &'a str {
        messages(self.history).next().unwrap_or_default()
    }

    /// The last message of the user.
    pub(super) fn message(self) -> &'a str {
        messages(self.history).last().unwrap_or_default()
    }

    /// The n-th result of the last round, or its last one.
    pub(super) fn result(self, number: Option<usize>) -> &'a str {
        let (results, _) = self.tail();
        let result = match number {
            Some(number) => number.checked_sub(1).and_then(|index| results.get(index)),
            None => results.last(),
        };
        result.map_or("", |result| &result.content)
    }

    /// All that came since the agent last spoke.
    pub(super) fn all(self) -> String {
        let (results, after) = self.tail();
        let results = results.iter().map(|result| result.content.as_str());
        results
            .chain(messages(after))
            .collect::<Vec<_>>()
            .join("\n")
    }

    /// The last answer in words: a message if one came, else what the last result says.
    pub(super) fn answer(self) -> String {
        let (results, after) = self.tail();
        match (messages(after).last(), results.last()) {
            (Some(message), _) => message.to_owned(),
            (None, Some(result)) => in_words(&result.content),
            (None, None) => NO_ANSWER.to_owned(),
        }
    }

    /// The newest answer to the question with this text.
    pub(super) fn answer_to(self, question: &str) -> String {
        for (index, entry) in self.history.iter().enumerate().rev() {
            let Entry::Assistant { reply, results } = entry else {
                continue;
            };
            for (call, result) in reply.calls.iter().zip(results).rev() {
                if !holds_text(&call.input, question) {
                    continue;
                }
                let said_after = || next_message(&self.history[index + 1..]);
                return answer_in(call, result, question)
                    .or_else(said_after)
                    .unwrap_or_else(|| NO_ANSWER.to_owned());
            }
        }
        NO_ANSWER.to_owned()
    }

    /// The results of the last round, and what follows it.
    fn tail(self) -> (&'a [CallResult], &'a [Entry]) {
        for (index, entry) in self.history.iter().enumerate().rev() {
            if let Entry::Assistant { results, .. } = entry {
                return (results, &self.history[index + 1..]);
            }
        }
        (&[], self.history)
    }
}

fn messages(entries: &[Entry]) -> impl Iterator<Item = &str> {
    entries.iter().filter_map(|entry| match entry {
        Entry::User(text) => Some(text.as_str()),
        Entry::Assistant { .. } => None,
    })
}

/// The message directly behind a round, which is the answer where a dialect makes it one.
fn next_message(after: &[Entry]) -> Option<String> {
    match after.first() {
        Some(Entry::User(text)) => Some(text.to_string()),
        Some(Entry::Assistant { .. }) | None => None,
    }
}

fn holds_text(value: &Value, wanted: &str) -> bool {
    match value {
        Value::String(text) => text == wanted,
        Value::Array(items) => items.iter().any(|item| holds_text(item, wanted)),
        Value::Object(map) => map.values().any(|item| holds_text(item, wanted)),
        Value::Null | Value::Bool(_) | Value::Number(_) => false,
    }
}

/// The answer to one question of a call; nothing if the result does not hold it.
fn answer_in(call: &ToolCall, result: &CallResult, question: &str) -> Option<String> {
    if result.is_error {
        return Some(NO_ANSWER.to_owned());
    }
    match serde_json::from_str::<Value>(&result.content) {
        Ok(json) if json.get("answers").is_some() => Some(
            json["answers"]
                .get(question)
                .map_or_else(|| NO_ANSWER.to_owned(), value_in_words),
        ),
        Ok(json) if json.get("status").is_some() => Some(status_in_words(&json)),
        // The answer to `question` is the message that follows.
        _ if call.name == "question" => None,
        _ => Some(NO_ANSWER.to_owned()),
    }
}

/// A result as a person would say it.
fn in_words(content: &str) -> String {
    match serde_json::from_str::<Value>(content) {
        Ok(json) if json.get("status").is_some() => status_in_words(&json),
        Ok(json) => match json.get("answers").and_then(Value::as_object) {
            Some(answers) => {
                let answers: Vec<String> = answers.values().map(value_in_words).collect();
                answers.join("; ")
            }
            None => content.to_owned(),
        },
        Err(_) => content.to_owned(),
    }
}

fn status_in_words(json: &Value) -> String {
    if json["status"] != "user_responded" {
        return NO_ANSWER.to_owned();
    }
    let answer = json.get("display_text").or_else(|| json.get("answer"));
    answer.map_or_else(|| NO_ANSWER.to_owned(), value_in_words)
}

fn value_in_words(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        Value::Array(items) => {
            let items: Vec<String> = items.iter().map(value_in_words).collect();
            items.join(", ")
        }
        Value::Null => NO_ANSWER.to_owned(),
        Value::Bool(_) | Value::Number(_) | Value::Object(_) => value.to_string(),
    }
}
