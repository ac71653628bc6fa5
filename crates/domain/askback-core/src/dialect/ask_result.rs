//! What the model is told about an outcome: the one tool result of its call.
//!
//! Everything in it is built from the stored question and the checked answer, never from what a
//! client echoed. A decline and an expiry are results, not errors; none of them invents a choice.

use serde::{Serialize, Serializer};

use super::{Dialect, ask_user, ask_user_question, ask_user_question_claude, question, questions};
use crate::answer::Answers;
use crate::inquiry::Inquiry;
use crate::outcome::{Next, Outcome, UndeliverableReason};

/// The result of an ask call, and what it makes the agent do.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct AskResult {
    /// The text of the tool result.
    pub content: String,
    /// Whether the result is an error.
    pub is_error: bool,
    /// Whether the agent goes on.
    pub next: Next,
    /// The user message that follows the result, where an answer is one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub user_message: Option<String>,
}

const DECLINED: &str = "\
The user declined to answer and wants you to go on without it. That is not a choice: none of the \
options was picked.";
const SUPERSEDED: &str = "\
The user wrote a message instead of picking an answer. It follows as the next user message; take it \
as their reply to this question.";
const EXPIRED: &str = "\
Nobody answered before the deadline passed. The user has chosen nothing: do not treat any option as \
chosen.";
const WITHDRAWN: &str = "The question was withdrawn before anyone answered it. There is no answer.";

pub(super) fn render(inquiry: &Inquiry, outcome: &Outcome) -> AskResult {
    let (content, is_error, user_message) = match outcome {
        Outcome::Answered { answers } => answered(inquiry, answers),
        Outcome::Superseded { message } => (
            result(inquiry, "user_wrote_message", SUPERSEDED),
            false,
            Some(message.to_string()),
        ),
        Outcome::Declined => (result(inquiry, "user_declined", DECLINED), false, None),
        Outcome::Expired => (result(inquiry, "no_answer", EXPIRED), false, None),
        Outcome::Cancelled => ("User cancelled the question".to_owned(), true, None),
        Outcome::Rejected => ("User rejected the question".to_owned(), true, None),
        Outcome::Withdrawn => (WITHDRAWN.to_owned(), true, None),
        Outcome::Undeliverable { reason } => {
            (undeliverable(inquiry.dialect(), *reason), true, None)
        }
    };
    AskResult {
        content,
        is_error,
        next: outcome.next(),
        user_message,
    }
}

fn answered(inquiry: &Inquiry, answers: &Answers) -> (String, bool, Option<String>) {
    match inquiry.dialect() {
        Dialect::AskUserQuestion => (ask_user_question::answered(inquiry, answers), false, None),
        Dialect::AskUserQuestionClaude => (
            ask_user_question_claude::answered(inquiry, answers),
            false,
            None,
        ),
        Dialect::AskUser => (ask_user::answered(inquiry, answers), false, None),
        Dialect::Questions => (questions::answered(inquiry, answers), false, None),
        Dialect::Question => {
            let content = "The user answered. Their answer is the next user message.".to_owned();
            (
                content,
                false,
                Some(question::user_message(inquiry, answers)),
            )
        }
    }
}

/// A JSON object whose keys keep their order.
pub(super) struct InOrder<K, V>(pub(super) Vec<(K, V)>);

impl<K, V> InOrder<K, V> {
    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

impl<K: Serialize, V: Serialize> Serialize for InOrder<K, V> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.0.iter().map(|(key, value)| (key, value)))
    }
}

/// A sentence, wrapped as a status where the dialect has statuses.
fn result(inquiry: &Inquiry, status: &str, sentence: &str) -> String {
    match inquiry.dialect() {
        Dialect::AskUser => ask_user::status(inquiry, status, sentence, None),
        Dialect::AskUserQuestion
        | Dialect::AskUserQuestionClaude
        | Dialect::Question
        | Dialect::Questions => sentence.to_owned(),
    }
}

/// What the model is told about a question that nobody was shown.
pub(crate) fn undeliverable(dialect: Dialect, reason: UndeliverableReason) -> String {
    let name = dialect.name();
    match reason {
        UndeliverableReason::NobodyThere => {
            "The user never saw this question: nobody is there to answer it now. \
             Nothing was chosen. If you need the answer, say in your reply what is open."
                .to_owned()
        }
        UndeliverableReason::Disabled => format!(
            "The user never saw this question: {name} is switched off here. Nothing was chosen. \
             If you need the answer, ask in your reply."
        ),
        UndeliverableReason::LimitReached => format!(
            "The user never saw this question: {name} has been used as often as one conversation \
             allows. Do not ask again; proceed with the information you have."
        ),
        UndeliverableReason::SubAgent => format!(
            "The user never saw this question: {name} is not available to sub-agents, because only \
             parent conversations can ask the user. Finish without it and report what is open."
        ),
    }
}
