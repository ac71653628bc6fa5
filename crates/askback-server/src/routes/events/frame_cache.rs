//! The frames of recent records, built once for all feeds.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, PoisonError};

use askback_engine::{Engine, Record};
use tokio::sync::watch;

use super::frame_builder::{FrameBuilder, PositionedFrame, RecordFrames};

/// Records whose frames are kept for feeds that are a little behind.
const CACHED_RECORDS_MAX: usize = 256;
/// Bytes of these frames. The newest are kept, however large.
const CACHED_BYTES_MAX: usize = 16 << 20;

/// Receives the frames of a record when they are built. Closed without a value if that failed.
type FramesReceiver = watch::Receiver<Option<RecordFrames>>;

fn frame_bytes(frames: &[PositionedFrame]) -> usize {
    frames.iter().map(|built| built.frame.data.len()).sum()
}

/// The frames of recent records, shared by all feeds over all conversations.
///
/// A feed is polled by its connection, and a connection whose client stops reading is not polled at
/// all. So a feed must not build shared frames itself or wait for a lock that another feed holds: a
/// separate task builds them, and feeds wait for its result.
#[derive(Default)]
pub(crate) struct FrameCache {
    recent: Mutex<RecentFrames>,
    /// Locked only by the tasks that build frames, never by a feed.
    builder: Arc<tokio::sync::Mutex<FrameBuilder>>,
}

#[derive(Default)]
struct RecentFrames {
    /// The highest sequence number so far.
    last: u64,
    /// By the last position of the record, the newest last.
    records: VecDeque<(u64, FramesReceiver)>,
}

impl RecentFrames {
    fn push(&mut self, sequence: u64, pending: FramesReceiver) {
        let size = |frames: &FramesReceiver| frames.borrow().as_deref().map_or(0, frame_bytes);
        self.records.push_back((sequence, pending));
        let mut bytes: usize = self.records.iter().map(|(_, frames)| size(frames)).sum();
        // Frames that are still being built have no size yet. They count at the next push.
        while self.records.len() > CACHED_RECORDS_MAX
            || (bytes > CACHED_BYTES_MAX && self.records.len() > 1)
        {
            let oldest = self.records.pop_front();
            bytes = bytes.saturating_sub(oldest.map_or(0, |(_, frames)| size(&frames)));
        }
    }
}

impl FrameCache {
    /// The frames of a record. `None` if the record is too old for the cache, or if the store could not
    /// be read: the feed then builds the frames itself.
    pub(super) async fn frames(
        &self,
        engine: &Engine,
        record: &Arc<Record>,
    ) -> Option<RecordFrames> {
        let mut pending = self.find_or_build(engine, record)?;
        let frames = pending.wait_for(Option::is_some).await;
        frames.ok().and_then(|frames| frames.clone())
    }

    fn find_or_build(&self, engine: &Engine, record: &Arc<Record>) -> Option<FramesReceiver> {
        let mut recent = self.recent.lock().unwrap_or_else(PoisonError::into_inner);
        let mut newest_first = recent.records.iter().rev();
        if let Some((_, pending)) = newest_first.find(|(of, _)| *of == record.last) {
            return Some(pending.clone());
        }
        if record.last <= recent.last {
            return None;
        }
        let before = recent.records.back().map(|(_, pending)| pending.clone());
        let (sender, pending) = watch::channel(None);
        recent.last = record.last;
        recent.push(record.last, pending.clone());
        let builder = Arc::clone(&self.builder);
        let (engine, record) = (engine.clone(), Arc::clone(record));
        tokio::spawn(async move {
            // Records must be projected in order, whichever feed asks first.
            if let Some(mut before) = before {
                drop(before.wait_for(Option::is_some).await);
            }
            let mut builder = builder.lock().await;
            builder.reset_on_gap(&record);
            // After a failure each feed tries by itself.
            if let Ok(frames) = builder.frames(&engine, &record).await {
                sender.send_replace(Some(frames));
            }
        });
        Some(pending)
    }
}

#[cfg(test)]
#[path = "frame_cache_tests.rs"]
mod tests;
