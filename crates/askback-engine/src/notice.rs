//! What surfaces are told of pending inquiries that is no part of the record: it changes neither the inquiry nor its
//! deadline. It is stored; those that are connected are told at once.

use askback_core::id::InquiryId;
use askback_store::{DeliveryRecord, DeliveryStep, StoreError};
use jiff::Timestamp;
use tokio::sync::broadcast;

use crate::engine::Engine;

/// Notices that a receiver may fall behind before it loses some.
const RETAINED_MAX: usize = 256;

/// Something about an inquiry that is no part of the record.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Notice {
    /// The inquiry was hidden from the inbox, or is shown again.
    Snoozed {
        /// The inquiry.
        inquiry: InquiryId,
        /// When it is shown again. `None`: now.
        until: Option<Timestamp>,
    },
    /// The agent has stopped waiting for the outcome, or waits again. Other nodes are not told.
    Detached {
        /// The inquiry.
        inquiry: InquiryId,
        /// Whether it has stopped waiting.
        detached: bool,
    },
}

/// Tells connected surfaces of notices.
#[derive(Debug, Clone)]
pub struct NoticeFeed(broadcast::Sender<Notice>);

impl Default for NoticeFeed {
    fn default() -> NoticeFeed {
        NoticeFeed(broadcast::Sender::new(RETAINED_MAX))
    }
}

impl NoticeFeed {
    /// Receives every notice from now on.
    pub fn subscribe(&self) -> broadcast::Receiver<Notice> {
        self.0.subscribe()
    }

    pub(crate) fn publish(&self, notice: Notice) {
        // It is no error if nobody listens.
        drop(self.0.send(notice));
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
        let notice = Notice::Snoozed { inquiry, until };
        self.feed().notices().publish(notice);
        Ok(())
    }

    /// Records how far an outcome has got to the agent that asked, or whether that agent waits for it.
    pub async fn note_delivery(
        &self,
        inquiry: &InquiryId,
        step: DeliveryStep,
    ) -> Result<DeliveryRecord, StoreError> {
        let now = self.clock().now();
        let record = self.store().set_delivery(inquiry, step, now).await?;
        let detached = match step {
            DeliveryStep::Attached => false,
            DeliveryStep::Detached => true,
            DeliveryStep::Started { .. } | DeliveryStep::Done | DeliveryStep::Failed => {
                return Ok(record);
            }
        };
        if record == DeliveryRecord::Recorded {
            let inquiry = inquiry.clone();
            let notice = Notice::Detached { inquiry, detached };
            self.feed().notices().publish(notice);
        }
        Ok(record)
    }
}
