//! The server side of the Responses API.

mod reply;
mod validate;

pub(super) use reply::{events, response};
pub(super) use validate::validate;

use serde_json::{Value, json};

/// The reasoning item of a step. Its content only has to survive the round trip.
fn reasoning_item(think: &Value) -> Value {
    json!({
        "type": "reasoning",
        "id": "rs_fake",
        "summary": [],
        "encrypted_content": format!("encrypted {think}"),
    })
}
