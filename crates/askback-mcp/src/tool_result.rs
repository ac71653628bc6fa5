//! The result of a call: text in the dialect's format, and the same as structured content.
//!
//! Some clients pass only the one to the model, some only the other. So each contains the status, the
//! answers and what to do next.

use askback_wire::inquiry::{InquiryResponse, InquiryStatus};
use askback_wire::outcome::{AnswerResponse, GivenResponse, OutcomeResponse};
use askback_wire::question::{QuestionKind, QuestionResponse};
use rmcp::model::{CallToolResult, ContentBlock};
use serde_json::{Map, Value, json};

use crate::session::SessionScope;
use crate::texts::{
    ALREADY_DELIVERED, CONTINUE_ON_ASSUMPTION, CONTINUE_WITHOUT_SESSION, END_TURN,
    END_TURN_WITHOUT_SESSION, HOW_TO_ANSWER, KEEP_WAITING, NOTHING_CHOSEN, STOPPED,
};

/// The result of a call, before it is converted to the protocol's form.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct ToolResult {
    pub(crate) texts: Vec<String>,
    pub(crate) fields: Map<String, Value>,
    pub(crate) is_error: bool,
}

/// After this many pending results in a row, the agent is told to end its turn.
const PENDING_RESULTS_MAX: u32 = 4;

impl ToolResult {
    /// A result whose text is its structured content as JSON.
    pub(crate) fn from_fields(fields: Map<String, Value>) -> ToolResult {
        ToolResult {
            texts: vec![Value::Object(fields.clone()).to_string()],
            fields,
            is_error: false,
        }
    }

    /// An error result. The message tells the model how to repair the call.
    pub(crate) fn error(status: &str, message: &str) -> ToolResult {
        ToolResult {
            texts: vec![message.to_owned()],
            fields: json_object([("status", json!(status)), ("message", json!(message))]),
            is_error: true,
        }
    }

    /// A question without an outcome. `pending_count` is the number of pending results in a row.
    pub(crate) fn pending(
        inquiry: &InquiryResponse,
        (pending_count, scope): (u32, SessionScope),
    ) -> ToolResult {
        let hint = match scope {
            _ if pending_count < PENDING_RESULTS_MAX => KEEP_WAITING,
            SessionScope::Agent => END_TURN,
            SessionScope::Project | SessionScope::Call => END_TURN_WITHOUT_SESSION,
        };
        ToolResult::from_fields(json_object([
            ("status", json!("pending")),
            ("question_id", json!(inquiry.id)),
            ("questions", question_texts(inquiry)),
            ("hint", json!(hint)),
            ("user_can_answer_with", json!(HOW_TO_ANSWER)),
        ]))
    }

    pub(crate) fn asked_in_background(
        inquiry: &InquiryResponse,
        scope: SessionScope,
    ) -> ToolResult {
        let hint = match scope {
            SessionScope::Agent => CONTINUE_ON_ASSUMPTION,
            SessionScope::Project | SessionScope::Call => CONTINUE_WITHOUT_SESSION,
        };
        ToolResult::from_fields(json_object([
            ("status", json!("pending")),
            ("question_id", json!(inquiry.id)),
            ("questions", question_texts(inquiry)),
            ("hint", json!(hint)),
        ]))
    }

    /// A question with an outcome.
    pub(crate) fn resolved(inquiry: &InquiryResponse) -> ToolResult {
        let mut texts = vec![result_text(inquiry)];
        let asker = inquiry.asker.as_ref();
        if asker.is_some_and(|asker| asker.delivered_at.is_some()) {
            texts.push(ALREADY_DELIVERED.to_owned());
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

    /// Adds the outcomes of earlier questions.
    pub(crate) fn add_late_answers(&mut self, late: &[InquiryResponse]) {
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
        self.texts.extend(late.iter().map(late_text));
        let answers: Vec<Value> = late
            .iter()
            .map(|inquiry| Value::Object(structured_fields(inquiry)))
            .collect();
        self.fields
            .insert("late_answers".to_owned(), json!(answers));
    }

    /// The result in the protocol's form.
    pub(crate) fn into_response(self) -> CallToolResult {
        let content = self.texts.into_iter().map(ContentBlock::text).collect();
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

pub(crate) fn question_texts(inquiry: &InquiryResponse) -> Value {
    let texts = inquiry
        .questions
        .iter()
        .map(|question| json!(question.text));
    Value::Array(texts.collect())
}

/// The dialect's result text, with what it lacks for a client that passes on only text.
fn result_text(inquiry: &InquiryResponse) -> String {
    let content = inquiry.result.as_ref().map_or("", |result| &result.content);
    match (&inquiry.status, &inquiry.outcome) {
        // In this dialect the answer is the next user message, which an MCP tool cannot send.
        (InquiryStatus::Answered, Some(OutcomeResponse::Answered { answers }))
            if inquiry.dialect == "question" =>
        {
            let given = answers
                .iter()
                .filter_map(|answer| answer.display.as_deref());
            let given: Vec<&str> = given.collect();
            if given.is_empty() {
                NOTHING_CHOSEN.to_owned()
            } else {
                format!("The user answered: {}", given.join("\n"))
            }
        }
        (InquiryStatus::Cancelled | InquiryStatus::Rejected, _) => format!("{content}. {STOPPED}"),
        _ => content.to_owned(),
    }
}

fn late_text(inquiry: &InquiryResponse) -> String {
    let texts: Vec<&str> = inquiry
        .questions
        .iter()
        .map(|question| question.text.as_str())
        .collect();
    let note = if may_have_been_delivered(inquiry) {
        " It may have been delivered to you before."
    } else {
        ""
    };
    format!(
        "Late answer to your earlier question {} ({:?}).{note} Status: {}.\n{}",
        inquiry.id,
        texts.join(" / "),
        inquiry.status,
        result_text(inquiry)
    )
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
        ("questions", question_texts(inquiry)),
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
        match answer_value(question, answer) {
            Some(value) => drop(given.insert(question.text.clone(), value)),
            None if answer.given == GivenResponse::Skipped => skipped.push(json!(question.text)),
            None => unanswered.push(json!(question.text)),
        }
        if let Some(note) = &answer.note {
            notes.insert(question.text.clone(), json!(note));
        }
    }
    if given.is_empty() {
        fields.insert("message".to_owned(), json!(NOTHING_CHOSEN));
    }
    fields.insert("answers".to_owned(), Value::Object(given));
    let lists = [("skipped", skipped), ("unanswered", unanswered)];
    for (key, list) in lists.into_iter().filter(|(_, list)| !list.is_empty()) {
        fields.insert(key.to_owned(), Value::Array(list));
    }
    if !notes.is_empty() {
        fields.insert("notes".to_owned(), Value::Object(notes));
    }
}

/// The answer to one question as JSON; `None` if it was not answered.
fn answer_value(question: &QuestionResponse, answer: &AnswerResponse) -> Option<Value> {
    Some(match &answer.given {
        GivenResponse::Chosen { values, own } => {
            let chosen: Vec<&String> = values.iter().chain(own).collect();
            match chosen.as_slice() {
                [] => return None,
                [one] if !is_multiple_choice(question) => json!(one),
                several => json!(several),
            }
        }
        GivenResponse::Text { text } => json!(text),
        GivenResponse::Number { number } => json!(number),
        GivenResponse::Date { date } => json!(date),
        GivenResponse::DateRange { start, end } => json!({"start": start, "end": end}),
        GivenResponse::Skipped | GivenResponse::Unanswered | GivenResponse::Unknown => {
            return None;
        }
    })
}

fn is_multiple_choice(question: &QuestionResponse) -> bool {
    matches!(question.kind, QuestionKind::Choice { several: true, .. })
}

#[cfg(test)]
#[path = "tool_result_tests.rs"]
mod tests;
