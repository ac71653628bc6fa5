//! Errors of calls. None contains a token, an answer or a body.

use askback_wire::problem::ProblemResponse;

/// A failed call.
#[derive(Debug, thiserror::Error)]
pub enum ClientError {
    /// The server responded with a problem.
    #[error("{0}")]
    Problem(Box<ProblemResponse>),
    /// The server could not be reached, or the connection broke.
    #[error(transparent)]
    Transport(#[from] TransportError),
    /// The response does not have the documented format.
    #[error(transparent)]
    Decode(#[from] DecodeError),
}

/// The server could not be reached, or the connection broke.
#[derive(Debug, thiserror::Error)]
pub enum TransportError {
    /// The URL or the token is invalid.
    #[error("the URL of the server is invalid: {0}")]
    Address(&'static str),
    /// The connection failed or broke.
    #[error("the server cannot be reached: {0}")]
    Network(String),
    /// No response or event in time.
    #[error("the server did not respond in time")]
    Timeout,
    /// The server ended the feed.
    #[error("the server closed the feed")]
    Closed,
}

/// The response does not have the documented format. Its text is left out, since it may contain an answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("the response of the server is invalid (status {status}, line {line}, column {column})")]
pub struct DecodeError {
    /// The HTTP status.
    pub status: u16,
    /// The line of the body, starting at 1.
    pub line: usize,
    /// The column in that line.
    pub column: usize,
}

impl ClientError {
    /// The problem, if the server responded with one.
    pub fn problem(&self) -> Option<&ProblemResponse> {
        match self {
            ClientError::Problem(problem) => Some(problem),
            ClientError::Transport(_) | ClientError::Decode(_) => None,
        }
    }

    /// Whether the same call may succeed later.
    pub fn is_transient(&self) -> bool {
        match self {
            ClientError::Problem(problem) => matches!(problem.status, 429 | 502 | 503 | 504),
            ClientError::Transport(TransportError::Address(_)) | ClientError::Decode(_) => false,
            ClientError::Transport(
                TransportError::Network(_) | TransportError::Timeout | TransportError::Closed,
            ) => true,
        }
    }
}

impl From<reqwest::Error> for TransportError {
    fn from(error: reqwest::Error) -> TransportError {
        if error.is_timeout() {
            return TransportError::Timeout;
        }
        // Only the innermost error is specific.
        let error = error.without_url();
        let mut cause: &dyn std::error::Error = &error;
        while let Some(source) = cause.source() {
            cause = source;
        }
        TransportError::Network(cause.to_string())
    }
}

impl From<reqwest::Error> for ClientError {
    fn from(error: reqwest::Error) -> ClientError {
        TransportError::from(error).into()
    }
}
