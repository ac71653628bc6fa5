//! The prompt for a stored question. The first answer counts, whether it is given here or elsewhere.
//! An answer that is given here can be undone for a while, and takes effect even if this process ends.

mod surface;

use std::time::Duration;

use askback_client::{Client, ClientError};
use askback_core::inquiry::Inquiry;
use askback_core::outcome;
use askback_terminal::clock::time_of_day;
use askback_terminal::display_mode::DisplayMode;
use askback_terminal::row::{Row, Style};
use askback_tui::answer_summary::{self, Ending};
use askback_tui::held_replies::held_lines;
use askback_tui::outcome_lines::{self, AnsweredFrom};
use askback_tui::prompt::{AskerKind, End};
use askback_tui::reply::InquiryReply;
use askback_tui::session::SessionEnd;
use askback_tui::undo_line::UndoEnd;
use askback_wire::actor::SurfaceName;
use askback_wire::inquiry::{HeldResponse, InquiryResponse, InquiryStatus};

use super::ask::{DETACHED, STILL_OPEN, prompt_end};
use crate::backend::reply::{self, SendResult};
use crate::backend::{InquiryWatcher, UndoWindow, retry_while_unreachable};
use crate::connect::actor;
use crate::failure::{Failure, refuse};
use crate::terminal_options::TerminalOptions;
use askback_tui::inquiry_update::undo_until;
use surface::Surface;

/// How long an answer may wait for the end of its undo window, which is 60 seconds at most.
pub(super) const UNDO_WINDOW_MAX: Duration = Duration::from_secs(65);
/// How long the server may take to record an outcome.
const RESOLVE_MAX: Duration = Duration::from_secs(5);

/// The resolved inquiry, and where it was resolved.
type Resolved = (InquiryResponse, AnsweredFrom);

/// A pending question of the server, shown at this terminal.
pub(super) struct StoredPrompt<'a> {
    pub(super) runtime: &'a tokio::runtime::Runtime,
    pub(super) client: Client,
    /// The flags with which another command reaches the same server.
    pub(super) server_flags: String,
    pub(super) terminal: &'a TerminalOptions,
    pub(super) inquiry: &'a Inquiry,
    pub(super) asked: InquiryResponse,
    /// Its page; none if the server ends with this process.
    pub(super) link: Option<String>,
    pub(super) undo: UndoWindow,
    pub(super) asker_kind: AskerKind,
}

/// The address of the page of a question.
pub(super) fn page(client: &Client, asked: &InquiryResponse) -> String {
    format!("{}/q/{}", client.base_url().trim_end_matches('/'), asked.id)
}

/// What became of a reply.
enum Sent {
    /// There was nothing to send.
    StaysOpen,
    Resolved(Box<Resolved>),
    /// It can be undone, here or by whoever answered first.
    Held(Box<HeldAnswer>),
}

impl Sent {
    fn held(answered: InquiryResponse, whose: AnsweredFrom) -> Sent {
        Sent::Held(Box::new(HeldAnswer::new(answered, whose)))
    }

    /// Whose reply the server accepted.
    fn accepted_from(&self) -> Option<AnsweredFrom> {
        match self {
            Sent::StaysOpen => None,
            Sent::Resolved(resolved) => Some(resolved.1),
            Sent::Held(held) => Some(held.whose),
        }
    }
}

/// An answer that can be undone.
struct HeldAnswer {
    answered: InquiryResponse,
    /// An answer from elsewhere can be undone only there.
    whose: AnsweredFrom,
    /// What was typed here, if somebody else answered first.
    unsent: Vec<Row>,
}

impl HeldAnswer {
    fn new(answered: InquiryResponse, whose: AnsweredFrom) -> HeldAnswer {
        HeldAnswer {
            answered,
            whose,
            unsent: Vec::new(),
        }
    }
}

/// What became of a reply that could be undone.
enum AfterHold {
    Reopened,
    Resolved(Box<Resolved>),
    /// The user left, or a signal came, with this exit code. It takes effect later.
    Left(u8),
}

impl StoredPrompt<'_> {
    /// Shows the question until it is resolved, here or elsewhere, and can no longer be undone. Fails with
    /// the exit code if it stays open.
    pub(super) fn run(&self, display_mode: DisplayMode) -> Result<Resolved, Failure> {
        let handle = self.runtime.handle();
        let (mut watcher, wake) =
            InquiryWatcher::start(handle, &self.client, self.terminal.clock, &self.asked)?;
        let draft = self.runtime.block_on(watcher.read_draft());
        let surface = Surface::open(self, display_mode, wake, draft);
        let done = surface.and_then(|surface| self.run_on(surface, &mut watcher));
        self.runtime.block_on(watcher.close());
        done
    }

    fn run_on(
        &self,
        mut surface: Surface<'_>,
        watcher: &mut InquiryWatcher,
    ) -> Result<Resolved, Failure> {
        // An earlier process, or somebody else, may have answered just now.
        let mut held = self.asked.held.as_ref().map(|held| {
            let whose = if is_own(held) {
                AnsweredFrom::Here
            } else {
                AnsweredFrom::Elsewhere
            };
            HeldAnswer::new(self.asked.clone(), whose)
        });
        loop {
            if let Some(held) = held.take() {
                match self.offer_undo(&mut surface, &held, watcher)? {
                    AfterHold::Reopened => {}
                    AfterHold::Resolved(resolved) => {
                        let (found, whose) = *resolved;
                        let mut rows = self.rows(&found, whose);
                        rows.extend(held.unsent);
                        surface.close(&rows)?;
                        return Ok((found, whose));
                    }
                    AfterHold::Left(code) => {
                        let mut rows = self.held_rows(&held);
                        if held.whose == AnsweredFrom::Here {
                            let words = self.terminal.locale.text("undo-left", &[]);
                            rows.push(Row::new().with(words, Style::Muted));
                        }
                        surface.close(&rows)?;
                        return Err(Failure::Ended(code));
                    }
                }
            }
            let asked = surface.ask(watcher);
            // Saved first, so that the draft survives whatever follows.
            let elsewhere = self.runtime.block_on(watcher.save_last_draft());
            let finish;
            (surface, finish) = asked?;
            if let (SessionEnd::EndedElsewhere, Some(found)) = (&finish, elsewhere) {
                return self.end_elsewhere(surface, found);
            }
            let end = prompt_end(finish)?;
            let sent = self.send(&end);
            surface.say_sent(&end, sent.as_ref().ok().and_then(Sent::accepted_from))?;
            match sent? {
                Sent::Held(mut answer) => {
                    if answer.whose == AnsweredFrom::Elsewhere {
                        answer.unsent = surface.unsent();
                    }
                    held = Some(*answer);
                }
                Sent::StaysOpen => {
                    surface.close(&self.open_rows())?;
                    return Err(Failure::Ended(open_code(&end)));
                }
                Sent::Resolved(resolved) => {
                    let (found, whose) = *resolved;
                    if whose == AnsweredFrom::Elsewhere {
                        return self.end_elsewhere(surface, found);
                    }
                    surface.close_after(&end, &self.rows(&found, whose))?;
                    return Ok((found, whose));
                }
            }
        }
    }

    fn end_elsewhere(
        &self,
        surface: Surface<'_>,
        found: InquiryResponse,
    ) -> Result<Resolved, Failure> {
        let mut rows = self.rows(&found, AnsweredFrom::Elsewhere);
        rows.extend(surface.unsent());
        surface.close(&rows)?;
        Ok((found, AnsweredFrom::Elsewhere))
    }

    /// Sends the reply.
    fn send(&self, end: &End) -> Result<Sent, Failure> {
        let Some(reply) = InquiryReply::of(end.clone()) else {
            return Ok(Sent::StaysOpen);
        };
        let sent = self.runtime.block_on(async {
            let sent = reply::send(&self.client, &self.asked, &reply, self.undo);
            tokio::time::timeout(reply::SEND_MAX, sent).await
        });
        let Ok(sent) = sent else {
            let refusal = self.terminal.locale.text("unsent-unreachable", &[]);
            return refuse(refusal);
        };
        match sent? {
            SendResult::Accepted(found) if found.held.is_some() => {
                Ok(Sent::held(*found, AnsweredFrom::Here))
            }
            SendResult::Accepted(_) => Ok(Sent::Resolved(Box::new(
                self.outcome(AnsweredFrom::Here, RESOLVE_MAX)?,
            ))),
            // Somebody else's answer is the outcome once it can no longer be undone.
            SendResult::AlreadyResolved => {
                let found = self.runtime.block_on(self.read())?;
                Ok(if found.held.is_some() {
                    Sent::held(found, AnsweredFrom::Elsewhere)
                } else {
                    Sent::Resolved(Box::new(
                        self.outcome(AnsweredFrom::Elsewhere, UNDO_WINDOW_MAX)?,
                    ))
                })
            }
        }
    }

    /// The question as it is now, however long the server is unreachable.
    async fn read(&self) -> Result<InquiryResponse, ClientError> {
        retry_while_unreachable(|| self.client.inquiry(&self.asked.id)).await
    }

    fn outcome(&self, whose: AnsweredFrom, wait_max: Duration) -> Result<Resolved, Failure> {
        let found = self.client.wait_for_inquiry(&self.asked.id, wait_max);
        Ok((self.runtime.block_on(found)?, whose))
    }

    /// Offers to undo an answer until it takes effect. An answer from elsewhere is only shown.
    fn offer_undo(
        &self,
        surface: &mut Surface<'_>,
        answer: &HeldAnswer,
        watcher: &mut InquiryWatcher,
    ) -> Result<AfterHold, Failure> {
        let Some(held) = &answer.answered.held else {
            return Ok(AfterHold::Reopened);
        };
        watcher.set_held(held.until);
        let until = undo_until(self.terminal.clock, held);
        let rows = self.held_rows(answer);
        loop {
            match surface.offer_undo(rows.clone(), until, answer.whose, watcher)? {
                UndoEnd::Detached => return Ok(AfterHold::Left(DETACHED)),
                UndoEnd::Signal(number) => {
                    let code = 128 + u8::try_from(number).unwrap_or(0);
                    return Ok(AfterHold::Left(code));
                }
                // A closed terminal ends the process; input that ended cannot undo any more.
                UndoEnd::HungUp if surface.is_frames() => {
                    return Err(Failure::Ended(STILL_OPEN));
                }
                UndoEnd::Reopened => {
                    let now = self.runtime.block_on(self.read())?;
                    let is_same = now.held.as_ref().map(|held| held.until) == Some(held.until);
                    // It may have been about an earlier answer.
                    if is_same {
                        continue;
                    }
                    if !now.status.is_resolved() {
                        return Ok(AfterHold::Reopened);
                    }
                }
                UndoEnd::Over | UndoEnd::HungUp => {}
            }
            let (found, _) = self.outcome(AnsweredFrom::Here, UNDO_WINDOW_MAX)?;
            if !found.status.is_resolved() {
                return Ok(AfterHold::Reopened);
            }
            // Stopping the agent meanwhile discards the answer.
            let whose = if found.outcome.as_ref() == Some(&held.outcome) {
                answer.whose
            } else {
                AnsweredFrom::Elsewhere
            };
            return Ok(AfterHold::Resolved(Box::new((found, whose))));
        }
    }

    pub(super) fn answer_command(&self) -> String {
        format!("askback answer {}{}", self.asked.id, self.server_flags)
    }

    fn open_rows(&self) -> Vec<Row> {
        let command = self.answer_command();
        let more = self.terminal.glyphs.more;
        let first = self.inquiry.questions().first();
        let name = first.map(|question| answer_summary::name(question, more));
        let name = name.unwrap_or_default();
        let args = [("name", name.into()), ("command", command.into())];
        let words = self.terminal.locale.text("detached", &args);
        vec![Row::new().with(words, Style::Plain)]
    }

    fn rows(&self, found: &InquiryResponse, whose: AnsweredFrom) -> Vec<Row> {
        let TerminalOptions { locale, glyphs, .. } = self.terminal;
        let time = found.expires_at.map(time_of_day).unwrap_or_default();
        let ending = match (self.asker_kind, &found.status) {
            (AskerKind::Script, InquiryStatus::Rejected | InquiryStatus::Cancelled) => {
                Ending::QuestionCancelled
            }
            (AskerKind::Script, InquiryStatus::Expired) => Ending::TimedOut(&time),
            _ => return outcome_lines::lines(*locale, glyphs, found, whose),
        };
        answer_summary::unanswered(*locale, glyphs, self.inquiry, ending)
    }

    fn held_rows(&self, held: &HeldAnswer) -> Vec<Row> {
        let TerminalOptions { locale, glyphs, .. } = self.terminal;
        let mut rows = held_lines(*locale, glyphs, &held.answered, held.whose);
        rows.extend(held.unsent.iter().cloned());
        rows
    }
}

/// Whether this person gave the answer that is held at a terminal, in an earlier process.
fn is_own(held: &HeldResponse) -> bool {
    let me = actor(outcome::Surface::Terminal)
        .name
        .map(|name| name.to_string());
    held.surface == SurfaceName::Terminal && held.identity.is_none() && held.answered_by == me
}

fn open_code(end: &End) -> u8 {
    if *end == End::Detached {
        DETACHED
    } else {
        STILL_OPEN
    }
}
