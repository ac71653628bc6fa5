//! Secrets in settings: `NAME_env`, `NAME_file` or `NAME`. The first one that is set is used.

use std::path::Path;

use crate::contract::channel::SendError;
use crate::provider::secret::{Secret, TokenSource};

/// Where a secret is. `None` if no setting says so.
pub(crate) fn secret_source(
    env: Option<&str>,
    file: Option<&Path>,
    value: Option<&Secret>,
) -> Option<TokenSource> {
    match (env, file, value) {
        (Some(variable), _, _) => Some(TokenSource::Variable(variable.to_owned())),
        (None, Some(path), _) => Some(TokenSource::File(path.to_owned())),
        (None, None, Some(value)) => Some(TokenSource::Value(value.clone())),
        (None, None, None) => None,
    }
}

/// Reads a secret for a request. Without it the whole channel waits.
pub(crate) fn read_secret(source: &TokenSource) -> Result<String, SendError> {
    source.read().map_err(SendError::unauthorized)
}

#[cfg(test)]
#[path = "secret_setting_tests.rs"]
mod tests;
