//! The conversation machine: an agent's thread as a value, and every rule about its moves.
//!
//! [`Conversation::decide`] takes a command and says which events and jobs follow from it, or why
//! it is refused; [`Conversation::apply`] folds an event into the state. Both are pure and total.
//! A state is never written in place: it is what replaying the events gives.
//!
//! A *round* is one assistant message with its tool calls. Its calls are settled strictly in order,
//! each gets exactly one result, and only a round in which every call has its result enters the
//! history that a provider is sent ([`history`]).
#![expect(
    missing_docs,
    reason = "fields are documented where their names do not say enough"
)]

pub mod command;
pub mod deadline;
mod decide;
mod decision_builder;
pub mod event;
mod hand_on;
pub mod history;
pub mod job;
mod llm_reply;
mod message;
pub mod policy;
pub mod rejection;
mod repeated_failures;
mod resolve;
mod round;
pub mod spawn;
pub mod state;
mod stop;
mod tool_reports;
mod undo;

use std::collections::{BTreeMap, VecDeque};

use crate::dialect::Dialect;
use crate::id::{CallId, ConversationId, InquiryId, MessageId};
use crate::limits;
use crate::outcome::Outcome;
use event::{AgentFailure, CallResult, Event, ToolCall, TurnEnd};
use policy::Policy;
pub use repeated_failures::RepeatedFailures;
use state::{Child, HeldAnswer, PendingInquiries, PendingInquiry, Round, State, ToolQuestion};

pub use decide::{Context, Decision};

/// Who drives a conversation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Driver {
    /// The built-in agent: rounds, tools and sub-agents.
    BuiltIn,
    /// Somebody else's agent, which only asks.
    External,
}

/// Where a sub-agent reports to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Parent {
    /// The conversation that started it.
    pub conversation: ConversationId,
    /// The call it works for.
    pub call: CallId,
}

/// What is fixed when a conversation begins.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ConversationSettings {
    pub id: ConversationId,
    /// Who drives it.
    pub driver: Driver,
    /// Where it reports to, if it is a sub-agent.
    pub parent: Option<Parent>,
    /// The rules that can be configured.
    pub policy: Policy,
    /// The provider that thinks in it, by name, if that matters.
    pub provider: Option<String>,
}

/// One agent's thread. Small: it never holds the messages, only what the next decision needs.
#[derive(Debug, Clone, PartialEq)]
pub struct Conversation {
    /// What was fixed at its beginning.
    pub settings: ConversationSettings,
    /// Where it stands.
    pub state: State,
    /// Provider requests so far; the number names the current one.
    pub requests: u64,
    /// Rounds since the user last said or answered something.
    pub rounds: u32,
    /// Rounds in a row that failed in the same way.
    pub failing: RepeatedFailures,
    /// Inquiries asked so far, by dialect.
    pub asked: BTreeMap<Dialect, u32>,
    /// The senders' ids of the latest messages that have one, newest last, so that a repeated send is
    /// recognised.
    pub recent_messages: VecDeque<MessageId>,
    /// Events applied so far.
    pub version: u64,
}

/// Events that are not the history of a conversation: the store is damaged.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("the events do not begin with the start of a conversation")]
pub struct NotAConversation;

impl Conversation {
    /// A conversation that has just begun.
    pub fn start(settings: ConversationSettings) -> (Conversation, Event) {
        let event = Event::Started {
            settings: settings.clone(),
        };
        let conversation = Conversation {
            settings,
            state: State::Idle,
            requests: 0,
            rounds: 0,
            failing: RepeatedFailures::default(),
            asked: BTreeMap::new(),
            recent_messages: VecDeque::new(),
            version: 1,
        };
        (conversation, event)
    }

    /// The conversation that its events give.
    pub fn replay<'a>(
        events: impl IntoIterator<Item = &'a Event>,
    ) -> Result<Conversation, NotAConversation> {
        let mut events = events.into_iter();
        let Some(Event::Started { settings }) = events.next() else {
            return Err(NotAConversation);
        };
        let (mut conversation, _) = Conversation::start(settings.clone());
        for event in events {
            conversation.apply(event);
        }
        Ok(conversation)
    }

    /// The reason of a failure is kept for the attempt that follows.
    fn note_failed_attempt(&mut self, failure: &AgentFailure) {
        if let State::LlmRequesting { last_failure, .. } = &mut self.state {
            *last_failure = Some(failure.clone());
        }
    }

    fn begin_attempt(&mut self, request: u64, attempt: u32) {
        self.requests = request;
        let last_failure = if let State::LlmRequesting { last_failure, .. } = &mut self.state {
            last_failure.take().filter(|_| attempt > 1)
        } else {
            None
        };
        self.state = State::LlmRequesting {
            request,
            attempt,
            last_failure,
        };
    }

    /// Folds one event into the state. Total: an event about a call or an inquiry that is not at
    /// hand changes nothing but the version, and a damaged log cannot bring a process down.
    pub fn apply(&mut self, event: &Event) {
        self.version += 1;
        match event {
            Event::Started { .. } => {}
            Event::LlmAttemptFailed { failure, .. } => self.note_failed_attempt(failure),
            Event::MessageReceived { sent_as, .. } => {
                if let Some(sent_as) = sent_as {
                    self.remember_message(sent_as);
                }
                self.note_user_activity();
            }
            Event::LlmRequested {
                request, attempt, ..
            } => self.begin_attempt(*request, *attempt),
            Event::AssistantReplied { reply } => self.open_round(&reply.calls),
            Event::CallStarted { call } => {
                if let State::ToolExecuting { round, started } = &mut self.state {
                    *started |= round.is_current(call);
                }
            }
            Event::CallFinished { call, result } => self.finish_call(call, result),
            Event::InquiryAsked { pending } => self.add_pending(pending.clone()),
            Event::DeadlineMoved {
                inquiry,
                expires_at,
                ..
            } => self.change_pending(inquiry, |pending| {
                pending.expires_at = *expires_at;
                pending.reminded = false;
            }),
            Event::InquiryHandedOn { inquiry, .. } => {
                self.change_pending(inquiry, |pending| pending.hand_on(event));
            }
            Event::InquiryReminded { inquiry, .. } => {
                self.change_pending(inquiry, |pending| pending.reminded = true);
            }
            Event::AnswerHeld {
                inquiry,
                until,
                resolution,
            } => self.change_pending(inquiry, |pending| {
                let held = resolution.as_ref().map(|it| HeldAnswer::new(it, *until));
                pending.held = held.map(Box::new);
            }),
            Event::AnswerTakenBack { inquiry, .. } => {
                self.change_pending(inquiry, |pending| pending.held = None);
            }
            Event::InquiryResolved {
                inquiry,
                resolution,
                ..
            } => self.remove_pending(inquiry, &resolution.outcome),
            Event::SubAgentsStarted { call, children } => {
                if let Some(round) = self.take_round_at(call) {
                    let children = children.iter().cloned().map(Child::new).collect();
                    self.state = State::AwaitingSubAgents { round, children };
                }
            }
            Event::SubAgentFinished { child, result } => self.record_child_result(child, result),
            Event::RoundFinished => {
                self.failing.finish_round();
                self.state = State::Idle;
            }
            Event::TurnEnded { end } => self.state = end_state(end),
            Event::Closed { .. } => self.state = State::Closed,
        }
    }

    fn open_round(&mut self, calls: &[ToolCall]) {
        self.rounds += 1;
        if !calls.is_empty() {
            self.failing.start_round(calls);
            self.state = State::ToolExecuting {
                round: Round::new(calls.to_vec()),
                started: false,
            };
        }
    }

    fn record_child_result(&mut self, child: &ConversationId, result: &CallResult) {
        if let State::AwaitingSubAgents { children, .. } = &mut self.state {
            let known = children
                .iter_mut()
                .filter(|known| known.started.conversation == *child);
            for child in known {
                child.result = Some(result.clone());
            }
        }
    }

    fn remember_message(&mut self, message: &MessageId) {
        self.recent_messages.push_back(message.clone());
        if self.recent_messages.len() > limits::MESSAGES_REMEMBERED_MAX {
            self.recent_messages.pop_front();
        }
    }

    fn finish_call(&mut self, call: &CallId, result: &CallResult) {
        if let Some(mut round) = self.take_round_at(call) {
            round.advance();
            self.failing.record(result);
            self.state = State::ToolExecuting {
                round,
                started: false,
            };
        }
    }

    fn add_pending(&mut self, pending: PendingInquiry) {
        let dialect = pending.inquiry.dialect();
        let by_model = pending.tool.is_none();
        let waiting = if let Some(call) = &pending.call {
            let Some(round) = self.take_round_at(call) else {
                return;
            };
            PendingInquiries::Agent { round, pending }
        } else {
            let before = std::mem::replace(&mut self.state, State::Idle);
            let mut all = before.into_pending();
            all.push(pending);
            PendingInquiries::External { pending: all }
        };
        self.state = State::AwaitingUserResponse(waiting);
        if by_model {
            *self.asked.entry(dialect).or_default() += 1;
        }
    }

    fn change_pending(&mut self, inquiry: &InquiryId, change: impl Fn(&mut PendingInquiry)) {
        let pending = self.state.pending_mut().iter_mut();
        pending
            .filter(|pending| pending.id == *inquiry)
            .for_each(change);
    }

    fn remove_pending(&mut self, inquiry: &InquiryId, outcome: &Outcome) {
        let waits = self.state.pending().iter().any(|it| it.id == *inquiry);
        if waits && outcome.is_from_the_respondent() {
            self.note_user_activity();
        }
        let State::AwaitingUserResponse(inquiries) = &mut self.state else {
            return;
        };
        match inquiries {
            PendingInquiries::Agent { pending, .. } => {
                let started = pending.tool == Some(ToolQuestion::Running);
                if pending.id == *inquiry
                    && let Some(round) = self.take_round()
                {
                    self.state = State::ToolExecuting { round, started };
                }
            }
            PendingInquiries::External { pending } => {
                pending.retain(|pending| pending.id != *inquiry);
                if pending.is_empty() {
                    self.state = State::Idle;
                }
            }
        }
    }

    /// The user is present, so the limits on rounds and repeated failures start again.
    fn note_user_activity(&mut self) {
        self.rounds = 0;
        self.failing.reset();
    }

    /// Takes the open round out of the state, if `call` is its current one. The caller puts it into
    /// the next state: it may hold megabytes and is not copied for every call.
    fn take_round_at(&mut self, call: &CallId) -> Option<Round> {
        let is_current = self
            .state
            .round()
            .is_some_and(|round| round.is_current(call));
        if is_current { self.take_round() } else { None }
    }

    fn take_round(&mut self) -> Option<Round> {
        std::mem::replace(&mut self.state, State::Idle).into_round()
    }
}

fn end_state(end: &TurnEnd) -> State {
    match end {
        TurnEnd::Replied | TurnEnd::Stopped => State::Idle,
        TurnEnd::Failed { failure } => State::Error {
            failure: failure.clone(),
        },
    }
}

#[cfg(test)]
#[path = "conversation/apply_tests.rs"]
mod apply_tests;
#[cfg(test)]
#[path = "conversation/event_log_tests.rs"]
mod event_log;
#[cfg(test)]
#[path = "conversation/fixtures_tests.rs"]
mod fixtures;
