//! Changes of inquiries that are no part of the record: they change neither what is asked nor its deadline. They are
//! stored; those that are connected are told at once.

use std::sync::{Arc, OnceLock};

use askback_core::id::InquiryId;
use askback_core::time::whole_millis;
use askback_store::{DeliveryRecord, DeliveryStep, StoreError};
use jiff::Timestamp;
use tokio::sync::broadcast;

use crate::commit::PENDING;
use crate::engine::Engine;
use crate::metrics::label;
use crate::view::InquiryView;

/// Notices that a receiver may fall behind before it loses some.
const RETAINED_MAX: usize = 256;

/// A change of an inquiry that is no part of the record.
#[derive(Debug)]
pub struct Notice {
    /// What has changed.
    pub change: NoticeChange,
    /// The alias of the only person who is told.
    pub person: Option<String>,
    /// The inquiry after it.
    pub inquiry: InquiryView,
    /// The notice as feeds send it, written once for all.
    pub encoded: OnceLock<String>,
}

/// What a [`Notice`] is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NoticeChange {
    /// It was hidden from the inbox, or is shown again.
    Snoozed,
    /// The agent has stopped waiting for the outcome. Other nodes are not told.
    Detached,
    /// The agent waits again. Other nodes are not told.
    Attached,
    /// The outcome has reached the agent. Other nodes are not told.
    Delivered,
}

/// Tells connected surfaces of notices.
#[derive(Debug, Clone)]
pub struct NoticeFeed(broadcast::Sender<Arc<Notice>>);

impl Default for NoticeFeed {
    fn default() -> NoticeFeed {
        NoticeFeed(broadcast::Sender::new(RETAINED_MAX))
    }
}

impl NoticeFeed {
    /// Receives every notice from now on.
    pub fn subscribe(&self) -> broadcast::Receiver<Arc<Notice>> {
        self.0.subscribe()
    }
}

impl Engine {
    /// Hides a pending inquiry from the inbox until a time, or shows it again.
    pub async fn snooze(
        &self,
        inquiry: &InquiryId,
        until: Option<Timestamp>,
    ) -> Result<(), StoreError> {
        let before = self.store().inquiry(inquiry).await?;
        let until = until.map(whole_millis);
        if before.is_some_and(|row| row.snoozed_until == until) {
            return Ok(());
        }
        self.store().put_snooze(inquiry, until).await?;
        self.publish_snooze(inquiry).await
    }

    /// Tells connected surfaces that a snooze was stored, on this node or on another.
    pub(crate) async fn publish_snooze(&self, inquiry: &InquiryId) -> Result<(), StoreError> {
        // The row in memory does not know of it.
        self.inner.conversations.evict_with(inquiry);
        self.publish_notice(inquiry, NoticeChange::Snoozed, None)
            .await
    }

    /// Tells the surfaces of a person that they have hidden an inquiry from their own inbox. Other nodes are not told.
    pub async fn publish_snooze_of(
        &self,
        person: &str,
        inquiry: &InquiryId,
    ) -> Result<(), StoreError> {
        self.publish_notice(inquiry, NoticeChange::Snoozed, Some(person))
            .await
    }

    async fn publish_notice(
        &self,
        inquiry: &InquiryId,
        change: NoticeChange,
        person: Option<&str>,
    ) -> Result<(), StoreError> {
        let notices = &self.feed().notices().0;
        if notices.receiver_count() > 0
            && let Some(inquiry) = self.inquiry(inquiry).await?
        {
            let notice = Notice {
                change,
                person: person.map(str::to_owned),
                inquiry,
                encoded: OnceLock::new(),
            };
            // It is no error if nobody listens any more.
            drop(notices.send(Arc::new(notice)));
        }
        Ok(())
    }

    /// Records how far an outcome has got to the agent that asked, or whether that agent waits for it. Nobody is told of
    /// what was so before.
    pub async fn note_delivery(
        &self,
        inquiry: &InquiryId,
        step: DeliveryStep,
    ) -> Result<DeliveryRecord, StoreError> {
        let before = self.store().inquiry(inquiry).await?;
        let is_pending = before.as_ref().is_some_and(|row| row.status == PENDING);
        if is_pending && matches!(step, DeliveryStep::Started { .. }) {
            return Ok(DeliveryRecord::NothingToDeliver);
        }
        let now = self.clock().now();
        let record = self.store().set_delivery(inquiry, step, now).await?;
        self.count_delivery(step, record);
        let asker = before.and_then(|row| row.asker);
        let is_detached = asker.as_ref().is_some_and(|asker| asker.detached);
        let is_delivered = asker.is_some_and(|asker| asker.delivered_at.is_some());
        let (change, is_repeated) = match step {
            DeliveryStep::Attached => (NoticeChange::Attached, !is_detached),
            DeliveryStep::Detached => (NoticeChange::Detached, is_detached),
            DeliveryStep::Done => (NoticeChange::Delivered, is_delivered),
            DeliveryStep::Started { .. } | DeliveryStep::Failed => return Ok(record),
        };
        if record == DeliveryRecord::Recorded && !is_repeated {
            self.publish_notice(inquiry, change, None).await?;
        }
        Ok(record)
    }

    fn count_delivery(&self, step: DeliveryStep, record: DeliveryRecord) {
        let result = match step {
            DeliveryStep::Started { .. } => "started",
            DeliveryStep::Done => "delivered",
            DeliveryStep::Failed => "failed",
            DeliveryStep::Attached | DeliveryStep::Detached => return,
        };
        if record == DeliveryRecord::Recorded {
            let deliveries = &self.metrics().agent_deliveries;
            deliveries.get_or_create(&label("result", result)).inc();
        }
    }
}

#[cfg(test)]
#[path = "notice_tests.rs"]
mod tests;
