//! Offers to undo an answer in line mode.

use std::io;

use super::line_guard::LineGuard;
use super::with_cue;
use crate::held_replies::seconds_left;
use crate::outcome_lines::AnsweredFrom;
use crate::undo_line::{UndoEnd, UndoHost, UndoNews};
use askback_locale::Locale;
use askback_terminal::clock::{Clock, MonotonicTime};
use askback_terminal::line_reader::{LineEvent, LineReader};
use askback_terminal::signals::SIGINT;

/// Offers to undo the answer until then, or until the question has its outcome. An answer from
/// elsewhere can be undone only there: lines do nothing, and the text says for how long.
pub fn offer_undo(
    lines: &mut LineReader,
    locale: Locale,
    clock: Clock,
    until: MonotonicTime,
    whose: AnsweredFrom,
    host: &mut dyn UndoHost,
) -> io::Result<UndoEnd> {
    let cue = |now| {
        let seconds = seconds_left(until, now).unwrap_or_default();
        let id = match whose {
            AnsweredFrom::Here => "line-undo",
            AnsweredFrom::Elsewhere => "elsewhere-undo-left",
        };
        with_cue(&locale.text(id, &[("seconds", seconds.into())])).text
    };
    // Lines typed before the offer was printed are not about it.
    lines.discard_typed();
    lines.write(&cue(clock.now()))?;
    let mut guard = LineGuard::new(lines.typeahead_window(), clock.now());
    // Enter has moved the cursor to a new line.
    let mut at_line_start = false;
    loop {
        let left = until.saturating_sub(clock.now());
        if left.is_zero() {
            lines.write("\n")?;
            return Ok(UndoEnd::Over);
        }
        match lines.next(Some(left))? {
            LineEvent::Line(line) if guard.takes(&line, clock.now()) => {
                let is_ours = whose == AnsweredFrom::Here;
                match line.trim().to_lowercase().as_str() {
                    "u" | "/u" if is_ours => host.undo(),
                    "" if is_ours => host.commit(),
                    _ => {
                        lines.write(&cue(clock.now()))?;
                        continue;
                    }
                }
                at_line_start = true;
            }
            LineEvent::Line(_) => {
                let words = locale.text("line-too-soon", &[]);
                lines.write(&format!("{words}\n{}", cue(clock.now())))?;
            }
            LineEvent::Pasted(_) => lines.write(&cue(clock.now()))?,
            LineEvent::Wakeup => {
                let start = if at_line_start { "" } else { "\n" };
                if let Some(end) = handle_news(lines, locale, start, host)? {
                    return Ok(end);
                }
            }
            LineEvent::Timeout => {}
            LineEvent::EndOfInput => {
                lines.write("\n")?;
                return Ok(UndoEnd::HungUp);
            }
            LineEvent::Signal(SIGINT) => {
                lines.write("\n")?;
                return Ok(UndoEnd::Detached);
            }
            LineEvent::Signal(number) => {
                lines.write("\n")?;
                return Ok(UndoEnd::Signal(number));
            }
        }
    }
}

fn handle_news(
    lines: &LineReader,
    locale: Locale,
    line_start: &str,
    host: &mut dyn UndoHost,
) -> io::Result<Option<UndoEnd>> {
    loop {
        let (message, end) = match host.poll_undo() {
            UndoNews::Nothing => return Ok(None),
            UndoNews::Reopened => (Some("notice-undone"), Some(UndoEnd::Reopened)),
            UndoNews::Resolved => (None, Some(UndoEnd::Over)),
            UndoNews::TooLate => (Some("notice-too-late-to-undo"), None),
        };
        let words = message.map(|id| locale.text(id, &[]));
        match words {
            Some(words) => lines.write(&format!("{line_start}{words}\n"))?,
            None => lines.write(line_start)?,
        }
        if end.is_some() {
            return Ok(end);
        }
    }
}
