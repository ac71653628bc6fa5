//! `askback answer`: answers a question from a script.

use std::io::Write as _;

use anyhow::Context as _;
use askback_api::client::ClientError;
use askback_api::inquiry::{InquiryResponse, InquiryStatus};
use askback_api::question::QuestionResponse;
use askback_api::respond::{AnswerParams, CancelParams, DeclineParams};
use askback_core::id::InquiryId;
use serde_json::{Value, json};

use crate::args::AnswerArgs;
use crate::connect::{Connection, Model};
use crate::failure::Failure;
use crate::input::read_json;
use crate::runtime;

pub(crate) fn run(args: &AnswerArgs) -> Result<(), Failure> {
    let json = args.json.as_deref().map(read_json).transpose()?;
    let answered = runtime::block_on(async {
        let connection = Connection::open(&args.connect, Model::OrNone).await?;
        let outcome = answer(&connection, args, json).await;
        connection.close().await?;
        Ok(outcome)
    })?;
    match answered {
        Ok(inquiry) => {
            let line = serde_json::to_string(&inquiry).context("cannot write the inquiry")?;
            writeln!(std::io::stdout().lock(), "{line}")?;
            Ok(())
        }
        Err(ClientError::Problem(problem)) => Err(Failure::Refused(refusal(&problem))),
        Err(error) => Err(Failure::Broken(error.into())),
    }
}

async fn answer(
    connection: &Connection,
    args: &AnswerArgs,
    json: Option<Value>,
) -> Result<InquiryResponse, ClientError> {
    let client = &connection.client;
    let id = InquiryId::new(args.id.as_str());
    if args.decline {
        return client.decline_inquiry(&id, &DeclineParams::default()).await;
    }
    if args.cancel {
        return client.cancel_inquiry(&id, &CancelParams::default()).await;
    }
    let answers = match json {
        Some(answers) => answers,
        None => from_flags(args, &client.inquiry(&id).await?.questions),
    };
    let notes = args.note.as_ref().map(|note| json!({ "q1": note }));
    let params = AnswerParams {
        answers,
        notes,
        ..AnswerParams::default()
    };
    client.answer(&id, &params).await
}

/// The answers that flags give: choices and text for the first question, or one choice for each.
fn from_flags(args: &AnswerArgs, questions: &[QuestionResponse]) -> Value {
    if questions.len() > 1 && args.choose.len() == questions.len() && args.text.is_none() {
        let answers = questions.iter().zip(&args.choose);
        return answers
            .map(|(question, choice)| (question.id.to_string(), json!(choice)))
            .collect();
    }
    let answer = match (args.choose.as_slice(), &args.text) {
        ([], None) => Value::Null,
        ([], Some(text)) => json!(text),
        (choices, None) => json!({ "values": choices }),
        (choices, Some(text)) => json!({ "values": choices, "other": text }),
    };
    json!({ "q1": answer })
}

/// What a person does about a refusal: each misfit on its own line, and who was first.
fn refusal(problem: &askback_api::problem::ProblemResponse) -> String {
    let mut lines = vec![problem.to_string()];
    lines.extend(
        problem
            .errors
            .iter()
            .skip(1)
            .map(|error| error.message.clone()),
    );
    if let Some(winner) = &problem.winner {
        let who = winner.answered_by.as_deref().unwrap_or("somebody");
        let surface = winner
            .surface
            .as_ref()
            .map(|surface| format!(" from {surface}"));
        // What can still be taken back leaves the question pending.
        let done = if winner.status == InquiryStatus::Pending {
            "given".to_owned()
        } else {
            winner.status.to_string()
        };
        lines.push(format!(
            "It was {done} by {who}{}.",
            surface.unwrap_or_default()
        ));
    }
    lines.join("\n")
}
