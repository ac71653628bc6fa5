//! The last replies, while they can be taken back.

use std::time::Duration;

use askback_core::id::InquiryId;
use askback_wire::inquiry::InquiryResponse;

use super::{Inbox, InboxRequest, Item};
use crate::keymap::Action;
use crate::outcome_lines::{self, AnsweredFrom};
use askback_terminal::clock::MonotonicTime;
use askback_terminal::row::Row;

/// A reply that is held back from the agent for a while.
#[derive(Debug)]
pub(super) struct HeldReply {
    id: InquiryId,
    line: String,
    until: MonotonicTime,
    /// What was sent with one key is taken back with one key.
    batch: usize,
}

impl Inbox {
    /// A reply to a question is held until then. One that was given elsewhere is not ours to offer.
    pub(super) fn hold(&mut self, inquiry: &InquiryResponse, until: MonotonicTime) {
        let sent = |item: &&Item| item.inquiry.id == inquiry.id && item.sent;
        let batch = self.items.iter().find(sent).map(|item| item.batch);
        let Some((held, batch)) = inquiry.held.as_ref().zip(batch) else {
            return;
        };
        let mut found = inquiry.clone();
        found.outcome = Some(held.outcome.clone());
        let (locale, glyphs) = (self.config.locale, &self.config.glyphs);
        let rows = outcome_lines::lines(locale, glyphs, &found, AnsweredFrom::Here);
        let lines: Vec<String> = rows.iter().map(Row::text).collect();
        self.held.retain(|held| held.id != inquiry.id);
        self.held.push(HeldReply {
            id: inquiry.id.clone(),
            line: lines.join("  "),
            until,
            batch,
        });
    }

    /// A question that had a reply is open again.
    pub(super) fn reopen(&mut self, id: &InquiryId) {
        self.remove_held(id);
        if let Some(item) = self.items.iter_mut().find(|item| item.inquiry.id == *id) {
            item.sent = false;
            self.notice = Some(self.text("notice-undone", &[]));
            self.focus_on(Some(id.clone()));
        }
        self.refocus();
    }

    /// What was held is taken back or has taken effect.
    pub(super) fn remove_held(&mut self, id: &InquiryId) {
        self.held.retain(|held| held.id != *id);
    }

    /// Takes the last reply back, or all that were sent with it; once more, those before.
    pub(super) fn undo(&mut self) {
        let now = self.now;
        self.held.retain(|held| held.until > now);
        let Some(batch) = self.held.iter().map(|held| held.batch).max() else {
            self.notice = Some(self.text("notice-too-late-to-undo", &[]));
            return;
        };
        for held in self.held.extract_if(.., |held| held.batch == batch) {
            self.requests.push(InboxRequest::Undo(held.id));
        }
    }

    /// The reply that would be taken back, the last of those that were sent together.
    fn last_held(&self) -> Option<&HeldReply> {
        self.held.iter().max_by_key(|held| held.batch)
    }

    /// The last reply in words, with how many like it there are and how long it can be taken back.
    pub(super) fn held_line(&self) -> Option<String> {
        let held = self.last_held()?;
        let together = self.held.iter().filter(|other| other.batch == held.batch);
        let line = match together.count() {
            1 => held.line.clone(),
            count => format!("{} ({count})", held.line),
        };
        let left = held.until.saturating_sub(self.now);
        let seconds = left.as_secs() + u64::from(left.subsec_nanos() > 0);
        let seconds = usize::try_from(seconds).ok().filter(|left| *left > 0)?;
        let args = [
            ("line", line.into()),
            ("keys", self.key_name(Action::Undo).into()),
            ("seconds", seconds.into()),
        ];
        Some(self.text("inbox-undo", &args))
    }

    /// When the line next changes: each second, and when the time is over.
    pub(super) fn held_tick(&self, now: MonotonicTime) -> Option<Duration> {
        let left = self.last_held()?.until.saturating_sub(now);
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
