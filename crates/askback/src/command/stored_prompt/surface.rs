//! Frames or lines: how a stored question is shown at this terminal.

use std::os::unix::net::UnixStream;

use anyhow::Context as _;
use askback_core::draft::Draft;
use askback_terminal::clock::MonotonicTime;
use askback_terminal::display_mode::DisplayMode;
use askback_terminal::line_reader::LineReader;
use askback_terminal::row::Row;
use askback_tui::deadline::Deadline;
use askback_tui::line::{LinePrompt, offer_undo};
use askback_tui::outcome_lines::AnsweredFrom;
use askback_tui::prompt::{End, Persistence, Prompt, PromptOptions};
use askback_tui::session::{PromptSession, SessionEnd};
use askback_tui::undo_line::{UndoEnd, UndoLine};

use super::super::ask::write_rows;
use super::StoredPrompt;
use crate::backend::{InquiryWatcher, PRESENCE_INTERVAL, presence_notifier};
use crate::failure::Failure;

pub(super) struct Surface<'a> {
    stored: &'a StoredPrompt<'a>,
    wake: UnixStream,
    /// Replaced by lines if the window becomes too small.
    shown: Shown,
}

enum Shown {
    Frames(Box<(PromptSession, Prompt)>),
    Lines(Box<(LineReader, LinePrompt)>),
}

impl<'a> Surface<'a> {
    /// Nothing is drawn before [`Surface::ask`] or [`Surface::offer_undo`].
    pub(super) fn open(
        stored: &'a StoredPrompt<'a>,
        display_mode: DisplayMode,
        wake: UnixStream,
        draft: Option<Draft>,
    ) -> Result<Surface<'a>, Failure> {
        let deadline = Deadline::of(stored.terminal.clock, &stored.asked);
        let options = prompt_options(stored, draft, deadline);
        let shown = if display_mode == DisplayMode::Lines {
            lines(stored, &wake, options)?
        } else {
            frames(stored, &wake, options)?
        };
        Ok(Surface {
            stored,
            wake,
            shown,
        })
    }

    pub(super) fn is_frames(&self) -> bool {
        matches!(self.shown, Shown::Frames(_))
    }

    /// Shows the question until its prompt ends. If the window becomes too small, it continues in lines.
    pub(super) fn ask(
        mut self,
        watcher: &mut InquiryWatcher,
    ) -> Result<(Surface<'a>, SessionEnd), Failure> {
        if let Shown::Frames(shown) = &mut self.shown {
            let (session, prompt) = &mut **shown;
            let finish = session.run(prompt, watcher);
            let finish = finish.context("the terminal failed")?;
            if finish != SessionEnd::TooSmall {
                return Ok((self, finish));
            }
        }
        self = self.in_lines()?;
        let Shown::Lines(shown) = &mut self.shown else {
            return Ok((self, SessionEnd::TooSmall));
        };
        let (lines, prompt) = &mut **shown;
        let terminal = self.stored.terminal;
        let finish = terminal.run_line_prompt(lines, prompt, watcher)?;
        Ok((self, finish))
    }

    /// Says whether the reply was sent. Frames show their answer when they close.
    pub(super) fn say_sent(
        &self,
        end: &End,
        accepted: Option<AnsweredFrom>,
    ) -> Result<(), Failure> {
        if let Shown::Lines(shown) = &self.shown {
            shown.0.write(&shown.1.after_sending(end, accepted))?;
        }
        Ok(())
    }

    /// Offers to undo the answer until this time.
    pub(super) fn offer_undo(
        &mut self,
        answered: Vec<Row>,
        until: MonotonicTime,
        whose: AnsweredFrom,
        watcher: &mut InquiryWatcher,
    ) -> Result<UndoEnd, Failure> {
        let terminal = self.stored.terminal;
        let end = match &mut self.shown {
            Shown::Frames(shown) => {
                let config = terminal.screen_config();
                let mut line = UndoLine::new(config, answered, until, whose);
                let (session, prompt) = &mut **shown;
                let end = session.offer_undo(&mut line, watcher);
                if matches!(end, Ok(UndoEnd::Reopened)) {
                    prompt.reopened();
                }
                end
            }
            Shown::Lines(shown) => {
                let (lines, prompt) = &mut **shown;
                if whose == AnsweredFrom::Elsewhere {
                    write_rows(lines, &answered)?;
                }
                let (locale, clock) = (terminal.locale, terminal.clock);
                let end = offer_undo(lines, locale, clock, until, whose, watcher);
                // The question is asked again from what was answered.
                let left = prompt.deadline().copied();
                let options = prompt_options(self.stored, Some(prompt.draft().clone()), left);
                *prompt = LinePrompt::new(self.stored.inquiry.clone(), options);
                end
            }
        };
        Ok(end.context("the terminal failed")?)
    }

    /// What was typed and not sent.
    pub(super) fn unsent(&self) -> Vec<Row> {
        match &self.shown {
            Shown::Frames(shown) => shown.1.unsent(),
            Shown::Lines(shown) => shown.1.unsent(),
        }
    }

    /// Prints the rows, unless the prompt has shown its answer already, as in lines.
    pub(super) fn close_after(self, end: &End, rows: &[Row]) -> Result<(), Failure> {
        let is_shown = !self.is_frames() && matches!(end, End::Answered(_));
        self.close(if is_shown { &[] } else { rows })
    }

    /// Restores the terminal and prints these rows into the scrollback.
    pub(super) fn close(self, rows: &[Row]) -> Result<(), Failure> {
        match self.shown {
            Shown::Frames(shown) => Ok(shown.0.close(rows).context("the terminal failed")?),
            Shown::Lines(shown) => write_rows(&shown.0, rows),
        }
    }

    /// The same question with its draft, in lines.
    fn in_lines(self) -> Result<Surface<'a>, Failure> {
        let Surface {
            stored,
            wake,
            shown,
        } = self;
        let shown = match shown {
            lines @ Shown::Lines(_) => lines,
            Shown::Frames(frames) => {
                let (session, prompt) = *frames;
                session.close(&[]).context("the terminal failed")?;
                let left = prompt.deadline().copied();
                let options = prompt_options(stored, Some(prompt.draft().clone()), left);
                lines(stored, &wake, options)?
            }
        };
        Ok(Surface {
            stored,
            wake,
            shown,
        })
    }
}

/// The options of the prompt, with the draft to start from and what is left of the deadline.
fn prompt_options(
    stored: &StoredPrompt<'_>,
    draft: Option<Draft>,
    deadline: Option<Deadline>,
) -> PromptOptions {
    let mut options = stored
        .terminal
        .prompt_options(stored.asked.asker_name().map(str::to_owned));
    options.persistence = Persistence::Durable;
    options.asker_kind = stored.asker_kind;
    options.link.clone_from(&stored.link);
    options.recipient = stored.asked.shown_recipient().map(str::to_owned);
    options.draft = draft;
    options.deadline = deadline;
    options
}

fn frames(
    stored: &StoredPrompt<'_>,
    wake: &UnixStream,
    options: PromptOptions,
) -> Result<Shown, Failure> {
    let terminal = stored.terminal;
    let prompt = Prompt::new(stored.inquiry.clone(), options);
    let woken = Some(wake.try_clone()?);
    let session = PromptSession::open(terminal.tty()?, terminal.setup(), woken, terminal.clock);
    let mut session = session.context("cannot use the terminal")?;
    let runtime = stored.runtime.handle().clone();
    let notify = presence_notifier(stored.client.clone(), runtime);
    session.on_activity(PRESENCE_INTERVAL, notify);
    Ok(Shown::Frames(Box::new((session, prompt))))
}

fn lines(
    stored: &StoredPrompt<'_>,
    wake: &UnixStream,
    options: PromptOptions,
) -> Result<Shown, Failure> {
    let wake = Some(wake.try_clone()?);
    let runtime = stored.runtime.handle();
    let lines = stored
        .terminal
        .open_present_lines(wake, &stored.client, runtime)?;
    let prompt = LinePrompt::new(stored.inquiry.clone(), options);
    Ok(Shown::Lines(Box::new((lines, prompt))))
}
