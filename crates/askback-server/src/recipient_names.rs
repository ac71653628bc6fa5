//! The names of the people that questions are for.

use std::collections::BTreeMap;
use std::sync::Arc;

use askback_channels::{NamedRecipient, Recipients};
use askback_core::conversation::state::PendingInquiry;
use askback_engine::InquiryView;
use askback_store::InquiryRow;
use askback_wire::inquiry::InquiryResponse;

use crate::routes::{asked_response, inquiry_response};

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

    /// The inquiry as responses, feeds and webhooks show it.
    pub(crate) fn inquiry(&self, view: &InquiryView) -> InquiryResponse {
        self.with_name(inquiry_response(view))
    }

    /// The same inquiry before anything happened to it.
    pub(crate) fn asked(&self, row: &InquiryRow, pending: &PendingInquiry) -> InquiryResponse {
        self.with_name(asked_response(row, pending))
    }

    fn with_name(&self, mut response: InquiryResponse) -> InquiryResponse {
        let recipient = response.recipient.as_deref();
        let recipient = recipient.and_then(|named| NamedRecipient::parse(named).alias);
        response.recipient_name = recipient.and_then(|it| self.get(it)).map(str::to_owned);
        response
    }
}
