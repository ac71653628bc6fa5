//! Error responses, in the form that all protocols share.

use serde_json::json;

use super::http::Response;

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct ApiError {
    status: u16,
    message: String,
}

impl ApiError {
    pub(super) fn new(status: u16, message: &str) -> ApiError {
        ApiError {
            status,
            message: message.to_owned(),
        }
    }

    pub(super) fn bad_request(message: &str) -> ApiError {
        ApiError::new(400, message)
    }

    pub(super) fn not_found(message: &str) -> ApiError {
        ApiError::new(404, message)
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

/// A bad request unless `condition` holds.
pub(super) fn require(condition: bool, message: impl FnOnce() -> String) -> Result<(), ApiError> {
    if condition {
        Ok(())
    } else {
        Err(ApiError::bad_request(&message()))
    }
}
