//! The inbox line by line, for screen readers and terminals that cannot move the cursor: the
//! questions have numbers, are asked one after the other, and what happens meanwhile is said between
//! them.

use askback_core::draft::Draft;
use askback_core::id::InquiryId;
use askback_locale::{Arg, Locale};
use askback_wire::inquiry::InquiryResponse;

use super::{InboxEvent, by_urgency};
use crate::deadline::Deadline;
use crate::line::punctuation::{sentence, without_doubled_stops};
use crate::outcome_lines::{self, AnsweredFrom};
use askback_terminal::clock;
use askback_terminal::glyphs::Glyphs;
use askback_terminal::row::Row;

/// A question that waits, with what was typed to answer it.
#[derive(Debug, Clone)]
pub struct LineInboxItem {
    /// The question.
    pub inquiry: InquiryResponse,
    /// What was typed.
    pub draft: Option<Draft>,
    /// When it closes.
    pub deadline: Option<Deadline>,
}

/// What a line leads to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum LineInboxAction {
    /// This question is asked.
    Ask(InquiryId),
    /// This is said, and ends where the next line is typed.
    Say(String),
    /// The inbox is left.
    Leave,
}

/// The inbox made of lines.
#[derive(Debug)]
pub struct LineInbox {
    locale: Locale,
    glyphs: Glyphs,
    items: Vec<LineInboxItem>,
    /// What came and was not told yet.
    arrived: Vec<InquiryId>,
    /// What else happened and was not told yet.
    untold: Vec<String>,
}

impl LineInbox {
    /// An inbox with nothing in it.
    pub fn new(locale: Locale, glyphs: Glyphs) -> LineInbox {
        LineInbox {
            locale,
            glyphs,
            items: Vec::new(),
            arrived: Vec::new(),
            untold: Vec::new(),
        }
    }

    /// Takes news.
    pub fn handle_event(&mut self, event: InboxEvent) {
        match event {
            InboxEvent::Asked(inquiry, draft, deadline) => self.add(*inquiry, draft, deadline),
            InboxEvent::Resolved(found) => self.handle_resolved(&found),
            InboxEvent::PendingIds(ids) => self.items.retain(|item| ids.contains(&item.inquiry.id)),
            InboxEvent::ReplyRefused(_, words) => self.untold.push(words),
            InboxEvent::LinkCreated(..) | InboxEvent::ReplyHeld(..) | InboxEvent::Reopened(_) => {}
            InboxEvent::Connected => self.untold.push(self.sentence("chat-connected")),
            InboxEvent::Disconnected => self.untold.push(self.sentence("chat-connection-lost")),
        }
    }

    fn add(&mut self, inquiry: InquiryResponse, draft: Option<Draft>, deadline: Option<Deadline>) {
        let id = inquiry.id.clone();
        if let Some(known) = self.items.iter_mut().find(|item| item.inquiry.id == id) {
            known.inquiry = inquiry;
            known.deadline = deadline;
            return;
        }
        self.arrived.push(id);
        self.items.push(LineInboxItem {
            inquiry,
            draft,
            deadline,
        });
        self.items
            .sort_by(|a, b| by_urgency(&a.inquiry, &b.inquiry));
    }

    fn handle_resolved(&mut self, found: &InquiryResponse) {
        if self.take(&found.id).is_some() {
            let rows =
                outcome_lines::lines(self.locale, &self.glyphs, found, AnsweredFrom::Elsewhere);
            self.untold.extend(rows.iter().map(Row::text));
        }
    }

    /// A question that waits.
    pub fn find(&self, id: &InquiryId) -> Option<&LineInboxItem> {
        self.items.iter().find(|item| item.inquiry.id == *id)
    }

    /// Takes a question away: it is being answered here.
    pub fn take(&mut self, id: &InquiryId) -> Option<LineInboxItem> {
        let at = self.items.iter().position(|item| item.inquiry.id == *id)?;
        Some(self.items.remove(at))
    }

    /// Puts a question back that was not answered after all.
    pub fn put_back(&mut self, waiting: LineInboxItem) {
        let known = self.find(&waiting.inquiry.id).is_some();
        if !known {
            self.items.push(waiting);
            self.items
                .sort_by(|a, b| by_urgency(&a.inquiry, &b.inquiry));
        }
    }

    /// Keeps what was typed to answer a question.
    pub fn keep(&mut self, id: &InquiryId, draft: &Draft) {
        if let Some(item) = self.items.iter_mut().find(|item| item.inquiry.id == *id) {
            item.draft = Some(draft.clone());
        }
    }

    /// The question behind another one in the list, whether that one is still there or not.
    pub fn following(&self, before: &InquiryResponse) -> Option<InquiryId> {
        let follows = |item: &&LineInboxItem| by_urgency(&item.inquiry, before).is_gt();
        let next = self.items.iter().find(follows);
        next.map(|item| item.inquiry.id.clone())
    }

    /// Everything that waits, and what to type.
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

    /// What happened since it was told last, each thing once.
    pub fn news(&mut self) -> Option<String> {
        let mut lines = std::mem::take(&mut self.untold);
        let arrived = std::mem::take(&mut self.arrived);
        let new = |item: &(usize, &LineInboxItem)| arrived.contains(&item.1.inquiry.id);
        let items = self.items.iter().enumerate().filter(new);
        let items: Vec<String> = items.map(|(at, item)| self.item(at, item)).collect();
        if !items.is_empty() {
            let count = [("count", items.len().into())];
            lines.push(sentence(&self.text("inbox-arrived", &count)));
            lines.extend(items);
        }
        (!lines.is_empty()).then(|| lines.join("\n"))
    }

    /// What to type.
    pub fn cue(&self) -> String {
        let id = if self.items.is_empty() {
            "line-inbox-quit"
        } else {
            "line-inbox-prompt"
        };
        self.text(id, &[])
    }

    /// Which question comes next, in words.
    pub fn next(&self, id: &InquiryId) -> Option<String> {
        let name = name(&self.find(id)?.inquiry);
        Some(sentence(&self.text("inbox-next", &[("name", name.into())])))
    }

    /// What a line leads to.
    pub fn handle_line(&mut self, line: &str) -> LineInboxAction {
        let line = line.trim();
        match (line, line.parse::<usize>()) {
            ("q", _) => LineInboxAction::Leave,
            ("l", _) => LineInboxAction::Say(self.list()),
            ("", _) if !self.items.is_empty() => {
                LineInboxAction::Ask(self.items[0].inquiry.id.clone())
            }
            ("?", _) => LineInboxAction::Say(format!(
                "{}\n{} ",
                self.text("line-inbox-help", &[]),
                self.cue()
            )),
            (_, Ok(number)) if (1..=self.items.len()).contains(&number) => {
                LineInboxAction::Ask(self.items[number - 1].inquiry.id.clone())
            }
            _ if self.items.is_empty() => LineInboxAction::Say(format!("{} ", self.cue())),
            _ => {
                let count = [("count", self.items.len().into())];
                let wrong = self.text("line-not-understood", &count);
                LineInboxAction::Say(format!("{wrong}\n{} ", self.cue()))
            }
        }
    }

    fn item(&self, at: usize, item: &LineInboxItem) -> String {
        let inquiry = &item.inquiry;
        let number = ("number", Arg::from(at + 1));
        let name = name(inquiry);
        let mut line = match &inquiry.source {
            Some(source) => {
                let args = [number, ("name", name.into()), ("agent", source.into())];
                self.text("line-inbox-item", &args)
            }
            None => self.text("line-choice", &[number, ("label", name.into())]),
        };
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

/// What a question is called, on one line.
pub(super) fn name(inquiry: &InquiryResponse) -> String {
    let Ok(asked) = inquiry.to_inquiry() else {
        return inquiry.id.to_string();
    };
    let first = &asked.questions()[0];
    // A question without a name is named by its text.
    let name = first.header.as_ref().unwrap_or(&first.text);
    name.as_str()
        .split_whitespace()
        .collect::<Vec<_>>()
        .join(" ")
}

#[cfg(test)]
#[path = "lines_tests.rs"]
mod tests;
