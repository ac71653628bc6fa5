//! Events: what happened in a conversation. The stored events are the source of truth and the feed.

use jiff::Timestamp;
use serde_json::Value;

use super::ConversationSettings;
use super::state::PendingInquiry;
use crate::id::{CallId, ConversationId, InquiryId, MessageId};
use crate::outcome::{Actor, Resolution};
use crate::text::{Lines, Text};

/// Something that happened.
#[derive(Debug, Clone, PartialEq)]
pub enum Event {
    /// The conversation began.
    Started { settings: ConversationSettings },
    /// The user said something, or an answer became their next message.
    MessageReceived {
        /// Its id: one of ours, whatever its sender calls it.
        message: MessageId,
        /// The sender's own id for it.
        sent_as: Option<MessageId>,
        text: Text,
        /// The inquiry it answers, if it does.
        answers: Option<InquiryId>,
        by: Actor,
    },
    /// A provider request was decided on.
    LlmRequested {
        request: u64,
        /// How often it is tried with this.
        attempt: u32,
        /// Not before.
        due: Timestamp,
    },
    /// A provider request failed; a new attempt or the end of the turn follows.
    LlmAttemptFailed {
        request: u64,
        attempt: u32,
        failure: AgentFailure,
    },
    /// The model replied.
    AssistantReplied {
        /// What it said and which tools it called.
        reply: AssistantReply,
    },
    /// A worker began to run a tool.
    CallStarted { call: CallId },
    /// A call got its one result.
    CallFinished { call: CallId, result: CallResult },
    /// A question was asked and waits.
    InquiryAsked { pending: PendingInquiry },
    /// The deadline of a question was moved or taken away.
    DeadlineMoved {
        inquiry: InquiryId,
        /// The new deadline.
        expires_at: Option<Timestamp>,
        by: Actor,
    },
    /// A question was given to another recipient.
    InquiryHandedOn {
        inquiry: InquiryId,
        /// The alias of the recipient before. None if it was for everybody.
        from: Option<Text>,
        /// The alias of the new recipient.
        to: Text,
        /// Why, in the words of whoever handed it on.
        reason: Option<Text>,
        at: Timestamp,
        by: Actor,
    },
    /// The deadline of a question is near.
    InquiryReminded {
        inquiry: InquiryId,
        expires_at: Timestamp,
    },
    /// A question was answered, and the answer can still be undone.
    AnswerHeld {
        inquiry: InquiryId,
        until: Timestamp,
        /// Missing if the event was read after the answer had been undone or had taken effect: the
        /// log does not keep it.
        resolution: Option<Resolution>,
    },
    /// The answer to a question was undone; the question is pending as before.
    AnswerTakenBack { inquiry: InquiryId, by: Actor },
    /// A question got its one outcome.
    InquiryResolved {
        inquiry: InquiryId,
        resolution: Resolution,
        /// What its asker is told.
        result: CallResult,
    },
    /// Sub-agents were started for a call.
    SubAgentsStarted {
        call: CallId,
        children: Vec<ChildStarted>,
    },
    /// A sub-agent reported.
    SubAgentFinished {
        child: ConversationId,
        result: CallResult,
    },
    /// Every call of the round has its result; the round is history.
    RoundFinished,
    /// The agent's turn is over.
    TurnEnded { end: TurnEnd },
    /// The conversation ended for good. Nothing follows.
    Closed { by: Actor },
}

/// What an event does to an inquiry.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ChangeKind {
    Asked,
    DeadlineMoved,
    HandedOn,
    /// Its deadline is near.
    Reminded,
    /// It was answered, and the answer can still be undone.
    Held,
    /// The answer was undone.
    Reopened,
    /// It is the last, by which `ALL` is counted.
    Resolved,
}

impl ChangeKind {
    /// All of them, so that every surface can be tested with each.
    pub const ALL: [ChangeKind; ChangeKind::Resolved as usize + 1] = [
        ChangeKind::Asked,
        ChangeKind::DeadlineMoved,
        ChangeKind::HandedOn,
        ChangeKind::Reminded,
        ChangeKind::Held,
        ChangeKind::Reopened,
        ChangeKind::Resolved,
    ];
}

impl Event {
    /// The inquiry that it changes, and how. Everything that shows inquiries learns of a change by this.
    pub fn inquiry_change(&self) -> Option<(&InquiryId, ChangeKind)> {
        match self {
            Event::InquiryAsked { pending } => Some((&pending.id, ChangeKind::Asked)),
            Event::DeadlineMoved { inquiry, .. } => Some((inquiry, ChangeKind::DeadlineMoved)),
            Event::InquiryHandedOn { inquiry, .. } => Some((inquiry, ChangeKind::HandedOn)),
            Event::InquiryReminded { inquiry, .. } => Some((inquiry, ChangeKind::Reminded)),
            Event::AnswerHeld { inquiry, .. } => Some((inquiry, ChangeKind::Held)),
            Event::AnswerTakenBack { inquiry, .. } => Some((inquiry, ChangeKind::Reopened)),
            Event::InquiryResolved { inquiry, .. } => Some((inquiry, ChangeKind::Resolved)),
            Event::Started { .. }
            | Event::MessageReceived { .. }
            | Event::LlmRequested { .. }
            | Event::LlmAttemptFailed { .. }
            | Event::AssistantReplied { .. }
            | Event::CallStarted { .. }
            | Event::CallFinished { .. }
            | Event::SubAgentsStarted { .. }
            | Event::SubAgentFinished { .. }
            | Event::RoundFinished
            | Event::TurnEnded { .. }
            | Event::Closed { .. } => None,
        }
    }
}

/// How an agent's turn ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum TurnEnd {
    /// The agent said what it had to say.
    Replied,
    /// The user, or the end of the conversation, stopped it.
    Stopped,
    /// The provider could not be made to reply.
    Failed { failure: AgentFailure },
}

/// What a model replied.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct AssistantReply {
    pub text: Option<Text>,
    /// Reasoning in the provider's own form, sent back to it unchanged.
    pub reasoning: Option<Value>,
    /// The tools it called, in order.
    pub calls: Vec<ToolCall>,
}

/// One tool call of a model.
#[derive(Debug, Clone, PartialEq)]
pub struct ToolCall {
    /// Our id, unique for ever.
    pub id: CallId,
    /// The provider's id, unique within its round.
    pub provider_id: String,
    pub name: String,
    /// Its input; a text if the provider sent something that is not JSON.
    pub input: Value,
}

impl ToolCall {
    /// The memory that it takes, about.
    pub fn bytes(&self) -> usize {
        size_of::<ToolCall>() + json_bytes(&self.input)
    }
}

/// The memory that a JSON value takes beyond itself, about.
fn json_bytes(value: &Value) -> usize {
    match value {
        Value::Null | Value::Bool(_) | Value::Number(_) => 0,
        Value::String(text) => text.len(),
        Value::Array(items) => {
            let items = items.iter().map(json_bytes);
            items.map(|bytes| size_of::<Value>() + bytes).sum()
        }
        Value::Object(fields) => {
            let fields = fields.iter();
            let fields = fields.map(|(name, value)| name.len() + json_bytes(value));
            fields.map(|bytes| size_of::<Value>() + bytes).sum()
        }
    }
}

/// The result of a call.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CallResult {
    /// What the model reads.
    pub content: String,
    /// Whether it is an error.
    pub is_error: bool,
}

/// A sub-agent that was started.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ChildStarted {
    /// Its conversation.
    pub conversation: ConversationId,
    /// What its parent calls it.
    pub name: Text,
    /// What it is to do.
    pub task: Text,
}

/// Why a provider request failed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AgentFailure {
    /// What kind of failure it is, which decides whether it is tried again.
    pub kind: FailureKind,
    /// What to tell the user.
    pub message: Text,
}

/// What kind of failure a provider request met.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum FailureKind {
    /// The provider is overloaded or limits the rate.
    Overloaded,
    /// The provider could not be reached, or the connection broke.
    Network,
    /// The reply could not be read: a malformed call, an empty message.
    Malformed,
    /// The provider refused the request: a wrong key, an unknown model, a bad request.
    Refused,
    /// The agent took too many rounds without reporting to its user.
    TooManyRounds,
    /// The agent repeated calls that failed in the same way each time.
    SameFailures,
}

impl AgentFailure {
    /// A failure with a sentence for the user; a sentence without readable text gets another.
    pub fn new(kind: FailureKind, sentence: &str) -> AgentFailure {
        let message = Text::clean(sentence, Lines::Many);
        AgentFailure {
            kind,
            message: message.unwrap_or_else(|| Text::ours("The provider did not say why.")),
        }
    }
}

impl FailureKind {
    /// Whether trying again can help.
    pub fn is_transient(self) -> bool {
        match self {
            FailureKind::Overloaded | FailureKind::Network | FailureKind::Malformed => true,
            FailureKind::Refused | FailureKind::TooManyRounds | FailureKind::SameFailures => false,
        }
    }
}

impl Event {
    /// Whether it may belong to a round that began before it. Every other event shows by itself which
    /// round is open after it: it begins one, ends one, or comes while none is open.
    pub fn continues_round(&self) -> bool {
        match self {
            Event::MessageReceived { answers, .. } => answers.is_some(),
            Event::InquiryAsked { pending } => pending.call.is_some(),
            Event::CallStarted { .. }
            | Event::CallFinished { .. }
            | Event::DeadlineMoved { .. }
            | Event::InquiryHandedOn { .. }
            | Event::InquiryReminded { .. }
            | Event::AnswerHeld { .. }
            | Event::AnswerTakenBack { .. }
            | Event::InquiryResolved { .. }
            | Event::SubAgentsStarted { .. }
            | Event::SubAgentFinished { .. } => true,
            Event::Started { .. }
            | Event::LlmRequested { .. }
            | Event::LlmAttemptFailed { .. }
            | Event::AssistantReplied { .. }
            | Event::RoundFinished
            | Event::TurnEnded { .. }
            | Event::Closed { .. } => false,
        }
    }
}
