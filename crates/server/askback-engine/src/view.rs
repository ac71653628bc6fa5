//! Conversations and inquiries for readers: rows with their JSON parsed.

use askback_core::conversation::Conversation;
use askback_core::conversation::Driver;
use askback_core::conversation::event::CallResult;
use askback_core::conversation::state::{HeldAnswer, PendingInquiry, State};
use askback_core::dialect::Dialect;
use askback_core::id::{CallId, InquiryId};
use askback_core::inquiry::Inquiry;
use askback_core::outcome::Resolution;
use askback_core::text::Text;
use askback_store::{ConversationRow, ConversationWithPending, InquiryRow, StoreError};
use askback_stored::{
    Form as _, InquiryResolution, StoredHeld, StoredInquiry, StoredResolution, StoredSnapshot,
    Unreadable,
};

/// An inquiry as everything outside of the engine sees it: responses, lists, feeds, webhooks, channels and exports are made
/// from this.
#[derive(Debug, Clone, PartialEq)]
pub struct InquiryView {
    /// The stored row. Its JSON columns are empty: they were parsed.
    pub row: InquiryRow,
    /// The questions; none in a tombstone.
    pub inquiry: Inquiry,
    /// The call that asks it, if the built-in agent made it.
    pub call: Option<CallId>,
    /// An answer that can still be undone.
    pub held: Option<HeldAnswer>,
    /// The outcome; absent while the inquiry is pending.
    pub resolution: Option<InquiryResolution>,
}

impl InquiryView {
    /// Parses a row. Fails if its JSON is damaged.
    pub fn from_row(mut row: InquiryRow) -> Result<InquiryView, StoreError> {
        let id = row.id.clone();
        let named = |error| unreadable("inquiry", &id, &error);
        let (inquiry, call) = parse_inquiry(&row).map_err(named)?;
        row.json.clear();
        let resolution = row.resolution.take();
        let resolution = resolution
            .as_deref()
            .map(|json| askback_stored::from_json::<StoredResolution<'_>>(json)?.restore());
        let held = row.held.take();
        let held = held
            .as_deref()
            .map(|json| askback_stored::from_json::<StoredHeld>(json)?.restore());
        let given = row.source.clone();
        let given = given.filter(|given| inquiry.input_source() != Some(given));
        Ok(InquiryView {
            row,
            inquiry: inquiry.asked_as(given),
            call,
            held: held.transpose().map_err(named)?,
            resolution: resolution.transpose().map_err(named)?,
        })
    }

    /// Who asks, on every surface: the name that was given, or that of the program.
    pub fn asker_name(&self) -> Option<&Text> {
        let client = self.row.asker.as_ref().map(|asker| &asker.client);
        self.row.source.as_ref().or(client)
    }

    /// What records and snapshots leave out, without the outcome.
    pub(crate) fn pending(&self) -> PendingInquiry {
        PendingInquiry {
            id: self.row.id.clone(),
            call: self.call.clone(),
            tool: None,
            revision: self.row.revision,
            inquiry: self.inquiry.clone(),
            asked_at: self.row.asked_at,
            expires_at: self.row.expires_at,
            reminded: false,
            held: self.held.clone().map(Box::new),
        }
    }

    /// A pending inquiry as it is in memory: its row, and what the conversation knows better.
    pub(crate) fn from_pending(row: &InquiryRow, pending: &PendingInquiry) -> InquiryView {
        InquiryView {
            row: InquiryRow {
                revision: pending.revision,
                expires_at: pending.expires_at,
                ..row.clone()
            },
            inquiry: pending.inquiry.clone(),
            call: pending.call.clone(),
            held: pending.held.as_deref().cloned(),
            resolution: None,
        }
    }

    /// Sets the outcome.
    pub(crate) fn resolve(&mut self, resolution: &Resolution, result: &CallResult) {
        resolution.outcome.name().clone_into(&mut self.row.status);
        self.row.resolved_at = Some(resolution.at);
        self.row.snoozed_until = None;
        self.held = None;
        self.resolution = Some(InquiryResolution {
            resolution: resolution.clone(),
            result: result.clone(),
        });
    }

    /// Approximate memory use; the questions dominate.
    pub(crate) fn bytes(&self) -> usize {
        let result = self.resolution.as_ref();
        let result = result.map_or(0, |ended| 2 * ended.result.content.len());
        size_of::<InquiryView>() + self.inquiry.bytes() + result
    }
}

/// A conversation with its snapshot parsed.
#[derive(Debug, Clone)]
pub struct ConversationView {
    /// The stored row.
    pub row: ConversationRow,
    /// The built-in agent, or an external one that only asks.
    pub driver: Driver,
    /// The current state, [abridged](State::abridged).
    pub state: State,
}

impl ConversationView {
    /// Parses rows in which only the oldest pending inquiry has its questions.
    pub(crate) fn from_rows(
        loaded: ConversationWithPending,
    ) -> Result<ConversationView, StoreError> {
        let (conversation, _) = parse_conversation(&loaded.row, loaded.pending)?;
        Ok(ConversationView {
            driver: conversation.settings.driver,
            state: conversation.state.abridged(),
            row: loaded.row,
        })
    }

    /// Approximate memory use.
    pub fn bytes(&self) -> usize {
        self.row.snapshot.json.len() + state_bytes(&self.state)
    }
}

/// Approximate memory use of an abridged state; the questions dominate.
pub(crate) fn state_bytes(state: &State) -> usize {
    let pending = state.pending().iter();
    let pending = pending.map(|pending| size_of::<PendingInquiry>() + pending.inquiry.bytes());
    pending.sum()
}

/// The conversation of a row, and its pending inquiries. An inquiry whose row was read without its
/// questions stays without them.
pub(crate) fn parse_conversation(
    row: &ConversationRow,
    pending: Vec<InquiryRow>,
) -> Result<(Conversation, Vec<InquiryView>), StoreError> {
    let pending = pending.into_iter().map(InquiryView::from_row);
    let pending = pending.collect::<Result<Vec<_>, _>>()?;
    let rows = |id: &InquiryId| {
        let view = pending.iter().find(|view| view.row.id == *id)?;
        Some(view.pending())
    };
    let conversation = askback_stored::from_json::<StoredSnapshot<'_>>(&row.snapshot.json)
        .and_then(|stored| stored.restore(row.id.clone(), rows))
        .map_err(|error| unreadable("conversation", &row.id, &error))?;
    Ok((conversation, pending))
}

fn parse_inquiry(row: &InquiryRow) -> Result<(Inquiry, Option<CallId>), Unreadable> {
    if row.json.is_empty() {
        let dialect = Dialect::from_name(&row.dialect);
        let dialect = dialect.ok_or(Unreadable::Inconsistent("its dialect is not known"))?;
        let empty = Inquiry::restore(dialect, None, Vec::new());
        let empty = empty.map_err(|broken| Unreadable::Inconsistent(broken.0))?;
        return Ok((empty, None));
    }
    let mut stored: StoredInquiry = askback_stored::from_json(&row.json)?;
    let call = stored.take_call();
    Ok((stored.try_into()?, call))
}

/// The error for a row that cannot be read. It names the row and contains nothing of it.
pub(crate) fn unreadable(what: &str, id: impl std::fmt::Display, error: &Unreadable) -> StoreError {
    StoreError::Corrupt(format!("{what} {id}: {error}"))
}
