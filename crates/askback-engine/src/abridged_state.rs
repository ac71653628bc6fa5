//! The state of a conversation for logs and readers. Its size does not grow with pending inquiries.

use askback_core::conversation::state::{PendingInquiry, State};
use askback_core::id::InquiryId;
use jiff::Timestamp;

/// A state with the questions of the oldest pending inquiry and no others.
#[derive(Debug, Clone, PartialEq)]
pub struct AbridgedState {
    /// The state, without the inputs of calls and with at most one pending inquiry.
    pub state: State,
    /// The other pending inquiries, oldest first.
    pub others: Vec<PendingSummary>,
}

/// A pending inquiry without its questions, which are in its row.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PendingSummary {
    /// The id of its row.
    pub id: InquiryId,
    /// What an answer must name.
    pub revision: u32,
    /// When it was asked.
    pub asked_at: Timestamp,
    /// When it expires unanswered; absent if never.
    pub expires_at: Option<Timestamp>,
}

impl From<&State> for AbridgedState {
    fn from(state: &State) -> AbridgedState {
        let others = state.pending().iter().skip(1);
        AbridgedState {
            state: state.abridged(),
            others: others.map(PendingSummary::from).collect(),
        }
    }
}

impl From<&PendingInquiry> for PendingSummary {
    fn from(pending: &PendingInquiry) -> PendingSummary {
        PendingSummary {
            id: pending.id.clone(),
            revision: pending.revision,
            asked_at: pending.asked_at,
            expires_at: pending.expires_at,
        }
    }
}

impl AbridgedState {
    /// Approximate memory use; the questions dominate.
    pub(crate) fn bytes(&self) -> usize {
        let pending = self.state.pending().iter();
        let questions: usize = pending.map(|pending| pending.inquiry.bytes()).sum();
        questions + self.others.len() * size_of::<PendingSummary>()
    }
}
