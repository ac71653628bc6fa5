//! Why a tool input was refused, in words from which a model can repair its call in one retry;
//! and what was repaired without a refusal.

use std::fmt;

use serde::Serialize;

use crate::limits;

/// A refused tool input: all that is wrong with it, and the contract.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ParseError {
    /// The tool that a model called; none for the input of a program.
    pub(crate) tool: Option<&'static str>,
    pub(crate) contract: String,
    pub(crate) problems: Vec<ParseProblem>,
}

/// One thing that is wrong with a tool input.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct ParseProblem {
    /// Where: `questions[0].options[1].label`; empty for the whole input.
    pub path: String,
    /// What, as a stable word.
    pub code: ParseProblemCode,
    /// What to send instead.
    pub hint: String,
}

/// What is wrong at one place of a tool input.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum ParseProblemCode {
    /// The input is not JSON.
    NotJson,
    /// The input is larger than any sensible question.
    TooBig,
    /// The value has another type than the contract says.
    WrongType,
    /// A required field is missing.
    Missing,
    /// A text has nothing in it to read.
    Blank,
    /// A text has more characters than allowed.
    TooLong,
    /// A list has fewer items than allowed.
    TooFew,
    /// A list has more items than allowed.
    TooMany,
    /// No field that the contract has.
    UnknownField,
    /// A field that belongs to another kind of question.
    FieldNotTaken,
    /// None of the words the field takes.
    UnknownWord,
    /// A number outside of its bounds.
    OutOfRange,
    /// An id with other characters than an id may have.
    BadId,
    /// Two questions have the same id.
    DuplicateId,
    /// Two questions have the same text.
    DuplicateQuestion,
    /// Two choices have the same label.
    DuplicateLabel,
    /// Two choices have the same value.
    DuplicateValue,
    /// Several questions where the dialect takes one.
    OneQuestionOnly,
    /// A question to be chosen from has no choices.
    NoChoices,
    /// A yes or no with other than two choices.
    NotTwoChoices,
    /// A pattern that does not compile.
    BadPattern,
    /// A bound that is not of the question's type, or too large to be kept exactly.
    BadBound,
    /// Bounds between which nothing lies.
    EmptyBounds,
}

impl ParseError {
    /// What is wrong, in the order of the input.
    pub fn problems(&self) -> &[ParseProblem] {
        &self.problems
    }
}

impl std::error::Error for ParseError {}

impl fmt::Display for ParseError {
    /// The tool result of a refused call: the model reads it and sends the call again.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.tool {
            Some(tool) => writeln!(
                f,
                "{tool} was not called: the input is not valid. The user has not seen the question."
            )?,
            None => writeln!(f, "The questions are not valid. Nobody has seen them.")?,
        }
        for problem in self.problems.iter().take(limits::PROBLEMS_MAX) {
            match problem.path.as_str() {
                "" => writeln!(f, "- {}", problem.hint)?,
                path => writeln!(f, "- {path}: {}", problem.hint)?,
            }
        }
        if self.problems.len() > limits::PROBLEMS_MAX {
            writeln!(
                f,
                "- and {} more.",
                self.problems.len() - limits::PROBLEMS_MAX
            )?;
        }
        match self.tool {
            Some(tool) => write!(f, "Call {tool} again with: {}", self.contract),
            None => write!(f, "Send: {}", self.contract),
        }
    }
}

/// Something in a tool input that was understood although it was not as the contract says.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Repair {
    pub path: String,
    pub done: String,
}
