//! Answers that can be undone: an answer is held with its question for a while before it takes
//! effect. Until then the question stays pending, and its asker is told nothing.
//!
//! What is kept is as durable as an outcome: only the respondent can undo it, and only stopping the
//! asker drops it. A deadline that passes meanwhile changes nothing: the answer was given in time. If
//! it is undone after that, the question expires.

use jiff::{SignedDuration, Timestamp};

use super::command::{RespondentAction, Target};
use super::decision_builder::DecisionBuilder;
use super::event::Event;
use super::job::Job;
use super::rejection::Rejection;
use super::resolve::{self, find_answerable, find_pending};
use super::state::HeldAnswer;
use crate::answer::Answers;
use crate::id::InquiryId;
use crate::inquiry::Inquiry;
use crate::limits;
use crate::outcome::Outcome;
use crate::time::whole_millis;

/// The respondent answers, declines or rejects, and can undo that within the window.
pub(super) fn answer_with_undo(
    decision: &mut DecisionBuilder<'_>,
    target: &Target,
    reply: &RespondentAction,
    window: SignedDuration,
) -> Result<(), Rejection> {
    let longest = SignedDuration::from_secs(limits::UNDO_SECONDS_MAX);
    if !window.is_positive() || window > longest {
        return Err(Rejection::InvalidUndoWindow);
    }
    let pending = find_answerable(decision, target)?;
    let end = decision.context.now.checked_add(window);
    let wanted = whole_millis(end.unwrap_or(Timestamp::MAX));
    // A deadline lets it take effect, so nobody is promised more time than that.
    let until = pending.expires_at.map_or(wanted, |end| wanted.min(end));
    let held = HeldAnswer {
        resolution: decision
            .context
            .resolution(outcome(&pending.inquiry, reply)?),
        until,
    };
    emit_held(decision, &pending.id, held);
    Ok(())
}

/// Ends the undo window at a deadline that was moved to before its end. An answer that was given in
/// time takes effect at the deadline at the latest, so undo is never offered after it.
pub(super) fn shorten_window(
    decision: &mut DecisionBuilder<'_>,
    inquiry: &InquiryId,
    held: &HeldAnswer,
    until: Timestamp,
) {
    let held = HeldAnswer {
        until,
        ..held.clone()
    };
    emit_held(decision, inquiry, held);
}

fn emit_held(decision: &mut DecisionBuilder<'_>, inquiry: &InquiryId, held: HeldAnswer) {
    decision.job(Job::CommitHeldAnswer {
        inquiry: inquiry.clone(),
        held_at: decision.context.now,
        at: held.until,
    });
    decision.emit(Event::AnswerHeld {
        inquiry: inquiry.clone(),
        until: held.until,
        resolution: Some(held.resolution),
    });
}

fn outcome(inquiry: &Inquiry, reply: &RespondentAction) -> Result<Outcome, Rejection> {
    match reply {
        RespondentAction::Answer { answers, notes } => {
            let answers = Answers::from_json(inquiry, answers, notes.as_ref());
            let answers = answers.map_err(Rejection::InvalidAnswer)?;
            Ok(Outcome::Answered { answers })
        }
        RespondentAction::Decline => Ok(Outcome::Declined),
        RespondentAction::Reject => Ok(Outcome::Rejected),
    }
}

/// Drops the held answer; the question is pending as before.
pub(super) fn undo_answer(
    decision: &mut DecisionBuilder<'_>,
    target: &Target,
) -> Result<(), Rejection> {
    let pending = find_pending(decision, target)?;
    if pending.held.is_none() {
        return Err(Rejection::NothingHeld);
    }
    decision.emit(Event::AnswerTakenBack {
        inquiry: pending.id,
        by: decision.context.actor.clone(),
    });
    Ok(())
}

/// What was held until `until` takes effect. The timer of an answer that was undone is refused;
/// the clock is not asked, so that one that was put back cannot keep an answer for ever.
pub(super) fn commit_held_answer(
    decision: &mut DecisionBuilder<'_>,
    inquiry: &InquiryId,
    until: Timestamp,
) -> Result<(), Rejection> {
    let pending = find_pending(decision, &inquiry.clone().into())?;
    match &pending.held {
        Some(held) if held.until == until => {
            let resolution = held.resolution.clone();
            resolve::finish_inquiry(decision, &pending, resolution, None);
            Ok(())
        }
        Some(_) | None => Err(Rejection::StaleReport),
    }
}

#[cfg(test)]
#[path = "undo_tests.rs"]
mod tests;
