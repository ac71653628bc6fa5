//! Questions as surfaces show them.

use askback_core::dialect::{Dialect, Flavor};
use askback_core::number::Number;
use askback_core::question::{
    Choice, ChoiceKind, DateRules, Kind, NumberRules, Question, QuestionId, TextRules,
};
use askback_core::text::{Text, Unclean};
use askback_macros::skip_none;
use jiff::civil::Date;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use utoipa::openapi::schema::Schema;
use utoipa::openapi::{Ref, RefOr};
use utoipa::{PartialSchema, ToSchema};

/// One question of an inquiry.
#[skip_none]
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct QuestionResponse {
    /// The key of its answer: as the asker calls it, or `q1`, `q2`, … by position.
    #[schema(value_type = String, example = "q1")]
    pub id: QuestionId,
    /// A short label.
    pub header: Option<String>,
    /// The text of the question.
    pub text: String,
    /// Background information for the respondent.
    pub context: Option<String>,
    /// Shown in an empty field.
    pub placeholder: Option<String>,
    /// Whether it may be skipped.
    #[serde(default)]
    pub optional: bool,
    /// The kind of answer. `kind` says which.
    #[serde(flatten)]
    pub kind: QuestionKind,
}

/// The kind of answer that a question takes.
#[skip_none]
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum QuestionKind {
    /// One or several of the choices.
    Choice {
        /// Whether several choices may be selected.
        several: bool,
        /// Whether the respondent may write own text.
        own: bool,
        /// The choices, in the order in which to show them.
        choices: Vec<ChoiceResponse>,
    },
    /// Yes or no: one of two choices.
    Confirm {
        /// The choice that means true, and the one that means false.
        choices: Vec<ChoiceResponse>,
    },
    /// Free text.
    Text {
        /// The least number of characters.
        min_length: Option<usize>,
        /// The largest number of characters.
        max_length: Option<usize>,
        /// A regular expression (Rust syntax) that must match somewhere in the answer.
        pattern: Option<String>,
        /// Shown when the answer breaks a rule.
        message: Option<String>,
    },
    /// A number.
    Number {
        /// The smallest allowed number.
        #[schema(value_type = Option<f64>)]
        min: Option<Number>,
        /// The largest allowed number.
        #[schema(value_type = Option<f64>)]
        max: Option<Number>,
        /// Allowed numbers are multiples of this, starting at `min` or 0.
        #[schema(value_type = Option<f64>)]
        step: Option<Number>,
        /// Whether the number must be an integer.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        integer: bool,
        /// Shown when the answer breaks a rule.
        message: Option<String>,
    },
    /// A date.
    Date(DateKind),
    /// A range of dates.
    DateRange(DateKind),
    /// A kind of a newer version. Servers never send this.
    #[serde(other)]
    Unknown,
}

/// The rules for a date, or for both ends of a range.
#[skip_none]
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct DateKind {
    /// The earliest allowed date.
    pub min: Option<Date>,
    /// The latest allowed date.
    pub max: Option<Date>,
    /// Shown when the answer breaks a rule.
    pub message: Option<String>,
}

/// One choice of a question.
#[skip_none]
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct ChoiceResponse {
    /// Stored in the answer. Unique within the question.
    pub value: String,
    /// The text to show. Unique within the question.
    pub label: String,
    /// An explanation of the choice.
    pub description: Option<String>,
    /// A longer preview of the choice, such as a diff or a command.
    pub preview: Option<String>,
    /// Whether the agent recommends it. Show a badge; do not preselect it.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub recommended: bool,
    /// Whether it cannot be combined with other choices.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub exclusive: bool,
}

/// A question as it is asked. Its schema is that of the contract `questions`; the server parses it by the same.
pub struct QuestionParams;

/// A choice as it is asked.
pub struct ChoiceParams;

impl QuestionParams {
    /// The schema of a part of the contract.
    fn part(pointer: &str) -> Value {
        let contract = Dialect::Questions.contract().schema(Flavor::Plain);
        contract.pointer(pointer).cloned().unwrap_or_default()
    }
}

impl PartialSchema for QuestionParams {
    fn schema() -> RefOr<Schema> {
        let mut schema = QuestionParams::part("/properties/questions/items");
        schema["description"] =
            json!("A question. A field that its `kind` does not take is refused.");
        schema["properties"]["choices"]["items"] = json!({"anyOf": [
            {"type": "string"},
            Ref::from_schema_name(ChoiceParams::name()),
        ]});
        read_schema(schema)
    }
}

impl ToSchema for QuestionParams {
    fn schemas(schemas: &mut Vec<(String, RefOr<Schema>)>) {
        schemas.push((ChoiceParams::name().into_owned(), ChoiceParams::schema()));
    }
}

impl PartialSchema for ChoiceParams {
    fn schema() -> RefOr<Schema> {
        let pointer = "/properties/questions/items/properties/choices/items/anyOf/1";
        let mut schema = QuestionParams::part(pointer);
        schema["description"] = json!("A choice of a question.");
        read_schema(schema)
    }
}

impl ToSchema for ChoiceParams {}

/// A JSON Schema as a type of the document. The contracts use nothing that it does not have.
fn read_schema(schema: Value) -> RefOr<Schema> {
    serde_json::from_value(schema).unwrap_or_else(|_| RefOr::T(Schema::default()))
}

fn plain(text: Option<&Text>) -> Option<String> {
    text.map(Text::to_string)
}

/// `None` for a text that is not clean.
pub(crate) fn to_text(text: &str) -> Option<Text> {
    Text::try_from(text.to_owned()).ok()
}

/// Like [`to_text`], for a text that may be absent.
pub(crate) fn to_optional_text(text: Option<&String>) -> Result<Option<Text>, Unclean> {
    text.cloned().map(Text::try_from).transpose()
}

impl QuestionResponse {
    /// Its choices, if it has any.
    pub fn choices(&self) -> &[ChoiceResponse] {
        if let QuestionKind::Choice { choices, .. } | QuestionKind::Confirm { choices } = &self.kind
        {
            choices
        } else {
            &[]
        }
    }

    /// Whether several choices may be taken.
    pub fn takes_several(&self) -> bool {
        matches!(self.kind, QuestionKind::Choice { several: true, .. })
    }

    /// The question as a type of the core. `None` if a newer version or no server sent it.
    pub fn to_question(&self) -> Option<Question> {
        Some(Question {
            id: self.id.clone(),
            header: to_optional_text(self.header.as_ref()).ok()?,
            text: to_text(&self.text)?,
            context: to_optional_text(self.context.as_ref()).ok()?,
            placeholder: to_optional_text(self.placeholder.as_ref()).ok()?,
            skippable: self.optional,
            kind: self.kind.to_kind()?,
        })
    }
}

impl QuestionKind {
    fn to_kind(&self) -> Option<Kind> {
        Some(match self {
            QuestionKind::Choice {
                several,
                own,
                choices,
            } => Kind::Choice(ChoiceKind {
                several: *several,
                own_text: *own,
                confirm: false,
                choices: to_choices(choices)?,
            }),
            QuestionKind::Confirm { choices } => Kind::Choice(ChoiceKind {
                several: false,
                own_text: false,
                confirm: true,
                choices: to_choices(choices)?,
            }),
            QuestionKind::Text {
                min_length,
                max_length,
                pattern,
                message,
            } => Kind::Text(TextRules {
                min_length: *min_length,
                max_length: *max_length,
                pattern: pattern.clone(),
                message: to_optional_text(message.as_ref()).ok()?,
            }),
            QuestionKind::Number {
                min,
                max,
                step,
                integer,
                message,
            } => Kind::Number(NumberRules {
                min: *min,
                max: *max,
                step: *step,
                integer: *integer,
                message: to_optional_text(message.as_ref()).ok()?,
            }),
            QuestionKind::Date(rules) => Kind::Date(rules.to_rules()?),
            QuestionKind::DateRange(rules) => Kind::DateRange(rules.to_rules()?),
            QuestionKind::Unknown => return None,
        })
    }
}

fn to_choices(choices: &[ChoiceResponse]) -> Option<Vec<Choice>> {
    choices.iter().map(ChoiceResponse::to_choice).collect()
}

impl DateKind {
    fn to_rules(&self) -> Option<DateRules> {
        Some(DateRules {
            min: self.min,
            max: self.max,
            message: to_optional_text(self.message.as_ref()).ok()?,
        })
    }
}

impl ChoiceResponse {
    fn to_choice(&self) -> Option<Choice> {
        Some(Choice {
            value: to_text(&self.value)?,
            label: to_text(&self.label)?,
            description: to_optional_text(self.description.as_ref()).ok()?,
            preview: to_optional_text(self.preview.as_ref()).ok()?,
            recommended: self.recommended,
            exclusive: self.exclusive,
        })
    }
}

impl From<&Question> for QuestionResponse {
    fn from(question: &Question) -> QuestionResponse {
        QuestionResponse {
            id: question.id.clone(),
            header: plain(question.header.as_ref()),
            text: question.text.to_string(),
            context: plain(question.context.as_ref()),
            placeholder: plain(question.placeholder.as_ref()),
            optional: question.skippable,
            kind: QuestionKind::from(&question.kind),
        }
    }
}

impl From<&Kind> for QuestionKind {
    fn from(kind: &Kind) -> QuestionKind {
        match kind {
            Kind::Choice(choice) => {
                let choices = choice.choices.iter().map(ChoiceResponse::from).collect();
                if choice.confirm {
                    QuestionKind::Confirm { choices }
                } else {
                    QuestionKind::Choice {
                        several: choice.several,
                        own: choice.own_text,
                        choices,
                    }
                }
            }
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
