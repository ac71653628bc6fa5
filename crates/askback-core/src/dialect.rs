//! The four tool contracts, each a dialect of one model.
//!
//! A dialect knows how a model spells a call ([`Dialect::parse`]), how it is told about the tool
//! ([`Dialect::description`], [`Dialect::schema_json`], [`Dialect::guidance`]) and how the outcome is
//! written back to it ([`Dialect::render`]). Nothing else in the system knows one dialect from another.

mod ask_user;
mod ask_user_question;
mod ask_user_question_claude;
mod choices;
mod node;
mod open;
mod problem;
mod question;
mod read;
mod recognise;
mod repair;
mod reply;
mod rules;
mod schema;
mod shape;

use serde::{Deserialize, Serialize};
use serde_json::Value;

pub use problem::{ParseError, Problem, ProblemCode, Repair};
pub use recognise::recognise;
pub use reply::ToolReply;
pub use schema::Flavor;

use crate::inquiry::Inquiry;
use crate::limits;
use crate::outcome::Outcome;
use read::Reader;
use schema::SchemaOf;
use shape::Shape;

/// One tool contract.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum Dialect {
    /// Up to four questions with two to four choices; the result is a JSON map.
    #[serde(rename = "ask_user_question")]
    AskUserQuestion,
    /// The same with required headers and descriptions; the result is prose.
    #[serde(rename = "AskUserQuestion")]
    AskUserQuestionClaude,
    /// One question; the answer becomes the next user message.
    #[serde(rename = "question")]
    Question,
    /// One question of any type, with validation; the result is a JSON status.
    #[serde(rename = "ask_user")]
    AskUser,
}

/// A tool input that was understood.
#[derive(Debug, Clone, PartialEq)]
pub struct Parsed {
    /// What is asked.
    pub inquiry: Inquiry,
    /// What had to be repaired, nothing for an input that follows the contract.
    pub repairs: Vec<Repair>,
}

/// How strictly an input is read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct ParseOptions {
    /// Cut over-long headers and labels instead of refusing them.
    pub clip_labels: bool,
}

impl Dialect {
    /// All dialects, in the order in which they are listed everywhere.
    pub const ALL: [Dialect; 4] = [
        Dialect::AskUserQuestion,
        Dialect::AskUserQuestionClaude,
        Dialect::Question,
        Dialect::AskUser,
    ];

    /// The name of the tool.
    pub fn name(self) -> &'static str {
        match self {
            Dialect::AskUserQuestion => "ask_user_question",
            Dialect::AskUserQuestionClaude => "AskUserQuestion",
            Dialect::Question => "question",
            Dialect::AskUser => "ask_user",
        }
    }

    /// The dialect with this tool name.
    pub fn from_name(name: &str) -> Option<Dialect> {
        Dialect::ALL
            .into_iter()
            .find(|dialect| dialect.name() == name)
    }

    /// What the model is told about the tool.
    pub fn description(self) -> &'static str {
        match self {
            Dialect::AskUserQuestion => ask_user_question::DESCRIPTION,
            Dialect::AskUserQuestionClaude => ask_user_question_claude::DESCRIPTION,
            Dialect::Question => question::DESCRIPTION,
            Dialect::AskUser => ask_user::DESCRIPTION,
        }
    }

    /// What the system prompt says about asking, while the tool is enabled.
    pub fn guidance(self) -> &'static str {
        match self {
            Dialect::AskUserQuestion => ask_user_question::GUIDANCE,
            Dialect::AskUserQuestionClaude => ask_user_question_claude::GUIDANCE,
            Dialect::Question => question::GUIDANCE,
            Dialect::AskUser => ask_user::GUIDANCE,
        }
    }

    /// The tool as JSON `{name, description, input_schema}`, keys in a fixed order.
    pub fn tool_json(self, flavor: Flavor) -> String {
        #[derive(Serialize)]
        struct Tool<'a> {
            name: &'a str,
            description: &'a str,
            input_schema: SchemaOf<'a>,
        }
        let tool = Tool {
            name: self.name(),
            description: self.description(),
            input_schema: SchemaOf::root(self.shape(), flavor),
        };
        serde_json::to_string_pretty(&tool).unwrap_or_default()
    }

    /// The JSON Schema of the tool input.
    pub fn schema_json(self, flavor: Flavor) -> Value {
        serde_json::to_value(SchemaOf::root(self.shape(), flavor)).unwrap_or_default()
    }

    /// The contract in one line, as a refusal restates it.
    pub fn contract(self) -> String {
        shape::contract(self.shape())
    }

    fn shape(self) -> &'static Shape {
        match self {
            Dialect::AskUserQuestion => &ask_user_question::SHAPE,
            Dialect::AskUserQuestionClaude => &ask_user_question_claude::SHAPE,
            Dialect::Question => &question::SHAPE,
            Dialect::AskUser => &ask_user::SHAPE,
        }
    }

    /// Whether an input may hold more than one question.
    fn takes_list(self) -> bool {
        matches!(
            self,
            Dialect::AskUserQuestion | Dialect::AskUserQuestionClaude
        )
    }

    /// Reads a tool input.
    pub fn parse(self, input: &Value, options: ParseOptions) -> Result<Parsed, ParseError> {
        let mut reader = Reader::new(options.clip_labels);
        let inquiry = self.read(&mut reader, input);
        match inquiry {
            Some(inquiry) if reader.problems.is_empty() => Ok(Parsed {
                inquiry,
                repairs: reader.repairs,
            }),
            _ => Err(ParseError {
                dialect: self,
                problems: reader.problems,
            }),
        }
    }

    /// Reads a tool input that is still text, as providers and files deliver it.
    pub fn parse_text(self, input: &str, options: ParseOptions) -> Result<Parsed, ParseError> {
        let refuse = |code, hint: String| {
            let problems = vec![Problem {
                path: String::new(),
                code,
                hint,
            }];
            Err(ParseError {
                dialect: self,
                problems,
            })
        };
        if input.len() > limits::INPUT_BYTES_MAX {
            let max = limits::INPUT_BYTES_MAX;
            return refuse(
                ProblemCode::TooBig,
                format!("The input is larger than {max} bytes: ask less at once."),
            );
        }
        match serde_json::from_str(input) {
            Ok(value) => self.parse(&value, options),
            Err(error) => refuse(
                ProblemCode::NotJson,
                format!(
                    "The input is not JSON (line {}, column {}).",
                    error.line(),
                    error.column()
                ),
            ),
        }
    }

    fn read(self, reader: &mut Reader, input: &Value) -> Option<Inquiry> {
        let input = open::open(self, reader, input)?;
        let node = reader.read(self.shape(), &input)?;
        let node::Node::Object(object) = node else {
            return None;
        };
        let inquiry = match self {
            Dialect::AskUserQuestion => ask_user_question::build(reader, object),
            Dialect::AskUserQuestionClaude => ask_user_question_claude::build(reader, object),
            Dialect::Question => question::build(reader, object),
            Dialect::AskUser => ask_user::build(reader, object),
        }?;
        choices::refuse_duplicate_questions(reader, inquiry.questions());
        Some(inquiry)
    }

    /// Writes the outcome of `inquiry` for the model that asked.
    pub fn render(inquiry: &Inquiry, outcome: &Outcome) -> ToolReply {
        reply::render(inquiry, outcome)
    }
}

#[cfg(test)]
#[path = "dialect/parse_tests.rs"]
mod parse_tests;
