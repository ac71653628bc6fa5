//! What a message is made of.
//!
//! Every block has a plain `text`, so that a client that does not know its type still shows
//! something sensible. The `extra` of a question keeps the spelling of the contract it comes from.

use askback_core::conversation::event::{CallResult, ChildStarted, ToolCall};
use askback_core::conversation::state::PendingInquiry;
use askback_core::dialect::Dialect;
use askback_core::id::{CallId, InquiryId, MessageId};
use askback_core::inquiry::Inquiry;
use askback_core::outcome::{Outcome, Resolution};
use askback_core::question::{Kind, Question};
use askback_core::text::{Lines, Text};
use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::inquiry::InquiryStatus;
use crate::question::QuestionResponse;
use crate::state::SubAgentResponse;
use crate::word::words;

/// Characters of a tool's input or result that a block shows; the model gets all of it.
const SHOWN_CHARS_MAX: usize = 4_000;

words! {
    /// What a block is.
    BlockType {
        /// Something that was said.
        Content => "content",
        /// Something that the user is to act on; `action_type` says what.
        Action => "action",
        /// A tool that was called.
        ToolCall => "tool_call",
        /// Something that went wrong.
        Error => "error",
    }
}

words! {
    /// What the user is to act on.
    ActionType {
        /// A question.
        QuestionRequest => "question_request",
    }
}

words! {
    /// How a block stands.
    BlockStatus {
        /// It waits: a question for its answer, a call for its turn.
        Pending => "pending",
        /// A tool runs.
        Loading => "loading",
        /// Answered, or done.
        Success => "success",
        /// The user did not want to answer.
        Denied => "denied",
        /// It failed, or nobody answered.
        Error => "error",
    }
}

words! {
    /// What became of a question.
    QuestionResolution {
        /// It waits.
        Asked => "asked",
        /// It was answered, with choices, own words or a message.
        Replied => "replied",
        /// The user declined, refused or stopped it.
        Rejected => "rejected",
        /// Nobody answered before the deadline.
        Expired => "expired",
        /// The asker went away.
        Withdrawn => "withdrawn",
        /// It was never shown to anybody.
        Undeliverable => "undeliverable",
    }
}

/// One block of a message.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct BlockResponse {
    /// What it is.
    #[serde(rename = "type")]
    pub kind: BlockType,
    /// What it says, in plain text, whatever it is.
    #[serde(default)]
    pub text: String,
    /// How it stands; missing where nothing can become of it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub status: Option<BlockStatus>,
    /// When it was written.
    pub timestamp: Timestamp,
    /// What the user is to act on.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub action_type: Option<ActionType>,
    /// The question of a `question_request`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub extra: Option<QuestionExtra>,
    /// The call of a `tool_call`, or the one that an `error` is about.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tool_call: Option<ToolCallResponse>,
}

/// The question of a block. With several questions, the single fields show the first.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct QuestionExtra {
    /// Whether the user is to act; true only while it is pending.
    pub needs_user_action: bool,
    /// A short label.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub question_header: Option<String>,
    /// What is asked.
    pub question_text: String,
    /// The choices.
    pub question_options: Vec<QuestionOption>,
    /// Whether more than one may be taken.
    pub question_multiple: bool,
    /// Whether an answer in own words is taken.
    pub question_custom: bool,
    /// What became of it.
    pub question_resolution: QuestionResolution,
    /// The answer as a person reads it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub answer_text: Option<String>,
    /// The message that was the answer, where the user wrote one instead of choosing.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<String>)]
    pub answer_message_id: Option<MessageId>,
    /// The inquiry, to be named when it is answered.
    #[schema(value_type = String)]
    pub inquiry_id: InquiryId,
    /// Its revision, to be named when it is answered.
    pub revision: u32,
    /// The contract it was asked in.
    pub dialect: String,
    /// `pending`, or the name of its outcome.
    pub inquiry_status: InquiryStatus,
    /// When it ends unanswered, if ever.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub expires_at: Option<Timestamp>,
    /// All questions, with everything there is to know about them.
    pub questions: Vec<QuestionResponse>,
}

/// A choice of a question block.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct QuestionOption {
    /// What is shown.
    pub label: String,
    /// What it means.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
}

/// A tool call of a block.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct ToolCallResponse {
    /// Its id.
    #[schema(value_type = String)]
    pub id: CallId,
    /// The tool.
    pub name: String,
    /// Its input as JSON text, cut to a length that can be shown.
    #[serde(default)]
    pub input: String,
    /// Its result, cut likewise.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub result: Option<String>,
    /// The sub-agents it started.
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

    /// Something that was said.
    pub fn content(text: &Text, at: Timestamp) -> BlockResponse {
        BlockResponse::new(BlockType::Content, text.to_string(), at)
    }

    /// Something that went wrong.
    pub fn error(text: impl Into<String>, at: Timestamp) -> BlockResponse {
        let mut block = BlockResponse::new(BlockType::Error, text.into(), at);
        block.status = Some(BlockStatus::Error);
        block
    }

    /// A tool that is to run.
    pub fn tool_call(call: &ToolCall, at: Timestamp) -> BlockResponse {
        let call = ToolCallResponse::from(call);
        let mut block = BlockResponse::new(BlockType::ToolCall, call.name.clone(), at);
        block.status = Some(BlockStatus::Pending);
        block.tool_call = Some(call);
        block
    }

    /// A question that was called for and never asked: its input was refused, or it was not allowed.
    pub fn refused_call(call: &ToolCall, result: &CallResult, at: Timestamp) -> BlockResponse {
        let call = ToolCallResponse::from(call);
        let text = format!("The agent wanted to ask with {}, but could not.", call.name);
        let mut block = BlockResponse::error(text, at);
        block.tool_call = Some(ToolCallResponse {
            result: Some(shown(&result.content)),
            ..call
        });
        block
    }

    /// A question that waits.
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

    /// The question of this block got its outcome.
    pub fn resolve(&mut self, inquiry: &Inquiry, resolution: &Resolution) {
        let outcome = &resolution.outcome;
        let (status, became) = resolved_words(outcome);
        self.status = Some(status);
        if let Some(extra) = &mut self.extra {
            extra.needs_user_action = false;
            extra.question_resolution = became;
            extra.answer_text = answer_text(inquiry, outcome);
            extra.inquiry_status = InquiryStatus::from(outcome);
        }
    }

    /// The tool of this block has run.
    pub fn finish(&mut self, result: &CallResult) {
        self.status = Some(if result.is_error {
            BlockStatus::Error
        } else {
            BlockStatus::Success
        });
        if let Some(call) = &mut self.tool_call {
            call.result = Some(shown(&result.content));
        }
    }

    /// The tool of this block has started sub-agents.
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
            input: shown(&call.input.to_string()),
            result: None,
            agents: Vec::new(),
        }
    }
}

/// What a tool took or gave, made safe to show.
fn shown(raw: &str) -> String {
    let text = Text::clean(raw, Lines::Many);
    text.map_or_else(String::new, |text| text.clip(SHOWN_CHARS_MAX).into())
}

fn resolved_words(outcome: &Outcome) -> (BlockStatus, QuestionResolution) {
    match outcome {
        Outcome::Answered { .. } | Outcome::Superseded { .. } => {
            (BlockStatus::Success, QuestionResolution::Replied)
        }
        Outcome::Declined | Outcome::Cancelled | Outcome::Rejected => {
            (BlockStatus::Denied, QuestionResolution::Rejected)
        }
        Outcome::Expired => (BlockStatus::Error, QuestionResolution::Expired),
        Outcome::Withdrawn => (BlockStatus::Error, QuestionResolution::Withdrawn),
        Outcome::Undeliverable { .. } => (BlockStatus::Error, QuestionResolution::Undeliverable),
    }
}

/// The questions with their choices, for a client that knows no questions.
fn question_text(inquiry: &Inquiry) -> String {
    let mut lines = Vec::new();
    for question in inquiry.questions() {
        lines.push(question.text.to_string());
        let choices = question.choices().iter();
        lines.extend(choices.map(|choice| format!("- {}", choice.label)));
    }
    lines.join("\n")
}

/// The answer as a person reads it: what became the user's message, where the dialect makes it one.
fn answer_text(inquiry: &Inquiry, outcome: &Outcome) -> Option<String> {
    let answers = match outcome {
        Outcome::Answered { answers } => answers,
        Outcome::Superseded { message } => return Some(message.to_string()),
        Outcome::Declined
        | Outcome::Cancelled
        | Outcome::Rejected
        | Outcome::Expired
        | Outcome::Withdrawn
        | Outcome::Undeliverable { .. } => return None,
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
