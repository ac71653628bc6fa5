//! Conversations and inquiries for readers: rows with their JSON parsed.

use askback_core::conversation::Driver;
use askback_core::conversation::event::{CallResult, Event};
use askback_core::conversation::state::{HeldAnswer, PendingInquiry};
use askback_core::id::ConversationId;
use askback_core::inquiry::Inquiry;
use askback_core::outcome::Resolution;
use askback_store::{ConversationRow, ConversationWithPending, InquiryRow, StoreError};
use serde_json::json;

use crate::abridged_state::AbridgedState;
use crate::commit::{StoredResolution, WebhookEvent};
use crate::loaded_conversation::PendingMetadata;
use crate::storage_format;
use crate::submit::Submitted;

/// The status of an inquiry without an outcome.
const PENDING: &str = "pending";

/// An inquiry with the JSON columns of its row parsed.
#[derive(Debug, Clone, PartialEq)]
pub struct InquiryView {
    /// The stored row.
    pub row: InquiryRow,
    /// The questions; none in a tombstone.
    pub inquiry: Inquiry,
    /// An answer that can still be undone.
    pub held: Option<HeldAnswer>,
    /// The outcome; absent while the inquiry is pending.
    pub resolution: Option<StoredResolution>,
}

impl InquiryView {
    /// Parses a row. Fails if its JSON is damaged.
    pub fn from_row(row: InquiryRow) -> Result<InquiryView, StoreError> {
        let inquiry = storage_format::parse(&row.json)?;
        let resolution = row
            .resolution
            .as_deref()
            .map(storage_format::parse)
            .transpose()?;
        let held = row.held.as_deref().map(storage_format::parse).transpose()?;
        Ok(InquiryView {
            row,
            inquiry,
            held,
            resolution,
        })
    }

    /// A pending inquiry as it is in memory. The JSON columns of its row are left out.
    pub(crate) fn from_pending(
        conversation: &ConversationId,
        pending: &PendingInquiry,
        metadata: Option<&PendingMetadata>,
    ) -> InquiryView {
        InquiryView {
            row: InquiryRow {
                id: pending.id.clone(),
                conversation: conversation.clone(),
                status: PENDING.to_owned(),
                dialect: pending.inquiry.dialect().name().to_owned(),
                json: String::new(),
                revision: pending.revision,
                source: metadata.and_then(|metadata| metadata.source.clone()),
                webhook: metadata.and_then(|metadata| metadata.webhook.clone()),
                asked_at: pending.asked_at,
                expires_at: pending.expires_at,
                held: None,
                resolved_at: None,
                resolution: None,
                asker: None,
            },
            inquiry: pending.inquiry.clone(),
            held: pending.held.as_deref().cloned(),
            resolution: None,
        }
    }

    /// Sets the outcome.
    pub(crate) fn resolve(&mut self, resolution: &Resolution, result: &CallResult) {
        resolution.outcome.name().clone_into(&mut self.row.status);
        self.row.resolved_at = Some(resolution.at);
        self.held = None;
        self.resolution = Some(StoredResolution {
            resolution: resolution.clone(),
            result: result.clone(),
        });
    }

    /// Drops the JSON columns, which were parsed.
    pub(crate) fn without_json(mut self) -> InquiryView {
        self.row.json = String::new();
        self.row.held = None;
        self.row.resolution = None;
        self
    }

    /// Approximate memory use; the questions dominate.
    pub(crate) fn bytes(&self) -> usize {
        let result = self.resolution.as_ref();
        let result = result.map_or(0, |ended| 2 * ended.result.content.len());
        size_of::<InquiryView>() + self.inquiry.bytes() + result
    }

    /// The inquiry after a command on it, without reading it again.
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
                self.resolve(resolution, result);
            }
        }
        self
    }
}

/// A conversation with its snapshot parsed.
#[derive(Debug, Clone)]
pub struct ConversationView {
    /// The stored row.
    pub row: ConversationRow,
    /// The built-in agent, or an external one that only asks.
    pub driver: Driver,
    /// The current state.
    pub state: AbridgedState,
}

impl ConversationView {
    /// Parses rows in which only the oldest pending inquiry has its questions.
    pub(crate) fn from_rows(
        loaded: ConversationWithPending,
    ) -> Result<ConversationView, StoreError> {
        let conversation = storage_format::parse_conversation(&loaded.row, &loaded.pending)?;
        Ok(ConversationView {
            driver: conversation.settings.driver,
            state: AbridgedState::from(&conversation.state),
            row: loaded.row,
        })
    }

    /// Approximate memory use.
    pub fn bytes(&self) -> usize {
        self.row.snapshot.json.len() + self.state.bytes()
    }
}

/// The JSON body that is posted to a webhook URL.
pub(crate) fn webhook_body(row: &InquiryRow, event: WebhookEvent) -> Result<String, StoreError> {
    let view = InquiryView::from_row(row.clone())?;
    let resolved = view.resolution.as_ref();
    let body = json!({
        "type": event,
        "id": view.row.id,
        "conversation_id": view.row.conversation,
        "status": view.row.status,
        "dialect": view.row.dialect,
        "asked_at": view.row.asked_at,
        "expires_at": view.row.expires_at,
        "resolved_at": resolved.map(|resolved| resolved.resolution.at),
        "outcome": resolved.map(|resolved| &resolved.resolution.outcome),
        "answered_by": resolved.map(|resolved| &resolved.resolution.by),
        "result": resolved.map(|resolved| &resolved.result),
    });
    Ok(body.to_string())
}
