//! When a question that waits is sent to somebody else, and when people are reminded of it.
//!
//! The times follow from the question and the configuration. What is stored for a question is up to which time this was
//! done, and to whom the question was escalated, so that a restart repeats nothing.

use askback_core::text::Text;
use askback_engine::InquiryView;
use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use crate::people::recipients::Recipients;

/// Reminders of a question without a deadline, for each person.
const REMINDERS_MAX: i32 = 3;

/// What is stored about a pending question.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct FollowUps {
    /// Reminders up to this time were sent.
    pub(crate) done: Timestamp,
    /// When something is due next.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) next: Option<Timestamp>,
    /// The aliases of those who got the question because others did not answer.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) escalated: Vec<String>,
}

/// What is due at a time.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum FollowUp {
    /// The person with this alias gets the question too.
    Escalate(String),
    /// The person with this alias is reminded.
    Remind(String),
}

impl FollowUps {
    /// Nothing was done yet since the recipient has the question.
    pub(crate) fn since(view: &InquiryView) -> FollowUps {
        FollowUps {
            done: start(view),
            next: None,
            escalated: Vec::new(),
        }
    }

    /// What is still to be done, the earliest first.
    pub(crate) fn open(
        &self,
        view: &InquiryView,
        recipients: &Recipients,
    ) -> Vec<(Timestamp, FollowUp)> {
        let mut open = schedule(view, recipients);
        open.retain(|(at, what)| match what {
            FollowUp::Escalate(alias) => !self.escalated.contains(alias),
            FollowUp::Remind(_) => *at > self.done,
        });
        open
    }
}

/// Since when the present recipient has the question.
pub(crate) fn start(view: &InquiryView) -> Timestamp {
    let handed_on = view.inquiry.handed_on();
    handed_on.map_or(view.row.asked_at, |handed_on| handed_on.at)
}

/// Everything that is to be done while the question waits, with its time. A question with a deadline is escalated when half of
/// the time is over, to the next one when half of the rest is over, and so on; one without is reminded of.
fn schedule(view: &InquiryView, recipients: &Recipients) -> Vec<(Timestamp, FollowUp)> {
    let (named, since) = (view.inquiry.recipient().map(Text::as_str), start(view));
    let addressed = recipients.addressed(named, since);
    let mut schedule = Vec::new();
    for (alias, person) in &addressed {
        if let Some(end) = view.row.expires_at {
            if view.inquiry.is_private() {
                continue;
            }
            let mut at = since;
            for step in recipients.escalations_of(named, since, person) {
                at += end.duration_since(at) / 2;
                let others = step
                    .into_iter()
                    .filter(|other| addressed.iter().all(|(known, _)| known != other));
                schedule.extend(others.map(|other| (at, FollowUp::Escalate(other.to_owned()))));
            }
        } else if let Some(pause) = person.remind_after {
            let times = (1..=REMINDERS_MAX).filter_map(|number| {
                let after = pause.checked_mul(number)?;
                since.checked_add(after).ok()
            });
            schedule.extend(times.map(|at| (at, FollowUp::Remind((*alias).to_owned()))));
        }
    }
    schedule.sort_by_key(|(at, _)| *at);
    schedule
}

#[cfg(test)]
#[path = "follow_up_tests.rs"]
mod tests;
