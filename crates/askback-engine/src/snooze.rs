//! Hides pending inquiries from the inbox until a time. A snooze is stored, but is not part of the record: it
//! changes neither the inquiry nor its deadline. Surfaces that are connected are told of it.

use askback_core::id::InquiryId;
use askback_store::StoreError;
use jiff::Timestamp;
use tokio::sync::broadcast;

use crate::engine::Engine;

/// Snoozes that a receiver may fall behind before it loses some.
const RETAINED_MAX: usize = 256;

/// An inquiry was hidden from the inbox, or is shown again.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Snooze {
    /// The inquiry.
    pub inquiry: InquiryId,
    /// When it is shown again. `None`: now.
    pub until: Option<Timestamp>,
}

/// Tells connected surfaces of snoozes, those of other nodes included.
#[derive(Debug, Clone)]
pub struct SnoozeFeed(broadcast::Sender<Snooze>);

impl Default for SnoozeFeed {
    fn default() -> SnoozeFeed {
        SnoozeFeed(broadcast::Sender::new(RETAINED_MAX))
    }
}

impl SnoozeFeed {
    /// Receives every snooze from now on.
    pub fn subscribe(&self) -> broadcast::Receiver<Snooze> {
        self.0.subscribe()
    }

    pub(crate) fn publish(&self, snooze: Snooze) {
        // It is no error if nobody listens.
        drop(self.0.send(snooze));
    }
}

impl Engine {
    /// Hides a pending inquiry from the inbox until a time, or shows it again.
    pub async fn snooze(
        &self,
        inquiry: &InquiryId,
        until: Option<Timestamp>,
    ) -> Result<(), StoreError> {
        self.store().put_snooze(inquiry, until).await?;
        let inquiry = inquiry.clone();
        self.feed().snoozes().publish(Snooze { inquiry, until });
        Ok(())
    }
}
