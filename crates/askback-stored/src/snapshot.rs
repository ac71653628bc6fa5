//! The snapshot of a conversation. It leaves out what the rows of its inquiries hold, and the inputs of
//! calls that have finished.

use std::borrow::Cow;
use std::collections::{BTreeMap, VecDeque};

use askback_core::conversation::event::CallResult;
use askback_core::conversation::state::{
    Child, HeldAnswer, PendingInquiries, PendingInquiry, ReturnedTool, Round, State, ToolQuestion,
};
use askback_core::conversation::{Conversation, RepeatedFailures};
use askback_core::dialect::Dialect;
use askback_core::id::{CallId, ConversationId, InquiryId, MessageId};
use askback_core::inquiry::Inquiry;
use askback_core::outcome::Resolution;
use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::name::Named;
use crate::outcome::StoredResult;
use crate::reply::{StoredCall, StoredChildStarted, StoredFailure};
use crate::settings::StoredSettings;
use crate::version::Version;
use crate::{Unreadable, is_default};

/// What the row of an inquiry holds, and no record or snapshot.
#[derive(Debug, Clone, Copy)]
pub struct InquiryParts<'a> {
    /// The questions; none if they were not read.
    pub inquiry: &'a Inquiry,
    /// What an answer must name.
    pub revision: u32,
    /// When it was asked.
    pub asked_at: Timestamp,
    /// Its present deadline.
    pub expires_at: Option<Timestamp>,
    /// An answer that can still be undone.
    pub held: Option<&'a HeldAnswer>,
    /// The outcome, and what its asker is told.
    pub resolved: Option<(&'a Resolution, &'a CallResult)>,
}

/// The column `json` of a conversation.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct StoredSnapshot<'a> {
    #[serde(default, skip_serializing_if = "is_default")]
    v: Version,
    settings: StoredSettings,
    state: StoredState<'a>,
    #[serde(default, skip_serializing_if = "is_default")]
    requests: u64,
    #[serde(default, skip_serializing_if = "is_default")]
    rounds: u32,
    #[serde(default, skip_serializing_if = "is_default")]
    failing: StoredFailing,
    #[serde(default, skip_serializing_if = "is_default")]
    asked: BTreeMap<Named<Dialect>, u32>,
    #[serde(default, skip_serializing_if = "is_default")]
    recent_messages: VecDeque<MessageId>,
    version: u64,
}

#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(default)]
struct StoredFailing {
    open: Option<u64>,
    last: Option<u64>,
    times: u32,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
enum StoredState<'a> {
    Idle,
    LlmRequesting {
        request: u64,
        attempt: u32,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        last_failure: Option<StoredFailure>,
    },
    ToolExecuting {
        round: StoredRound<'a>,
        started: bool,
    },
    AwaitingUserResponse(StoredWaiting<'a>),
    AwaitingSubAgents {
        round: StoredRound<'a>,
        children: Vec<StoredChild<'a>>,
    },
    Error {
        failure: StoredFailure,
    },
    Closed,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "driver", rename_all = "snake_case")]
enum StoredWaiting<'a> {
    Agent {
        round: StoredRound<'a>,
        pending: Box<StoredPending<'a>>,
    },
    External {
        pending: Vec<StoredPending<'a>>,
    },
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
struct StoredRound<'a> {
    calls: Vec<StoredCall<'a>>,
    settled: usize,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
struct StoredChild<'a> {
    started: StoredChildStarted,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    result: Option<StoredResult<'a>>,
}

/// An inquiry of a state, or of the event that asked it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct StoredPending<'a> {
    pub(crate) id: InquiryId,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    call: Option<CallId>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    tool: Option<StoredToolQuestion<'a>>,
    /// The deadline at the time of asking; a snapshot leaves it to the row.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    expires_at: Option<Timestamp>,
    #[serde(default, skip_serializing_if = "is_default")]
    reminded: bool,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "how", rename_all = "snake_case")]
enum StoredToolQuestion<'a> {
    Running,
    Returned {
        input: Cow<'a, Value>,
        state: Cow<'a, Value>,
    },
}

impl<'a> From<&'a Conversation> for StoredSnapshot<'a> {
    fn from(conversation: &'a Conversation) -> StoredSnapshot<'a> {
        let failing = &conversation.failing;
        StoredSnapshot {
            v: Version::default(),
            settings: (&conversation.settings).into(),
            state: (&conversation.state).into(),
            requests: conversation.requests,
            rounds: conversation.rounds,
            failing: StoredFailing {
                open: failing.open,
                last: failing.last,
                times: failing.times,
            },
            asked: conversation
                .asked
                .iter()
                .map(|(dialect, count)| (Named(*dialect), *count))
                .collect(),
            recent_messages: conversation.recent_messages.clone(),
            version: conversation.version,
        }
    }
}

impl StoredSnapshot<'_> {
    /// The conversation. `parts` gives what the row of a pending inquiry holds.
    pub fn restore<'p>(
        self,
        id: ConversationId,
        parts: impl Fn(&InquiryId) -> Option<InquiryParts<'p>>,
    ) -> Result<Conversation, Unreadable> {
        Ok(Conversation {
            settings: self.settings.restore(id),
            state: self.state.restore(parts)?,
            requests: self.requests,
            rounds: self.rounds,
            failing: RepeatedFailures {
                open: self.failing.open,
                last: self.failing.last,
                times: self.failing.times,
            },
            asked: self
                .asked
                .into_iter()
                .map(|(dialect, count)| (dialect.0, count))
                .collect(),
            recent_messages: self.recent_messages,
            version: self.version,
        })
    }
}

impl<'a> From<&'a State> for StoredState<'a> {
    fn from(state: &'a State) -> StoredState<'a> {
        match state {
            State::Idle => StoredState::Idle,
            State::LlmRequesting {
                request,
                attempt,
                last_failure,
            } => StoredState::LlmRequesting {
                request: *request,
                attempt: *attempt,
                last_failure: last_failure.as_ref().map(Into::into),
            },
            State::ToolExecuting { round, started } => StoredState::ToolExecuting {
                round: round.into(),
                started: *started,
            },
            State::AwaitingUserResponse(PendingInquiries::Agent { round, pending }) => {
                StoredState::AwaitingUserResponse(StoredWaiting::Agent {
                    round: round.into(),
                    pending: Box::new(StoredPending::waiting(pending)),
                })
            }
            State::AwaitingUserResponse(PendingInquiries::External { pending }) => {
                StoredState::AwaitingUserResponse(StoredWaiting::External {
                    pending: pending.iter().map(StoredPending::waiting).collect(),
                })
            }
            State::AwaitingSubAgents { round, children } => StoredState::AwaitingSubAgents {
                round: round.into(),
                children: children.iter().map(Into::into).collect(),
            },
            State::Error { failure } => StoredState::Error {
                failure: failure.into(),
            },
            State::Closed => StoredState::Closed,
        }
    }
}

impl StoredState<'_> {
    fn restore<'p>(
        self,
        parts: impl Fn(&InquiryId) -> Option<InquiryParts<'p>>,
    ) -> Result<State, Unreadable> {
        Ok(match self {
            StoredState::Idle => State::Idle,
            StoredState::LlmRequesting {
                request,
                attempt,
                last_failure,
            } => State::LlmRequesting {
                request,
                attempt,
                last_failure: last_failure.map(Into::into),
            },
            StoredState::ToolExecuting { round, started } => State::ToolExecuting {
                round: round.try_into()?,
                started,
            },
            StoredState::AwaitingUserResponse(StoredWaiting::Agent { round, pending }) => {
                State::AwaitingUserResponse(PendingInquiries::Agent {
                    round: round.try_into()?,
                    pending: pending.restore_waiting(parts)?,
                })
            }
            StoredState::AwaitingUserResponse(StoredWaiting::External { pending }) => {
                let pending = pending.into_iter();
                let pending = pending.map(|pending| pending.restore_waiting(&parts));
                State::AwaitingUserResponse(PendingInquiries::External {
                    pending: pending.collect::<Result<_, _>>()?,
                })
            }
            StoredState::AwaitingSubAgents { round, children } => State::AwaitingSubAgents {
                round: round.try_into()?,
                children: children.into_iter().map(Into::into).collect(),
            },
            StoredState::Error { failure } => State::Error {
                failure: failure.into(),
            },
            StoredState::Closed => State::Closed,
        })
    }
}

impl<'a> From<&'a Round> for StoredRound<'a> {
    /// Drops the inputs of calls up to the current one: those calls have finished, are a pending
    /// inquiry, or have their input in a job.
    fn from(round: &'a Round) -> StoredRound<'a> {
        let mut calls: Vec<StoredCall<'_>> = round.calls().iter().map(Into::into).collect();
        for call in calls.iter_mut().take(round.position() + 1) {
            call.input = Cow::Owned(Value::Null);
        }
        StoredRound {
            calls,
            settled: round.position(),
        }
    }
}

impl TryFrom<StoredRound<'_>> for Round {
    type Error = Unreadable;

    fn try_from(stored: StoredRound<'_>) -> Result<Round, Unreadable> {
        let calls = stored.calls.into_iter().map(Into::into).collect();
        let round = Round::restore(calls, stored.settled);
        round.ok_or(Unreadable::Inconsistent("more calls are settled than made"))
    }
}

impl<'a> From<&'a Child> for StoredChild<'a> {
    fn from(child: &'a Child) -> StoredChild<'a> {
        StoredChild {
            started: (&child.started).into(),
            result: child.result.as_ref().map(Into::into),
        }
    }
}

impl From<StoredChild<'_>> for Child {
    fn from(stored: StoredChild<'_>) -> Child {
        Child {
            started: stored.started.into(),
            result: stored.result.map(Into::into),
        }
    }
}

impl<'a> StoredPending<'a> {
    /// In the event that asks it.
    pub(crate) fn asked(pending: &'a PendingInquiry) -> StoredPending<'a> {
        StoredPending {
            expires_at: pending.expires_at,
            ..StoredPending::waiting(pending)
        }
    }

    /// In a snapshot.
    fn waiting(pending: &'a PendingInquiry) -> StoredPending<'a> {
        StoredPending {
            id: pending.id.clone(),
            call: pending.call.clone(),
            tool: pending.tool.as_ref().map(Into::into),
            expires_at: None,
            reminded: pending.reminded,
        }
    }
}

impl StoredPending<'_> {
    pub(crate) fn restore_asked(
        self,
        parts: Option<InquiryParts<'_>>,
    ) -> Result<PendingInquiry, Unreadable> {
        let Some(parts) = parts else {
            return Err(Unreadable::NoInquiry(self.id));
        };
        Ok(PendingInquiry {
            id: self.id,
            call: self.call,
            tool: self.tool.map(Into::into),
            revision: parts.revision,
            inquiry: parts.inquiry.clone(),
            asked_at: parts.asked_at,
            expires_at: self.expires_at,
            reminded: self.reminded,
            held: None,
        })
    }

    fn restore_waiting<'p>(
        self,
        parts: impl Fn(&InquiryId) -> Option<InquiryParts<'p>>,
    ) -> Result<PendingInquiry, Unreadable> {
        let parts = parts(&self.id);
        let mut pending = self.restore_asked(parts)?;
        if let Some(parts) = parts {
            pending.expires_at = parts.expires_at;
            pending.held = parts.held.cloned().map(Box::new);
        }
        Ok(pending)
    }
}

impl<'a> From<&'a ToolQuestion> for StoredToolQuestion<'a> {
    fn from(tool: &'a ToolQuestion) -> StoredToolQuestion<'a> {
        match tool {
            ToolQuestion::Running => StoredToolQuestion::Running,
            ToolQuestion::Returned(returned) => StoredToolQuestion::Returned {
                input: Cow::Borrowed(&returned.input),
                state: Cow::Borrowed(&returned.state),
            },
        }
    }
}

impl From<StoredToolQuestion<'_>> for ToolQuestion {
    fn from(stored: StoredToolQuestion<'_>) -> ToolQuestion {
        match stored {
            StoredToolQuestion::Running => ToolQuestion::Running,
            StoredToolQuestion::Returned { input, state } => {
                ToolQuestion::Returned(Box::new(ReturnedTool {
                    input: input.into_owned(),
                    state: state.into_owned(),
                }))
            }
        }
    }
}
