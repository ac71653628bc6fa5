//! A change of state, as records and readers have it. Its size does not grow with what waits.

use askback_core::conversation::state::{Parked, State};
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
        let others = state.parked().iter().skip(1);
        StateChange {
            state: state.abridged(),
            others: others.map(OtherPending::from).collect(),
        }
    }
}

impl From<&Parked> for OtherPending {
    fn from(parked: &Parked) -> OtherPending {
        OtherPending {
            id: parked.id.clone(),
            revision: parked.revision,
            asked_at: parked.asked_at,
            expires_at: parked.expires_at,
        }
    }
}

impl StateChange {
    /// The memory that its questions take, in bytes.
    pub(crate) fn bytes(&self) -> usize {
        let parked = self.state.parked().iter();
        let questions: usize = parked.map(|parked| parked.inquiry.bytes()).sum();
        questions + self.others.len() * size_of::<OtherPending>()
    }
}
