//! Questions that are answered elsewhere while they have the focus, or before a reply from here
//! arrived. They stay in the list and show how they ended and what was not sent, so that no key
//! meant for one of them answers another.

use std::time::Duration;

use askback_core::id::InquiryId;
use askback_wire::inquiry::InquiryResponse;
use askback_wire::outcome::{OutcomeResponse, to_answers};

use super::{Inbox, Item, Overlay};
use crate::answer_summary;
use crate::held_replies::held_lines;
use crate::keymap::{Action, Mode};
use crate::outcome_lines::{self, AnsweredFrom};
use crate::reply::InquiryReply;
use askback_terminal::clock::MonotonicTime;
use askback_terminal::row::{Cursor, Frame, Row, ScreenBuffer, Style};
use askback_terminal::styled_wrap::{LinePrefix, wrap_spans};

/// How long a question that was answered elsewhere keeps the focus.
const GIVES_WAY_AFTER: Duration = Duration::from_secs(5);

impl Item {
    /// Whether the outcome can be the reply that was sent from here. Other answers than those sent
    /// are somebody else's.
    pub(super) fn may_be_ours(&self, outcome: Option<&OutcomeResponse>) -> bool {
        match (&self.reply, outcome) {
            _ if self.reply_lost => false,
            (Some(InquiryReply::Answer(sent)), Some(OutcomeResponse::Answered { answers })) => {
                self.sent && to_answers(answers).as_ref() == Some(sent)
            }
            _ => self.sent,
        }
    }
}

impl Inbox {
    pub(super) fn open_count(&self) -> usize {
        self.shown().filter(|item| item.is_open()).count()
    }

    pub(super) fn end_elsewhere(&mut self, at: usize, lines: Vec<String>) {
        let id = self.items[at].inquiry.id.clone();
        if self.focus.as_ref() != Some(&id) {
            self.notice = Some(lines.join("  "));
            return self.remove(at);
        }
        self.marked.remove(&id);
        self.confirm_without(&id);
        if let Some(Overlay::Prompt(open, prompt)) = &self.overlay
            && *open == id
        {
            self.items[at].unsent = prompt.unsent();
            self.overlay = Some(Overlay::Ended(id));
        }
        let was_open = self.items[at].ended.is_empty();
        self.items[at].ended = lines;
        self.items[at].ended_at = self.now;
        if was_open {
            self.guard.close();
        }
    }

    /// Somebody else answered the question, for good or until it is undone. What was typed or sent
    /// here is shown as not sent, and stays the draft of the question.
    pub(super) fn lose_reply(&mut self, found: &InquiryResponse) {
        let Some(at) = self.index_of(&found.id) else {
            return;
        };
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
        if self.items[at].sent {
            self.held.remove(&found.id);
            self.items[at].sent = false;
            let unsent = self.items[at].reply.take();
            self.items[at].unsent = self.unsent_reply(at, unsent.as_ref());
            // Whoever types in another question is not interrupted: the list keeps this one.
            if self.overlay.is_none() {
                self.focus = Some(found.id.clone());
                self.set_overlay(Some(Overlay::Ended(found.id.clone())));
            }
            self.items[at].ended = lines;
            return;
        }
        self.end_elsewhere(at, lines);
    }

    /// What a reply that was not taken says: the typed text, or else the chosen answers.
    fn unsent_reply(&self, at: usize, reply: Option<&InquiryReply>) -> Vec<Row> {
        let item = &self.items[at];
        let locale = self.config.locale;
        let (Some(InquiryReply::Answer(answers)), Ok(inquiry)) = (reply, item.inquiry.to_inquiry())
        else {
            return Vec::new();
        };
        let asked = inquiry.questions().iter().zip(answers.iter());
        let texts = asked.map(|(question, answer)| locale.answer_text(question, &answer.given));
        let row = |text: String| answer_summary::unsent_text(locale, &text);
        texts
            .filter(|text| !text.is_empty())
            .flat_map(row)
            .collect()
    }

    /// A confirmation is no longer about this question.
    pub(super) fn confirm_without(&mut self, id: &InquiryId) {
        if let Some(Overlay::Confirm(_, ids)) = &mut self.overlay {
            ids.retain(|other| other != id);
            if ids.is_empty() {
                self.set_overlay(None);
            }
        }
    }

    /// Opens the question again if it is shown as ended: the answer from elsewhere was undone.
    pub(super) fn resume_ended(&mut self, id: &InquiryId) -> bool {
        if !matches!(&self.overlay, Some(Overlay::Ended(ended)) if ended == id) {
            return false;
        }
        self.set_overlay(None);
        self.focus = Some(id.clone());
        let item = self.focused();
        if let Some(mut prompt) = item.and_then(|item| self.prompt(item)) {
            prompt.appear(self.guard.last());
            prompt.reopened();
            self.overlay = Some(Overlay::Prompt(id.clone(), Box::new(prompt)));
        }
        true
    }

    /// Removes ended questions that no longer have the focus, except those with an unsent answer.
    pub(super) fn drop_ended(&mut self) {
        let focus = self.focus.clone();
        let stays = |item: &Item| {
            let is_focused = Some(&item.inquiry.id) == focus.as_ref();
            is_focused || item.ended.is_empty() || !item.unsent.is_empty()
        };
        self.items.retain(stays);
    }

    /// The time until a question that ended elsewhere gives way to the next one: some seconds after it ended, and after the
    /// last key, unless something that was typed for it is shown.
    pub(super) fn next_leave_ended(&self, now: MonotonicTime) -> Option<Duration> {
        let item = self.focused().filter(|_| self.overlay.is_none())?;
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
            let told = self.focused().map(|item| item.ended.join("  "));
            self.move_on();
            self.notice = told;
        }
    }

    /// Says that a key did nothing, because the question has ended.
    pub(super) fn say_ended(&mut self) {
        let args = [("keys", self.key_name(Action::Confirm).into())];
        self.notice = Some(self.text("inbox-ended-here", &args));
    }

    pub(super) fn move_on(&mut self) {
        let at = self.focus.clone().and_then(|id| self.index_of(&id));
        if let Some(at) = at {
            self.remove(at);
        }
        self.guard.close();
    }

    /// How the open question ended, and what was typed for it.
    pub(super) fn ended_screen(&self, id: &InquiryId) -> Frame {
        let mut rows = vec![self.head(), Row::new()];
        let item = self.items.iter().find(|item| item.inquiry.id == *id);
        let plain = |line: &String| Row::new().with(line.clone(), Style::Plain);
        let told = item.into_iter().flat_map(|item| {
            let ended = item.ended.iter().map(plain);
            ended.chain(item.unsent.iter().cloned())
        });
        for line in told {
            let lead = LinePrefix::all(Row::new().with("  ", Style::Plain));
            rows.extend(wrap_spans(line.spans(), self.columns(), &lead));
        }
        rows.push(Row::new());
        let notice = self.notice.clone().unwrap_or_default();
        rows.push(Row::new().with(notice, Style::Warning));
        let hint = self.hint("inbox-hint-go-on", Mode::Inbox, Action::Confirm);
        rows.push(Row::new().with(hint.unwrap_or_default(), Style::Muted));
        let cursor = Cursor {
            row: rows.len() - 1,
            column: 0,
        };
        Frame {
            rows,
            cursor,
            buffer: ScreenBuffer::Alternate,
        }
    }
}
