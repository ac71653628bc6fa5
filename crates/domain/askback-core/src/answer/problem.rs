//! Why an answer does not fit its question, as data and in words for the person who gave it.
//!
//! The words name the question and what would fit. They never repeat the answer: problems travel
//! into logs, answers do not.

use std::fmt;

use jiff::civil::Date;
use serde::{Deserialize, Serialize};

use crate::limits;
use crate::number::Number;
use crate::question::QuestionId;
use crate::text::Text;

/// One answer that does not fit, and why.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct AnswerError {
    /// The question, unless the answers as a whole are at fault.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub question: Option<QuestionId>,
    /// What a message calls the question.
    pub name: String,
    #[serde(flatten)]
    pub problem: AnswerProblem,
    /// The agent's own words for a broken rule, shown instead of ours.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub message: Option<Text>,
}

/// What is wrong with an answer. Surfaces translate it; the English words are its `Display`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "code", rename_all = "snake_case")]
pub enum AnswerProblem {
    /// Nothing was given to any question.
    NothingAnswered,
    /// The answers are not a JSON object.
    NotAnObject,
    /// No question has this id or text.
    UnknownQuestion {
        /// The ids there are.
        known: Vec<QuestionId>,
    },
    /// The same question was answered under its id and its text.
    AnsweredTwice,
    /// The answer is empty.
    Empty,
    /// The question cannot be passed over.
    CannotSkip,
    /// An answer and a skip at once.
    SkippedAndAnswered,
    /// None of the choices has this value or label.
    UnknownChoice {
        /// The labels there are.
        labels: Vec<Text>,
    },
    /// What was typed could mean more than one choice, or something else than a choice.
    AmbiguousChoice {
        /// The choices that could be meant, as they are numbered: `2. Staging`.
        lines: Vec<String>,
    },
    /// More than one choice where one is asked for.
    OneChoiceOnly,
    /// A choice that excludes the others was taken with others.
    Exclusive { label: Text },
    /// The answer has another type than the question.
    WrongType {
        /// What the question takes.
        wants: ExpectedAnswer,
    },
    /// Fewer characters than asked for.
    TooShort { min: usize },
    /// More characters than allowed.
    TooLong { max: usize },
    /// The note is too long.
    NoteTooLong { max: usize },
    /// The text does not match the wanted pattern.
    PatternMismatch,
    /// Smaller than allowed.
    TooSmall { min: Number },
    /// Larger than allowed.
    TooLarge { max: Number },
    /// Decimals where a whole number is asked for.
    NotWhole,
    /// Not on the wanted grid.
    NotOnStep {
        /// Distance between allowed numbers.
        step: Number,
    },
    /// Not a number, or none that can be kept exactly.
    NotANumber,
    /// The text is no date, or a date that does not exist.
    NotADate,
    /// Before the first allowed day.
    TooEarly { min: Date },
    /// After the last allowed day.
    TooLate { max: Date },
    /// The range ends before it begins.
    EndBeforeStart,
}

/// What a question takes, in the words of the wire.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ExpectedAnswer {
    /// `values` and perhaps `own`.
    Choices,
    /// `text`.
    Text,
    /// `number`.
    Number,
    /// `date`.
    Date,
    /// `start` and `end`.
    DateRange,
}

impl AnswerProblem {
    /// Whether a rule of the agent was broken, so that the agent's own message applies.
    pub(super) fn is_rule(&self) -> bool {
        matches!(
            self,
            AnswerProblem::TooShort { .. }
                | AnswerProblem::TooLong { .. }
                | AnswerProblem::PatternMismatch
                | AnswerProblem::TooSmall { .. }
                | AnswerProblem::TooLarge { .. }
                | AnswerProblem::NotWhole
                | AnswerProblem::NotOnStep { .. }
                | AnswerProblem::TooEarly { .. }
                | AnswerProblem::TooLate { .. }
        )
    }

    /// The predicate of a sentence whose subject is the question, where it has one.
    fn predicate(&self) -> String {
        match self {
            AnswerProblem::NothingAnswered
            | AnswerProblem::NotAnObject
            | AnswerProblem::UnknownQuestion { .. }
            | AnswerProblem::NoteTooLong { .. } => String::new(),
            AnswerProblem::AnsweredTwice => "is answered twice; answer it once".into(),
            AnswerProblem::Empty => "is empty; give an answer".into(),
            AnswerProblem::CannotSkip => {
                "cannot be skipped; answer it, or let the agent decide".into()
            }
            AnswerProblem::SkippedAndAnswered => {
                "is both answered and skipped; do one of the two".into()
            }
            AnswerProblem::UnknownChoice { labels } => {
                format!("must be one of the choices: {}", join(labels))
            }
            AnswerProblem::AmbiguousChoice { lines } => format!(
                "is not clear: type the number and the label: {}",
                lines.join(" / ")
            ),
            AnswerProblem::OneChoiceOnly => "takes one choice only".into(),
            AnswerProblem::Exclusive { label } => {
                format!("cannot combine “{label}” with other choices")
            }
            AnswerProblem::WrongType { wants } => format!("must be {}", wants.words()),
            AnswerProblem::TooShort { min } => format!("must have {min} characters or more"),
            AnswerProblem::TooLong { max } => format!("must have {max} characters or fewer"),
            AnswerProblem::PatternMismatch => "does not have the requested format".into(),
            AnswerProblem::TooSmall { min } => format!("must be {min} or more"),
            AnswerProblem::TooLarge { max } => format!("must be {max} or fewer"),
            AnswerProblem::NotWhole => "must be a whole number".into(),
            AnswerProblem::NotOnStep { step } => format!("must go in steps of {step}"),
            AnswerProblem::NotANumber => "must be a number, such as 3 or 3.5".into(),
            AnswerProblem::NotADate => "must be a date, such as 2027-03-27".into(),
            AnswerProblem::TooEarly { min } => format!("must be {min} or later"),
            AnswerProblem::TooLate { max } => format!("must be {max} or earlier"),
            AnswerProblem::EndBeforeStart => "must not end before it begins".into(),
        }
    }
}

impl std::error::Error for AnswerError {}

impl fmt::Display for AnswerError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(message) = &self.message {
            return message.fmt(f);
        }
        if self.problem == AnswerProblem::NothingAnswered {
            return f.write_str(
                "No question was answered: answer at least one, or let the agent decide.",
            );
        }
        if self.problem == AnswerProblem::NotAnObject {
            return f.write_str(
                "The answers must be a JSON object with one entry for each question id.",
            );
        }
        if let AnswerProblem::UnknownQuestion { known } = &self.problem {
            return write!(f, "There is no such question: use {}.", join(known));
        }
        if let AnswerProblem::NoteTooLong { max } = &self.problem {
            return write!(
                f,
                "The note on {} must have {max} characters or fewer.",
                self.name
            );
        }
        write!(f, "{} {}.", self.name, self.problem.predicate())
    }
}

impl ExpectedAnswer {
    fn words(self) -> &'static str {
        match self {
            ExpectedAnswer::Choices => "chosen: use `values`, and `own` for own text",
            ExpectedAnswer::Text => "text: use `text`",
            ExpectedAnswer::Number => "a number: use `number`",
            ExpectedAnswer::Date => "a date: use `date`, such as 2027-03-27",
            ExpectedAnswer::DateRange => "a range of dates: use `start` and `end`",
        }
    }
}

fn join(items: &[impl fmt::Display]) -> String {
    let shown: Vec<String> = items
        .iter()
        .take(limits::ASK_USER_CHOICES_MAX)
        .map(ToString::to_string)
        .collect();
    shown.join(", ")
}
