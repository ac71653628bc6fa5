//! The scripted provider: a model whose replies come from a file, the same every time.
//!
//! It needs no network and no key, so the demo, the tests and the benchmarks use it. It keeps no
//! state: the history alone decides which step comes next, so a script continues after a restart.
//! `docs/scripted-provider.md` describes the file.

mod history_view;
mod runner;
mod script;
mod template;

use std::time::Duration;

use askback_core::conversation::command::RawReply;
use askback_core::conversation::event::{AgentFailure, FailureKind};
use askback_engine::ports::{Llm, LlmFailure, LlmRequest, PortFuture, TokenSink};
use jiff::SignedDuration;
use serde_json::json;

pub use runner::ScriptedReply;
pub use script::{Script, ScriptError, ScriptedFailure};

/// A script in the role of a model.
#[derive(Debug, Clone)]
pub struct ScriptedLlm {
    script: Script,
    scope: Scope,
}

/// The conversations that a script replies in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Scope {
    /// For a script that the user chose.
    AllConversations,
    /// For the demo, which runs if no provider was chosen: it must not continue what a model began.
    ScriptedConversations,
}

/// The provider name that scripted conversations are stored with.
const NAME: &str = "scripted";

impl ScriptedLlm {
    /// Runs `script` in every conversation.
    pub fn new(script: Script) -> ScriptedLlm {
        ScriptedLlm {
            script,
            scope: Scope::AllConversations,
        }
    }

    /// Runs the demo, only in conversations that began with a script.
    pub fn demo() -> Result<ScriptedLlm, ScriptError> {
        Ok(ScriptedLlm {
            script: Script::demo()?,
            scope: Scope::ScriptedConversations,
        })
    }

    async fn run_step(
        &self,
        request: LlmRequest,
        tokens: &dyn TokenSink,
    ) -> Result<RawReply, LlmFailure> {
        let reply = self
            .script
            .next_reply(&request.history)
            .map_err(|message| refused(&message))?;
        pause(reply.delay).await;
        if let Some(failure) = reply.failure_for_attempt(request.attempt) {
            return Err(LlmFailure {
                failure: AgentFailure::new(failure.kind, &failure.message),
                retry_after: failure.retry_after_ms.map(SignedDuration::from_millis),
            });
        }
        for (index, word) in reply.say.split_inclusive(char::is_whitespace).enumerate() {
            if index > 0 {
                pause(reply.chunk_pause).await;
            }
            tokens.token(word);
        }
        Ok(RawReply {
            text: reply.say,
            reasoning: reply.think.map(|think| json!({ "scripted": think })),
            calls: reply.calls,
        })
    }
}

impl Llm for ScriptedLlm {
    fn request<'a>(
        &'a self,
        request: LlmRequest,
        tokens: &'a dyn TokenSink,
    ) -> PortFuture<'a, Result<RawReply, LlmFailure>> {
        Box::pin(self.run_step(request, tokens))
    }

    fn name(&self) -> Option<&str> {
        Some(NAME)
    }

    fn can_continue(&self, name: Option<&str>) -> bool {
        self.scope == Scope::AllConversations || name.is_none_or(|name| name == NAME)
    }
}

fn refused(message: &str) -> LlmFailure {
    LlmFailure {
        failure: AgentFailure::new(FailureKind::Refused, message),
        retry_after: None,
    }
}

async fn pause(duration: Duration) {
    if !duration.is_zero() {
        tokio::time::sleep(duration).await;
    }
}

#[cfg(test)]
#[path = "scripted_tests.rs"]
mod tests;
