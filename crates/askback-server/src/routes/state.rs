//! Where a conversation stands, as the wire has it.

use askback_engine::AbridgedState;
use askback_wire::state::{OtherPending, StateResponse};

/// A state as the wire has it.
pub(crate) fn response(change: &AbridgedState) -> StateResponse {
    let others = change.others.iter().map(|other| OtherPending {
        inquiry_id: other.id.clone(),
        revision: other.revision,
        asked_at: other.asked_at,
        expires_at: other.expires_at,
    });
    StateResponse::from(&change.state).with_others(others)
}
