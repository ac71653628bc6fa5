//! Turns log entries into server-sent events, once for all feeds.

use std::collections::{HashMap, VecDeque};
use std::sync::{Arc, Mutex, PoisonError};

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
use tokio::sync::watch;

use crate::routes::{inquiry_response, state_response};

/// Events that are read to find the open round of a conversation.
const REPLAYED_EVENTS_MAX: usize = 64;
/// Conversations whose projection is kept. Beyond that all are dropped and read again when needed.
const PROJECTIONS_MAX: usize = 1024;
/// The same in bytes.
const PROJECTION_BYTES_MAX: usize = 16 << 20;
/// Log entries whose frames are kept for feeds that are a little behind.
const CACHED_ENTRIES_MAX: usize = 256;
/// Bytes of these frames. The newest are kept, however large.
const CACHED_BYTES_MAX: usize = 16 << 20;

/// Receives the frames of an entry when they are built. Closed without a value if that failed.
type PendingFrames = watch::Receiver<Option<Arc<[SseFrame]>>>;

fn frame_bytes(frames: &[SseFrame]) -> usize {
    frames.iter().map(|frame| frame.data.len()).sum()
}

/// The frames of recent log entries, shared by all feeds over all conversations.
///
/// A feed is polled by its connection, and a connection whose client stops reading is not polled at
/// all. So a feed must not build shared frames itself or wait for a lock that another feed holds: a
/// separate task builds them, and feeds wait for its result.
#[derive(Default)]
pub(crate) struct FrameCache {
    recent: Mutex<RecentFrames>,
    /// Locked only by the tasks that build frames, never by a feed.
    projector: Arc<tokio::sync::Mutex<FrameProjector>>,
}

#[derive(Default)]
struct RecentFrames {
    /// The highest sequence number so far.
    last: u64,
    /// By sequence number, the newest last.
    entries: VecDeque<(u64, PendingFrames)>,
}

impl RecentFrames {
    fn push(&mut self, sequence: u64, pending: PendingFrames) {
        let size = |frames: &PendingFrames| frames.borrow().as_deref().map_or(0, frame_bytes);
        self.entries.push_back((sequence, pending));
        let mut bytes: usize = self.entries.iter().map(|(_, frames)| size(frames)).sum();
        // Frames that are still being built have no size yet. They count at the next push.
        while self.entries.len() > CACHED_ENTRIES_MAX
            || (bytes > CACHED_BYTES_MAX && self.entries.len() > 1)
        {
            let oldest = self.entries.pop_front();
            bytes = bytes.saturating_sub(oldest.map_or(0, |(_, frames)| size(&frames)));
        }
    }
}

impl FrameCache {
    /// The frames of an entry. `None` if the entry is too old for the cache, or if the store could not
    /// be read: the feed then builds the frames itself.
    pub(super) async fn frames(
        &self,
        engine: &Engine,
        entry: &Arc<LogEntry>,
    ) -> Option<Arc<[SseFrame]>> {
        let mut pending = self.find_or_build(engine, entry)?;
        let frames = pending.wait_for(Option::is_some).await;
        frames.ok().and_then(|frames| frames.clone())
    }

    fn find_or_build(&self, engine: &Engine, entry: &Arc<LogEntry>) -> Option<PendingFrames> {
        let mut recent = self.recent.lock().unwrap_or_else(PoisonError::into_inner);
        let mut newest_first = recent.entries.iter().rev();
        if let Some((_, pending)) = newest_first.find(|(of, _)| *of == entry.sequence) {
            return Some(pending.clone());
        }
        if entry.sequence <= recent.last {
            return None;
        }
        let before = recent.entries.back().map(|(_, pending)| pending.clone());
        let (sender, pending) = watch::channel(None);
        recent.last = entry.sequence;
        recent.push(entry.sequence, pending.clone());
        let projector = Arc::clone(&self.projector);
        let (engine, entry) = (engine.clone(), Arc::clone(entry));
        tokio::spawn(async move {
            // Entries must be projected in order, whichever feed asks first.
            if let Some(mut before) = before {
                drop(before.wait_for(Option::is_some).await);
            }
            let mut projector = projector.lock().await;
            projector.reset_on_gap(&entry);
            // After a failure each feed tries by itself.
            if let Ok(frames) = projector.frames(&engine, &entry).await {
                sender.send_replace(Some(frames.into()));
            }
        });
        Some(pending)
    }
}

/// Turns log entries into frames, one entry at a time. It keeps the projections of conversations, so
/// that a message that changes is sent complete.
#[derive(Default)]
pub(super) struct FrameProjector {
    /// The sequence number of the last entry.
    last: u64,
    /// Valid only while no entry is left out.
    projections: HashMap<ConversationId, Projection>,
    projection_bytes: usize,
}

impl FrameProjector {
    /// Drops all projections if entries were left out before this one. Only for a projector over all
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
                events.extend(or_unreadable(messages, entry)?);
                let others = inquiry_and_error_events(engine, entry, event).await;
                events.extend(or_unreadable(others.map(Vec::from_iter), entry)?);
            }
            Record::Unreadable => events.push(unreadable(entry)),
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

/// Replaces an event that is damaged.
fn unreadable(entry: &LogEntry) -> EventResponse {
    EventResponse::Error(ErrorEvent {
        conversation_id: Some(entry.conversation.clone()),
        code: "unreadable".to_owned(),
        message: "What happened here cannot be read. The server's log says more.".to_owned(),
        sequence: Some(entry.sequence),
    })
}

fn or_unreadable(
    events: Result<Vec<EventResponse>, StoreError>,
    entry: &LogEntry,
) -> Result<Vec<EventResponse>, StoreError> {
    if let Err(StoreError::Corrupt(why)) = &events {
        let sequence = entry.sequence;
        tracing::error!(sequence, why, "cannot parse the inquiry of an event");
        return Ok(vec![unreadable(entry)]);
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
async fn inquiry_and_error_events(
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

#[cfg(test)]
#[path = "frame_cache_tests.rs"]
mod tests;
