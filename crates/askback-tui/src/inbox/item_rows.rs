//! One question in the list of the inbox: its name, who asks, for whom and when, and its text.

use askback_core::draft::Draft;
use jiff::Timestamp;
use jiff::tz::TimeZone;

use super::view::one_line;
use super::{Inbox, Item};
use askback_terminal::clock;
use askback_terminal::row::{Row, Style};

impl Inbox {
    pub(super) fn label(&self, item: &Item, width: usize, focused: bool) -> Row {
        let glyphs = &self.config.glyphs;
        let inquiry = &item.inquiry;
        let marked = self.marked.contains(&inquiry.id);
        let focus = if focused { glyphs.focus } else { " " };
        let tick = if marked { glyphs.done } else { " " };
        let style = if focused {
            Style::Focused
        } else {
            Style::Label
        };
        let mut row = Row::new()
            .with(format!("{focus} "), Style::Mark)
            .with(format!("{tick} "), Style::Success)
            .with(super::lines::name(inquiry), style);
        if inquiry.questions.len() > 1 {
            let count = [("count", inquiry.questions.len().into())];
            row.push(
                format!("  {}", self.text("question-count", &count)),
                Style::Muted,
            );
        }
        let is_open = item.ended.is_empty();
        if is_open && item.draft.as_ref().is_some_and(Draft::has_content) {
            row.push(format!("  {}", self.text("inbox-draft", &[])), Style::Mark);
        }
        if let Some(source) = &inquiry.source {
            row.push(format!("  {}", one_line(source)), Style::Muted);
        }
        if let Some(recipient) = inquiry.shown_recipient() {
            let args = [("recipient", recipient.into())];
            row.push(
                format!("  {}", self.text("for-recipient", &args)),
                Style::Muted,
            );
        }
        let (when, style) = match inquiry.expires_at {
            Some(at) => {
                let time = clock::time_of_day(at);
                (
                    self.text("web-deadline", &[("time", time.into())]),
                    Style::Warning,
                )
            }
            None => (self.asked_time(inquiry.asked_at), Style::Muted),
        };
        row.push(format!("  {when}"), style);
        self.clipped(&row, width)
    }

    fn asked_time(&self, at: Timestamp) -> String {
        let day = at.to_zoned(TimeZone::system()).date();
        if day == self.config.today {
            clock::time_of_day(at)
        } else {
            day.to_string()
        }
    }

    pub(super) fn summary(&self, item: &Item, width: usize) -> Row {
        let first = item.inquiry.questions.first();
        let named = first.filter(|question| question.header.is_some());
        let text = named.map(|question| one_line(&question.text));
        let row = Row::new()
            .with("    ", Style::Plain)
            .with(text.unwrap_or_default(), Style::Muted);
        self.clipped(&row, width)
    }
}
