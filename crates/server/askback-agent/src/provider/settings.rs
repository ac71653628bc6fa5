//! The settings of a provider.

use std::time::Duration;

use super::key::ApiKey;

/// The HTTP protocol that a provider speaks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Protocol {
    /// Anthropic's Messages API.
    Anthropic,
    /// `OpenAI`'s Chat Completions API, which most other servers speak too.
    OpenAiChat,
    /// `OpenAI`'s Responses API.
    OpenAiResponses,
}

impl Protocol {
    /// The name in `--provider`, which conversations are also stored with.
    pub fn name(self) -> &'static str {
        match self {
            Protocol::Anthropic => "anthropic",
            Protocol::OpenAiChat => "openai",
            Protocol::OpenAiResponses => "openai-responses",
        }
    }

    pub(super) fn default_base_url(self) -> &'static str {
        match self {
            Protocol::Anthropic => "https://api.anthropic.com",
            Protocol::OpenAiChat | Protocol::OpenAiResponses => "https://api.openai.com/v1",
        }
    }

    /// The environment variable that holds the key if `ASKBACK_API_KEY` is not set.
    pub fn key_variable(self) -> &'static str {
        match self {
            Protocol::Anthropic => "ANTHROPIC_API_KEY",
            Protocol::OpenAiChat | Protocol::OpenAiResponses => "OPENAI_API_KEY",
        }
    }
}

/// How to reach a model and what to send with every request.
#[derive(Debug, Clone)]
pub struct ProviderSettings {
    /// Decides the default base URL and the key variable as well.
    pub protocol: Protocol,
    /// With or without `/v1` and a trailing slash; `None` for the official server.
    pub base_url: Option<String>,
    /// Local servers often need none.
    pub key: Option<ApiKey>,
    /// The model for apps that do not name one.
    pub model: Option<String>,
    /// Whether to ask for a streamed reply. Both kinds of reply are read either way.
    pub stream: bool,
    /// How long a connection may stay silent.
    pub idle_timeout: Duration,
    /// How long a request may take in total. Without it, a server that sends a few bytes now and
    /// then would occupy one of the concurrent requests for ever.
    pub reply_timeout: Duration,
}

impl ProviderSettings {
    /// The default settings of a protocol.
    pub fn new(protocol: Protocol) -> ProviderSettings {
        ProviderSettings {
            protocol,
            base_url: None,
            key: None,
            model: None,
            stream: true,
            // A reasoning model can be silent for minutes before its first token.
            idle_timeout: Duration::from_mins(5),
            reply_timeout: Duration::from_mins(30),
        }
    }
}

/// Why the settings cannot be used, for the operator.
#[derive(Debug, thiserror::Error)]
pub enum ProviderSettingsError {
    /// Not an absolute http or https URL.
    #[error(
        "the base URL is not an http or https address such as {example}: check --base-url or \
         ASKBACK_BASE_URL"
    )]
    BaseUrl {
        /// A URL that would work.
        example: &'static str,
    },
    /// The key contains characters that a header cannot.
    #[error("the API key holds characters that no key has: check ASKBACK_API_KEY or {variable}")]
    Key {
        /// The other variable that the key may come from.
        variable: &'static str,
    },
    /// The HTTP client cannot be built.
    #[error(
        "the HTTP client cannot be set up; if no root certificates are installed, install \
         ca-certificates or name a file with SSL_CERT_FILE: {0}"
    )]
    Client(#[source] reqwest::Error),
}
