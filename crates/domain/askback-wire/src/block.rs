//! The blocks of a message.
//!
//! Every block has a plain `text` for clients that do not know its type. The `extra` of a question has
//! the field names of the contract it comes from.

use askback_core::conversation::event::{CallResult, ChildStarted, ToolCall};
use askback_core::conversation::state::PendingInquiry;
use askback_core::dialect::Dialect;
use askback_core::id::{CallId, InquiryId, MessageId};
use askback_core::inquiry::Inquiry;
use askback_core::outcome::{Outcome, Resolution};
use askback_core::question::{Kind, Question};
use askback_core::text::{Lines, Text};
use askback_macros::skip_none;
use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::inquiry::InquiryStatus;
use crate::question::QuestionResponse;
use crate::state::SubAgentResponse;
use crate::string_enum::string_enum;

/// Characters of a tool's input or result in a block. The model gets all of it.
const TOOL_TEXT_CHARS_MAX: usize = 4_000;

string_enum! {
    /// The kind of a block.
    BlockType {
        /// Text of a message.
        Content => "content",
        /// Something for the user to act on. `action_type` says what.
        Action => "action",
        /// A call of a tool.
        ToolCall => "tool_call",
        /// A failure.
        Error => "error",
    }
}

string_enum! {
    /// What the user has to act on.
    ActionType {
        /// A question.
        QuestionRequest => "question_request",
    }
}

string_enum! {
    /// The progress of a block.
    BlockStatus {
        /// The question is not answered yet, or the call has not started.
        Pending => "pending",
        /// The tool is running.
        Loading => "loading",
        /// Answered or completed.
        Success => "success",
        /// The user declined, rejected or cancelled.
        Denied => "denied",
        /// The call failed, or nobody answered.
        Error => "error",
    }
}

string_enum! {
    /// The result of a question.
    QuestionResolution {
        /// Not answered yet.
        Asked => "asked",
        /// Answered with choices, own text or a message.
        Replied => "replied",
        /// The user rejected the question or stopped the agent.
        Rejected => "rejected",
        /// The user left it to the agent, which goes on.
        Declined => "declined",
        /// Nobody answered before the deadline.
        Expired => "expired",
        /// The agent withdrew the question.
        Withdrawn => "withdrawn",
        /// The question was never shown.
        Undeliverable => "undeliverable",
    }
}

/// One block of a message.
#[skip_none]
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct BlockResponse {
    /// The kind of the block.
    #[serde(rename = "type")]
    pub kind: BlockType,
    /// The block as plain text.
    #[serde(default)]
    pub text: String,
    /// The progress. Missing for blocks that never change.
    pub status: Option<BlockStatus>,
    /// When the block was created.
    pub timestamp: Timestamp,
    /// What the user has to act on.
    pub action_type: Option<ActionType>,
    /// The question of a `question_request`.
    pub extra: Option<QuestionExtra>,
    /// The call of a `tool_call`, or the call that an `error` is about.
    pub tool_call: Option<ToolCallResponse>,
}

/// The question of a block. If there are several, the fields for one question hold the first.
#[skip_none]
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct QuestionExtra {
    /// True only while the question is pending.
    pub needs_user_action: bool,
    /// A short label.
    pub question_header: Option<String>,
    /// The text of the question.
    pub question_text: String,
    /// The choices.
    pub question_options: Vec<QuestionOption>,
    /// Whether several choices may be selected.
    pub question_multiple: bool,
    /// Whether own text is allowed.
    pub question_custom: bool,
    /// The result so far.
    pub question_resolution: QuestionResolution,
    /// The answer as text for people.
    pub answer_text: Option<String>,
    /// The message that was the answer, if the user wrote one instead of choosing.
    #[schema(value_type = Option<String>)]
    pub answer_message_id: Option<MessageId>,
    /// Send this with the answer.
    #[schema(value_type = String)]
    pub inquiry_id: InquiryId,
    /// Send this with the answer.
    pub revision: u32,
    /// The tool contract of the question.
    pub dialect: String,
    /// `pending`, or the kind of the outcome.
    pub inquiry_status: InquiryStatus,
    /// The deadline, if there is one.
    pub expires_at: Option<Timestamp>,
    /// All questions with all their fields.
    pub questions: Vec<QuestionResponse>,
}

/// A choice of a question block.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct QuestionOption {
    /// The text to show.
    pub label: String,
    /// An explanation of the choice.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
}

/// A tool call of a block.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct ToolCallResponse {
    /// The id that the model gave the call.
    #[schema(value_type = String)]
    pub id: CallId,
    /// The name of the tool.
    pub name: String,
    /// The input as JSON text, truncated.
    #[serde(default)]
    pub input: String,
    /// The result, truncated.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub result: Option<String>,
    /// Sub-agents that the call started.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub agents: Vec<SubAgentResponse>,
}

impl BlockResponse {
    fn new(kind: BlockType, text: String, at: Timestamp) -> BlockResponse {
        BlockResponse {
            kind,
            text,
            status: None,
            timestamp: at,
            action_type: None,
            extra: None,
            tool_call: None,
        }
    }

    /// A block of text.
    pub fn content(text: &Text, at: Timestamp) -> BlockResponse {
        BlockResponse::new(BlockType::Content, text.to_string(), at)
    }

    /// A block for a failure.
    pub fn error(text: impl Into<String>, at: Timestamp) -> BlockResponse {
        let mut block = BlockResponse::new(BlockType::Error, text.into(), at);
        block.status = Some(BlockStatus::Error);
        block
    }

    /// A block for a call that has not started.
    pub fn tool_call(call: &ToolCall, at: Timestamp) -> BlockResponse {
        let call = ToolCallResponse::from(call);
        let mut block = BlockResponse::new(BlockType::ToolCall, call.name.clone(), at);
        block.status = Some(BlockStatus::Pending);
        block.tool_call = Some(call);
        block
    }

    /// A question that could not be asked: its input was invalid, or asking was not allowed.
    pub fn refused_call(call: &ToolCall, result: &CallResult, at: Timestamp) -> BlockResponse {
        let call = ToolCallResponse::from(call);
        let text = format!("The agent wanted to ask with {}, but could not.", call.name);
        let mut block = BlockResponse::error(text, at);
        block.tool_call = Some(ToolCallResponse {
            result: Some(truncated(&result.content)),
            ..call
        });
        block
    }

    /// A block for a pending question.
    pub fn question(pending: &PendingInquiry) -> BlockResponse {
        let inquiry = &pending.inquiry;
        let mut block =
            BlockResponse::new(BlockType::Action, question_text(inquiry), pending.asked_at);
        block.status = Some(BlockStatus::Pending);
        block.action_type = Some(ActionType::QuestionRequest);
        block.extra = inquiry
            .questions()
            .first()
            .map(|first| QuestionExtra::new(pending, first));
        block
    }

    /// Records the outcome of the question.
    pub fn resolve(&mut self, inquiry: &Inquiry, resolution: &Resolution) {
        let outcome = &resolution.outcome;
        let (status, resolution) = block_result(outcome);
        self.status = Some(status);
        if let Some(extra) = &mut self.extra {
            extra.needs_user_action = false;
            extra.question_resolution = resolution;
            extra.answer_text = answer_text(inquiry, outcome);
            extra.inquiry_status = InquiryStatus::from(outcome);
        }
    }

    /// Records the result of the tool call.
    pub fn finish(&mut self, result: &CallResult) {
        self.status = Some(if result.is_error {
            BlockStatus::Error
        } else {
            BlockStatus::Success
        });
        if let Some(call) = &mut self.tool_call {
            call.result = Some(truncated(&result.content));
        }
    }

    /// Records the sub-agents of the tool call.
    pub fn start_agents(&mut self, children: &[ChildStarted]) {
        self.status = Some(BlockStatus::Loading);
        if let Some(call) = &mut self.tool_call {
            let agents = children.iter().map(|child| SubAgentResponse {
                conversation_id: child.conversation.clone(),
                name: child.name.to_string(),
                finished: false,
            });
            call.agents = agents.collect();
        }
    }

    /// The inquiry of this block, if it is a question.
    pub fn inquiry_id(&self) -> Option<&InquiryId> {
        self.extra.as_ref().map(|extra| &extra.inquiry_id)
    }
}

impl QuestionExtra {
    fn new(pending: &PendingInquiry, first: &Question) -> QuestionExtra {
        let inquiry = &pending.inquiry;
        let (multiple, custom) = match &first.kind {
            Kind::Choice(choice) => (choice.several, choice.own_text),
            Kind::Text(_) | Kind::Number(_) | Kind::Date(_) | Kind::DateRange(_) => (false, true),
        };
        let options = first.choices().iter().map(|choice| QuestionOption {
            label: choice.label.to_string(),
            description: choice.description.as_ref().map(Text::to_string),
        });
        QuestionExtra {
            needs_user_action: true,
            question_header: first.header.as_ref().map(Text::to_string),
            question_text: first.text.to_string(),
            question_options: options.collect(),
            question_multiple: multiple,
            question_custom: custom,
            question_resolution: QuestionResolution::Asked,
            answer_text: None,
            answer_message_id: None,
            inquiry_id: pending.id.clone(),
            revision: pending.revision,
            dialect: inquiry.dialect().name().to_owned(),
            inquiry_status: InquiryStatus::Pending,
            expires_at: pending.expires_at,
            questions: inquiry.questions().iter().map(Into::into).collect(),
        }
    }
}

impl From<&ToolCall> for ToolCallResponse {
    fn from(call: &ToolCall) -> ToolCallResponse {
        let name = Text::clean(&call.name, Lines::One).map_or_else(String::new, String::from);
        ToolCallResponse {
            id: call.id.clone(),
            name,
            input: truncated(&call.input.to_string()),
            result: None,
            agents: Vec::new(),
        }
    }
}

/// Cleans and truncates a tool input or result.
fn truncated(raw: &str) -> String {
    let text = Text::clean(raw, Lines::Many);
    text.map_or_else(String::new, |text| text.clip(TOOL_TEXT_CHARS_MAX).into())
}

fn block_result(outcome: &Outcome) -> (BlockStatus, QuestionResolution) {
    match outcome {
        Outcome::Answered { .. } | Outcome::Superseded { .. } => {
            (BlockStatus::Success, QuestionResolution::Replied)
        }
        Outcome::Declined => (BlockStatus::Denied, QuestionResolution::Declined),
        Outcome::Cancelled | Outcome::Rejected => {
            (BlockStatus::Denied, QuestionResolution::Rejected)
        }
        Outcome::Expired => (BlockStatus::Error, QuestionResolution::Expired),
        Outcome::Withdrawn => (BlockStatus::Error, QuestionResolution::Withdrawn),
        Outcome::Undeliverable { .. } => (BlockStatus::Error, QuestionResolution::Undeliverable),
    }
}

/// The questions and choices as plain text.
fn question_text(inquiry: &Inquiry) -> String {
    let mut lines = Vec::new();
    for question in inquiry.questions() {
        lines.push(question.text.to_string());
        let choices = question.choices().iter();
        lines.extend(choices.map(|choice| format!("- {}", choice.label)));
    }
    lines.join("\n")
}

/// The answer as text for people. In dialects that turn it into a user message, that message.
fn answer_text(inquiry: &Inquiry, outcome: &Outcome) -> Option<String> {
    if let Outcome::Superseded { message } = outcome {
        return Some(message.to_string());
    }
    let Outcome::Answered { answers } = outcome else {
        return None;
    };
    if let Some(message) = Dialect::render(inquiry, outcome).user_message {
        return Some(message);
    }
    let several = inquiry.questions().len() > 1;
    let lines: Vec<String> = answers
        .with_questions(inquiry)
        .filter(|(_, answer)| answer.given.is_answer())
        .map(|(question, answer)| {
            let given = answer.given.display_parts(question).join(", ");
            match &question.header {
                Some(header) if several => format!("{header}: {given}"),
                _ => given,
            }
        })
        .collect();
    Some(lines.join("\n"))
}
