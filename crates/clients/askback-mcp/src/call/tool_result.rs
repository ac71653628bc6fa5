//! The result of a call: text in the dialect's format, and the same as structured content.
//!
//! Some clients pass only the one to the model, some only the other. So each contains the status, the
//! answers and what to do next.

use askback_core::text::{Lines, escape};
use askback_wire::inquiry::{InquiryResponse, InquiryStatus};
use askback_wire::outcome::{AnswerResponse, GivenResponse, OutcomeResponse};
use jiff::Timestamp;
use rmcp::model::{CallToolResult, ContentBlock};
use serde_json::{Map, Value, json};

use crate::session::SessionScope;
use crate::texts::{
    ALREADY_DELIVERED, CONTINUE_ON_ASSUMPTION, CONTINUE_WITHOUT_SESSION, END_TURN,
    END_TURN_WITHOUT_SESSION, GIVEN_BY_USER, HOW_TO_ANSWER, KEEP_WAITING, NOTHING_CHOSEN, STOPPED,
};

/// The result of a call, before it is converted to the protocol's form.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct ToolResult {
    pub(crate) texts: Vec<String>,
    pub(crate) fields: Map<String, Value>,
    pub(crate) is_error: bool,
}

/// After this many pending results in a row, the agent is told to end its turn.
pub(crate) const PENDING_RESULTS_MAX: u32 = 4;

impl ToolResult {
    /// A result whose text is its structured content as JSON.
    pub(crate) fn from_fields(fields: Map<String, Value>) -> ToolResult {
        ToolResult {
            texts: vec![Value::Object(fields.clone()).to_string()],
            fields,
            is_error: false,
        }
    }

    /// An error result. The message tells the model how to repair the call, and may repeat parts of it.
    pub(crate) fn error(status: &str, message: &str) -> ToolResult {
        let message = escape(message, Lines::Many);
        ToolResult {
            texts: vec![message.to_string()],
            fields: json_object([("status", json!(status)), ("message", json!(message))]),
            is_error: true,
        }
    }

    /// A question without an outcome. `pending_count` is the number of pending results in a row.
    pub(crate) fn pending(
        inquiry: &InquiryResponse,
        pending_count: u32,
        scope: SessionScope,
    ) -> ToolResult {
        let hint = match scope {
            _ if pending_count < PENDING_RESULTS_MAX => KEEP_WAITING,
            SessionScope::Agent => END_TURN,
            SessionScope::Project | SessionScope::Call => END_TURN_WITHOUT_SESSION,
        };
        let mut fields = open_question(inquiry, hint);
        fields.insert("user_can_answer_with".to_owned(), json!(HOW_TO_ANSWER));
        ToolResult::from_fields(fields)
    }

    pub(crate) fn asked_in_background(
        inquiry: &InquiryResponse,
        scope: SessionScope,
    ) -> ToolResult {
        let hint = match scope {
            SessionScope::Agent => CONTINUE_ON_ASSUMPTION,
            SessionScope::Project | SessionScope::Call => CONTINUE_WITHOUT_SESSION,
        };
        ToolResult::from_fields(open_question(inquiry, hint))
    }

    /// A question with an outcome.
    pub(crate) fn resolved(inquiry: &InquiryResponse) -> ToolResult {
        let mut texts = vec![result_text(inquiry)];
        if is_answer(inquiry) {
            texts.push(GIVEN_BY_USER.to_owned());
        }
        ToolResult {
            texts,
            fields: structured_fields(inquiry),
            is_error: inquiry
                .result
                .as_ref()
                .is_some_and(|result| result.is_error),
        }
    }

    /// Says that the outcome is older than the call, and how old.
    pub(crate) fn add_age(&mut self, inquiry: &InquiryResponse, now: Timestamp) {
        let mut text = format!("This is not new. {}", provenance(inquiry, now));
        let asker = inquiry.asker.as_ref();
        if asker.is_some_and(|asker| asker.taken_over) {
            text.push_str(" An earlier session asked this question, not you.");
        }
        if asker.is_some_and(|asker| asker.delivered_at.is_some()) {
            text.push(' ');
            text.push_str(ALREADY_DELIVERED);
        }
        self.add_remark(&text);
    }

    /// Adds a sentence about the outcome.
    pub(crate) fn add_remark(&mut self, text: &str) {
        let remarks = self.fields.entry("remarks").or_insert_with(|| json!([]));
        if let Value::Array(remarks) = remarks {
            remarks.push(json!(text));
        }
        self.texts.push(text.to_owned());
    }

    /// Adds the outcomes of earlier questions.
    pub(crate) fn add_late_answers(&mut self, late: &[InquiryResponse], now: Timestamp) {
        if late.is_empty() {
            return;
        }
        let is_stop = |inquiry: &InquiryResponse| {
            matches!(
                inquiry.status,
                InquiryStatus::Cancelled | InquiryStatus::Rejected
            )
        };
        // The user wants the agent to stop, whatever this call was.
        self.is_error |= late.iter().any(is_stop);
        let texts = late.iter().map(|inquiry| late_text(inquiry, now));
        self.texts.extend(texts);
        let answers: Vec<Value> = late
            .iter()
            .map(|inquiry| {
                let mut fields = structured_fields(inquiry);
                let given = provenance(inquiry, now);
                fields.insert("given".to_owned(), json!(given));
                Value::Object(fields)
            })
            .collect();
        self.fields
            .insert("late_answers".to_owned(), json!(answers));
    }

    /// The result in the protocol's form. Some clients join the texts without anything between.
    pub(crate) fn into_response(self) -> CallToolResult {
        let texts = self.texts.into_iter().enumerate();
        let texts = texts.map(|(index, text)| match index {
            0 => text,
            _ => format!("\n{text}"),
        });
        let content = texts.map(ContentBlock::text).collect();
        let mut result = if self.is_error {
            CallToolResult::error(content)
        } else {
            CallToolResult::success(content)
        };
        result.structured_content = Some(Value::Object(self.fields));
        result
    }
}

pub(crate) fn json_object<const N: usize>(fields: [(&str, Value); N]) -> Map<String, Value> {
    let fields = fields.into_iter();
    fields.map(|(key, value)| (key.to_owned(), value)).collect()
}

fn open_question(inquiry: &InquiryResponse, hint: &str) -> Map<String, Value> {
    json_object([
        ("status", json!("pending")),
        ("question_id", json!(inquiry.id)),
        ("questions", json!(question_texts(inquiry))),
        ("hint", json!(hint)),
    ])
}

pub(crate) fn question_texts(inquiry: &InquiryResponse) -> Vec<&str> {
    let questions = inquiry.questions.iter();
    questions.map(|question| question.text.as_str()).collect()
}

/// The dialect's result text, with what it lacks for a client that passes on only text.
fn result_text(inquiry: &InquiryResponse) -> String {
    let content = inquiry.result.as_ref().map_or("", |result| &result.content);
    match (&inquiry.status, &inquiry.outcome) {
        // In this dialect the answer is the next user message, which an MCP tool cannot send.
        (InquiryStatus::Answered, Some(OutcomeResponse::Answered { answers }))
            if inquiry.flags.takes_message =>
        {
            let given = answers
                .iter()
                .flat_map(|answer| given_lines(inquiry, answer));
            let given: Vec<String> = given.collect();
            if given.is_empty() {
                NOTHING_CHOSEN.to_owned()
            } else {
                format!("The user answered:\n{}", given.join("\n"))
            }
        }
        (InquiryStatus::Cancelled | InquiryStatus::Rejected, _) => format!("{content}. {STOPPED}"),
        _ => content.to_owned(),
    }
}

/// What was given to one question, each part on a line of its own.
fn given_lines(inquiry: &InquiryResponse, answer: &AnswerResponse) -> Vec<String> {
    let question = inquiry
        .questions
        .iter()
        .find(|question| question.id == answer.question);
    match (&answer.given, question) {
        (GivenResponse::Chosen { values, own }, Some(question)) => {
            let label = |value: &String| {
                let mut choices = question.choices().iter();
                let choice = choices.find(|choice| choice.value == *value);
                choice.map_or(value, |choice| &choice.label).clone()
            };
            values.iter().map(label).chain(own.clone()).collect()
        }
        _ => answer.display.clone().into_iter().collect(),
    }
}

fn late_text(inquiry: &InquiryResponse, now: Timestamp) -> String {
    let texts = question_texts(inquiry).join(" / ");
    let asker = inquiry.asker.as_ref();
    let whose = match asker {
        Some(asker) if asker.taken_over => format!(
            "Not an answer to a question of yours: an earlier session of {} asked {} ({texts:?}) at {:.0}.",
            asker.client, inquiry.id, inquiry.asked_at
        ),
        Some(_) | None => format!(
            "Late answer to your earlier question {} ({texts:?}).",
            inquiry.id
        ),
    };
    let note = if may_have_been_delivered(inquiry) {
        " It may have been delivered to you before."
    } else {
        ""
    };
    format!(
        "{whose} {}{note} Status: {}.\n{}",
        provenance(inquiry, now),
        inquiry.status,
        result_text(inquiry)
    )
}

/// When the outcome came, and from whom: "Given by Ada at 2026-11-17T10:00:00Z, 5 minutes ago."
fn provenance(inquiry: &InquiryResponse, now: Timestamp) -> String {
    let by = inquiry.answered_by.as_ref();
    let by = by.map(|name| format!(" by {name}")).unwrap_or_default();
    match inquiry.resolved_at {
        Some(at) => format!("Given{by} at {at:.0}, {} ago.", age(at, now)),
        None => format!("Given{by} at a time that is not known."),
    }
}

/// The time since then in its largest unit.
fn age(then: Timestamp, now: Timestamp) -> String {
    let seconds = now.duration_since(then).as_secs().max(0);
    let (count, unit) = match seconds {
        0..60 => (seconds, "second"),
        60..3_600 => (seconds / 60, "minute"),
        3_600..86_400 => (seconds / 3_600, "hour"),
        _ => (seconds / 86_400, "day"),
    };
    let plural = if count == 1 { "" } else { "s" };
    format!("{count} {unit}{plural}")
}

fn is_answer(inquiry: &InquiryResponse) -> bool {
    let Some(OutcomeResponse::Answered { answers }) = &inquiry.outcome else {
        return false;
    };
    answers.iter().any(|answer| !answer.value.is_null())
}

fn may_have_been_delivered(inquiry: &InquiryResponse) -> bool {
    let asker = inquiry.asker.as_ref();
    asker.is_some_and(|asker| asker.delivery_attempts > 0 || asker.delivered_at.is_some())
}

/// The outcome as structured content.
fn structured_fields(inquiry: &InquiryResponse) -> Map<String, Value> {
    let mut fields = json_object([
        ("status", json!(inquiry.status)),
        ("question_id", json!(inquiry.id)),
        ("questions", json!(question_texts(inquiry))),
    ]);
    if may_have_been_delivered(inquiry) {
        fields.insert("may_have_been_delivered_before".to_owned(), json!(true));
    }
    match &inquiry.outcome {
        Some(OutcomeResponse::Answered { answers }) => add_answers(&mut fields, inquiry, answers),
        _ => {
            fields.insert("message".to_owned(), json!(result_text(inquiry)));
        }
    }
    fields
}

fn add_answers(
    fields: &mut Map<String, Value>,
    inquiry: &InquiryResponse,
    answers: &[AnswerResponse],
) {
    let (mut given, mut notes) = (Map::new(), Map::new());
    let (mut skipped, mut unanswered) = (Vec::new(), Vec::new());
    for answer in answers {
        let question = inquiry
            .questions
            .iter()
            .find(|question| question.id == answer.question);
        let Some(question) = question else { continue };
        if !answer.value.is_null() {
            given.insert(question.text.clone(), answer.value.clone());
        } else if answer.given == GivenResponse::Skipped {
            skipped.push(json!(question.text));
        } else {
            unanswered.push(json!(question.text));
        }
        if let Some(note) = &answer.note {
            notes.insert(question.text.clone(), json!(note));
        }
    }
    let (key, text) = if given.is_empty() {
        ("message", NOTHING_CHOSEN)
    } else {
        ("given_by", "the user, through askback")
    };
    fields.insert(key.to_owned(), json!(text));
    fields.insert("answers".to_owned(), Value::Object(given));
    let lists = [("skipped", skipped), ("unanswered", unanswered)];
    for (key, list) in lists.into_iter().filter(|(_, list)| !list.is_empty()) {
        fields.insert(key.to_owned(), Value::Array(list));
    }
    if !notes.is_empty() {
        fields.insert("notes".to_owned(), Value::Object(notes));
    }
}

#[cfg(test)]
#[path = "tool_result_tests.rs"]
mod tests;
