//! The events of a conversation as messages.
//!
//! Pure, and the same for a page that is read and for a feed that runs: [`Projection::take`] says
//! which messages an event has begun or changed, [`messages`] gathers them, [`page`] cuts them
//! where no round is left without its results.

use std::collections::BTreeMap;

use askback_core::conversation::event::{CallResult, Event, ToolCall, TurnEnd};
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

/// Where and when an event was written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Place {
    /// Its sequence.
    pub sequence: u64,
    /// Its time.
    pub at: Timestamp,
}

/// All messages that the events give, oldest first. Each event comes with its sequence and time.
pub fn messages<'a>(
    events: impl IntoIterator<Item = (u64, Timestamp, &'a Event)>,
) -> Vec<MessageResponse> {
    gather(events)
        .into_iter()
        .map(|(message, _)| message)
        .collect()
}

/// A page of messages.
#[derive(Debug, Clone, PartialEq)]
pub struct MessagePage {
    /// The messages, oldest first.
    pub messages: Vec<MessageResponse>,
    /// Older messages are in events below this sequence; none if this page begins at the beginning.
    pub before: Option<u64>,
}

/// The newest messages of a window of events, about `limit` of them.
///
/// The window is the last events below some point, oldest first. A page begins where no round is
/// open, so it may hold some messages more. `None` if no message of the window is such a place:
/// load a larger window.
pub fn page<'a>(
    events: impl IntoIterator<Item = (u64, Timestamp, &'a Event)>,
    limit: usize,
) -> Option<MessagePage> {
    let mut events = events.into_iter().peekable();
    let from_start = events
        .peek()
        .is_none_or(|(_, _, event)| matches!(event, Event::Started { .. }));
    let all = gather(events);
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

/// Whether a page may begin with a message.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Boundary {
    /// No round was open when it was written.
    Clean,
    /// It was written into an open round, or that is not known.
    Inside,
}

fn gather<'a>(
    events: impl IntoIterator<Item = (u64, Timestamp, &'a Event)>,
) -> Vec<(MessageResponse, Boundary)> {
    let mut projection = Projection::default();
    let mut all: Vec<(MessageResponse, Boundary)> = Vec::new();
    let mut index: BTreeMap<MessageId, usize> = BTreeMap::new();
    for (sequence, at, event) in events {
        let place = Place { sequence, at };
        let boundary = projection.boundary(event);
        for message in projection.take(place, event) {
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

/// Turns events into messages, one after the other. Small: it holds what can change still, the
/// message of the open round and the questions of external agents that wait.
#[derive(Debug, Clone, Default)]
pub struct Projection {
    open: Option<OpenRound>,
    waiting: BTreeMap<InquiryId, Asked>,
    /// Whether the events so far tell that no round is open, if `open` holds none.
    settled: bool,
}

/// The message of a round whose calls have not all got their results.
#[derive(Debug, Clone)]
struct OpenRound {
    message: MessageResponse,
    slots: Vec<Slot>,
    /// The question that was asked last in this round.
    inquiry: Option<(InquiryId, Inquiry)>,
}

/// A call and its block. A call that asks has none before it is asked or refused.
#[derive(Debug, Clone)]
struct Slot {
    call: ToolCall,
    block: Option<BlockResponse>,
}

/// A question of an external agent. Its message is made when it is told, so that what waits is held
/// once, however many hold a projection.
#[derive(Debug, Clone)]
struct Asked {
    place: Place,
    pending: PendingInquiry,
}

impl Asked {
    fn message(&self) -> MessageResponse {
        let mut message = agent_message(self.place);
        message.blocks.push(BlockResponse::question(&self.pending));
        message
    }
}

impl Projection {
    /// The messages that an event begins or changes, each of them whole.
    pub fn take(&mut self, place: Place, event: &Event) -> Vec<MessageResponse> {
        match event {
            Event::Started { .. } | Event::LlmRequested { .. } => {
                self.settled = true;
                Vec::new()
            }
            Event::MessageReceived {
                message,
                sent_as,
                text,
                answers,
                ..
            } => {
                let received = user_message(place, (message, sent_as.as_ref()), text);
                self.receive(received, answers.as_ref())
            }
            Event::AssistantReplied { reply } => {
                let mut message = agent_message(place);
                let said = reply.text.iter();
                message.blocks = said
                    .map(|text| BlockResponse::content(text, place.at))
                    .collect();
                self.begin(message, &reply.calls)
            }
            Event::CallStarted { call } => self.change(call, |slot| {
                if let Some(block) = &mut slot.block {
                    block.status = Some(BlockStatus::Loading);
                }
            }),
            Event::CallFinished { call, result } => {
                self.change(call, |slot| slot.finish(result, place.at))
            }
            Event::InquiryAsked { pending } => self.ask(place, pending),
            Event::DeadlineMoved {
                inquiry,
                expires_at,
                ..
            } => {
                if let Some(asked) = self.waiting.get_mut(inquiry) {
                    asked.pending.expires_at = *expires_at;
                }
                self.change_question(inquiry, |block, _| {
                    if let Some(extra) = &mut block.extra {
                        extra.expires_at = *expires_at;
                    }
                })
            }
            Event::InquiryResolved {
                inquiry,
                resolution,
                ..
            } => self.resolve(inquiry, resolution),
            Event::SubAgentsStarted { call, children } => self.change(call, |slot| {
                if let Some(block) = &mut slot.block {
                    block.start_agents(children);
                }
            }),
            Event::LlmAttemptFailed { .. }
            | Event::InquiryReminded { .. }
            | Event::AnswerHeld { .. }
            | Event::AnswerTakenBack { .. }
            | Event::SubAgentFinished { .. } => Vec::new(),
            Event::RoundFinished | Event::Closed { .. } => {
                self.close();
                Vec::new()
            }
            Event::TurnEnded { end } => {
                self.close();
                Vec::from_iter(failure(place, end))
            }
        }
    }

    fn receive(
        &mut self,
        message: MessageResponse,
        answers: Option<&InquiryId>,
    ) -> Vec<MessageResponse> {
        self.settled |= answers.is_none();
        let answered = |inquiry| self.answered_by(inquiry, &message.id);
        let mut changed = answers.map_or_else(Vec::new, answered);
        changed.push(message);
        changed
    }

    fn close(&mut self) {
        self.open = None;
        self.settled = true;
    }

    fn begin(&mut self, message: MessageResponse, calls: &[ToolCall]) -> Vec<MessageResponse> {
        self.settled = true;
        let slots = calls.iter().map(|call| Slot {
            call: call.clone(),
            block: Dialect::from_name(&call.name)
                .is_none()
                .then(|| BlockResponse::tool_call(call, message.at)),
        });
        let open = OpenRound {
            slots: slots.collect(),
            message,
            inquiry: None,
        };
        let message = open.whole();
        self.open = (!calls.is_empty()).then_some(open);
        vec![message]
    }

    fn ask(&mut self, place: Place, pending: &PendingInquiry) -> Vec<MessageResponse> {
        if let Some(call) = &pending.call {
            let block = BlockResponse::question(pending);
            if let Some(open) = &mut self.open {
                open.inquiry = Some((pending.id.clone(), pending.inquiry.clone()));
            }
            return self.change(call, |slot| slot.block = Some(block));
        }
        self.settled = true;
        let asked = Asked {
            place,
            pending: pending.clone(),
        };
        let message = asked.message();
        self.waiting.insert(pending.id.clone(), asked);
        vec![message]
    }

    fn resolve(&mut self, id: &InquiryId, resolution: &Resolution) -> Vec<MessageResponse> {
        let changed = self.change_question(id, |block, inquiry| block.resolve(inquiry, resolution));
        self.waiting.remove(id);
        changed
    }

    /// A message that a person wrote instead of choosing is named in the question it answers.
    fn answered_by(&mut self, id: &InquiryId, message: &MessageId) -> Vec<MessageResponse> {
        self.change_question(id, |block, _| {
            if let Some(extra) = &mut block.extra
                && extra.inquiry_status == InquiryStatus::Superseded
            {
                extra.answer_message_id = Some(message.clone());
            }
        })
    }

    fn change(&mut self, call: &CallId, change: impl FnOnce(&mut Slot)) -> Vec<MessageResponse> {
        let Some(open) = &mut self.open else {
            return Vec::new();
        };
        let Some(slot) = open.slots.iter_mut().find(|slot| slot.call.id == *call) else {
            return Vec::new();
        };
        change(slot);
        vec![open.whole()]
    }

    fn change_question(
        &mut self,
        id: &InquiryId,
        change: impl FnOnce(&mut BlockResponse, &Inquiry),
    ) -> Vec<MessageResponse> {
        if let Some(asked) = self.waiting.get(id) {
            let mut message = asked.message();
            if let Some(block) = message.blocks.first_mut() {
                change(block, &asked.pending.inquiry);
            }
            return vec![message];
        }
        Vec::from_iter(self.open.as_mut().and_then(|open| open.change(id, change)))
    }

    /// Whether a question is known that waits: its message can be told when it changes.
    pub fn knows(&self, inquiry: &InquiryId) -> bool {
        let open = self.open.as_ref().and_then(|open| open.inquiry.as_ref());
        self.waiting.contains_key(inquiry) || open.is_some_and(|(id, _)| id == inquiry)
    }

    /// The memory that it takes, about.
    pub fn bytes(&self) -> usize {
        let waiting = self.waiting.values();
        let waiting: usize = waiting.map(|asked| asked.pending.inquiry.bytes()).sum();
        waiting + self.open.as_ref().map_or(0, OpenRound::bytes)
    }

    fn boundary(&self, event: &Event) -> Boundary {
        let alone = match event {
            Event::MessageReceived { answers, .. } => answers.is_none(),
            Event::AssistantReplied { .. } | Event::TurnEnded { .. } => true,
            Event::InquiryAsked { pending } => pending.call.is_none(),
            Event::Started { .. }
            | Event::LlmRequested { .. }
            | Event::LlmAttemptFailed { .. }
            | Event::CallStarted { .. }
            | Event::CallFinished { .. }
            | Event::DeadlineMoved { .. }
            | Event::InquiryReminded { .. }
            | Event::AnswerHeld { .. }
            | Event::AnswerTakenBack { .. }
            | Event::InquiryResolved { .. }
            | Event::SubAgentsStarted { .. }
            | Event::SubAgentFinished { .. }
            | Event::RoundFinished
            | Event::Closed { .. } => false,
        };
        if self.open.is_none() && (alone || self.settled) {
            Boundary::Clean
        } else {
            Boundary::Inside
        }
    }
}

impl Slot {
    fn finish(&mut self, result: &CallResult, at: Timestamp) {
        match &mut self.block {
            // The outcome of a question has settled its block already.
            Some(block) if block.extra.is_some() => {}
            Some(block) => block.finish(result),
            None => self.block = Some(BlockResponse::refused_call(&self.call, result, at)),
        }
    }
}

impl OpenRound {
    fn bytes(&self) -> usize {
        let said = self.message.blocks.iter().map(|block| block.text.len());
        let calls = self.slots.iter().map(|slot| slot.call.bytes());
        let asked = self.inquiry.as_ref();
        // Once as the question and once as its block.
        let asked = asked.map_or(0, |(_, inquiry)| 2 * inquiry.bytes());
        said.sum::<usize>() + calls.sum::<usize>() + asked
    }

    /// The message with a block for each call that has one.
    fn whole(&self) -> MessageResponse {
        let mut message = self.message.clone();
        let blocks = self.slots.iter().filter_map(|slot| slot.block.clone());
        message.blocks.extend(blocks);
        message
    }

    fn change(
        &mut self,
        id: &InquiryId,
        change: impl FnOnce(&mut BlockResponse, &Inquiry),
    ) -> Option<MessageResponse> {
        let (_, inquiry) = self.inquiry.as_ref().filter(|(asked, _)| asked == id)?;
        let mut blocks = self.slots.iter_mut().filter_map(|slot| slot.block.as_mut());
        let block = blocks.find(|block| block.inquiry_id() == Some(id))?;
        change(block, inquiry);
        Some(self.whole())
    }
}

/// What ids of the agent's messages begin with: each is named for its event.
const AGENT_PREFIX: &str = "evt_";

/// A message of the user. Logs of old hold ids that their senders chose; one that looks like an id of
/// the agent's messages must not replace one of those.
fn user_message(
    place: Place,
    (id, sent_as): (&MessageId, Option<&MessageId>),
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
        at: place.at,
        sequence: place.sequence,
        blocks: vec![BlockResponse::content(text, place.at)],
    }
}

fn agent_message(place: Place) -> MessageResponse {
    MessageResponse {
        id: MessageId::new(format!("{AGENT_PREFIX}{}", place.sequence)),
        sent_as: None,
        role: Role::Assistant,
        at: place.at,
        sequence: place.sequence,
        blocks: Vec::new(),
    }
}

fn failure(place: Place, end: &TurnEnd) -> Option<MessageResponse> {
    let failure = match end {
        TurnEnd::Failed { failure } => failure,
        TurnEnd::Replied | TurnEnd::Stopped => return None,
    };
    let mut message = agent_message(place);
    let block = BlockResponse::error(failure.message.as_str(), place.at);
    message.blocks.push(block);
    Some(message)
}

#[cfg(test)]
#[path = "projection_tests.rs"]
mod tests;
