//! The engine's interfaces to the outside, as traits that other crates and tests implement.

use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;

use askback_core::conversation::command::RawReply;
use askback_core::conversation::event::{AgentFailure, CallResult};
use askback_core::conversation::history::HistoryEntry;
use askback_core::id::{CallId, ConversationId};
use askback_core::inquiry::Inquiry;
use askback_core::outcome::Outcome;
use jiff::SignedDuration;
use serde_json::Value;

use crate::view::InquiryView;

pub use askback_stored::WebhookEvent;

/// The future that a port returns. Dropping it aborts the work.
pub type PortFuture<'a, T> = Pin<Box<dyn Future<Output = T> + Send + 'a>>;

/// A language model behind a provider.
pub trait Llm: Send + Sync + 'static {
    /// Sends the history and returns the complete reply. Text is also passed to `tokens` as it
    /// arrives. Must not retry: the core decides on retries.
    fn request<'a>(
        &'a self,
        request: LlmRequest,
        tokens: &'a dyn TokenSink,
    ) -> PortFuture<'a, Result<RawReply, LlmFailure>>;

    /// The name that a conversation remembers as its provider; `None` if any provider may continue.
    fn name(&self) -> Option<&str> {
        None
    }

    /// Why every request would fail, if that is known without sending one, such as a missing key.
    fn setup_problem(&self) -> Option<String> {
        None
    }

    /// Whether this provider may continue a conversation that the named provider began. A scripted
    /// agent must not speak for a model. Requests that no provider here may take stay queued for a
    /// server that has one.
    fn can_continue(&self, name: Option<&str>) -> bool {
        let _ = name;
        true
    }
}

/// Receives text while the model writes. Losing some is harmless: the reply has all of it.
pub trait TokenSink: Send + Sync {
    /// Called for each piece of text, in order.
    fn token(&self, text: &str);
}

/// A request to a provider.
#[derive(Debug, Clone)]
pub struct LlmRequest {
    /// For logs; providers are not sent it.
    pub conversation: ConversationId,
    /// Counts the attempts at this request, starting at 1.
    pub attempt: u32,
    /// The model that the app names; otherwise the default of the provider.
    pub model: Option<String>,
    /// The system prompt of the app, with the guidance for its ask tools.
    pub system: String,
    /// Complete rounds only: every tool call has its result.
    pub history: Arc<Vec<HistoryEntry>>,
    /// The tools that the model may call.
    pub tools: Vec<Arc<ToolDefinition>>,
    /// The limit for the reply that the app sets.
    pub tokens_max: Option<u32>,
}

/// A provider request that failed.
#[derive(Debug, Clone)]
pub struct LlmFailure {
    /// The kind decides whether to retry; the message is for the user.
    pub failure: AgentFailure,
    /// How long the provider asks to wait before the next attempt.
    pub retry_after: Option<SignedDuration>,
}

/// A tool as it is described to a provider.
#[derive(Debug, Clone, PartialEq)]
pub struct ToolDefinition {
    /// The name that the model calls it by.
    pub name: String,
    /// When and how to use it, written for the model.
    pub description: String,
    /// The JSON Schema of its input.
    pub input_schema: Value,
}

/// Tools other than the built-in ones: those of MCP servers, and of programs that embed the engine.
pub trait Tools: Send + Sync + 'static {
    /// All tools, for all apps. Each app lists those that it uses.
    fn definitions(&self) -> Vec<ToolDefinition>;

    /// Whether tools are run here at all. If not, calls wait for a server that runs them.
    fn runs_here(&self) -> bool {
        true
    }

    /// Runs a tool. An unknown tool, or one that fails, returns an error result.
    fn run(&self, call: ToolRun) -> PortFuture<'_, ToolReturn>;
}

/// What a tool returns.
#[derive(Debug, Clone, PartialEq)]
pub enum ToolReturn {
    /// It is done.
    Finished(CallResult),
    /// It needs an answer of the user before it can go on. It is run again with the outcome, perhaps
    /// by another process.
    Asks {
        /// What the user is asked.
        inquiry: Inquiry,
        /// What the tool wants back with the outcome.
        state: Value,
    },
}

impl From<CallResult> for ToolReturn {
    fn from(result: CallResult) -> ToolReturn {
        ToolReturn::Finished(result)
    }
}

/// Asks the user for a tool that cannot return before it has the answer.
pub trait AskUser: Send + Sync {
    /// Asks, and waits for the outcome. One question at a time. Dropping the future withdraws it.
    fn ask(&self, inquiry: Inquiry) -> PortFuture<'_, Outcome>;
}

/// What a tool that has asked goes on with.
#[derive(Debug, Clone, PartialEq)]
pub struct ResumedTool {
    /// The outcome of its inquiry.
    pub outcome: Outcome,
    /// The state that it returned with the inquiry.
    pub state: Value,
}

/// One tool call.
#[derive(Clone)]
pub struct ToolRun {
    /// The conversation whose agent calls the tool.
    pub conversation: ConversationId,
    /// The id of the call. A call is run at most once, and once more for each of its questions.
    pub call: CallId,
    /// The name of the tool, as in its definition.
    pub name: String,
    /// The input from the model, not validated.
    pub input: Value,
    /// Set if the tool has returned a question.
    pub resumed: Option<ResumedTool>,
    /// For a tool that asks while it runs.
    pub user: Arc<dyn AskUser>,
}

/// The configuration of a conversation with the built-in agent.
#[derive(Debug, Clone, PartialEq)]
pub struct App {
    /// What conversations refer to it by.
    pub id: String,
    /// The system prompt; the guidance for the ask tools is added to it.
    pub system: String,
    /// The model; otherwise the default of the provider.
    pub model: Option<String>,
    /// The names of the ask tools and other tools that the model sees. `*` stands for all others.
    pub tools: Vec<String>,
    /// When and how often the agent may ask.
    pub policy: askback_core::conversation::policy::Policy,
    /// The limit for one reply.
    pub tokens_max: Option<u32>,
}

impl App {
    pub(crate) fn lists(&self, name: &str) -> bool {
        self.tools.iter().any(|tool| tool == name)
    }
}

/// Looks apps up.
pub trait Apps: Send + Sync + 'static {
    /// The app with this id, or the default app without an id. `None` if it is not installed.
    fn app(&self, id: Option<&str>) -> Option<Arc<App>>;
}

/// One attempt to tell a webhook URL of an inquiry.
#[derive(Debug, Clone)]
pub struct WebhookDelivery<'a> {
    /// The same for each attempt, and for no other delivery.
    pub id: String,
    /// Where to.
    pub url: &'a str,
    /// Why.
    pub event: WebhookEvent,
    /// As it is now.
    pub inquiry: &'a InquiryView,
}

/// Delivers webhooks.
pub trait Webhooks: Send + Sync + 'static {
    /// Posts the inquiry to its URL. Fails if the receiver did not accept it, with why: it is retried later. The error has
    /// nothing of the URL but its host.
    fn deliver<'a>(&'a self, delivery: WebhookDelivery<'a>) -> PortFuture<'a, Result<(), String>>;
}
