//! `askback ask --durable`: question and draft are stored, and the first answer counts, whether it is
//! given here or elsewhere.

use std::os::unix::net::UnixStream;
use std::time::Duration;

use anyhow::Context as _;
use askback_client::{Client, ClientError};
use askback_core::answer::Answers;
use askback_core::draft::Draft;
use askback_core::inquiry::Inquiry;
use askback_core::outcome::{Outcome, UndeliverableReason};
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
use askback_wire::inquiry::{InquiryResponse, NewInquiryParams};
use askback_wire::outcome::OutcomeResponse;
use askback_wire::problem::ProblemCode;
use askback_wire::question::QuestionResponse;

use super::{
    CANCELLED, DECLINED, DETACHED, EXPIRED, NOT_YES, REJECTED, STILL_OPEN, UnaskedQuestion, asker,
    report_no_terminal,
};
use crate::args::AskArgs;
use crate::backend::reply::{self, SendResult, UndoWindow};
use crate::backend::{InquiryWatcher, deadline, new_key, terminal_client};
use crate::connect::{Connection, FallbackModel};
use crate::failure::Failure;
use crate::runtime;
use crate::terminal_options::TerminalOptions;

/// How long one request of --wait waits; it is repeated until the question is resolved.
const WAIT: Duration = Duration::from_hours(1);
/// How long a reply is retried while the server is unreachable.
const SEND_MAX: Duration = Duration::from_secs(30);
/// How long somebody else's answer may wait for the end of its undo window, which is 60 seconds at
/// most.
const UNDO_WINDOW_MAX: Duration = Duration::from_secs(65);
/// How long the server may take to record an outcome.
const RESOLVE_MAX: Duration = Duration::from_secs(5);

pub(super) fn run(
    args: &AskArgs,
    terminal: &TerminalOptions,
    text: &str,
    inquiry: &Inquiry,
) -> Result<(), Failure> {
    let runtime = runtime::start()?;
    let connection = runtime.block_on(Connection::open(&args.connect, FallbackModel::None))?;
    let client = terminal_client(&connection);
    let embedded = runtime.block_on(connection.is_embedded());
    let asked = runtime.block_on(ask(&client, args, text, inquiry));
    let done = asked.and_then(|asked| {
        let link = (!embedded).then(|| page(&client, &asked));
        let ask = DurableAsk {
            runtime: &runtime,
            client,
            args,
            terminal,
            inquiry,
            asked,
            link,
        };
        ask.run()
    });
    runtime.block_on(connection.close())?;
    done
}

fn page(client: &Client, asked: &InquiryResponse) -> String {
    format!("{}/q/{}", client.base_url().trim_end_matches('/'), asked.id)
}

/// Asks a new question, or returns the one asked with the same --key. Without a key, an equal question
/// of another process is never reused.
async fn ask(
    client: &Client,
    args: &AskArgs,
    text: &str,
    inquiry: &Inquiry,
) -> Result<InquiryResponse, Failure> {
    let params = NewInquiryParams {
        dialect: Some(inquiry.dialect().name().to_owned()),
        input: serde_json::from_str(text).context("the input is not JSON")?,
        source: asker(args, inquiry),
        idempotency_key: Some(args.key.clone().unwrap_or_else(new_key)),
        expires_in: args.expires_in,
        ..NewInquiryParams::default()
    };
    let asked = client.ask(&params).await;
    let Some(key) = &args.key else {
        return Ok(asked?);
    };
    let asked = match asked {
        Err(ClientError::Problem(problem))
            if problem.known_code() == Some(ProblemCode::IdempotencyMismatch) =>
        {
            return Err(key_in_use(key));
        }
        asked => asked?,
    };
    // The reply to a repeated key is the one from back then; read the present state.
    let found = client.inquiry(&asked.id).await?;
    let questions: Vec<QuestionResponse> = inquiry.questions().iter().map(Into::into).collect();
    // A deleted conversation keeps no questions.
    let is_same = found.questions.is_empty() || found.questions == questions;
    if found.dialect != inquiry.dialect().name() || !is_same {
        return Err(key_in_use(key));
    }
    Ok(found)
}

fn key_in_use(key: &str) -> Failure {
    Failure::Refused(format!(
        "The key {key} was used for another question. Choose another key, or ask the same question with \
         the same --source and --expires-in."
    ))
}

struct DurableAsk<'a> {
    runtime: &'a tokio::runtime::Runtime,
    client: Client,
    args: &'a AskArgs,
    terminal: &'a TerminalOptions,
    inquiry: &'a Inquiry,
    asked: InquiryResponse,
    link: Option<String>,
}

impl DurableAsk<'_> {
    fn run(self) -> Result<(), Failure> {
        if self.asked.status.is_resolved() {
            return self.report(&self.asked);
        }
        match self.terminal.display_mode() {
            DisplayMode::NonInteractive if self.args.wait => self.wait(),
            DisplayMode::NonInteractive => {
                let stored = UnaskedQuestion {
                    id: self.asked.id.to_string(),
                    answer_command: self.answer_command(),
                    link: self.link.clone(),
                };
                let asker = asker(self.args, self.inquiry);
                report_no_terminal(self.terminal, self.inquiry, asker.as_deref(), Some(&stored))?;
                Err(Failure::Ended(STILL_OPEN))
            }
            display_mode @ (DisplayMode::Lines | DisplayMode::Frames) => {
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
        }
    }

    /// Waits until the question is resolved elsewhere.
    fn wait(self) -> Result<(), Failure> {
        let found: Result<_, ClientError> = self.runtime.block_on(async {
            loop {
                let found = self.client.wait_for_inquiry(&self.asked.id, WAIT).await?;
                if found.status.is_resolved() {
                    return Ok(found);
                }
            }
        });
        self.report(&found?)
    }

    fn saved_draft(&self) -> Option<Draft> {
        let draft = reply::saved_draft(&self.client, &self.asked.id);
        self.runtime.block_on(draft)
    }

    fn run_lines(&self, watcher: &mut InquiryWatcher, wake: UnixStream) -> Result<(), Failure> {
        let deadline = deadline(self.terminal.clock, &self.asked);
        self.run_lines_from((self.saved_draft(), deadline), watcher, wake)
    }

    fn run_lines_from(
        &self,
        (draft, deadline): (Option<Draft>, Option<Deadline>),
        watcher: &mut InquiryWatcher,
        wake: UnixStream,
    ) -> Result<(), Failure> {
        let prompt = LinePrompt::new(self.inquiry.clone(), draft, self.terminal.locale, today());
        let mut prompt = prompt
            .persistence(Persistence::Durable)
            .asked_by(asker(self.args, self.inquiry))
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
            super::write_rows(&lines, &rows)?;
            return self.report(&found);
        }
        let end = super::prompt_end(finish)?;
        let Some((found, whose)) = self.send(&end)? else {
            super::write_rows(&lines, &self.open_rows())?;
            return Err(Failure::Ended(open_code(&end)));
        };
        // The prompt has shown its own answer already.
        if whose == AnsweredFrom::Elsewhere || !matches!(end, End::Answered(_)) {
            super::write_rows(&lines, &self.rows(&found, whose))?;
        }
        self.report(&found)
    }

    fn run_frames(&self, watcher: &mut InquiryWatcher, wake: UnixStream) -> Result<(), Failure> {
        let mut options = self.terminal.prompt_options(asker(self.args, self.inquiry));
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
            return self.report(&found);
        }
        let end = super::prompt_end(finish)?;
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
        self.report(&found)
    }

    /// Sends the reply. Returns the resolved inquiry and who resolved it, or none if it stays open.
    fn send(&self, end: &End) -> Result<Option<(InquiryResponse, AnsweredFrom)>, Failure> {
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

    fn answer_command(&self) -> String {
        let flags = self.args.connect.server_flags();
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

    /// Prints the outcome and returns the exit code.
    fn report(&self, found: &InquiryResponse) -> Result<(), Failure> {
        let Some(outcome) = outcome(found) else {
            return Err(Failure::Ended(STILL_OPEN));
        };
        super::print_outcome(self.args, self.inquiry, &outcome)?;
        match outcome {
            Outcome::Answered { answers } => {
                match super::answered_code(self.args, self.inquiry, &answers) {
                    0 => Ok(()),
                    code => Err(Failure::Ended(code)),
                }
            }
            Outcome::Superseded { .. } if self.args.kind.confirm => Err(Failure::Ended(NOT_YES)),
            Outcome::Superseded { .. } => Ok(()),
            Outcome::Declined => Err(Failure::Ended(DECLINED)),
            Outcome::Rejected => Err(Failure::Ended(REJECTED)),
            Outcome::Cancelled | Outcome::Withdrawn => Err(Failure::Ended(CANCELLED)),
            Outcome::Expired | Outcome::Undeliverable { .. } => Err(Failure::Ended(EXPIRED)),
        }
    }
}

fn open_code(end: &End) -> u8 {
    if *end == End::Detached {
        DETACHED
    } else {
        STILL_OPEN
    }
}

/// None for an outcome that a newer server added.
fn outcome(found: &InquiryResponse) -> Option<Outcome> {
    Some(match found.outcome.as_ref()? {
        OutcomeResponse::Answered { answers } => {
            let answers = serde_json::to_value(answers).ok()?;
            Outcome::Answered {
                answers: serde_json::from_value::<Answers>(answers).ok()?,
            }
        }
        OutcomeResponse::Superseded { message } => {
            use askback_core::text::{Lines, Text};
            Outcome::Superseded {
                message: Text::clean(message, Lines::Many)?,
            }
        }
        OutcomeResponse::Declined => Outcome::Declined,
        OutcomeResponse::Cancelled => Outcome::Cancelled,
        OutcomeResponse::Rejected => Outcome::Rejected,
        OutcomeResponse::Expired => Outcome::Expired,
        OutcomeResponse::Withdrawn => Outcome::Withdrawn,
        OutcomeResponse::Undeliverable { .. } => Outcome::Undeliverable {
            reason: UndeliverableReason::default(),
        },
        OutcomeResponse::Unknown => return None,
    })
}
