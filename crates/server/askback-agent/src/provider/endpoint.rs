//! The server that requests go to, and the errors about it that a user can act on.

use std::time::Duration;

use askback_core::conversation::event::{AgentFailure, FailureKind};
use askback_engine::ports::LlmFailure;

use super::key::ApiKey;
use super::settings::Protocol;

/// Longest part of a server's error message that is shown to the user.
const QUOTED_CHARS_MAX: usize = 300;

/// A provider's server. Every error message names its host.
#[derive(Debug, Clone)]
pub(super) struct Endpoint {
    pub(super) protocol: Protocol,
    /// The host, without a port.
    pub(super) host: String,
    pub(super) key: Option<ApiKey>,
    pub(super) idle_secs: u64,
}

impl Endpoint {
    /// Whether this is `OpenAI` itself and not a compatible server.
    pub(super) fn is_openai(&self) -> bool {
        self.host == "api.openai.com"
    }

    /// Fails if there is no key, and a request without one is certain to fail.
    pub(super) fn check_key(&self) -> Result<(), LlmFailure> {
        let requires_key = self.is_openai() || self.host == "api.anthropic.com";
        if self.key.is_none() && requires_key {
            return Err(self.missing_key());
        }
        Ok(())
    }

    pub(super) fn missing_model(&self) -> LlmFailure {
        refused(&format!(
            "No model is set for {}. Set --model or ASKBACK_MODEL.",
            self.host
        ))
    }

    pub(super) fn missing_key(&self) -> LlmFailure {
        refused(&format!(
            "{} requires an API key, and none is set. Set {}.",
            self.host,
            self.key_variables()
        ))
    }

    pub(super) fn disconnected(&self) -> LlmFailure {
        failed(
            FailureKind::Network,
            &format!(
                "The connection to {} broke before the reply was complete.",
                self.host
            ),
        )
    }

    /// Not retried: another attempt would most likely take as long.
    pub(super) fn reply_timed_out(&self, limit: Duration) -> LlmFailure {
        refused(&format!(
            "The reply of {} was not complete after {} seconds. Send a message to try again, or \
             raise `reply_timeout` in the configuration.",
            self.host,
            limit.as_secs()
        ))
    }

    pub(super) fn malformed(&self, problem: &str) -> LlmFailure {
        failed(
            FailureKind::Malformed,
            &format!("The reply of {} cannot be read: {problem}.", self.host),
        )
    }

    pub(super) fn key_variables(&self) -> String {
        format!("ASKBACK_API_KEY or {}", self.protocol.key_variable())
    }

    /// A server's error message, shortened, and without the key should the server have echoed it.
    pub(super) fn quote(&self, message: &str) -> String {
        let redacted = match &self.key {
            Some(key) => key.redact(message),
            None => message.to_owned(),
        };
        let redacted = redacted.trim();
        let mut quote: String = redacted.chars().take(QUOTED_CHARS_MAX).collect();
        if quote.len() < redacted.len() {
            quote.push('…');
        }
        quote
    }
}

/// A failure that another attempt would meet again.
pub(super) fn refused(message: &str) -> LlmFailure {
    failed(FailureKind::Refused, message)
}

pub(super) fn failed(kind: FailureKind, message: &str) -> LlmFailure {
    LlmFailure {
        failure: AgentFailure::new(kind, message),
        retry_after: None,
    }
}
