//! The last reply, while it can be taken back.

use std::time::Duration;

use askback_api::inquiry::InquiryResponse;
use askback_core::id::InquiryId;

use super::{Inbox, Wish};
use crate::clock::Moment;
use crate::ended::{self, Whose};
use crate::keymap::Action;
use crate::row::Row;

/// A reply that is held back from the agent for a while.
#[derive(Debug)]
pub(super) struct Held {
    id: InquiryId,
    line: String,
    until: Moment,
}

impl Inbox {
    /// A reply to a question is held until then. One that was given elsewhere is not ours to offer.
    pub(super) fn hold(&mut self, inquiry: &InquiryResponse, until: Moment) {
        let ours = self
            .items
            .iter()
            .any(|item| item.inquiry.id == inquiry.id && item.sent);
        let Some(held) = inquiry.held.as_ref().filter(|_| ours) else {
            return;
        };
        let mut found = inquiry.clone();
        found.outcome = Some(held.outcome.clone());
        let (locale, glyphs) = (self.setting.locale, &self.setting.glyphs);
        let rows = ended::lines(locale, glyphs, &found, Whose::Ours);
        let lines: Vec<String> = rows.iter().map(Row::text).collect();
        self.held = Some(Held {
            id: inquiry.id.clone(),
            line: lines.join("  "),
            until,
        });
    }

    /// A question that had a reply is open again.
    pub(super) fn reopen(&mut self, id: &InquiryId) {
        self.let_go(id);
        if let Some(item) = self.items.iter_mut().find(|item| item.inquiry.id == *id) {
            item.sent = false;
            self.notice = Some(self.say("notice-undone", &[]));
            self.focus_on(Some(id.clone()));
        }
        self.refocus();
    }

    /// What was held is taken back or has taken effect.
    pub(super) fn let_go(&mut self, id: &InquiryId) {
        if self.held.as_ref().is_some_and(|held| held.id == *id) {
            self.held = None;
        }
    }

    /// Takes the last reply back.
    pub(super) fn undo(&mut self) {
        match self.held.take() {
            Some(held) if held.until > self.now => self.wishes.push(Wish::Undo(held.id)),
            Some(_) | None => self.notice = Some(self.say("notice-too-late-to-undo", &[])),
        }
    }

    /// The last reply in words, with how long it can be taken back.
    pub(super) fn held_line(&self) -> Option<String> {
        let held = self.held.as_ref()?;
        let left = held.until.saturating_sub(self.now);
        let seconds = left.as_secs() + u64::from(left.subsec_nanos() > 0);
        let seconds = usize::try_from(seconds).ok().filter(|left| *left > 0)?;
        let args = [
            ("line", held.line.as_str().into()),
            ("keys", self.key_name(Action::Undo).into()),
            ("seconds", seconds.into()),
        ];
        Some(self.say("inbox-undo", &args))
    }

    /// When the line next changes: each second, and when the time is over.
    pub(super) fn held_tick(&self, now: Moment) -> Option<Duration> {
        let left = self.held.as_ref()?.until.saturating_sub(now);
        let part = Duration::from_nanos(u64::from(left.subsec_nanos()));
        (!left.is_zero()).then(|| {
            if part.is_zero() {
                Duration::from_secs(1)
            } else {
                part
            }
        })
    }
}
