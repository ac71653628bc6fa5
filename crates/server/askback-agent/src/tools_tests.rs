//! A registry finds a tool in any source, and an unknown tool gets a list of the available ones.

use super::*;
use askback_core::id::{CallId, ConversationId};
use askback_core::inquiry::Inquiry;
use askback_core::outcome::Outcome;
use askback_engine::ports::AskUser;
use serde_json::json;

struct Nobody;

impl AskUser for Nobody {
    fn ask(&self, _: Inquiry) -> PortFuture<'_, Outcome> {
        Box::pin(std::future::ready(Outcome::Withdrawn))
    }
}

struct Source(&'static str, &'static [&'static str]);

impl Tools for Source {
    fn definitions(&self) -> Vec<ToolDefinition> {
        let definition = |name: &&str| ToolDefinition {
            name: (*name).to_owned(),
            description: self.0.to_owned(),
            input_schema: json!({ "type": "object" }),
        };
        self.1.iter().map(definition).collect()
    }

    fn run(&self, call: ToolRun) -> PortFuture<'_, ToolReturn> {
        Box::pin(async move { CallResult::ok(format!("{} ran {}", self.0, call.name)).into() })
    }
}

fn call(name: &str) -> ToolRun {
    ToolRun {
        conversation: ConversationId::new("cnv_1"),
        call: CallId::new("call_1"),
        name: name.to_owned(),
        input: json!({}),
        resumed: None,
        user: Arc::new(Nobody),
    }
}

fn two_sources() -> ToolRegistry {
    let first = Arc::new(Source("first", &["read", "write"]));
    let second = Arc::new(Source("second", &["write", "search"]));
    ToolRegistry::new().with_source(first).with_source(second)
}

#[tokio::test]
async fn earlier_source_wins_a_shared_name() {
    let tools = two_sources();
    let listed: Vec<(String, String)> = tools
        .definitions()
        .into_iter()
        .map(|tool| (tool.name, tool.description))
        .collect();
    let expected = [("read", "first"), ("write", "first"), ("search", "second")];
    let expected = expected.map(|(name, source)| (name.to_owned(), source.to_owned()));
    assert_eq!(listed, expected);
    assert_eq!(
        tools.run(call("write")).await,
        CallResult::ok("first ran write").into()
    );
    assert_eq!(
        tools.run(call("search")).await,
        CallResult::ok("second ran search").into()
    );
}

#[tokio::test]
async fn unknown_tool_lists_the_available_ones() {
    assert_eq!(
        two_sources().run(call("shell")).await,
        CallResult::error(
            "There is no tool called \"shell\". Available tools: read, write, search."
        )
        .into()
    );
    assert_eq!(
        ToolRegistry::new().run(call("shell")).await,
        CallResult::error(
            "There is no tool called \"shell\". Only the tools for asking the user are available."
        )
        .into()
    );
}
