//! How a command fails: which exit code, and what the person at the terminal reads.

use std::io::Write as _;
use std::process::ExitCode;

/// Why a command did not do what it was asked to.
#[derive(Debug)]
pub(crate) enum Failure {
    /// The input was read and refused; the text says what to send instead. Exit code 2.
    Refused(String),
    /// It ended as the exit code says, and everything about it was said already.
    Ended(u8),
    /// Something outside failed: a file, a pipe. Exit code 1.
    Broken(anyhow::Error),
}

impl Failure {
    /// Tells it on standard error and gives the exit code.
    pub(crate) fn report(&self) -> ExitCode {
        let (text, code) = match self {
            Failure::Refused(text) => (text.clone(), 2),
            Failure::Ended(code) => return ExitCode::from(*code),
            Failure::Broken(error) if is_closed_pipe(error) => return ExitCode::SUCCESS,
            Failure::Broken(error) => (format!("askback: {error:#}"), 1),
        };
        // With standard error gone there is nobody left to tell; the exit code still says it.
        match writeln!(std::io::stderr().lock(), "{text}") {
            Ok(()) | Err(_) => ExitCode::from(code),
        }
    }
}

/// Whether the reader of our output went away, as `askback schema | head -1` does.
fn is_closed_pipe(error: &anyhow::Error) -> bool {
    error
        .downcast_ref::<std::io::Error>()
        .is_some_and(|io| io.kind() == std::io::ErrorKind::BrokenPipe)
}

impl From<anyhow::Error> for Failure {
    fn from(error: anyhow::Error) -> Failure {
        Failure::Broken(error)
    }
}

impl From<std::io::Error> for Failure {
    fn from(error: std::io::Error) -> Failure {
        Failure::Broken(error.into())
    }
}
