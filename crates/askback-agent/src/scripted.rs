//! The scripted provider: an agent that plays a file, the same way every time.
//!
//! It needs no network and no key, so the demo, the tests and the benchmarks run on it. It keeps
//! nothing in memory: which step comes next follows from the history alone, so a script goes on
//! after a restart where it was. `docs/scripted-provider.md` describes the file.

mod fill;
mod heard;
mod play;
mod script;

use std::time::Duration;

use askback_core::conversation::command::RawReply;
use askback_core::conversation::event::{Failure, FailureKind};
use askback_engine::ports::{Llm, LlmFailure, LlmRequest, PortFuture, TokenSink};
use jiff::SignedDuration;
use serde_json::json;

pub use play::Play;
pub use script::{Fail, Script, ScriptError};

/// Plays a script as if it were a model.
#[derive(Debug, Clone)]
pub struct ScriptedLlm {
    script: Script,
    part: Part,
}

/// In which conversations a script speaks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Part {
    /// In all: it was chosen for that.
    Any,
    /// In those that began with a script. The demonstration is what runs where nothing was chosen,
    /// and must not speak for a model that was.
    Own,
}

/// The name by which conversations remember that a script speaks in them.
const NAME: &str = "scripted";

impl ScriptedLlm {
    /// A provider that plays `script`.
    pub fn new(script: Script) -> ScriptedLlm {
        ScriptedLlm {
            script,
            part: Part::Any,
        }
    }

    /// A provider that plays the demonstration.
    pub fn demo() -> Result<ScriptedLlm, ScriptError> {
        Ok(ScriptedLlm {
            script: Script::demo()?,
            part: Part::Own,
        })
    }

    async fn play(
        &self,
        request: LlmRequest,
        tokens: &dyn TokenSink,
    ) -> Result<RawReply, LlmFailure> {
        let play = self
            .script
            .next(&request.history)
            .map_err(|sentence| refused(&sentence))?;
        pause(play.delay).await;
        if let Some(fail) = play.fail_at(request.attempt) {
            return Err(LlmFailure {
                failure: Failure::new(fail.kind, &fail.message),
                retry_after: fail.retry_after_ms.map(SignedDuration::from_millis),
            });
        }
        for (index, word) in play.say.split_inclusive(char::is_whitespace).enumerate() {
            if index > 0 {
                pause(play.chunk_pause).await;
            }
            tokens.token(word);
        }
        Ok(RawReply {
            text: play.say,
            reasoning: play.think.map(|think| json!({ "scripted": think })),
            calls: play.calls,
        })
    }
}

impl Llm for ScriptedLlm {
    fn request<'a>(
        &'a self,
        request: LlmRequest,
        tokens: &'a dyn TokenSink,
    ) -> PortFuture<'a, Result<RawReply, LlmFailure>> {
        Box::pin(self.play(request, tokens))
    }

    fn name(&self) -> Option<&str> {
        Some(NAME)
    }

    fn continues(&self, name: Option<&str>) -> bool {
        self.part == Part::Any || name.is_none_or(|name| name == NAME)
    }
}

fn refused(sentence: &str) -> LlmFailure {
    LlmFailure {
        failure: Failure::new(FailureKind::Refused, sentence),
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
