//! Why a call failed. None of it shows a token, an answer or a body.

use askback_wire::problem::ProblemResponse;

/// Why a call failed.
#[derive(Debug, thiserror::Error)]
pub enum ClientError {
    /// The server refused.
    #[error("{0}")]
    Problem(Box<ProblemResponse>),
    /// The server could not be reached, or the connection broke.
    #[error(transparent)]
    Transport(#[from] TransportError),
    /// The server sent something that is not what is documented.
    #[error(transparent)]
    Decode(#[from] DecodeError),
}

/// The server could not be reached, or the connection broke.
#[derive(Debug, thiserror::Error)]
pub enum TransportError {
    /// The address or the token cannot be used.
    #[error("the address of the server cannot be used: {0}")]
    Address(&'static str),
    /// No connection, or one that broke.
    #[error("the server cannot be reached: {0}")]
    Network(String),
    /// Nothing came for too long.
    #[error("the server has been silent for too long")]
    Silent,
    /// The feed ended.
    #[error("the server closed the feed")]
    Closed,
}

/// The server sent something that is not what is documented. Its text is left out: it may hold an
/// answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("the server's reply cannot be read (status {status}, line {line}, column {column})")]
pub struct DecodeError {
    /// The HTTP status.
    pub status: u16,
    /// The line of the body, counted from one.
    pub line: usize,
    /// The column in that line.
    pub column: usize,
}

impl ClientError {
    /// What the server said, if it refused.
    pub fn problem(&self) -> Option<&ProblemResponse> {
        match self {
            ClientError::Problem(problem) => Some(problem),
            ClientError::Transport(_) | ClientError::Decode(_) => None,
        }
    }

    /// Whether the same call may succeed later: the connection broke, or the server is busy.
    pub fn is_passing(&self) -> bool {
        match self {
            ClientError::Problem(problem) => matches!(problem.status, 429 | 502 | 503 | 504),
            ClientError::Transport(TransportError::Address(_)) | ClientError::Decode(_) => false,
            ClientError::Transport(
                TransportError::Network(_) | TransportError::Silent | TransportError::Closed,
            ) => true,
        }
    }
}

impl From<reqwest::Error> for TransportError {
    fn from(error: reqwest::Error) -> TransportError {
        if error.is_timeout() {
            return TransportError::Silent;
        }
        // The innermost cause says what happened; the outer ones say that something did.
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
