//! Settings: flags go before the environment, the environment before the file.

use std::net::SocketAddr;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, bail};
use serde::Deserialize;

/// What a configuration file may hold. Every key is optional; an unknown one is an error.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(crate) struct FileConfig {
    /// Where the server listens.
    pub(crate) listen: Option<SocketAddr>,
    /// Where data is kept.
    pub(crate) data: Option<PathBuf>,
    /// The store, if it is not in the data directory.
    pub(crate) store: Option<String>,
    /// The secret that opens the server.
    pub(crate) token: Option<String>,
    /// Where further apps lie.
    pub(crate) apps: Option<PathBuf>,
    /// Further names under which the server may be addressed.
    pub(crate) hosts: Vec<String>,
    /// Who thinks: `anthropic`, `openai` or `scripted:FILE`.
    pub(crate) provider: Option<String>,
    /// The model.
    pub(crate) model: Option<String>,
    /// Where the provider is.
    pub(crate) base_url: Option<String>,
    /// The provider's key.
    pub(crate) api_key: Option<String>,
    /// The language of the apps.
    pub(crate) locale: Option<String>,
}

impl FileConfig {
    /// Reads the file; without one, nothing is configured.
    pub(crate) fn read(path: Option<&Path>) -> anyhow::Result<FileConfig> {
        let Some(path) = path else {
            return Ok(FileConfig::default());
        };
        let text = std::fs::read_to_string(path)
            .with_context(|| format!("cannot read the configuration {}", path.display()))?;
        toml::from_str(&text).with_context(|| format!("{} is not right", path.display()))
    }
}

/// Where data is kept unless it is said otherwise.
pub(crate) fn default_data_dir() -> anyhow::Result<PathBuf> {
    if let Some(home) = variable("XDG_DATA_HOME") {
        return Ok(PathBuf::from(home).join("askback"));
    }
    match variable("HOME") {
        Some(home) => Ok(PathBuf::from(home).join(".local/share/askback")),
        None => bail!("there is no home directory: say where to keep data with --data DIR"),
    }
}

/// An environment variable that is set to something.
pub(crate) fn variable(name: &str) -> Option<String> {
    std::env::var(name).ok().filter(|value| !value.is_empty())
}
