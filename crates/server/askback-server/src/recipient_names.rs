//! The names of the people that questions are for.

use std::collections::BTreeMap;
use std::sync::Arc;

use askback_channels::{NamedRecipient, Recipients};
use askback_core::conversation::deadline::reminder_at;
use askback_core::id::InquiryId;
use askback_engine::InquiryView;
use askback_store::InquiryRow;
use askback_wire::inquiry::{HeldResponse, InquiryResponse};
use jiff::Timestamp;
use tokio::sync::watch;

use crate::routes::askers;

/// The recipients, once they were read. Clones share them.
#[derive(Clone, Default)]
pub struct RecipientNames(Arc<watch::Sender<Option<CurrentRecipients>>>);

type CurrentRecipients = Arc<dyn Fn() -> Arc<Recipients> + Send + Sync>;

impl RecipientNames {
    /// From now on, the recipients are those that this returns. Nothing is copied: a name that is to be hidden is hidden at once.
    pub(crate) fn follow(&self, current: impl Fn() -> Arc<Recipients> + Send + Sync + 'static) {
        self.0.send_replace(Some(Arc::new(current)));
    }

    /// The recipients at this moment. Nobody, until they were read.
    pub(crate) fn recipients(&self) -> Arc<Recipients> {
        let current = self.0.borrow().clone();
        current.map(|current| current()).unwrap_or_default()
    }

    pub(crate) fn get(&self, alias: &str) -> Option<String> {
        let recipients = self.recipients();
        let name = &recipients.people.get(alias)?.name;
        // The owner of a server without recipients has no name.
        (!name.is_empty()).then(|| name.clone())
    }

    /// Completes when the names were read. Webhooks are delivered from the start of the engine, and all deliveries
    /// of one are the same.
    pub(crate) async fn known(&self) {
        // The sender lives as long as `self`.
        drop(self.0.subscribe().wait_for(Option::is_some).await);
    }

    /// The inquiry as responses, lists, feeds and webhooks show it. Nothing else makes one.
    pub(crate) fn inquiry(&self, view: &InquiryView) -> InquiryResponse {
        let recipients = self.recipients();
        let view = &*recipients.former.view(view);
        let (row, inquiry) = (&view.row, &view.inquiry);
        let (id, conversation) = (row.id.clone(), row.conversation.clone());
        let asked = InquiryResponse::new(id, conversation, inquiry, row.asked_at);
        let recipient = asked.recipient.as_deref();
        let recipient = recipient.and_then(|named| NamedRecipient::parse(named).alias);
        let pending = InquiryResponse {
            version: row.version,
            revision: row.revision,
            tool_use_id: view.call.clone(),
            recipient_name: recipient.and_then(|it| self.get(it)),
            expires_at: row.expires_at,
            snoozed_until: row.snoozed_until.map(|until| shown_again_at(row, until)),
            held: view
                .held
                .as_ref()
                .map(|held| HeldResponse::new(inquiry, held)),
            asker: row.asker.as_ref().map(askers::response),
            ..asked
        };
        match &view.resolution {
            Some(ended) => pending.resolved(inquiry, &ended.resolution, &ended.result),
            None => pending,
        }
    }
}

/// The inquiry with what a person has hidden, in place of what administrators have.
pub(crate) fn shown_with_snoozes(
    inquiry: InquiryResponse,
    view: &InquiryView,
    own: &BTreeMap<InquiryId, Timestamp>,
) -> InquiryResponse {
    let until = own.get(&view.row.id).filter(|_| view.resolution.is_none());
    InquiryResponse {
        snoozed_until: until.map(|until| shown_again_at(&view.row, *until)),
        ..inquiry
    }
}

/// A question whose deadline is near is shown, however long it was to be hidden.
fn shown_again_at(row: &InquiryRow, until: Timestamp) -> Timestamp {
    let reminder = row.expires_at.map(|at| reminder_at(row.asked_at, at));
    reminder.map_or(until, |reminder| reminder.min(until))
}

#[cfg(test)]
#[path = "recipient_names_tests.rs"]
mod tests;
