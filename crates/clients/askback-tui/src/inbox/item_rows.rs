//! One question in the list of the inbox, on one row: who asks, its name and text, for whom it is
//! and when.

use askback_core::draft::Draft;
use jiff::Timestamp;
use jiff::tz::TimeZone;

use super::view::{self, one_line};
use super::{Inbox, Item};
use askback_terminal::clock;
use askback_terminal::row::{Row, Style};
use askback_terminal::width::{clip, text_width};

/// The beginning of a text that is shorter than this says nothing.
const TEXT_COLUMNS_MIN: usize = 6;

/// The row of a question.
pub(super) struct Label {
    pub(super) row: Row,
    /// Whether the text of the question is in it, and not only its beginning.
    pub(super) shows_text: bool,
}

pub(super) fn label(inbox: &Inbox, item: &Item, width: usize) -> Label {
    let glyphs = &inbox.config.glyphs;
    let inquiry = &item.inquiry;
    let marked = inbox.list.marked.contains(&inquiry.id);
    // Not the tick of an answered question.
    let mark = if marked { "*" } else { " " };
    let is_focused = inbox.list.focus.as_ref() == Some(item.id());
    let (focus, style) = glyphs.focus_mark(is_focused);
    let mut row = Row::new()
        .with(format!("{focus} "), Style::Mark)
        .with(format!("{mark} "), Style::Mark);
    if let Some(asker) = inquiry.asker_name() {
        let asker = clip(&one_line(asker), width / 4, glyphs.more);
        row.push(format!("{asker} {} ", glyphs.dot), Style::Muted);
    }
    let badges = badges(inbox, item);
    let badge_columns: usize = badges.iter().map(|(text, _)| text_width(text) + 2).sum();
    let room = width.saturating_sub(row.width() + badge_columns);
    let name = super::lines::name(inquiry);
    let shown_name = clip(&name, room, glyphs.more);
    let left = room - text_width(&shown_name).min(room);
    let mut shown_text = shown_name.clone();
    row.push(shown_name, style);
    let first = inquiry.questions.first();
    let text = first.map_or("", |question| question.text.as_str());
    let has_header = first.is_some_and(|question| question.header.is_some());
    if has_header && left >= TEXT_COLUMNS_MIN + 2 {
        shown_text = clip(&one_line(text), left - 2, glyphs.more);
        row.push(format!("  {shown_text}"), Style::Muted);
    }
    for (text, style) in badges {
        row.push(format!("  {text}"), style);
    }
    Label {
        row: view::clipped(inbox, &row, width),
        shows_text: shown_text == text,
    }
}

/// What stands behind the text: how many questions there are, a draft, for whom it is, and when.
fn badges(inbox: &Inbox, item: &Item) -> Vec<(String, Style)> {
    let inquiry = &item.inquiry;
    let mut badges = Vec::new();
    if inquiry.questions.len() > 1 {
        let count = [("count", inquiry.questions.len().into())];
        badges.push((inbox.text("question-count", &count), Style::Muted));
    }
    let is_open = item.ended.is_empty();
    if is_open && item.draft.as_ref().is_some_and(Draft::has_content) {
        badges.push((inbox.text("inbox-draft", &[]), Style::Mark));
    }
    if let Some(recipient) = inquiry.shown_recipient() {
        let args = [("recipient", recipient.into())];
        badges.push((inbox.text("for-recipient", &args), Style::Muted));
    }
    badges.push(match inquiry.expires_at {
        Some(at) => {
            let time = clock::time_of_day(at);
            let args = [("time", time.into())];
            (inbox.text("web-deadline", &args), Style::Warning)
        }
        None => (asked_time(inbox, inquiry.asked_at), Style::Muted),
    });
    badges
}

fn asked_time(inbox: &Inbox, at: Timestamp) -> String {
    let day = at.to_zoned(TimeZone::system()).date();
    if day == inbox.config.today {
        clock::time_of_day(at)
    } else {
        day.to_string()
    }
}
