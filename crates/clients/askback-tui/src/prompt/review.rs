//! The review page: all answers, before they are sent.

use askback_core::draft::AnswerStatus;

use super::Prompt;
use super::layout::Block;
use crate::answer_summary;
use askback_terminal::row::{Cursor, Row, Style};
use askback_terminal::styled_wrap::LinePrefix;
use askback_terminal::width::{clip, text_width};

/// How many rows an answer gets.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum AnswerRows {
    /// As many as it needs.
    All,
    /// One, so that as many answers as possible are visible before they are sent.
    One,
}

pub(super) fn blocks(prompt: &Prompt, inner: usize, answer_rows: AnswerRows) -> Vec<Block> {
    let focus = prompt.draft.current.review_focus;
    let mut blocks = Vec::new();
    for (at, (question, status)) in prompt
        .draft
        .current
        .statuses(&prompt.draft.inquiry)
        .enumerate()
    {
        let entry = &prompt.draft.current.entries[at];
        let (mark, style) = status_mark(prompt, status);
        let (locale, parser) = (prompt.options.locale, &prompt.draft.parser);
        let answer = answer_summary::draft_text(locale, parser, question, entry);
        let name = prompt.name(question);
        let focused = focus == at;
        let (focus_mark, own) = prompt.options.glyphs.focus_mark(focused);
        let lead = Row::new()
            .with(focus_mark, Style::Mark)
            .with(format!("{:>2} ", at + 1), own)
            .with(mark, style)
            .with(" ", Style::Plain);
        let indent = lead.width();
        let columns = inner.saturating_sub(indent).max(8);
        let line = match answer_rows {
            AnswerRows::All => answer_line(prompt, &name, &answer).replace('\n', " "),
            AnswerRows::One => clipped_line(prompt, &name, &answer, columns),
        };
        let rows = LinePrefix::hanging(lead).wrap(line, indent + columns, own);
        blocks.push(Block {
            rows,
            cursor: focused.then_some(Cursor::in_first_row(indent)),
        });
    }
    blocks.push(send_block(prompt, focus >= blocks.len(), answer_rows));
    blocks
}

/// The row that sends the answers.
fn send_block(prompt: &Prompt, focused: bool, answer_rows: AnswerRows) -> Block {
    let (mark, style) = prompt.options.glyphs.focus_mark(focused);
    let send = Row::new()
        .with(mark, Style::Mark)
        .with(format!(" {}", prompt.text("send-answers", &[])), style);
    let rows = match answer_rows {
        AnswerRows::All => vec![Row::new(), send],
        AnswerRows::One => vec![send],
    };
    let cursor = focused.then_some(Cursor {
        row: rows.len() - 1,
        column: 2,
    });
    Block { rows, cursor }
}

fn answer_line(prompt: &Prompt, name: &str, answer: &str) -> String {
    let args = [("name", name.into()), ("answer", answer.into())];
    prompt.text("resolved-answered", &args)
}

/// A name and its answer in one row. A long name leaves half of the row to the answer.
fn clipped_line(prompt: &Prompt, name: &str, answer: &str, columns: usize) -> String {
    let more = prompt.options.glyphs.more;
    let (name, answer) = (name.replace('\n', " "), answer.replace('\n', " "));
    let room = columns.saturating_sub(text_width(&answer_line(prompt, "", "")));
    let name_room = (room / 2).max(room.saturating_sub(text_width(&answer)));
    let name = clip(&name, name_room, more);
    let answer = clip(&answer, room.saturating_sub(text_width(&name)), more);
    answer_line(prompt, &name, &answer)
}

pub(super) fn status_mark(prompt: &Prompt, status: AnswerStatus) -> (&'static str, Style) {
    let glyphs = &prompt.options.glyphs;
    match status {
        AnswerStatus::Given => (glyphs.done, Style::Success),
        AnswerStatus::Skipped => (glyphs.skipped, Style::Muted),
        AnswerStatus::Open => (glyphs.open, Style::Mark),
    }
}
