//! The server on the other side, and the sentences about it that a user can act on.

use std::time::Duration;

use askback_core::conversation::event::{Failure, FailureKind};
use askback_engine::ports::LlmFailure;

use super::key::ApiKey;
use super::settings::Wire;

/// Longest quotation of what a server says about a failure.
const QUOTED_CHARS_MAX: usize = 300;

/// Who is asked.
#[derive(Debug, Clone)]
pub(super) struct Peer {
    pub(super) wire: Wire,
    /// The host, without a port.
    pub(super) host: String,
    pub(super) key: Option<ApiKey>,
    pub(super) idle_secs: u64,
}

impl Peer {
    /// Whether it is `OpenAI` itself and not a server that speaks like it.
    pub(super) fn is_openai_itself(&self) -> bool {
        self.wire == Wire::OpenAi && self.host == "api.openai.com"
    }

    /// Whether it certainly wants a key.
    pub(super) fn wants_key(&self) -> bool {
        self.is_openai_itself() || self.host == "api.anthropic.com"
    }

    pub(super) fn no_model(&self) -> LlmFailure {
        refused(&format!(
            "No model is named for {}. Set --model or ASKBACK_MODEL.",
            self.host
        ))
    }

    pub(super) fn no_key(&self) -> LlmFailure {
        refused(&format!(
            "{} wants an API key, and none is set. Set {}.",
            self.host,
            self.key_variables()
        ))
    }

    pub(super) fn broken(&self) -> LlmFailure {
        failed(
            FailureKind::Network,
            &format!(
                "The connection to {} broke before the reply was complete.",
                self.host
            ),
        )
    }

    /// Another attempt would most likely take as long, so there is none.
    pub(super) fn too_slow(&self, limit: Duration) -> LlmFailure {
        refused(&format!(
            "The reply of {} was not complete after {} seconds. Send a message to try again, or \
             raise `reply_timeout` in the configuration.",
            self.host,
            limit.as_secs()
        ))
    }

    pub(super) fn malformed(&self, how: &str) -> LlmFailure {
        failed(
            FailureKind::Malformed,
            &format!("The reply of {} cannot be read: {how}.", self.host),
        )
    }

    pub(super) fn key_variables(&self) -> String {
        format!("ASKBACK_API_KEY or {}", self.wire.key_variable())
    }

    /// What the server says, cut and without the key.
    pub(super) fn quoted(&self, message: &str) -> String {
        let scrubbed = match &self.key {
            Some(key) => key.scrub(message),
            None => message.to_owned(),
        };
        let scrubbed = scrubbed.trim();
        let mut cut: String = scrubbed.chars().take(QUOTED_CHARS_MAX).collect();
        if cut.len() < scrubbed.len() {
            cut.push('…');
        }
        cut
    }
}

pub(super) fn refused(sentence: &str) -> LlmFailure {
    failed(FailureKind::Refused, sentence)
}

pub(super) fn failed(kind: FailureKind, sentence: &str) -> LlmFailure {
    LlmFailure {
        failure: Failure::new(kind, sentence),
        retry_after: None,
    }
}
