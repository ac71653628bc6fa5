//! Where stored reasoning came from. It is sent back only to the same server and model.

use askback_core::conversation::command::RawReply;
use serde_json::{Value, json};

use super::endpoint::Endpoint;

/// Records on a reply's reasoning which server and model it came from.
pub(super) fn record_origin(reply: &mut RawReply, endpoint: &Endpoint, model: &str) {
    if let Some(stored) = &mut reply.reasoning {
        stored["host"] = json!(endpoint.host);
        stored["model"] = json!(model);
    }
}

/// Stored reasoning, if it belongs to this protocol and came from this server and model.
pub(super) fn if_from_endpoint<'a>(
    stored: Option<&'a Value>,
    protocol: &str,
    endpoint: &Endpoint,
    model: &str,
) -> Option<&'a Value> {
    stored.filter(|stored| {
        stored["wire"] == protocol
            && stored["host"] == endpoint.host.as_str()
            && stored["model"] == model
    })
}
