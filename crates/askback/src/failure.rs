//! How a command fails: which exit code, and what the person at the terminal reads.

use std::io::Write as _;
use std::process::ExitCode;

use askback_client::ClientError;
use askback_wire::problem::ProblemCode;

use crate::output;

#[derive(Debug)]
pub(crate) enum Failure {
    /// The input was read and refused; the text says what to send instead. Exit code 2.
    Refused(String),
    /// The exit code says it all; nothing more is printed.
    Ended(u8),
    /// Something else failed: a file, the network, the terminal. Exit code 1.
    Broken(anyhow::Error),
}

impl Failure {
    /// Prints the failure to standard error and returns the exit code.
    pub(crate) fn report(&self) -> ExitCode {
        let (text, code) = match self {
            Failure::Refused(text) => (text.clone(), 2),
            Failure::Ended(code) => return ExitCode::from(*code),
            Failure::Broken(error) if is_closed_pipe(error) => return ExitCode::SUCCESS,
            Failure::Broken(error) => (format!("askback: {error:#}"), 1),
        };
        // Without standard error, the exit code is all there is.
        match writeln!(output::stderr(), "{text}") {
            Ok(()) | Err(_) => ExitCode::from(code),
        }
    }
}

/// Refuses the input; the text says what to send instead.
pub(crate) fn refuse<T>(text: impl Into<String>) -> Result<T, Failure> {
    Err(Failure::Refused(text.into()))
}

/// Whether the reader of standard output has gone, as in `askback schema | head -1`.
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

/// What happened, and which flag helps. Only a server at `--url` can refuse the token: the one of a data
/// directory is used with its own.
pub(crate) fn client_error_text(error: &ClientError) -> String {
    match error {
        ClientError::Problem(problem)
            if problem.known_code() == Some(ProblemCode::Unauthorized) =>
        {
            "The server refused the token. Give it with --token-file FILE or ASKBACK_TOKEN; it is in \
             the file `token` of the server's data directory."
                .to_owned()
        }
        ClientError::Transport(error) => {
            format!("{error}. Check that the server runs, and --url (ASKBACK_URL) if you set it.")
        }
        ClientError::Problem(_) | ClientError::Decode(_) => error.to_string(),
    }
}

/// The same as an error.
pub(crate) fn client_error(error: &ClientError) -> anyhow::Error {
    anyhow::anyhow!(client_error_text(error))
}

/// A refusal by the server names what to do; anything else is a fault.
impl From<ClientError> for Failure {
    fn from(error: ClientError) -> Failure {
        match error {
            ClientError::Problem(_) => Failure::Refused(client_error_text(&error)),
            ClientError::Transport(_) | ClientError::Decode(_) => {
                Failure::Broken(client_error(&error))
            }
        }
    }
}

impl From<std::io::Error> for Failure {
    fn from(error: std::io::Error) -> Failure {
        Failure::Broken(error.into())
    }
}
