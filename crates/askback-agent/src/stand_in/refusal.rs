//! A refusal, in the form both protocols share.

use serde_json::json;

use super::http::Response;

/// Why a request is refused.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Refusal {
    status: u16,
    message: String,
}

impl Refusal {
    pub(super) fn new(status: u16, message: &str) -> Refusal {
        Refusal {
            status,
            message: message.to_owned(),
        }
    }

    pub(super) fn bad(message: &str) -> Refusal {
        Refusal::new(400, message)
    }

    pub(super) fn not_found(message: &str) -> Refusal {
        Refusal::new(404, message)
    }

    fn kind(&self) -> &'static str {
        match self.status {
            401 => "authentication_error",
            403 => "permission_error",
            404 => "not_found_error",
            429 => "rate_limit_error",
            529 => "overloaded_error",
            500.. => "api_error",
            _ => "invalid_request_error",
        }
    }

    pub(super) fn response(&self) -> Response {
        let error = json!({ "type": self.kind(), "message": self.message });
        Response::json(self.status, &json!({ "type": "error", "error": error }))
    }
}

/// Refuses unless a rule is kept.
pub(super) fn require(kept: bool, message: impl FnOnce() -> String) -> Result<(), Refusal> {
    if kept {
        Ok(())
    } else {
        Err(Refusal::bad(&message()))
    }
}
