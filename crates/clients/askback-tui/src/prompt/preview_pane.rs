//! The preview of the focused choice: beside the list if the terminal is wide enough, otherwise below it.

use askback_core::question::Choice;

use super::{Prompt, layout, list, preview_text, reader};
use crate::keymap::Action;
use askback_terminal::row::{Row, Style};
use askback_terminal::width::clip;

const COLUMNS_MIN: usize = 100;
/// The rule and a space on each side.
const BETWEEN: usize = 3;

/// Rows of the title above a preview that is below the list.
const TITLE_ROWS: usize = 1;
/// A preview below the list with its title has at least so many rows if it needs them.
pub(super) const BELOW_ROWS_MIN: usize = 6;
const BELOW_ROWS_MAX: usize = 13;

/// Where the preview of the focused choice is shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Place {
    /// Beside the list, with the column of the rule.
    Beside(usize),
    /// Below the list, because the terminal is too narrow.
    Below,
}

pub(super) struct Pane {
    pub(super) place: Place,
    /// Rows of the tallest preview, so that the frame keeps its height when the focus moves.
    pub(super) tallest: usize,
    lines: Vec<Row>,
    top: usize,
}

pub(super) fn list_columns(prompt: &Prompt) -> usize {
    match place(prompt) {
        Some(Place::Beside(column)) => column,
        Some(Place::Below) | None => layout::inner_columns(prompt),
    }
}

/// `None` if no choice has a preview, or if something else is shown.
pub(super) fn place(prompt: &Prompt) -> Option<Place> {
    let has_preview = |choice: &Choice| choice.preview.is_some();
    let listed = !layout::is_compact(prompt)
        && prompt.overlay.is_none()
        && layout::is_list(prompt)
        && prompt.draft.question().choices().iter().any(has_preview);
    listed.then(|| {
        if prompt.options.size.columns >= COLUMNS_MIN {
            Place::Beside(layout::inner_columns(prompt) * 9 / 20)
        } else {
            Place::Below
        }
    })
}

/// The rows that a preview below the list would need with its title.
pub(super) fn rows_below(prompt: &Prompt) -> Option<usize> {
    match place(prompt)? {
        Place::Beside(_) => None,
        Place::Below => Some(tallest(prompt, BELOW_ROWS_MAX - TITLE_ROWS) + TITLE_ROWS),
    }
}

pub(super) fn pane(prompt: &Prompt) -> Option<Pane> {
    let place = place(prompt)?;
    let width = width(prompt);
    let glyphs = &prompt.options.glyphs;
    let lines = match prompt.draft.preview() {
        Some(text) => preview_text::rows(text, width, glyphs, usize::MAX),
        None => reader::plain(&prompt.text("notice-no-preview", &[]), width, Style::Muted),
    };
    Some(Pane {
        place,
        tallest: tallest(prompt, layout::room(prompt)),
        lines,
        top: prompt.draft.preview_top(),
    })
}

/// The rows of the tallest preview, counted up to `room`: previews may be very long.
fn tallest(prompt: &Prompt, room: usize) -> usize {
    let glyphs = &prompt.options.glyphs;
    let width = width(prompt);
    let choices = prompt.draft.question().choices().iter();
    let previews = choices.filter_map(|choice| choice.preview.as_ref());
    let heights = previews.map(|text| preview_text::rows(text.as_str(), width, glyphs, room).len());
    heights.max().unwrap_or(0)
}

fn width(prompt: &Prompt) -> usize {
    let inner = layout::inner_columns(prompt);
    match place(prompt) {
        Some(Place::Beside(column)) => inner.saturating_sub(column + BETWEEN).max(8),
        Some(Place::Below) | None => inner,
    }
}

impl Pane {
    /// Whether it does not fit into this height.
    pub(super) fn scrolls(&self, height: usize) -> bool {
        self.lines.len() > height
    }

    /// The rows beside the list, with the rule.
    pub(super) fn beside(&self, prompt: &Prompt, height: usize) -> Vec<Row> {
        let rail = format!(" {} ", prompt.options.glyphs.rail);
        let ruled = self.rows(prompt, height).into_iter().map(|row| {
            let mut ruled = Row::new().with(rail.as_str(), Style::Border);
            ruled.append(&row);
            ruled
        });
        ruled.collect()
    }

    /// The rows below the list, with the label of the choice as their title.
    pub(super) fn below(&self, prompt: &Prompt, height: usize) -> Vec<Row> {
        let glyphs = &prompt.options.glyphs;
        let columns = layout::inner_columns(prompt);
        let (label, _) = list::label(prompt, prompt.draft.entry().focus);
        let label = clip(&label, columns.saturating_sub(6), glyphs.more);
        let mut title = Row::new()
            .with(glyphs.line.repeat(2), Style::Border)
            .with(format!(" {label} "), Style::Mark);
        title.push(
            glyphs.line.repeat(columns.saturating_sub(title.width())),
            Style::Border,
        );
        let mut rows = vec![title];
        rows.extend(self.rows(prompt, height.saturating_sub(TITLE_ROWS)));
        rows
    }

    /// The first and last row count what is hidden.
    fn rows(&self, prompt: &Prompt, height: usize) -> Vec<Row> {
        let glyphs = &prompt.options.glyphs;
        let top = self.top.min(last_top(self.lines.len(), height));
        let mut shown: Vec<Row> = self.lines.iter().skip(top).take(height).cloned().collect();
        let below = self.lines.len().saturating_sub(top + height);
        if let (true, Some(row)) = (top > 0, shown.first_mut()) {
            *row = prompt.more_row(glyphs.above, top + 1);
        }
        if let (true, Some(row)) = (below > 0, shown.last_mut()) {
            *row = prompt.more_row(glyphs.below, below + 1);
        }
        shown.resize(height, Row::new());
        shown
    }
}

fn last_top(lines: usize, height: usize) -> usize {
    lines.saturating_sub(height)
}

/// How far the preview is scrolled after a key: by half its height. `None` if it is not visible.
pub(super) fn scrolled(prompt: &Prompt, action: Action) -> Option<usize> {
    let height = layout::pane_rows(prompt);
    let pane = pane(prompt).filter(|_| height > 0)?;
    let by = (height / 2).max(1);
    let top = if action == Action::PreviewUp {
        pane.top.saturating_sub(by)
    } else {
        pane.top + by
    };
    Some(top.min(last_top(pane.lines.len(), height)))
}
