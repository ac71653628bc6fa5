//! The inbox line by line, for screen readers and terminals that cannot move the cursor. The
//! questions are numbered and asked one after the other; events are printed between them.

use askback_core::draft::Draft;
use askback_core::id::InquiryId;
use askback_locale::{Arg, Locale};
use askback_wire::inquiry::InquiryResponse;

use super::{InboxEvent, Mine};
use crate::inquiry_update::{InquiryUpdate, NewestVersions};
use crate::line::punctuation::{sentence, without_doubled_stops};
use crate::outcome_lines::{self, AnsweredFrom};
use crate::prompt::{OTHER_DRAFT, PromptEvent};
use askback_terminal::clock;
use askback_terminal::glyphs::Glyphs;
use askback_terminal::row::Row;

/// What to do after a line was typed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum LineInboxAction {
    /// Ask this question.
    Ask(InquiryId),
    /// Print this text. It ends with the cue for the next line.
    Print(String),
    /// Exit.
    Leave,
}

/// The inbox in line mode.
#[derive(Debug)]
pub struct LineInbox {
    mine: Mine,
    locale: Locale,
    glyphs: Glyphs,
    items: Vec<InquiryUpdate>,
    versions: NewestVersions,
    /// New questions that were not printed yet.
    arrived: Vec<InquiryId>,
    /// Other messages that were not printed yet.
    unprinted: Vec<String>,
}

impl LineInbox {
    /// An empty inbox.
    pub fn new(locale: Locale, glyphs: Glyphs, mine: Mine) -> LineInbox {
        LineInbox {
            mine,
            locale,
            glyphs,
            items: Vec::new(),
            versions: NewestVersions::default(),
            arrived: Vec::new(),
            unprinted: Vec::new(),
        }
    }

    /// Handles an event from the backend.
    pub fn handle_event(&mut self, event: InboxEvent) {
        match event {
            InboxEvent::Inquiry(update) => self.apply(*update),
            InboxEvent::PendingIds(ids) => {
                self.versions.forget_others(&ids);
                self.items.retain(|item| ids.contains(&item.inquiry.id));
            }
            InboxEvent::ReplyRefused(_, words) => self.unprinted.push(words),
            InboxEvent::Prompt(_, PromptEvent::OtherDraft) => {
                self.unprinted.push(self.sentence(OTHER_DRAFT));
            }
            // Whoever sends a reply prints what became of it.
            InboxEvent::AnsweredFirst(_) | InboxEvent::Prompt(..) => {}
            InboxEvent::Connected => self.unprinted.push(self.sentence("chat-connected")),
            InboxEvent::Disconnected => self.unprinted.push(self.sentence("chat-connection-lost")),
        }
    }

    /// Lines offer no undo, and hide nothing: numbers that move while somebody reads would be worse than a list of
    /// everything.
    fn apply(&mut self, update: InquiryUpdate) {
        let id = &update.inquiry.id;
        let shown = self.items.iter().find(|item| item.inquiry.id == *id);
        let shown = shown.map(|item| &item.inquiry);
        if !self.versions.accept(&update.inquiry, shown) {
            return;
        }
        if update.inquiry.status.is_resolved() {
            self.handle_resolved(&update.inquiry);
        } else if let Some(known) = self.items.iter_mut().find(|item| item.inquiry.id == *id) {
            let draft = known.draft.take();
            *known = InquiryUpdate { draft, ..update };
        } else if update.is_open() {
            self.arrived.push(id.clone());
            self.items.push(update);
            self.sort();
        }
    }

    fn sort(&mut self) {
        let mine = &self.mine;
        self.items
            .sort_by(|a, b| mine.order(&a.inquiry, &b.inquiry));
    }

    fn handle_resolved(&mut self, found: &InquiryResponse) {
        if self.take(&found.id).is_some() {
            let rows =
                outcome_lines::lines(self.locale, &self.glyphs, found, AnsweredFrom::Elsewhere);
            self.unprinted.extend(rows.iter().map(Row::text));
        }
    }

    /// Returns a pending question.
    pub fn find(&self, id: &InquiryId) -> Option<&InquiryUpdate> {
        self.items.iter().find(|item| item.inquiry.id == *id)
    }

    /// Removes a question that is being answered here.
    pub fn take(&mut self, id: &InquiryId) -> Option<InquiryUpdate> {
        let at = self.items.iter().position(|item| item.inquiry.id == *id)?;
        Some(self.items.remove(at))
    }

    /// Adds a question again that was not answered.
    pub fn put_back(&mut self, waiting: InquiryUpdate) {
        let known = self.find(&waiting.inquiry.id).is_some();
        if !known {
            self.items.push(waiting);
            self.sort();
        }
    }

    /// Saves the draft of a question.
    pub fn save_draft(&mut self, id: &InquiryId, draft: &Draft) {
        if let Some(item) = self.items.iter_mut().find(|item| item.inquiry.id == *id) {
            item.draft = Some(draft.clone());
        }
    }

    /// The question after another one, even if that one was removed.
    pub fn following(&self, before: &InquiryResponse) -> Option<InquiryId> {
        let follows = |item: &&InquiryUpdate| self.mine.order(&item.inquiry, before).is_gt();
        let next = self.items.iter().find(follows);
        next.map(|item| item.inquiry.id.clone())
    }

    /// The list of questions and the cue.
    pub fn list(&mut self) -> String {
        self.arrived.clear();
        let mut lines = vec![self.sentence("inbox-title")];
        if self.items.is_empty() {
            lines.push(self.text("inbox-empty", &[]));
        } else {
            let count = [("count", self.items.len().into())];
            lines.push(sentence(&self.text("inbox-count", &count)));
        }
        lines.extend(
            self.items
                .iter()
                .enumerate()
                .map(|(at, item)| self.item(at, item)),
        );
        lines.push(self.cue());
        format!("{} ", lines.join("\n"))
    }

    /// Removes and returns the messages since the last call.
    pub fn take_messages(&mut self) -> Option<String> {
        let mut lines = std::mem::take(&mut self.unprinted);
        let arrived = std::mem::take(&mut self.arrived);
        let new = |item: &(usize, &InquiryUpdate)| arrived.contains(&item.1.inquiry.id);
        let items = self.items.iter().enumerate().filter(new);
        let items: Vec<String> = items.map(|(at, item)| self.item(at, item)).collect();
        if !items.is_empty() {
            let count = [("count", items.len().into())];
            lines.push(sentence(&self.text("inbox-arrived", &count)));
            lines.extend(items);
        }
        (!lines.is_empty()).then(|| lines.join("\n"))
    }

    /// The cue: what can be typed.
    pub fn cue(&self) -> String {
        let id = if self.items.is_empty() {
            "line-inbox-quit"
        } else {
            "line-inbox-prompt"
        };
        self.text(id, &[])
    }

    /// Announces the next question.
    pub fn next(&self, id: &InquiryId) -> Option<String> {
        let name = name(&self.find(id)?.inquiry);
        Some(sentence(&self.text("inbox-next", &[("name", name.into())])))
    }

    /// Interprets a typed line.
    pub fn handle_line(&mut self, line: &str) -> LineInboxAction {
        let line = line.trim();
        match (line, line.parse::<usize>()) {
            ("q", _) => LineInboxAction::Leave,
            ("l", _) => LineInboxAction::Print(self.list()),
            ("", _) if !self.items.is_empty() => {
                LineInboxAction::Ask(self.items[0].inquiry.id.clone())
            }
            ("?", _) => LineInboxAction::Print(format!(
                "{}\n{} ",
                self.text("line-inbox-help", &[]),
                self.cue()
            )),
            (_, Ok(number)) if (1..=self.items.len()).contains(&number) => {
                LineInboxAction::Ask(self.items[number - 1].inquiry.id.clone())
            }
            _ if self.items.is_empty() => LineInboxAction::Print(format!("{} ", self.cue())),
            _ => {
                let count = [("count", self.items.len().into())];
                let wrong = self.text("line-not-understood", &count);
                LineInboxAction::Print(format!("{wrong}\n{} ", self.cue()))
            }
        }
    }

    fn item(&self, at: usize, item: &InquiryUpdate) -> String {
        let inquiry = &item.inquiry;
        let number = ("number", Arg::from(at + 1));
        let name = name(inquiry);
        let mut line = match inquiry.asker_name() {
            Some(asker) => {
                let args = [number, ("name", name.into()), ("agent", asker.into())];
                self.text("line-inbox-item", &args)
            }
            None => self.text("line-choice", &[number, ("label", name.into())]),
        };
        if let Some(recipient) = inquiry.shown_recipient() {
            let args = [("recipient", recipient.into())];
            line = format!("{line} ({})", self.text("for-recipient", &args));
        }
        if let Some(at) = inquiry.expires_at {
            let time = clock::time_of_day(at);
            let closes = self.text("web-deadline", &[("time", time.into())]);
            line = format!("{line} {}", sentence(&closes));
        }
        line
    }

    fn sentence(&self, id: &str) -> String {
        sentence(&self.text(id, &[]))
    }

    fn text(&self, id: &str, args: &[(&str, Arg<'_>)]) -> String {
        without_doubled_stops(&self.glyphs.to_supported(self.locale.text(id, args)))
    }
}

pub(super) fn name(inquiry: &InquiryResponse) -> String {
    let Ok(asked) = inquiry.to_inquiry() else {
        return inquiry.id.to_string();
    };
    let first = &asked.questions()[0];
    let name = first.header.as_ref().unwrap_or(&first.text);
    name.as_str()
        .split_whitespace()
        .collect::<Vec<_>>()
        .join(" ")
}

#[cfg(test)]
#[path = "lines_tests.rs"]
mod tests;
