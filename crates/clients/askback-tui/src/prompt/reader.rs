//! Long texts in full: the question, the preview of a choice, and all keys.

use askback_core::draft::DraftPage;

use super::layout::{Block, room};
use super::{Overlay, Prompt, hints, list, preview_text};
use crate::answer_summary::context_lines;
use crate::keymap::{Action, HelpRow, Keymap, Mode};
use askback_terminal::row::{Cursor, Frame, Row, ScreenBuffer, Style};
use askback_terminal::width::text_width;
use askback_terminal::wrap::wrapped;

fn lines(prompt: &Prompt, columns: usize) -> Vec<Row> {
    match prompt.overlay {
        Some(Overlay::Help(_)) => help(prompt, columns),
        Some(Overlay::Preview(_)) => {
            let focused = prompt.question().choices().get(prompt.entry().focus);
            let preview = focused.and_then(|choice| choice.preview.as_ref());
            let text = preview.map(ToString::to_string).unwrap_or_default();
            preview_text::rows(&text, columns, &prompt.options.glyphs, usize::MAX)
        }
        Some(Overlay::Reader(_)) => everything(prompt, columns),
        Some(Overlay::Leave(_) | Overlay::Confirm(_) | Overlay::Link | Overlay::HandOn) | None => {
            Vec::new()
        }
    }
}

pub(super) fn plain(text: &str, columns: usize, style: Style) -> Vec<Row> {
    let text = text.replace('\t', "    ");
    let rows = wrapped(&text, columns).into_iter();
    rows.map(|line| Row::new().with(line, style)).collect()
}

fn everything(prompt: &Prompt, columns: usize) -> Vec<Row> {
    if prompt.draft.page == DraftPage::Review {
        let blocks = super::review::blocks(prompt, columns, super::review::AnswerRows::All);
        return blocks.into_iter().flat_map(|block| block.rows).collect();
    }
    let question = prompt.question();
    let mut rows = Vec::new();
    if let Some(header) = &question.header {
        rows.extend(plain(header.as_str(), columns, Style::Chip));
    }
    rows.extend(plain(question.text.as_str(), columns, Style::Focused));
    for line in context_lines(prompt.options.locale, &prompt.inquiry, question) {
        rows.extend(plain(&line, columns, Style::Muted));
    }
    for row in 0..question.choices().len() {
        let (label, badge) = list::label(prompt, row);
        let badge = badge.map(|badge| format!(" {badge}")).unwrap_or_default();
        rows.push(Row::new());
        rows.extend(plain(
            &format!("{} {label}{badge}", row + 1),
            columns,
            Style::Focused,
        ));
        let choice = &question.choices()[row];
        if let Some(text) = &choice.description {
            rows.extend(plain(text.as_str(), columns, Style::Plain));
        }
        if let Some(text) = &choice.preview {
            let glyphs = &prompt.options.glyphs;
            rows.extend(preview_text::rows(
                text.as_str(),
                columns,
                glyphs,
                usize::MAX,
            ));
        }
    }
    let typed = prompt.field_text();
    if !typed.is_empty() {
        rows.push(Row::new());
        rows.extend(plain(typed, columns, Style::Plain));
    }
    rows
}

/// The mode below the help, whose keys it lists.
pub(super) fn helped_mode(prompt: &Prompt) -> Mode {
    let mut below = prompt.clone();
    below.overlay = None;
    below.mode()
}

fn help(prompt: &Prompt, columns: usize) -> Vec<Row> {
    let glyphs = &prompt.options.glyphs;
    let mode = helped_mode(prompt);
    let works = |action, key| prompt.action(mode, key) == Some(action) && prompt.applies(action);
    let keymap = prompt.keymap().filtered(works);
    let mut named = keymap.rows(mode, prompt.options.locale, glyphs);
    if matches!(mode, Mode::List | Mode::Several) && prompt.digits_move() {
        describe_digits(prompt, &keymap, &mut named);
    }
    let wide = named
        .iter()
        .map(|row| text_width(&row.keys))
        .max()
        .unwrap_or(0)
        .min(columns / 2);
    let mut rows = Vec::new();
    for HelpRow { keys, words } in named {
        let room = columns.saturating_sub(wide + 2).max(8);
        let beside = text_width(&keys) <= wide;
        if !beside {
            rows.extend(plain(&keys, columns, Style::Mark));
        }
        for (at, line) in wrapped(&words, room).into_iter().enumerate() {
            let keys = if at == 0 && beside { keys.as_str() } else { "" };
            let pad = " ".repeat(wide + 2 - text_width(keys));
            let row = Row::new().with(keys, Style::Mark).with(pad, Style::Plain);
            rows.push(row.with(line, Style::Label));
        }
    }
    rows
}

/// In a long list, digits have a row of their own, because they do not choose.
fn describe_digits(prompt: &Prompt, keymap: &Keymap, rows: &mut Vec<HelpRow>) {
    let mode = helped_mode(prompt);
    let Some(digits) = keymap.name(mode, Action::Digit, &prompt.options.glyphs) else {
        return;
    };
    let is_digits = |row: &HelpRow| row.keys.split(' ').any(|key| key == digits);
    let Some(at) = rows.iter().position(is_digits) else {
        return;
    };
    let others: Vec<&str> = rows[at]
        .keys
        .split(' ')
        .filter(|key| *key != digits)
        .collect();
    rows[at].keys = others.join(" ");
    if rows[at].keys.is_empty() {
        rows.remove(at);
    }
    let words = prompt.text("help-digit-moves", &[]);
    rows.insert(
        at,
        HelpRow {
            keys: digits,
            words,
        },
    );
}

fn columns(prompt: &Prompt) -> usize {
    match prompt.overlay {
        Some(Overlay::Reader(_)) => prompt.options.size.columns.saturating_sub(1),
        Some(
            Overlay::Help(_)
            | Overlay::Preview(_)
            | Overlay::Leave(_)
            | Overlay::Confirm(_)
            | Overlay::HandOn
            | Overlay::Link,
        )
        | None => super::layout::inner_columns(prompt),
    }
}

pub(super) fn page_rows(prompt: &Prompt) -> usize {
    let rows = match prompt.overlay {
        Some(Overlay::Reader(_)) => prompt.options.size.rows.saturating_sub(1),
        // The head, both "more" rows and the hints.
        Some(
            Overlay::Help(_)
            | Overlay::Preview(_)
            | Overlay::Leave(_)
            | Overlay::Confirm(_)
            | Overlay::HandOn
            | Overlay::Link,
        )
        | None => room(prompt).saturating_sub(4),
    };
    rows.max(1)
}

pub(super) fn last_top(prompt: &Prompt) -> usize {
    lines(prompt, columns(prompt))
        .len()
        .saturating_sub(page_rows(prompt))
}

/// The visible rows as one block, between two "more" rows.
pub(super) fn blocks(prompt: &Prompt, columns: usize, top: usize) -> Vec<Block> {
    let lines = lines(prompt, columns);
    let page = page_rows(prompt);
    let top = top.min(lines.len().saturating_sub(page));
    let more = |arrow: &str, count: usize| {
        let words = prompt.text("more-rows", &[("count", count.into())]);
        Row::new().with(format!("{arrow} {words}"), Style::Muted)
    };
    let glyphs = &prompt.options.glyphs;
    let mut rows = Vec::new();
    if top > 0 {
        rows.push(more(glyphs.above, top));
    }
    let below = lines.len().saturating_sub(top + page);
    rows.extend(lines.into_iter().skip(top).take(page));
    if below > 0 {
        rows.push(more(glyphs.below, below));
    }
    vec![Block {
        rows,
        cursor: Some(Cursor::default()),
    }]
}

pub(super) fn screen(prompt: &Prompt, top: usize) -> Frame {
    let lines = lines(prompt, columns(prompt));
    let page = page_rows(prompt);
    let top = top.min(lines.len().saturating_sub(page));
    let below = lines.len().saturating_sub(top + page);
    let mut rows: Vec<Row> = lines.into_iter().skip(top).take(page).collect();
    let foot = hints::foot(prompt, columns(prompt).saturating_sub(8));
    let mark = if below > 0 {
        format!("{}{below} ", prompt.options.glyphs.below)
    } else {
        String::new()
    };
    let mut hint = Row::new().with(mark, Style::Mark);
    for span in foot.spans() {
        hint.push(span.text.as_str(), span.style);
    }
    rows.push(hint);
    Frame {
        rows,
        cursor: Cursor::default(),
        buffer: ScreenBuffer::Alternate,
    }
}
