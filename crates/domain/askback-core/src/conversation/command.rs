//! What can be asked of a conversation.

use jiff::{SignedDuration, Timestamp};
use serde_json::Value;

use super::event::{AgentFailure, CallResult};
use super::state::ToolQuestion;
use crate::id::{CallId, ConversationId, InquiryId, MessageId};
use crate::inquiry::Inquiry;
use crate::text::Text;

/// What [`Conversation::decide`](super::Conversation::decide) accepts or rejects.
#[derive(Debug, Clone, PartialEq)]
pub enum Command {
    /// The user says something.
    SendMessage {
        /// The sender's id for it, which makes a repeated send harmless.
        message: Option<MessageId>,
        text: String,
    },
    /// A provider request brought a reply.
    LlmReplied {
        request: u64,
        attempt: u32,
        reply: RawReply,
    },
    /// A provider request failed.
    LlmFailed {
        request: u64,
        attempt: u32,
        failure: AgentFailure,
        /// How long the provider asks to wait.
        retry_after: Option<SignedDuration>,
    },
    /// A worker is about to run a tool.
    ToolStarted { call: CallId },
    /// A tool has run.
    ToolFinished { call: CallId, result: CallResult },
    /// A tool that runs asks the user.
    ToolAsked {
        call: CallId,
        inquiry: Inquiry,
        how: ToolQuestion,
    },
    /// A tool was running when its process died.
    ToolInterrupted { call: CallId },
    /// A sub-agent reports.
    SubAgentFinished {
        child: ConversationId,
        result: CallResult,
    },
    /// An external agent asks.
    Ask {
        inquiry: Inquiry,
        /// When it ends unanswered. If missing, the policy decides.
        deadline: Option<NewDeadline>,
    },
    /// The respondent answers.
    Answer {
        target: Target,
        /// Answers by question id or text, as they were sent.
        answers: Value,
        /// Notes by question id or text.
        notes: Option<Value>,
    },
    /// The respondent answers, declines or rejects, and can undo that for a while.
    AnswerWithUndo {
        target: Target,
        reply: RespondentAction,
        /// For how long it can be undone, from the decision on. A span and not a time, so that what happens before the
        /// decision cannot use it up.
        window: SignedDuration,
    },
    /// The respondent undoes a held answer.
    UndoAnswer { target: Target },
    /// The time to undo is over: the held answer takes effect.
    CommitHeldAnswer {
        inquiry: InquiryId,
        /// The end of the undo window that is meant. If another answer is held by now, the command is stale.
        until: Timestamp,
    },
    /// The respondent wants the agent to go on without an answer.
    Decline { target: Target },
    /// The respondent refuses the question.
    Reject { target: Target },
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
        inquiry: InquiryId,
        /// If the deadline was moved since, the command is stale.
        expires_at: Timestamp,
    },
    /// A deadline has passed.
    Expire { inquiry: InquiryId },
    /// Somebody gives the question to another recipient.
    HandOn {
        target: Target,
        /// The alias of the new recipient, which the caller has checked.
        to: Text,
        reason: Option<Text>,
    },
    /// Somebody sets another deadline, or none at all.
    MoveDeadline {
        target: Target,
        /// The new deadline.
        to: Option<NewDeadline>,
    },
    /// The respondent is still working on the question, so it must not expire yet.
    KeepOpen {
        target: Target,
        /// How long it stays open from the decision on; none takes the deadline away.
        at_least: Option<SignedDuration>,
    },
}

/// When a question is to end unanswered.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NewDeadline {
    /// At this time.
    At(Timestamp),
    /// So long after the decision.
    After(SignedDuration),
}

/// What a respondent can do and undo.
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

impl RespondentAction {
    /// The command: effective at once, or after an undo window. A window of 0 seconds is none.
    pub fn into_command(self, target: Target, undo_seconds: Option<u32>) -> Command {
        if let Some(seconds) = undo_seconds.filter(|seconds| *seconds > 0) {
            return Command::AnswerWithUndo {
                target,
                reply: self,
                window: SignedDuration::from_secs(seconds.into()),
            };
        }
        match self {
            RespondentAction::Answer { answers, notes } => Command::Answer {
                target,
                answers,
                notes,
            },
            RespondentAction::Decline => Command::Decline { target },
            RespondentAction::Reject => Command::Reject { target },
        }
    }
}

/// Which inquiry a command is for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Target {
    /// This one and no other: an answer meant for an earlier question never reaches a later one.
    Inquiry {
        id: InquiryId,
        /// What the sender saw, if it says.
        revision: Option<u32>,
    },
    /// This one, as it was delivered to a person through a channel. Once it has been handed on, that person
    /// cannot answer it any more.
    Delivered {
        id: InquiryId,
        revision: u32,
        /// How often it had been handed on when the person was found to be its recipient.
        hand_ons: u32,
    },
    /// The one that waits, if exactly one does.
    Pending,
}

impl From<InquiryId> for Target {
    fn from(id: InquiryId) -> Target {
        Target::Inquiry { id, revision: None }
    }
}

/// What a model replied, as its provider sent it.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct RawReply {
    pub text: String,
    /// Reasoning in the provider's own form.
    pub reasoning: Option<Value>,
    /// The tools it called, in order.
    pub calls: Vec<RawCall>,
}

/// One tool call as its provider sent it.
#[derive(Debug, Clone, PartialEq)]
pub struct RawCall {
    /// The provider's id; providers reuse them, and some send none.
    pub provider_id: String,
    pub name: String,
    /// Its input; a text if it is not JSON.
    pub input: Value,
}
