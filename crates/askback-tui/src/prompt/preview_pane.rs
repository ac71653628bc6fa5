//! The preview of the focused choice beside the list, where the terminal is wide enough.

use askback_core::question::Choice;

use super::{Prompt, layout, reader};
use crate::keymap::Action;
use askback_terminal::row::{Row, Style};
use askback_terminal::wrap::wrap;

/// From this width on there is room for both.
const COLUMNS_MIN: usize = 100;
/// Columns between list and preview, for the rule.
const BETWEEN: usize = 3;

/// What stands beside the list.
pub(super) struct Pane {
    /// The column of the rule, behind the rail.
    pub(super) column: usize,
    /// Rows of the highest preview: the frame must not jump when the focus moves.
    pub(super) tallest: usize,
    lines: Vec<Row>,
    top: usize,
}

/// Columns of the list: a part of them where a preview stands beside it.
pub(super) fn list_columns(prompt: &Prompt) -> usize {
    let inner = layout::inner_columns(prompt);
    if is_shown(prompt) {
        inner * 9 / 20
    } else {
        inner
    }
}

/// Whether there is a preview beside the list.
pub(super) fn is_shown(prompt: &Prompt) -> bool {
    let has_preview = |choice: &Choice| choice.preview.is_some();
    prompt.options.size.columns >= COLUMNS_MIN
        && !layout::is_compact(prompt)
        && prompt.over.is_none()
        && layout::is_list(prompt)
        && prompt.question().choices().iter().any(has_preview)
}

/// Whether the preview of the focused choice may need scrolling: it has about as many rows as a frame.
pub(super) fn may_scroll(prompt: &Prompt) -> bool {
    /// Head, question and hints, at least.
    const AROUND: usize = 5;
    let room = layout::room(prompt).saturating_sub(AROUND);
    let focused = prompt.question().choices().get(prompt.entry().focus);
    let preview = focused.and_then(|choice| choice.preview.as_ref());
    preview.is_some_and(|text| height(&untabbed(text.as_str()), width(prompt), room + 1) > room)
}

/// The pane, if there is one.
pub(super) fn pane(prompt: &Prompt) -> Option<Pane> {
    if !is_shown(prompt) {
        return None;
    }
    let column = list_columns(prompt);
    let width = width(prompt);
    let text = |choice: &Choice| choice.preview.as_ref().map(|text| untabbed(text.as_str()));
    let choices = prompt.question().choices();
    let room = layout::room(prompt);
    let heights = choices.iter().filter_map(text);
    let tallest = heights.map(|text| height(&text, width, room)).max()?;
    let focused = choices.get(prompt.entry().focus).and_then(text);
    let lines = match focused {
        Some(text) => reader::plain(&text, width, Style::Plain),
        None => reader::plain(&prompt.say("notice-no-preview", &[]), width, Style::Muted),
    };
    Some(Pane {
        column,
        tallest,
        lines,
        top: top(prompt),
    })
}

/// Rows of a text at this width. Behind those that there is room for nothing is counted: a preview may
/// be very long, and this is done for each of them.
fn height(text: &str, width: usize, room: usize) -> usize {
    let end = text.char_indices().nth(room * width).map(|(at, _)| at);
    wrap(&text[..end.unwrap_or(text.len())], width).len()
}

fn untabbed(text: &str) -> String {
    text.replace('\t', "    ")
}

fn width(prompt: &Prompt) -> usize {
    let left = list_columns(prompt) + BETWEEN;
    layout::inner_columns(prompt).saturating_sub(left).max(8)
}

/// How far the preview of the focused choice is scrolled.
fn top(prompt: &Prompt) -> usize {
    match prompt.preview_top {
        (row, top) if row == prompt.entry().focus => top,
        _ => 0,
    }
}

impl Pane {
    /// The rows of the pane, rule and all, at this height; marks say what is left out.
    pub(super) fn rows(&self, prompt: &Prompt, height: usize) -> Vec<Row> {
        let glyphs = &prompt.options.glyphs;
        let top = self.top.min(last_top(self.lines.len(), height));
        let more = |arrow: &str, count: usize| {
            let words = prompt.say("more-rows", &[("count", count.into())]);
            Row::new().with(format!("{arrow} {words}"), Style::Muted)
        };
        let mut shown: Vec<Row> = self.lines.iter().skip(top).take(height).cloned().collect();
        let below = self.lines.len().saturating_sub(top + height);
        if let (true, Some(row)) = (top > 0, shown.first_mut()) {
            *row = more(glyphs.above, top + 1);
        }
        if let (true, Some(row)) = (below > 0, shown.last_mut()) {
            *row = more(glyphs.below, below + 1);
        }
        shown.resize(height, Row::new());
        let ruled = shown.iter().map(|row| {
            let mut ruled = Row::new().with(format!(" {} ", glyphs.rail), Style::Border);
            ruled.append(row);
            ruled
        });
        ruled.collect()
    }
}

/// The furthest that a preview can be scrolled.
fn last_top(lines: usize, height: usize) -> usize {
    lines.saturating_sub(height)
}

impl Prompt {
    /// Scrolls the preview by half of what is in view; where none is, opens it.
    pub(super) fn scroll_preview(&mut self, action: Action) -> super::Reaction {
        let Some(pane) = pane(self) else {
            return self.preview();
        };
        let height = layout::pane_rows(self);
        let by = (height / 2).max(1);
        let top = if action == Action::PreviewUp {
            pane.top.saturating_sub(by)
        } else {
            pane.top + by
        };
        let top = top.min(last_top(pane.lines.len(), height));
        self.preview_top = (self.entry().focus, top);
        super::Reaction::Redraw
    }
}
