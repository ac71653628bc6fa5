//! The four tool contracts and the neutral one of programs, each a dialect of one model.
//!
//! A dialect knows how a call is spelled ([`Dialect::parse`]), how a model is told about the tool
//! ([`Dialect::contract`], [`Dialect::guidance`]) and how the outcome is
//! written back ([`Dialect::render`]). Nothing else in the system knows one dialect from another.
#![expect(
    missing_docs,
    reason = "fields are documented where their names do not say enough"
)]

mod ask_result;
mod ask_user;
mod ask_user_question;
mod ask_user_question_claude;
mod choices;
mod question;
mod questions;
mod recognise;
mod rules;
mod unwrap_input;
mod write_input;

use serde::{Deserialize, Serialize};
use serde_json::Value;

pub use crate::contract::{AgentHost, Flavor, ParseError, ParseProblem, ParseProblemCode, Repair};
pub use ask_result::AskResult;
pub(crate) use ask_result::undeliverable;
pub use recognise::recognise;

use crate::contract::{Contract, InputReader, LongLabels, Node};
use crate::inquiry::Inquiry;
use crate::limits;
use crate::outcome::Outcome;

const NOT_FOR_SUB_AGENTS: &str = "Not available to sub-agents.";

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
    /// Up to twenty questions of mixed kinds with ids of the asker's; the result is a JSON map. No tool: programs
    /// send it, and the forms of MCP servers become it.
    #[serde(rename = "questions")]
    Questions,
}

/// A tool input that was understood.
#[derive(Debug, Clone, PartialEq)]
pub struct Parsed {
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
    /// The tools that a model can call, in the order in which they are listed everywhere.
    pub const TOOLS: [Dialect; 4] = [
        Dialect::AskUserQuestion,
        Dialect::AskUserQuestionClaude,
        Dialect::Question,
        Dialect::AskUser,
    ];

    /// All dialects.
    pub const ALL: [Dialect; 5] = [
        Dialect::AskUserQuestion,
        Dialect::AskUserQuestionClaude,
        Dialect::Question,
        Dialect::AskUser,
        Dialect::Questions,
    ];

    /// The tool as the model knows it.
    pub fn contract(self) -> &'static Contract {
        match self {
            Dialect::AskUserQuestion => &ask_user_question::CONTRACT,
            Dialect::AskUserQuestionClaude => &ask_user_question_claude::CONTRACT,
            Dialect::Question => &question::CONTRACT,
            Dialect::AskUser => &ask_user::CONTRACT,
            Dialect::Questions => &questions::CONTRACT,
        }
    }

    /// Its name: that of the tool, if it is one.
    pub fn name(self) -> &'static str {
        self.contract().name
    }

    /// The dialect with this name.
    pub fn from_name(name: &str) -> Option<Dialect> {
        Dialect::ALL
            .into_iter()
            .find(|dialect| dialect.name() == name)
    }

    /// The dialect of the tool with this name.
    pub fn of_tool(name: &str) -> Option<Dialect> {
        Dialect::from_name(name).filter(|dialect| Dialect::TOOLS.contains(dialect))
    }

    /// Whether skipping every question has a result of its own, and is not a decline.
    pub(crate) fn has_skip_result(self) -> bool {
        matches!(self, Dialect::AskUser | Dialect::Questions)
    }

    /// What the system prompt says about asking, while the tool is enabled.
    pub fn guidance(self, host: AgentHost) -> String {
        let guidance = match self {
            Dialect::AskUserQuestion => ask_user_question::GUIDANCE,
            Dialect::AskUserQuestionClaude => ask_user_question_claude::GUIDANCE,
            Dialect::Question => question::GUIDANCE,
            Dialect::AskUser => ask_user::GUIDANCE,
            Dialect::Questions => questions::GUIDANCE,
        };
        guidance.told_by(host)
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
        let long_labels = if options.clip_labels {
            LongLabels::Clip
        } else {
            LongLabels::Refuse
        };
        let mut reader = InputReader::new(self.contract().author, long_labels);
        let inquiry = self.read(&mut reader, input);
        match inquiry {
            Some(inquiry) if reader.problems.is_empty() => Ok(Parsed {
                inquiry,
                repairs: reader.repairs,
            }),
            _ => Err(self.contract().refuse(reader.problems)),
        }
    }

    /// Reads a tool input that is still text, as providers and files have it.
    pub fn parse_text(self, input: &str, options: ParseOptions) -> Result<Parsed, ParseError> {
        let refuse = |code, hint: String| {
            let problems = vec![ParseProblem {
                path: String::new(),
                code,
                hint,
            }];
            Err(self.contract().refuse(problems))
        };
        if input.len() > limits::INPUT_BYTES_MAX {
            let max = limits::INPUT_BYTES_MAX;
            return refuse(
                ParseProblemCode::TooBig,
                format!("The input is larger than {max} bytes: ask less at once."),
            );
        }
        match serde_json::from_str(input) {
            Ok(value) => self.parse(&value, options),
            Err(error) => refuse(
                ParseProblemCode::NotJson,
                format!(
                    "The input is not JSON (line {}, column {}).",
                    error.line(),
                    error.column()
                ),
            ),
        }
    }

    fn read(self, reader: &mut InputReader, input: &Value) -> Option<Inquiry> {
        let input = unwrap_input::unwrap_input(self, reader, input)?;
        let node = reader.read(self.contract().shape, &input)?;
        let Node::Object(object) = node else {
            return None;
        };
        match self {
            Dialect::AskUserQuestion => ask_user_question::build(reader, object),
            Dialect::AskUserQuestionClaude => ask_user_question_claude::build(reader, object),
            Dialect::Question => question::build(reader, object),
            Dialect::AskUser => ask_user::build(reader, object),
            Dialect::Questions => questions::build(reader, object),
        }
    }

    /// Writes the outcome of `inquiry` for the model that asked.
    pub fn render(inquiry: &Inquiry, outcome: &Outcome) -> AskResult {
        ask_result::render(inquiry, outcome)
    }
}

#[cfg(test)]
#[path = "dialect/parse_tests.rs"]
mod parse_tests;
