//! The tools that a client lists.

use askback_core::dialect::{Dialect, Flavor};
use rmcp::model::{JsonObject, MetaObject, Tool, ToolAnnotations};
use serde_json::{Value, json};

use crate::instructions;

/// Waits for an answer.
pub(crate) const WAIT_FOR_ANSWER: &str = "wait_for_answer";
/// Lists what is open.
pub(crate) const LIST_QUESTIONS: &str = "list_questions";
/// Takes a question back.
pub(crate) const WITHDRAW_QUESTION: &str = "withdraw_question";
/// The argument that names a question.
pub(crate) const QUESTION_ID: &str = "question_id";

/// The argument of an ask tool that does not wait.
pub(crate) const BACKGROUND: &str = "background";
/// The argument that says what is assumed meanwhile.
pub(crate) const ASSUMPTION: &str = "assumption";

/// All tools, the ask tools first.
pub(crate) fn all(dialects: &[Dialect]) -> Vec<Tool> {
    let mut tools: Vec<Tool> = dialects.iter().map(|dialect| ask(*dialect)).collect();
    tools.push(tool(
        (WAIT_FOR_ANSWER, "Wait for an answer"),
        instructions::WAIT_FOR_ANSWER,
        by_id(false),
        Effect::Reads,
    ));
    tools.push(tool(
        (LIST_QUESTIONS, "List questions"),
        instructions::LIST_QUESTIONS,
        json!({"type": "object", "properties": {}}),
        Effect::Reads,
    ));
    tools.push(tool(
        (WITHDRAW_QUESTION, "Withdraw a question"),
        instructions::WITHDRAW_QUESTION,
        by_id(true),
        Effect::Withdraws,
    ));
    tools
}

/// The dialect whose tool has this name, if it is one that the model sees.
pub(crate) fn ask_tool(dialects: &[Dialect], name: &str) -> Option<Dialect> {
    let mut dialects = dialects.iter().copied();
    dialects.find(|dialect| dialect.name() == name)
}

fn ask(dialect: Dialect) -> Tool {
    let contract = dialect.contract();
    let mut schema = contract.schema(Flavor::Plain);
    schema["properties"][BACKGROUND] = json!({
        "type": "boolean",
        "description": instructions::BACKGROUND,
    });
    schema["properties"][ASSUMPTION] = json!({
        "type": "string",
        "description": instructions::ASSUMPTION,
    });
    tool(
        (contract.name, "Ask the user"),
        contract.description,
        schema,
        Effect::Asks,
    )
}

/// What a tool does to the world, as far as clients care before they let it run.
#[derive(Clone, Copy)]
enum Effect {
    Asks,
    Reads,
    Withdraws,
}

fn tool(
    (name, title): (&'static str, &str),
    description: &'static str,
    schema: Value,
    effect: Effect,
) -> Tool {
    let mut tool = Tool::new(name, description, object(schema));
    tool.title = Some(title.to_owned());
    let annotations = ToolAnnotations::with_title(title).open_world(false);
    tool.annotations = Some(match effect {
        // Asking changes nothing but what the user sees.
        Effect::Asks | Effect::Reads => annotations.read_only(true),
        Effect::Withdraws => annotations
            .read_only(false)
            .destructive(false)
            .idempotent(true),
    });
    // Some clients hide the tools of a server behind a search; a question must be at hand.
    tool.meta = Some(MetaObject(object(json!({"anthropic/alwaysLoad": true}))));
    tool
}

fn by_id(required: bool) -> Value {
    let mut schema = json!({
        "type": "object",
        "properties": {
            QUESTION_ID: {"type": "string", "description": "The question_id of the pending result."},
        },
    });
    if required {
        schema["required"] = json!([QUESTION_ID]);
    }
    schema
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
