//! The choices as blocks of rows.

use askback_core::draft::{Field, is_own_row};
use askback_core::question::Kind;

use super::layout::{Block, Density};
use super::{Prompt, field};
use crate::badge;
use crate::row::{Cursor, Ink, Row};
use crate::wrap::wrapped;

/// Columns before a label: the mark of the focus, the number, and the box.
pub(super) fn label_column(prompt: &Prompt) -> usize {
    let glyphs = &prompt.options.glyphs;
    4 + crate::width::text_width(mark(prompt, glyphs.radio, glyphs.check)) + 1
}

/// The glyph for this kind of list.
fn mark<'a>(prompt: &Prompt, radio: &'a str, check: &'a str) -> &'a str {
    match &prompt.question().kind {
        Kind::Choice(kind) if kind.several => check,
        Kind::Choice(_) | Kind::Text(_) | Kind::Number(_) | Kind::Date(_) | Kind::DateRange(_) => {
            radio
        }
    }
}

/// The listed rows, each as a block.
pub(super) fn blocks(prompt: &Prompt, density: Density, columns: usize) -> Vec<Block> {
    let listed = prompt.listed();
    let last = listed.len().saturating_sub(1);
    let mut blocks = Vec::with_capacity(listed.len());
    for (at, row) in listed.into_iter().enumerate() {
        let mut block = block(prompt, row, density, columns);
        if density == Density::Airy && at < last {
            block.rows.push(Row::new());
        }
        blocks.push(block);
    }
    blocks
}

/// Where the focused row is among the listed ones.
pub(super) fn focus(prompt: &Prompt) -> usize {
    let focus = prompt.entry().focus;
    prompt
        .listed()
        .iter()
        .position(|row| *row == focus)
        .unwrap_or(0)
}

fn block(prompt: &Prompt, row: usize, density: Density, columns: usize) -> Block {
    let glyphs = &prompt.options.glyphs;
    let question = prompt.question();
    let focused = prompt.entry().focus == row;
    let ticked = prompt.entry().is_ticked(question, row);
    let ink = if focused { Ink::Focused } else { Ink::Label };
    let shape = if ticked {
        mark(prompt, glyphs.radio_on, glyphs.check_on)
    } else {
        mark(prompt, glyphs.radio, glyphs.check)
    };
    let lead = Row::new()
        .with(if focused { glyphs.focus } else { " " }, Ink::Mark)
        .with(format!("{:>2} ", row + 1), ink)
        .with(shape, Ink::Mark)
        .with(" ", Ink::Plain);
    let indent = label_column(prompt);
    let room = columns.saturating_sub(indent).max(8);
    let mut block = Block {
        rows: labelled(&lead, label(prompt, row), room, ink),
        cursor: focused.then_some(Cursor {
            row: 0,
            column: indent,
        }),
    };
    if is_own_row(question, row) {
        own(prompt, density, room, &mut block);
    } else if shows_description(density, focused)
        && let Some(text) = question
            .choices()
            .get(row)
            .and_then(|c| c.description.as_ref())
    {
        for line in wrapped(text.as_str(), room) {
            block.rows.push(
                Row::new()
                    .with(" ".repeat(indent), Ink::Plain)
                    .with(line, Ink::Muted),
            );
        }
    }
    block
}

pub(super) fn shows_description(density: Density, focused: bool) -> bool {
    match density {
        Density::Airy | Density::Full => true,
        Density::Focused => focused,
        Density::Labels => false,
    }
}

/// The label, and the badge of advice behind it.
pub(super) fn label(prompt: &Prompt, row: usize) -> (String, Option<String>) {
    match prompt.question().choices().get(row) {
        Some(choice) => {
            let (label, advised) = badge::split(choice);
            let badge = advised.then(|| prompt.say("recommended", &[]));
            (label.to_owned(), badge)
        }
        None => (prompt.say("other", &[]), None),
    }
}

/// Wraps a label behind its lead, with the badge in its own ink where it ends on the last row.
fn labelled(lead: &Row, label: (String, Option<String>), room: usize, ink: Ink) -> Vec<Row> {
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
            Row::new().with(" ".repeat(indent), Ink::Plain)
        };
        match badge
            .as_ref()
            .and_then(|badge| line.strip_suffix(badge.as_str()))
        {
            Some(before) => {
                row.push(before, ink);
                row.push(badge.clone().unwrap_or_default(), Ink::Good);
            }
            None => row.push(line, ink),
        }
        rows.push(row);
    }
    rows
}

/// What stands below the row for own text: its field, its text, or a hint.
fn own(prompt: &Prompt, density: Density, room: usize, block: &mut Block) {
    let indent = label_column(prompt);
    let entry = prompt.entry();
    let below = |text: &str, ink: Ink| {
        Row::new()
            .with(" ".repeat(indent), Ink::Plain)
            .with(text, ink)
    };
    if entry.field == Some(Field::Own) {
        block
            .rows
            .push(below(&prompt.say("other-specify", &[]), Ink::Muted));
        let field = field::text_rows(prompt, room, field::rows_max(prompt));
        let start = block.rows.len();
        for line in &field.lines {
            block.rows.push(below(line, Ink::Plain));
        }
        block.cursor = Some(Cursor {
            row: start + field.cursor.row,
            column: indent + field.cursor.column,
        });
    } else if !entry.own.trim().is_empty() {
        for line in wrapped(entry.own.trim(), room) {
            block.rows.push(below(line, Ink::Muted));
        }
    } else if density != Density::Labels
        && matches!(&prompt.question().kind, Kind::Choice(kind) if !kind.several)
        && shows_description(density, prompt.on_own_row())
    {
        block
            .rows
            .push(below(&prompt.say("other-hint", &[]), Ink::Muted));
    }
}
