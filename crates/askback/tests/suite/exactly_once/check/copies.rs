//! Copies: nodes and lists show the same, a draft is the last one, and a snooze ends with its question.

use std::collections::BTreeMap;

use askback_core::id::InquiryId;

use super::super::history::{Operation, Request, Response};
use super::facts::Facts;
use super::{Invariant, Violations};

pub(super) fn check(facts: &Facts<'_>, found: &mut Violations) {
    let mut nodes = facts.history.nodes.iter();
    if let Some(first) = nodes.next() {
        for other in nodes {
            for (inquiry, shown) in first {
                found.expect(
                    other.get(inquiry) == Some(shown),
                    Invariant::NodesAgree,
                    || format!("{inquiry}: {shown:?} and {:?}", other.get(inquiry)),
                );
            }
        }
    }
    check_lists(facts, found);
    for (inquiry, operations) in &facts.operations_of {
        check_drafts(facts, (inquiry, operations), found);
    }
    for inquiry in &facts.history.snoozed {
        let operations = facts.operations_of.get(inquiry);
        let mut operations = operations.into_iter().flatten();
        let is_sent = operations.any(|it| matches!(it.request, Request::Snooze { .. }));
        found.expect(
            is_sent && facts.ending(inquiry).is_none(),
            Invariant::SnoozeEnds,
            || format!("{inquiry} is hidden from the inbox"),
        );
    }
}

fn check_lists(facts: &Facts<'_>, found: &mut Violations) {
    let mut listed: BTreeMap<&InquiryId, Vec<_>> = BTreeMap::new();
    for inquiry in &facts.history.listed {
        listed.entry(&inquiry.id).or_default().push(inquiry);
    }
    for (inquiry, is_deleted) in facts.existing() {
        let items = listed.remove(&inquiry.id).unwrap_or_default();
        found.expect(
            items == [inquiry] || is_deleted,
            Invariant::ListIsComplete,
            || format!("{} is listed as {items:?}", inquiry.id),
        );
    }
    for inquiry in listed.into_keys() {
        found.expect(facts.is_deleted(inquiry), Invariant::ListIsComplete, || {
            format!("{inquiry} is listed, and is not found")
        });
    }
}

/// A draft that is read was saved, and no later one was acknowledged before.
fn check_drafts(
    facts: &Facts<'_>,
    (inquiry, operations): (&InquiryId, &[&Operation]),
    found: &mut Violations,
) {
    let saved = |operation: &Operation| match &operation.request {
        Request::SaveDraft { text, .. } => Some(text.clone()),
        _ => None,
    };
    let is_untouched = facts.ending(inquiry).is_none()
        && !facts.is_deleted(inquiry)
        && !operations
            .iter()
            .any(|it| matches!(it.request, Request::End(_)));
    for read in operations {
        let (Request::ReadDraft { .. }, Some(accepted)) = (&read.request, read.accepted()) else {
            continue;
        };
        let mut earlier = operations.iter().filter(|it| it.ended < read.begun);
        let is_right = match &accepted.draft {
            Some(text) => operations.iter().any(|write| {
                let is_sent = saved(write).as_ref() == Some(text);
                let is_replaced = operations.iter().any(|other| {
                    let is_between = other.begun > write.ended && other.ended < read.begun;
                    saved(other).is_some() && other.is_accepted() && is_between
                });
                let is_lost = matches!(write.response, Response::Lost);
                is_sent && (is_lost || !is_replaced)
            }),
            None => !is_untouched || !earlier.any(|it| saved(it).is_some() && it.is_accepted()),
        };
        found.expect(is_right, Invariant::DraftIsKept, || {
            format!("{inquiry}: {} has read {:?}", read.actor, accepted.draft)
        });
    }
}
