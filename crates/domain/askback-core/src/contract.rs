//! Tool contracts: what a tool is called, what a model is told about it and what its input looks like.
//!
//! The shape of an input is declared once, as a constant. The published JSON Schema, the reader with
//! its repairs and the refusal that restates the contract all walk that one declaration.
#![expect(
    missing_docs,
    reason = "fields are documented where their names do not say enough"
)]

mod node;
mod problem;
mod read;
mod repair;
mod schema;
mod shape;

use serde::Serialize;
use serde_json::Value;

pub(crate) use node::{Node, Object};
pub use problem::{ParseError, ParseProblem, ParseProblemCode, Repair};
pub(crate) use read::{InputReader, LongLabels, PathSegment, is_other_label};
pub(crate) use repair::parse_nested_json;
pub use schema::Flavor;
pub(crate) use shape::{EnumValue, Field, Shape, field, fold};

use crate::text::{Lines, escape};
use schema::ShapeSchema;

/// Who runs the agent, which decides how an answer reaches its model.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AgentHost {
    /// askback, with the conversation.
    Askback,
    /// A client of its own: an outcome is the result of a tool call, and nothing else is known.
    Client,
}

/// A text for a model that is not the same wherever the agent runs.
#[derive(Debug, Clone, Copy)]
pub struct HostText {
    /// What is true everywhere.
    pub(crate) always: &'static str,
    /// What follows if askback runs the agent; may be empty.
    pub(crate) askback: &'static str,
    /// What follows if a client of its own does; may be empty.
    pub(crate) client: &'static str,
}

impl HostText {
    /// A text that is the same everywhere.
    pub(crate) const fn everywhere(always: &'static str) -> HostText {
        HostText {
            always,
            askback: "",
            client: "",
        }
    }

    /// The whole text.
    pub fn told_by(&self, host: AgentHost) -> String {
        let rest = match host {
            AgentHost::Askback => self.askback,
            AgentHost::Client => self.client,
        };
        format!("{} {rest}", self.always).trim_end().to_owned()
    }
}

/// Who writes an input, which decides how strictly it is read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum InputAuthor {
    /// A model: what models are known to get wrong is repaired.
    Model,
    /// A program: whatever the contract does not say is refused, so that its author learns of it.
    Program,
}

/// A tool as a model knows it, or an input that programs send.
#[derive(Debug)]
pub struct Contract {
    pub name: &'static str,
    pub(crate) author: InputAuthor,
    /// What the model is told about it.
    pub description: HostText,
    /// What its input looks like.
    pub(crate) shape: &'static Shape,
}

impl Contract {
    /// The tool as JSON `{name, description, input_schema}`, keys in a fixed order.
    pub fn tool_json(&self, flavor: Flavor) -> String {
        #[derive(Serialize)]
        struct Tool<'a> {
            name: &'a str,
            description: String,
            input_schema: ShapeSchema<'a>,
        }
        let tool = Tool {
            name: self.name,
            description: self.description.told_by(AgentHost::Askback),
            input_schema: ShapeSchema::root(self.shape, self.author, flavor),
        };
        serde_json::to_string_pretty(&tool).unwrap_or_default()
    }

    /// The JSON Schema of the tool input.
    pub fn schema(&self, flavor: Flavor) -> Value {
        serde_json::to_value(ShapeSchema::root(self.shape, self.author, flavor)).unwrap_or_default()
    }

    /// What the input must look like, in one line, as a refusal restates it.
    pub fn in_one_line(&self) -> String {
        shape::contract(self.shape)
    }

    /// Reads an input that needs no unwrapping beyond what every object gets.
    pub(crate) fn read(&self, input: &Value) -> Result<Object, ParseError> {
        let mut reader = InputReader::new(self.author, LongLabels::Refuse);
        match reader.read(self.shape, input) {
            Some(Node::Object(object)) if reader.problems.is_empty() => Ok(object),
            _ => Err(self.refuse(reader.problems)),
        }
    }

    /// A refusal repeats names and values of the input, so these are escaped.
    pub(crate) fn refuse(&self, mut problems: Vec<ParseProblem>) -> ParseError {
        for text in problems
            .iter_mut()
            .flat_map(|it| [&mut it.path, &mut it.hint])
        {
            *text = escape(text, Lines::One).into_owned();
        }
        ParseError {
            tool: (self.author == InputAuthor::Model).then_some(self.name),
            contract: self.in_one_line(),
            problems,
        }
    }
}
