//! Shows the answers to several questions before they are sent, and asks whether they are meant.

use anyhow::Context as _;
use askback_core::answer::Answers;
use askback_terminal::clock::today;
use askback_terminal::line_reader::LineEvent;
use askback_terminal::row::{Row, Style};
use askback_terminal::signals::SIGINT;
use askback_tui::answer_summary;
use askback_tui::line::is_yes;
use askback_wire::inquiry::InquiryResponse;
use serde_json::Value;

use super::super::ask::{DETACHED, write_rows};
use crate::failure::{Failure, refuse};
use crate::terminal_options::TerminalOptions;

/// Fails unless the person confirms.
pub(super) fn confirm(
    terminal: &TerminalOptions,
    asked: &InquiryResponse,
    answers: &Value,
    notes: Option<&Value>,
) -> Result<(), Failure> {
    let locale = terminal.locale;
    let mut lines = terminal.open_lines(None)?;
    lines.discard_typed();
    write_rows(&lines, &preview(terminal, asked, answers, notes))?;
    lines.write(&format!("{} ", locale.text("answer-confirm", &[])))?;
    let line = lines.next(None).context("the terminal failed")?;
    match line {
        LineEvent::Line(line) if is_yes(locale, &line) => Ok(()),
        LineEvent::Signal(SIGINT) => {
            lines.write("\n")?;
            Err(Failure::Ended(DETACHED))
        }
        LineEvent::Line(_)
        | LineEvent::Pasted(_)
        | LineEvent::EndOfInput
        | LineEvent::Timeout
        | LineEvent::Wakeup
        | LineEvent::Signal(_) => refuse("Nothing was sent."),
    }
}

/// One line for each question, as the lines that say what was sent. Text that is no answer is shown as it was given, and
/// refused by the server.
fn preview(
    terminal: &TerminalOptions,
    asked: &InquiryResponse,
    answers: &Value,
    notes: Option<&Value>,
) -> Vec<Row> {
    let read = asked.to_inquiry().ok().and_then(|inquiry| {
        let parser = terminal.locale.typing(today());
        let answers = Answers::parse_typed(&inquiry, answers.clone(), &parser);
        let answers = Answers::from_json(&inquiry, &answers, notes).ok()?;
        Some((inquiry, answers))
    });
    if let Some((inquiry, answers)) = read {
        let TerminalOptions { locale, glyphs, .. } = terminal;
        return answer_summary::answered(*locale, glyphs, &inquiry, &answers, None);
    }
    let row = |question: &askback_wire::question::QuestionResponse| {
        let name = question.header.as_deref().unwrap_or(&question.text);
        let given = answers.get(question.id.as_str());
        let as_text = |given: &Value| {
            let text = given.as_str().map(str::to_owned);
            text.unwrap_or_else(|| given.to_string())
        };
        let given = given.map(as_text).unwrap_or_default();
        Row::new().with(format!("{name}: {given}"), Style::Plain)
    };
    asked.questions.iter().map(row).collect()
}
