//! How an inquiry ended: outcomes, answers, and who gave them.

use std::borrow::Cow;

use askback_core::answer::{Answer, AnswerValue, Answers};
use askback_core::conversation::event::CallResult;
use askback_core::conversation::state::HeldAnswer;
use askback_core::identity::{Identity, NodeName};
use askback_core::number::Number;
use askback_core::outcome::{Actor, Outcome, Resolution, Surface, UndeliverableReason};
use askback_core::question::QuestionId;
use askback_core::text::Text;
use askback_macros::skip_none;
use jiff::Timestamp;
use jiff::civil::Date;
use serde::{Deserialize, Serialize};

use crate::form::{Form, forms};
use crate::name::Named;
use crate::version::Version;
use crate::{Unreadable, is_default};

/// The column `resolution` of an inquiry.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct StoredResolution<'a> {
    #[serde(default, skip_serializing_if = "is_default")]
    v: Version,
    resolution: StoredEnding,
    result: StoredResult<'a>,
}

/// The column `held` of an inquiry: an answer that can still be undone.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct StoredHeld {
    resolution: StoredEnding,
    until: Timestamp,
}

/// An outcome with who brought it about and when.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct StoredEnding {
    outcome: StoredOutcome,
    by: StoredActor,
    /// The name of the node.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    node: Option<Text>,
    at: Timestamp,
}

/// An outcome. Webhooks send it in this form, too: see `docs/webhooks.md`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
#[expect(
    missing_docs,
    reason = "the variants are those of the outcome in the core"
)]
pub enum StoredOutcome {
    Answered {
        answers: StoredAnswers,
    },
    Declined,
    Cancelled,
    Rejected,
    Superseded {
        message: Text,
    },
    Expired,
    Withdrawn,
    Undeliverable {
        #[serde(default)]
        reason: Named<UndeliverableReason>,
    },
}

/// One answer for each question.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct StoredAnswers(Vec<StoredAnswer>);

/// An answer of any kind. It is read without a buffer, because the fields of all kinds are side by side.
#[skip_none]
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
struct StoredAnswer {
    question: QuestionId,
    given: GivenName,
    values: Option<Vec<Text>>,
    own: Option<Text>,
    text: Option<Text>,
    number: Option<Number>,
    date: Option<Date>,
    start: Option<Date>,
    end: Option<Date>,
    note: Option<Text>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
enum GivenName {
    Chosen,
    Text,
    Number,
    Date,
    DateRange,
    Skipped,
    Unanswered,
}

/// Who did something, and from where. Webhooks send it in this form, too.
#[skip_none]
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct StoredActor {
    name: Option<Text>,
    identity: Option<Text>,
    surface: Named<Surface>,
    message: Option<Text>,
}

/// The result of a call. Webhooks send it in this form, too.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct StoredResult<'a> {
    content: Cow<'a, str>,
    #[serde(default, skip_serializing_if = "is_default")]
    is_error: bool,
}

impl<'a> StoredResolution<'a> {
    /// The form of a resolution with the result that its asker is told.
    pub fn new(resolution: &Resolution, result: &'a CallResult) -> StoredResolution<'a> {
        StoredResolution {
            v: Version::default(),
            resolution: Form::store(resolution),
            result: Form::store(result),
        }
    }
}

/// How an inquiry ended.
#[derive(Debug, Clone, PartialEq)]
pub struct InquiryResolution {
    /// The outcome, when it came, and who gave it.
    pub resolution: Resolution,
    /// The tool result for the agent that asked.
    pub result: CallResult,
}

impl StoredResolution<'_> {
    /// The resolution with its result.
    pub fn restore(self) -> Result<InquiryResolution, Unreadable> {
        Ok(InquiryResolution {
            resolution: self.resolution.restore()?,
            result: self.result.restore()?,
        })
    }
}

impl StoredHeld {
    /// An answer that can be undone until a time.
    pub fn new(resolution: &Resolution, until: Timestamp) -> StoredHeld {
        StoredHeld {
            resolution: Form::store(resolution),
            until,
        }
    }
}

forms! {
    struct StoredHeld = HeldAnswer { resolution, until }
    struct StoredEnding = Resolution { outcome, by, node, at }
    enum StoredOutcome = Outcome {
        Answered { answers }, Declined {}, Cancelled {}, Rejected {}, Superseded { message }, Expired {}, Withdrawn {},
        Undeliverable { reason },
    }
    struct StoredActor = Actor { name, identity, surface, message }
    struct StoredResult<'a> = CallResult { content, is_error }
}

impl Form<'_, NodeName> for Text {
    fn store(node: &NodeName) -> Text {
        node.text().clone()
    }

    fn restore(self) -> Result<NodeName, Unreadable> {
        Ok(NodeName::restore(self))
    }
}

impl Form<'_, Identity> for Text {
    fn store(identity: &Identity) -> Text {
        identity.text().clone()
    }

    fn restore(self) -> Result<Identity, Unreadable> {
        Ok(Identity::restore(self))
    }
}

impl Form<'_, Answers> for StoredAnswers {
    fn store(answers: &Answers) -> StoredAnswers {
        StoredAnswers(answers.iter().map(Into::into).collect())
    }

    fn restore(self) -> Result<Answers, Unreadable> {
        let answers = self.0.into_iter().map(Answer::try_from);
        let answers = Answers::restore(answers.collect::<Result<_, _>>()?);
        answers.map_err(|broken| Unreadable::Inconsistent(broken.0))
    }
}

impl From<&Answer> for StoredAnswer {
    fn from(answer: &Answer) -> StoredAnswer {
        let mut stored = StoredAnswer {
            question: answer.question.clone(),
            given: GivenName::Unanswered,
            values: None,
            own: None,
            text: None,
            number: None,
            date: None,
            start: None,
            end: None,
            note: answer.note.clone(),
        };
        stored.given = match &answer.given {
            AnswerValue::Chosen { values, own } => {
                stored.values = Some(values.clone());
                stored.own.clone_from(own);
                GivenName::Chosen
            }
            AnswerValue::Text { text } => {
                stored.text = Some(text.clone());
                GivenName::Text
            }
            AnswerValue::Number { number } => {
                stored.number = Some(*number);
                GivenName::Number
            }
            AnswerValue::Date { date } => {
                stored.date = Some(*date);
                GivenName::Date
            }
            AnswerValue::DateRange { start, end } => {
                (stored.start, stored.end) = (Some(*start), Some(*end));
                GivenName::DateRange
            }
            AnswerValue::Skipped => GivenName::Skipped,
            AnswerValue::Unanswered => GivenName::Unanswered,
        };
        stored
    }
}

impl TryFrom<StoredAnswer> for Answer {
    type Error = Unreadable;

    fn try_from(stored: StoredAnswer) -> Result<Answer, Unreadable> {
        let given = match stored.given {
            GivenName::Chosen => stored.values.map(|values| AnswerValue::Chosen {
                values,
                own: stored.own,
            }),
            GivenName::Text => stored.text.map(|text| AnswerValue::Text { text }),
            GivenName::Number => stored.number.map(|number| AnswerValue::Number { number }),
            GivenName::Date => stored.date.map(|date| AnswerValue::Date { date }),
            GivenName::DateRange => {
                let range = stored.start.zip(stored.end);
                range.map(|(start, end)| AnswerValue::DateRange { start, end })
            }
            GivenName::Skipped => Some(AnswerValue::Skipped),
            GivenName::Unanswered => Some(AnswerValue::Unanswered),
        };
        Ok(Answer {
            question: stored.question,
            given: given.ok_or(Unreadable::Inconsistent("an answer has no value"))?,
            note: stored.note,
        })
    }
}
