//! `askback ask --durable`: question and draft are stored, and the first answer counts, whether it is
//! given here or elsewhere.

use std::io::Write as _;
use std::time::Duration;

use anyhow::Context as _;
use askback_client::{Client, ClientError};
use askback_core::dialect::Dialect;
use askback_core::inquiry::Inquiry;
use askback_core::outcome::{Outcome, UndeliverableReason};
use askback_terminal::display_mode::DisplayMode;
use askback_wire::inquiry::{InquiryResponse, NewInquiryParams};
use askback_wire::outcome::{OutcomeResponse, to_answers};
use askback_wire::problem::ProblemCode;
use askback_wire::question::QuestionResponse;
use serde_json::Value;

use super::{STILL_OPEN, UnaskedQuestion, asker, asker_kind, report_no_terminal};
use crate::args::{AskArgs, UndoArgs};
use crate::backend::{UndoWindow, new_key, terminal_client};
use crate::command::stored_prompt::{StoredPrompt, page};
use crate::connect::with_server_and_runtime;
use crate::failure::Failure;
use crate::output;
use crate::terminal_options::TerminalOptions;

/// How long one request of --wait waits; it is repeated until the question is resolved.
const WAIT: Duration = Duration::from_hours(1);
pub(super) fn run(
    args: &AskArgs,
    terminal: &TerminalOptions,
    text: &str,
    inquiry: &Inquiry,
) -> Result<(), Failure> {
    with_server_and_runtime(&args.connect, |runtime, connection| {
        let client = terminal_client(connection);
        let embedded = runtime.block_on(connection.is_embedded());
        let asked = runtime.block_on(ask(&client, args, text, inquiry))?;
        if let Some(warning) = &asked.warning {
            writeln!(output::stderr(), "{warning}")?;
        }
        if asked.status.is_resolved() {
            return report(args, inquiry, &asked);
        }
        let prompt = StoredPrompt {
            runtime,
            server_flags: args.connect.server_flags(),
            terminal,
            inquiry,
            link: (!embedded).then(|| page(&client, &asked)),
            client,
            asked,
            undo: undo(args, terminal)?,
            asker_kind: asker_kind(args),
        };
        show(args, &prompt)
    })
}

/// Asks a new question, or returns the one asked with the same --key. Without a key, an equal question
/// of another process is never reused.
async fn ask(
    client: &Client,
    args: &AskArgs,
    text: &str,
    inquiry: &Inquiry,
) -> Result<InquiryResponse, Failure> {
    let input: Value = serde_json::from_str(text).context("the input is not JSON")?;
    let params = NewInquiryParams {
        source: asker(args, inquiry),
        key: Some(args.key.clone().unwrap_or_else(new_key)),
        expires_in: args.expires_in,
        recipient: args.to.clone(),
        private: args.private,
        ..as_sent(inquiry.dialect(), input)
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
    // The response to a repeated key is the one from back then; read the present state.
    let found = client.inquiry(&asked.id).await?;
    let questions: Vec<QuestionResponse> = inquiry.questions().iter().map(Into::into).collect();
    // A deleted conversation keeps no questions.
    let is_same = found.questions.is_empty() || found.questions == questions;
    if found.dialect != inquiry.dialect().name() || !is_same {
        return Err(key_in_use(key));
    }
    Ok(InquiryResponse {
        warning: asked.warning,
        ..found
    })
}

/// The questions as the API takes them.
fn as_sent(dialect: Dialect, mut input: Value) -> NewInquiryParams {
    if dialect == Dialect::Questions {
        return NewInquiryParams {
            questions: input["questions"].take(),
            ..NewInquiryParams::default()
        };
    }
    NewInquiryParams {
        dialect: Some(dialect.name().to_owned()),
        input,
        ..NewInquiryParams::default()
    }
}

fn key_in_use(key: &str) -> Failure {
    Failure::Refused(format!(
        "The key {key} was used for another question. Choose another key, or ask the same question with \
         the same --source and --expires-in."
    ))
}

/// Shows the question, or says where to answer it.
fn show(args: &AskArgs, prompt: &StoredPrompt<'_>) -> Result<(), Failure> {
    match prompt.terminal.display_mode() {
        DisplayMode::NonInteractive if prompt.asked.held.is_some() => wait(args, prompt),
        DisplayMode::NonInteractive => {
            let stored = UnaskedQuestion {
                asked: &prompt.asked,
                answer_command: prompt.answer_command(),
                link: prompt.link.as_deref(),
                is_awaited: args.wait,
            };
            report_no_terminal(prompt.terminal, Some(&stored))?;
            if args.wait {
                wait(args, prompt)
            } else {
                Err(Failure::Ended(STILL_OPEN))
            }
        }
        display_mode @ (DisplayMode::Lines | DisplayMode::Frames) => {
            let (found, _) = prompt.run(display_mode)?;
            report(args, prompt.inquiry, &found)
        }
    }
}

fn undo(args: &AskArgs, terminal: &TerminalOptions) -> Result<UndoWindow, Failure> {
    let config = args.connect.settings.config.as_deref();
    UndoWindow::choose(UndoArgs { undo: args.undo }, config, terminal)
}

/// Waits until the question is resolved elsewhere.
fn wait(args: &AskArgs, prompt: &StoredPrompt<'_>) -> Result<(), Failure> {
    let found: Result<_, ClientError> = prompt.runtime.block_on(async {
        loop {
            let waiting = prompt.client.wait_for_inquiry(&prompt.asked.id, WAIT);
            let found = waiting.await?;
            if found.status.is_resolved() {
                return Ok(found);
            }
        }
    });
    report(args, prompt.inquiry, &found?)
}

/// Prints the outcome and returns the exit code.
fn report(args: &AskArgs, inquiry: &Inquiry, found: &InquiryResponse) -> Result<(), Failure> {
    match outcome(found) {
        Some(outcome) => super::report(args, inquiry, &outcome),
        None => Err(Failure::Ended(STILL_OPEN)),
    }
}

/// None for an outcome that a newer server added.
fn outcome(found: &InquiryResponse) -> Option<Outcome> {
    Some(match found.outcome.as_ref()? {
        OutcomeResponse::Answered { answers } => Outcome::Answered {
            answers: to_answers(answers)?,
        },
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
