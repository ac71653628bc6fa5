//! The audit: one line for each outcome and each time a question was handed on, at its place in the feed.

use std::collections::BTreeMap;

use askback_core::id::InquiryId;
use askback_wire::audit::AuditKind;

use super::super::history::Request;
use super::facts::Facts;
use super::{Invariant, Violations};

pub(super) fn check(facts: &Facts<'_>, found: &mut Violations) {
    let audit = &facts.history.audit;
    found.expect(
        audit.is_sorted_by(|one, two| one.sequence < two.sequence),
        Invariant::AuditHasOneLine,
        || "the audit is not in order".to_owned(),
    );
    let mut counts: BTreeMap<&InquiryId, usize> = BTreeMap::new();
    for entry in audit {
        if let (AuditKind::Outcome, Some(inquiry)) = (&entry.kind, &entry.inquiry_id) {
            *counts.entry(inquiry).or_default() += 1;
        }
    }
    for (inquiry, _) in facts.existing() {
        let count = counts.remove(&inquiry.id).unwrap_or_default();
        let expected = usize::from(inquiry.outcome.is_some());
        found.expect(count == expected, Invariant::AuditHasOneLine, || {
            format!(
                "{} is {:?} and has {count} lines",
                inquiry.id, inquiry.status
            )
        });
    }
    for (inquiry, _) in counts {
        found.expect(
            facts.is_deleted(inquiry),
            Invariant::AuditHasOneLine,
            || format!("{inquiry} is nowhere else"),
        );
    }
    check_places(facts, found);
    check_hand_ons(facts, found);
}

/// Lines and events of the same kind are the same.
fn check_places(facts: &Facts<'_>, found: &mut Violations) {
    let Some(feed) = facts.history.feeds.first() else {
        return;
    };
    let kinds = [
        (AuditKind::Outcome, "resolved"),
        (AuditKind::HandedOn, "handed_on"),
    ];
    for (kind, name) in kinds {
        let events = feed.iter().filter(|it| it.name == name);
        let events = events.map(|it| (it.sequence, &it.inquiry));
        let entries = facts.history.audit.iter().filter(|it| it.kind == kind);
        let entries = entries.filter_map(|it| Some((it.sequence, it.inquiry_id.as_ref()?)));
        let exists = |(_, inquiry): &(u64, &InquiryId)| !facts.is_deleted(inquiry);
        let events: Vec<_> = events.filter(exists).collect();
        let entries: Vec<_> = entries.filter(exists).collect();
        let differ = events.iter().zip(&entries).find(|(one, two)| one != two);
        found.expect(events == entries, Invariant::AuditFollowsFeed, || {
            let counts = (events.len(), entries.len());
            format!("{counts:?} events and lines of {name}, which differ at {differ:?}")
        });
    }
}

/// Somebody has handed it on to that person.
fn check_hand_ons(facts: &Facts<'_>, found: &mut Violations) {
    let audit = facts.history.audit.iter();
    for entry in audit.filter(|it| it.kind == AuditKind::HandedOn) {
        let by = entry.by.as_deref().unwrap_or_default();
        let request = facts.by_actor.get(by).map(|it| &it.request);
        let is_sent = matches!(request, Some(Request::HandOn { inquiry, to })
            if Some(inquiry) == entry.inquiry_id.as_ref() && Some(to) == entry.to.as_ref());
        found.expect(is_sent, Invariant::AuditFollowsFeed, || {
            format!("nobody has sent {entry:?}")
        });
    }
}
