//! Messages that rmcp would not answer with a JSON-RPC error that names the request.

use askback_core::text::{Lines, escape};
use rmcp::RoleServer;
use rmcp::model::{ErrorData, RequestId};
use rmcp::service::RxJsonRpcMessage;
use serde_json::Value;

/// Bytes of the parameters of `initialize`, which are kept for as long as the session runs. A name, a version and a small
/// icon fit.
const INITIALIZE_BYTES_MAX: usize = 64 * 1024;

/// Why a message is refused, and the id of the request, if it has one.
#[derive(Debug)]
pub(crate) struct RefusedMessage {
    pub(crate) error: ErrorData,
    pub(crate) id: Option<RequestId>,
}

impl From<ErrorData> for RefusedMessage {
    fn from(error: ErrorData) -> RefusedMessage {
        RefusedMessage { error, id: None }
    }
}

/// Refuses JSON that is not one message of the protocol.
pub(crate) fn check_message(message: &Value) -> Result<(), RefusedMessage> {
    if message.is_array() {
        let reason = "Batches are not supported. Send each message on its own.";
        return Err(ErrorData::invalid_request(reason, None).into());
    }
    let read = serde_json::from_value::<RxJsonRpcMessage<RoleServer>>(message.clone());
    let reason = match read {
        Ok(_) if is_long_introduction(message) => format!(
            "The parameters of `initialize` must have at most {INITIALIZE_BYTES_MAX} bytes. Send a shorter `clientInfo`."
        ),
        // An unknown method is repeated in the error.
        Ok(_) if is_unprintable(&message["method"]) => {
            "`method` has characters that cannot be printed.".to_owned()
        }
        Ok(_) => return Ok(()),
        Err(error) => format!("This is not a JSON-RPC 2.0 message of MCP: {error}"),
    };
    let reason = escape(&reason, Lines::One).into_owned();
    Err(RefusedMessage {
        error: ErrorData::invalid_request(reason, None),
        id: request_id(message),
    })
}

fn is_unprintable(name: &Value) -> bool {
    let name = name.as_str().unwrap_or_default();
    escape(name, Lines::One) != name
}

fn is_long_introduction(message: &Value) -> bool {
    message["method"] == "initialize" && message["params"].to_string().len() > INITIALIZE_BYTES_MAX
}

/// The id of a request, which is a string or a whole number.
pub(crate) fn request_id(message: &Value) -> Option<RequestId> {
    match &message["id"] {
        Value::String(id) => Some(RequestId::String(id.as_str().into())),
        Value::Number(id) => id.as_i64().map(RequestId::Number),
        Value::Null | Value::Bool(_) | Value::Array(_) | Value::Object(_) => None,
    }
}

#[cfg(test)]
#[path = "message_check_tests.rs"]
mod tests;
