//! What the hook prints for each outcome.

use askback_wire::inquiry::InquiryResponse;
use askback_wire::outcome::{AnswerResponse, GivenResponse, OutcomeResponse};
use serde_json::{Map, Value, json};

const STOP: &str = "Nothing was chosen. Stop here: do not ask again, and do not continue with anything \
                    that depends on the answer.";

/// The decision for a resolved question. None for an outcome that this version does not know.
///
/// Only an answer to every question allows the call: Claude Code then tells the model that the user has
/// answered. In all other cases the call is denied, and the reason tells the model what happened.
pub(super) fn decision(tool_input: &Value, inquiry: &InquiryResponse) -> Option<Value> {
    let result = inquiry.result.as_ref()?.content.as_str();
    match inquiry.outcome.as_ref()? {
        OutcomeResponse::Answered { answers } => {
            let given = Given::new(tool_input, inquiry, answers);
            if given.answers.len() == inquiry.questions.len() {
                Some(allow(tool_input, given))
            } else {
                Some(deny(&format!(
                    "The user did not answer all of the questions. Use the answers that were given; \
                     nothing was chosen for the others. {result}"
                )))
            }
        }
        OutcomeResponse::Cancelled | OutcomeResponse::Rejected => {
            let mut decision = deny(&format!("{result}. {STOP}"));
            decision["continue"] = json!(false);
            decision["stopReason"] = json!(result);
            Some(decision)
        }
        OutcomeResponse::Superseded { message } => Some(deny(&format!(
            "The user wrote a message instead of answering: {message}"
        ))),
        OutcomeResponse::Declined
        | OutcomeResponse::Expired
        | OutcomeResponse::Withdrawn
        | OutcomeResponse::Undeliverable { .. } => Some(deny(result)),
        OutcomeResponse::Unknown => None,
    }
}

fn allow(tool_input: &Value, given: Given) -> Value {
    let mut updated = tool_input.clone();
    updated["answers"] = Value::Object(given.answers);
    if given.notes.is_empty() {
        // The model may have written some. Notes are the user's.
        updated
            .as_object_mut()
            .map(|fields| fields.remove("annotations"));
    } else {
        updated["annotations"] = Value::Object(given.notes);
    }
    json!({"hookSpecificOutput": {
        "hookEventName": "PreToolUse",
        "permissionDecision": "allow",
        "updatedInput": updated,
    }})
}

fn deny(reason: &str) -> Value {
    json!({"hookSpecificOutput": {
        "hookEventName": "PreToolUse",
        "permissionDecision": "deny",
        "permissionDecisionReason": reason,
    }})
}

/// Answers and notes by the text of the question, as Claude Code wrote it.
struct Given {
    answers: Map<String, Value>,
    notes: Map<String, Value>,
}

impl Given {
    fn new(tool_input: &Value, inquiry: &InquiryResponse, answers: &[AnswerResponse]) -> Given {
        let (mut given, mut notes) = (Map::new(), Map::new());
        for (index, question) in inquiry.questions.iter().enumerate() {
            let answer = answers.iter().find(|answer| answer.question == question.id);
            let original = tool_input["questions"][index]["question"].as_str();
            let text = original.unwrap_or(&question.text);
            if let Some(answer) = answer.and_then(answer_text) {
                given.insert(text.to_owned(), json!(answer));
            }
            if let Some(note) = answer.and_then(|answer| answer.note.as_ref()) {
                notes.insert(text.to_owned(), json!({ "notes": note }));
            }
        }
        Given {
            answers: given,
            notes,
        }
    }
}

/// Labels and own text, separated by commas. None if there is no answer.
fn answer_text(answer: &AnswerResponse) -> Option<String> {
    match &answer.given {
        GivenResponse::Chosen { values, own } => {
            let chosen: Vec<&str> = values.iter().chain(own).map(String::as_str).collect();
            (!chosen.is_empty()).then(|| chosen.join(", "))
        }
        GivenResponse::Text { text } => Some(text.clone()),
        GivenResponse::Number { .. }
        | GivenResponse::Date { .. }
        | GivenResponse::DateRange { .. } => answer.display.clone(),
        GivenResponse::Skipped | GivenResponse::Unanswered | GivenResponse::Unknown => None,
    }
}

#[cfg(test)]
#[path = "decision_tests.rs"]
mod tests;
