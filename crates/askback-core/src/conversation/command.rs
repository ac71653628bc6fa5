//! What can be asked of a conversation.

use jiff::{SignedDuration, Timestamp};
use serde_json::Value;

use super::event::{AgentFailure, CallResult};
use crate::id::{CallId, ConversationId, InquiryId, MessageId};
use crate::inquiry::Inquiry;
use crate::outcome::UndeliverableReason;

/// A wish that [`Conversation::decide`](super::Conversation::decide) grants or refuses.
#[derive(Debug, Clone, PartialEq)]
pub enum Command {
    /// The user says something.
    SendMessage {
        /// The sender's id for it, which makes a repeated send harmless.
        message: Option<MessageId>,
        /// What they say.
        text: String,
    },
    /// A provider request brought a reply.
    LlmReplied {
        /// Which request.
        request: u64,
        /// Which attempt at it.
        attempt: u32,
        /// The reply.
        reply: RawReply,
    },
    /// A provider request failed.
    LlmFailed {
        /// Which request.
        request: u64,
        /// Which attempt at it.
        attempt: u32,
        /// How.
        failure: AgentFailure,
        /// How long the provider asks to wait.
        retry_after: Option<SignedDuration>,
    },
    /// A worker is about to run a tool.
    ToolStarted {
        /// For which call.
        call: CallId,
    },
    /// A tool has run.
    ToolFinished {
        /// For which call.
        call: CallId,
        /// What came of it.
        result: CallResult,
    },
    /// A tool was running when its process died.
    ToolInterrupted {
        /// For which call.
        call: CallId,
    },
    /// A sub-agent reports.
    SubAgentFinished {
        /// Which one.
        child: ConversationId,
        /// What it reports.
        result: CallResult,
    },
    /// An external agent asks.
    Ask {
        /// What.
        inquiry: Inquiry,
        /// After which time it ends unanswered, if ever.
        expires_after: Option<SignedDuration>,
    },
    /// The respondent answers.
    Answer {
        /// Which inquiry.
        target: Target,
        /// Answers by question id or text, as they were sent.
        answers: Value,
        /// Notes by question id or text.
        notes: Option<Value>,
    },
    /// The respondent answers, declines or refuses, and can take that back for a while.
    AnswerWithUndo {
        /// Which inquiry.
        target: Target,
        /// What they do.
        reply: RespondentAction,
        /// When it can no longer be taken back.
        until: Timestamp,
    },
    /// The respondent takes back what is held.
    UndoAnswer {
        /// Of which inquiry.
        target: Target,
    },
    /// What is held can no longer be taken back.
    CommitHeldAnswer {
        /// Of which inquiry.
        inquiry: InquiryId,
        /// Until when it was held.
        until: Timestamp,
    },
    /// The respondent wants the agent to go on without an answer.
    Decline {
        /// Which inquiry.
        target: Target,
    },
    /// The respondent refuses the question.
    Reject {
        /// Which inquiry.
        target: Target,
    },
    /// The user stops the agent, or one inquiry of an external one.
    Cancel {
        /// Which inquiry; none stops whatever is going on.
        target: Option<Target>,
    },
    /// The asker went away or the conversation ends.
    Withdraw {
        /// Which inquiry; none stops whatever is going on.
        target: Option<Target>,
    },
    /// The conversation ends for good: whatever goes on in it stops, and nothing is taken after it.
    Close,
    /// A deadline is near.
    Remind {
        /// Of which inquiry.
        inquiry: InquiryId,
        /// The deadline that is meant.
        expires_at: Timestamp,
    },
    /// A deadline has passed.
    Expire {
        /// Of which inquiry.
        inquiry: InquiryId,
    },
    /// Nobody can answer an inquiry that was asked.
    MarkUndeliverable {
        /// Which inquiry.
        inquiry: InquiryId,
        /// Why not.
        reason: UndeliverableReason,
    },
    /// Somebody sets another deadline, or none at all.
    MoveDeadline {
        /// Which inquiry.
        target: Target,
        /// The new deadline.
        expires_at: Option<Timestamp>,
    },
    /// The respondent is there, and the question must not end under their hands.
    KeepOpen {
        /// Which inquiry.
        target: Target,
        /// The earliest new deadline; none takes the deadline away.
        at_least: Option<Timestamp>,
    },
}

/// What a respondent does with a question that can be held.
#[derive(Debug, Clone, PartialEq)]
pub enum RespondentAction {
    /// They answer.
    Answer {
        /// Answers by question id or text, as they were sent.
        answers: Value,
        /// Notes by question id or text.
        notes: Option<Value>,
    },
    /// They want the agent to go on without an answer.
    Decline,
    /// They refuse the question.
    Reject,
}

/// Which inquiry a command is for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Target {
    /// This one and no other: an answer meant for an earlier question never reaches a later one.
    Inquiry {
        /// Its id.
        id: InquiryId,
        /// What the sender saw, if it says.
        revision: Option<u32>,
    },
    /// The one that waits, if exactly one does.
    Pending,
}

impl From<InquiryId> for Target {
    fn from(id: InquiryId) -> Target {
        Target::Inquiry { id, revision: None }
    }
}

/// What a model replied, as its provider delivered it.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct RawReply {
    /// What it said.
    pub text: String,
    /// Reasoning in the provider's own form.
    pub reasoning: Option<Value>,
    /// The tools it called, in order.
    pub calls: Vec<RawCall>,
}

/// One tool call as its provider delivered it.
#[derive(Debug, Clone, PartialEq)]
pub struct RawCall {
    /// The provider's id; providers reuse them, and some send none.
    pub provider_id: String,
    /// The tool.
    pub name: String,
    /// Its input; a text if it is not JSON.
    pub input: Value,
}

impl Command {
    /// The name of the command.
    pub fn name(&self) -> &'static str {
        match self {
            Command::SendMessage { .. } => "send_message",
            Command::LlmReplied { .. } => "llm_replied",
            Command::LlmFailed { .. } => "llm_failed",
            Command::ToolStarted { .. } => "tool_started",
            Command::ToolFinished { .. } => "tool_finished",
            Command::ToolInterrupted { .. } => "tool_interrupted",
            Command::SubAgentFinished { .. } => "sub_agent_finished",
            Command::Ask { .. } => "ask",
            Command::Answer { .. } => "answer",
            Command::AnswerWithUndo { .. } => "answer_with_undo",
            Command::UndoAnswer { .. } => "undo_answer",
            Command::CommitHeldAnswer { .. } => "commit_held_answer",
            Command::Decline { .. } => "decline",
            Command::Reject { .. } => "reject",
            Command::Cancel { .. } => "cancel",
            Command::Withdraw { .. } => "withdraw",
            Command::Close => "close",
            Command::Remind { .. } => "remind",
            Command::Expire { .. } => "expire",
            Command::MarkUndeliverable { .. } => "mark_undeliverable",
            Command::MoveDeadline { .. } => "move_deadline",
            Command::KeepOpen { .. } => "keep_open",
        }
    }
}
