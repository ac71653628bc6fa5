//! Conversations and inquiries as readers see them: rows taken apart.

use askback_core::conversation::Driver;
use askback_core::conversation::event::Event;
use askback_core::conversation::state::Held;
use askback_core::inquiry::Inquiry;
use askback_store::{ConversationRow, InquiryRow, Loaded, StoreError};
use serde_json::json;

use crate::abridged_state::StateChange;
use crate::commit::{News, StoredResolution};
use crate::storage_format;
use crate::submit::Submitted;

/// What a row holds, taken apart.
#[derive(Debug, Clone)]
pub struct InquiryView {
    /// The row.
    pub row: InquiryRow,
    /// What is asked.
    pub inquiry: Inquiry,
    /// What was done with it and can still be taken back.
    pub held: Option<Held>,
    /// How it ended.
    pub ended: Option<StoredResolution>,
}

impl InquiryView {
    /// Takes a row apart.
    pub fn from_row(row: InquiryRow) -> Result<InquiryView, StoreError> {
        let inquiry = storage_format::parse(&row.json)?;
        let ended = row
            .resolution
            .as_deref()
            .map(storage_format::parse)
            .transpose()?;
        let held = row.held.as_deref().map(storage_format::parse).transpose()?;
        Ok(InquiryView {
            row,
            inquiry,
            held,
            ended,
        })
    }

    /// The inquiry as a decision on it has left it, without reading it again.
    #[must_use]
    pub fn after(mut self, submitted: &Submitted) -> InquiryView {
        let id = &self.row.id;
        let mut pending = submitted.conversation.state.pending().iter();
        if let Some(pending) = pending.find(|pending| pending.id == *id) {
            self.row.revision = pending.revision;
            self.row.expires_at = pending.expires_at;
            self.held = pending.held.as_deref().cloned();
        }
        for event in &submitted.events {
            if let Event::InquiryResolved {
                inquiry,
                resolution,
                result,
            } = event
                && *inquiry == self.row.id
            {
                resolution.outcome.name().clone_into(&mut self.row.status);
                self.held = None;
                self.ended = Some(StoredResolution {
                    resolution: resolution.clone(),
                    result: result.clone(),
                });
            }
        }
        self
    }
}

/// A conversation as readers see it.
#[derive(Debug, Clone)]
pub struct ConversationView {
    /// The row.
    pub row: ConversationRow,
    /// Who drives it.
    pub driver: Driver,
    /// Where it stands.
    pub change: StateChange,
}

impl ConversationView {
    /// Takes rows apart of which the oldest inquiry has its questions.
    pub(crate) fn from_rows(loaded: Loaded) -> Result<ConversationView, StoreError> {
        let conversation = storage_format::conversation(&loaded.row, &loaded.pending)?;
        Ok(ConversationView {
            driver: conversation.settings.driver,
            change: StateChange::from(&conversation.state),
            row: loaded.row,
        })
    }

    /// The memory that it takes, about.
    pub fn bytes(&self) -> usize {
        self.row.snapshot.json.len() + self.change.bytes()
    }
}

/// What a webhook is sent.
pub(crate) fn webhook_body(row: &InquiryRow, news: News) -> Result<String, StoreError> {
    let view = InquiryView::from_row(row.clone())?;
    let body = json!({
        "type": news,
        "id": view.row.id,
        "conversation_id": view.row.conversation,
        "status": view.row.status,
        "dialect": view.row.dialect,
        "asked_at": view.row.asked_at,
        "expires_at": view.row.expires_at,
        "resolved_at": view.ended.as_ref().map(|ended| ended.resolution.at),
        "outcome": view.ended.as_ref().map(|ended| &ended.resolution.outcome),
        "answered_by": view.ended.as_ref().map(|ended| &ended.resolution.by),
        "result": view.ended.as_ref().map(|ended| &ended.result),
    });
    Ok(body.to_string())
}
