//! Text fields: wrapped text with the caret visible.

use askback_core::draft::{DraftField, RangeEnd};
use askback_core::question::Kind;

use super::layout::Block;
use super::{Prompt, PromptOptions, calendar, layout, list, preview_pane};
use crate::answer_summary::date_example;
use crate::text_field::{VisibleRows, visible_rows};
use askback_terminal::row::{Cursor, Row, Style};
use askback_terminal::styled_wrap::LinePrefix;
use askback_terminal::width::text_width;
use askback_terminal::wrap::wrapped;

/// The width at which the open field is wrapped. One column stays free for a caret after the last
/// character.
pub(super) fn columns(prompt: &Prompt) -> usize {
    let inner = layout::inner_columns(prompt);
    let room = match prompt.draft.field() {
        Some(DraftField::Own) => {
            preview_pane::list_columns(prompt).saturating_sub(list::label_column(prompt))
        }
        Some(DraftField::Note) => inner.saturating_sub(text_width(&note_label(prompt)) + 1),
        Some(DraftField::Answer | DraftField::End) | None => inner.saturating_sub(2),
    };
    room.max(8) - 1
}

/// How many rows of a long text are visible.
pub(super) fn rows_max(prompt: &Prompt) -> usize {
    (layout::room(prompt) / 2).clamp(1, 10)
}

/// The text of the open field, at most `rows_max` rows around the caret.
pub(super) fn text_rows(prompt: &Prompt, columns: usize, rows_max: usize) -> VisibleRows {
    let (text, caret) = (prompt.draft.text(), prompt.draft.cursor.caret);
    visible_rows(text, caret, columns, rows_max)
}

/// The field of a text, number or date question, with the calendar for dates.
pub(super) fn blocks(prompt: &Prompt, inner: usize) -> Vec<Block> {
    match &prompt.draft.question().kind {
        Kind::Choice(_) => Vec::new(),
        Kind::Text(_) | Kind::Number(_) => vec![single(prompt, inner)],
        Kind::Date(_) => vec![day(prompt, inner), calendar::block(prompt)],
        Kind::DateRange(_) => vec![range(prompt, inner), calendar::block(prompt)],
    }
}

/// Whether what is typed goes here, and not into a note.
fn open_here(prompt: &Prompt) -> bool {
    prompt.draft.entry().field.is_none()
}

fn single(prompt: &Prompt, inner: usize) -> Block {
    let mark = prompt.options.glyphs.field;
    let room = inner.saturating_sub(2).max(8);
    let is_open = open_here(prompt);
    let text = &prompt.draft.entry().typed;
    let caret = if is_open {
        prompt.draft.cursor.caret
    } else {
        text.len()
    };
    let field = visible_rows(text, caret, room, rows_max(prompt));
    let lead = LinePrefix::hanging(Row::new().with(format!("{mark} "), Style::Mark));
    let mut rows = lead.before(field.lines, Style::Plain);
    if let (Some(placeholder), true) = (placeholder(prompt), is_open && text.is_empty()) {
        // In brackets: with few colours it would look like typed text.
        let more = prompt.options.glyphs.more;
        let shown = askback_terminal::width::clip(&placeholder, room.saturating_sub(2), more);
        rows[0].push(format!("({shown})"), Style::Muted);
    }
    let cursor = Cursor {
        row: field.cursor.row,
        column: field.cursor.column + 2,
    };
    Block {
        rows,
        cursor: is_open.then_some(cursor),
    }
}

/// What an empty field shows: what the agent says or, for a date, ways to write one that is allowed.
fn placeholder(prompt: &Prompt) -> Option<String> {
    let question = prompt.draft.question();
    let given = question.placeholder.as_ref().map(ToString::to_string);
    let is_date = matches!(question.kind, Kind::Date(_) | Kind::DateRange(_));
    let example = || {
        let PromptOptions { locale, today, .. } = &prompt.options;
        let example = date_example(question, *today);
        let tomorrow = today.tomorrow().ok();
        // Tomorrow is only an example if it would be taken.
        if tomorrow.is_some_and(|day| date_example(question, day) == day) {
            format!("{example}, {}", locale.tomorrow())
        } else {
            example.to_string()
        }
    };
    given.or_else(|| is_date.then(example))
}

fn day(prompt: &Prompt, inner: usize) -> Block {
    let mut block = single(prompt, inner);
    let typed = &prompt.draft.entry().typed;
    if let Some(date) = prompt.draft.parser.date(typed) {
        echo(
            &mut block.rows,
            &prompt.options.locale.date_long(date),
            inner,
        );
    }
    block
}

fn range(prompt: &Prompt, inner: usize) -> Block {
    let entry = prompt.draft.entry();
    let labels = [prompt.text("from", &[]), prompt.text("to", &[])];
    let wide = labels
        .iter()
        .map(|label| text_width(label))
        .max()
        .unwrap_or(0);
    let mut block = Block::default();
    let ends = [
        (RangeEnd::Start, &entry.typed),
        (RangeEnd::End, &entry.typed_end),
    ];
    for ((part, typed), label) in ends.into_iter().zip(labels) {
        let active = entry.part == part && open_here(prompt);
        let mark = if active {
            prompt.options.glyphs.field
        } else {
            " "
        };
        let pad = wide - text_width(&label) + 2;
        let mut row = Row::new()
            .with(format!("{mark} "), Style::Mark)
            .with(format!("{label}{}", " ".repeat(pad)), Style::Label);
        let column = row.width();
        let shown = askback_terminal::width::clip(
            typed,
            inner.saturating_sub(column + 1),
            prompt.options.glyphs.more,
        );
        row.push(shown, Style::Plain);
        if active {
            let caret = prompt.draft.cursor.caret.min(typed.len());
            let column = (column + text_width(&typed[..caret])).min(inner.saturating_sub(1));
            block.cursor = Some(Cursor {
                row: block.rows.len(),
                column,
            });
        }
        block.rows.push(row);
        if let Some(long) = long_day(prompt, part, typed) {
            echo(&mut block.rows, &long, inner);
        }
    }
    block
}

/// Adds the date that will be sent: beside the field, or below it if there is no space.
fn echo(rows: &mut Vec<Row>, long: &str, inner: usize) {
    match rows.last_mut() {
        Some(row) if row.width() + 2 + text_width(long) <= inner => {
            row.push(format!("  {long}"), Style::Label);
        }
        Some(_) | None => {
            let lines = wrapped(long, inner.saturating_sub(2));
            rows.extend(LinePrefix::spaces(2).before(lines, Style::Label));
        }
    }
}

/// The date in full; after the end of a range, the number of days.
fn long_day(prompt: &Prompt, part: RangeEnd, typed: &str) -> Option<String> {
    let date = prompt.draft.parser.date(typed)?;
    let long = prompt.options.locale.date_long(date);
    let start = prompt.draft.parser.date(&prompt.draft.entry().typed);
    let days = match (part, start) {
        (RangeEnd::End, Some(start)) => date.since(start).ok().map(|span| span.get_days()),
        (RangeEnd::End | RangeEnd::Start, _) => None,
    };
    Some(match days.and_then(|days| usize::try_from(days).ok()) {
        Some(days) => {
            let count = prompt.text("day-count", &[("count", (days + 1).into())]);
            format!("{long} {} {count}", prompt.options.glyphs.dot)
        }
        None => long,
    })
}

fn note_label(prompt: &Prompt) -> String {
    format!("{}:", prompt.text("note", &[]))
}

/// The note: its open field, or its text.
pub(super) fn note(prompt: &Prompt, inner: usize) -> Block {
    let entry = prompt.draft.entry();
    let open = entry.field == Some(DraftField::Note);
    if !open && entry.note.trim().is_empty() {
        return Block::default();
    }
    let label = note_label(prompt);
    let lead = text_width(&label) + 1;
    let room = inner.saturating_sub(lead).max(8);
    let prefix = LinePrefix::hanging(Row::new().with(format!("{label} "), Style::Mark));
    if !open {
        return Block {
            rows: prefix.before(wrapped(entry.note.trim(), room), Style::Muted),
            cursor: None,
        };
    }
    let field = text_rows(prompt, room, rows_max(prompt));
    let cursor = Cursor {
        row: field.cursor.row,
        column: lead + field.cursor.column,
    };
    Block {
        rows: prefix.before(field.lines, Style::Plain),
        cursor: Some(cursor),
    }
}
