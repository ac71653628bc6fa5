//! Handing on: a question gets another recipient, and stays the same question.

use super::command::Target;
use super::decision_builder::DecisionBuilder;
use super::event::Event;
use super::rejection::Rejection;
use super::resolve::find_answerable;
use crate::text::Text;

/// Gives a question to another recipient, as often as people want. One that has an answer stays where it is:
/// its recipient has dealt with it.
pub(super) fn hand_on(
    decision: &mut DecisionBuilder<'_>,
    target: &Target,
    to: &Text,
    reason: Option<&Text>,
) -> Result<(), Rejection> {
    let pending = find_answerable(decision, target)?;
    if pending.inquiry.recipient() == Some(to) {
        return Err(Rejection::SameRecipient);
    }
    decision.emit(Event::InquiryHandedOn {
        from: pending.inquiry.recipient().cloned(),
        inquiry: pending.id,
        to: to.clone(),
        reason: reason.cloned(),
        at: decision.context.now,
        by: decision.context.actor.clone(),
    });
    Ok(())
}

#[cfg(test)]
#[path = "hand_on_tests.rs"]
mod tests;
