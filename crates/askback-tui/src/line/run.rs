//! Asks one question on a terminal, line by line, until it is over.

use std::io;

use super::line_guard::LineGuard;
use super::{Expecting, LinePrompt};
use crate::prompt::End;
use crate::session::{PromptHost, SessionEnd, Wakeup};
use askback_terminal::clock::Clock;
use askback_terminal::line_reader::{LineEvent, LineReader};
use askback_terminal::signals::SIGINT;

/// Asks until it is over. The end of the input leaves the question open. When it is over elsewhere
/// or by a signal, the cursor stands on a fresh line.
pub fn run(
    lines: &mut LineReader,
    prompt: &mut LinePrompt,
    host: &mut dyn PromptHost,
    clock: Clock,
) -> io::Result<SessionEnd> {
    // What was typed before the question could be heard answers nothing.
    lines.forget_typed();
    lines.write(&prompt.begin(clock.now()).say)?;
    let mut guard = LineGuard::new(lines.typeahead_window(), clock.now());
    loop {
        lines.take_digits(prompt.digits());
        let came = lines.next(prompt.next_tick(clock.now()))?;
        let before = (prompt.draft().clone(), prompt.deadline().is_some());
        let shown = prompt.shown();
        let heard = match came {
            LineEvent::Line(line) if guard.takes(&line, clock.now()) => prompt.handle_line(&line),
            LineEvent::Line(_) => prompt.too_soon(),
            LineEvent::Pasted(pasted) => prompt.pasted(&pasted),
            LineEvent::Timeout => prompt.tick(clock.now()),
            LineEvent::Wakeup => match host.poll() {
                Wakeup::EndedElsewhere => {
                    // It was typed for this question and for nothing that comes after it.
                    lines.forget_typed();
                    lines.write("\n")?;
                    return Ok(SessionEnd::EndedElsewhere);
                }
                Wakeup::Continue | Wakeup::LinkCreated(_) => continue,
            },
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
        // What was typed for the last question is no answer to this one.
        if shown != prompt.shown() && prompt.shown().1 == Expecting::Answer {
            lines.forget_typed();
        }
        lines.write(&heard.say)?;
        if shown != prompt.shown() {
            guard.close(clock.now());
        }
        if before.1 && prompt.deadline().is_none() {
            host.deadline_stopped();
        }
        if before.0 != *prompt.draft() {
            host.draft_changed(prompt.draft());
        }
        if let Some(end) = heard.end {
            return Ok(SessionEnd::Ended(end));
        }
    }
}
