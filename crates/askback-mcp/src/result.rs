//! What a call returns: text in the form of the dialect, and the same as structured content.
//!
//! Clients pass on one or the other, so each says all there is: the status, the answers, what to do.

use askback_wire::inquiry::{InquiryResponse, InquiryStatus};
use askback_wire::outcome::{AnswerResponse, GivenResponse, OutcomeResponse};
use askback_wire::question::{QuestionKind, QuestionResponse};
use rmcp::model::{CallToolResult, ContentBlock};
use serde_json::{Map, Value, json};

use crate::instructions::{END_TURN, GO_ON, KEEP_WAITING, STOPPED};

/// The result of a call in the making.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Reply {
    pub(crate) texts: Vec<String>,
    pub(crate) fields: Map<String, Value>,
    pub(crate) is_error: bool,
}

/// After so many results in a row that say "pending", waiting is over for this turn.
const WAITS_MAX: u32 = 4;

impl Reply {
    /// The same in text and structured content.
    pub(crate) fn plain(fields: Map<String, Value>) -> Reply {
        Reply {
            texts: vec![Value::Object(fields.clone()).to_string()],
            fields,
            is_error: false,
        }
    }

    /// A call that was refused, in words from which the model can repair it.
    pub(crate) fn refused(status: &str, message: &str) -> Reply {
        Reply {
            texts: vec![message.to_owned()],
            fields: object([("status", json!(status)), ("message", json!(message))]),
            is_error: true,
        }
    }

    /// A question that has no outcome yet. `waits`: how often in a row this was said.
    pub(crate) fn pending(inquiry: &InquiryResponse, waits: u32, page: &str) -> Reply {
        let hint = if waits >= WAITS_MAX {
            END_TURN
        } else {
            KEEP_WAITING
        };
        let answer_at = format!("`askback inbox` in a terminal, or {page} in a browser");
        Reply::plain(object([
            ("status", json!("pending")),
            ("question_id", json!(inquiry.id)),
            ("questions", questions(inquiry)),
            ("hint", json!(hint)),
            ("user_can_answer_with", json!(answer_at)),
        ]))
    }

    /// A question that was asked without waiting.
    pub(crate) fn asked(inquiry: &InquiryResponse) -> Reply {
        Reply::plain(object([
            ("status", json!("pending")),
            ("question_id", json!(inquiry.id)),
            ("questions", questions(inquiry)),
            ("hint", json!(GO_ON)),
        ]))
    }

    /// A question that has its outcome.
    pub(crate) fn resolved(inquiry: &InquiryResponse) -> Reply {
        let mut texts = vec![text(inquiry)];
        let before = inquiry.asker.as_ref();
        if before.is_some_and(|asker| asker.delivered_at.is_some()) {
            texts.push("This outcome was already delivered to you before.".to_owned());
        }
        Reply {
            texts,
            fields: fields(inquiry),
            is_error: inquiry
                .result
                .as_ref()
                .is_some_and(|result| result.is_error),
        }
    }

    /// Adds outcomes of questions that were asked earlier.
    pub(crate) fn add_late(&mut self, late: &[InquiryResponse]) {
        if late.is_empty() {
            return;
        }
        self.texts.extend(late.iter().map(late_text));
        let answers: Vec<Value> = late
            .iter()
            .map(|inquiry| Value::Object(fields(inquiry)))
            .collect();
        self.fields
            .insert("late_answers".to_owned(), json!(answers));
    }

    /// The result as the protocol has it.
    pub(crate) fn into_result(self) -> CallToolResult {
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

pub(crate) fn object<const N: usize>(fields: [(&str, Value); N]) -> Map<String, Value> {
    let fields = fields.into_iter();
    fields.map(|(key, value)| (key.to_owned(), value)).collect()
}

/// The texts of the questions.
pub(crate) fn questions(inquiry: &InquiryResponse) -> Value {
    let texts = inquiry
        .questions
        .iter()
        .map(|question| json!(question.text));
    Value::Array(texts.collect())
}

/// What the dialect says, and nothing that a client which passes on only text would miss.
fn text(inquiry: &InquiryResponse) -> String {
    let said = inquiry.result.as_ref().map_or("", |result| &result.content);
    match (&inquiry.status, &inquiry.outcome) {
        // In this dialect the answer is the next user message, which a tool cannot send.
        (InquiryStatus::Answered, Some(OutcomeResponse::Answered { answers }))
            if inquiry.dialect == "question" =>
        {
            let given = answers
                .iter()
                .filter_map(|answer| answer.display.as_deref());
            let given: Vec<&str> = given.collect();
            if given.is_empty() {
                "The user sent the question back without an answer. Nothing was chosen.".to_owned()
            } else {
                format!("The user answered: {}", given.join("\n"))
            }
        }
        (InquiryStatus::Cancelled | InquiryStatus::Rejected, _) => format!("{said}. {STOPPED}"),
        _ => said.to_owned(),
    }
}

fn late_text(inquiry: &InquiryResponse) -> String {
    let texts: Vec<&str> = inquiry
        .questions
        .iter()
        .map(|question| question.text.as_str())
        .collect();
    let before = if was_attempted(inquiry) {
        " It may have been delivered to you before."
    } else {
        ""
    };
    format!(
        "Late answer to your earlier question {} ({:?}).{before} Status: {}.\n{}",
        inquiry.id,
        texts.join(" / "),
        inquiry.status,
        text(inquiry)
    )
}

fn was_attempted(inquiry: &InquiryResponse) -> bool {
    let asker = inquiry.asker.as_ref();
    asker.is_some_and(|asker| asker.delivery_attempts > 0 || asker.delivered_at.is_some())
}

/// The outcome as structured content.
fn fields(inquiry: &InquiryResponse) -> Map<String, Value> {
    let mut fields = object([
        ("status", json!(inquiry.status)),
        ("question_id", json!(inquiry.id)),
        ("questions", questions(inquiry)),
    ]);
    if was_attempted(inquiry) {
        fields.insert("may_have_been_delivered_before".to_owned(), json!(true));
    }
    match &inquiry.outcome {
        Some(OutcomeResponse::Answered { answers }) => add_answers(&mut fields, inquiry, answers),
        _ => {
            fields.insert("message".to_owned(), json!(text(inquiry)));
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
        let question = inquiry.questions.iter().find(|it| it.id == answer.question);
        let Some(question) = question else { continue };
        match value(question, answer) {
            Some(value) => drop(given.insert(question.text.clone(), value)),
            None if answer.given == GivenResponse::Skipped => skipped.push(json!(question.text)),
            None => unanswered.push(json!(question.text)),
        }
        if let Some(note) = &answer.note {
            notes.insert(question.text.clone(), json!(note));
        }
    }
    if given.is_empty() {
        let message = "The user answered none of the questions. Nothing was chosen.";
        fields.insert("message".to_owned(), json!(message));
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

/// What was given to one question; none if nothing was.
fn value(question: &QuestionResponse, answer: &AnswerResponse) -> Option<Value> {
    Some(match &answer.given {
        GivenResponse::Chosen { values, own } => {
            let all: Vec<&String> = values.iter().chain(own).collect();
            match all.as_slice() {
                [] => return None,
                [one] if !takes_several(question) => json!(one),
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

fn takes_several(question: &QuestionResponse) -> bool {
    matches!(question.kind, QuestionKind::Choice { several: true, .. })
}

#[cfg(test)]
#[path = "result_tests.rs"]
mod tests;
