//! Turns records into server-sent events.

use std::collections::HashMap;
use std::sync::Arc;

use askback_core::conversation::event::Event;
use askback_core::conversation::state::PendingInquiry;
use askback_core::id::{ConversationId, InquiryId};
use askback_engine::{Engine, Record};
use askback_store::{AskerRow, StoreError};
use askback_wire::event::frames;
use askback_wire::inquiry::InquiryResponse;
use askback_wire::projection::Projection;
use askback_wire::projection::record::{RecordContents, RecordEnd, RecordInquiries};
use askback_wire::sse::SseFrame;

use crate::recipient_names::RecipientNames;
use crate::routes::state_response;

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
    names: RecipientNames,
}

impl FrameBuilder {
    pub(super) fn new(names: RecipientNames) -> FrameBuilder {
        FrameBuilder {
            names,
            ..FrameBuilder::default()
        }
    }

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
        let known = self.projections.remove(&record.conversation);
        let mut projection = known.unwrap_or_default();
        self.projection_bytes -= self.projection_bytes.min(projection.bytes());
        replay_what_is_missing(engine, record, &mut projection).await?;
        let contents = RecordContents {
            conversation: &record.conversation,
            at: record.at,
            events: &record.events,
            last: record.last,
            end: match &record.state {
                _ if record.is_damaged => RecordEnd::Damaged,
                Some(state) => RecordEnd::State(Box::new(state_response(state))),
                None => RecordEnd::Replaced,
            },
        };
        let inquiries = InquiriesOf {
            record,
            names: &self.names,
            askers: current_askers(engine, record).await?,
        };
        let projected = projection.project_record(contents, &inquiries);
        self.insert(&record.conversation, projection);
        self.last = record.last;
        let positioned = projected.iter().flat_map(|at| {
            let sequence = Some(at.sequence);
            let frames = frames(&at.events).into_iter();
            frames.map(move |frame| PositionedFrame { sequence, frame })
        });
        Ok(positioned.collect())
    }
}

/// Replays what a projection must have seen before the record: the round that is open there, and the
/// inquiries of external agents that it changes.
async fn replay_what_is_missing(
    engine: &Engine,
    record: &Record,
    projection: &mut Projection,
) -> Result<(), StoreError> {
    let (id, events) = (&record.conversation, &record.events);
    if projection.needs_round(events) {
        for earlier in engine.open_round_before(id, record.first).await? {
            projection.replay(earlier.at, &earlier.events);
        }
    }
    for inquiry in projection.missing_inquiries(events) {
        let asked = engine.asked_event(id, inquiry, record.first).await?;
        if let Some(asked) = asked
            && !asked.event.continues_round()
        {
            projection.replay(asked.at, [&(asked.sequence, asked.event)]);
        }
    }
    Ok(())
}

/// The agents that asked the inquiries of a record. Only the store knows what became of them after they asked.
async fn current_askers(
    engine: &Engine,
    record: &Record,
) -> Result<HashMap<InquiryId, AskerRow>, StoreError> {
    let mut askers = HashMap::new();
    for view in &record.inquiries {
        let is_asked = |(_, event): &(u64, Event)| matches!(event, Event::InquiryAsked { pending } if pending.id == view.row.id);
        if view.row.asker.is_some()
            && !record.events.iter().any(is_asked)
            && let Some(row) = engine.store().inquiry(&view.row.id).await?
            && let Some(asker) = row.asker
        {
            askers.insert(row.id, asker);
        }
    }
    Ok(askers)
}

/// The inquiries that a record carries, and what it does not know of them.
struct InquiriesOf<'r> {
    record: &'r Record,
    names: &'r RecipientNames,
    askers: HashMap<InquiryId, AskerRow>,
}

impl RecordInquiries for InquiriesOf<'_> {
    fn asked(&self, pending: &PendingInquiry) -> Option<InquiryResponse> {
        let view = self.record.inquiry(&pending.id)?;
        Some(self.names.asked(&view.row, pending))
    }

    fn response(&self, inquiry: &InquiryId) -> Option<InquiryResponse> {
        let mut view = self.record.inquiry(inquiry)?.clone();
        if let Some(asker) = self.askers.get(inquiry) {
            view.row.asker = Some(asker.clone());
        }
        Some(self.names.inquiry(&view))
    }
}
