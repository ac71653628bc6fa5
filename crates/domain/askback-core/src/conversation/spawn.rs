//! `spawn_agents`: gives parts of the work to sub-agents that run side by side.

use serde::Serialize;
use serde_json::Value;

use super::event::{CallResult, ChildStarted};
use super::state::Child;
use crate::contract::{Contract, HostText, InputAuthor, ParseError, Shape, field};
use crate::id::ConversationId;
use crate::limits;
use crate::text::Text;

/// The name of the tool.
pub const NAME: &str = "spawn_agents";

/// The tool, as the model is told about it.
pub const CONTRACT: Contract = Contract {
    name: NAME,
    author: InputAuthor::Model,
    description: HostText::everywhere(
        "\
Starts sub-agents that work side by side, each on a task of its own, and returns what they report. \
Give each everything it needs to know: it sees nothing of this conversation and cannot ask the \
user. Use it for parts of the work that do not depend on each other.",
    ),
    shape: &Shape::Object {
        string_shorthand: None,
        fields: &[field! {
            /// The sub-agents to start.
            required "agents", &["tasks", "subagents", "children"],
            Shape::List { item: &AGENT, min: 1, max: limits::SUB_AGENTS_MAX }
        }],
    },
};

const AGENT: Shape = Shape::Object {
    string_shorthand: Some("task"),
    fields: &[
        field! {
            /// What to call the sub-agent: a word or two.
            optional "name", &["title", "label", "id"], Shape::line(limits::HINT_CHARS_MAX)
        },
        field! {
            /// What it is to do, with all it needs to know.
            required "task", &["prompt", "instructions", "description", "message"],
            Shape::prose(limits::TASK_CHARS_MAX)
        },
    ],
};

/// Reads a call; each sub-agent gets its conversation from `new_id`.
pub(super) fn parse(
    input: &Value,
    mut new_id: impl FnMut(usize) -> ConversationId,
) -> Result<Vec<ChildStarted>, ParseError> {
    let mut object = CONTRACT.read(input)?;
    let agents = object.objects("agents").into_iter().enumerate();
    let children = agents.filter_map(|(index, mut agent)| {
        let numbered = || Text::ours(format!("agent {}", index + 1));
        Some(ChildStarted {
            conversation: new_id(index),
            name: agent.text("name").unwrap_or_else(numbered),
            task: agent.text("task")?,
        })
    });
    Ok(children.collect())
}

/// The result of the call, once every sub-agent has reported. Each has an equal share of it, so
/// that a long report does not crowd out the others.
pub(super) fn collect(children: &[Child]) -> Option<CallResult> {
    let share = limits::RESULT_CHARS_MAX / children.len().max(1);
    let mut results = Vec::with_capacity(children.len());
    for child in children {
        let result = child.result.as_ref()?;
        results.push(Report {
            name: &child.started.name,
            status: if result.is_error { "failed" } else { "done" },
            output: result.clone().bounded(share).content,
        });
    }
    let content = serde_json::to_string(&Collected { results });
    Some(CallResult::ok(content.unwrap_or_default()))
}

#[derive(Serialize)]
struct Collected<'a> {
    results: Vec<Report<'a>>,
}

#[derive(Serialize)]
struct Report<'a> {
    name: &'a Text,
    status: &'static str,
    output: String,
}

#[cfg(test)]
#[path = "spawn_tests.rs"]
mod tests;
