//! The `PreToolUse` hook of Claude Code's `AskUserQuestion` tool.

mod decision;

use std::io::{Read as _, Write as _};
use std::sync::OnceLock;
use std::time::Duration;

use anyhow::{Context as _, anyhow, bail};
use askback_core::dialect::Dialect;
use askback_core::id::InquiryId;
use askback_core::limits;
use askback_core::outcome::Surface;
use askback_mcp::{AgentQuestions, SessionLock};
use askback_terminal::closed_output::is_output_closed;
use askback_wire::asker::DeliveryState;
use askback_wire::inquiry::InquiryResponse;
use serde::Deserialize;
use serde_json::Value;

use crate::agent_settings::claude_hook::TOOL;
use crate::args::HookArgs;
use crate::command::mcp::project;
use crate::connect::{Connection, FallbackModel, TakeoverDelay, actor};
use crate::failure::{client_error, client_error_text};
use crate::output;
use crate::runtime;
use crate::settings::{Settings, variable};

const AGENT: &str = "claude-code";
/// How long one request waits; it is repeated until the question has an outcome.
const WAIT: Duration = Duration::from_hours(1);
const OUTPUT_POLL_INTERVAL: Duration = Duration::from_millis(500);

/// What Claude Code writes to standard input, as far as it matters here.
#[derive(Debug, Deserialize)]
struct HookInput {
    session_id: Option<String>,
    hook_event_name: String,
    tool_name: String,
    tool_use_id: String,
    tool_input: Value,
    cwd: Option<String>,
}

pub(super) async fn run(args: &HookArgs) -> anyhow::Result<()> {
    let input = read_input()?;
    let settings = Settings::gather(&args.connect.settings)?;
    // Each call has a session of its own, so that another process takes the question over only if this
    // one has ended.
    let agents = settings.data.join("agents");
    let session = input.session_id.as_deref().unwrap_or("unknown");
    let lock = SessionLock::acquire_for_hook(&agents, session, &input.tool_use_id);
    let connection =
        Connection::open_with(&args.connect, FallbackModel::None, TakeoverDelay::NONE).await?;
    let client = connection.client.clone().acting_as(&actor(Surface::Mcp));
    // The same project as for `askback mcp`, which may deliver an answer that comes too late for the hook.
    let named = variable("CLAUDE_PROJECT_DIR").or_else(|| input.cwd.clone());
    let project = project(named.as_deref());
    let questions =
        AgentQuestions::new(client, AGENT, project.as_deref(), lock).addressed_to(args.to.clone());
    let asked = OnceLock::new();
    let done = tokio::select! {
        done = ask(&connection, &questions, &input, &asked) => done,
        () = questions.note_that_it_runs() => Ok(()),
        () = closed_output() => Err(anyhow!("Claude Code has gone; the question stays open")),
        () = runtime::stop_signal() => Err(anyhow!("stopped; the question stays open")),
    };
    if let (Err(_), Some(id)) = (&done, asked.get()) {
        questions.report_delivery(id, DeliveryState::Detached).await;
    }
    connection.close().await?;
    done
}

/// Completes when Claude Code no longer reads the decision.
async fn closed_output() {
    while !is_output_closed() {
        tokio::time::sleep(OUTPUT_POLL_INTERVAL).await;
    }
}

fn read_input() -> anyhow::Result<HookInput> {
    let mut text = String::new();
    let most = limits::INPUT_BYTES_MAX as u64 * 2;
    std::io::stdin()
        .lock()
        .take(most)
        .read_to_string(&mut text)
        .context("cannot read standard input")?;
    let input: HookInput =
        serde_json::from_str(&text).context("standard input is not a hook call of Claude Code")?;
    if input.hook_event_name != "PreToolUse" || input.tool_name != TOOL {
        bail!(
            "this hook is for PreToolUse of {TOOL}, not for {} of {}; run `askback install claude-code` \
             to set it up",
            input.hook_event_name,
            input.tool_name
        );
    }
    Ok(input)
}

async fn ask(
    connection: &Connection,
    questions: &AgentQuestions,
    input: &HookInput,
    asked_as: &OnceLock<InquiryId>,
) -> anyhow::Result<()> {
    // The dialect with the same form of questions and the fewest limits: what Claude Code shows,
    // askback shows.
    if !has_only_questions(&input.tool_input) {
        bail!("the `questions` of the tool input are not a list of objects");
    }
    let asked = questions
        .ask(
            Dialect::AskUserQuestion,
            with_short_headers(&input.tool_input),
        )
        .await
        .map_err(|error| {
            // The tool that Claude Code knows has another name.
            let text = client_error_text(&error);
            anyhow!(text.replace(Dialect::AskUserQuestion.name(), TOOL))
        })?;
    let mut inquiry = asked;
    asked_as.get_or_init(|| inquiry.id.clone());
    while !inquiry.status.is_resolved() {
        inquiry = connection
            .client
            .wait_for_inquiry(&inquiry.id, WAIT)
            .await
            .map_err(|error| client_error(&error))?;
    }
    deliver(questions, input, &inquiry).await
}

/// The outcome counts as delivered when it was written.
async fn deliver(
    questions: &AgentQuestions,
    input: &HookInput,
    inquiry: &InquiryResponse,
) -> anyhow::Result<()> {
    let decision = decision::decision(&input.tool_input, inquiry)
        .context("the outcome is of a kind that this version does not know")?;
    questions
        .report_delivery(&inquiry.id, DeliveryState::Started)
        .await;
    let mut out = output::stdout();
    let written = writeln!(out, "{decision}").and_then(|()| out.flush());
    let state = if written.is_ok() {
        DeliveryState::Done
    } else {
        DeliveryState::Failed
    };
    questions.report_delivery(&inquiry.id, state).await;
    written.context("cannot write the decision; the answer is kept")
}

/// Answers are assigned to the questions of the input by position, so nothing in the list may be ignored.
fn has_only_questions(input: &Value) -> bool {
    let questions = input.get("questions").and_then(Value::as_array);
    questions.is_some_and(|questions| questions.iter().all(Value::is_object))
}

/// The input with headers that fit. Claude Code does not enforce its own limit.
fn with_short_headers(input: &Value) -> Value {
    let mut input = input.clone();
    let questions = input["questions"].as_array_mut();
    for question in questions.into_iter().flatten() {
        if let Some(header) = question["header"].as_str()
            && header.chars().count() > limits::LIST_HEADER_CHARS_MAX
        {
            let kept = header.chars().take(limits::LIST_HEADER_CHARS_MAX - 1);
            question["header"] = Value::from(kept.chain(['…']).collect::<String>());
        }
    }
    input
}
