//! Why a channel cannot be set up.

use crate::provider::base_url::BaseUrlError;

/// Why a channel of a service that is reached over HTTP cannot be set up.
#[derive(Debug, thiserror::Error)]
pub enum ConfigError {
    /// The address is refused.
    #[error("base_url {0}")]
    BaseUrl(#[from] BaseUrlError),
    /// A setting is missing or not valid, and what to write.
    #[error("{0}")]
    Setting(&'static str),
    /// The HTTP client cannot be made.
    #[error("cannot set up TLS: {0}")]
    Tls(#[from] reqwest::Error),
}
