//! Turns the events of a conversation into messages.
//!
//! Pages and feeds use the same code: [`Projection::apply`] gives the messages that an event adds or changes.
//! [`messages`] collects them, [`page`] cuts them between rounds, and [`record`] adds what else a feed has.

pub mod record;

use std::collections::BTreeMap;

use askback_core::conversation::event::{AgentFailure, CallResult, Event, ToolCall, TurnEnd};
use askback_core::conversation::state::PendingInquiry;
use askback_core::dialect::Dialect;
use askback_core::id::{CallId, InquiryId, MessageId};
use askback_core::inquiry::Inquiry;
use askback_core::outcome::Resolution;
use askback_core::text::Text;
use jiff::Timestamp;

use crate::block::{BlockResponse, BlockStatus};
use crate::inquiry::InquiryStatus;
use crate::message::{MessageResponse, Role};

/// The position of an event in the log. Message ids and times are derived from it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct EventPosition {
    /// The sequence number, unique in the store.
    pub sequence: u64,
    /// When the event was decided.
    pub at: Timestamp,
}

/// An event of the log.
#[derive(Debug, Clone, Copy)]
pub struct LoggedEvent<'a> {
    /// Where it is.
    pub position: EventPosition,
    /// What happened.
    pub event: &'a Event,
}

impl<'a> LoggedEvent<'a> {
    /// An event with its sequence number, decided at this time.
    pub fn new(sequence: u64, at: Timestamp, event: &'a Event) -> LoggedEvent<'a> {
        let position = EventPosition { sequence, at };
        LoggedEvent { position, event }
    }
}

/// All messages of the events, oldest first.
pub fn messages<'a>(events: impl IntoIterator<Item = LoggedEvent<'a>>) -> Vec<MessageResponse> {
    project_all(events)
        .into_iter()
        .map(|(message, _)| message)
        .collect()
}

/// The result of [`page`].
#[derive(Debug, Clone, PartialEq)]
pub struct MessagePage {
    /// Oldest first.
    pub messages: Vec<MessageResponse>,
    /// Older messages are in events below this sequence number. Absent on the oldest page.
    pub before: Option<u64>,
}

/// The newest messages of a window of events, about `limit` of them.
///
/// The window is the newest events below some sequence number, oldest first. A page starts between
/// rounds, so it may have a few messages more than `limit`. Returns `None` if the window contains no
/// such start: load a larger window.
pub fn page<'a>(
    events: impl IntoIterator<Item = LoggedEvent<'a>>,
    limit: usize,
) -> Option<MessagePage> {
    let mut events = events.into_iter().peekable();
    let from_start = events
        .peek()
        .is_none_or(|logged| matches!(logged.event, Event::Started { .. }));
    let all = project_all(events);
    let wanted = all.len().saturating_sub(limit.max(1));
    let clean = |(_, boundary): &(MessageResponse, Boundary)| *boundary == Boundary::Clean;
    let earlier = all[..all.len().min(wanted + 1)].iter().rposition(clean);
    let start = match earlier.or_else(|| all.iter().position(clean)) {
        Some(start) => start,
        None if from_start => 0,
        None => return None,
    };
    let before = all.get(start).map(|(message, _)| message.sequence);
    Some(MessagePage {
        messages: all
            .into_iter()
            .skip(start)
            .map(|(message, _)| message)
            .collect(),
        before: before.filter(|_| start > 0 || !from_start),
    })
}

/// Whether a page may start with a message.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Boundary {
    /// No round was open.
    Clean,
    /// A round was open, or the window does not show it.
    Inside,
}

fn project_all<'a>(
    events: impl IntoIterator<Item = LoggedEvent<'a>>,
) -> Vec<(MessageResponse, Boundary)> {
    let mut projection = Projection::default();
    let mut all: Vec<(MessageResponse, Boundary)> = Vec::new();
    let mut index: BTreeMap<MessageId, usize> = BTreeMap::new();
    for LoggedEvent { position, event } in events {
        let boundary = projection.boundary(event);
        for message in projection.apply(position, event) {
            if let Some(known) = index.get(&message.id).and_then(|at| all.get_mut(*at)) {
                known.0 = message;
            } else {
                index.insert(message.id.clone(), all.len());
                all.push((message, boundary));
            }
        }
    }
    all
}

/// Turns events into messages, one event at a time. It keeps only what later events can change: the
/// message of the open round and the pending inquiries of external agents.
#[derive(Debug, Clone, Default)]
pub struct Projection {
    open: Option<OpenRound>,
    pending: BTreeMap<InquiryId, OpenRound>,
    /// False until an event shows whether a round is open: a projection may start inside one.
    knows_round: bool,
}

/// The message of a round in which some calls have no result yet, or of a pending inquiry of an external agent, which has
/// no calls.
#[derive(Debug, Clone)]
struct OpenRound {
    message: MessageResponse,
    calls: Vec<CallBlock>,
    /// The inquiry that was asked last in this round.
    inquiry: Option<(InquiryId, Inquiry)>,
}

/// A tool call with its block. A call of an ask tool gets its block when it is asked or refused.
#[derive(Debug, Clone)]
struct CallBlock {
    call: ToolCall,
    block: Option<BlockResponse>,
    /// What the tool itself has asked, shown after its block.
    questions: Vec<BlockResponse>,
}

impl Projection {
    /// Applies an event. Returns the messages that it adds or changes, each complete.
    pub fn apply(&mut self, position: EventPosition, event: &Event) -> Vec<MessageResponse> {
        let messages = match event {
            Event::MessageReceived {
                message,
                sent_as,
                text,
                answers,
                ..
            } => {
                let received = user_message(position, message, sent_as.as_ref(), text);
                self.receive(received, answers.as_ref())
            }
            Event::AssistantReplied { reply } => {
                let mut message = agent_message(position);
                let said = reply.text.iter();
                message.blocks = said
                    .map(|text| BlockResponse::content(text, position.at))
                    .collect();
                self.begin(message, &reply.calls)
            }
            Event::CallStarted { call } => self.change(call, |call_block| {
                if let Some(block) = &mut call_block.block {
                    block.status = Some(BlockStatus::Loading);
                }
            }),
            Event::CallFinished { call, result } => {
                self.change(call, |call_block| call_block.finish(result, position.at))
            }
            Event::InquiryAsked { pending } => self.ask(position, pending),
            Event::DeadlineMoved {
                inquiry,
                expires_at,
                ..
            } => self.move_deadline(inquiry, *expires_at),
            Event::InquiryResolved {
                inquiry,
                resolution,
                ..
            } => self.resolve(inquiry, resolution),
            Event::SubAgentsStarted { call, children } => self.change(call, |call_block| {
                if let Some(block) = &mut call_block.block {
                    block.start_agents(children);
                }
            }),
            Event::Started { .. }
            | Event::LlmRequested { .. }
            | Event::LlmAttemptFailed { .. }
            | Event::InquiryHandedOn { .. }
            | Event::InquiryReminded { .. }
            | Event::AnswerHeld { .. }
            | Event::AnswerTakenBack { .. }
            | Event::SubAgentFinished { .. } => Vec::new(),
            Event::RoundFinished | Event::Closed { .. } => {
                self.open = None;
                Vec::new()
            }
            Event::TurnEnded { end } => {
                self.open = None;
                let failure = failure(end);
                Vec::from_iter(failure.map(|failure| failure_message(position, failure)))
            }
        };
        self.knows_round |= !event.continues_round();
        messages
    }

    fn receive(
        &mut self,
        message: MessageResponse,
        answers: Option<&InquiryId>,
    ) -> Vec<MessageResponse> {
        let linked = |inquiry| self.link_message(inquiry, &message.id);
        let mut changed = answers.map_or_else(Vec::new, linked);
        changed.push(message);
        changed
    }

    fn begin(&mut self, message: MessageResponse, calls: &[ToolCall]) -> Vec<MessageResponse> {
        let blocks = calls.iter().map(|call| CallBlock {
            call: call.clone(),
            block: Dialect::of_tool(&call.name)
                .is_none()
                .then(|| BlockResponse::tool_call(call, message.at)),
            questions: Vec::new(),
        });
        let open = OpenRound {
            calls: blocks.collect(),
            message,
            inquiry: None,
        };
        let message = open.to_message();
        self.open = (!calls.is_empty()).then_some(open);
        vec![message]
    }

    fn ask(&mut self, position: EventPosition, pending: &PendingInquiry) -> Vec<MessageResponse> {
        if let Some(call) = &pending.call {
            let block = BlockResponse::question(pending);
            if let Some(open) = &mut self.open {
                open.inquiry = Some((pending.id.clone(), pending.inquiry.clone()));
            }
            let by_tool = pending.tool.is_some();
            return self.change(call, |call_block| {
                if by_tool {
                    call_block.questions.push(block);
                } else {
                    call_block.block = Some(block);
                }
            });
        }
        let mut message = agent_message(position);
        message.blocks.push(BlockResponse::question(pending));
        let asked = OpenRound {
            message: message.clone(),
            calls: Vec::new(),
            inquiry: Some((pending.id.clone(), pending.inquiry.clone())),
        };
        self.pending.insert(pending.id.clone(), asked);
        vec![message]
    }

    fn move_deadline(
        &mut self,
        id: &InquiryId,
        expires_at: Option<Timestamp>,
    ) -> Vec<MessageResponse> {
        self.change_question(id, |block, _| {
            if let Some(extra) = &mut block.extra {
                extra.expires_at = expires_at;
            }
        })
    }

    fn resolve(&mut self, id: &InquiryId, resolution: &Resolution) -> Vec<MessageResponse> {
        let changed = self.change_question(id, |block, inquiry| block.resolve(inquiry, resolution));
        self.pending.remove(id);
        changed
    }

    /// Links a question to the message that the user wrote instead of answering it.
    fn link_message(&mut self, id: &InquiryId, message: &MessageId) -> Vec<MessageResponse> {
        self.change_question(id, |block, _| {
            if let Some(extra) = &mut block.extra
                && extra.inquiry_status == InquiryStatus::Superseded
            {
                extra.answer_message_id = Some(message.clone());
            }
        })
    }

    fn change(
        &mut self,
        call: &CallId,
        change: impl FnOnce(&mut CallBlock),
    ) -> Vec<MessageResponse> {
        let Some(open) = &mut self.open else {
            return Vec::new();
        };
        let Some(call_block) = open
            .calls
            .iter_mut()
            .find(|call_block| call_block.call.id == *call)
        else {
            return Vec::new();
        };
        change(call_block);
        vec![open.to_message()]
    }

    fn change_question(
        &mut self,
        id: &InquiryId,
        change: impl FnOnce(&mut BlockResponse, &Inquiry),
    ) -> Vec<MessageResponse> {
        let round = self.pending.get_mut(id).or(self.open.as_mut());
        Vec::from_iter(round.and_then(|round| round.change(id, change)))
    }

    fn contains(&self, inquiry: &InquiryId) -> bool {
        let open = self.open.as_ref().and_then(|open| open.inquiry.as_ref());
        self.pending.contains_key(inquiry) || open.is_some_and(|(id, _)| id == inquiry)
    }

    fn boundary(&self, event: &Event) -> Boundary {
        if self.open.is_none() && (self.knows_round || !event.continues_round()) {
            Boundary::Clean
        } else {
            Boundary::Inside
        }
    }
}

impl CallBlock {
    fn finish(&mut self, result: &CallResult, at: Timestamp) {
        match &mut self.block {
            // The outcome of a question has changed its block already.
            Some(block) if block.extra.is_some() => {}
            Some(block) => block.finish(result),
            None => self.block = Some(BlockResponse::refused_call(&self.call, result, at)),
        }
    }
}

impl OpenRound {
    /// The message with the blocks of its calls.
    fn to_message(&self) -> MessageResponse {
        let mut message = self.message.clone();
        for call_block in &self.calls {
            message.blocks.extend(call_block.block.clone());
            message.blocks.extend(call_block.questions.iter().cloned());
        }
        message
    }

    fn change(
        &mut self,
        id: &InquiryId,
        change: impl FnOnce(&mut BlockResponse, &Inquiry),
    ) -> Option<MessageResponse> {
        let (_, inquiry) = self.inquiry.as_ref().filter(|(asked, _)| asked == id)?;
        let calls = self.calls.iter_mut();
        let calls = calls
            .flat_map(|call_block| call_block.block.iter_mut().chain(&mut call_block.questions));
        let mut blocks = self.message.blocks.iter_mut().chain(calls);
        let block = blocks.find(|block| block.inquiry_id() == Some(id))?;
        change(block, inquiry);
        Some(self.to_message())
    }
}

/// The ids of agent messages are this prefix and the sequence number of their event.
const AGENT_PREFIX: &str = "evt_";

/// A message of the user. In old logs the senders chose the ids, and one that looks like the id of an
/// agent message must not replace that message.
fn user_message(
    position: EventPosition,
    id: &MessageId,
    sent_as: Option<&MessageId>,
    text: &Text,
) -> MessageResponse {
    let id = if id.as_str().starts_with(AGENT_PREFIX) {
        MessageId::new(format!("{}{id}", MessageId::PREFIX))
    } else {
        id.clone()
    };
    MessageResponse {
        id,
        sent_as: sent_as.cloned(),
        role: Role::User,
        at: position.at,
        sequence: position.sequence,
        blocks: vec![BlockResponse::content(text, position.at)],
    }
}

fn agent_message(position: EventPosition) -> MessageResponse {
    MessageResponse {
        id: MessageId::new(format!("{AGENT_PREFIX}{}", position.sequence)),
        sent_as: None,
        role: Role::Assistant,
        at: position.at,
        sequence: position.sequence,
        blocks: Vec::new(),
    }
}

fn failure(end: &TurnEnd) -> Option<&AgentFailure> {
    match end {
        TurnEnd::Failed { failure } => Some(failure),
        TurnEnd::Replied | TurnEnd::Stopped => None,
    }
}

fn failure_message(position: EventPosition, failure: &AgentFailure) -> MessageResponse {
    let mut message = agent_message(position);
    let block = BlockResponse::error(failure.message.as_str(), position.at);
    message.blocks.push(block);
    message
}

#[cfg(test)]
#[path = "projection_tests.rs"]
mod tests;
