//! A conversation in memory, with what the store knows of it beyond the core.

use askback_core::conversation::Conversation;
use askback_core::id::InquiryId;
use askback_store::{InquiryRow, Loaded, StoreError};

use crate::stored;

/// A conversation in memory.
#[derive(Debug, Clone)]
pub(crate) struct Active {
    /// The conversation.
    pub(crate) conversation: Conversation,
    /// What to call it.
    pub(crate) title: Option<String>,
    /// The app it runs.
    pub(crate) app: Option<String>,
    /// Where to tell the outcome of a waiting inquiry.
    pub(crate) webhooks: Vec<(InquiryId, String)>,
}

impl Active {
    /// The conversation of its rows.
    pub(crate) fn from_rows(loaded: Loaded) -> Result<Active, StoreError> {
        let conversation = stored::conversation(&loaded.row.snapshot.json, &loaded.pending)?;
        let webhook = |row: InquiryRow| Some((row.id, row.webhook?));
        Ok(Active {
            conversation,
            title: loaded.row.snapshot.title,
            app: loaded.row.app,
            webhooks: loaded.pending.into_iter().filter_map(webhook).collect(),
        })
    }

    /// Where to tell the outcome of an inquiry.
    pub(crate) fn webhook(&self, inquiry: &InquiryId) -> Option<&str> {
        let known = self.webhooks.iter().find(|(id, _)| id == inquiry);
        known.map(|(_, url)| url.as_str())
    }
}
