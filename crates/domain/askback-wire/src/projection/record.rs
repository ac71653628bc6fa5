//! Turns the records of a conversation into the events of feeds.
//!
//! The feed of all conversations has what changes inquiries, failures and states: [`changes`]. That of one conversation
//! has its messages as well: [`Projection::project_record`]. A projection that starts in the middle of a conversation
//! says what it has to see first: [`Projection::needs_round`] and [`Projection::missing_inquiries`].

use askback_core::conversation::event::{Event, TurnEnd};
use askback_core::id::{ConversationId, InquiryId};
use jiff::Timestamp;

use super::{EventPosition, Projection};
use crate::event::{
    ErrorEvent, EventResponse, InquiryEvent, MessageEvent, StateChangeEvent, UndoneBy,
};
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

    /// The events of the feed of the conversation.
    pub fn project_record(
        &mut self,
        record: &RecordContents<'_>,
        inquiry: impl Fn(&InquiryId) -> Option<InquiryResponse>,
    ) -> Vec<PositionedEvents> {
        let mut projected = changes(record, inquiry);
        for ((sequence, event), at) in record.events.iter().zip(&mut projected) {
            let position = EventPosition {
                sequence: *sequence,
                at: record.at,
            };
            let messages = self.apply(position, event).into_iter().map(|message| {
                EventResponse::Message(MessageEvent {
                    conversation_id: record.conversation.clone(),
                    sequence: *sequence,
                    message,
                })
            });
            at.events.splice(0..0, messages);
        }
        projected
    }
}

/// The events of the feed of all conversations. `inquiry` gives an inquiry as it is after the record.
pub fn changes(
    record: &RecordContents<'_>,
    inquiry: impl Fn(&InquiryId) -> Option<InquiryResponse>,
) -> Vec<PositionedEvents> {
    let events = record.events.iter().map(|(sequence, event)| {
        let changed = inquiry_event(event, *sequence, &inquiry);
        let changed = changed.map(|event| EventResponse::Inquiry(Box::new(event)));
        let failed = || failure_event(event, record.conversation, *sequence);
        PositionedEvents {
            sequence: *sequence,
            events: Vec::from_iter(changed.or_else(failed)),
        }
    });
    let end = end_event(&record.end, record.conversation, record.last);
    events.chain(end).collect()
}

fn inquiry_event(
    event: &Event,
    sequence: u64,
    inquiry: impl Fn(&InquiryId) -> Option<InquiryResponse>,
) -> Option<InquiryEvent> {
    let (id, change) = event.inquiry_change()?;
    let undone_by = if let Event::AnswerTakenBack { by, .. } = event {
        Some(UndoneBy::from(by))
    } else {
        None
    };
    Some(InquiryEvent {
        change: change.into(),
        sequence: Some(sequence),
        inquiry: inquiry(id)?,
        undone_by,
    })
}

fn failure_event(
    event: &Event,
    conversation: &ConversationId,
    sequence: u64,
) -> Option<EventResponse> {
    let Event::TurnEnded {
        end: TurnEnd::Failed { failure },
    } = event
    else {
        return None;
    };
    Some(EventResponse::Error(ErrorEvent {
        conversation_id: Some(conversation.clone()),
        code: failure_code(failure.kind).to_owned(),
        message: failure.message.to_string(),
        sequence: Some(sequence),
    }))
}

fn end_event(
    end: &RecordEnd,
    conversation: &ConversationId,
    last: u64,
) -> Option<PositionedEvents> {
    let event = match end {
        RecordEnd::State(state) => EventResponse::StateChange(StateChangeEvent {
            state: (**state).clone(),
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
