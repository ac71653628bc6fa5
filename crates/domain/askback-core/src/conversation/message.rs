//! The user sends a message.

use super::Driver;
use super::decision_builder::DecisionBuilder;
use super::event::Event;
use super::rejection::Rejection;
use super::resolve;
use super::state::{PendingInquiries, State};
use crate::id::{InquiryId, MessageId};
use crate::limits;
use crate::outcome::{Actor, Outcome};
use crate::text::{Lines, Text};

/// Takes a message if the conversation waits for one, or for an answer that a message can be.
pub(super) fn send(
    decision: &mut DecisionBuilder<'_>,
    message: Option<&MessageId>,
    text: &str,
) -> Result<(), Rejection> {
    if decision.conversation.settings.driver == Driver::External {
        return Err(Rejection::WrongDriver {
            driver: "an external agent",
        });
    }
    if message.is_some_and(|id| decision.conversation.recent_messages.contains(id)) {
        return Err(Rejection::DuplicateMessage);
    }
    let text = Text::clean(text, Lines::Many)
        .filter(|text| text.chars() <= limits::MESSAGE_CHARS_MAX)
        .ok_or(Rejection::InvalidMessage)?;
    match decision.state() {
        State::Idle | State::Error { .. } => {
            let by = decision.context.actor.clone();
            receive(decision, message, text, None, by);
            decision.request_llm();
            Ok(())
        }
        State::AwaitingUserResponse(PendingInquiries::Agent { pending, .. }) => {
            let dialect = pending.inquiry.dialect();
            let for_model = pending.tool.is_none();
            if !for_model || !decision.rules(dialect).message_answers {
                return Err(Rejection::AwaitingUserResponse);
            }
            if pending.held.is_some() {
                return Err(Rejection::Held);
            }
            resolve::require_not_expired(decision, pending)?;
            let pending = pending.clone();
            let outcome = Outcome::Superseded {
                message: text.clone(),
            };
            resolve::resolve_now(decision, &pending, outcome, message);
            Ok(())
        }
        State::AwaitingUserResponse(PendingInquiries::External { .. })
        | State::LlmRequesting { .. }
        | State::ToolExecuting { .. }
        | State::AwaitingSubAgents { .. } => Err(Rejection::Busy),
        State::Closed => Err(Rejection::Closed),
    }
}

/// Writes a message down, with the inquiry it answers and who said it. That inquiry, if there is
/// one, is settled by the caller.
pub(super) fn receive(
    decision: &mut DecisionBuilder<'_>,
    message: Option<&MessageId>,
    text: Text,
    answers: Option<InquiryId>,
    by: Actor,
) {
    let own = decision.new_id();
    decision.emit(Event::MessageReceived {
        message: own,
        sent_as: message.cloned(),
        text,
        answers,
        by,
    });
}

#[cfg(test)]
#[path = "message_tests.rs"]
mod tests;
