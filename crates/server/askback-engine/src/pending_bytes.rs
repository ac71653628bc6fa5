//! How much text waits for answers in all conversations together: a bound on what askers can put on the disk.
//!
//! The store is counted only when the bound may be near. In between, what is asked is added and what ends is not
//! subtracted, so asking reads nothing, and nobody is refused because of an old count.

use std::time::Duration;

use askback_core::inquiry::Inquiry;
use askback_core::limits::PENDING_BYTES_MAX;
use askback_store::{InquiryFilter, Store, StoreError};

use crate::clock::Clock;

/// What a process accepts before it counts for the first time.
const UNCOUNTED_MAX: usize = 8 << 20;
/// While there is no room, the store is counted this often at most.
const COUNT_PAUSE: Duration = Duration::from_secs(10);
const PAGE: usize = 200;

/// What is known of the questions that wait.
pub(crate) struct PendingBytes {
    /// The last count, and what this process has asked since. An async mutex, so that one task counts and the others wait.
    known: tokio::sync::Mutex<Known>,
}

struct Known {
    bytes: usize,
    counted_at: Option<Duration>,
}

impl Default for PendingBytes {
    fn default() -> PendingBytes {
        let known = Known {
            bytes: PENDING_BYTES_MAX - UNCOUNTED_MAX,
            counted_at: None,
        };
        PendingBytes {
            known: tokio::sync::Mutex::new(known),
        }
    }
}

impl PendingBytes {
    /// Adds a question, if there is room for it.
    pub(crate) async fn add(
        &self,
        inquiry: &Inquiry,
        store: &dyn Store,
        clock: &dyn Clock,
    ) -> Result<bool, StoreError> {
        let mut known = self.known.lock().await;
        let now = clock.elapsed();
        let is_recent = known.counted_at.is_some_and(|at| now < at + COUNT_PAUSE);
        if known.bytes + inquiry.bytes() > PENDING_BYTES_MAX && !is_recent {
            known.bytes = counted(store).await?;
            known.counted_at = Some(now);
        }
        let bytes = known.bytes + inquiry.bytes();
        let has_room = bytes <= PENDING_BYTES_MAX;
        if has_room {
            known.bytes = bytes;
        }
        Ok(has_room)
    }
}

async fn counted(store: &dyn Store) -> Result<usize, StoreError> {
    let mut filter = InquiryFilter::pending(PAGE);
    let mut bytes = 0;
    loop {
        let page = store.inquiries(filter.clone()).await?;
        bytes += page.items.iter().map(|row| row.json.len()).sum::<usize>();
        filter.cursor = page.next;
        if filter.cursor.is_none() {
            return Ok(bytes);
        }
    }
}

#[cfg(test)]
#[path = "pending_bytes_tests.rs"]
mod tests;
