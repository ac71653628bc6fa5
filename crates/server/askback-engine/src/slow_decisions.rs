//! Keeps slow decisions off the async threads: answers that a regular expression of the agent must match.

use std::sync::Arc;

use askback_core::conversation::command::{Command, RespondentAction};
use askback_core::conversation::rejection::Rejection;
use askback_core::conversation::{Context, Decision};

use crate::loaded_conversation::LoadedConversation;
use crate::submit::SubmitError;

/// Decides on a command, on a blocking thread if that may take long. Every other decision takes microseconds.
pub(crate) async fn decide_without_blocking(
    loaded: &LoadedConversation,
    command: &Command,
    context: &Context,
) -> Result<Result<Decision, Rejection>, SubmitError> {
    if !runs_pattern(loaded, command) {
        return Ok(loaded.conversation.decide(command, context));
    }
    let conversation = Arc::clone(&loaded.conversation);
    let (command, context) = (command.clone(), context.clone());
    let deciding = tokio::task::spawn_blocking(move || conversation.decide(&command, &context));
    deciding.await.map_err(|_| SubmitError::Closing)
}

fn runs_pattern(loaded: &LoadedConversation, command: &Command) -> bool {
    let answers = matches!(
        command,
        Command::Answer { .. }
            | Command::AnswerWithUndo {
                reply: RespondentAction::Answer { .. },
                ..
            }
    );
    let mut pending = loaded.conversation.state.pending().iter();
    answers && pending.any(|pending| pending.inquiry.has_pattern())
}

#[cfg(test)]
#[path = "slow_decisions_tests.rs"]
mod tests;
