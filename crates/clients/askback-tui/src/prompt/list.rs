//! The list of choices.

use askback_core::draft::{DraftField, is_own_row, row_count};

use super::bordered_rows::shortened;
use super::layout::{Block, Density};
use super::{Prompt, field, preview_pane};
use askback_locale::split_label;
use askback_terminal::row::{Cursor, Row, Style};
use askback_terminal::styled_wrap::LinePrefix;
use askback_terminal::width::text_width;
use askback_terminal::wrap::wrapped;

/// The columns of focus mark, number and checkbox.
pub(super) fn label_column(prompt: &Prompt) -> usize {
    // Both states of a mark are of one width.
    2 + number_columns(prompt) + text_width(mark(prompt, 0)) + 1
}

/// The columns of the largest number, with a space before it if it has three digits or more.
fn number_columns(prompt: &Prompt) -> usize {
    match row_count(prompt.draft.question()).to_string().len() {
        0..=2 => 2,
        digits => digits + 1,
    }
}

/// The checkbox or radio button of a row.
pub(super) fn mark(prompt: &Prompt, row: usize) -> &'static str {
    let glyphs = &prompt.options.glyphs;
    match (prompt.draft.is_several(), prompt.draft.is_ticked(row)) {
        (true, true) => glyphs.check_on,
        (true, false) => glyphs.check,
        (false, true) => glyphs.radio_on,
        (false, false) => glyphs.radio,
    }
}

/// A choice with all of its rows. Text is wrapped once for each frame; the density decides how many
/// rows are shown.
pub(super) struct Item {
    block: Block,
    /// How many rows are shown at every density; the others are the description.
    kept: usize,
    focused: bool,
}

impl Item {
    pub(super) fn height(&self) -> usize {
        self.block.rows.len()
    }

    fn described(&self) -> usize {
        self.height() - self.kept
    }

    fn label(&self) -> Block {
        Block {
            rows: self.block.rows[..self.kept].to_vec(),
            cursor: self.block.cursor,
        }
    }

    /// The label and some rows of the description. An ellipsis shows that there are more.
    fn with_description(&self, prompt: &Prompt, rows: usize) -> Block {
        let more = prompt.options.glyphs.more;
        if rows > 0 || self.described() == 0 || prompt.draft.is_on_own_row() {
            return shortened(&self.block, self.kept + rows, more);
        }
        let mut label = self.label();
        match label.rows.last_mut() {
            Some(last) if last.width() + 2 <= preview_pane::list_columns(prompt) => {
                last.push(format!(" {more}"), Style::Muted);
                label
            }
            Some(_) | None => shortened(&self.block, self.kept, more),
        }
    }
}

pub(super) fn items(prompt: &Prompt, columns: usize) -> Vec<Item> {
    let listed = prompt.draft.listed().into_iter();
    listed.map(|row| item(prompt, row, columns)).collect()
}

pub(super) fn blocks(prompt: &Prompt, items: &[Item], density: Density) -> Vec<Block> {
    let last = items.len().saturating_sub(1);
    let mut blocks = Vec::with_capacity(items.len());
    for (at, item) in items.iter().enumerate() {
        let mut block = match density {
            Density::Spacious | Density::Full => item.block.clone(),
            Density::Focused if item.focused => item.block.clone(),
            Density::Labels(rows) if item.focused => item.with_description(prompt, rows),
            Density::Focused | Density::Labels(_) => item.label(),
        };
        if density == Density::Spacious && at < last {
            block.rows.push(Row::new());
        }
        blocks.push(block);
    }
    blocks
}

/// How many rows the longest description has more than the focused one.
pub(super) fn spare_rows(items: &[Item]) -> usize {
    let longest = items.iter().map(Item::described).max().unwrap_or(0);
    let focused = items.iter().find(|item| item.focused);
    longest - focused.map_or(0, Item::described)
}

/// The index of the focused row in the filtered list.
pub(super) fn focus(prompt: &Prompt) -> usize {
    let focus = prompt.draft.entry().focus;
    let listed = prompt.draft.listed();
    listed.iter().position(|row| *row == focus).unwrap_or(0)
}

fn item(prompt: &Prompt, row: usize, columns: usize) -> Item {
    let question = prompt.draft.question();
    let focused = prompt.draft.entry().focus == row;
    let (focus, style) = prompt.options.glyphs.focus_mark(focused);
    let numbers = number_columns(prompt);
    let lead = Row::new()
        .with(focus, Style::Mark)
        .with(format!("{:>numbers$} ", row + 1), style)
        .with(mark(prompt, row), Style::Mark)
        .with(" ", Style::Plain);
    let indent = label_column(prompt);
    let room = columns.saturating_sub(indent).max(8);
    let mut block = Block {
        rows: labelled(&lead, label(prompt, row), room, style),
        cursor: focused.then_some(Cursor::in_first_row(indent)),
    };
    let mut kept = block.rows.len();
    if is_own_row(question, row) {
        kept = own_text_rows(prompt, room, &mut block);
    } else if let Some(text) = question
        .choices()
        .get(row)
        .and_then(|choice| choice.description.as_ref())
    {
        let below = LinePrefix::spaces(indent);
        let rows = below.wrap(text.as_str(), indent + room, Style::Muted);
        block.rows.extend(rows);
    }
    Item {
        block,
        kept,
        focused,
    }
}

/// The label, and the "recommended" badge.
pub(super) fn label(prompt: &Prompt, row: usize) -> (String, Option<String>) {
    match prompt.draft.question().choices().get(row) {
        Some(choice) => {
            let (label, advised) = split_label(choice);
            let badge = advised.then(|| prompt.text("recommended", &[]));
            (label.to_owned(), badge)
        }
        None => (prompt.text("other", &[]), None),
    }
}

/// Wraps a label after its prefix. The badge keeps its style if it fits on the last row.
fn labelled(lead: &Row, label: (String, Option<String>), room: usize, style: Style) -> Vec<Row> {
    let indent = lead.width();
    let (text, badge) = label;
    let whole = match &badge {
        Some(badge) => format!("{text} {badge}"),
        None => text,
    };
    let mut rows = Vec::new();
    for (at, line) in wrapped(&whole, room).into_iter().enumerate() {
        let mut row = if at == 0 {
            lead.clone()
        } else {
            Row::new().with(" ".repeat(indent), Style::Plain)
        };
        match badge
            .as_ref()
            .and_then(|badge| line.strip_suffix(badge.as_str()))
        {
            Some(before) => {
                row.push(before, style);
                row.push(badge.clone().unwrap_or_default(), Style::Success);
            }
            None => row.push(line, style),
        }
        rows.push(row);
    }
    rows
}

/// Adds the rows below the choice for own text: its field, its text, or a hint. Returns how many
/// rows are shown at every density.
fn own_text_rows(prompt: &Prompt, room: usize, block: &mut Block) -> usize {
    let indent = label_column(prompt);
    let entry = prompt.draft.entry();
    let below = |text: &str, style: Style| {
        Row::new()
            .with(" ".repeat(indent), Style::Plain)
            .with(text, style)
    };
    if entry.field == Some(DraftField::Own) {
        block
            .rows
            .push(below(&prompt.text("other-specify", &[]), Style::Muted));
        let field = field::text_rows(prompt, room, field::rows_max(prompt));
        block.cursor = Some(Cursor {
            row: block.rows.len() + field.cursor.row,
            column: indent + field.cursor.column,
        });
        let below = LinePrefix::spaces(indent);
        block.rows.extend(below.before(field.lines, Style::Plain));
    } else if !entry.own.trim().is_empty() {
        let below = LinePrefix::spaces(indent);
        let rows = below.wrap(entry.own.trim(), indent + room, Style::Muted);
        block.rows.extend(rows);
    } else if !prompt.draft.is_several() {
        block
            .rows
            .push(below(&prompt.text("other-hint", &[]), Style::Muted));
        return block.rows.len() - 1;
    }
    block.rows.len()
}
