//! Turns log entries into server-sent events.

use std::collections::HashMap;

use askback_core::conversation::event::{Event, TurnEnd};
use askback_core::id::{ConversationId, InquiryId};
use askback_engine::{Engine, LogEntry, Record, ResolvedInquiry};
use askback_store::StoreError;
use askback_wire::event::{
    ErrorEvent, EventResponse, InquiryEvent, MessageEvent, StateChangeEvent, frames,
};
use askback_wire::inquiry::InquiryResponse;
use askback_wire::projection::{EventPosition, Projection};
use askback_wire::sse::SseFrame;
use askback_wire::state::failure_code;

use crate::routes::{inquiry_response, state_response};

/// Events that are read to find the open round of a conversation.
const REPLAYED_EVENTS_MAX: usize = 64;
/// Conversations whose projection is kept. Beyond that all are dropped and read again when needed.
const PROJECTIONS_MAX: usize = 1024;
/// The same in bytes.
const PROJECTION_BYTES_MAX: usize = 16 << 20;
/// Turns log entries into frames, one entry at a time. It keeps the projections of conversations, so
/// that a message that changes is sent complete.
#[derive(Default)]
pub(super) struct FrameBuilder {
    /// The sequence number of the last entry.
    last: u64,
    /// Valid only while no entry is left out.
    projections: HashMap<ConversationId, Projection>,
    projection_bytes: usize,
}

impl FrameBuilder {
    /// Drops all projections if entries were left out before this one. Only for a builder over all
    /// conversations: one conversation's sequence numbers have gaps.
    pub(super) fn reset_on_gap(&mut self, entry: &LogEntry) {
        if entry.sequence != self.last + 1 {
            self.clear();
        }
    }

    fn clear(&mut self) {
        self.projections.clear();
        self.projection_bytes = 0;
    }

    fn insert(&mut self, id: &ConversationId, projection: Projection) {
        let bytes = projection.bytes();
        if self.projections.len() >= PROJECTIONS_MAX
            || self.projection_bytes + bytes > PROJECTION_BYTES_MAX
        {
            self.clear();
        }
        self.projection_bytes += bytes;
        self.projections.insert(id.clone(), projection);
    }

    /// The frames of an entry, possibly none. A damaged entry becomes an `error` event. Fails if the
    /// store cannot be read now; the next entry is then seen as coming after a gap.
    pub(super) async fn frames(
        &mut self,
        engine: &Engine,
        entry: &LogEntry,
    ) -> Result<Vec<SseFrame>, StoreError> {
        let mut events = Vec::new();
        match &entry.record {
            Record::State(state) => events.push(EventResponse::StateChange(StateChangeEvent {
                state: state_response(state),
                conversation_id: entry.conversation.clone(),
                sequence: entry.sequence,
            })),
            Record::Event(event) => {
                let messages = self.messages(engine, entry, event).await;
                events.extend(replace_if_corrupt(messages, entry)?);
                let other = inquiry_or_error_event(engine, entry, event).await;
                events.extend(replace_if_corrupt(other.map(Vec::from_iter), entry)?);
            }
            Record::Unreadable => events.push(unreadable_event(entry)),
        }
        self.last = entry.sequence;
        Ok(frames(&events))
    }

    /// The messages that an event adds or changes, each complete.
    async fn messages(
        &mut self,
        engine: &Engine,
        entry: &LogEntry,
        event: &Event,
    ) -> Result<Vec<EventResponse>, StoreError> {
        let mut projection = match self.projections.remove(&entry.conversation) {
            Some(projection) => projection,
            None => replay_open_round(engine, entry, event).await?,
        };
        self.projection_bytes -= self.projection_bytes.min(projection.bytes());
        if let Some(inquiry) = changed_inquiry(event)
            && !projection.contains(inquiry)
        {
            replay_asked_event(engine, entry, inquiry, &mut projection).await?;
        }
        let messages = projection.apply(position(entry), event);
        self.insert(&entry.conversation, projection);
        let events = messages.into_iter().map(|message| {
            EventResponse::Message(MessageEvent {
                conversation_id: entry.conversation.clone(),
                sequence: entry.sequence,
                message,
            })
        });
        Ok(events.collect())
    }
}

fn position(entry: &LogEntry) -> EventPosition {
    EventPosition {
        sequence: entry.sequence,
        at: entry.at,
    }
}

/// The event that clients get in place of a damaged one.
fn unreadable_event(entry: &LogEntry) -> EventResponse {
    EventResponse::Error(ErrorEvent {
        conversation_id: Some(entry.conversation.clone()),
        code: "unreadable".to_owned(),
        message: "What happened here cannot be read. The server's log says more.".to_owned(),
        sequence: Some(entry.sequence),
    })
}

/// Replaces events that could not be built because the stored data is damaged.
fn replace_if_corrupt(
    events: Result<Vec<EventResponse>, StoreError>,
    entry: &LogEntry,
) -> Result<Vec<EventResponse>, StoreError> {
    if let Err(StoreError::Corrupt(why)) = &events {
        let sequence = entry.sequence;
        tracing::error!(sequence, why, "cannot parse the inquiry of an event");
        return Ok(vec![unreadable_event(entry)]);
    }
    events
}

/// A projection with the round that was open before this entry.
async fn replay_open_round(
    engine: &Engine,
    entry: &LogEntry,
    event: &Event,
) -> Result<Projection, StoreError> {
    let mut projection = Projection::default();
    if matches!(event, Event::Started { .. }) {
        return Ok(projection);
    }
    let before = Some(entry.sequence);
    let earlier = engine.events_before(&entry.conversation, before, REPLAYED_EVENTS_MAX);
    for earlier in earlier.await?.entries {
        if let Record::Event(event) = &earlier.record {
            // These messages were sent before; only the new state of the projection matters.
            drop(projection.apply(position(&earlier), event));
        }
    }
    Ok(projection)
}

/// The inquiry whose message an event changes.
fn changed_inquiry(event: &Event) -> Option<&InquiryId> {
    if let Event::DeadlineMoved { inquiry, .. } | Event::InquiryResolved { inquiry, .. } = event {
        Some(inquiry)
    } else {
        None
    }
}

/// Adds a pending inquiry that was asked before the events that the projection has seen.
async fn replay_asked_event(
    engine: &Engine,
    entry: &LogEntry,
    inquiry: &InquiryId,
    projection: &mut Projection,
) -> Result<(), StoreError> {
    let asked = engine.asked_event(&entry.conversation, inquiry, entry.sequence);
    if let Some(asked) = asked.await?
        && let Record::Event(event @ Event::InquiryAsked { pending }) = &asked.record
        && pending.call.is_none()
    {
        // Its message was sent before.
        drop(projection.apply(position(&asked), event));
    }
    Ok(())
}

/// The `inquiry_…` or `error` event that a client gets besides the messages.
async fn inquiry_or_error_event(
    engine: &Engine,
    entry: &LogEntry,
    event: &Event,
) -> Result<Option<EventResponse>, StoreError> {
    let sequence = entry.sequence;
    if let Event::InquiryAsked { pending } = event {
        let mut inquiry = InquiryResponse::pending(&entry.conversation, pending);
        if inquiry.source.is_none() {
            // The name of the asker may be in the row only.
            let view = engine.inquiry(&pending.id).await?;
            inquiry.source = view.and_then(|view| view.row.source);
        }
        return Ok(Some(EventResponse::InquiryAsked(InquiryEvent {
            inquiry,
            sequence,
        })));
    }
    if let Some((inquiry, to_event)) = pending_inquiry_event(event) {
        let Some(view) = engine.inquiry(inquiry).await? else {
            return Ok(None);
        };
        return Ok(Some(to_event(InquiryEvent {
            inquiry: inquiry_response(&view),
            sequence,
        })));
    }
    if let Event::InquiryResolved {
        inquiry,
        resolution,
        result,
    } = event
    {
        let inquiry = if let Some(ResolvedInquiry { pending, source }) = &entry.resolved_inquiry {
            let mut asked = InquiryResponse::pending(&entry.conversation, pending);
            asked.source.clone_from(source);
            asked.resolved(&pending.inquiry, resolution, result)
        } else {
            let Some(view) = engine.inquiry(inquiry).await? else {
                return Ok(None);
            };
            inquiry_response(&view)
        };
        return Ok(Some(EventResponse::InquiryResolved(InquiryEvent {
            inquiry,
            sequence,
        })));
    }
    if let Event::TurnEnded {
        end: TurnEnd::Failed { failure },
    } = event
    {
        return Ok(Some(EventResponse::Error(ErrorEvent {
            conversation_id: Some(entry.conversation.clone()),
            code: failure_code(failure.kind).to_owned(),
            message: failure.message.to_string(),
            sequence: Some(sequence),
        })));
    }
    Ok(None)
}

type InquiryEventVariant = fn(InquiryEvent) -> EventResponse;

/// Events of an inquiry that stays pending, with the variant that clients get. They show the inquiry
/// as it is now.
fn pending_inquiry_event(event: &Event) -> Option<(&InquiryId, InquiryEventVariant)> {
    if let Event::InquiryReminded { inquiry, .. } = event {
        Some((inquiry, EventResponse::InquiryReminder))
    } else if let Event::AnswerHeld { inquiry, .. } = event {
        Some((inquiry, EventResponse::InquiryHeld))
    } else if let Event::AnswerTakenBack { inquiry, .. } = event {
        Some((inquiry, EventResponse::InquiryReopened))
    } else {
        None
    }
}
