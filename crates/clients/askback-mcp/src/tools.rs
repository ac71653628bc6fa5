//! The definitions of the tools.

use std::borrow::Cow;

use askback_core::dialect::{Dialect, Flavor};
use rmcp::model::{JsonObject, MetaObject, Tool, ToolAnnotations};
use serde_json::{Value, json};

use crate::texts;

pub(crate) const WAIT_FOR_ANSWER: &str = "wait_for_answer";
pub(crate) const LIST_QUESTIONS: &str = "list_questions";
pub(crate) const WITHDRAW_QUESTION: &str = "withdraw_question";
/// An argument of [`WAIT_FOR_ANSWER`] and [`WITHDRAW_QUESTION`].
pub(crate) const QUESTION_ID: &str = "question_id";

/// An argument that every ask tool has in addition to its contract.
pub(crate) const BACKGROUND: &str = "background";
/// As [`BACKGROUND`].
pub(crate) const ASSUMPTION: &str = "assumption";

/// All tools, the ask tools first.
pub(crate) fn all(dialects: &[Dialect]) -> Vec<Tool> {
    let mut tools: Vec<Tool> = dialects.iter().map(|dialect| ask(*dialect)).collect();
    tools.push(tool(
        WAIT_FOR_ANSWER,
        "Wait for an answer",
        texts::WAIT_FOR_ANSWER,
        question_id_schema(),
        Effect::Reads,
    ));
    tools.push(tool(
        LIST_QUESTIONS,
        "List questions",
        texts::LIST_QUESTIONS,
        json!({"type": "object", "properties": {}}),
        Effect::Reads,
    ));
    tools.push(tool(
        WITHDRAW_QUESTION,
        "Withdraw a question",
        texts::WITHDRAW_QUESTION,
        question_id_schema(),
        Effect::Withdraws,
    ));
    tools
}

/// The dialect of an ask tool, if the model sees the tool.
pub(crate) fn ask_tool(dialects: &[Dialect], name: &str) -> Option<Dialect> {
    let mut dialects = dialects.iter().copied();
    dialects.find(|dialect| dialect.name() == name)
}

fn ask(dialect: Dialect) -> Tool {
    let contract = dialect.contract();
    let mut schema = contract.schema(Flavor::Plain);
    schema["properties"][BACKGROUND] = json!({
        "type": "boolean",
        "description": texts::BACKGROUND,
    });
    schema["properties"][ASSUMPTION] = json!({
        "type": "string",
        "description": texts::ASSUMPTION,
    });
    tool(
        contract.name,
        "Ask the user",
        texts::ask_description(dialect),
        schema,
        Effect::Asks,
    )
}

/// Decides the annotations, which clients use to decide whether a call needs approval.
#[derive(Clone, Copy)]
enum Effect {
    Asks,
    Reads,
    Withdraws,
}

fn tool(
    name: &'static str,
    title: &str,
    description: impl Into<Cow<'static, str>>,
    schema: Value,
    effect: Effect,
) -> Tool {
    let mut tool = Tool::new(name, description, object(schema));
    tool.title = Some(title.to_owned());
    let annotations = ToolAnnotations::with_title(title).open_world(false);
    tool.annotations = Some(match effect {
        // A question changes nothing except what the user sees.
        Effect::Asks | Effect::Reads => annotations.read_only(true),
        Effect::Withdraws => annotations
            .read_only(false)
            .destructive(false)
            .idempotent(true),
    });
    // Claude Code hides MCP tools behind a search unless this is set.
    tool.meta = Some(MetaObject(object(json!({"anthropic/alwaysLoad": true}))));
    tool
}

fn question_id_schema() -> Value {
    json!({
        "type": "object",
        "properties": {
            QUESTION_ID: {"type": "string", "description": texts::QUESTION_ID},
        },
    })
}

fn object(value: Value) -> JsonObject {
    if let Value::Object(object) = value {
        object
    } else {
        JsonObject::new()
    }
}

#[cfg(test)]
#[path = "tools_tests.rs"]
mod tests;
