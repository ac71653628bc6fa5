//! The prompt for a stored question. The first answer counts, whether it is given here or elsewhere.

use std::os::unix::net::UnixStream;
use std::time::Duration;

use anyhow::Context as _;
use askback_client::Client;
use askback_core::draft::Draft;
use askback_core::inquiry::Inquiry;
use askback_terminal::clock::today;
use askback_terminal::display_mode::DisplayMode;
use askback_terminal::row::Row;
use askback_tui::answer_summary;
use askback_tui::deadline::Deadline;
use askback_tui::line::LinePrompt;
use askback_tui::outcome_lines::{self, AnsweredFrom};
use askback_tui::prompt::{End, Persistence, Prompt};
use askback_tui::reply::{InquiryReply, ReplyTarget};
use askback_tui::session::{PromptSession, SessionEnd};
use askback_wire::inquiry::InquiryResponse;

use super::ask::{DETACHED, STILL_OPEN, prompt_end, write_rows};
use crate::args::ConnectArgs;
use crate::backend::reply::{self, SendResult, UndoWindow};
use crate::backend::{InquiryWatcher, deadline};
use crate::failure::Failure;
use crate::terminal_options::TerminalOptions;

/// How long a reply is retried while the server is unreachable.
const SEND_MAX: Duration = Duration::from_secs(30);
/// How long somebody else's answer may wait for the end of its undo window, which is 60 seconds at
/// most.
const UNDO_WINDOW_MAX: Duration = Duration::from_secs(65);
/// How long the server may take to record an outcome.
const RESOLVE_MAX: Duration = Duration::from_secs(5);

/// The resolved inquiry, and where it was resolved.
type Resolved = (InquiryResponse, AnsweredFrom);

/// A pending question of the server, shown at this terminal.
pub(super) struct StoredPrompt<'a> {
    pub(super) runtime: &'a tokio::runtime::Runtime,
    pub(super) client: Client,
    pub(super) connect: &'a ConnectArgs,
    pub(super) terminal: &'a TerminalOptions,
    pub(super) inquiry: &'a Inquiry,
    pub(super) asker: Option<String>,
    pub(super) asked: InquiryResponse,
    /// Its page; none if the server ends with this process.
    pub(super) link: Option<String>,
}

/// The address of the page of a question.
pub(super) fn page(client: &Client, asked: &InquiryResponse) -> String {
    format!("{}/q/{}", client.base_url().trim_end_matches('/'), asked.id)
}

impl StoredPrompt<'_> {
    /// Shows the question until it is resolved, here or elsewhere. Fails with the exit code if it stays
    /// open.
    pub(super) fn run(&self, display_mode: DisplayMode) -> Result<Resolved, Failure> {
        let handle = self.runtime.handle();
        let (mut watcher, wake) = InquiryWatcher::start(handle, &self.client, &self.asked)?;
        let done = if display_mode == DisplayMode::Lines {
            self.run_lines(&mut watcher, wake)
        } else {
            self.run_frames(&mut watcher, wake)
        };
        self.runtime.block_on(watcher.close());
        done
    }

    fn saved_draft(&self) -> Option<Draft> {
        let draft = reply::saved_draft(&self.client, &self.asked.id);
        self.runtime.block_on(draft)
    }

    fn run_lines(
        &self,
        watcher: &mut InquiryWatcher,
        wake: UnixStream,
    ) -> Result<Resolved, Failure> {
        let deadline = deadline(self.terminal.clock, &self.asked);
        self.run_lines_from((self.saved_draft(), deadline), watcher, wake)
    }

    fn run_lines_from(
        &self,
        (draft, deadline): (Option<Draft>, Option<Deadline>),
        watcher: &mut InquiryWatcher,
        wake: UnixStream,
    ) -> Result<Resolved, Failure> {
        let prompt = LinePrompt::new(self.inquiry.clone(), draft, self.terminal.locale, today());
        let mut prompt = prompt
            .persistence(Persistence::Durable)
            .asked_by(self.asker.clone())
            .until(deadline);
        let mut lines = self.terminal.open_lines(Some(wake))?;
        let finish = self
            .terminal
            .run_line_prompt(&mut lines, &mut prompt, watcher);
        let elsewhere = self.runtime.block_on(watcher.save_last_draft());
        let finish = finish?;
        if let (SessionEnd::EndedElsewhere, Some(found)) = (&finish, elsewhere) {
            let mut rows = self.rows(&found, AnsweredFrom::Elsewhere);
            rows.extend(prompt.unsent());
            write_rows(&lines, &rows)?;
            return Ok((found, AnsweredFrom::Elsewhere));
        }
        let end = prompt_end(finish)?;
        let Some((found, whose)) = self.send(&end)? else {
            write_rows(&lines, &self.open_rows())?;
            return Err(Failure::Ended(open_code(&end)));
        };
        // The prompt has shown its own answer already.
        if whose == AnsweredFrom::Elsewhere || !matches!(end, End::Answered(_)) {
            write_rows(&lines, &self.rows(&found, whose))?;
        }
        Ok((found, whose))
    }

    fn run_frames(
        &self,
        watcher: &mut InquiryWatcher,
        wake: UnixStream,
    ) -> Result<Resolved, Failure> {
        let mut options = self.terminal.prompt_options(self.asker.clone());
        options.persistence = Persistence::Durable;
        options.link.clone_from(&self.link);
        options.draft = self.saved_draft();
        options.deadline = deadline(self.terminal.clock, &self.asked);
        let mut prompt = Prompt::new(self.inquiry.clone(), options);
        let woken = wake.try_clone()?;
        let mut session = PromptSession::open(
            self.terminal.tty()?,
            self.terminal.setup(),
            Some(woken),
            self.terminal.clock,
        )
        .context("cannot use the terminal")?;
        let finish = session.run(&mut prompt, watcher);
        if matches!(finish, Ok(SessionEnd::TooSmall)) {
            session.close(&[]).context("the terminal failed")?;
            let left = (Some(prompt.draft().clone()), prompt.deadline().copied());
            return self.run_lines_from(left, watcher, wake);
        }
        // Saved first, so that the draft survives whatever follows.
        let elsewhere = self.runtime.block_on(watcher.save_last_draft());
        let finish = finish.context("the terminal failed")?;
        if let (SessionEnd::EndedElsewhere, Some(found)) = (&finish, elsewhere) {
            let mut rows = self.rows(&found, AnsweredFrom::Elsewhere);
            rows.extend(prompt.unsent());
            session.close(&rows).context("the terminal failed")?;
            return Ok((found, AnsweredFrom::Elsewhere));
        }
        let end = prompt_end(finish)?;
        let Some((found, whose)) = self.send(&end)? else {
            session
                .close(&self.open_rows())
                .context("the terminal failed")?;
            return Err(Failure::Ended(open_code(&end)));
        };
        let mut rows = self.rows(&found, whose);
        if whose == AnsweredFrom::Elsewhere {
            rows.extend(prompt.unsent());
        }
        session.close(&rows).context("the terminal failed")?;
        Ok((found, whose))
    }

    /// Sends the reply. Returns the resolved inquiry and who resolved it, or none if it stays open.
    fn send(&self, end: &End) -> Result<Option<Resolved>, Failure> {
        let id = &self.asked.id;
        let Some(reply) = InquiryReply::of(end.clone()) else {
            if *end != End::Expired {
                return Ok(None);
            }
            let found = self.client.wait_for_inquiry(id, RESOLVE_MAX);
            let found = self.runtime.block_on(found)?;
            return Ok(found
                .status
                .is_resolved()
                .then_some((found, AnsweredFrom::Elsewhere)));
        };
        let target = ReplyTarget::from(&self.asked);
        let sent = self.runtime.block_on(async {
            let sent = reply::send(&self.client, &target, &reply, UndoWindow::NONE);
            tokio::time::timeout(SEND_MAX, sent).await
        });
        let Ok(sent) = sent else {
            let refusal =
                "The server cannot be reached. Nothing was sent, and the question stays open.";
            return Err(Failure::Refused(refusal.to_owned()));
        };
        // Somebody else's answer is the outcome once it can no longer be undone.
        let (whose, wait_max) = match sent? {
            SendResult::Accepted => (AnsweredFrom::Here, RESOLVE_MAX),
            SendResult::AlreadyResolved => (AnsweredFrom::Elsewhere, UNDO_WINDOW_MAX),
        };
        let found = self.client.wait_for_inquiry(id, wait_max);
        let found = self.runtime.block_on(found)?;
        Ok(Some((found, whose)))
    }

    pub(super) fn answer_command(&self) -> String {
        let flags = self.connect.server_flags();
        format!("askback answer {}{flags}", self.asked.id)
    }

    fn open_rows(&self) -> Vec<Row> {
        let command = self.answer_command();
        let more = self.terminal.glyphs.more;
        let first = self.inquiry.questions().first();
        let name = first.map(|question| answer_summary::name(question, more));
        let name = name.unwrap_or_default();
        let args = [("name", name.into()), ("command", command.into())];
        let words = self.terminal.locale.text("detached", &args);
        vec![Row::new().with(words, askback_terminal::row::Style::Plain)]
    }

    fn rows(&self, found: &InquiryResponse, whose: AnsweredFrom) -> Vec<Row> {
        outcome_lines::lines(self.terminal.locale, &self.terminal.glyphs, found, whose)
    }
}

fn open_code(end: &End) -> u8 {
    if *end == End::Detached {
        DETACHED
    } else {
        STILL_OPEN
    }
}
