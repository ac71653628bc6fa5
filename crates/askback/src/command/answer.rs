//! `askback answer`: answers a question from a script.

use std::io::Write as _;

use anyhow::Context as _;
use askback_client::ClientError;
use askback_wire::inquiry::{InquiryResponse, InquiryStatus};
use askback_wire::question::{ChoiceResponse, QuestionKind, QuestionResponse};
use askback_wire::respond::{AnswerParams, CancelParams, DeclineParams};
use serde_json::{Value, json};

use super::inquiry_id::complete_inquiry_id;
use crate::args::AnswerArgs;
use crate::backend::new_key;
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
    let line = serde_json::to_string(&answered?).context("cannot write the inquiry")?;
    writeln!(std::io::stdout().lock(), "{line}")?;
    Ok(())
}

async fn answer(
    connection: &Connection,
    args: &AnswerArgs,
    json: Option<Value>,
) -> Result<InquiryResponse, Failure> {
    let client = &connection.client;
    let id = complete_inquiry_id(client, &args.id).await?;
    if args.decline {
        let params = DeclineParams {
            idempotency_key: Some(new_key()),
            ..DeclineParams::default()
        };
        return client.decline_inquiry(&id, &params).await.map_err(failure);
    }
    if args.cancel {
        let params = CancelParams {
            idempotency_key: Some(new_key()),
            ..CancelParams::default()
        };
        return client.cancel_inquiry(&id, &params).await.map_err(failure);
    }
    let asked = client.inquiry(&id).await.map_err(failure)?;
    let answers = match json {
        Some(answers) => answers,
        None => from_flags(args, &asked.questions)?,
    };
    // A question that has its outcome is refused for that, whatever is missing.
    if !args.partial && !asked.status.is_resolved() {
        refuse_partial(&answers, &asked.questions)?;
    }
    let notes = args.note.as_ref().map(|note| json!({ "q1": note }));
    let params = AnswerParams {
        answers,
        notes,
        revision: Some(asked.revision),
        idempotency_key: Some(new_key()),
        ..AnswerParams::default()
    };
    client.answer(&id, &params).await.map_err(failure)
}

/// The answers that flags give: to one question all of them, to several one each, in their order.
fn from_flags(args: &AnswerArgs, questions: &[QuestionResponse]) -> Result<Value, Failure> {
    let [only] = questions else {
        return one_each(args, questions);
    };
    let choices: Vec<&str> = args.choose.iter().map(|text| choice(only, text)).collect();
    let answer = match (choices.as_slice(), &args.text) {
        ([], None) => Value::Null,
        ([], Some(text)) => json!(text),
        (choices, None) => json!({ "values": choices }),
        (choices, Some(text)) => json!({ "values": choices, "other": text }),
    };
    Ok(json!({ "q1": answer }))
}

/// One answer for each of several questions, in their order. `--choose` names a choice where there are
/// any: a word that is none is refused, and never taken for an own answer.
fn one_each(args: &AnswerArgs, questions: &[QuestionResponse]) -> Result<Value, Failure> {
    let chosen = args.choose.iter().map(|text| (text, true));
    let given: Vec<_> = chosen
        .chain(args.text.iter().map(|text| (text, false)))
        .collect();
    if given.len() > questions.len() {
        let count = questions.len();
        return Err(Failure::Refused(format!(
            "There are {count} questions: give one answer for each, in their order, or use --json."
        )));
    }
    let answers = questions
        .iter()
        .zip(given)
        .map(|(question, (text, choose))| {
            let has_choices = matches!(question.kind, QuestionKind::Choice { .. });
            let answer = if choose && has_choices {
                json!({ "values": [choice(question, text)] })
            } else {
                json!(text)
            };
            (question.id.to_string(), answer)
        });
    Ok(answers.collect())
}

/// The value of the choice that is meant: exactly as it is written, or in another case if only one
/// choice fits. What fits none is sent as it is, and refused with the list of choices.
fn choice<'a>(question: &'a QuestionResponse, text: &'a str) -> &'a str {
    let QuestionKind::Choice { choices, .. } = &question.kind else {
        return text;
    };
    let word = text.trim();
    if choices
        .iter()
        .any(|known| known.value == word || known.label == word)
    {
        return text;
    }
    let same = |known: &str| known.to_lowercase() == word.to_lowercase();
    let fits = |known: &&ChoiceResponse| same(&known.value) || same(&known.label);
    let mut fitting = choices.iter().filter(fits);
    match (fitting.next(), fitting.next()) {
        (Some(only), None) => &only.value,
        (Some(_) | None, _) => text,
    }
}

/// Of several questions none is left unanswered without being told to.
fn refuse_partial(answers: &Value, questions: &[QuestionResponse]) -> Result<(), Failure> {
    let Value::Object(given) = answers else {
        return Ok(());
    };
    let left = |question: &&QuestionResponse| {
        let given = given.get(question.id.as_str());
        given.is_none_or(Value::is_null)
    };
    let left: Vec<String> = questions
        .iter()
        .filter(left)
        .map(|question| format!("- {}: {}", question.id, question.text))
        .collect();
    if left.is_empty() || questions.len() == 1 {
        return Ok(());
    }
    Err(Failure::Refused(format!(
        "Nothing was sent: {} of {} questions would stay unanswered.\n{}\nAnswer them too (one \
         --choose for each, in their order, or --json), or add --partial to leave them unanswered.",
        left.len(),
        questions.len(),
        left.join("\n")
    )))
}

/// Why the server did not take it.
fn failure(error: ClientError) -> Failure {
    match error {
        ClientError::Problem(problem) => Failure::Refused(refusal(&problem)),
        other @ (ClientError::Transport(_) | ClientError::Decode(_)) => other.into(),
    }
}

/// What a person does about a refusal: each misfit on its own line, and who was first.
fn refusal(problem: &askback_wire::problem::ProblemResponse) -> String {
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
