//! The frames of recent records, built once for all feeds.

use parking_lot::Mutex;
use std::collections::VecDeque;
use std::sync::Arc;
use std::task::{Context, Waker};

use askback_engine::{Engine, Record};
use futures_util::future::BoxFuture;
use tokio::sync::watch;

use super::encoded_frames::EncodedFrames;
use super::frame_builder::frames_for_all;
use crate::recipient_names::RecipientNames;

/// Records whose frames are kept for feeds that are a little behind.
const CACHED_RECORDS_MAX: usize = 256;
/// Bytes of these frames. The newest are kept, however large.
const CACHED_BYTES_MAX: usize = 16 << 20;

/// Receives the frames of a record when they are built. Closed without a value if that failed.
type FramesReceiver = watch::Receiver<Option<Arc<EncodedFrames>>>;
type FramesSender = watch::Sender<Option<Arc<EncodedFrames>>>;

/// The frames of recent records, shared by all feeds over all conversations.
///
/// A feed is polled by its connection, and a connection whose client stops reading is not polled at
/// all. So no feed may hold a lock while it waits. Most frames need nothing from the store, and the
/// first feed builds them at once; the others are built by a separate task, and feeds wait for it.
#[derive(Default)]
pub(crate) struct FrameCache {
    recent: Arc<Mutex<RecentFrames>>,
    names: RecipientNames,
}

#[derive(Default)]
struct RecentFrames {
    /// The highest sequence number so far.
    last: u64,
    /// By the last position of the record, the newest last.
    records: VecDeque<(u64, FramesReceiver)>,
    /// Those of the frames that are built.
    bytes: usize,
    /// How many people were forgotten when the frames were built.
    former: usize,
}

impl RecentFrames {
    fn push(&mut self, sequence: u64, pending: FramesReceiver) {
        self.records.push_back((sequence, pending));
        self.enforce_limits();
    }

    /// Stores the frames of a record, for those who wait for them and those who ask later.
    fn set(&mut self, sequence: u64, built: EncodedFrames, sender: &FramesSender) {
        let mut newest_first = self.records.iter().rev();
        if newest_first.any(|(of, _)| *of == sequence) {
            self.bytes += built.len();
        }
        sender.send_replace(Some(Arc::new(built)));
        self.enforce_limits();
    }

    /// Drops all frames if somebody was forgotten since: they may have the name.
    fn drop_names_of(&mut self, former: usize) {
        if self.former != former {
            self.records.clear();
            self.bytes = 0;
            self.former = former;
        }
    }

    fn enforce_limits(&mut self) {
        while self.records.len() > CACHED_RECORDS_MAX
            || (self.bytes > CACHED_BYTES_MAX && self.records.len() > 1)
        {
            let Some((_, oldest)) = self.records.pop_front() else {
                return;
            };
            let bytes = oldest.borrow().as_deref().map_or(0, EncodedFrames::len);
            self.bytes -= bytes;
        }
    }
}

impl FrameCache {
    pub(crate) fn new(names: RecipientNames) -> FrameCache {
        FrameCache {
            recent: Arc::default(),
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
        let mut pending = self.find_or_build(engine, record)?;
        let frames = pending.wait_for(Option::is_some).await;
        frames.ok().and_then(|frames| frames.clone())
    }

    fn find_or_build(&self, engine: &Engine, record: &Arc<Record>) -> Option<FramesReceiver> {
        // Whoever reads it later gets it from the store, without the content that was removed.
        if record.closes_conversation() {
            return None;
        }
        let mut recent = self.recent.lock();
        recent.drop_names_of(self.names.recipients().former.len());
        if record.last <= recent.last {
            let mut newest_first = recent.records.iter().rev();
            let cached = newest_first.find(|(of, _)| *of == record.last);
            return cached.map(|(_, pending)| pending.clone());
        }
        let (sender, pending) = watch::channel(None);
        recent.last = record.last;
        recent.push(record.last, pending.clone());
        drop(recent);
        let (recent, names) = (Arc::clone(&self.recent), self.names.clone());
        let (engine, record) = (engine.clone(), Arc::clone(record));
        let mut building: BoxFuture<'static, ()> = Box::pin(async move {
            // After a failure each feed tries by itself.
            if let Ok(frames) = frames_for_all(&engine, &record, &names).await {
                let frames = EncodedFrames::new(&frames);
                recent.lock().set(record.last, frames, &sender);
            }
        });
        let polled = building
            .as_mut()
            .poll(&mut Context::from_waker(Waker::noop()));
        if polled.is_pending() {
            tokio::spawn(building);
        }
        Some(pending)
    }
}

#[cfg(test)]
#[path = "frame_cache_tests.rs"]
mod tests;
