//! Questions that a person has hidden from their own inbox until a time. They stay in the inboxes of others.

use std::collections::BTreeMap;

use askback_core::id::InquiryId;
use askback_store::StoreError;
use jiff::Timestamp;

use crate::dispatcher::Dispatcher;
use crate::state;

impl Dispatcher {
    /// Hides a question from the inbox of a person, or shows it again.
    pub async fn snooze(
        &self,
        alias: &str,
        inquiry: &InquiryId,
        until: Option<Timestamp>,
    ) -> Result<(), StoreError> {
        let (kept, now) = (self.shared.state(), self.shared.engine.clock().now());
        for past in kept.list(state::snoozes(alias)).await? {
            if past.value <= now {
                kept.remove(past.key).await?;
            }
        }
        let key = state::snooze(inquiry, alias);
        match until {
            Some(until) => kept.set(key, &until).await,
            None => kept.remove(key).await,
        }
    }

    /// What a person has hidden, and until when.
    pub async fn snoozes(&self, alias: &str) -> Result<BTreeMap<InquiryId, Timestamp>, StoreError> {
        let kept = self.shared.state().list(state::snoozes(alias)).await?;
        let snoozes = kept.into_iter();
        Ok(snoozes
            .filter_map(|kept| Some((kept.inquiry()?.clone(), kept.value)))
            .collect())
    }
}
