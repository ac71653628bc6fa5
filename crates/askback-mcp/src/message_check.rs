//! Messages that rmcp would not answer with a JSON-RPC error that names the request.

use rmcp::RoleServer;
use rmcp::model::{ErrorData, RequestId};
use rmcp::service::RxJsonRpcMessage;
use serde_json::Value;

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
    let Err(error) = read else {
        return Ok(());
    };
    let reason = format!("This is not a JSON-RPC 2.0 message of MCP: {error}");
    Err(RefusedMessage {
        error: ErrorData::invalid_request(reason, None),
        id: request_id(message),
    })
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
