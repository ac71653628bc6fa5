//! The review page: all answers, before they are sent.

use askback_core::draft::AnswerStatus;

use super::Prompt;
use super::layout::Block;
use crate::answer_summary;
use askback_terminal::row::{Cursor, Row, Style};
use askback_terminal::wrap::wrapped;

pub(super) fn blocks(prompt: &Prompt, inner: usize) -> Vec<Block> {
    let glyphs = &prompt.options.glyphs;
    let focus = prompt.draft.review_focus;
    let mut blocks = Vec::new();
    for (at, (question, status)) in prompt.draft.statuses(&prompt.inquiry).enumerate() {
        let entry = &prompt.draft.entries[at];
        let (mark, style) = status_mark(prompt, status);
        let answer = match status {
            AnswerStatus::Given => {
                answer_summary::read_text(prompt.options.locale, &prompt.typing, question, entry)
            }
            AnswerStatus::Skipped => prompt.text("answer-skipped", &[]),
            AnswerStatus::Open => prompt.text("answer-open", &[]),
        };
        let answer = match entry.note.trim() {
            "" => answer,
            note => prompt.text(
                "answer-noted",
                &[("answer", answer.into()), ("note", note.into())],
            ),
        };
        let args = [
            ("name", prompt.name(question).into()),
            ("answer", answer.into()),
        ];
        let text = prompt.text("resolved-answered", &args);
        let focused = focus == at;
        let own = if focused {
            Style::Focused
        } else {
            Style::Label
        };
        let lead = Row::new()
            .with(if focused { glyphs.focus } else { " " }, Style::Mark)
            .with(format!("{:>2} ", at + 1), own)
            .with(mark, style)
            .with(" ", Style::Plain);
        let indent = lead.width();
        let text = text.replace('\n', " ");
        let mut rows = Vec::new();
        for line in wrapped(&text, inner.saturating_sub(indent).max(8)) {
            let start = if rows.is_empty() {
                lead.clone()
            } else {
                Row::new().with(" ".repeat(indent), Style::Plain)
            };
            rows.push(start.with(line, own));
        }
        blocks.push(Block {
            rows,
            cursor: focused.then_some(Cursor {
                row: 0,
                column: indent,
            }),
        });
    }
    let focused = focus >= blocks.len();
    let style = if focused {
        Style::Focused
    } else {
        Style::Label
    };
    let send = Row::new()
        .with(if focused { glyphs.focus } else { " " }, Style::Mark)
        .with(format!(" {}", prompt.text("send-answers", &[])), style);
    let cursor = focused.then_some(Cursor { row: 1, column: 2 });
    blocks.push(Block {
        rows: vec![Row::new(), send],
        cursor,
    });
    blocks
}

pub(super) fn status_mark(prompt: &Prompt, status: AnswerStatus) -> (&'static str, Style) {
    let glyphs = &prompt.options.glyphs;
    match status {
        AnswerStatus::Given => (glyphs.done, Style::Success),
        AnswerStatus::Skipped => (glyphs.skipped, Style::Muted),
        AnswerStatus::Open => (glyphs.open, Style::Mark),
    }
}
