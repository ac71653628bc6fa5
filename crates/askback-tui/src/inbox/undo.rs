//! The last replies, while they can be undone.

use std::time::Duration;

use askback_core::id::InquiryId;
use askback_wire::inquiry::InquiryResponse;

use super::{Inbox, InboxRequest, Item};
use crate::keymap::Action;
use crate::outcome_lines::{self, AnsweredFrom};
use askback_terminal::clock::MonotonicTime;
use askback_terminal::row::Row;

/// A reply that the server holds until the undo window ends.
#[derive(Debug)]
pub(super) struct HeldReply {
    id: InquiryId,
    line: String,
    until: MonotonicTime,
    /// All replies of a batch are undone together.
    batch: usize,
}

impl Inbox {
    /// A reply from another surface cannot be undone here.
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

    /// A reply was undone.
    pub(super) fn reopen(&mut self, id: &InquiryId) {
        self.remove_held(id);
        if let Some(item) = self.items.iter_mut().find(|item| item.inquiry.id == *id) {
            item.sent = false;
            self.notice = Some(self.text("notice-undone", &[]));
            self.focus_on(Some(id.clone()));
        }
        self.refocus();
    }

    pub(super) fn remove_held(&mut self, id: &InquiryId) {
        self.held.retain(|held| held.id != *id);
    }

    /// Undoes the last batch. Called again, it undoes the batch before.
    pub(super) fn undo(&mut self) {
        let now = self.now;
        self.held.retain(|held| held.until > now);
        let Some(batch) = self.held.iter().map(|held| held.batch).max() else {
            let notice = match self.last_batch {
                0 => "notice-nothing-to-undo",
                _ => "notice-too-late-to-undo",
            };
            self.notice = Some(self.text(notice, &[]));
            return;
        };
        for held in self.held.extract_if(.., |held| held.batch == batch) {
            self.requests.push(InboxRequest::Undo(held.id));
        }
    }

    /// The last reply of the last batch.
    fn last_held(&self) -> Option<&HeldReply> {
        self.held.iter().max_by_key(|held| held.batch)
    }

    /// The last reply, the size of its batch, and how long it can be undone.
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

    /// The time until [`Self::held_line`] changes: each second, and at the end.
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
