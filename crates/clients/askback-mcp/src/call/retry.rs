//! Repeats requests to the askback server while it cannot be reached.

use std::time::Duration;

use askback_client::ClientError;

/// Most attempts of a request while the server cannot be reached.
const ATTEMPTS_MAX: u32 = 20;

/// Repeats a request while the server cannot be reached. The client finds the server that takes over.
/// Only for idempotent requests.
pub(crate) async fn retry_while_unreachable<T, F>(request: impl Fn() -> F) -> Result<T, ClientError>
where
    F: Future<Output = Result<T, ClientError>>,
{
    let mut attempt = 1;
    loop {
        match request().await {
            Err(error) if is_unreachable(&error) && attempt < ATTEMPTS_MAX => {
                tracing::debug!(%error, attempt, "the server cannot be reached");
                tokio::time::sleep(retry_delay(attempt)).await;
                attempt += 1;
            }
            result => return result,
        }
    }
}

pub(crate) fn retry_delay(attempt: u32) -> Duration {
    Duration::from_millis(100 * u64::from(attempt.min(10)))
}

/// Whether a retry can help: the server may come back, or another one may take over.
pub(crate) fn is_unreachable(error: &ClientError) -> bool {
    match error {
        // The server that took over may have another token.
        ClientError::Problem(problem) => matches!(problem.status, 401 | 502 | 503 | 504),
        ClientError::Transport(_) | ClientError::Decode(_) => error.is_transient(),
    }
}
