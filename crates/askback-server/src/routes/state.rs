//! The state of a conversation as the API shows it.

use askback_engine::AbridgedState;
use askback_wire::state::{OtherPending, StateResponse};

pub(crate) fn response(change: &AbridgedState) -> StateResponse {
    let others = change.others.iter().map(|other| OtherPending {
        inquiry_id: other.id.clone(),
        revision: other.revision,
        asked_at: other.asked_at,
        expires_at: other.expires_at,
    });
    StateResponse::from(&change.state).with_others(others)
}
