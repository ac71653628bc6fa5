//! Sends the history to the provider and submits the reply.

use std::sync::{Arc, LazyLock, OnceLock};

use askback_core::contract::{Contract, Flavor};
use askback_core::conversation::ConversationSettings;
use askback_core::conversation::command::Command;
use askback_core::conversation::event::{AgentFailure, FailureKind};
use askback_core::conversation::spawn;
use askback_core::dialect::{AgentHost, Dialect};
use askback_core::id::ConversationId;
use askback_core::text::{Lines, clean};
use askback_store::{JobRow, Sequence};
use jiff::SignedDuration;

use super::running_jobs::AbortableWork;
use super::start::{finish_job, holds_claim, release_job};
use super::{load, report};
use crate::engine::Engine;
use crate::feed::StreamedToken;
use crate::loaded_conversation::LoadedConversation;
use crate::ports::{App, LlmFailure, LlmRequest, TokenSink, ToolDefinition};
use crate::submit::SubmitError;

/// When to check again whether the provider of a conversation is available.
const MISSING_PROVIDER_RETRY_DELAY: SignedDuration = SignedDuration::from_mins(10);

pub(super) async fn run(
    engine: &Engine,
    row: &JobRow,
    request: u64,
    attempt: u32,
) -> Result<(), SubmitError> {
    let work = AbortableWork::Request(row.conversation.clone(), request);
    let Some(mut registered) = engine.inner.running.register(work) else {
        return Ok(());
    };
    // A shutdown and the loss of the claim abort registered requests, so a request that registers later
    // must check by itself.
    if engine.inner.shutdown.is_closing() || !holds_claim(engine, row) {
        return Ok(());
    }
    let loaded = load(engine, row, |found| {
        found.state.is_attempt(request, attempt)
    })
    .await?;
    if !loaded.conversation.state.is_attempt(request, attempt) {
        finish_job(engine, row.id).await;
        return Ok(());
    }
    let began = loaded.conversation.settings.provider.as_deref();
    if !engine.inner.parts.llm.can_continue(began) {
        // Another server may have taken the provider out of its configuration meanwhile.
        tracing::warn!(
            conversation = %row.conversation,
            provider = began,
            "this conversation needs a server that has its provider"
        );
        let later = engine.clock().now() + MISSING_PROVIDER_RETRY_DELAY;
        release_job(engine, row, later).await;
        return Ok(());
    }
    let command = match prepare(engine, &loaded, attempt).await? {
        Err(failure) => failed(request, attempt, failure),
        Ok((prepared, after)) => {
            // The history may be newer than the state in memory: another node may have ended this turn and begun the
            // next one.
            if engine.store().is_shared() {
                let loaded = load(engine, row, |_| false).await?;
                if !loaded.conversation.state.is_attempt(request, attempt) {
                    finish_job(engine, row.id).await;
                    return Ok(());
                }
            }
            let sink = FeedSink {
                engine,
                conversation: &row.conversation,
                after,
            };
            let reply = engine.inner.parts.llm.request(prepared, &sink);
            match registered.run_until_aborted(reply).await {
                // Aborted by a shutdown: the job stays, and the request is sent again.
                None if engine.inner.shutdown.is_closing() => return Ok(()),
                None => return settle(engine, row, request, attempt).await,
                Some(Ok(reply)) => Command::LlmReplied {
                    request,
                    attempt,
                    reply,
                },
                Some(Err(failure)) => failed(request, attempt, failure),
            }
        }
    };
    report(engine, row, command).await
}

/// For a request that was aborted: removes the job if the conversation does not wait for the reply any more.
async fn settle(
    engine: &Engine,
    row: &JobRow,
    request: u64,
    attempt: u32,
) -> Result<(), SubmitError> {
    if !holds_claim(engine, row) {
        return Ok(());
    }
    let loaded = load(engine, row, |_| false).await?;
    if !loaded.conversation.state.is_attempt(request, attempt) {
        finish_job(engine, row.id).await;
    }
    Ok(())
}

fn failed(request: u64, attempt: u32, failure: LlmFailure) -> Command {
    Command::LlmFailed {
        request,
        attempt,
        failure: failure.failure,
        retry_after: failure.retry_after,
    }
}

/// The request, and the last position of the records that it follows from.
async fn prepare(
    engine: &Engine,
    loaded: &LoadedConversation,
    attempt: u32,
) -> Result<Result<(LlmRequest, Sequence), LlmFailure>, SubmitError> {
    let Some(app) = engine.apps().app(loaded.app.as_deref()) else {
        return Ok(Err(unknown_app()));
    };
    let settings = &loaded.conversation.settings;
    let id = &settings.id;
    let ask_tools = ask_tools(settings, &app);
    let version = loaded.conversation.version;
    let history = &engine.inner.history_cache;
    let (history, last) = history.entries(&engine.inner.log, id, version).await?;
    let request = LlmRequest {
        conversation: id.clone(),
        attempt,
        model: app.model.clone(),
        system: system(&app, &ask_tools),
        history,
        tools: tools(engine, settings, &app, &ask_tools),
        tokens_max: app.tokens_max,
    };
    Ok(Ok((request, last)))
}

fn unknown_app() -> LlmFailure {
    LlmFailure {
        failure: AgentFailure::new(
            FailureKind::Refused,
            "The app of this conversation is not installed any more.",
        ),
        retry_after: None,
    }
}

/// The ask tools that the model sees. Sub-agents see none unless the policy lets them ask, and
/// unattended conversations have none.
fn ask_tools(settings: &ConversationSettings, app: &App) -> Vec<Dialect> {
    let policy = &settings.policy;
    if policy.unattended || (settings.parent.is_some() && !policy.sub_agents_may_ask) {
        return Vec::new();
    }
    let seen = |dialect: &Dialect| app.lists(dialect.name()) && policy.rules(*dialect).enabled;
    Dialect::TOOLS.into_iter().filter(seen).collect()
}

/// The system prompt of the app, with the guidance for the ask tools that the model sees.
fn system(app: &App, ask_tools: &[Dialect]) -> String {
    let guidance = ask_tools
        .iter()
        .map(|dialect| dialect.guidance(AgentHost::Askback));
    let app = std::iter::once(app.system.trim().to_owned());
    let parts: Vec<String> = app.chain(guidance).collect();
    parts.join("\n\n")
}

/// The tools that the model sees: ask tools, sub-agents, and others that the app lists.
fn tools(
    engine: &Engine,
    settings: &ConversationSettings,
    app: &App,
    ask_tools: &[Dialect],
) -> Vec<Arc<ToolDefinition>> {
    let spawns = settings.parent.is_none() && app.lists(spawn::NAME);
    let spawns = spawns.then_some(spawn::NAME);
    let ask_tools = ask_tools.iter().map(|dialect| dialect.name());
    let own = ask_tools.chain(spawns).filter_map(built_in_tool);
    let others = engine.inner.parts.tools.definitions();
    let others = others
        .into_iter()
        .filter(|tool| app.lists(&tool.name) || app.lists("*"))
        .map(Arc::new);
    own.chain(others).collect()
}

/// Built once, because building a schema takes longer than a decision.
static BUILT_IN_TOOLS: LazyLock<Vec<Arc<ToolDefinition>>> = LazyLock::new(|| {
    let contracts = Dialect::TOOLS.into_iter().map(Dialect::contract);
    contracts
        .chain([&spawn::CONTRACT])
        .map(definition)
        .map(Arc::new)
        .collect()
});

fn built_in_tool(name: &str) -> Option<Arc<ToolDefinition>> {
    BUILT_IN_TOOLS
        .iter()
        .find(|tool| tool.name == name)
        .cloned()
}

fn definition(contract: &'static Contract) -> ToolDefinition {
    ToolDefinition {
        name: contract.name.to_owned(),
        description: contract.description.told_by(AgentHost::Askback),
        input_schema: contract.schema(Flavor::Plain),
    }
}

struct FeedSink<'a> {
    engine: &'a Engine,
    conversation: &'a ConversationId,
    after: Sequence,
}

impl TokenSink for FeedSink<'_> {
    fn token(&self, text: &str) {
        self.engine.feed().token(StreamedToken {
            conversation: self.conversation.clone(),
            after: self.after,
            text: clean(text, Lines::Many),
            encoded: OnceLock::new(),
        });
    }
}

#[cfg(test)]
#[path = "llm_tests.rs"]
mod tests;
