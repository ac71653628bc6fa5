//! The tools of the built-in agent, collected from several sources.
//!
//! No tool is built in: askback itself writes no files and runs no shell. A source is anything that
//! implements [`Tools`], such as an MCP server or a program that embeds these crates.

use std::sync::Arc;

use askback_core::conversation::event::CallResult;
use askback_engine::ports::{PortFuture, ToolDefinition, ToolReturn, ToolRun, Tools};

/// The tools of all sources.
#[derive(Default, Clone)]
pub struct ToolRegistry {
    sources: Vec<Arc<dyn Tools>>,
    elsewhere: bool,
}

impl ToolRegistry {
    /// A registry without tools.
    pub fn new() -> ToolRegistry {
        ToolRegistry::default()
    }

    /// A registry of a server that leaves tools to another one.
    pub fn elsewhere() -> ToolRegistry {
        ToolRegistry {
            elsewhere: true,
            ..ToolRegistry::default()
        }
    }

    /// Adds a source. If two sources have a tool with the same name, the earlier one is used.
    #[must_use]
    pub fn with_source(mut self, source: Arc<dyn Tools>) -> ToolRegistry {
        self.sources.push(source);
        self
    }

    fn source_of(&self, name: &str) -> Option<&Arc<dyn Tools>> {
        let has =
            |source: &&Arc<dyn Tools>| source.definitions().iter().any(|tool| tool.name == name);
        self.sources.iter().find(has)
    }
}

impl Tools for ToolRegistry {
    fn definitions(&self) -> Vec<ToolDefinition> {
        let mut all: Vec<ToolDefinition> = Vec::new();
        for tool in self.sources.iter().flat_map(|source| source.definitions()) {
            if all.iter().all(|earlier| earlier.name != tool.name) {
                all.push(tool);
            }
        }
        all
    }

    fn ready(&self) -> PortFuture<'_, ()> {
        Box::pin(async move {
            for source in &self.sources {
                source.ready().await;
            }
        })
    }

    fn runs_here(&self) -> bool {
        !self.elsewhere
    }

    fn run(&self, call: ToolRun) -> PortFuture<'_, ToolReturn> {
        Box::pin(async move {
            self.ready().await;
            if let Some(source) = self.source_of(&call.name) {
                return source.run(call).await;
            }
            let tools = self.definitions().into_iter();
            let names: Vec<String> = tools.map(|tool| tool.name).collect();
            unknown_tool(&call.name, &names).into()
        })
    }
}

/// The result of a call to a tool that does not exist.
fn unknown_tool(name: &str, available: &[String]) -> CallResult {
    let available = if available.is_empty() {
        "Only the tools for asking the user are available.".to_owned()
    } else {
        format!("Available tools: {}.", available.join(", "))
    };
    CallResult::error(format!("There is no tool called \"{name}\". {available}"))
}

#[cfg(test)]
#[path = "tools_tests.rs"]
mod tests;
