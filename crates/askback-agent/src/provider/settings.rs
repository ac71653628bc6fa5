//! What a provider must be told before it can be used.

use std::time::Duration;

use serde_json::{Map, Value};

use super::key::ApiKey;

/// Which protocol a provider speaks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Wire {
    /// Anthropic's Messages.
    Anthropic,
    /// Chat completions as `OpenAI` has them, and most other servers.
    OpenAi,
}

impl Wire {
    /// The name by which it is chosen.
    pub fn name(self) -> &'static str {
        match self {
            Wire::Anthropic => "anthropic",
            Wire::OpenAi => "openai",
        }
    }

    /// Where it is spoken if nothing else is configured.
    pub(super) fn default_base_url(self) -> &'static str {
        match self {
            Wire::Anthropic => "https://api.anthropic.com",
            Wire::OpenAi => "https://api.openai.com/v1",
        }
    }

    /// The variable that holds the key if `ASKBACK_API_KEY` does not.
    pub fn key_variable(self) -> &'static str {
        match self {
            Wire::Anthropic => "ANTHROPIC_API_KEY",
            Wire::OpenAi => "OPENAI_API_KEY",
        }
    }
}

/// How to reach a model.
#[derive(Debug, Clone)]
pub struct Settings {
    /// The protocol.
    pub wire: Wire,
    /// The server, with or without `/v1` and a slash at the end; none for the protocol's own.
    pub base_url: Option<String>,
    /// The key; local servers often want none.
    pub key: Option<ApiKey>,
    /// The model, where an app names none.
    pub model: Option<String>,
    /// Whether replies are streamed.
    pub stream: bool,
    /// Whether the provider enforces the schemas of the tools of askback itself.
    pub strict: bool,
    /// Most tokens of a reply, where an app says nothing.
    pub tokens_max: Option<u32>,
    /// How long a connection may take to come about.
    pub connect_timeout: Duration,
    /// How long a connection may be silent.
    pub idle_timeout: Duration,
    /// How long a request may take in all, with its reply. A server that sends a little from time to
    /// time must not hold a place for ever.
    pub reply_timeout: Duration,
    /// Further fields of each request, such as `thinking`, `reasoning_effort` or `temperature`.
    /// They replace what askback would send under their name.
    pub extra: Map<String, Value>,
}

impl Settings {
    /// The settings of a protocol before anything is configured.
    pub fn new(wire: Wire) -> Settings {
        Settings {
            wire,
            base_url: None,
            key: None,
            model: None,
            stream: true,
            strict: false,
            tokens_max: None,
            connect_timeout: Duration::from_secs(20),
            // A model that thinks before its first word can be silent for minutes.
            idle_timeout: Duration::from_mins(5),
            reply_timeout: Duration::from_mins(30),
            extra: Map::new(),
        }
    }
}

/// Why settings cannot be used, for the operator.
#[derive(Debug, thiserror::Error)]
pub enum SettingsError {
    /// The base URL is none.
    #[error(
        "the base URL is not an http or https address such as {example}: check --base-url or \
         ASKBACK_BASE_URL"
    )]
    BaseUrl {
        /// One that would do.
        example: &'static str,
    },
    /// The key cannot stand in a header.
    #[error("the API key holds characters that no key has: check ASKBACK_API_KEY or {variable}")]
    Key {
        /// The other variable that a key is taken from.
        variable: &'static str,
    },
    /// The HTTP client cannot be set up.
    #[error(
        "the HTTP client cannot be set up; if no root certificates are installed, install \
         ca-certificates or name a file with SSL_CERT_FILE: {0}"
    )]
    Client(#[source] reqwest::Error),
}
