//! Where the token of a channel comes from. It is read anew for each use, and is in no log.

use std::path::PathBuf;

use askback_store::private_file::shared_mode;
use serde::Deserialize;

use crate::provider::mounted_secret::is_mounted_secret;

/// A value of the configuration that is a secret, or may contain one. Its `Debug` output is hidden, so that a
/// configuration can be logged.
#[derive(Clone, PartialEq, Eq, Deserialize)]
#[serde(transparent)]
pub struct Secret(pub String);

askback_core::debug_only!(Secret);

impl From<&str> for Secret {
    fn from(value: &str) -> Secret {
        Secret(value.to_owned())
    }
}

/// Where a token comes from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum TokenSource {
    /// An environment variable.
    Variable(String),
    /// A file that only its owner can read.
    File(PathBuf),
    /// The configuration itself.
    Value(Secret),
}

impl TokenSource {
    /// The token. The error says what to do, and contains nothing of it.
    pub fn read(&self) -> Result<String, String> {
        let token = match self {
            TokenSource::Variable(name) => std::env::var(name)
                .map_err(|_| format!("the environment variable {name} is not set"))?,
            TokenSource::File(path) => {
                let shown = path.display();
                let failed = |error| format!("cannot read the token file {shown}: {error}");
                let metadata = std::fs::metadata(path).map_err(failed)?;
                if let Some(mode) = shared_mode(&metadata)
                    && !is_mounted_secret(path, &metadata)
                {
                    return Err(format!(
                        "others can read the token file {shown} (mode {mode:o}): run chmod 600 {shown}"
                    ));
                }
                std::fs::read_to_string(path).map_err(failed)?
            }
            TokenSource::Value(token) => token.0.clone(),
        };
        let token = token.trim();
        if token.is_empty() {
            return Err("the token is empty".to_owned());
        }
        Ok(token.to_owned())
    }
}
