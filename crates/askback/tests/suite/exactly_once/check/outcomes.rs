//! Outcomes: one for each inquiry, the acknowledged one, given by somebody.

use std::collections::BTreeSet;

use askback_core::id::InquiryId;
use askback_wire::inquiry::InquiryStatus;

use super::super::history::{End, Ending, Operation, Request};
use super::facts::{Facts, Sighting};
use super::{Invariant, Violations};

pub(super) fn check(facts: &Facts<'_>, found: &mut Violations) {
    for (inquiry, sightings) in &facts.sightings {
        check_sightings(inquiry, sightings, found);
        for sighting in sightings {
            if let Some(ending) = &sighting.ending {
                found.expect(
                    was_sent(facts, inquiry, ending),
                    Invariant::EndingWasSent,
                    || format!("{inquiry}: {} shows {ending:?}", sighting.place),
                );
            }
        }
    }
    for operation in &facts.history.operations {
        if let (Request::End(end), true) = (&operation.request, operation.is_accepted()) {
            check_acknowledged(facts, (operation, end), found);
        }
    }
    for (inquiry, operations) in &facts.operations_of {
        let winners = operations.iter().filter(|it| is_final(it));
        let winners: BTreeSet<&str> = winners.map(|it| it.intent()).collect();
        found.expect(winners.len() <= 1, Invariant::OneWinner, || {
            format!("{inquiry}: {winners:?} were all accepted")
        });
    }
    check_deadlines(facts, found);
}

/// Whether an end that cannot be undone was acknowledged.
fn is_final(operation: &Operation) -> bool {
    let is_end = matches!(&operation.request, Request::End(end) if end.undo_seconds.is_none());
    is_end && operation.is_accepted()
}

fn check_sightings(inquiry: &InquiryId, sightings: &[Sighting], found: &mut Violations) {
    let mut endings = sightings.iter().filter(|it| it.ending.is_some());
    if let Some(first) = endings.next()
        && let Some(other) = endings.find(|it| it.ending != first.ending)
    {
        let text = format!(
            "{inquiry}: {:?} in {}, {:?} in {}",
            first.ending, first.place, other.ending, other.place
        );
        found.add(Invariant::OneEnding, text);
    }
    let known = sightings.iter().filter(|it| it.ending.is_some());
    let known = known.filter_map(|it| it.time.map(|(_, ended)| ended)).min();
    let (Some(known), mut pending) = (known, sightings.iter()) else {
        return;
    };
    let later = pending.find(|it| {
        let is_later = it.time.is_some_and(|(begun, _)| begun > known);
        it.ending.is_none() && is_later
    });
    if let Some(later) = later {
        let text = format!("{inquiry} had ended, and is pending in {}", later.place);
        found.add(Invariant::EndingStays, text);
    }
}

/// Whether somebody has sent what became the outcome.
fn was_sent(facts: &Facts<'_>, inquiry: &InquiryId, ending: &Ending) -> bool {
    let Some(by) = &ending.by else {
        return ending.given.status == InquiryStatus::Expired && may_expire(facts, inquiry);
    };
    let Some(operation) = facts.by_actor.get(by.as_str()) else {
        return was_pressed(facts, inquiry, ending);
    };
    let conversation = facts.conversation(inquiry);
    let given = &ending.given;
    let fits = match &operation.request {
        Request::End(end) => end.inquiry == *inquiry && end.given == *given,
        Request::Message {
            conversation: sent_to,
            text,
            ..
        } => {
            given.status == InquiryStatus::Superseded
                && given.texts == [text.clone()]
                && conversation == Some(sent_to)
        }
        Request::Stop {
            conversation: stopped,
        } => given.status == InquiryStatus::Cancelled && conversation == Some(stopped),
        Request::Delete {
            conversation: deleted,
        } => given.status == InquiryStatus::Withdrawn && conversation == Some(deleted),
        _ => false,
    };
    fits && facts.intent_may_have_effect(operation)
}

fn may_expire(facts: &Facts<'_>, inquiry: &InquiryId) -> bool {
    let asked = facts.ask_of(inquiry).is_some_and(|it| it.seconds.is_some());
    let mut operations = facts.operations_on(inquiry);
    asked
        || operations.any(|operation| match &operation.request {
            Request::MoveDeadline { seconds, .. } => seconds.is_some(),
            Request::KeepOpen { .. } => true,
            _ => false,
        })
}

fn was_pressed(facts: &Facts<'_>, inquiry: &InquiryId, ending: &Ending) -> bool {
    let question = facts.questions.get(inquiry).copied();
    let mut known = facts.with_text(question.unwrap_or_default());
    known.any(|operation| {
        matches!(&operation.request, Request::Press { person, label, .. }
            if Some(person) == ending.by.as_ref() && ending.given.texts == [label.clone()])
    })
}

/// What was acknowledged is the outcome. An answer that could be undone may have been undone or discarded.
fn check_acknowledged(
    facts: &Facts<'_>,
    (operation, end): (&Operation, &End),
    found: &mut Violations,
) {
    let ending = facts.ending(&end.inquiry);
    let intent = facts.intents.get(operation.intent());
    let is_ours = |by: &String| {
        let mut repetitions = intent.into_iter().flatten();
        repetitions.any(|repetition| repetition.actor == *by)
    };
    let holds = match ending {
        Some(ending) => ending.given == end.given && ending.by.as_ref().is_some_and(is_ours),
        None => facts.is_deleted(&end.inquiry),
    };
    let is_discarded = || {
        let mut others = facts.operations_on(&end.inquiry);
        others.any(|other| other.may_have_effect() && discards_held_answer(&other.request))
    };
    let holds = holds || (end.undo_seconds.is_some() && is_discarded());
    found.expect(holds, Invariant::AcknowledgedEndingHolds, || {
        format!(
            "{}: {} was accepted with {:?}, and the outcome is {ending:?}",
            end.inquiry, operation.actor, end.given
        )
    });
}

/// Whether the request may end an undo window without the answer that is held.
fn discards_held_answer(request: &Request) -> bool {
    match request {
        Request::Undo { .. }
        | Request::Stop { .. }
        | Request::Delete { .. }
        | Request::Message { .. } => true,
        Request::End(end) => matches!(
            end.given.status,
            InquiryStatus::Cancelled | InquiryStatus::Withdrawn
        ),
        _ => false,
    }
}

fn check_deadlines(facts: &Facts<'_>, found: &mut Violations) {
    for (inquiry, _) in facts.existing() {
        let (Some(ending), Some(deadline)) = (Ending::of(inquiry), inquiry.expires_at) else {
            continue;
        };
        let is_as_promised = match ending.given.status {
            InquiryStatus::Expired => ending.at >= deadline,
            // Whoever stops the agent or goes away does not have to look at the deadline.
            InquiryStatus::Cancelled | InquiryStatus::Withdrawn => true,
            _ => ending.at < deadline,
        };
        found.expect(is_as_promised, Invariant::DeadlineIsKept, || {
            format!("{}: {ending:?}, the deadline was {deadline}", inquiry.id)
        });
    }
}
