//! `askback answer`: answers a question from flags or JSON.

mod confirm;

use std::io::Write as _;

use anyhow::Context as _;
use askback_client::{Client, ClientError};
use askback_core::answer::{AnswerProblem, ShownChoices};
use askback_core::id::InquiryId;
use askback_core::question::Kind;
use askback_locale::Locale;
use askback_terminal::clock::today;
use askback_terminal::display_mode::DisplayMode;
use askback_tui::outcome_lines::{self, AnsweredFrom};
use askback_tui::prompt::AskerKind;
use askback_wire::actor::SurfaceName;
use askback_wire::inquiry::{InquiryResponse, InquiryStatus};
use askback_wire::question::QuestionResponse;
use askback_wire::respond::{AnswerParams, CancelParams, DeclineParams};
use serde_json::{Value, json};

use self::confirm::confirm;
use super::inquiry_id::{complete_inquiry_id, inquiry_failure};
use super::stored_prompt::{StoredPrompt, page};
use crate::args::given_answers::{GivenAnswer, GivenAnswers};
use crate::args::{AnswerArgs, UndoArgs};
use crate::backend::{UndoWindow, new_key, terminal_client};
use crate::connect::{Connection, with_server_and_runtime};
use crate::failure::{Failure, refuse};
use crate::input::read_json;
use crate::output;
use crate::terminal_options::TerminalOptions;

const NO_ANSWER: &str = "Nothing was sent: give an answer with --choose, --text or --json. To end the \
    question without one, use --skip, --decline (let the agent decide) or --cancel (stop the agent). On a \
    terminal, `askback answer ID` alone shows the question.";

/// A choice beside an own answer would be dropped where only one of them counts.
const TOO_MANY_ANSWERS: &str = "Nothing was sent: this question takes one answer. Give either one --choose \
    or one --text.";

/// The exit code if somebody else was first.
const ALREADY_RESOLVED: u8 = 2;

pub(crate) fn run(args: &AnswerArgs) -> Result<(), Failure> {
    let config = args.connect.settings.config.as_deref();
    let terminal = TerminalOptions::detect(&args.terminal, config)?;
    let display_mode = terminal.display_mode();
    if args.is_without_answer() && display_mode != DisplayMode::NonInteractive {
        return prompt(args, &terminal, display_mode);
    }
    let json = args.json.as_deref().map(read_json).transpose()?;
    let asks = !args.yes && display_mode != DisplayMode::NonInteractive;
    let confirmed_by = asks.then_some(&terminal);
    let answered = with_server_and_runtime(&args.connect, |runtime, connection| {
        answer(
            runtime,
            connection,
            args,
            json,
            confirmed_by,
            terminal.locale,
        )
    })?;
    // Shows what each of several questions got.
    let rows = outcome_lines::lines(
        terminal.locale,
        &terminal.glyphs,
        &answered,
        AnsweredFrom::Here,
    );
    let mut err = output::stderr();
    for row in rows {
        writeln!(err, "{}", row.text())?;
    }
    print(&answered)
}

/// Prints the inquiry as JSON for a program. A person has read the outcome on standard error.
fn print(inquiry: &InquiryResponse) -> Result<(), Failure> {
    let mut out = output::stdout();
    if !out.is_terminal() {
        let line = serde_json::to_string(inquiry).context("cannot write the inquiry")?;
        writeln!(out, "{line}")?;
    }
    Ok(())
}

/// Shows the question at this terminal.
fn prompt(
    args: &AnswerArgs,
    terminal: &TerminalOptions,
    display_mode: DisplayMode,
) -> Result<(), Failure> {
    let done = with_server_and_runtime(&args.connect, |runtime, connection| {
        prompt_with(runtime, connection, args, terminal, display_mode)
    })?;
    match done {
        (found, AnsweredFrom::Here) => print(&found),
        // The prompt has said who was first.
        (_, AnsweredFrom::Elsewhere) => Err(Failure::Ended(ALREADY_RESOLVED)),
    }
}

fn prompt_with(
    runtime: &tokio::runtime::Runtime,
    connection: &Connection,
    args: &AnswerArgs,
    terminal: &TerminalOptions,
    display_mode: DisplayMode,
) -> Result<(InquiryResponse, AnsweredFrom), Failure> {
    let client = terminal_client(connection);
    let id = runtime.block_on(complete_inquiry_id(&client, &args.id))?;
    let asked = runtime.block_on(client.inquiry(&id));
    let asked = asked.map_err(|error| failure(error, &id))?;
    if asked.status.is_resolved() {
        // The refusal says who was first.
        let refused = answer(runtime, connection, args, None, None, terminal.locale)?;
        return Ok((refused, AnsweredFrom::Elsewhere));
    }
    let inquiry = asked.to_inquiry().context("cannot show the question")?;
    let embedded = runtime.block_on(connection.is_embedded());
    let config = args.connect.settings.config.as_deref();
    let prompt = StoredPrompt {
        runtime,
        server_flags: args.connect.server_flags(),
        terminal,
        inquiry: &inquiry,
        link: (!embedded).then(|| page(&client, &asked)),
        asked,
        client,
        undo: UndoWindow::choose(UndoArgs { undo: args.undo }, config, terminal)?,
        asker_kind: AskerKind::Agent,
    };
    prompt.run(display_mode)
}

/// Sends the reply that the flags say. With a terminal, the answers to several questions are shown there
/// first and must be confirmed.
fn answer(
    runtime: &tokio::runtime::Runtime,
    connection: &Connection,
    args: &AnswerArgs,
    json: Option<Value>,
    terminal: Option<&TerminalOptions>,
    locale: Locale,
) -> Result<InquiryResponse, Failure> {
    let client = &connection.client;
    let id = runtime.block_on(complete_inquiry_id(client, &args.id))?;
    if args.decline || args.cancel {
        let ended = runtime.block_on(end(client, args, &id));
        return ended.map_err(|error| failure(error, &id));
    }
    let asked = runtime.block_on(client.inquiry(&id));
    let asked = asked.map_err(|error| failure(error, &id))?;
    let is_empty = args.given.is_empty() && json.is_none() && !args.skip;
    if is_empty && !asked.status.is_resolved() {
        return refuse(NO_ANSWER);
    }
    let answers = match json {
        Some(answers) => answers,
        None if args.skip => skipped(&asked.questions)?,
        None => from_flags(&args.given, &asked.questions, locale)?,
    };
    let first = asked.questions.first();
    let notes = first.zip(args.note.as_ref());
    let notes = notes.map(|(question, note)| by_id(question, &json!(note)));
    // A resolved question is refused for that, whatever is missing.
    if !asked.status.is_resolved() {
        if !args.partial {
            refuse_partial(&answers, &asked.questions)?;
        }
        if let Some(terminal) = terminal.filter(|_| asked.questions.len() > 1) {
            confirm(terminal, &asked, &answers, notes.as_ref())?;
        }
    }
    let params = AnswerParams {
        answers,
        notes,
        partial: args.partial,
        revision: Some(asked.revision),
        key: Some(new_key()),
        // The server reads --text as it is typed on every surface.
        locale: Some(locale.tag().to_owned()),
        today: Some(today()),
        ..AnswerParams::default()
    };
    let answered = runtime.block_on(client.answer(&id, &params));
    answered.map_err(|error| failure(error, &id))
}

/// Ends the question without an answer.
async fn end(
    client: &Client,
    args: &AnswerArgs,
    id: &InquiryId,
) -> Result<InquiryResponse, ClientError> {
    let key = Some(new_key());
    if args.decline {
        let params = DeclineParams {
            key,
            ..DeclineParams::default()
        };
        return client.decline_inquiry(id, &params).await;
    }
    let params = CancelParams {
        key,
        ..CancelParams::default()
    };
    client.cancel_inquiry(id, &params).await
}

fn skipped(questions: &[QuestionResponse]) -> Result<Value, Failure> {
    match questions {
        [only] if only.optional => Ok(by_id(only, &json!({ "skipped": true }))),
        [_] => refuse(
            "Nothing was sent: this question cannot be skipped. Answer it, or use --decline (let the agent \
             decide) or --cancel (stop the agent).",
        ),
        _ => refuse(
            "Nothing was sent: there are several questions. Name the one to skip with --json, such as \
             {\"q1\": {\"skipped\": true}}, and answer the others.",
        ),
    }
}

/// All flags answer a single question; several questions get one each, in order.
fn from_flags(
    given: &GivenAnswers,
    questions: &[QuestionResponse],
    locale: Locale,
) -> Result<Value, Failure> {
    let [only] = questions else {
        return one_each(given, questions, locale);
    };
    let choices = given.choices().map(|text| choice(only, text, locale));
    let choices = match choices.collect::<Result<Vec<String>, AmbiguousText>>() {
        Ok(choices) => choices,
        Err(AmbiguousText(text)) => return Ok(by_id(only, &json!({ "typed": text }))),
    };
    let texts: Vec<&str> = given.texts().collect();
    let answer = match (choices.as_slice(), texts.as_slice()) {
        ([], []) => Value::Null,
        ([], [text]) => json!(text),
        (choices, []) => json!({ "values": choices }),
        (choices, [text]) if only.takes_several() => json!({ "values": choices, "own": text }),
        _ => return refuse(TOO_MANY_ANSWERS),
    };
    Ok(by_id(only, &answer))
}

/// An answer or a note to one question.
fn by_id(question: &QuestionResponse, value: &Value) -> Value {
    json!({ question.id.as_str(): value })
}

/// `--choose` names a choice of a question that has choices: anything else is refused, and never becomes
/// the user's own text.
fn one_each(
    given: &GivenAnswers,
    questions: &[QuestionResponse],
    locale: Locale,
) -> Result<Value, Failure> {
    if given.0.len() > questions.len() {
        let count = questions.len();
        return refuse(format!(
            "There are {count} questions: give one --choose or --text for each, in order, or use --json."
        ));
    }
    let answers = questions.iter().zip(&given.0).map(|(question, given)| {
        let has_choices = !question.choices().is_empty();
        let answer = match given {
            GivenAnswer::Choice(text) if has_choices => match choice(question, text, locale) {
                Ok(value) => json!({ "values": [value] }),
                Err(AmbiguousText(text)) => json!({ "typed": text }),
            },
            GivenAnswer::Choice(text) | GivenAnswer::Text(text) => json!(text),
        };
        (question.id.to_string(), answer)
    });
    Ok(answers.collect())
}

/// A text that could mean several choices. The server refuses it and says what to type instead.
struct AmbiguousText(String);

/// The value of the choice that a text names. Of anything else, an empty one, which the server refuses with the list of
/// choices.
fn choice(
    question: &QuestionResponse,
    text: &str,
    locale: Locale,
) -> Result<String, AmbiguousText> {
    let Some(Kind::Choice(kind)) = question.to_question().map(|question| question.kind) else {
        return Ok(text.to_owned());
    };
    let recommended = locale.text("recommended", &[]);
    let read = ShownChoices::of(&kind).marked(&recommended).read_part(text);
    if let Err(AnswerProblem::AmbiguousChoice { .. }) = read {
        return Err(AmbiguousText(text.to_owned()));
    }
    let row = read.ok().and_then(|read| read.rows.first().copied());
    let choice = row.and_then(|row| kind.choices.get(row));
    Ok(choice
        .map(|choice| choice.value.to_string())
        .unwrap_or_default())
}

/// Without --partial, all of several questions must be answered.
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
    refuse(format!(
        "Nothing was sent: {} of {} questions would stay unanswered.\n{}\nAnswer them too (one \
         --choose for each, in order, or --json), or add --partial to leave them unanswered.",
        left.len(),
        questions.len(),
        left.join("\n")
    ))
}

fn failure(error: ClientError, id: &InquiryId) -> Failure {
    if let ClientError::Problem(problem) = &error
        && (problem.winner.is_some() || !problem.errors.is_empty())
    {
        return Failure::Refused(refusal(problem));
    }
    inquiry_failure(error, id)
}

/// Where an answer came from, to follow "It was answered".
pub(super) fn surface_text(surface: &SurfaceName) -> String {
    let place = match surface {
        SurfaceName::Cli => "from the command line",
        SurfaceName::Terminal => "in the terminal",
        SurfaceName::Web => "in the browser",
        SurfaceName::Link => "through a link",
        SurfaceName::Http => "over HTTP",
        SurfaceName::Mcp => "in an MCP client",
        SurfaceName::Telegram => "in Telegram",
        SurfaceName::Slack => "in Slack",
        SurfaceName::Ntfy => "through ntfy",
        SurfaceName::Push => "in a notification",
        SurfaceName::Email => "by e-mail",
        SurfaceName::Command => "through a command",
        other @ (SurfaceName::System | SurfaceName::Unknown(_)) => return format!(" from {other}"),
    };
    format!(" {place}")
}

/// Each invalid answer on its own line, and who was first.
fn refusal(problem: &askback_wire::problem::ProblemResponse) -> String {
    let mut lines = vec![problem.to_string()];
    if problem.code == "invalid_answer" {
        lines[0].insert_str(0, "Nothing was sent: ");
    }
    lines.extend(
        problem
            .errors
            .iter()
            .skip(1)
            .map(|error| error.message.clone()),
    );
    if let Some(winner) = &problem.winner {
        // An answer that can still be undone leaves the question pending.
        let done = if winner.status == InquiryStatus::Pending {
            "given".to_owned()
        } else {
            winner.status.to_string()
        };
        let by = winner
            .answered_by
            .as_ref()
            .map(|name| format!(" by {name}"));
        let from = winner.surface.as_ref().map(surface_text);
        lines.push(format!(
            "It was {done}{}{}.",
            by.unwrap_or_default(),
            from.unwrap_or_default()
        ));
    }
    lines.join("\n")
}

#[cfg(test)]
#[path = "answer_tests.rs"]
mod tests;
