//! Decides off the threads of the runtime what may take a moment.

use std::sync::Arc;

use askback_core::conversation::command::{Command, Reply};
use askback_core::conversation::rejection::Rejection;
use askback_core::conversation::{Context, Decision};

use crate::loaded_conversation::Active;
use crate::submit::SubmitError;

/// Decides on a command. An answer that is matched against a pattern of the agent's is decided on a
/// thread that may block; everything else takes microseconds.
pub(crate) async fn decide(
    active: &Active,
    command: &Command,
    context: &Context,
) -> Result<Result<Decision, Rejection>, SubmitError> {
    if !runs_pattern(active, command) {
        return Ok(active.conversation.decide(command, context));
    }
    let conversation = Arc::clone(&active.conversation);
    let (command, context) = (command.clone(), context.clone());
    let deciding = tokio::task::spawn_blocking(move || conversation.decide(&command, &context));
    deciding.await.map_err(|_| SubmitError::Closing)
}

fn runs_pattern(active: &Active, command: &Command) -> bool {
    let answers = matches!(
        command,
        Command::Answer { .. }
            | Command::AnswerWithUndo {
                reply: Reply::Answer { .. },
                ..
            }
    );
    let mut pending = active.conversation.state.pending().iter();
    answers && pending.any(|pending| pending.inquiry.has_pattern())
}

#[cfg(test)]
#[path = "decide_tests.rs"]
mod tests;
