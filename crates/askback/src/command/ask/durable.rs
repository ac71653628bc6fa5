//! `askback ask --durable`: the question waits in the store, and so does what is typed. Whoever is
//! first answers it, here or elsewhere.

use std::os::unix::net::UnixStream;
use std::time::Duration;

use anyhow::Context as _;
use askback_api::client::{Client, ClientError};
use askback_api::draft::DraftParams;
use askback_api::inquiry::{InquiryResponse, InquiryStatus, NewInquiryParams};
use askback_api::list::ListInquiriesParams;
use askback_api::outcome::OutcomeResponse;
use askback_api::question::QuestionResponse;
use askback_api::respond::{AnswerParams, CancelParams, RejectParams};

use askback_core::answer::Answers;
use askback_core::draft::Draft;
use askback_core::inquiry::Inquiry;
use askback_core::outcome::{self, Outcome};
use askback_tui::clock::today;
use askback_tui::ended::{self, Whose};
use askback_tui::line::LinePrompt;
use askback_tui::prompt::{End, Kept, Prompt};
use askback_tui::row::Row;
use askback_tui::session::{Finish, Session};
use askback_tui::surface::Surface;

use super::office::Office;
use super::{CANCELLED, DETACHED, EXPIRED, REJECTED, STILL_OPEN, Waiting, asker, say_nobody};
use crate::args::AskArgs;
use crate::command::look::Look;
use crate::command::post::{deadline, key};
use crate::connect::{self, Connection, Model};
use crate::failure::Failure;
use crate::runtime;

/// For how long a wait without end is made at once.
pub(super) const LONG: Duration = Duration::from_hours(1);

pub(super) fn run(
    args: &AskArgs,
    look: &Look,
    text: &str,
    inquiry: &Inquiry,
) -> Result<(), Failure> {
    let runtime = runtime::start()?;
    let connection = runtime.block_on(Connection::open(&args.connect, Model::OrNone))?;
    let client = connection
        .client
        .clone()
        .acting_as(&connect::actor(outcome::Surface::Terminal));
    let asked = runtime.block_on(ask(&client, args, text, inquiry));
    let done = asked.and_then(|asked| {
        let link = (!connection.is_carried()).then(|| link(&client, &asked));
        let desk = Desk {
            runtime: &runtime,
            client: client.clone(),
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

/// The question of an earlier prompt that waits still, or a new one.
async fn ask(
    client: &Client,
    args: &AskArgs,
    text: &str,
    inquiry: &Inquiry,
) -> Result<InquiryResponse, Failure> {
    let questions: Vec<QuestionResponse> = inquiry.questions().iter().map(Into::into).collect();
    let source = asker(args, inquiry);
    let pending = ListInquiriesParams {
        status: Some(InquiryStatus::Pending),
        limit: Some(200),
        ..ListInquiriesParams::default()
    };
    let waiting = client.inquiries(&pending).await.map_err(failure)?;
    let same = |found: &InquiryResponse| {
        found.dialect == inquiry.dialect().name()
            && found.questions == questions
            && found.source == source
    };
    if let Some(found) = waiting.items.into_iter().find(same) {
        return Ok(found);
    }
    let input = serde_json::from_str(text).context("the input is not JSON")?;
    let params = NewInquiryParams {
        dialect: Some(inquiry.dialect().name().to_owned()),
        input,
        source,
        idempotency_key: Some(key()),
        expires_in: args.expires_in,
        ..NewInquiryParams::default()
    };
    client.ask(&params).await.map_err(failure)
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
pub(super) struct Desk<'a> {
    pub(super) runtime: &'a tokio::runtime::Runtime,
    pub(super) client: Client,
    args: &'a AskArgs,
    look: &'a Look,
    inquiry: &'a Inquiry,
    pub(super) asked: InquiryResponse,
    link: Option<String>,
}

impl Desk<'_> {
    fn serve(self) -> Result<(), Failure> {
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
            Surface::Lines => self.lines(),
            Surface::Frames => self.frames(),
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

    fn lines(self) -> Result<(), Failure> {
        let draft = self.draft();
        let prompt = LinePrompt::new(self.inquiry.clone(), draft, self.look.locale, today());
        let prompt = prompt.asked_by(asker(self.args, self.inquiry));
        let (end, prompt) = self.look.run_lines(prompt)?;
        if end == End::Kept {
            let params = DraftParams {
                draft: prompt.draft().clone(),
                revision: Some(self.asked.revision),
            };
            self.runtime
                .block_on(self.client.put_draft(&self.asked.id, &params))
                .map_err(failure)?;
        }
        match self.send(&end)? {
            Some(found) => self.tell(&found),
            None => Err(Failure::Ended(open_code(&end))),
        }
    }

    fn draft(&self) -> Option<Draft> {
        let found = self.runtime.block_on(self.client.draft(&self.asked.id));
        found.ok().and_then(|found| found.draft)
    }

    fn frames(self) -> Result<(), Failure> {
        let mut options = self.look.options(asker(self.args, self.inquiry));
        options.kept = Kept::InStore;
        options.link.clone_from(&self.link);
        options.draft = self.draft();
        options.deadline = deadline(self.look.clock, &self.asked);
        let mut prompt = Prompt::new(self.inquiry.clone(), options);
        let (wake, waker) = UnixStream::pair()?;
        let (mut office, saved) = Office::open(&self, waker);
        let mut session = Session::open(
            self.look.tty()?,
            self.look.setup(),
            Some(wake),
            self.look.clock,
        )
        .context("cannot use the terminal")?;
        let finish = session
            .run(&mut prompt, &mut office)
            .context("the terminal failed")?;
        let elsewhere = office.over.take();
        drop(office);
        // The last of what was typed is stored before anything else happens.
        self.runtime
            .block_on(saved)
            .context("the draft could not be stored")?;
        if let (Finish::Elsewhere, Some(found)) = (&finish, elsewhere) {
            session
                .close(&self.rows(&found, Whose::Others))
                .context("the terminal failed")?;
            return self.tell(&found);
        }
        if finish == Finish::TooSmall {
            session.close(&[]).context("the terminal failed")?;
            return self.lines();
        }
        let end = super::ended(finish)?;
        let found = self.send(&end)?;
        let Some(found) = found else {
            let command = format!("askback answer {}", self.asked.id);
            session
                .close(&self.open_rows(&command))
                .context("the terminal failed")?;
            return Err(Failure::Ended(open_code(&end)));
        };
        let ours = matches!((&found.surface, &end), (Some(surface), End::Answered(_))
            if surface.to_string() == "terminal");
        let whose = if ours { Whose::Ours } else { Whose::Others };
        session
            .close(&self.rows(&found, whose))
            .context("the terminal failed")?;
        self.tell(&found)
    }

    /// Sends how the prompt ended. Gives the inquiry with its outcome, or nothing if it stays open.
    fn send(&self, end: &End) -> Result<Option<InquiryResponse>, Failure> {
        let id = &self.asked.id;
        let sent = self.runtime.block_on(async {
            match end {
                End::Answered(answers) => {
                    let params = AnswerParams {
                        answers: answers.to_json(),
                        revision: Some(self.asked.revision),
                        idempotency_key: Some(key()),
                        ..AnswerParams::default()
                    };
                    self.client.answer(id, &params).await.map(Some)
                }
                End::Rejected => {
                    let params = RejectParams {
                        inquiry_id: Some(id.clone()),
                        ..RejectParams::default()
                    };
                    self.client
                        .reject(&self.asked.conversation_id, &params)
                        .await?;
                    self.client.inquiry(id).await.map(Some)
                }
                End::Cancelled => self
                    .client
                    .cancel_inquiry(id, &CancelParams::default())
                    .await
                    .map(Some),
                End::Expired => {
                    let found = self
                        .client
                        .wait_for_inquiry(id, Duration::from_secs(5))
                        .await?;
                    Ok(found.status.is_resolved().then_some(found))
                }
                End::Kept | End::Detached => Ok(None),
            }
        });
        match sent {
            // Somebody else was first: what they said is the outcome.
            Err(ClientError::Problem(problem)) if problem.winner.is_some() => {
                let found = self
                    .runtime
                    .block_on(self.client.inquiry(id))
                    .map_err(failure)?;
                Ok(Some(found))
            }
            sent => sent.map_err(failure),
        }
    }

    /// Lines for a question that stays open.
    fn open_rows(&self, command: &str) -> Vec<Row> {
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
            Outcome::Answered { .. } | Outcome::Superseded { .. } | Outcome::Declined => Ok(()),
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
            reason: outcome::Undelivered::default(),
        },
        OutcomeResponse::Unknown => return None,
    })
}
