//! What must hold for hand-ons: each takes effect at most once, never on an inquiry that has ended or has an answer,
//! and an answer in a channel is by whoever had the inquiry then.

use std::collections::{BTreeMap, BTreeSet};

use askback_core::conversation::event::Event;
use askback_core::id::InquiryId;
use askback_core::text::Text;

use crate::actions::Verdict;
use crate::invariant_checker::InvariantChecker;

/// One attempt to hand an inquiry on, under a name of its own.
#[derive(Debug, Clone)]
pub(crate) struct HandOnAttempt {
    pub(crate) inquiry: InquiryId,
    pub(crate) verdict: Verdict,
}

/// Who has an inquiry, as the events so far say.
#[derive(Debug, Default)]
struct Holder {
    recipient: Option<Text>,
    hand_ons: u32,
    is_held: bool,
    has_ended: bool,
}

impl InvariantChecker {
    /// Checks all events of one conversation, in order.
    pub(crate) fn check_hand_ons(&self, events: &[Event]) -> Result<(), String> {
        let mut holders: BTreeMap<&InquiryId, Holder> = BTreeMap::new();
        let mut seen = BTreeSet::new();
        for event in events {
            self.follow(event, &mut holders, &mut seen)?;
        }
        let accepted = self.hand_ons.iter().filter(|(name, attempt)| {
            let is_here = holders.contains_key(&attempt.inquiry);
            is_here && attempt.verdict == Verdict::Accepted && !seen.contains(name.as_str())
        });
        match accepted.map(|(name, _)| name).next() {
            Some(name) => Err(format!("{name} was accepted, but is not in the log")),
            None => Ok(()),
        }
    }

    /// Checks one event, and takes note of it.
    fn follow<'e>(
        &self,
        event: &'e Event,
        holders: &mut BTreeMap<&'e InquiryId, Holder>,
        seen: &mut BTreeSet<&'e str>,
    ) -> Result<(), String> {
        match event {
            Event::InquiryAsked { pending } => {
                let recipient = pending.inquiry.recipient().cloned();
                let holder = Holder {
                    recipient,
                    ..Holder::default()
                };
                holders.insert(&pending.id, holder);
            }
            Event::AnswerHeld { inquiry, .. } => {
                holders.entry(inquiry).or_default().is_held = true;
            }
            Event::AnswerTakenBack { inquiry, .. } => {
                holders.entry(inquiry).or_default().is_held = false;
            }
            Event::InquiryHandedOn {
                inquiry,
                from,
                to,
                by,
                ..
            } => {
                let holder = holders.entry(inquiry).or_default();
                let name = by.name.as_ref().map_or("", Text::as_str);
                let is_wanted = self.hand_ons.get(name).is_some_and(|attempt| {
                    attempt.inquiry == *inquiry && attempt.verdict != Verdict::Refused
                });
                let is_open = !holder.has_ended && !holder.is_held;
                let is_next = holder.recipient == *from && holder.recipient.as_ref() != Some(to);
                if !is_wanted || !is_open || !is_next || !seen.insert(name) {
                    return Err(format!(
                        "{inquiry} was handed on from {from:?} to {to} by {name}: {holder:?}"
                    ));
                }
                holder.recipient = Some(to.clone());
                holder.hand_ons += 1;
            }
            Event::InquiryResolved {
                inquiry,
                resolution,
                ..
            } => {
                let holder = holders.entry(inquiry).or_default();
                holder.has_ended = true;
                let name = resolution.by.name.as_ref().map_or("", Text::as_str);
                let expected = self.actions.get(name).and_then(|action| action.hand_ons);
                if expected.is_some_and(|expected| expected != holder.hand_ons) {
                    return Err(format!(
                        "{inquiry} was answered by {name}, who had it before: {holder:?}"
                    ));
                }
            }
            Event::Started { .. }
            | Event::MessageReceived { .. }
            | Event::LlmRequested { .. }
            | Event::LlmAttemptFailed { .. }
            | Event::AssistantReplied { .. }
            | Event::CallStarted { .. }
            | Event::CallFinished { .. }
            | Event::DeadlineMoved { .. }
            | Event::InquiryReminded { .. }
            | Event::SubAgentsStarted { .. }
            | Event::SubAgentFinished { .. }
            | Event::RoundFinished
            | Event::TurnEnded { .. }
            | Event::Closed { .. } => {}
        }
        Ok(())
    }
}
