//! The frames of recent records, built once for all feeds.

use parking_lot::Mutex;
use std::collections::VecDeque;
use std::sync::Arc;

use askback_engine::{Engine, Record};
use futures_util::FutureExt as _;
use futures_util::future::{BoxFuture, Shared};

use super::encoded_frames::EncodedFrames;
use super::frame_builder::frames_for_all;
use crate::recipient_names::RecipientNames;

/// Records whose frames are kept for feeds that are a little behind.
const CACHED_RECORDS_MAX: usize = 256;
/// Bytes of these frames. The newest are kept, however large.
const CACHED_BYTES_MAX: usize = 16 << 20;

/// The frames of a record, once they are built; `None` if that failed. Whoever waits for them builds them.
type RecordFrames = Shared<BoxFuture<'static, Option<Arc<EncodedFrames>>>>;

/// The frames of recent records, shared by all feeds over all conversations.
///
/// A feed is polled by its connection, and a connection whose client stops reading is not polled at
/// all. So no feed may hold a lock while it waits, and building goes on in whichever feed is polled.
#[derive(Default)]
pub(crate) struct FrameCache {
    recent: Mutex<RecentFrames>,
    names: RecipientNames,
}

#[derive(Default)]
struct RecentFrames {
    /// The highest sequence number so far.
    last: u64,
    /// By the last position of the record, the newest last.
    records: VecDeque<(u64, RecordFrames)>,
    /// How many people were forgotten when the frames were built.
    former: usize,
}

impl RecentFrames {
    fn enforce_limits(&mut self) {
        let bytes = |frames: &RecordFrames| {
            let built = frames.peek().and_then(Option::as_deref);
            built.map_or(0, EncodedFrames::len)
        };
        let mut sum: usize = self.records.iter().map(|(_, frames)| bytes(frames)).sum();
        while self.records.len() > CACHED_RECORDS_MAX
            || (sum > CACHED_BYTES_MAX && self.records.len() > 1)
        {
            let oldest = self.records.pop_front();
            // It may have been built since.
            sum = sum.saturating_sub(oldest.map_or(0, |(_, frames)| bytes(&frames)));
        }
    }
}

impl FrameCache {
    pub(crate) fn new(names: RecipientNames) -> FrameCache {
        FrameCache {
            recent: Mutex::default(),
            names,
        }
    }

    /// The frames of a record. `None` if the record is too old for the cache, if it closes a conversation, or if the
    /// store could not be read: the feed then builds the frames itself.
    pub(super) async fn frames(
        &self,
        engine: &Engine,
        record: &Arc<Record>,
    ) -> Option<Arc<EncodedFrames>> {
        self.find_or_build(engine, record)?.await
    }

    fn find_or_build(&self, engine: &Engine, record: &Arc<Record>) -> Option<RecordFrames> {
        // Whoever reads it later gets it from the store, without the content that was removed.
        if record.closes_conversation() {
            return None;
        }
        let mut recent = self.recent.lock();
        // All frames may have the name of somebody who was forgotten since.
        let former = self.names.recipients().former.len();
        if recent.former != former {
            recent.records.clear();
            recent.former = former;
        }
        if record.last <= recent.last {
            let mut newest_first = recent.records.iter().rev();
            let cached = newest_first.find(|(of, _)| *of == record.last);
            return cached.map(|(_, frames)| frames.clone());
        }
        let (engine, record, names) = (engine.clone(), Arc::clone(record), self.names.clone());
        let last = record.last;
        let building = async move {
            let frames = frames_for_all(&engine, &record, &names).await.ok()?;
            Some(Arc::new(EncodedFrames::new(&frames)))
        };
        let frames = building.boxed().shared();
        recent.last = last;
        recent.records.push_back((last, frames.clone()));
        recent.enforce_limits();
        Some(frames)
    }
}

#[cfg(test)]
#[path = "frame_cache_tests.rs"]
mod tests;
