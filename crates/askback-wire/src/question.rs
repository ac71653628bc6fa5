//! A question as every surface draws it.

use askback_core::number::Number;
use askback_core::question::{
    Choice, DateRules, Kind, NumberRules, Question, QuestionId, TextRules,
};
use askback_core::text::Text;
use jiff::civil::Date;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// One question of an inquiry.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct QuestionResponse {
    /// Its place in the inquiry, as a name: `q1`, `q2`, … Answers may be keyed by it.
    #[schema(value_type = String, example = "q1")]
    pub id: QuestionId,
    /// A short label, for a chip or a tab.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub header: Option<String>,
    /// What is asked.
    pub text: String,
    /// Why it is asked.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub context: Option<String>,
    /// What an empty field shows.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub placeholder: Option<String>,
    /// Whether it may be passed over explicitly.
    #[serde(default)]
    pub skippable: bool,
    /// What an answer looks like, told apart by `kind`.
    #[serde(flatten)]
    pub kind: QuestionKind,
}

/// What an answer looks like.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum QuestionKind {
    /// One or several of the choices.
    Choice {
        /// Whether more than one may be taken.
        several: bool,
        /// Whether an answer of the respondent's own words is taken.
        own_text: bool,
        /// The choices, in the order of the asker.
        choices: Vec<ChoiceResponse>,
    },
    /// Free text.
    Text {
        /// Fewest characters.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        min_length: Option<usize>,
        /// Most characters.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        max_length: Option<usize>,
        /// A regular expression (Rust syntax) that must match somewhere in the answer.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pattern: Option<String>,
        /// What is said when a rule is broken.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        message: Option<String>,
    },
    /// A number.
    Number {
        /// Smallest.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[schema(value_type = Option<f64>)]
        min: Option<Number>,
        /// Largest.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[schema(value_type = Option<f64>)]
        max: Option<Number>,
        /// Distance between allowed numbers, counted from `min` or from 0.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[schema(value_type = Option<f64>)]
        step: Option<Number>,
        /// Whether only whole numbers are taken.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        integer: bool,
        /// What is said when a rule is broken.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        message: Option<String>,
    },
    /// A day.
    Date(DateKind),
    /// A first and a last day.
    DateRange(DateKind),
    /// A kind of a newer version; a server never sends it.
    #[serde(other)]
    Unknown,
}

/// What a day, or both ends of a range, must fulfil.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct DateKind {
    /// Earliest day.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub min: Option<Date>,
    /// Latest day.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub max: Option<Date>,
    /// What is said when a rule is broken.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub message: Option<String>,
}

/// One choice of a question.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct ChoiceResponse {
    /// What an answer stores; unique within its question.
    pub value: String,
    /// What is shown; unique within its question.
    pub label: String,
    /// What the choice means.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
    /// What the choice would look like: a diff, a command, a sketch.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub preview: Option<String>,
    /// Whether the asker advises it: a badge, never a tick.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub recommended: bool,
    /// Whether taking it excludes all others.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub exclusive: bool,
}

fn plain(text: Option<&Text>) -> Option<String> {
    text.map(Text::to_string)
}

impl From<&Question> for QuestionResponse {
    fn from(question: &Question) -> QuestionResponse {
        QuestionResponse {
            id: question.id.clone(),
            header: plain(question.header.as_ref()),
            text: question.text.to_string(),
            context: plain(question.context.as_ref()),
            placeholder: plain(question.placeholder.as_ref()),
            skippable: question.skippable,
            kind: QuestionKind::from(&question.kind),
        }
    }
}

impl From<&Kind> for QuestionKind {
    fn from(kind: &Kind) -> QuestionKind {
        match kind {
            Kind::Choice(choice) => QuestionKind::Choice {
                several: choice.several,
                own_text: choice.own_text,
                choices: choice.choices.iter().map(ChoiceResponse::from).collect(),
            },
            Kind::Text(TextRules {
                min_length,
                max_length,
                pattern,
                message,
            }) => QuestionKind::Text {
                min_length: *min_length,
                max_length: *max_length,
                pattern: pattern.clone(),
                message: plain(message.as_ref()),
            },
            Kind::Number(NumberRules {
                min,
                max,
                step,
                integer,
                message,
            }) => QuestionKind::Number {
                min: *min,
                max: *max,
                step: *step,
                integer: *integer,
                message: plain(message.as_ref()),
            },
            Kind::Date(rules) => QuestionKind::Date(DateKind::from(rules)),
            Kind::DateRange(rules) => QuestionKind::DateRange(DateKind::from(rules)),
        }
    }
}

impl From<&DateRules> for DateKind {
    fn from(rules: &DateRules) -> DateKind {
        DateKind {
            min: rules.min,
            max: rules.max,
            message: plain(rules.message.as_ref()),
        }
    }
}

impl From<&Choice> for ChoiceResponse {
    fn from(choice: &Choice) -> ChoiceResponse {
        ChoiceResponse {
            value: choice.value.to_string(),
            label: choice.label.to_string(),
            description: plain(choice.description.as_ref()),
            preview: plain(choice.preview.as_ref()),
            recommended: choice.recommended,
            exclusive: choice.exclusive,
        }
    }
}
