//! Work of several steps that must not stop halfway.

use askback_wire::problem::ProblemCode;

use crate::problem::{Problem, problem};

/// Does all of it, also if the client disconnects: a handler is dropped with its connection, and would leave access that
/// was half taken away.
pub(crate) async fn completed<T: Send + 'static>(
    work: impl Future<Output = Result<T, Problem>> + Send + 'static,
) -> Result<T, Problem> {
    match tokio::spawn(work).await {
        Ok(result) => result,
        Err(_) => Err(problem(ProblemCode::Internal)),
    }
}

#[cfg(test)]
#[path = "completed_tests.rs"]
mod tests;
