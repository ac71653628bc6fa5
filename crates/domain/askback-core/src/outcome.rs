//! How an inquiry ended. The set is closed, and every inquiry ends in exactly one of them.
//!
//! Silence is never consent and an empty answer never looks like success: what nobody answered is
//! `Expired`, `Withdrawn` or `Undeliverable`, each with words of its own for the agent.
#![expect(
    missing_docs,
    reason = "fields are documented where their names do not say enough"
)]

use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::answer::{AnswerError, Answers};
use crate::identity::{Identity, NodeName};
use crate::inquiry::Inquiry;
use crate::limits;
use crate::text::{Lines, Text};

/// How an inquiry ended.
#[derive(Debug, Clone, PartialEq)]
pub enum Outcome {
    /// The respondent sent answers.
    Answered {
        /// What they sent, checked.
        answers: Answers,
    },
    /// The respondent wants the agent to go on without an answer.
    Declined,
    /// The respondent stopped the agent.
    Cancelled,
    /// The respondent refused the question; the agent stops.
    Rejected,
    /// The respondent wrote a message instead, where the dialect lets a message answer.
    Superseded { message: Text },
    /// Nobody answered before the deadline.
    Expired,
    /// The asker went away, or its conversation was stopped or deleted.
    Withdrawn,
    /// Nobody could have answered: the question was never shown.
    Undeliverable { reason: UndeliverableReason },
}

/// Why a question was never shown to anybody.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum UndeliverableReason {
    /// No person is there to answer.
    #[default]
    NobodyThere,
    /// Asking is switched off here.
    Disabled,
    /// The conversation has used up its inquiries.
    LimitReached,
    /// A sub-agent asked; only parent conversations can.
    SubAgent,
}

/// What the agent does once the outcome is known.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Next {
    /// It goes on, with the tool result.
    Resume,
    /// Its turn ends; it learns the outcome on its next turn.
    Stop,
}

/// Where a respondent acts from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Surface {
    /// The terminal prompt, chat or inbox.
    Terminal,
    /// The browser.
    Web,
    /// A link to this one question.
    Link,
    /// A command line such as `askback answer`.
    Cli,
    /// Plain HTTP.
    Http,
    /// The user's own MCP client.
    Mcp,
    /// A message in Telegram.
    Telegram,
    /// A message in Slack.
    Slack,
    /// A notification through ntfy.
    Ntfy,
    /// A notification of the browser.
    Push,
    /// The link in an e-mail.
    Email,
    /// A command of the operator's.
    Command,
    /// The system itself: a timer, a restart.
    System,
}

/// Who did something, and from where.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Actor {
    /// What they call themselves.
    pub name: Option<Text>,
    /// Who they are, if a service has proved it.
    pub identity: Option<Identity>,
    pub surface: Surface,
    /// The service's id of the message in which they did it, if they did it in a message.
    pub message: Option<Text>,
}

/// An outcome with who brought it about, when, from where and on which node.
#[derive(Debug, Clone, PartialEq)]
pub struct Resolution {
    pub outcome: Outcome,
    pub by: Actor,
    /// The node of the server that took it.
    pub node: Option<NodeName>,
    pub at: Timestamp,
}

impl Actor {
    /// Somebody whose identity nobody has proved.
    pub fn new(name: Option<Text>, surface: Surface) -> Actor {
        Actor {
            name,
            identity: None,
            surface,
            message: None,
        }
    }
}

impl Outcome {
    /// The stable word for this outcome, as the wire has it.
    pub fn name(&self) -> &'static str {
        match self {
            Outcome::Answered { .. } => "answered",
            Outcome::Declined => "declined",
            Outcome::Cancelled => "cancelled",
            Outcome::Rejected => "rejected",
            Outcome::Superseded { .. } => "superseded",
            Outcome::Expired => "expired",
            Outcome::Withdrawn => "withdrawn",
            Outcome::Undeliverable { .. } => "undeliverable",
        }
    }

    /// Whether a respondent brought it about, so that somebody is there who watches the agent.
    pub fn is_from_the_respondent(&self) -> bool {
        let is_without = matches!(
            self,
            Outcome::Expired | Outcome::Withdrawn | Outcome::Undeliverable { .. }
        );
        !is_without
    }

    /// Whether the agent goes on.
    pub fn next(&self) -> Next {
        match self {
            Outcome::Answered { .. }
            | Outcome::Declined
            | Outcome::Superseded { .. }
            | Outcome::Expired
            | Outcome::Undeliverable { .. } => Next::Resume,
            Outcome::Cancelled | Outcome::Rejected | Outcome::Withdrawn => Next::Stop,
        }
    }

    /// Reads an outcome for `inquiry` from JSON and checks the answers in it.
    pub fn from_json(inquiry: &Inquiry, value: &Value) -> Result<Outcome, OutcomeError> {
        let kind = value
            .get("type")
            .and_then(Value::as_str)
            .ok_or(OutcomeError::NoType)?;
        match kind {
            "answered" => {
                let answers = value.get("answers").unwrap_or(&Value::Null);
                let notes = value.get("notes");
                let answers =
                    Answers::from_json(inquiry, answers, notes).map_err(OutcomeError::Answers)?;
                Ok(Outcome::Answered { answers })
            }
            "declined" => Ok(Outcome::Declined),
            "cancelled" => Ok(Outcome::Cancelled),
            "rejected" => Ok(Outcome::Rejected),
            "expired" => Ok(Outcome::Expired),
            "withdrawn" => Ok(Outcome::Withdrawn),
            "undeliverable" => {
                let reason = value
                    .get("reason")
                    .map(UndeliverableReason::deserialize)
                    .transpose();
                let reason = reason
                    .map_err(|_| OutcomeError::UnknownReason)?
                    .unwrap_or_default();
                Ok(Outcome::Undeliverable { reason })
            }
            "superseded" => {
                let message = value
                    .get("message")
                    .and_then(Value::as_str)
                    .unwrap_or_default();
                let message = Text::clean(message, Lines::Many).ok_or(OutcomeError::NoMessage)?;
                if message.chars() > limits::MESSAGE_CHARS_MAX {
                    return Err(OutcomeError::MessageTooLong);
                }
                Ok(Outcome::Superseded { message })
            }
            _ => Err(OutcomeError::NoType),
        }
    }
}

/// Why an outcome could not be read.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum OutcomeError {
    /// `type` is missing or unknown.
    #[error(
        "An outcome needs a `type`: answered, declined, cancelled, rejected, superseded, expired, \
         withdrawn or undeliverable."
    )]
    NoType,
    /// A superseding message is missing.
    #[error("A superseded outcome needs the `message` that was written instead.")]
    NoMessage,
    /// A superseding message is too long.
    #[error(
        "The message must have {} characters or fewer.",
        limits::MESSAGE_CHARS_MAX
    )]
    MessageTooLong,
    /// The reason of an undeliverable outcome is unknown.
    #[error("The `reason` must be nobody_there, disabled, limit_reached or sub_agent.")]
    UnknownReason,
    /// Answers do not fit their questions.
    #[error("{}", sentences(.0))]
    Answers(Vec<AnswerError>),
}

fn sentences(errors: &[AnswerError]) -> String {
    let lines: Vec<String> = errors
        .iter()
        .map(|error| match &error.question {
            Some(id) => format!("{id}: {error}"),
            None => error.to_string(),
        })
        .collect();
    lines.join("\n")
}
