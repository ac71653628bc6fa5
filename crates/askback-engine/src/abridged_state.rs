//! A change of state, as records and readers have it. Its size does not grow with what waits.

use askback_core::conversation::state::{PendingInquiry, State};
use askback_core::id::InquiryId;
use jiff::Timestamp;
use serde::{Deserialize, Serialize};

/// Where a conversation stands, with the questions of the oldest inquiry that waits and no others.
#[derive(Debug, Clone, PartialEq)]
pub struct StateChange {
    /// The state, without the inputs of calls and with at most one inquiry.
    pub state: State,
    /// Further inquiries that wait, oldest first.
    pub others: Vec<OtherPending>,
}

/// A further inquiry that waits. Its questions are in its row.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct OtherPending {
    /// Names its row.
    pub id: InquiryId,
    /// What an answer must name.
    pub revision: u32,
    /// When it was asked.
    pub asked_at: Timestamp,
    /// When it ends unanswered, if ever.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub expires_at: Option<Timestamp>,
}

impl From<&State> for StateChange {
    fn from(state: &State) -> StateChange {
        let others = state.pending().iter().skip(1);
        StateChange {
            state: state.abridged(),
            others: others.map(OtherPending::from).collect(),
        }
    }
}

impl From<&PendingInquiry> for OtherPending {
    fn from(pending: &PendingInquiry) -> OtherPending {
        OtherPending {
            id: pending.id.clone(),
            revision: pending.revision,
            asked_at: pending.asked_at,
            expires_at: pending.expires_at,
        }
    }
}

impl StateChange {
    /// The memory that its questions take, in bytes.
    pub(crate) fn bytes(&self) -> usize {
        let pending = self.state.pending().iter();
        let questions: usize = pending.map(|pending| pending.inquiry.bytes()).sum();
        questions + self.others.len() * size_of::<OtherPending>()
    }
}
