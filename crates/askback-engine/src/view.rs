//! Conversations and inquiries for readers: rows with their JSON parsed.

use askback_core::conversation::Conversation;
use askback_core::conversation::Driver;
use askback_core::conversation::event::{CallResult, Event};
use askback_core::conversation::state::{HeldAnswer, PendingInquiry};
use askback_core::dialect::Dialect;
use askback_core::id::{ConversationId, InquiryId};
use askback_core::inquiry::Inquiry;
use askback_core::outcome::Resolution;
use askback_store::{ConversationRow, ConversationWithPending, InquiryRow, StoreError};
use askback_stored::{
    InquiryParts, StoredHeld, StoredInquiry, StoredResolution, StoredSnapshot, Unreadable,
};

use crate::abridged_state::AbridgedState;
use crate::loaded_conversation::PendingMetadata;
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
    pub resolution: Option<InquiryResolution>,
}

/// How an inquiry ended.
#[derive(Debug, Clone, PartialEq)]
pub struct InquiryResolution {
    /// The outcome, when it came, and who gave it.
    pub resolution: Resolution,
    /// The tool result for the agent that asked.
    pub result: CallResult,
}

impl InquiryView {
    /// Parses a row. Fails if its JSON is damaged.
    pub fn from_row(row: InquiryRow) -> Result<InquiryView, StoreError> {
        let named = |error| unreadable("inquiry", &row.id, &error);
        let inquiry = parse_inquiry(&row).map_err(named)?;
        let resolution = row.resolution.as_deref().map(parse_resolution);
        let resolution = resolution.transpose().map_err(named)?;
        let held = row.held.as_deref().map(parse_held);
        let held = held.transpose().map_err(named)?;
        Ok(InquiryView {
            row,
            inquiry,
            held,
            resolution,
        })
    }

    /// What records and snapshots leave out.
    pub(crate) fn parts(&self) -> InquiryParts<'_> {
        let resolved = self.resolution.as_ref();
        InquiryParts {
            inquiry: &self.inquiry,
            revision: self.row.revision,
            asked_at: self.row.asked_at,
            expires_at: self.row.expires_at,
            held: self.held.as_ref(),
            resolved: resolved.map(|ended| (&ended.resolution, &ended.result)),
        }
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
                asker: metadata.and_then(|metadata| metadata.asker.clone()),
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
        self.resolution = Some(InquiryResolution {
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
            self.inquiry = pending.inquiry.clone();
            self.held = pending.held.as_deref().cloned();
        }
        for (_, event) in &submitted.record.events {
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
        let conversation = parse_conversation(&loaded.row, loaded.pending)?;
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

/// The conversation of a row and its pending inquiries. An inquiry whose row was read without its
/// questions stays without them.
pub(crate) fn parse_conversation(
    row: &ConversationRow,
    pending: Vec<InquiryRow>,
) -> Result<Conversation, StoreError> {
    let pending = pending.into_iter().map(InquiryView::from_row);
    let pending = pending.collect::<Result<Vec<_>, _>>()?;
    let parts = |id: &InquiryId| {
        let view = pending.iter().find(|view| view.row.id == *id)?;
        Some(view.parts())
    };
    askback_stored::from_json::<StoredSnapshot<'_>>(&row.snapshot.json)
        .and_then(|stored| stored.restore(row.id.clone(), parts))
        .map_err(|error| unreadable("conversation", &row.id, &error))
}

fn parse_inquiry(row: &InquiryRow) -> Result<Inquiry, Unreadable> {
    if row.json.is_empty() {
        let dialect = Dialect::from_name(&row.dialect);
        let dialect = dialect.ok_or(Unreadable::Inconsistent("its dialect is not known"))?;
        let empty = Inquiry::restore(dialect, None, Vec::new());
        return empty.map_err(|broken| Unreadable::Inconsistent(broken.0));
    }
    askback_stored::from_json::<StoredInquiry>(&row.json)?.try_into()
}

fn parse_resolution(json: &str) -> Result<InquiryResolution, Unreadable> {
    let stored: StoredResolution<'_> = askback_stored::from_json(json)?;
    let (resolution, result) = stored.try_into()?;
    Ok(InquiryResolution { resolution, result })
}

fn parse_held(json: &str) -> Result<HeldAnswer, Unreadable> {
    askback_stored::from_json::<StoredHeld>(json)?.try_into()
}

/// The error for a row that cannot be read. It names the row and contains nothing of it.
pub(crate) fn unreadable(what: &str, id: impl std::fmt::Display, error: &Unreadable) -> StoreError {
    StoreError::Corrupt(format!("{what} {id}: {error}"))
}
