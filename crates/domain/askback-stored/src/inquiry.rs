//! The questions of an inquiry.

use askback_core::dialect::Dialect;
use askback_core::id::CallId;
use askback_core::inquiry::{HandedOn, Inquiry, Metadata};
use askback_core::number::Number;
use askback_core::question::{
    Choice, ChoiceKind, DateRules, Kind, NumberRules, Question, QuestionId, TextRules,
};
use askback_core::text::Text;
use askback_macros::skip_none;
use jiff::Timestamp;
use jiff::civil::Date;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::form::{Form, forms};
use crate::name::Named;
use crate::outcome::StoredActor;
use crate::version::Version;
use crate::{Unreadable, is_default};

/// The column `json` of an inquiry, or what stays of it in a tombstone.
#[skip_none]
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct StoredInquiry {
    #[serde(default, skip_serializing_if = "is_default")]
    v: Version,
    dialect: Named<Dialect>,
    source: Option<Text>,
    recipient: Option<Text>,
    #[serde(default, skip_serializing_if = "is_default")]
    private: bool,
    handed_on: Option<StoredHandedOn>,
    questions: Vec<StoredQuestion>,
    assumption: Option<Text>,
    key: Option<String>,
    metadata: Option<Map<String, Value>>,
    traceparent: Option<String>,
    call: Option<CallId>,
}

impl StoredInquiry {
    /// The inquiry of this call of the built-in agent, if one made it.
    #[must_use]
    pub fn of_call(inquiry: &Inquiry, call: Option<&CallId>) -> StoredInquiry {
        StoredInquiry {
            call: call.cloned(),
            ..StoredInquiry::from(inquiry)
        }
    }

    /// The call of the built-in agent that asks it.
    pub fn take_call(&mut self) -> Option<CallId> {
        self.call.take()
    }
}

/// How an inquiry came to its present recipient.
#[skip_none]
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
struct StoredHandedOn {
    by: StoredActor,
    reason: Option<Text>,
    from: Option<Text>,
    /// Only after the second hand-on: with one, it is `from`.
    asked_for: Option<Text>,
    count: u32,
    at: Timestamp,
}

/// A question of any kind. It is read without a buffer, because the fields of all kinds are side by side.
#[skip_none]
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
struct StoredQuestion {
    id: QuestionId,
    header: Option<Text>,
    text: Text,
    context: Option<Text>,
    placeholder: Option<Text>,
    skippable: bool,
    kind: KindName,
    several: Option<bool>,
    own_text: Option<bool>,
    #[serde(default, skip_serializing_if = "is_default")]
    confirm: bool,
    choices: Option<Vec<StoredChoice>>,
    min_length: Option<usize>,
    max_length: Option<usize>,
    pattern: Option<String>,
    min: Option<Bound>,
    max: Option<Bound>,
    step: Option<Number>,
    #[serde(default, skip_serializing_if = "is_default")]
    integer: bool,
    message: Option<Text>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
enum KindName {
    Choice,
    Text,
    Number,
    Date,
    DateRange,
}

/// A bound of a number or of a date.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(untagged)]
enum Bound {
    Number(Number),
    Date(Date),
}

#[skip_none]
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
struct StoredChoice {
    value: Text,
    label: Text,
    description: Option<Text>,
    preview: Option<Text>,
    #[serde(default, skip_serializing_if = "is_default")]
    recommended: bool,
    #[serde(default, skip_serializing_if = "is_default")]
    exclusive: bool,
}

impl From<&Inquiry> for StoredInquiry {
    fn from(inquiry: &Inquiry) -> StoredInquiry {
        StoredInquiry {
            v: Version::default(),
            dialect: Named(inquiry.dialect()),
            source: inquiry.input_source().cloned(),
            recipient: inquiry.recipient().cloned(),
            private: inquiry.is_private(),
            handed_on: inquiry.handed_on().map(Into::into),
            questions: inquiry.questions().iter().map(Into::into).collect(),
            assumption: inquiry.assumption().cloned(),
            key: inquiry.key().map(str::to_owned),
            metadata: inquiry.metadata().map(Metadata::to_object),
            traceparent: inquiry.traceparent().map(str::to_owned),
            call: None,
        }
    }
}

impl TryFrom<StoredInquiry> for Inquiry {
    type Error = Unreadable;

    fn try_from(stored: StoredInquiry) -> Result<Inquiry, Unreadable> {
        let questions = stored.questions.into_iter().map(TryInto::try_into);
        let questions = questions.collect::<Result<_, _>>()?;
        let restored = Inquiry::restore(stored.dialect.0, stored.source, questions)
            .map_err(|broken| Unreadable::Inconsistent(broken.0))?;
        let handed_on = stored.handed_on.map(HandedOn::try_from).transpose()?;
        let metadata = stored.metadata.as_ref().and_then(Metadata::new);
        let inquiry = restored
            .addressed_to(stored.recipient)
            .restore_handed_on(handed_on)
            .labelled(stored.key.as_deref(), metadata, stored.traceparent)
            .restore_assumption(stored.assumption);
        Ok(if stored.private {
            inquiry.kept_private()
        } else {
            inquiry
        })
    }
}

impl From<&HandedOn> for StoredHandedOn {
    fn from(handed_on: &HandedOn) -> StoredHandedOn {
        StoredHandedOn {
            by: Form::store(&handed_on.by),
            reason: handed_on.reason.clone(),
            from: handed_on.from.clone(),
            asked_for: handed_on.asked_for.clone().filter(|_| handed_on.count > 1),
            count: handed_on.count,
            at: handed_on.at,
        }
    }
}

impl TryFrom<StoredHandedOn> for HandedOn {
    type Error = Unreadable;

    fn try_from(stored: StoredHandedOn) -> Result<HandedOn, Unreadable> {
        Ok(HandedOn {
            by: stored.by.restore()?,
            reason: stored.reason,
            asked_for: match stored.count {
                1 => stored.from.clone(),
                _ => stored.asked_for,
            },
            from: stored.from,
            count: stored.count,
            at: stored.at,
        })
    }
}

impl From<&Question> for StoredQuestion {
    fn from(question: &Question) -> StoredQuestion {
        let mut stored = StoredQuestion {
            id: question.id.clone(),
            header: question.header.clone(),
            text: question.text.clone(),
            context: question.context.clone(),
            placeholder: question.placeholder.clone(),
            skippable: question.skippable,
            kind: KindName::Text,
            several: None,
            own_text: None,
            confirm: false,
            choices: None,
            min_length: None,
            max_length: None,
            pattern: None,
            min: None,
            max: None,
            step: None,
            integer: false,
            message: None,
        };
        match &question.kind {
            Kind::Choice(choice) => {
                stored.kind = KindName::Choice;
                stored.several = Some(choice.several);
                stored.own_text = Some(choice.own_text);
                stored.confirm = choice.confirm;
                stored.choices = Some(Form::store(&choice.choices));
            }
            Kind::Text(rules) => {
                stored.min_length = rules.min_length;
                stored.max_length = rules.max_length;
                stored.pattern.clone_from(&rules.pattern);
                stored.message.clone_from(&rules.message);
            }
            Kind::Number(rules) => {
                stored.kind = KindName::Number;
                stored.min = rules.min.map(Bound::Number);
                stored.max = rules.max.map(Bound::Number);
                stored.step = rules.step;
                stored.integer = rules.integer;
                stored.message.clone_from(&rules.message);
            }
            Kind::Date(rules) => stored.set_dates(KindName::Date, rules),
            Kind::DateRange(rules) => stored.set_dates(KindName::DateRange, rules),
        }
        stored
    }
}

impl StoredQuestion {
    fn set_dates(&mut self, kind: KindName, rules: &DateRules) {
        self.kind = kind;
        self.min = rules.min.map(Bound::Date);
        self.max = rules.max.map(Bound::Date);
        self.message.clone_from(&rules.message);
    }
}

impl TryFrom<StoredQuestion> for Question {
    type Error = Unreadable;

    fn try_from(stored: StoredQuestion) -> Result<Question, Unreadable> {
        let kind = match (stored.kind, stored.choices) {
            (KindName::Choice, Some(choices)) => Kind::Choice(ChoiceKind {
                several: stored.several.unwrap_or_default(),
                own_text: stored.own_text.unwrap_or_default(),
                confirm: stored.confirm,
                choices: choices.restore()?,
            }),
            (KindName::Choice, None) => {
                return Err(Unreadable::Inconsistent("a choice question has no choices"));
            }
            (KindName::Text, _) => Kind::Text(TextRules {
                min_length: stored.min_length,
                max_length: stored.max_length,
                pattern: stored.pattern,
                message: stored.message,
            }),
            (KindName::Number, _) => Kind::Number(NumberRules {
                min: stored.min.map(Bound::number).transpose()?,
                max: stored.max.map(Bound::number).transpose()?,
                step: stored.step,
                integer: stored.integer,
                message: stored.message,
            }),
            (KindName::Date | KindName::DateRange, _) => {
                let rules = DateRules {
                    min: stored.min.map(Bound::date).transpose()?,
                    max: stored.max.map(Bound::date).transpose()?,
                    message: stored.message,
                };
                if stored.kind == KindName::Date {
                    Kind::Date(rules)
                } else {
                    Kind::DateRange(rules)
                }
            }
        };
        Ok(Question {
            id: stored.id,
            header: stored.header,
            text: stored.text,
            context: stored.context,
            placeholder: stored.placeholder,
            skippable: stored.skippable,
            kind,
        })
    }
}

impl Bound {
    fn number(self) -> Result<Number, Unreadable> {
        match self {
            Bound::Number(number) => Ok(number),
            Bound::Date(_) => Err(Unreadable::Inconsistent("a number has a date as its bound")),
        }
    }

    fn date(self) -> Result<Date, Unreadable> {
        match self {
            Bound::Date(date) => Ok(date),
            Bound::Number(_) => Err(Unreadable::Inconsistent("a date has a number as its bound")),
        }
    }
}

forms! {
    struct StoredChoice = Choice { value, label, description, preview, recommended, exclusive }
}
