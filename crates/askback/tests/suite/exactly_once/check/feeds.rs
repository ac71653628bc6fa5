//! The feed: in order, without a gap, everything once, and the same for every listener.

use std::collections::{BTreeMap, BTreeSet};

use askback_core::id::InquiryId;

use super::super::history::{FeedEvent, Operation, Request};
use super::facts::Facts;
use super::{Invariant, Violations};

pub(super) fn check(facts: &Facts<'_>, found: &mut Violations) {
    for (number, feed) in facts.history.feeds.iter().enumerate() {
        check_order(number, feed, found);
        check_complete(facts, (number, feed), found);
        for (inquiry, life) in facts.lives(feed) {
            let is_moved = moves(facts, inquiry) > 0;
            found.expect(is_life(&life, is_moved), Invariant::LifeIsInOrder, || {
                let names: Vec<&str> = life.iter().map(|event| event.name.as_str()).collect();
                format!("feed {number}, {inquiry}: {names:?}")
            });
        }
    }
    check_agreement(facts, found);
    if let Some(feed) = facts.history.feeds.first() {
        check_undo(facts, feed, found);
    }
}

fn check_order(number: usize, feed: &[FeedEvent], found: &mut Violations) {
    found.expect(
        feed.is_sorted_by_key(|event| event.sequence),
        Invariant::FeedIsInOrder,
        || format!("feed {number} is not in order"),
    );
    let mut seen = BTreeSet::new();
    for event in feed {
        let is_new = seen.insert((event.sequence, &event.name, &event.inquiry));
        found.expect(is_new, Invariant::FeedIsInOrder, || {
            format!(
                "feed {number} has {} of {} twice",
                event.name, event.inquiry
            )
        });
    }
}

/// Every inquiry is asked once, and resolved once if it has ended. Of a deleted conversation a listener that was away
/// gets the last event only.
fn check_complete(
    facts: &Facts<'_>,
    (number, feed): (usize, &[FeedEvent]),
    found: &mut Violations,
) {
    let mut counts: BTreeMap<_, [usize; 2]> = BTreeMap::new();
    for event in feed {
        let count = counts.entry(&event.inquiry).or_default();
        match event.name.as_str() {
            "asked" => count[0] += 1,
            "resolved" => count[1] += 1,
            _ => {}
        }
    }
    for (inquiry, is_deleted) in facts.existing() {
        let [asked, resolved] = counts.remove(&inquiry.id).unwrap_or_default();
        let expected = usize::from(inquiry.outcome.is_some());
        let is_complete = (asked == 1 || (is_deleted && asked == 0)) && resolved == expected;
        found.expect(is_complete, Invariant::FeedIsComplete, || {
            format!(
                "feed {number}, {}: asked {asked} times, resolved {resolved} times, {:?}",
                inquiry.id, inquiry.status
            )
        });
    }
    for (inquiry, [asked, resolved]) in counts {
        let is_gone = facts.is_deleted(inquiry) && asked <= 1 && resolved <= 1;
        found.expect(is_gone, Invariant::FeedIsComplete, || {
            format!("feed {number}: {inquiry} is nowhere else")
        });
    }
}

/// How often somebody has given the inquiry a deadline. One within the undo window shortens the window, and the answer
/// is reported as held again.
fn moves(facts: &Facts<'_>, inquiry: &InquiryId) -> usize {
    let operations = facts.operations_on(inquiry);
    let moves = operations.filter(|it| {
        matches!(
            it.request,
            Request::MoveDeadline {
                seconds: Some(_),
                ..
            }
        )
    });
    moves.count()
}

/// A question is asked first. An answer that is held is undone or takes effect. Nothing follows the outcome.
fn is_life(life: &[&FeedEvent], is_moved: bool) -> bool {
    let mut is_held = false;
    let mut names = life.iter().map(|event| event.name.as_str());
    if names.next() != Some("asked") {
        return false;
    }
    while let Some(name) = names.next() {
        match (name, is_held) {
            ("held", false) => is_held = true,
            ("reopened", true) => is_held = false,
            ("held", true) if is_moved => {}
            ("handed_on", false) | ("reminded" | "deadline_moved", _) => {}
            ("resolved", _) => return names.next().is_none(),
            _ => return false,
        }
    }
    true
}

fn check_agreement(facts: &Facts<'_>, found: &mut Violations) {
    let positions = |feed: &[FeedEvent]| -> Vec<(u64, String, String)> {
        let kept = feed.iter().filter(|it| !facts.is_deleted(&it.inquiry));
        let kept = kept.map(|it| (it.sequence, it.name.clone(), it.inquiry.to_string()));
        kept.collect()
    };
    let mut feeds = facts.history.feeds.iter();
    let Some(first) = feeds.next() else {
        return;
    };
    let first = positions(first);
    for (number, feed) in (1..).zip(feeds) {
        let other = positions(feed);
        let differ = first.iter().zip(&other).find(|(one, two)| one != two);
        found.expect(first == other, Invariant::FeedsAgree, || {
            let lengths = (first.len(), other.len());
            format!("feeds 0 and {number} have {lengths:?} events and differ at {differ:?}")
        });
    }
}

/// An acknowledged undo is in the feed once, by its name; so is an answer that could be undone, by number.
fn check_undo(facts: &Facts<'_>, feed: &[FeedEvent], found: &mut Violations) {
    let mut undone: BTreeMap<&str, usize> = BTreeMap::new();
    for event in feed.iter().filter(|it| it.name == "reopened") {
        let by = event.undone_by.as_deref().unwrap_or_default();
        let intent = facts.by_actor.get(by).map_or(by, |it| it.intent());
        *undone.entry(intent).or_default() += 1;
    }
    for (inquiry, life) in facts.lives(feed) {
        let operations = facts.operations_of.get(inquiry);
        let operations = operations.map_or(&[][..], Vec::as_slice);
        let held = |is_counted: fn(&Operation) -> bool| {
            let ends = operations
                .iter()
                .filter(|it| is_held_end(it) && is_counted(it));
            let intents: BTreeSet<&str> = ends.map(|it| it.intent()).collect();
            intents.len()
        };
        let (least, most) = (
            held(Operation::is_accepted),
            held(Operation::may_have_effect),
        );
        let most = most + moves(facts, inquiry);
        let shown = life.iter().filter(|it| it.name == "held").count();
        found.expect(
            (least..=most).contains(&shown),
            Invariant::UndoIsShownOnce,
            || format!("{inquiry}: {shown} answers were held, not {least} to {most}"),
        );
    }
    for (intent, operations) in &facts.intents {
        let is_undo = matches!(operations[0].request, Request::Undo { .. });
        let inquiry = operations[0].request.inquiry();
        if !is_undo || inquiry.is_some_and(|it| facts.is_deleted(it)) {
            continue;
        }
        let count = undone.remove(intent).unwrap_or_default();
        let least = usize::from(operations.iter().any(|it| it.is_accepted()));
        let most = usize::from(operations.iter().any(|it| it.may_have_effect()));
        found.expect(
            (least..=most).contains(&count),
            Invariant::UndoIsShownOnce,
            || format!("{intent} is in the feed {count} times, not {least} to {most}"),
        );
    }
}

fn is_held_end(operation: &Operation) -> bool {
    matches!(&operation.request, Request::End(end) if end.undo_seconds.is_some())
}
