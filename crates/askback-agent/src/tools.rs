//! The tools of the agent, gathered from wherever they come.
//!
//! None is built in: askback writes no file and runs no shell by itself. A source of tools is
//! anything that is [`Tools`] itself, such as a connection to an MCP server, or the tools of a host
//! that links the crates; [`Toolbox::with`] is where both come in.

use std::sync::Arc;

use askback_core::conversation::event::CallResult;
use askback_engine::ports::{PortFuture, ToolDefinition, ToolRun, Tools};

/// All tools there are, under one roof.
#[derive(Default, Clone)]
pub struct Toolbox {
    sources: Vec<Arc<dyn Tools>>,
}

impl Toolbox {
    /// A box without tools.
    pub fn new() -> Toolbox {
        Toolbox::default()
    }

    /// Adds the tools of a source. Where two sources have a tool of one name, the earlier one's is
    /// used.
    #[must_use]
    pub fn with(mut self, source: Arc<dyn Tools>) -> Toolbox {
        self.sources.push(source);
        self
    }

    fn source_of(&self, name: &str) -> Option<&Arc<dyn Tools>> {
        let has =
            |source: &&Arc<dyn Tools>| source.definitions().iter().any(|tool| tool.name == name);
        self.sources.iter().find(has)
    }
}

impl Tools for Toolbox {
    fn definitions(&self) -> Vec<ToolDefinition> {
        let mut all: Vec<ToolDefinition> = Vec::new();
        for tool in self.sources.iter().flat_map(|source| source.definitions()) {
            if all.iter().all(|earlier| earlier.name != tool.name) {
                all.push(tool);
            }
        }
        all
    }

    fn run(&self, call: ToolRun) -> PortFuture<'_, CallResult> {
        if let Some(source) = self.source_of(&call.name) {
            return source.run(call);
        }
        let names: Vec<String> = self
            .definitions()
            .into_iter()
            .map(|tool| tool.name)
            .collect();
        Box::pin(async move { unknown(&call.name, &names) })
    }
}

/// What the model is told about a tool that does not exist.
fn unknown(name: &str, there_are: &[String]) -> CallResult {
    let there_are = if there_are.is_empty() {
        "No tools other than those for asking the user are connected.".to_owned()
    } else {
        format!("The tools there are: {}.", there_are.join(", "))
    };
    CallResult::error(format!("There is no tool called \"{name}\". {there_are}"))
}

#[cfg(test)]
#[path = "tools_tests.rs"]
mod tests;
