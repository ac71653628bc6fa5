//! Turns records into server-sent events.

use std::collections::HashMap;
use std::sync::Arc;

use askback_core::conversation::event::{Event, TurnEnd};
use askback_core::id::{ConversationId, InquiryId};
use askback_engine::{Engine, Record};
use askback_store::StoreError;
use askback_wire::event::{
    ErrorEvent, EventResponse, InquiryEvent, MessageEvent, StateChangeEvent, frames,
};
use askback_wire::inquiry::InquiryResponse;
use askback_wire::projection::{EventPosition, Projection};
use askback_wire::sse::SseFrame;
use askback_wire::state::failure_code;

use crate::routes::{inquiry_response, state_response};

/// Conversations whose projection is kept. Beyond that all are dropped and read again when needed.
const PROJECTIONS_MAX: usize = 1024;
/// The same in bytes.
const PROJECTION_BYTES_MAX: usize = 16 << 20;

/// A frame with its position in the feed. Frames without one are always sent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct PositionedFrame {
    pub(super) sequence: Option<u64>,
    pub(super) frame: SseFrame,
}

/// The frames of a record. Feeds share them, so that a slow client holds no copy.
pub(super) type RecordFrames = Arc<[PositionedFrame]>;

/// Turns records into frames, one record at a time. It keeps the projections of conversations, so
/// that a message that changes is sent complete.
#[derive(Default)]
pub(super) struct FrameBuilder {
    /// The last position of the last record.
    last: u64,
    /// Valid only while no record is left out.
    projections: HashMap<ConversationId, Projection>,
    projection_bytes: usize,
}

impl FrameBuilder {
    /// Drops all projections if records were left out before this one. Only for a builder over all
    /// conversations: one conversation's sequence numbers have gaps.
    pub(super) fn reset_on_gap(&mut self, record: &Record) {
        if record.first != self.last + 1 {
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

    /// The frames of a record, possibly none. A damaged record becomes an `error` event. Fails if the
    /// store cannot be read now; the next record is then seen as coming after a gap.
    pub(super) async fn frames(
        &mut self,
        engine: &Engine,
        record: &Record,
    ) -> Result<RecordFrames, StoreError> {
        let mut projection = match self.projections.remove(&record.conversation) {
            Some(projection) => projection,
            None => replay_open_round(engine, record).await?,
        };
        self.projection_bytes -= self.projection_bytes.min(projection.bytes());
        let mut built = Vec::new();
        for (sequence, event) in &record.events {
            if let Some(inquiry) = changed_inquiry(event)
                && !projection.contains(inquiry)
            {
                replay_asked_event(engine, record, inquiry, &mut projection).await?;
            }
            add_frames(
                &mut built,
                *sequence,
                &events(record, *sequence, event, &mut projection),
            );
        }
        self.insert(&record.conversation, projection);
        let after = if record.is_damaged {
            Some(damaged_event(record))
        } else {
            record.state.as_ref().map(|state| {
                EventResponse::StateChange(StateChangeEvent {
                    state: state_response(state),
                    conversation_id: record.conversation.clone(),
                    sequence: record.last,
                })
            })
        };
        add_frames(&mut built, record.last, after.as_slice());
        self.last = record.last;
        Ok(built.into())
    }
}

/// Adds the frames of the events at one position.
fn add_frames(built: &mut Vec<PositionedFrame>, sequence: u64, events: &[EventResponse]) {
    let sequence = Some(sequence);
    let positioned = |frame| PositionedFrame { sequence, frame };
    built.extend(frames(events).into_iter().map(positioned));
}

/// The events that clients get for one event: the messages that it adds or changes, each complete, and
/// at most one more.
fn events(
    record: &Record,
    sequence: u64,
    event: &Event,
    projection: &mut Projection,
) -> Vec<EventResponse> {
    let position = EventPosition {
        sequence,
        at: record.at,
    };
    let messages = projection.apply(position, event).into_iter();
    let messages = messages.map(|message| {
        EventResponse::Message(MessageEvent {
            conversation_id: record.conversation.clone(),
            sequence,
            message,
        })
    });
    messages
        .chain(inquiry_or_error_event(record, sequence, event))
        .collect()
}

/// The event that clients get in place of a damaged record.
fn damaged_event(record: &Record) -> EventResponse {
    EventResponse::Error(ErrorEvent {
        conversation_id: Some(record.conversation.clone()),
        code: "unreadable".to_owned(),
        message: "What happened here cannot be read. The server's log says more.".to_owned(),
        sequence: Some(record.last),
    })
}

/// A projection with the round that was open before this record, if one of its events continues a
/// round.
async fn replay_open_round(engine: &Engine, record: &Record) -> Result<Projection, StoreError> {
    let mut projection = Projection::default();
    let first = record.events.first();
    if !first.is_some_and(|(_, event)| continues_round(event)) {
        return Ok(projection);
    }
    let round = engine.open_round_before(&record.conversation, record.first);
    for earlier in round.await? {
        for (sequence, event) in &earlier.events {
            let position = EventPosition {
                sequence: *sequence,
                at: earlier.at,
            };
            // These messages were sent before; only the new state of the projection matters.
            drop(projection.apply(position, event));
        }
    }
    Ok(projection)
}

/// Whether a round may be open before the event.
fn continues_round(event: &Event) -> bool {
    match event {
        Event::CallStarted { .. }
        | Event::CallFinished { .. }
        | Event::DeadlineMoved { .. }
        | Event::InquiryReminded { .. }
        | Event::AnswerHeld { .. }
        | Event::AnswerTakenBack { .. }
        | Event::InquiryResolved { .. }
        | Event::SubAgentsStarted { .. }
        | Event::SubAgentFinished { .. }
        | Event::RoundFinished => true,
        Event::MessageReceived { answers, .. } => answers.is_some(),
        Event::InquiryAsked { pending } => pending.call.is_some(),
        Event::Started { .. }
        | Event::LlmRequested { .. }
        | Event::LlmAttemptFailed { .. }
        | Event::AssistantReplied { .. }
        | Event::TurnEnded { .. }
        | Event::Closed { .. } => false,
    }
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
    record: &Record,
    inquiry: &InquiryId,
    projection: &mut Projection,
) -> Result<(), StoreError> {
    let asked = engine.asked_event(&record.conversation, inquiry, record.first);
    if let Some(asked) = asked.await?
        && let Event::InquiryAsked { pending } = &asked.event
        && pending.call.is_none()
    {
        let position = EventPosition {
            sequence: asked.sequence,
            at: asked.at,
        };
        // Its message was sent before.
        drop(projection.apply(position, &asked.event));
    }
    Ok(())
}

/// The `inquiry_…` or `error` event that a client gets besides the messages.
fn inquiry_or_error_event(record: &Record, sequence: u64, event: &Event) -> Option<EventResponse> {
    if let Event::InquiryAsked { pending } = event {
        let mut inquiry = InquiryResponse::pending(&record.conversation, pending);
        if let Some(view) = record.inquiry(&pending.id) {
            inquiry.source.clone_from(&view.row.source);
        }
        return Some(EventResponse::InquiryAsked(InquiryEvent {
            inquiry,
            sequence,
        }));
    }
    if let Some((inquiry, to_event)) = inquiry_event(event) {
        return Some(to_event(InquiryEvent {
            inquiry: inquiry_response(record.inquiry(inquiry)?),
            sequence,
        }));
    }
    if let Event::TurnEnded {
        end: TurnEnd::Failed { failure },
    } = event
    {
        return Some(EventResponse::Error(ErrorEvent {
            conversation_id: Some(record.conversation.clone()),
            code: failure_code(failure.kind).to_owned(),
            message: failure.message.to_string(),
            sequence: Some(sequence),
        }));
    }
    None
}

type InquiryEventVariant = fn(InquiryEvent) -> EventResponse;

/// Events of an inquiry after it was asked, with the variant that clients get. They show the inquiry
/// as it is in the record.
fn inquiry_event(event: &Event) -> Option<(&InquiryId, InquiryEventVariant)> {
    if let Event::InquiryReminded { inquiry, .. } = event {
        Some((inquiry, EventResponse::InquiryReminder))
    } else if let Event::AnswerHeld { inquiry, .. } = event {
        Some((inquiry, EventResponse::InquiryHeld))
    } else if let Event::AnswerTakenBack { inquiry, .. } = event {
        Some((inquiry, EventResponse::InquiryReopened))
    } else if let Event::InquiryResolved { inquiry, .. } = event {
        Some((inquiry, EventResponse::InquiryResolved))
    } else {
        None
    }
}
