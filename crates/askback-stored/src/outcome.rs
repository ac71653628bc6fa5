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
use jiff::Timestamp;
use jiff::civil::Date;
use serde::{Deserialize, Serialize};

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
pub struct StoredEnding {
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
        reason: StoredReason,
    },
}

/// One answer for each question.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct StoredAnswers(Vec<StoredAnswer>);

/// The name of a reason.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(transparent)]
pub struct StoredReason(Named<UndeliverableReason>);

/// An answer of any kind. It is read without a buffer, because the fields of all kinds are side by side.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
struct StoredAnswer {
    question: QuestionId,
    given: GivenName,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    values: Option<Vec<Text>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    own: Option<Text>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    text: Option<Text>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    number: Option<Number>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    date: Option<Date>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    start: Option<Date>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    end: Option<Date>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
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
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct StoredActor {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    name: Option<Text>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    identity: Option<Text>,
    surface: Named<Surface>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
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
            resolution: resolution.into(),
            result: result.into(),
        }
    }
}

impl TryFrom<StoredResolution<'_>> for (Resolution, CallResult) {
    type Error = Unreadable;

    fn try_from(stored: StoredResolution<'_>) -> Result<Self, Unreadable> {
        Ok((stored.resolution.try_into()?, stored.result.into()))
    }
}

impl StoredHeld {
    /// An answer that can be undone until a time.
    pub fn new(resolution: &Resolution, until: Timestamp) -> StoredHeld {
        StoredHeld {
            resolution: resolution.into(),
            until,
        }
    }
}

impl TryFrom<StoredHeld> for HeldAnswer {
    type Error = Unreadable;

    fn try_from(stored: StoredHeld) -> Result<HeldAnswer, Unreadable> {
        Ok(HeldAnswer {
            resolution: stored.resolution.try_into()?,
            until: stored.until,
        })
    }
}

impl From<&Resolution> for StoredEnding {
    fn from(resolution: &Resolution) -> StoredEnding {
        StoredEnding {
            outcome: (&resolution.outcome).into(),
            by: (&resolution.by).into(),
            node: resolution.node.as_ref().map(|node| node.text().clone()),
            at: resolution.at,
        }
    }
}

impl TryFrom<StoredEnding> for Resolution {
    type Error = Unreadable;

    fn try_from(stored: StoredEnding) -> Result<Resolution, Unreadable> {
        Ok(Resolution {
            outcome: stored.outcome.try_into()?,
            by: stored.by.into(),
            node: stored.node.map(NodeName::restore),
            at: stored.at,
        })
    }
}

impl From<&Outcome> for StoredOutcome {
    fn from(outcome: &Outcome) -> StoredOutcome {
        match outcome {
            Outcome::Answered { answers } => StoredOutcome::Answered {
                answers: StoredAnswers(answers.iter().map(Into::into).collect()),
            },
            Outcome::Declined => StoredOutcome::Declined,
            Outcome::Cancelled => StoredOutcome::Cancelled,
            Outcome::Rejected => StoredOutcome::Rejected,
            Outcome::Superseded { message } => StoredOutcome::Superseded {
                message: message.clone(),
            },
            Outcome::Expired => StoredOutcome::Expired,
            Outcome::Withdrawn => StoredOutcome::Withdrawn,
            Outcome::Undeliverable { reason } => StoredOutcome::Undeliverable {
                reason: StoredReason(Named(*reason)),
            },
        }
    }
}

impl TryFrom<StoredOutcome> for Outcome {
    type Error = Unreadable;

    fn try_from(stored: StoredOutcome) -> Result<Outcome, Unreadable> {
        Ok(match stored {
            StoredOutcome::Answered { answers } => {
                let answers = answers.0.into_iter().map(Answer::try_from);
                let answers = Answers::restore(answers.collect::<Result<_, _>>()?);
                Outcome::Answered {
                    answers: answers.map_err(|broken| Unreadable::Inconsistent(broken.0))?,
                }
            }
            StoredOutcome::Declined => Outcome::Declined,
            StoredOutcome::Cancelled => Outcome::Cancelled,
            StoredOutcome::Rejected => Outcome::Rejected,
            StoredOutcome::Superseded { message } => Outcome::Superseded { message },
            StoredOutcome::Expired => Outcome::Expired,
            StoredOutcome::Withdrawn => Outcome::Withdrawn,
            StoredOutcome::Undeliverable { reason } => {
                Outcome::Undeliverable { reason: reason.0.0 }
            }
        })
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

impl From<&Actor> for StoredActor {
    fn from(actor: &Actor) -> StoredActor {
        StoredActor {
            name: actor.name.clone(),
            identity: actor.identity.as_ref().map(|it| it.text().clone()),
            surface: Named(actor.surface),
            message: actor.message.clone(),
        }
    }
}

impl From<StoredActor> for Actor {
    fn from(stored: StoredActor) -> Actor {
        Actor {
            name: stored.name,
            identity: stored.identity.map(Identity::restore),
            surface: stored.surface.0,
            message: stored.message,
        }
    }
}

impl<'a> From<&'a CallResult> for StoredResult<'a> {
    fn from(result: &'a CallResult) -> StoredResult<'a> {
        StoredResult {
            content: Cow::Borrowed(&result.content),
            is_error: result.is_error,
        }
    }
}

impl From<StoredResult<'_>> for CallResult {
    fn from(stored: StoredResult<'_>) -> CallResult {
        CallResult {
            content: stored.content.into_owned(),
            is_error: stored.is_error,
        }
    }
}
