//! Questions that a person has hidden from their own inbox until a time. They stay in the inboxes of others.

use std::collections::BTreeMap;

use askback_core::id::InquiryId;
use askback_engine::Engine;
use askback_store::StoreError;
use jiff::Timestamp;

use crate::state::{self, ChannelState};

/// What people have hidden.
#[derive(Clone)]
pub struct Snoozes {
    pub(crate) engine: Engine,
}

impl Snoozes {
    /// Hides a question from the inbox of a person, or shows it again.
    pub async fn set(
        &self,
        alias: &str,
        inquiry: &InquiryId,
        until: Option<Timestamp>,
    ) -> Result<(), StoreError> {
        let state = ChannelState(self.engine.store().as_ref());
        let now = self.engine.clock().now();
        for past in state.list(state::snoozes(alias)).await? {
            if past.value <= now {
                state.remove(past.key).await?;
            }
        }
        let key = state::snooze(inquiry, alias);
        match until {
            Some(until) => state.set(key, &until).await,
            None => state.remove(key).await,
        }
    }

    /// What a person has hidden, and until when.
    pub async fn of(&self, alias: &str) -> Result<BTreeMap<InquiryId, Timestamp>, StoreError> {
        let state = ChannelState(self.engine.store().as_ref());
        let kept = state.list(state::snoozes(alias)).await?;
        let snoozes = kept.into_iter();
        Ok(snoozes
            .filter_map(|kept| Some((kept.inquiry()?.clone(), kept.value)))
            .collect())
    }
}
