//! The preview of the focused choice beside the list, where the terminal is wide enough.

use askback_core::question::Choice;

use super::{Prompt, layout, reader};
use crate::keymap::Action;
use askback_terminal::row::{Row, Style};
use askback_terminal::wrap::wrap;

const COLUMNS_MIN: usize = 100;
/// The rule and a space on each side.
const BETWEEN: usize = 3;

pub(super) struct Pane {
    /// The column of the rule, counted from the border.
    pub(super) column: usize,
    /// Rows of the tallest preview, so that the frame keeps its height when the focus moves.
    pub(super) tallest: usize,
    lines: Vec<Row>,
    top: usize,
}

pub(super) fn list_columns(prompt: &Prompt) -> usize {
    let inner = layout::inner_columns(prompt);
    if is_shown(prompt) {
        inner * 9 / 20
    } else {
        inner
    }
}

pub(super) fn is_shown(prompt: &Prompt) -> bool {
    let has_preview = |choice: &Choice| choice.preview.is_some();
    prompt.options.size.columns >= COLUMNS_MIN
        && !layout::is_compact(prompt)
        && prompt.overlay.is_none()
        && layout::is_list(prompt)
        && prompt.question().choices().iter().any(has_preview)
}

/// Whether the preview of the focused choice may be too tall for the frame.
pub(super) fn may_scroll(prompt: &Prompt) -> bool {
    /// Rows of head, question and hints, at least.
    const AROUND: usize = 5;
    let room = layout::room(prompt).saturating_sub(AROUND);
    let focused = prompt.question().choices().get(prompt.entry().focus);
    let preview = focused.and_then(|choice| choice.preview.as_ref());
    preview.is_some_and(|text| height(&untabbed(text.as_str()), width(prompt), room + 1) > room)
}

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
        None => reader::plain(&prompt.text("notice-no-preview", &[]), width, Style::Muted),
    };
    Some(Pane {
        column,
        tallest,
        lines,
        top: top(prompt),
    })
}

/// The number of rows, counted up to `room`: previews may be very long, and this is called for each
/// of them.
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

fn top(prompt: &Prompt) -> usize {
    match prompt.preview_top {
        (row, top) if row == prompt.entry().focus => top,
        _ => 0,
    }
}

impl Pane {
    /// The rows of the pane with the rule. The first and last row count what is hidden.
    pub(super) fn rows(&self, prompt: &Prompt, height: usize) -> Vec<Row> {
        let glyphs = &prompt.options.glyphs;
        let top = self.top.min(last_top(self.lines.len(), height));
        let more = |arrow: &str, count: usize| {
            let words = prompt.text("more-rows", &[("count", count.into())]);
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

fn last_top(lines: usize, height: usize) -> usize {
    lines.saturating_sub(height)
}

impl Prompt {
    /// Scrolls the preview by half its height, or opens it if it is not visible.
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
