//! `askback ask --durable`: the question waits in the store, and so does what is typed. Whoever is
//! first answers it, here or elsewhere.

use std::os::unix::net::UnixStream;
use std::time::Duration;

use anyhow::Context as _;
use askback_client::{Client, ClientError};
use askback_core::answer::Answers;
use askback_core::draft::Draft;
use askback_core::inquiry::Inquiry;
use askback_core::outcome::{Outcome, Undelivered};
use askback_tui::clock::today;
use askback_tui::deadline::Deadline;
use askback_tui::ended::{self, Whose};
use askback_tui::line::LinePrompt;
use askback_tui::prompt::{End, Kept, Prompt};
use askback_tui::reply::{Reply, Target};
use askback_tui::row::Row;
use askback_tui::session::{Finish, Session};
use askback_tui::surface::Surface;
use askback_wire::inquiry::{InquiryResponse, NewInquiryParams};
use askback_wire::outcome::OutcomeResponse;
use askback_wire::problem::ProblemCode;
use askback_wire::question::QuestionResponse;

use super::{
    CANCELLED, DECLINED, DETACHED, EXPIRED, REJECTED, STILL_OPEN, Waiting, asker, say_nobody,
};
use crate::args::AskArgs;
use crate::command::look::Look;
use crate::command::office::Office;
use crate::command::post::{deadline, key, terminal_client};
use crate::command::reply::{self, First, Undo};
use crate::connect::{Connection, Model};
use crate::failure::Failure;
use crate::runtime;

/// For how long a wait without end is made at once.
const LONG: Duration = Duration::from_hours(1);
/// How long a reply waits for a server that is gone.
const SENT: Duration = Duration::from_secs(30);
/// How long an answer of somebody else may be held before it takes effect.
const HELD: Duration = Duration::from_secs(65);
/// How long the server may take to close a question whose time is over.
const CLOSED: Duration = Duration::from_secs(5);

pub(super) fn run(
    args: &AskArgs,
    look: &Look,
    text: &str,
    inquiry: &Inquiry,
) -> Result<(), Failure> {
    let runtime = runtime::start()?;
    let connection = runtime.block_on(Connection::open(&args.connect, Model::OrNone))?;
    let client = terminal_client(&connection);
    let embedded = runtime.block_on(connection.is_embedded());
    let asked = runtime.block_on(ask(&client, args, text, inquiry));
    let done = asked.and_then(|asked| {
        let link = (!embedded).then(|| link(&client, &asked));
        let desk = Desk {
            runtime: &runtime,
            client,
            args,
            look,
            inquiry,
            asked,
            link,
        };
        desk.serve()
    });
    runtime.block_on(connection.close())?;
    done
}

fn link(client: &Client, asked: &InquiryResponse) -> String {
    format!("{}/q/{}", client.base_url().trim_end_matches('/'), asked.id)
}

/// A new question, or the one that was asked with the same key. Another process's question is never
/// taken for ours because it reads the same.
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
        idempotency_key: Some(args.key.clone().unwrap_or_else(key)),
        expires_in: args.expires_in,
        ..NewInquiryParams::default()
    };
    let asked = client.ask(&params).await;
    let Some(key) = &args.key else {
        return asked.map_err(failure);
    };
    let asked = match asked {
        Err(ClientError::Problem(problem))
            if problem.known_code() == Some(ProblemCode::IdempotencyMismatch) =>
        {
            return Err(used_otherwise(key));
        }
        asked => asked.map_err(failure)?,
    };
    // The reply to a key that was used before may be as old as the question.
    let found = client.inquiry(&asked.id).await.map_err(failure)?;
    let questions: Vec<QuestionResponse> = inquiry.questions().iter().map(Into::into).collect();
    // Nothing of what was asked is left where the conversation was deleted.
    let is_same = found.questions.is_empty() || found.questions == questions;
    if found.dialect != inquiry.dialect().name() || !is_same {
        return Err(used_otherwise(key));
    }
    Ok(found)
}

fn used_otherwise(key: &str) -> Failure {
    Failure::Refused(format!(
        "The key {key} was used for another question. Choose another key, or ask the same question with \
         the same --source and --expires-in."
    ))
}

fn failure(error: ClientError) -> Failure {
    match error {
        ClientError::Problem(problem) => Failure::Refused(problem.to_string()),
        other @ (ClientError::Transport(_) | ClientError::Decode(_)) => {
            Failure::Broken(other.into())
        }
    }
}

/// Everything that serves one question.
struct Desk<'a> {
    runtime: &'a tokio::runtime::Runtime,
    client: Client,
    args: &'a AskArgs,
    look: &'a Look,
    inquiry: &'a Inquiry,
    asked: InquiryResponse,
    link: Option<String>,
}

impl Desk<'_> {
    fn serve(self) -> Result<(), Failure> {
        if self.asked.status.is_resolved() {
            return self.tell(&self.asked);
        }
        match self.look.surface() {
            Surface::Nobody if self.args.wait => self.wait(),
            Surface::Nobody => {
                let waiting = Waiting {
                    id: self.asked.id.to_string(),
                    link: self.link.clone(),
                };
                let asker = asker(self.args, self.inquiry);
                say_nobody(self.look, self.inquiry, asker.as_deref(), Some(&waiting))?;
                Err(Failure::Ended(STILL_OPEN))
            }
            surface @ (Surface::Lines | Surface::Frames) => {
                let handle = self.runtime.handle();
                let office = Office::open(handle, &self.client, &self.asked);
                let (mut office, wake) = office?;
                let done = if surface == Surface::Lines {
                    self.lines(&mut office, wake)
                } else {
                    self.frames(&mut office, wake)
                };
                self.runtime.block_on(office.close());
                done
            }
        }
    }

    /// Waits until somebody answers elsewhere.
    fn wait(self) -> Result<(), Failure> {
        let found = self.runtime.block_on(async {
            loop {
                let found = self.client.wait_for_inquiry(&self.asked.id, LONG).await?;
                if found.status.is_resolved() {
                    return Ok(found);
                }
            }
        });
        self.tell(&found.map_err(failure)?)
    }

    fn draft(&self) -> Option<Draft> {
        let draft = reply::draft(&self.client, &self.asked.id);
        self.runtime.block_on(draft)
    }

    fn lines(&self, office: &mut Office, wake: UnixStream) -> Result<(), Failure> {
        let deadline = deadline(self.look.clock, &self.asked);
        self.ask_lines((self.draft(), deadline), office, wake)
    }

    fn ask_lines(
        &self,
        (draft, deadline): (Option<Draft>, Option<Deadline>),
        office: &mut Office,
        wake: UnixStream,
    ) -> Result<(), Failure> {
        let prompt = LinePrompt::new(self.inquiry.clone(), draft, self.look.locale, today());
        let mut prompt = prompt
            .kept(Kept::InStore)
            .asked_by(asker(self.args, self.inquiry))
            .until(deadline);
        let mut lines = self.look.lines(Some(wake))?;
        let finish = self.look.ask_lines(&mut lines, &mut prompt, office);
        let elsewhere = self.runtime.block_on(office.settle());
        let finish = finish?;
        if let (Finish::Elsewhere, Some(found)) = (&finish, elsewhere) {
            let mut rows = self.rows(&found, Whose::Others);
            rows.extend(prompt.unsent());
            super::say_rows(&lines, &rows)?;
            return self.tell(&found);
        }
        let end = super::ended(finish)?;
        let Some((found, whose)) = self.send(&end)? else {
            super::say_rows(&lines, &self.open_rows())?;
            return Err(Failure::Ended(open_code(&end)));
        };
        // An answer of ours was said back already.
        if whose == Whose::Others || !matches!(end, End::Answered(_)) {
            super::say_rows(&lines, &self.rows(&found, whose))?;
        }
        self.tell(&found)
    }

    fn frames(&self, office: &mut Office, wake: UnixStream) -> Result<(), Failure> {
        let mut options = self.look.options(asker(self.args, self.inquiry));
        options.kept = Kept::InStore;
        options.link.clone_from(&self.link);
        options.draft = self.draft();
        options.deadline = deadline(self.look.clock, &self.asked);
        let mut prompt = Prompt::new(self.inquiry.clone(), options);
        let woken = wake.try_clone()?;
        let mut session = Session::open(
            self.look.tty()?,
            self.look.setup(),
            Some(woken),
            self.look.clock,
        )
        .context("cannot use the terminal")?;
        let finish = session.run(&mut prompt, office);
        if matches!(finish, Ok(Finish::TooSmall)) {
            session.close(&[]).context("the terminal failed")?;
            let left = (Some(prompt.draft().clone()), prompt.deadline().copied());
            return self.ask_lines(left, office, wake);
        }
        // The last of what was typed is stored before anything else happens.
        let elsewhere = self.runtime.block_on(office.settle());
        let finish = finish.context("the terminal failed")?;
        if let (Finish::Elsewhere, Some(found)) = (&finish, elsewhere) {
            let mut rows = self.rows(&found, Whose::Others);
            rows.extend(prompt.unsent());
            session.close(&rows).context("the terminal failed")?;
            return self.tell(&found);
        }
        let end = super::ended(finish)?;
        let Some((found, whose)) = self.send(&end)? else {
            session
                .close(&self.open_rows())
                .context("the terminal failed")?;
            return Err(Failure::Ended(open_code(&end)));
        };
        let mut rows = self.rows(&found, whose);
        if whose == Whose::Others {
            rows.extend(prompt.unsent());
        }
        session.close(&rows).context("the terminal failed")?;
        self.tell(&found)
    }

    /// Sends how the prompt ended. Gives the inquiry with its outcome and whose that is, or nothing
    /// if it stays open.
    fn send(&self, end: &End) -> Result<Option<(InquiryResponse, Whose)>, Failure> {
        let id = &self.asked.id;
        let Some(reply) = Reply::of(end.clone()) else {
            if *end != End::Expired {
                return Ok(None);
            }
            let found = self.client.wait_for_inquiry(id, CLOSED);
            let found = self.runtime.block_on(found).map_err(failure)?;
            return Ok(found.status.is_resolved().then_some((found, Whose::Others)));
        };
        let target = Target::from(&self.asked);
        let sent = self.runtime.block_on(async {
            let sent = reply::send(&self.client, &target, &reply, Undo::NEVER);
            tokio::time::timeout(SENT, sent).await
        });
        let Ok(sent) = sent else {
            let refusal =
                "The server cannot be reached: nothing was sent. The question stays open.";
            return Err(Failure::Refused(refusal.to_owned()));
        };
        // What others said is the outcome, once it can no longer be taken back.
        let (whose, patience) = match sent.map_err(failure)? {
            First::We => (Whose::Ours, CLOSED),
            First::Others => (Whose::Others, HELD),
        };
        let found = self.client.wait_for_inquiry(id, patience);
        let found = self.runtime.block_on(found).map_err(failure)?;
        Ok(Some((found, whose)))
    }

    /// Lines for a question that stays open.
    fn open_rows(&self) -> Vec<Row> {
        let command = format!("askback answer {}", self.asked.id);
        let name = self
            .inquiry
            .questions()
            .first()
            .and_then(|question| question.header.as_ref());
        let name = name.map_or_else(
            || self.look.locale.text("question-unnamed", &[]),
            ToString::to_string,
        );
        let args = [("name", name.into()), ("command", command.into())];
        let words = self.look.locale.text("detached", &args);
        vec![Row::new().with(words, askback_tui::row::Ink::Plain)]
    }

    fn rows(&self, found: &InquiryResponse, whose: Whose) -> Vec<Row> {
        ended::lines(self.look.locale, &self.look.glyphs, found, whose)
    }

    /// Prints the outcome and gives the exit code.
    fn tell(&self, found: &InquiryResponse) -> Result<(), Failure> {
        let Some(outcome) = outcome(found) else {
            return Err(Failure::Ended(STILL_OPEN));
        };
        super::print_outcome(self.args, self.inquiry, &outcome)?;
        match outcome {
            Outcome::Answered { .. } | Outcome::Superseded { .. } => Ok(()),
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

/// The outcome as the domain has it.
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
            reason: Undelivered::default(),
        },
        OutcomeResponse::Unknown => return None,
    })
}
