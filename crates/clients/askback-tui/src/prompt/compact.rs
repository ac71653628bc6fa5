//! The frame for small terminals: no border, one row for each text, and a key that shows any of
//! them in full. Texts are wrapped if there are enough rows.

use askback_core::draft::DraftPage;
use askback_core::question::Kind;

use super::bordered_rows::{BorderedRows, ClickableFrame};
use super::layout::{Block, room};
use super::review::AnswerRows;
use super::scroll::window;
use super::{Overlay, Prompt, field, hints, list, review};
use askback_terminal::row::{Cursor, Row, Style};
use askback_terminal::styled_wrap::{LinePrefix, wrapped_rows};
use askback_terminal::width::clip;

pub(super) fn clickable_frame(prompt: &Prompt) -> ClickableFrame {
    let columns = prompt.options.size.columns.saturating_sub(1);
    let room = room(prompt);
    let (whole, is_complete) = build(prompt, columns, room, Cut::Wrapped);
    if whole.rows.len() <= room && is_complete {
        return whole.into_frame();
    }
    build(prompt, columns, room, Cut::Clipped).0.into_frame()
}

/// What to do with text that is longer than a row.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Cut {
    Wrapped,
    Clipped,
}

/// The rows, and whether nothing is hidden.
fn build(prompt: &Prompt, columns: usize, room: usize, cut: Cut) -> (BorderedRows, bool) {
    let mut rows = Vec::new();
    if let Some(head) = head(prompt) {
        let head = clip(&head, columns, prompt.options.glyphs.more);
        rows.push(Row::new().with(head, Style::Chip));
    }
    let (text, style) = said(prompt);
    // The answers need the row of the introduction.
    let is_review = prompt.overlay.is_none() && prompt.draft.is_review();
    let is_left_out = is_review && style == Style::Muted && cut == Cut::Clipped;
    if !text.is_empty() && !is_left_out {
        match cut {
            Cut::Wrapped => {
                rows.extend(wrapped_rows(&text, columns, style));
            }
            Cut::Clipped => {
                let line = clip(
                    &text.replace('\n', " "),
                    columns,
                    prompt.options.glyphs.more,
                );
                rows.push(Row::new().with(line, style));
            }
        }
    }
    let note = note(prompt, columns);
    let (blocks, focus) = blocks(prompt, columns, cut);
    let body = room.saturating_sub(rows.len() + 1 + usize::from(note.is_some()));
    let heights: Vec<usize> = blocks.iter().map(|block| block.rows.len()).collect();
    let all: usize = heights.iter().sum();
    let window = small_window(&heights, focus, body);
    let mut out = BorderedRows::new(&rows, None);
    out.cursor = Some(Cursor {
        row: rows.len(),
        column: 0,
    });
    let below = blocks.len() - window.end;
    let mut left = body;
    for at in window {
        out.block(&blocks[at], left, Some(at));
        left = left.saturating_sub(blocks[at].rows.len());
    }
    // No cursor follows the last row, so it may use the last column.
    let hint = hints::tiny(prompt, below);
    let hint = clip(&hint, columns + 1, prompt.options.glyphs.more);
    for row in note
        .into_iter()
        .chain([Row::new().with(hint, Style::Muted)])
    {
        out.push(&row);
    }
    (out, all <= body)
}

/// The note, in one row.
fn note(prompt: &Prompt, columns: usize) -> Option<Row> {
    let entry = prompt.draft.entry();
    let open = entry.field == Some(askback_core::draft::DraftField::Note);
    let asked = prompt.overlay.is_none() && !prompt.draft.is_review();
    let text = entry.note.trim().replace('\n', " ");
    let shown = asked && !open && !text.is_empty();
    shown.then(|| {
        let words = format!("{}: {text}", prompt.text("note", &[]));
        Row::new().with(
            clip(&words, columns, prompt.options.glyphs.more),
            Style::Muted,
        )
    })
}

/// Like [`window`], but hidden blocks are counted in the hint row and take no row of their own.
fn small_window(heights: &[usize], focus: usize, room: usize) -> std::ops::Range<usize> {
    if heights.iter().sum::<usize>() <= room {
        return 0..heights.len();
    }
    let full = window(heights, focus, room + 2);
    let sum = |range: &std::ops::Range<usize>| heights[range.clone()].iter().sum::<usize>();
    let mut shown = full.shown;
    while sum(&shown) > room && shown.end > focus + 1 {
        shown.end -= 1;
    }
    while sum(&shown) > room && shown.start < focus {
        shown.start += 1;
    }
    shown
}

/// A single question without a header has no head.
fn head(prompt: &Prompt) -> Option<String> {
    let count = prompt.draft.inquiry.questions().len();
    let header = prompt.draft.question().header.as_ref();
    let header = header.map(ToString::to_string);
    match prompt.draft.current.page {
        DraftPage::Review => Some(prompt.text("review", &[])),
        DraftPage::Question(index) if count > 1 => {
            let place = format!("{}/{count} {}", index + 1, header.unwrap_or_default());
            Some(place.trim_end().to_owned())
        }
        DraftPage::Question(_) => header,
    }
}

/// The question, or the error.
fn said(prompt: &Prompt) -> (String, Style) {
    if let Some(words) = prompt.notice_words() {
        return (words, Style::Warning);
    }
    match (&prompt.overlay, &prompt.draft.current.problem) {
        (Some(Overlay::Reader(_) | Overlay::Link), _) => return (String::new(), Style::Plain),
        (Some(overlay), _) => {
            let title = prompt.text(overlay.title().unwrap_or_default(), &[]);
            let title = match overlay {
                Overlay::HandOn(_) => format!("{title} {}", prompt.question_line()),
                Overlay::Leave(_) | Overlay::Reader(_) | Overlay::Link => title,
            };
            return (title, Style::Focused);
        }
        (None, Some(error)) => {
            let words = prompt.problem_text(error);
            return (
                format!("{} {words}", prompt.options.glyphs.failed),
                Style::Error,
            );
        }
        (None, None) => {}
    }
    if prompt.draft.is_review() {
        (prompt.text("review-lead", &[]), Style::Muted)
    } else {
        (prompt.draft.question().text.to_string(), Style::Focused)
    }
}

fn blocks(prompt: &Prompt, columns: usize, cut: Cut) -> (Vec<Block>, usize) {
    match &prompt.overlay {
        Some(Overlay::Leave(menu)) if menu.asks_whether => (menu.blocks(prompt, columns), 0),
        Some(Overlay::Leave(menu)) => {
            let blocks = menu.blocks(prompt, columns);
            (clipped(prompt, blocks, columns), menu.focus)
        }
        Some(Overlay::Reader(reader)) => (reader.blocks(prompt, columns), 0),
        Some(Overlay::HandOn(list)) => {
            let blocks = list.blocks(prompt, columns);
            (clipped(prompt, blocks, columns), list.focus())
        }
        // It replaces the whole frame.
        Some(Overlay::Link) => (Vec::new(), 0),
        None if prompt.draft.is_review() => {
            let answer_rows = match cut {
                Cut::Wrapped => AnswerRows::All,
                Cut::Clipped => AnswerRows::One,
            };
            let blocks = review::blocks(prompt, columns, answer_rows);
            (blocks, prompt.draft.current.review_focus)
        }
        None if prompt.draft.entry().field == Some(askback_core::draft::DraftField::Note) => {
            (vec![field::note(prompt, columns)], 0)
        }
        None => match &prompt.draft.question().kind {
            Kind::Choice(_) => {
                let listed = prompt.draft.listed();
                let blocks = listed
                    .iter()
                    .map(|row| choice(prompt, *row, columns, cut))
                    .collect();
                (blocks, list::focus(prompt))
            }
            Kind::Text(_) | Kind::Number(_) | Kind::Date(_) | Kind::DateRange(_) => {
                let mut blocks = field::blocks(prompt, columns);
                blocks.truncate(1);
                (blocks, 0)
            }
        },
    }
}

/// The first row of each block with text, truncated.
fn clipped(prompt: &Prompt, blocks: Vec<Block>, columns: usize) -> Vec<Block> {
    let one = |block: Block| {
        let told = block
            .rows
            .into_iter()
            .find(|row| !row.spans().is_empty())
            .unwrap_or_default();
        let text = clip(&told.text(), columns, prompt.options.glyphs.more);
        let style = told.spans().last().map_or(Style::Plain, |span| span.style);
        let cursor = block
            .cursor
            .map(|cursor| Cursor::in_first_row(cursor.column));
        Block {
            rows: vec![Row::new().with(text, style)],
            cursor,
        }
    };
    blocks.into_iter().map(one).collect()
}

fn choice(prompt: &Prompt, row: usize, columns: usize, cut: Cut) -> Block {
    let entry = prompt.draft.entry();
    let open = entry.field.is_some() && entry.focus == row && prompt.draft.is_on_own_row();
    if open {
        let field = field::text_rows(prompt, columns, 3);
        let rows = field
            .lines
            .iter()
            .map(|line| Row::new().with(line.as_str(), Style::Plain))
            .collect();
        return Block {
            rows,
            cursor: Some(field.cursor),
        };
    }
    let glyphs = &prompt.options.glyphs;
    let focused = entry.focus == row;
    let shape = list::mark(prompt, row);
    let (mark, style) = prompt.options.glyphs.focus_mark(focused);
    let lead = Row::new().with(format!("{mark}{}{shape} ", row + 1), Style::Mark);
    let indent = lead.width();
    let (label, badge) = list::label(prompt, row);
    let label = badge.map_or_else(|| label.clone(), |badge| format!("{label} {badge}"));
    let room = columns.saturating_sub(indent);
    let rows = match cut {
        Cut::Clipped => vec![lead.with(clip(&label, room, glyphs.more), style)],
        Cut::Wrapped => {
            let description = prompt.draft.question().choices().get(row);
            let description = description.and_then(|choice| choice.description.as_ref());
            let description = description.filter(|_| focused);
            let mut rows = LinePrefix::hanging(lead).wrap(label, columns, style);
            if let Some(text) = description {
                rows.extend(LinePrefix::spaces(indent).wrap(text.as_str(), columns, Style::Muted));
            }
            rows
        }
    };
    Block {
        rows,
        cursor: focused.then_some(Cursor::in_first_row(indent)),
    }
}
