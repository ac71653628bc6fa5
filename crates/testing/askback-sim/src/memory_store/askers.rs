//! The agents that asked, the delivery of outcomes to them, and inquiries that are hidden for a while.

use std::collections::BTreeSet;

use askback_core::id::InquiryId;
use askback_store::{AskerSessionFilter, DeliveryRecord, DeliveryStep, SessionTakeover};
use jiff::Timestamp;

use super::tables::{InquiryEntry, PENDING, Tables};

impl Tables {
    pub(super) fn set_delivery(
        &mut self,
        id: &InquiryId,
        step: DeliveryStep,
        at: Timestamp,
    ) -> DeliveryRecord {
        let Some(entry) = self.inquiry_entry_mut(id) else {
            return DeliveryRecord::NothingToDeliver;
        };
        let is_pending = entry.row.status == PENDING;
        let Some(asker) = &mut entry.row.asker else {
            return DeliveryRecord::NothingToDeliver;
        };
        match step {
            DeliveryStep::Started { expected_attempts } => {
                if expected_attempts.is_some_and(|expected| expected != asker.delivery_attempts) {
                    return DeliveryRecord::Superseded;
                }
                asker.delivery_attempts += 1;
            }
            DeliveryStep::Done if is_pending => return DeliveryRecord::NothingToDeliver,
            DeliveryStep::Done => {
                asker.delivered_at.get_or_insert(at);
            }
            DeliveryStep::Failed => {
                asker.delivered_at = None;
                asker.delivery_attempts = asker.delivery_attempts.saturating_sub(1);
            }
            DeliveryStep::Attached | DeliveryStep::Detached if !is_pending => {
                return DeliveryRecord::NothingToDeliver;
            }
            DeliveryStep::Attached => asker.detached = false,
            DeliveryStep::Detached => asker.detached = true,
        }
        DeliveryRecord::Recorded
    }

    pub(super) fn asker_sessions(&self, filter: &AskerSessionFilter) -> Vec<String> {
        let (client, project) = (filter.client.as_str(), filter.project.as_deref());
        let entries = self.inquiries.values();
        let undelivered = entries.filter(|entry| is_undelivered_to(entry, client, project));
        let sessions = undelivered.filter_map(|entry| entry.asker.as_ref());
        let sessions: BTreeSet<&str> = sessions.map(|asker| asker.session.as_str()).collect();
        let after = filter.after.as_deref().unwrap_or(&filter.prefix);
        let wanted = sessions
            .into_iter()
            .filter(|name| name.starts_with(&filter.prefix) && *name > after);
        wanted.take(filter.limit).map(str::to_owned).collect()
    }

    pub(super) fn take_over(&mut self, takeover: &SessionTakeover) -> usize {
        let (client, project) = (takeover.client.as_str(), takeover.project.as_deref());
        let entries = self.inquiries.values_mut();
        let mut count = 0;
        for entry in entries.filter(|entry| is_undelivered_to(entry, client, project)) {
            if let (Some(asker), Some(row)) = (&mut entry.asker, &mut entry.row.asker)
                && takeover.from.iter().any(|from| *from == *asker.session)
            {
                asker.session.clone_from(&takeover.to);
                row.session.clone_from(&takeover.to);
                row.taken_over |= !takeover.resumes;
                row.detached = true;
                count += 1;
            }
        }
        count
    }

    pub(super) fn put_snooze(&mut self, id: &InquiryId, until: Option<Timestamp>) {
        if let Some(entry) = self.inquiry_entry_mut(id)
            && entry.row.status == PENDING
        {
            entry.row.snoozed_until = until;
        }
    }
}

fn is_undelivered_to(entry: &InquiryEntry, client: &str, project: Option<&str>) -> bool {
    entry.row.asker.as_ref().is_some_and(|asker| {
        *asker.client == *client
            && asker.project.as_deref() == project
            && asker.delivered_at.is_none()
    })
}
