//! A question is asked from outside, and questions get their one outcome.

use serde_json::Value;

use super::Driver;
use super::command::{NewDeadline, Target};
use super::decision_builder::DecisionBuilder;
use super::event::{CallResult, Event, TurnEnd};
use super::rejection::Rejection;
use super::state::{PendingInquiries, PendingInquiry, State};
use super::{message, round, stop, tool_reports};
use crate::answer::Answers;
use crate::dialect::{AskResult, Dialect, undeliverable};
use crate::id::{InquiryId, MessageId};
use crate::inquiry::Inquiry;
use crate::limits;
use crate::outcome::{Next, Outcome, Resolution};
use crate::text::{Lines, Text};
use crate::time::whole_millis;

/// An external agent asks.
pub(super) fn ask(
    decision: &mut DecisionBuilder<'_>,
    inquiry: &Inquiry,
    deadline: Option<NewDeadline>,
) -> Result<(), Rejection> {
    if decision.conversation.settings.driver != Driver::External {
        return Err(Rejection::WrongDriver {
            driver: "the built-in agent",
        });
    }
    if *decision.state() == State::Closed {
        return Err(Rejection::Closed);
    }
    let dialect = inquiry.dialect();
    if let Some(reason) = round::undeliverable_reason(decision, dialect) {
        return Err(Rejection::Undeliverable(undeliverable(dialect, reason)));
    }
    let waiting = decision.state().pending();
    if waiting.len() >= limits::EXTERNAL_PENDING_MAX {
        return Err(Rejection::TooManyPending);
    }
    let bytes: usize = waiting.iter().map(|pending| pending.inquiry.bytes()).sum();
    if bytes + inquiry.bytes() > limits::EXTERNAL_PENDING_BYTES_MAX {
        return Err(Rejection::TooManyPending);
    }
    let now = decision.context.now;
    let expires_at = match deadline {
        Some(NewDeadline::After(after)) if !after.is_positive() => {
            return Err(Rejection::DeadlinePassed);
        }
        // A time beyond the calendar never comes.
        Some(NewDeadline::After(after)) => now.checked_add(after).ok().map(whole_millis),
        Some(NewDeadline::At(at)) => Some(whole_millis(at)),
        None => decision.rules(dialect).expires_at(now),
    };
    if expires_at.is_some_and(|at| at <= now) {
        return Err(Rejection::DeadlinePassed);
    }
    round::add_pending(decision, None, None, inquiry.clone(), expires_at);
    Ok(())
}

/// The respondent answers. The answer is checked against the stored question.
pub(super) fn answer(
    decision: &mut DecisionBuilder<'_>,
    target: &Target,
    answers: &Value,
    notes: Option<&Value>,
) -> Result<(), Rejection> {
    let pending = find_answerable(decision, target)?;
    let answers = Answers::from_json(&pending.inquiry, answers, notes);
    let answers = answers.map_err(Rejection::InvalidAnswer)?;
    resolve_now(decision, &pending, Outcome::Answered { answers }, None);
    Ok(())
}

/// The respondent wants the agent to go on without an answer.
pub(super) fn decline(
    decision: &mut DecisionBuilder<'_>,
    target: &Target,
) -> Result<(), Rejection> {
    let pending = find_answerable(decision, target)?;
    resolve_now(decision, &pending, Outcome::Declined, None);
    Ok(())
}

/// The respondent refuses the question.
pub(super) fn reject(decision: &mut DecisionBuilder<'_>, target: &Target) -> Result<(), Rejection> {
    let pending = find_answerable(decision, target)?;
    resolve_now(decision, &pending, Outcome::Rejected, None);
    Ok(())
}

/// A deadline has passed. A timer that fires for a deadline that was moved is refused, and so is one
/// that fires while an answer can still be undone: the answer was given in time.
pub(super) fn expire(
    decision: &mut DecisionBuilder<'_>,
    inquiry: &InquiryId,
) -> Result<(), Rejection> {
    let pending = find_pending(decision, &inquiry.clone().into())?;
    if pending.held.is_some() {
        return Err(Rejection::Held);
    }
    if !pending.is_expired(decision.context.now) {
        let expires_at = pending.expires_at;
        return Err(Rejection::NotExpired { expires_at });
    }
    resolve_now(decision, &pending, Outcome::Expired, None);
    Ok(())
}

/// The waiting inquiry that a command is for.
pub(super) fn find_pending(
    decision: &DecisionBuilder<'_>,
    target: &Target,
) -> Result<PendingInquiry, Rejection> {
    let waiting = decision.state().pending();
    match target {
        Target::Pending => match waiting {
            [] => Err(Rejection::NotPending),
            [only] => Ok(only.clone()),
            _ => Err(Rejection::SeveralPending),
        },
        Target::Inquiry { id, revision } => find_by_id(decision, id, *revision),
        Target::Delivered {
            id,
            revision,
            hand_ons,
        } => {
            let pending = find_by_id(decision, id, Some(*revision))?;
            if pending.inquiry.hand_ons() != *hand_ons {
                return Err(Rejection::StaleInquiry);
            }
            Ok(pending)
        }
    }
}

fn find_by_id(
    decision: &DecisionBuilder<'_>,
    id: &InquiryId,
    revision: Option<u32>,
) -> Result<PendingInquiry, Rejection> {
    let mut waiting = decision.state().pending().iter();
    let Some(pending) = waiting.find(|pending| pending.id == *id) else {
        return Err(not_found(decision.state()));
    };
    if revision.is_some_and(|revision| revision != pending.revision) {
        return Err(Rejection::StaleInquiry);
    }
    Ok(pending.clone())
}

/// The waiting inquiry that a respondent's command is for. One that has an answer takes no other,
/// and one whose deadline has passed takes none.
pub(super) fn find_answerable(
    decision: &DecisionBuilder<'_>,
    target: &Target,
) -> Result<PendingInquiry, Rejection> {
    let pending = find_pending(decision, target)?;
    if pending.held.is_some() {
        return Err(Rejection::Held);
    }
    require_not_expired(decision, &pending)?;
    Ok(pending)
}

/// Refuses what comes at or behind a deadline, whether or not its timer has fired: when a question
/// ends is decided here, by the time of the decision.
pub(super) fn require_not_expired(
    decision: &DecisionBuilder<'_>,
    pending: &PendingInquiry,
) -> Result<(), Rejection> {
    match pending.expires_at {
        Some(at) if pending.is_expired(decision.context.now) => Err(Rejection::Expired {
            inquiry: pending.id.clone(),
            at,
        }),
        Some(_) | None => Ok(()),
    }
}

/// Why an inquiry is not among those that wait. An agent's questions follow one another, so another
/// one waits in its place; those of an external agent have nothing to do with each other.
fn not_found(state: &State) -> Rejection {
    if matches!(
        state,
        State::AwaitingUserResponse(PendingInquiries::Agent { .. })
    ) {
        Rejection::StaleInquiry
    } else {
        Rejection::NotPending
    }
}

/// Gives an inquiry the outcome that whoever acts brings about now.
pub(super) fn resolve_now(
    decision: &mut DecisionBuilder<'_>,
    pending: &PendingInquiry,
    outcome: Outcome,
    message: Option<&MessageId>,
) {
    let resolution = decision.context.resolution(outcome);
    finish_inquiry(decision, pending, resolution, message);
}

/// Gives an inquiry its outcome and lets the agent go on or stop, as the outcome says.
pub(super) fn finish_inquiry(
    decision: &mut DecisionBuilder<'_>,
    pending: &PendingInquiry,
    resolution: Resolution,
    message: Option<&MessageId>,
) {
    let by = resolution.by.clone();
    let outcome = resolution.outcome.clone();
    let report = stop::stopped("The sub-agent was", &outcome);
    let (rendered, result) = record_outcome(decision, pending, resolution);
    if pending.call.is_none() {
        return;
    }
    if pending.tool.is_some() {
        match rendered.next {
            Next::Resume => tool_reports::resume(decision, pending),
            Next::Stop => stop::stop_asking_tool(decision, pending, &outcome),
        }
        return;
    }
    match rendered.next {
        Next::Resume => {
            decision.finish_current(result);
            let text = rendered
                .user_message
                .and_then(|text| Text::clean(&text, Lines::Many));
            if let Some(text) = text {
                message::receive(decision, message, text, Some(pending.id.clone()), by);
            }
            round::advance(decision);
        }
        Next::Stop => {
            round::close(decision, result);
            decision.end(TurnEnd::Stopped, report);
        }
    }
}

/// Gives an inquiry its outcome, and nothing more.
pub(super) fn record_outcome(
    decision: &mut DecisionBuilder<'_>,
    pending: &PendingInquiry,
    resolution: Resolution,
) -> (AskResult, CallResult) {
    let rendered = Dialect::render(&pending.inquiry, &resolution.outcome);
    let result = result(pending, &rendered);
    decision.emit(Event::InquiryResolved {
        inquiry: pending.id.clone(),
        resolution,
        result: result.clone(),
    });
    (rendered, result)
}

/// What the asker is told. An external one has no next user message that it could be referred to,
/// so it reads that message itself.
fn result(pending: &PendingInquiry, rendered: &AskResult) -> CallResult {
    let message = rendered.user_message.as_ref();
    let content = message.filter(|_| pending.call.is_none());
    CallResult {
        content: content.unwrap_or(&rendered.content).clone(),
        is_error: rendered.is_error,
    }
}

#[cfg(test)]
#[path = "resolve_tests.rs"]
mod tests;
