//! What the engine needs of the world, as traits that the agent and the tests provide.

use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;

use askback_core::conversation::command::RawReply;
use askback_core::conversation::event::{CallResult, Failure};
use askback_core::conversation::history::Entry;
use askback_core::id::{CallId, ConversationId};
use jiff::SignedDuration;
use serde_json::Value;

/// What a port gives, later. Dropping it gives the work up.
pub type PortFuture<'a, T> = Pin<Box<dyn Future<Output = T> + Send + 'a>>;

/// A language model behind a provider.
pub trait Llm: Send + Sync + 'static {
    /// Sends the history and brings the reply. Text is passed to `tokens` as it arrives; what is
    /// returned at the end is the whole of it. No retries in here: the machine decides on those.
    fn request<'a>(
        &'a self,
        request: LlmRequest,
        tokens: &'a dyn TokenSink,
    ) -> PortFuture<'a, Result<RawReply, LlmFailure>>;

    /// The name by which conversations remember who thinks in them; none if that does not matter.
    fn name(&self) -> Option<&str> {
        None
    }

    /// Whether it may go on where the provider of this name began. Whoever only plays a part must
    /// not speak for a model; what it may not do stays due for somebody who may.
    fn continues(&self, name: Option<&str>) -> bool {
        let _ = name;
        true
    }
}

/// Where streamed text goes. Transient: what gets lost here is in the reply.
pub trait TokenSink: Send + Sync {
    /// A piece of text arrived.
    fn token(&self, text: &str);
}

/// A request to a provider.
#[derive(Debug, Clone)]
pub struct LlmRequest {
    /// For which conversation, for logs.
    pub conversation: ConversationId,
    /// Which attempt at this request it is, beginning with one.
    pub attempt: u32,
    /// The model, if the app names one.
    pub model: Option<String>,
    /// The system prompt.
    pub system: String,
    /// The history: only whole rounds.
    pub history: Arc<Vec<Entry>>,
    /// The tools the model may call.
    pub tools: Vec<Arc<ToolDefinition>>,
    /// Most tokens of the reply, if the app says.
    pub tokens_max: Option<u32>,
}

/// Why a request failed.
#[derive(Debug, Clone)]
pub struct LlmFailure {
    /// What kind of failure, and what to tell the user.
    pub failure: Failure,
    /// How long the provider asks to wait.
    pub retry_after: Option<SignedDuration>,
}

/// A tool as a provider is told about it.
#[derive(Debug, Clone, PartialEq)]
pub struct ToolDefinition {
    /// Its name.
    pub name: String,
    /// What the model is told about it.
    pub description: String,
    /// The JSON Schema of its input.
    pub input_schema: Value,
}

/// Tools that do work: those of MCP servers, and of hosts that link the crates.
pub trait Tools: Send + Sync + 'static {
    /// The tools there are.
    fn definitions(&self) -> Vec<ToolDefinition>;

    /// Runs one. An unknown tool, or one that fails, gives an error result.
    fn run(&self, call: ToolRun) -> PortFuture<'_, CallResult>;
}

/// A tool to be run.
#[derive(Debug, Clone)]
pub struct ToolRun {
    /// For which conversation.
    pub conversation: ConversationId,
    /// For which call.
    pub call: CallId,
    /// The tool.
    pub name: String,
    /// Its input.
    pub input: Value,
}

/// What a conversation of an app starts with.
#[derive(Debug, Clone, PartialEq)]
pub struct App {
    /// Its id.
    pub id: String,
    /// The system prompt; the guidance of the ask tools that a conversation sees is added to it.
    pub system: String,
    /// The model, if it names one.
    pub model: Option<String>,
    /// The ask tools the model sees, by name, and others it may use. `*` stands for every other.
    pub tools: Vec<String>,
    /// The rules for asking.
    pub policy: askback_core::conversation::policy::Policy,
    /// Most tokens of a reply.
    pub tokens_max: Option<u32>,
}

impl App {
    /// Whether it lists a tool by this name.
    pub(crate) fn lists(&self, name: &str) -> bool {
        self.tools.iter().any(|tool| tool == name)
    }
}

/// The apps there are.
pub trait Apps: Send + Sync + 'static {
    /// The app with this id; the default one for none.
    fn app(&self, id: Option<&str>) -> Option<Arc<App>>;
}

/// Tells the outside about outcomes.
pub trait Webhooks: Send + Sync + 'static {
    /// Posts `body` to `url`. True if the other side took it.
    fn deliver<'a>(&'a self, url: &'a str, body: &'a str) -> PortFuture<'a, bool>;
}
