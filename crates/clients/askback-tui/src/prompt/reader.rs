//! Long texts in full: the question, the preview of a choice, and all keys.

#![expect(
    clippy::wildcard_enum_match_arm,
    reason = "a text takes a few of the many actions"
)]

use super::layout::{Block, inner_columns, room};
use super::{EscAtTop, Prompt, bound_action, hints, list, preview_text, review};
use crate::answer_summary::context_lines;
use crate::keymap::{Action, HelpRow, Keymap, Mode};
use askback_terminal::row::{Cursor, Frame, Row, ScreenBuffer, Style};
use askback_terminal::styled_wrap::wrapped_rows;
use askback_terminal::width::text_width;
use askback_terminal::wrap::wrapped;

/// A text in full.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum LongText {
    /// All keys.
    Help,
    /// The whole question, which takes the whole screen.
    Question,
    /// The preview of the focused choice.
    Preview,
}

/// A long text, from a row on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Reader {
    pub(super) text: LongText,
    top: usize,
}

impl Reader {
    pub(super) fn new(text: LongText) -> Reader {
        Reader { text, top: 0 }
    }

    fn lines(self, prompt: &Prompt, columns: usize) -> Vec<Row> {
        match self.text {
            LongText::Help => help(prompt, columns),
            LongText::Preview => {
                let text = prompt.draft.preview().unwrap_or_default();
                preview_text::rows(text, columns, &prompt.options.glyphs, usize::MAX)
            }
            LongText::Question => everything(prompt, columns),
        }
    }

    fn columns(self, prompt: &Prompt) -> usize {
        match self.text {
            LongText::Question => prompt.options.size.columns.saturating_sub(1),
            LongText::Help | LongText::Preview => inner_columns(prompt),
        }
    }

    fn page_rows(self, prompt: &Prompt) -> usize {
        let rows = match self.text {
            LongText::Question => prompt.options.size.rows.saturating_sub(1),
            // The head, both "more" rows and the hints.
            LongText::Help | LongText::Preview => room(prompt).saturating_sub(4),
        };
        rows.max(1)
    }

    /// The text after a key that scrolls.
    pub(super) fn scrolled(self, prompt: &Prompt, action: Action) -> Reader {
        let page = self.page_rows(prompt);
        let lines = self.lines(prompt, self.columns(prompt));
        let (top, last) = (self.top, lines.len().saturating_sub(page));
        let top = match action {
            Action::Up => top.saturating_sub(1),
            Action::Down => top + 1,
            Action::PageUp => top.saturating_sub(page),
            Action::PageDown => top + page,
            Action::HalfUp => top.saturating_sub(page / 2),
            Action::HalfDown => top + page / 2,
            Action::First => 0,
            Action::Last => last,
            _ => top,
        };
        Reader {
            top: top.min(last),
            ..self
        }
    }

    fn page(self, prompt: &Prompt, columns: usize) -> Page {
        let lines = self.lines(prompt, columns);
        let rows = self.page_rows(prompt);
        let above = self.top.min(lines.len().saturating_sub(rows));
        Page {
            above,
            below: lines.len().saturating_sub(above + rows),
            rows: lines.into_iter().skip(above).take(rows).collect(),
        }
    }

    /// The visible rows as one block, between two "more" rows.
    pub(super) fn blocks(self, prompt: &Prompt, columns: usize) -> Vec<Block> {
        let Page { above, below, rows } = self.page(prompt, columns);
        let glyphs = &prompt.options.glyphs;
        let mut shown = Vec::new();
        if above > 0 {
            shown.push(prompt.more_row(glyphs.above, above));
        }
        shown.extend(rows);
        if below > 0 {
            shown.push(prompt.more_row(glyphs.below, below));
        }
        vec![Block {
            rows: shown,
            cursor: Some(Cursor::default()),
        }]
    }

    pub(super) fn screen(self, prompt: &Prompt) -> Frame {
        let columns = self.columns(prompt);
        let Page {
            below, mut rows, ..
        } = self.page(prompt, columns);
        let mark = if below > 0 {
            format!("{}{below} ", prompt.options.glyphs.below)
        } else {
            String::new()
        };
        let mut hint = Row::new().with(mark, Style::Mark);
        hint.append(&hints::foot(prompt, columns.saturating_sub(8)));
        rows.push(hint);
        Frame {
            rows,
            cursor: Cursor::default(),
            buffer: ScreenBuffer::Alternate,
        }
    }
}

/// The rows that are visible, and how many are not.
struct Page {
    above: usize,
    below: usize,
    rows: Vec<Row>,
}

pub(super) fn plain(text: &str, columns: usize, style: Style) -> Vec<Row> {
    wrapped_rows(&text.replace('\t', "    "), columns, style)
}

fn everything(prompt: &Prompt, columns: usize) -> Vec<Row> {
    if prompt.draft.is_review() {
        let blocks = review::blocks(prompt, columns, review::AnswerRows::All);
        return blocks.into_iter().flat_map(|block| block.rows).collect();
    }
    let question = prompt.draft.question();
    let mut rows = Vec::new();
    if let Some(header) = &question.header {
        rows.extend(plain(header.as_str(), columns, Style::Chip));
    }
    rows.extend(plain(question.text.as_str(), columns, Style::Focused));
    for line in context_lines(prompt.options.locale, &prompt.draft.inquiry, question) {
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
    let typed = prompt.draft.text();
    if !typed.is_empty() {
        rows.push(Row::new());
        rows.extend(plain(typed, columns, Style::Plain));
    }
    rows
}

fn help(prompt: &Prompt, columns: usize) -> Vec<Row> {
    let glyphs = &prompt.options.glyphs;
    let mode = prompt.draft.mode();
    let works = |action, key| {
        bound_action::of_key(prompt, mode, key) == Some(action)
            && bound_action::applies(prompt, action)
    };
    let keymap = prompt.keymap().filtered(works);
    let mut named = keymap.rows(mode, prompt.options.locale, glyphs);
    if matches!(mode, Mode::List | Mode::Several) && prompt.draft.digits_move() {
        describe_digits(prompt, &keymap, &mut named);
    }
    if prompt.options.esc_at_top == EscAtTop::GoesBack {
        let usual = prompt.text("help-back", &[]);
        let back = prompt.text("hint-back", &[("keys", "".into())]);
        for row in named.iter_mut().filter(|row| row.words == usual) {
            back.trim().clone_into(&mut row.words);
        }
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
    let mode = prompt.draft.mode();
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
