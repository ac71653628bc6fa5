//! What can go wrong between a client and a provider.

use askback_core::conversation::event::FailureKind;

use super::http::Response;
use super::refusal::Refusal;
use crate::scripted::Fail;

/// Something that goes wrong, once.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Fault {
    /// A reply with a status that is not success.
    Status {
        /// The status.
        status: u16,
        /// The value of `Retry-After`, if there is one.
        retry_after: Option<String>,
    },
    /// A stream that breaks off after so many events; before the first one if not streamed.
    Break {
        /// How many.
        after_events: usize,
    },
    /// A body that is not JSON.
    Garbage,
    /// A connection on which nothing ever comes.
    Silence,
}

impl Fault {
    /// The fault that a step of a script asks for.
    pub(super) fn of(fail: &Fail) -> Fault {
        match fail.kind {
            FailureKind::Overloaded => Fault::Status {
                status: 529,
                retry_after: fail
                    .retry_after_ms
                    .map(|ms| format!("{}.{:03}", ms / 1000, ms % 1000)),
            },
            FailureKind::Network => Fault::Break { after_events: 2 },
            FailureKind::Malformed => Fault::Garbage,
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
                let response = Refusal::new(status, "injected").response();
                match retry_after {
                    Some(value) => response.header("Retry-After", value),
                    None => response,
                }
            }
            Fault::Break { .. } => Response::broken(),
            Fault::Garbage => Response::text(200, "<html>Bad gateway</html>"),
            Fault::Silence => Response::silence(),
        }
    }
}
