//! What leaves the server: webhooks arrive with the outcome, and the messages of channels show it.

use std::collections::{BTreeMap, BTreeSet};

use askback_core::id::InquiryId;
use askback_wire::inquiry::InquiryStatus;

use super::super::history::{Card, Request, Webhook};
use super::facts::Facts;
use super::{Invariant, Violation, Violations};

pub(super) fn check(facts: &Facts<'_>, found: &mut Violations) {
    check_webhooks(facts, found);
    for (inquiry, card) in cards(facts) {
        check_card(facts, (inquiry, card), found);
    }
}

/// Whether everything that has ended was sent. What was sent is another matter.
pub(super) fn is_delivered(facts: &Facts<'_>) -> bool {
    let mut found = Violations::default();
    check_webhooks(facts, &mut found);
    let is_missing = |it: &Violation| it.invariant == Invariant::WebhookIsDelivered;
    let existing: BTreeSet<&InquiryId> = facts.existing().map(|(it, _)| &it.id).collect();
    let is_open = |(inquiry, card): &(&InquiryId, &Card)| {
        // Nobody sends anything about a question that was lost.
        let is_there = existing.contains(inquiry) || facts.is_deleted(inquiry);
        card.has_buttons && is_there && facts.ending(inquiry).is_some()
    };
    !found.0.iter().any(is_missing) && !cards(facts).iter().any(is_open)
}

/// The messages about questions that the server knows of.
fn cards<'a>(facts: &Facts<'a>) -> Vec<(&'a InquiryId, &'a Card)> {
    let questions = facts.questions.iter();
    let by_question: BTreeMap<&str, &InquiryId> = questions
        .map(|(inquiry, question)| (*question, *inquiry))
        .collect();
    let known = facts.history.cards.iter().filter(|it| !it.may_be_unknown);
    let cards = known.filter_map(|card| {
        let mut lines = card.text.lines();
        let inquiry = lines.find_map(|line| by_question.get(line))?;
        Some((*inquiry, card))
    });
    cards.collect()
}

fn check_webhooks(facts: &Facts<'_>, found: &mut Violations) {
    let mut bodies: BTreeMap<&InquiryId, &Webhook> = BTreeMap::new();
    for webhook in &facts.history.webhooks {
        let inquiry = &webhook.inquiry;
        let is_wanted = facts.ask_of(inquiry).is_some_and(|it| it.has_webhook);
        found.expect(is_wanted, Invariant::WebhookIsTheOutcome, || {
            format!("{inquiry} has no webhook")
        });
        if webhook.kind != "inquiry_resolved" {
            continue;
        }
        let first = bodies.entry(inquiry).or_insert(webhook);
        // A delivery that is repeated after the conversation was deleted has nothing of the question.
        let is_same = first.body == webhook.body || facts.is_deleted(inquiry);
        found.expect(
            is_same && webhook.ending.as_ref() == facts.ending(inquiry),
            Invariant::WebhookIsTheOutcome,
            || format!("{inquiry}: {} and {}", first.body, webhook.body),
        );
    }
    for (inquiry, _) in facts.existing() {
        let asked = facts.ask_of(&inquiry.id);
        let is_due = inquiry.outcome.is_some() && asked.is_some_and(|it| it.has_webhook);
        found.expect(
            !is_due || bodies.contains_key(&inquiry.id),
            Invariant::WebhookIsDelivered,
            || format!("{} has ended, and its webhook was not called", inquiry.id),
        );
    }
}

/// A message of an ended question has no buttons and shows its answer, and no other.
fn check_card(facts: &Facts<'_>, (inquiry, card): (&InquiryId, &Card), found: &mut Violations) {
    let ending = facts.ending(inquiry);
    let texts = ending.map_or(&[][..], |it| &it.given.texts);
    let is_answered = ending.is_some_and(|it| it.given.status == InquiryStatus::Answered);
    let mut operations = facts.operations_on(inquiry);
    let is_handed_on = operations.any(|it| matches!(it.request, Request::HandOn { .. }));
    let is_shown = texts.iter().all(|text| card.text.contains(text));
    let mut operations = facts.operations_on(inquiry);
    let shows_another = operations.any(|it| {
        matches!(&it.request, Request::End(end) if end.given.texts.iter().any(|text|
            !texts.contains(text) && card.text.contains(text)))
    });
    let is_right = !(ending.is_some() && card.has_buttons)
        && (is_shown || !is_answered || is_handed_on)
        && !shows_another;
    found.expect(is_right, Invariant::CardShowsEnding, || {
        format!("{inquiry}: {ending:?} is shown as {card:?}")
    });
}
