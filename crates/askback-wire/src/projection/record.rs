//! Turns the records of a conversation into the events of its feed.
//!
//! A projection that starts in the middle of a conversation says what it has to see first:
//! [`Projection::needs_round`] and [`Projection::missing_inquiries`]. Everything else is in the record.

use askback_core::conversation::event::{AgentFailure, Event};
use askback_core::conversation::state::PendingInquiry;
use askback_core::id::{ConversationId, InquiryId};
use askback_core::outcome::Actor;
use jiff::Timestamp;

use super::{EventPosition, Projection};
use crate::event::{ErrorEvent, EventResponse, InquiryEvent, MessageEvent, StateChangeEvent};
use crate::inquiry::InquiryResponse;
use crate::state::{StateResponse, failure_code};

/// The events of one commit, and what follows them.
#[derive(Debug)]
pub struct RecordContents<'r> {
    /// The conversation it belongs to.
    pub conversation: &'r ConversationId,
    /// When it was decided.
    pub at: Timestamp,
    /// The events with their positions.
    pub events: &'r [(u64, Event)],
    /// The position of the end.
    pub last: u64,
    /// What the feed has after the events.
    pub end: RecordEnd,
}

/// What the feed has after the events of a record.
#[derive(Debug)]
pub enum RecordEnd {
    /// The state after them.
    State(Box<StateResponse>),
    /// Nothing: a later state replaces this one.
    Replaced,
    /// The record cannot be read.
    Damaged,
}

/// What the feed reports besides messages.
#[derive(Debug, Clone, Copy)]
pub enum FeedReport<'e> {
    /// A question was asked.
    Asked(&'e PendingInquiry),
    /// A question changed. The event shows it as a whole.
    Changed(&'e InquiryId, InquiryVariant),
    /// An answer was undone.
    Reopened(&'e InquiryId, &'e Actor),
    /// A turn failed.
    Failed(&'e AgentFailure),
}

/// The event of the feed that shows an inquiry.
type InquiryVariant = fn(InquiryEvent) -> EventResponse;

/// The inquiries that the events of a record are about.
pub trait RecordInquiries {
    /// The inquiry as it was asked.
    fn asked(&self, pending: &PendingInquiry) -> Option<InquiryResponse>;

    /// The inquiry after the record.
    fn response(&self, inquiry: &InquiryId) -> Option<InquiryResponse>;
}

/// The events that a feed has at one position.
#[derive(Debug, Clone, PartialEq)]
pub struct PositionedEvents {
    /// The position.
    pub sequence: u64,
    /// In order. A client that has the last of them has all.
    pub events: Vec<EventResponse>,
}

impl Projection {
    /// Whether the round must be [replayed](Projection::replay) first that is open before these events.
    pub fn needs_round(&self, events: &[(u64, Event)]) -> bool {
        let first = events.first();
        !self.knows_round && first.is_some_and(|(_, event)| event.continues_round())
    }

    /// Inquiries that these events change and that the projection has not seen. Replay the events that
    /// asked them first, with the deadlines that they have by now, if external agents did.
    pub fn missing_inquiries<'e>(&self, events: &'e [(u64, Event)]) -> Vec<&'e InquiryId> {
        let mut asked = Vec::new();
        let mut missing = Vec::new();
        for (_, event) in events {
            if let Event::InquiryAsked { pending } = event {
                asked.push(&pending.id);
            }
            if let Event::DeadlineMoved { inquiry, .. } | Event::InquiryResolved { inquiry, .. } =
                event
                && !self.contains(inquiry)
                && !asked.contains(&inquiry)
                && !missing.contains(&inquiry)
            {
                missing.push(inquiry);
            }
        }
        missing
    }

    /// Applies events whose messages clients have already.
    pub fn replay<'e>(
        &mut self,
        at: Timestamp,
        events: impl IntoIterator<Item = &'e (u64, Event)>,
    ) {
        for (sequence, event) in events {
            let position = EventPosition {
                sequence: *sequence,
                at,
            };
            drop(self.apply(position, event));
        }
        self.knows_round = true;
    }

    /// The events that clients get for a record.
    pub fn project_record(
        &mut self,
        record: RecordContents<'_>,
        inquiries: &impl RecordInquiries,
    ) -> Vec<PositionedEvents> {
        let (conversation, at) = (record.conversation, record.at);
        let mut projected = Vec::with_capacity(record.events.len() + 1);
        for (sequence, event) in record.events {
            let sequence = *sequence;
            let event = self.apply(EventPosition { sequence, at }, event);
            let messages = event.messages.into_iter().map(|message| {
                EventResponse::Message(MessageEvent {
                    conversation_id: conversation.clone(),
                    sequence,
                    message,
                })
            });
            let report = event.report;
            let report = report.and_then(|it| it.to_event(conversation, sequence, inquiries));
            let events = messages.chain(report).collect();
            projected.push(PositionedEvents { sequence, events });
        }
        projected.extend(end_event(record.end, conversation, record.last));
        projected
    }
}

fn inquiry_event(inquiry: InquiryResponse, sequence: u64) -> InquiryEvent {
    InquiryEvent {
        inquiry,
        sequence,
        undone_by: None,
    }
}

impl FeedReport<'_> {
    fn to_event(
        self,
        conversation: &ConversationId,
        sequence: u64,
        inquiries: &impl RecordInquiries,
    ) -> Option<EventResponse> {
        match self {
            FeedReport::Asked(pending) => {
                let inquiry = inquiries.asked(pending)?;
                Some(EventResponse::InquiryAsked(inquiry_event(
                    inquiry, sequence,
                )))
            }
            FeedReport::Changed(id, to_event) => {
                let inquiry = inquiries.response(id)?;
                Some(to_event(inquiry_event(inquiry, sequence)))
            }
            FeedReport::Reopened(id, by) => {
                let inquiry = inquiries.response(id)?;
                Some(EventResponse::InquiryReopened(InquiryEvent {
                    undone_by: Some(by.into()),
                    ..inquiry_event(inquiry, sequence)
                }))
            }
            FeedReport::Failed(failure) => Some(EventResponse::Error(ErrorEvent {
                conversation_id: Some(conversation.clone()),
                code: failure_code(failure.kind).to_owned(),
                message: failure.message.to_string(),
                sequence: Some(sequence),
            })),
        }
    }
}

fn end_event(end: RecordEnd, conversation: &ConversationId, last: u64) -> Option<PositionedEvents> {
    let event = match end {
        RecordEnd::State(state) => EventResponse::StateChange(StateChangeEvent {
            state: *state,
            conversation_id: conversation.clone(),
            sequence: last,
        }),
        RecordEnd::Replaced => return None,
        RecordEnd::Damaged => EventResponse::Error(ErrorEvent {
            conversation_id: Some(conversation.clone()),
            code: "unreadable".to_owned(),
            message: "What happened here cannot be read. The server's log says more.".to_owned(),
            sequence: Some(last),
        }),
    };
    Some(PositionedEvents {
        sequence: last,
        events: vec![event],
    })
}
