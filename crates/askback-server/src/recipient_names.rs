//! The names of the people that questions are for.

use std::collections::BTreeMap;
use std::sync::Arc;

use askback_channels::{NamedRecipient, Recipients};
use askback_core::conversation::deadline::reminder_at;
use askback_engine::InquiryView;
use askback_store::InquiryRow;
use askback_wire::inquiry::{HeldResponse, InquiryResponse};
use jiff::Timestamp;

use crate::routes::askers;

/// The names of people by alias, as the configuration has them. Cheap to clone.
#[derive(Clone, Default)]
pub(crate) struct RecipientNames(Arc<BTreeMap<String, String>>);

impl RecipientNames {
    pub(crate) fn new(recipients: &Recipients) -> RecipientNames {
        let people = recipients.people.iter();
        // The owner of a server without recipients has no name.
        let people = people.filter(|(_, person)| !person.name.is_empty());
        let names = people.map(|(alias, person)| (alias.clone(), person.name.clone()));
        RecipientNames(Arc::new(names.collect()))
    }

    pub(crate) fn get(&self, alias: &str) -> Option<&str> {
        self.0.get(alias).map(String::as_str)
    }

    /// The inquiry as replies, lists, feeds and webhooks show it. Nothing else makes one.
    pub(crate) fn inquiry(&self, view: &InquiryView) -> InquiryResponse {
        let (row, inquiry) = (&view.row, &view.inquiry);
        let (id, conversation) = (row.id.clone(), row.conversation.clone());
        let asked = InquiryResponse::new(id, conversation, inquiry, row.asked_at);
        let recipient = asked.recipient.as_deref();
        let recipient = recipient.and_then(|named| NamedRecipient::parse(named).alias);
        let pending = InquiryResponse {
            version: row.version,
            revision: row.revision,
            tool_use_id: view.call.clone(),
            source: row.source.clone().map(String::from),
            recipient_name: recipient.and_then(|it| self.get(it)).map(str::to_owned),
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

/// A question whose deadline is near is shown, however long it was to be hidden.
fn shown_again_at(row: &InquiryRow, until: Timestamp) -> Timestamp {
    let reminder = row.expires_at.map(|at| reminder_at(row.asked_at, at));
    reminder.map_or(until, |reminder| reminder.min(until))
}
