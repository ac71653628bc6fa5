//! Runs a line-mode prompt on a terminal.

use std::io;

use super::line_guard::LineGuard;
use super::{Expecting, LinePrompt};
use crate::prompt::End;
use crate::session::{PromptHost, SessionEnd, Wakeup};
use askback_terminal::clock::Clock;
use askback_terminal::line_reader::{LineEvent, LineReader};
use askback_terminal::signals::SIGINT;

/// Runs the prompt until it ends. The end of the input leaves the question open. If the prompt ends
/// elsewhere or by a signal, a newline is written first.
pub fn run(
    lines: &mut LineReader,
    prompt: &mut LinePrompt,
    host: &mut dyn PromptHost,
    clock: Clock,
) -> io::Result<SessionEnd> {
    // Lines typed before the question was printed are discarded.
    lines.discard_typed();
    lines.write(&prompt.begin(clock.now()).text)?;
    let mut guard = LineGuard::new(lines.typeahead_window(), clock.now());
    loop {
        let event = lines.next(prompt.next_tick(clock.now()))?;
        let before = (prompt.draft().clone(), prompt.deadline().is_some());
        let shown = prompt.shown();
        let output = match event {
            LineEvent::Line(line) if guard.takes(&line, clock.now()) => prompt.handle_line(&line),
            LineEvent::Line(_) => prompt.too_soon(),
            LineEvent::Pasted(pasted) => prompt.pasted(&pasted),
            LineEvent::Timeout => prompt.tick(clock.now()),
            LineEvent::Wakeup if has_ended_elsewhere(prompt, host) => {
                // It was typed for this question.
                lines.discard_typed();
                lines.write("\n")?;
                return Ok(SessionEnd::EndedElsewhere);
            }
            LineEvent::Wakeup => continue,
            LineEvent::EndOfInput => {
                lines.write("\n")?;
                return Ok(SessionEnd::Ended(End::Postponed));
            }
            LineEvent::Signal(number) => {
                lines.write("\n")?;
                return Ok(match number {
                    SIGINT => SessionEnd::Ended(End::Detached),
                    other => SessionEnd::Signal(other),
                });
            }
        };
        // Lines typed for the last question do not answer this one.
        if shown != prompt.shown() && prompt.shown().1 == Expecting::Answer {
            lines.discard_typed();
        }
        lines.write(&output.text)?;
        if shown != prompt.shown() {
            guard.close(clock.now());
        }
        if before.1 && prompt.deadline().is_none() {
            host.deadline_stopped();
        }
        if before.0 != *prompt.draft() {
            host.draft_changed(prompt.draft());
        }
        if let Some(end) = output.end {
            return Ok(SessionEnd::Ended(end));
        }
    }
}

/// Applies what another thread reported. Returns whether the question was resolved.
fn has_ended_elsewhere(prompt: &mut LinePrompt, host: &mut dyn PromptHost) -> bool {
    loop {
        match host.poll() {
            Wakeup::Continue => return false,
            Wakeup::EndedElsewhere => return true,
            Wakeup::DeadlineMoved(deadline) => prompt.set_deadline(deadline),
            // Lines have no place for it: what was typed is above, and is sent as it is.
            Wakeup::Event(_) => {}
        }
    }
}
