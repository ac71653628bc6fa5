//! Hides questions until a time. The times are those of the browser.

use std::iter;

use askback_core::id::InquiryId;
use jiff::civil::Weekday;
use jiff::{SignedDuration, Timestamp, Zoned};

use super::{Inbox, InboxRequest, Overlay};
use crate::keymap::Action;
use askback_terminal::clock;
use askback_terminal::key::Key;

/// Hours of the day at which snoozed questions come back.
const MORNING: i8 = 9;
const EVENING: i8 = 18;

/// Until when to snooze some questions.
#[derive(Debug)]
pub(super) struct SnoozeMenu {
    pub(super) ids: Vec<InquiryId>,
    /// Each with the id of its name.
    times: Vec<(&'static str, Timestamp)>,
}

impl SnoozeMenu {
    /// The question, and each time behind its digit.
    pub(super) fn text(&self, inbox: &Inbox) -> String {
        let times = self.times.iter().zip(1..);
        let times = times.map(|((id, _), digit)| format!("{digit} {}", inbox.text(id, &[])));
        let times: Vec<String> = times.collect();
        let dot = format!(" {} ", inbox.config.glyphs.dot);
        let title = inbox.text("inbox-snooze-title", &[]);
        format!("{title}: {}", times.join(&dot))
    }

    fn time(&self, key: Key) -> Option<Timestamp> {
        let digit = usize::try_from(key.typed()?.to_digit(10)?).ok()?;
        let (_, until) = self.times.get(digit.checked_sub(1)?)?;
        Some(*until)
    }
}

/// The times that people mean, the nearest first.
fn times(now: &Zoned) -> Vec<(&'static str, Timestamp)> {
    let today = now.date();
    let evening = Some(today).filter(|_| now.hour() < EVENING - 1);
    let monday = today.nth_weekday(1, Weekday::Monday).ok();
    let days = [
        ("inbox-snooze-evening", evening, EVENING),
        ("inbox-snooze-tomorrow", today.tomorrow().ok(), MORNING),
        ("inbox-snooze-monday", monday, MORNING),
    ];
    let days = days.into_iter().filter_map(|(id, day, hour)| {
        let time = day?.at(hour, 0, 0, 0).to_zoned(now.time_zone().clone());
        Some((id, time.ok()?.timestamp()))
    });
    let hour = now.timestamp() + SignedDuration::from_hours(1);
    iter::once(("inbox-snooze-hour", hour))
        .chain(days)
        .collect()
}

impl Inbox {
    /// Asks until when.
    pub(super) fn ask_until(&mut self) {
        let ids = self.list.chosen();
        if !ids.is_empty() {
            let times = times(&(self.local_time)());
            self.set_overlay(Some(Overlay::Snooze(SnoozeMenu { ids, times })));
        }
    }

    pub(super) fn choose_time(&mut self, action: Option<Action>, key: Key) {
        if matches!(action, Some(Action::Back | Action::Leave | Action::Detach)) {
            return self.close_with(key);
        }
        let Some(Overlay::Snooze(menu)) = &self.overlay else {
            return;
        };
        let (ids, until) = (menu.ids.clone(), menu.time(key));
        if let Some(until) = until
            && self.guard_allows(key)
        {
            self.set_overlay(None);
            self.snooze(ids, until);
        }
    }

    /// The focus moves on, as after an answer.
    fn snooze(&mut self, ids: Vec<InquiryId>, until: Timestamp) {
        for id in &ids {
            self.list.focus_next_of(id);
            self.list.marked.remove(id);
            let request = InboxRequest::Snooze(id.clone(), Some(until));
            self.requests.push(request);
        }
        self.list.refocus();
        let time = clock::date_and_time(until);
        self.notice = Some(self.text("inbox-snoozed-until", &[("time", time.into())]));
        self.snoozed = ids;
    }

    /// Shows the questions again that were snoozed last, unless something was answered since. Returns whether there were any.
    pub(super) fn undo_snooze(&mut self) -> bool {
        let ids = std::mem::take(&mut self.snoozed);
        let found = !ids.is_empty();
        let requests = ids.into_iter().map(|id| InboxRequest::Snooze(id, None));
        self.requests.extend(requests);
        found
    }
}

#[cfg(test)]
#[path = "snooze_tests.rs"]
mod tests;
