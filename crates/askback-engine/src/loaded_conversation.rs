//! A conversation in memory, with what the store knows of it beyond the core.

use std::sync::Arc;

use askback_core::conversation::Conversation;
use askback_core::conversation::event::ToolCall;
use askback_core::conversation::state::Round;
use askback_core::id::InquiryId;
use askback_store::{InquiryRow, Loaded, StoreError};
use jiff::Timestamp;

use crate::storage_format;

/// A conversation in memory.
#[derive(Debug, Clone)]
pub(crate) struct Active {
    /// The conversation.
    pub(crate) conversation: Arc<Conversation>,
    /// What to call it.
    pub(crate) title: Option<String>,
    /// The app it runs.
    pub(crate) app: Option<String>,
    /// When it began.
    pub(crate) created_at: Timestamp,
    /// What goes along with the inquiries that wait.
    pub(crate) asked: Vec<Asked>,
}

/// What goes along with an inquiry that waits.
#[derive(Debug, Clone)]
pub(crate) struct Asked {
    /// Which one.
    pub(crate) id: InquiryId,
    /// Who asks, in words.
    pub(crate) source: Option<String>,
    /// Where to tell the outcome.
    pub(crate) webhook: Option<String>,
}

impl Active {
    /// The conversation of its rows.
    pub(crate) fn from_rows(loaded: Loaded) -> Result<Active, StoreError> {
        let conversation = storage_format::conversation(&loaded.row, &loaded.pending)?;
        let asked = |row: InquiryRow| Asked {
            id: row.id,
            source: row.source,
            webhook: row.webhook,
        };
        Ok(Active {
            conversation: Arc::new(conversation),
            title: loaded.row.snapshot.title,
            app: loaded.row.app,
            created_at: loaded.row.created_at,
            asked: loaded.pending.into_iter().map(asked).collect(),
        })
    }

    /// The memory that it takes, about: what waits in it, and the inputs of its open calls.
    pub(crate) fn bytes(&self) -> usize {
        let state = &self.conversation.state;
        let waiting = state
            .pending()
            .iter()
            .map(|pending| pending.inquiry.bytes());
        let calls = state.round().map_or(&[][..], Round::calls).iter();
        let calls = calls.map(ToolCall::bytes);
        size_of::<Active>() + waiting.sum::<usize>() + calls.sum::<usize>()
    }

    /// What goes along with an inquiry that waits.
    pub(crate) fn asked(&self, inquiry: &InquiryId) -> Option<&Asked> {
        self.asked.iter().find(|asked| asked.id == *inquiry)
    }
}
