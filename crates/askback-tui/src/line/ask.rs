//! Asks one question on a terminal, line by line, until it is over.

use std::io;

use super::ignored::LineGuard;
use super::{LinePrompt, Wants};
use crate::prompt::End;
use crate::session::{Finish, Outside, Woken};
use askback_terminal::clock::Clock;
use askback_terminal::line_reader::{Came, Lines};
use askback_terminal::signals::SIGINT;

/// Asks until it is over. The end of the input leaves the question open. When it is over elsewhere
/// or by a signal, the cursor stands on a fresh line.
pub fn ask(
    lines: &mut Lines,
    prompt: &mut LinePrompt,
    outside: &mut dyn Outside,
    clock: Clock,
) -> io::Result<Finish> {
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
            Came::Line(line) if guard.takes(&line, clock.now()) => prompt.hear(&line),
            Came::Line(_) => prompt.too_soon(),
            Came::Pasted(pasted) => prompt.pasted(&pasted),
            Came::Time => prompt.tick(clock.now()),
            Came::Woken => match outside.woken() {
                Woken::Over => {
                    // It was typed for this question and for nothing that comes after it.
                    lines.forget_typed();
                    lines.write("\n")?;
                    return Ok(Finish::Elsewhere);
                }
                Woken::GoOn | Woken::Shared(_) => continue,
            },
            Came::End => {
                lines.write("\n")?;
                return Ok(Finish::Ended(End::Kept));
            }
            Came::Signal(number) => {
                lines.write("\n")?;
                return Ok(match number {
                    SIGINT => Finish::Ended(End::Detached),
                    other => Finish::Signal(other),
                });
            }
        };
        // What was typed for the last question is no answer to this one.
        if shown != prompt.shown() && prompt.shown().1 == Wants::Answer {
            lines.forget_typed();
        }
        lines.write(&heard.say)?;
        if shown != prompt.shown() {
            guard.close(clock.now());
        }
        if before.1 && prompt.deadline().is_none() {
            outside.deadline_stopped();
        }
        if before.0 != *prompt.draft() {
            outside.changed(prompt.draft());
        }
        if let Some(end) = heard.end {
            return Ok(Finish::Ended(end));
        }
    }
}
