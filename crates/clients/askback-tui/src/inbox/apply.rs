//! Applies the state of a question as the server has it, wherever it comes from: the feed, a list, or the reply to a
//! request.

use askback_wire::inquiry::InquiryResponse;

use super::{Inbox, Item};
use crate::held_replies::held_lines;
use crate::inquiry_update::InquiryUpdate;
use crate::outcome_lines::{self, AnsweredFrom};
use askback_core::id::InquiryId;
use askback_terminal::clock::MonotonicTime;
use askback_terminal::row::Row;

impl Inbox {
    /// Applied twice, it changes nothing, nor does an older state that arrives late.
    pub(super) fn apply(&mut self, update: InquiryUpdate) {
        let id = update.inquiry.id.clone();
        let shown = self.items.iter().find(|item| item.inquiry.id == id);
        let shown = shown.map(|item| &item.inquiry);
        if !self.versions.accept(&update.inquiry, shown) {
            return;
        }
        match update.snoozed_until {
            Some(until) => self.snoozes.insert(id.clone(), until),
            None => self.snoozes.remove(&id),
        };
        match self.index_of(&id) {
            Some(at) if update.inquiry.status.is_resolved() => self.resolve(at, &update.inquiry),
            Some(at) => self.change(at, update),
            None if update.is_open() => self.add(update),
            None => {}
        }
        self.refocus();
    }

    fn add(&mut self, update: InquiryUpdate) {
        self.newest = Some(update.inquiry.id.clone());
        self.items.push(Item {
            inquiry: update.inquiry,
            draft: update.draft,
            deadline: update.deadline,
            sent: false,
            batch: 0,
            ended: Vec::new(),
            reply: None,
            reply_lost: false,
            unsent: Vec::new(),
            ended_at: MonotonicTime::ZERO,
        });
        self.sort();
    }

    /// A question that is known and has no outcome.
    fn change(&mut self, at: usize, update: InquiryUpdate) {
        let after = update.inquiry;
        let id = after.id.clone();
        let item = &mut self.items[at];
        let is_moved = item.inquiry.expires_at != after.expires_at;
        let was_answered = item.inquiry.held.is_some() || !item.ended.is_empty();
        item.inquiry = after.clone();
        item.deadline = update.deadline;
        if let Some(prompt) = self.open_prompt(&id) {
            prompt.set_recipient(after.shown_recipient());
            prompt.set_detached(after.is_detached());
            // A key has stopped the deadline of an open prompt, so that only one that was moved is set there.
            if is_moved {
                prompt.set_deadline(update.deadline);
            }
        }
        self.sort();
        match update.held_until {
            Some(until) => self.hold(&after, until),
            None if was_answered => self.reopen(&id),
            None => {}
        }
    }

    fn sort(&mut self) {
        let mine = &self.config.mine;
        self.items
            .sort_by(|a, b| mine.order(&a.inquiry, &b.inquiry));
    }

    /// A reply from elsewhere cannot be undone here. Until it is undone there, nobody can answer.
    fn hold(&mut self, inquiry: &InquiryResponse, until: MonotonicTime) {
        let outcome = inquiry.held.as_ref().map(|held| &held.outcome);
        let ours = |item: &&Item| item.inquiry.id == inquiry.id && item.may_be_ours(outcome);
        let Some(batch) = self.items.iter().find(ours).map(|item| item.batch) else {
            return self.lose_reply(inquiry);
        };
        let (locale, glyphs) = (self.config.locale, &self.config.glyphs);
        let lines = held_lines(locale, glyphs, inquiry, AnsweredFrom::Here);
        if !lines.is_empty() {
            self.held.add((inquiry.id.clone(), &lines), until, batch);
        }
    }

    /// A reply was undone.
    fn reopen(&mut self, id: &InquiryId) {
        self.held.remove(id);
        if let Some(item) = self.items.iter_mut().find(|item| item.inquiry.id == *id) {
            item.ended.clear();
            item.unsent.clear();
            item.reply_lost = false;
            let was_ours = std::mem::take(&mut item.sent);
            if self.resume_ended(id) {
                return;
            }
            self.notice = Some(self.text("notice-undone", &[]));
            if was_ours {
                self.focus_on(Some(id.clone()));
            }
        }
    }

    fn resolve(&mut self, at: usize, found: &InquiryResponse) {
        self.held.remove(&found.id);
        if !self.items[at].may_be_ours(found.outcome.as_ref()) {
            return self.lose_reply(found);
        }
        let (locale, glyphs) = (self.config.locale, &self.config.glyphs);
        let rows = outcome_lines::lines(locale, glyphs, found, AnsweredFrom::Here);
        let lines: Vec<String> = rows.iter().map(Row::text).collect();
        self.notice = Some(lines.join("  "));
        self.remove(at);
    }
}
