//! The snapshot of a conversation. It leaves out what the rows of its inquiries hold, and the inputs of
//! calls that have finished.

use std::borrow::Cow;
use std::collections::{BTreeMap, VecDeque};

use askback_core::conversation::state::{
    Child, PendingInquiries, PendingInquiry, ReturnedTool, Round, State, ToolQuestion,
};
use askback_core::conversation::{Conversation, RepeatedFailures};
use askback_core::dialect::Dialect;
use askback_core::id::{CallId, ConversationId, InquiryId, MessageId};
use askback_macros::skip_none;
use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::form::{Form, forms, restore_variant, store_variant};
use crate::name::Named;
use crate::outcome::StoredResult;
use crate::reply::{StoredCall, StoredChildStarted, StoredFailure};
use crate::settings::StoredSettings;
use crate::version::Version;
use crate::{Unreadable, is_default};

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
#[skip_none]
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct StoredPending<'a> {
    pub(crate) id: InquiryId,
    call: Option<CallId>,
    tool: Option<StoredToolQuestion<'a>>,
    /// The deadline at the time of asking; a snapshot leaves it to the row.
    expires_at: Option<Timestamp>,
    #[serde(default, skip_serializing_if = "is_default")]
    reminded: bool,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "how", rename_all = "snake_case")]
enum StoredToolQuestion<'a> {
    Running,
    Returned(StoredReturned<'a>),
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
struct StoredReturned<'a> {
    input: Cow<'a, Value>,
    state: Cow<'a, Value>,
}

impl<'a> From<&'a Conversation> for StoredSnapshot<'a> {
    fn from(conversation: &'a Conversation) -> StoredSnapshot<'a> {
        StoredSnapshot {
            v: Version::default(),
            settings: StoredSettings::new(&conversation.settings),
            state: (&conversation.state).into(),
            requests: conversation.requests,
            rounds: conversation.rounds,
            failing: Form::store(&conversation.failing),
            asked: Form::store(&conversation.asked),
            recent_messages: conversation.recent_messages.clone(),
            version: conversation.version,
        }
    }
}

impl StoredSnapshot<'_> {
    /// The conversation. `rows` gives the pending inquiries as their rows have them.
    pub fn restore(
        self,
        id: ConversationId,
        rows: impl Fn(&InquiryId) -> Option<PendingInquiry>,
    ) -> Result<Conversation, Unreadable> {
        Ok(Conversation {
            settings: self.settings.restore(id)?,
            state: self.state.restore(rows)?,
            requests: self.requests,
            rounds: self.rounds,
            failing: self.failing.restore()?,
            asked: self.asked.restore()?,
            recent_messages: self.recent_messages,
            version: self.version,
        })
    }
}

impl<'a> From<&'a State> for StoredState<'a> {
    fn from(state: &'a State) -> StoredState<'a> {
        store_variant!(state, State => StoredState {
            Idle {},
            LlmRequesting { request, attempt, last_failure },
            ToolExecuting { round, started },
            AwaitingSubAgents { round, children },
            Error { failure },
            Closed {},
        } {
            State::AwaitingUserResponse(PendingInquiries::Agent { round, pending }) => {
                StoredState::AwaitingUserResponse(StoredWaiting::Agent {
                    round: Form::store(round),
                    pending: Box::new(StoredPending::waiting(pending)),
                })
            }
            State::AwaitingUserResponse(PendingInquiries::External { pending }) => {
                StoredState::AwaitingUserResponse(StoredWaiting::External {
                    pending: pending.iter().map(StoredPending::waiting).collect(),
                })
            }
        })
    }
}

impl StoredState<'_> {
    fn restore(
        self,
        rows: impl Fn(&InquiryId) -> Option<PendingInquiry>,
    ) -> Result<State, Unreadable> {
        Ok(restore_variant!(self, StoredState => State {
            Idle {},
            LlmRequesting { request, attempt, last_failure },
            ToolExecuting { round, started },
            AwaitingSubAgents { round, children },
            Error { failure },
            Closed {},
        } {
            StoredState::AwaitingUserResponse(StoredWaiting::Agent { round, pending }) => {
                State::AwaitingUserResponse(PendingInquiries::Agent {
                    round: round.restore()?,
                    pending: pending.restore_waiting(rows)?,
                })
            }
            StoredState::AwaitingUserResponse(StoredWaiting::External { pending }) => {
                let pending = pending.into_iter();
                let pending = pending.map(|pending| pending.restore_waiting(&rows));
                State::AwaitingUserResponse(PendingInquiries::External {
                    pending: pending.collect::<Result<_, _>>()?,
                })
            }
        }))
    }
}

impl<'a> Form<'a, Round> for StoredRound<'a> {
    /// Drops the inputs of calls up to the current one: those calls have finished, are a pending
    /// inquiry, or have their input in a job.
    fn store(round: &'a Round) -> StoredRound<'a> {
        let mut calls: Vec<StoredCall<'_>> = round.calls().iter().map(Form::store).collect();
        for call in calls.iter_mut().take(round.position() + 1) {
            call.input = Cow::Owned(Value::Null);
        }
        StoredRound {
            calls,
            settled: round.position(),
        }
    }

    fn restore(self) -> Result<Round, Unreadable> {
        let round = Round::restore(self.calls.restore()?, self.settled);
        round.ok_or(Unreadable::Inconsistent("more calls are settled than made"))
    }
}

forms! {
    struct StoredChild<'a> = Child { started, result }
    struct StoredFailing = RepeatedFailures { open, last, times }
    struct StoredReturned<'a> = ReturnedTool { input, state }
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
            tool: Form::store(&pending.tool),
            expires_at: None,
            reminded: pending.reminded,
        }
    }
}

impl StoredPending<'_> {
    pub(crate) fn restore_asked(
        self,
        row: Option<PendingInquiry>,
    ) -> Result<PendingInquiry, Unreadable> {
        let expires_at = self.expires_at;
        Ok(PendingInquiry {
            expires_at,
            held: None,
            ..self.restore_waiting(|_| row)?
        })
    }

    fn restore_waiting(
        self,
        rows: impl FnOnce(&InquiryId) -> Option<PendingInquiry>,
    ) -> Result<PendingInquiry, Unreadable> {
        let Some(row) = rows(&self.id) else {
            return Err(Unreadable::NoInquiry(self.id));
        };
        Ok(PendingInquiry {
            id: self.id,
            call: self.call,
            tool: self.tool.restore()?,
            reminded: self.reminded,
            ..row
        })
    }
}

impl<'a> Form<'a, ToolQuestion> for StoredToolQuestion<'a> {
    fn store(tool: &'a ToolQuestion) -> StoredToolQuestion<'a> {
        match tool {
            ToolQuestion::Running => StoredToolQuestion::Running,
            ToolQuestion::Returned(returned) => {
                StoredToolQuestion::Returned(Form::store(returned.as_ref()))
            }
        }
    }

    fn restore(self) -> Result<ToolQuestion, Unreadable> {
        Ok(match self {
            StoredToolQuestion::Running => ToolQuestion::Running,
            StoredToolQuestion::Returned(returned) => {
                ToolQuestion::Returned(Box::new(returned.restore()?))
            }
        })
    }
}
