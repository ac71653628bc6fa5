//! Applies what the server says of a question, wherever it comes from: the feed, a list, or the reply to a request.
//!
//! Questions that are answered elsewhere while they have the focus, or before a reply from here arrived, stay in the list
//! and show how they ended and what was not sent, so that no key meant for one of them answers another.

use std::collections::HashSet;
use std::time::Duration;

use askback_core::id::InquiryId;
use askback_wire::inquiry::InquiryResponse;

use super::overlay::Purpose;
use super::snooze::SnoozeMenu;
use super::{Inbox, InboxRequest, Item, OpenPrompt, Overlay};
use crate::answer_summary;
use crate::held_replies::held_lines;
use crate::inquiry_update::InquiryUpdate;
use crate::outcome_lines::{self, AnsweredFrom};
use crate::reply::InquiryReply;
use askback_locale::Locale;
use askback_terminal::clock::MonotonicTime;
use askback_terminal::row::Row;

/// How long a question that was answered elsewhere keeps the focus.
const GIVES_WAY_AFTER: Duration = Duration::from_secs(5);

impl Inbox {
    /// Applied twice, it changes nothing, nor does an older state that arrives late.
    pub(super) fn apply(&mut self, update: InquiryUpdate) {
        let id = update.inquiry.id.clone();
        let shown = self.list.get(&id).map(|item| &item.inquiry);
        if !self.versions.accept(&update.inquiry, shown) {
            return;
        }
        let is_known = shown.is_some();
        self.list.snooze(&id, update.snoozed_until);
        if is_known && update.inquiry.status.is_resolved() {
            self.resolve(&update.inquiry);
        } else if is_known {
            self.change(update);
        } else if update.is_open() {
            self.newest = Some(id);
            self.list.add(Item::new(update));
        }
        self.list.refocus();
    }

    /// A question that is known and has no outcome.
    fn change(&mut self, update: InquiryUpdate) {
        let after = update.inquiry;
        let id = after.id.clone();
        let Some(item) = self.list.get_mut(&id) else {
            return;
        };
        let is_moved = item.inquiry.expires_at != after.expires_at;
        let was_answered = item.inquiry.held.is_some() || !item.ended.is_empty();
        item.inquiry = after.clone();
        item.deadline = update.deadline;
        if let Some(prompt) = self.prompt_of(&id) {
            prompt.set_recipient(after.shown_recipient());
            prompt.set_detached(after.is_detached());
            // A key has stopped the deadline of an open prompt, so that only one that was moved is set there.
            if is_moved {
                prompt.set_deadline(update.deadline);
            }
        }
        self.list.sort();
        match update.held_until {
            Some(until) => self.offer_undo(&after, until),
            None if was_answered => self.reopen(&id),
            None => {}
        }
    }

    /// Offers to undo a reply of ours. One from elsewhere cannot be undone here: until it is undone there, nobody can answer.
    fn offer_undo(&mut self, inquiry: &InquiryResponse, until: MonotonicTime) {
        let outcome = inquiry.held.as_ref().map(|held| &held.outcome);
        let item = self.list.get(&inquiry.id);
        let Some(ours) = item.filter(|item| item.may_be_ours(outcome)) else {
            return self.lose_reply(inquiry);
        };
        let batch = ours.batch;
        let (locale, glyphs) = (self.config.locale, &self.config.glyphs);
        let lines = held_lines(locale, glyphs, inquiry, AnsweredFrom::Here);
        if !lines.is_empty() {
            self.held.add(inquiry.id.clone(), &lines, until, batch);
        }
    }

    /// A reply was undone.
    fn reopen(&mut self, id: &InquiryId) {
        self.held.remove(id);
        let Some(item) = self.list.get_mut(id) else {
            return;
        };
        item.ended.clear();
        item.unsent.clear();
        item.reply_lost = false;
        let was_ours = std::mem::take(&mut item.sent);
        if self.resume_ended(id) {
            return;
        }
        self.notice = Some(self.text("notice-undone", &[]));
        if was_ours {
            self.list.focus_on(Some(id.clone()));
        }
    }

    fn resolve(&mut self, found: &InquiryResponse) {
        self.held.remove(&found.id);
        let item = self.list.get(&found.id);
        if !item.is_some_and(|item| item.may_be_ours(found.outcome.as_ref())) {
            return self.lose_reply(found);
        }
        let (locale, glyphs) = (self.config.locale, &self.config.glyphs);
        let rows = outcome_lines::lines(locale, glyphs, found, AnsweredFrom::Here);
        let lines: Vec<String> = rows.iter().map(Row::text).collect();
        self.notice = Some(lines.join("  "));
        self.remove(&found.id);
    }

    /// Removes questions that were resolved while the feed was disconnected.
    pub(super) fn reconcile(&mut self, waiting: &HashSet<InquiryId>) {
        self.versions.forget_others(waiting);
        let gone = |item: &&Item| !waiting.contains(item.id()) && item.is_open();
        let gone = self.list.items().iter().filter(gone);
        let gone: Vec<InquiryId> = gone.map(|item| item.id().clone()).collect();
        for id in gone {
            self.end_elsewhere(&id, vec![self.text("inbox-gone", &[])]);
            self.requests.push(InboxRequest::FetchInquiry(id));
        }
    }

    fn remove(&mut self, id: &InquiryId) {
        self.list.remove(id);
        if self.prompt_of(id).is_some() {
            self.set_overlay(None);
        }
        self.confirm_without(id);
        self.list.refocus();
    }

    fn end_elsewhere(&mut self, id: &InquiryId, lines: Vec<String>) {
        if self.list.focus.as_ref() != Some(id) {
            self.notice = Some(lines.join("  "));
            return self.remove(id);
        }
        self.list.marked.remove(id);
        self.confirm_without(id);
        let unsent = self.prompt_of(id).map(|prompt| prompt.unsent());
        if unsent.is_some() {
            self.show(Some(Overlay::Ended(id.clone())));
        }
        let now = self.list.now;
        let Some(item) = self.list.get_mut(id) else {
            return;
        };
        item.unsent = unsent.unwrap_or_else(|| std::mem::take(&mut item.unsent));
        item.ended_at = now;
        if std::mem::replace(&mut item.ended, lines).is_empty() {
            self.guard.close();
        }
    }

    /// Somebody else answered the question, for good or until it is undone. What was typed or sent
    /// here is shown as not sent, and stays the draft of the question.
    fn lose_reply(&mut self, found: &InquiryResponse) {
        let (locale, glyphs) = (self.config.locale, &self.config.glyphs);
        let mut rows = held_lines(locale, glyphs, found, AnsweredFrom::Elsewhere);
        let is_held = !rows.is_empty();
        if !is_held {
            rows = outcome_lines::lines(locale, glyphs, found, AnsweredFrom::Elsewhere);
        }
        let mut lines: Vec<String> = rows.iter().map(Row::text).collect();
        if is_held {
            lines.push(self.text("elsewhere-undoable", &[]));
        }
        let Some(item) = self.list.get_mut(&found.id) else {
            return;
        };
        if !item.sent {
            return self.end_elsewhere(&found.id, lines);
        }
        item.sent = false;
        item.ended = lines;
        let reply = item.reply.take();
        item.unsent = unsent_reply(locale, &item.inquiry, reply.as_ref());
        self.held.remove(&found.id);
        // Whoever types in another question is not interrupted: the list keeps this one.
        if self.overlay.is_none() {
            self.list.focus = Some(found.id.clone());
            self.set_overlay(Some(Overlay::Ended(found.id.clone())));
        }
    }

    /// A confirmation is no longer about this question.
    fn confirm_without(&mut self, id: &InquiryId) {
        if let Some(Overlay::Confirm(_, ids) | Overlay::Snooze(SnoozeMenu { ids, .. })) =
            &mut self.overlay
        {
            ids.retain(|other| other != id);
            let is_empty = ids.is_empty();
            self.list.on_screen.clone_from(ids);
            if is_empty {
                self.set_overlay(None);
            }
        }
    }

    /// Opens the question again if it is shown as ended: the answer from elsewhere was undone.
    fn resume_ended(&mut self, id: &InquiryId) -> bool {
        if !matches!(&self.overlay, Some(Overlay::Ended(ended)) if ended == id) {
            return false;
        }
        self.set_overlay(None);
        self.list.focus = Some(id.clone());
        let item = self.list.focused();
        if let Some(mut prompt) = item.and_then(|item| self.new_prompt(item)) {
            prompt.appear(self.guard.last());
            prompt.reopened();
            self.show(Some(Overlay::Prompt(OpenPrompt {
                id: id.clone(),
                prompt: Box::new(prompt),
                purpose: Purpose::Answer,
            })));
        }
        true
    }

    /// The time until a question that ended elsewhere gives way to the next one: some seconds after it ended, and after the
    /// last key, unless something that was typed for it is shown.
    pub(super) fn next_leave_ended(&self, now: MonotonicTime) -> Option<Duration> {
        let item = self.list.focused().filter(|_| self.overlay.is_none())?;
        let is_done = !item.is_open() && item.unsent.is_empty();
        let last_key = self.guard.last().map(|(_, at)| at);
        let since = last_key.unwrap_or_default().max(item.ended_at);
        is_done.then(|| (since + GIVES_WAY_AFTER).saturating_sub(now))
    }

    pub(super) fn leave_ended(&mut self, now: MonotonicTime) {
        if self
            .next_leave_ended(now)
            .is_some_and(|left| left.is_zero())
        {
            let told = self.list.focused().map(|item| item.ended.join("  "));
            self.move_on();
            self.notice = told;
        }
    }

    /// Leaves the question that has ended.
    pub(super) fn move_on(&mut self) {
        if let Some(id) = self.list.focus.clone() {
            self.remove(&id);
        }
        self.guard.close();
    }
}

/// What a reply that was not taken says: the typed text, or else the chosen answers.
fn unsent_reply(
    locale: Locale,
    inquiry: &InquiryResponse,
    reply: Option<&InquiryReply>,
) -> Vec<Row> {
    let (Some(InquiryReply::Answer(answers)), Ok(inquiry)) = (reply, inquiry.to_inquiry()) else {
        return Vec::new();
    };
    let asked = inquiry.questions().iter().zip(answers.iter());
    let texts = asked.map(|(question, answer)| locale.answer_text(question, &answer.given));
    texts
        .filter(|text| !text.is_empty())
        .flat_map(|text| answer_summary::unsent_text(locale, &text))
        .collect()
}
