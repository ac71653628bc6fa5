//! The states of a conversation.

use jiff::Timestamp;
use serde_json::Value;

use super::event::{AgentFailure, CallResult, ChildStarted, Event, ToolCall};
use crate::id::{CallId, InquiryId};
use crate::inquiry::Inquiry;
use crate::outcome::Resolution;

/// The state of a conversation. The wire uses the same names.
#[derive(Debug, Clone, PartialEq)]
pub enum State {
    /// It waits for a message.
    Idle,
    /// A provider request is under way.
    LlmRequesting {
        request: u64,
        /// How often it was tried, the first time included.
        attempt: u32,
        /// Why it is tried again.
        last_failure: Option<AgentFailure>,
    },
    /// A tool other than asking is to run or runs.
    ToolExecuting {
        /// The round it belongs to; its current call is the one that runs.
        round: Round,
        /// Whether a worker has begun. From then on it is never begun a second time.
        started: bool,
    },
    /// A question waits for its answer.
    AwaitingUserResponse(PendingInquiries),
    /// Sub-agents work on a call of the round.
    AwaitingSubAgents {
        /// The round the call belongs to.
        round: Round,
        /// The sub-agents, in the order of the call.
        children: Vec<Child>,
    },
    /// The provider refused for good; a new message tries again.
    Error { failure: AgentFailure },
    /// It ended for good and takes nothing any more; what it held is removed.
    Closed,
}

/// What waits for an answer.
#[derive(Debug, Clone, PartialEq)]
pub enum PendingInquiries {
    /// The built-in agent: exactly one, for the current call of its round.
    Agent {
        round: Round,
        pending: PendingInquiry,
    },
    /// An external agent: at least one, each on its own.
    External {
        /// Oldest first.
        pending: Vec<PendingInquiry>,
    },
}

/// An inquiry that waits for its outcome.
#[derive(Debug, Clone, PartialEq)]
pub struct PendingInquiry {
    pub id: InquiryId,
    /// The call it answers, if the built-in agent made it.
    pub call: Option<CallId>,
    /// How the call asks, if its tool does and not the model.
    pub tool: Option<ToolQuestion>,
    /// Counts up when what is asked changes; an answer to an older one is stale.
    pub revision: u32,
    pub inquiry: Inquiry,
    pub asked_at: Timestamp,
    /// When it ends unanswered, if ever.
    pub expires_at: Option<Timestamp>,
    /// Whether the reminder for its present deadline was sent.
    pub reminded: bool,
    /// The answer that takes effect unless it is undone in time. The asker does not know about it.
    pub held: Option<Box<HeldAnswer>>,
}

impl PendingInquiry {
    /// Applies an [`Event::InquiryHandedOn`] of this inquiry; nothing for every other event.
    pub fn hand_on(&mut self, event: &Event) {
        if let Event::InquiryHandedOn {
            inquiry,
            to,
            reason,
            at,
            by,
            ..
        } = event
            && *inquiry == self.id
        {
            let given = self.inquiry.clone();
            self.inquiry = given.hand_on_to(to.clone(), by.clone(), reason.clone(), *at);
        }
    }

    fn without_tool_input(&self) -> PendingInquiry {
        let mut abridged = self.clone();
        if let Some(ToolQuestion::Returned(returned)) = &mut abridged.tool {
            **returned = ReturnedTool::default();
        }
        abridged
    }

    fn without_questions(&self) -> PendingInquiry {
        PendingInquiry {
            inquiry: self.inquiry.without_questions(),
            held: None,
            ..self.clone()
        }
    }

    /// Whether its deadline has passed: the deadline itself is too late already.
    pub fn is_expired(&self, now: Timestamp) -> bool {
        self.expires_at.is_some_and(|at| at <= now)
    }
}

/// How a tool asks the user while its call has no result yet.
#[derive(Debug, Clone, PartialEq)]
pub enum ToolQuestion {
    /// It keeps running and waits for the outcome. If its process dies, nobody waits any more.
    Running,
    /// It has returned. It is run again with the outcome, by any process.
    Returned(Box<ReturnedTool>),
}

/// What a tool that has asked and returned is run again with.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct ReturnedTool {
    /// The input of the call.
    pub input: Value,
    /// What the tool wants back with the outcome.
    pub state: Value,
}

/// An answer, decline or rejection that can still be undone.
#[derive(Debug, Clone, PartialEq)]
pub struct HeldAnswer {
    /// The outcome, with who brought it about and when.
    pub resolution: Resolution,
    /// From this time on it can no longer be undone.
    pub until: Timestamp,
}

impl HeldAnswer {
    pub(super) fn new(resolution: &Resolution, until: Timestamp) -> HeldAnswer {
        HeldAnswer {
            resolution: resolution.clone(),
            until,
        }
    }
}

/// One assistant message's tool calls and how many of them are settled, in order.
#[derive(Debug, Clone, PartialEq)]
pub struct Round {
    calls: Vec<ToolCall>,
    settled: usize,
}

impl Round {
    pub(super) fn new(calls: Vec<ToolCall>) -> Round {
        Round { calls, settled: 0 }
    }

    /// Puts a round together again that was stored. `None` if more calls are settled than made.
    pub fn restore(calls: Vec<ToolCall>, settled: usize) -> Option<Round> {
        (settled <= calls.len()).then_some(Round { calls, settled })
    }

    /// All calls, settled or not.
    pub fn calls(&self) -> &[ToolCall] {
        &self.calls
    }

    /// The first call without a result.
    pub fn current(&self) -> Option<&ToolCall> {
        self.calls.get(self.settled)
    }

    /// The place of the current call.
    pub fn position(&self) -> usize {
        self.settled
    }

    /// Whether `call` is the first call without a result.
    pub fn is_current(&self, call: &CallId) -> bool {
        self.current().is_some_and(|current| current.id == *call)
    }

    fn without_inputs(&self) -> Round {
        let calls = self.calls.iter().map(|call| ToolCall {
            id: call.id.clone(),
            provider_id: call.provider_id.clone(),
            name: call.name.clone(),
            input: Value::Null,
        });
        Round {
            calls: calls.collect(),
            settled: self.settled,
        }
    }

    pub(super) fn advance(&mut self) {
        self.settled = (self.settled + 1).min(self.calls.len());
    }
}

/// A sub-agent that works for a call.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Child {
    /// Its conversation and task.
    pub started: ChildStarted,
    pub result: Option<CallResult>,
}

impl Child {
    pub(super) fn new(started: ChildStarted) -> Child {
        Child {
            started,
            result: None,
        }
    }
}

impl State {
    /// Whether this attempt of this provider request is under way.
    pub fn is_attempt(&self, this: u64, number: u32) -> bool {
        matches!(self, State::LlmRequesting { request, attempt, .. }
            if *request == this && *attempt == number)
    }

    /// The name of the state on the wire.
    pub fn name(&self) -> &'static str {
        match self {
            State::Idle => "idle",
            State::LlmRequesting { .. } => "llm_requesting",
            State::ToolExecuting { .. } => "tool_executing",
            State::AwaitingUserResponse(_) => "awaiting_user_response",
            State::AwaitingSubAgents { .. } => "awaiting_sub_agents",
            State::Error { .. } => "error",
            State::Closed => "closed",
        }
    }

    /// The open round, if there is one.
    pub fn round(&self) -> Option<&Round> {
        if let State::ToolExecuting { round, .. }
        | State::AwaitingUserResponse(PendingInquiries::Agent { round, .. })
        | State::AwaitingSubAgents { round, .. } = self
        {
            Some(round)
        } else {
            None
        }
    }

    /// The open round, taken out of the state.
    pub(super) fn into_round(self) -> Option<Round> {
        if let State::ToolExecuting { round, .. }
        | State::AwaitingUserResponse(PendingInquiries::Agent { round, .. })
        | State::AwaitingSubAgents { round, .. } = self
        {
            Some(round)
        } else {
            None
        }
    }

    /// The inquiries that wait, taken out of the state.
    pub(super) fn into_pending(self) -> Vec<PendingInquiry> {
        let State::AwaitingUserResponse(inquiries) = self else {
            return Vec::new();
        };
        match inquiries {
            PendingInquiries::Agent { pending, .. } => vec![pending],
            PendingInquiries::External { pending } => pending,
        }
    }

    /// The inquiries that wait, oldest first.
    pub fn pending(&self) -> &[PendingInquiry] {
        let State::AwaitingUserResponse(inquiries) = self else {
            return &[];
        };
        match inquiries {
            PendingInquiries::Agent { pending, .. } => std::slice::from_ref(pending),
            PendingInquiries::External { pending } => pending,
        }
    }

    /// The state as records of it are kept: without the inputs of calls, which stand in the reply
    /// that made them, and without the questions of any inquiry but the oldest, which are in
    /// rows of their own.
    #[must_use]
    pub fn abridged(&self) -> State {
        match self {
            State::ToolExecuting { round, started } => State::ToolExecuting {
                round: round.without_inputs(),
                started: *started,
            },
            State::AwaitingUserResponse(PendingInquiries::Agent { round, pending }) => {
                State::AwaitingUserResponse(PendingInquiries::Agent {
                    round: round.without_inputs(),
                    pending: pending.without_tool_input(),
                })
            }
            State::AwaitingUserResponse(PendingInquiries::External { pending }) => {
                let oldest = pending.first().cloned().into_iter();
                let others = pending
                    .iter()
                    .skip(1)
                    .map(PendingInquiry::without_questions);
                State::AwaitingUserResponse(PendingInquiries::External {
                    pending: oldest.chain(others).collect(),
                })
            }
            State::AwaitingSubAgents { round, children } => State::AwaitingSubAgents {
                round: round.without_inputs(),
                children: children.clone(),
            },
            State::Idle | State::LlmRequesting { .. } | State::Error { .. } | State::Closed => {
                self.clone()
            }
        }
    }

    pub(super) fn pending_mut(&mut self) -> &mut [PendingInquiry] {
        let State::AwaitingUserResponse(inquiries) = self else {
            return &mut [];
        };
        match inquiries {
            PendingInquiries::Agent { pending, .. } => std::slice::from_mut(pending),
            PendingInquiries::External { pending } => pending,
        }
    }
}
