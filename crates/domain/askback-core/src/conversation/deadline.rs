//! Deadlines: a reminder before one, more time, and no silent end for somebody who is there.

use jiff::{SignedDuration, Timestamp};

use super::command::{NewDeadline, Target};
use super::decision_builder::DecisionBuilder;
use super::event::Event;
use super::job::Job;
use super::rejection::Rejection;
use super::resolve::{find_pending, require_not_expired};
use super::state::PendingInquiry;
use super::undo;
use crate::id::InquiryId;
use crate::limits;
use crate::time::whole_millis;

/// Arms the timers of a deadline.
pub(super) fn arm(decision: &mut DecisionBuilder<'_>, inquiry: &InquiryId, expires_at: Timestamp) {
    decision.job(Job::RemindInquiry {
        inquiry: inquiry.clone(),
        at: reminder_at(decision.context.now, expires_at),
        expires_at,
    });
    decision.job(Job::ExpireInquiry {
        inquiry: inquiry.clone(),
        at: expires_at,
    });
}

/// When to remind of a deadline that is set now: as soon as a tenth of the time or a minute is
/// left, whichever comes first, but never before half of the time is over.
pub fn reminder_at(now: Timestamp, expires_at: Timestamp) -> Timestamp {
    let whole = expires_at.duration_since(now);
    let lead = (whole / 10).max(SignedDuration::from_secs(limits::REMINDER_SECONDS));
    expires_at.checked_sub(lead.min(whole / 2)).unwrap_or(now)
}

/// The deadline is near. Told once for each deadline; not if it was moved, nor if it has passed.
pub(super) fn remind(
    decision: &mut DecisionBuilder<'_>,
    inquiry: &InquiryId,
    expires_at: Timestamp,
) -> Result<(), Rejection> {
    let pending = find_pending(decision, &inquiry.clone().into())?;
    let stands = pending.expires_at == Some(expires_at) && expires_at > decision.context.now;
    if pending.reminded || !stands {
        return Err(Rejection::StaleReport);
    }
    if pending.held.is_some() {
        // If the answer is undone, the reminder is due.
        return Err(Rejection::Held);
    }
    decision.emit(Event::InquiryReminded {
        inquiry: pending.id,
        expires_at,
    });
    Ok(())
}

/// The waiting inquiry whose deadline can be moved. One that has passed ends the question, unless it
/// was answered before and the answer can still be undone.
fn find_movable(
    decision: &DecisionBuilder<'_>,
    target: &Target,
) -> Result<PendingInquiry, Rejection> {
    let pending = find_pending(decision, target)?;
    if pending.held.is_none() {
        require_not_expired(decision, &pending)?;
    }
    Ok(pending)
}

/// Somebody sets another deadline, or takes it away.
pub(super) fn set(
    decision: &mut DecisionBuilder<'_>,
    target: &Target,
    to: Option<NewDeadline>,
) -> Result<(), Rejection> {
    let pending = find_movable(decision, target)?;
    let now = decision.context.now;
    let expires_at = match to {
        None => None,
        Some(NewDeadline::At(at)) => Some(at),
        // A time beyond the calendar never comes.
        Some(NewDeadline::After(span)) => now.checked_add(span).ok(),
    };
    let expires_at = expires_at.map(whole_millis);
    if expires_at.is_some_and(|at| at <= now) {
        return Err(Rejection::DeadlinePassed);
    }
    if let Some(at) = expires_at {
        arm(decision, &pending.id, at);
    }
    decision.emit(Event::DeadlineMoved {
        inquiry: pending.id.clone(),
        expires_at,
        by: decision.context.actor.clone(),
    });
    if let (Some(held), Some(at)) = (&pending.held, expires_at)
        && held.until > at
    {
        undo::shorten_window(decision, &pending.id, held, at);
    }
    Ok(())
}

/// The respondent is there: the question stays open for `at_least` this long, or without a
/// deadline. Never makes the time shorter.
pub(super) fn keep_open(
    decision: &mut DecisionBuilder<'_>,
    target: &Target,
    at_least: Option<SignedDuration>,
) -> Result<(), Rejection> {
    let pending = find_movable(decision, target)?;
    if at_least.is_some_and(|span| !span.is_positive()) {
        return Err(Rejection::DeadlinePassed);
    }
    let now = decision.context.now;
    let wanted = at_least.map(|span| now.checked_add(span).unwrap_or(Timestamp::MAX));
    let later = pending.expires_at.zip(wanted);
    let later = later.map(|(is, to)| NewDeadline::At(is.max(to)));
    set(decision, target, later)
}

#[cfg(test)]
#[path = "deadline_tests.rs"]
mod tests;
