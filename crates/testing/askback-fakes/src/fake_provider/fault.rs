//! Faults that a test can inject.

use askback_core::conversation::event::FailureKind;

use super::api_error::ApiError;
use super::http::Response;
use askback_agent::scripted::ScriptedFailure;

/// Happens to one request.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Fault {
    /// An error status.
    Status {
        /// Not a success status.
        status: u16,
        /// The value of the `Retry-After` header.
        retry_after: Option<String>,
    },
    /// The connection closes in the middle of a stream, or before a response that is not streamed.
    Disconnect {
        /// Events that are sent before.
        after_events: usize,
    },
    /// A body that is not JSON.
    InvalidJson,
    /// The connection stays open, and nothing is ever sent.
    Hang,
}

impl Fault {
    /// The fault that simulates a script's failure.
    pub(super) fn from_script(failure: &ScriptedFailure) -> Fault {
        match failure.kind {
            FailureKind::Overloaded => Fault::Status {
                status: 529,
                retry_after: failure
                    .retry_after_ms
                    .map(|ms| format!("{}.{:03}", ms / 1000, ms % 1000)),
            },
            FailureKind::Network => Fault::Disconnect { after_events: 2 },
            FailureKind::Malformed => Fault::InvalidJson,
            FailureKind::Refused | FailureKind::TooManyRounds | FailureKind::SameFailures => {
                Fault::Status {
                    status: 400,
                    retry_after: None,
                }
            }
        }
    }

    pub(super) fn response(self) -> Response {
        match self {
            Fault::Status {
                status,
                retry_after,
            } => {
                let response = ApiError::new(status, "injected").response();
                match retry_after {
                    Some(value) => response.header("Retry-After", value),
                    None => response,
                }
            }
            Fault::Disconnect { .. } => Response::disconnect(),
            Fault::InvalidJson => Response::text(200, "<html>Bad gateway</html>"),
            Fault::Hang => Response::hang(),
        }
    }
}
