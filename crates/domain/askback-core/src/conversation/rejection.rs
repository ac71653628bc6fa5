//! Why a command is refused. A refusal changes nothing.
//!
//! The texts name what to do instead and hold no payload: they travel into logs.

use jiff::Timestamp;

use crate::answer::AnswerError;
use crate::id::InquiryId;
use crate::limits;

/// Why a command is refused.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum Rejection {
    /// No inquiry waits, or this one has its outcome already.
    #[error("This question is not waiting for an answer any more.")]
    NotPending,
    /// The deadline of the question has passed, so it takes no answer and no other deadline, even if
    /// its timer has not fired yet.
    #[error("This question expired at {at}. It is not waiting for an answer any more.")]
    Expired { inquiry: InquiryId, at: Timestamp },
    /// The question has an answer, which can still be undone.
    #[error("This question has an answer already. Take it back before you give another one.")]
    Held,
    /// No answer is held that could be undone.
    #[error("There is no answer to undo. The question is pending.")]
    NothingHeld,
    /// The undo window is too short or too long.
    #[error(
        "The undo window must be 1 to {} seconds long.",
        limits::UNDO_SECONDS_MAX
    )]
    InvalidUndoWindow,
    /// The agent's next inquiry waits instead of the one the sender saw, or another revision of it.
    #[error("Another question is waiting now than the one this answers. Look at it first.")]
    StaleInquiry,
    /// Several inquiries wait and the command names none.
    #[error("Several questions are waiting. Name the one that is meant.")]
    SeveralPending,
    /// The answers do not fit the questions.
    #[error("The answer does not fit the question.")]
    InvalidAnswer(Vec<AnswerError>),
    /// A question must be answered before the next message.
    #[error("A question is waiting. Answer, decline or cancel it before you send a message.")]
    AwaitingUserResponse,
    /// The agent is at work.
    #[error("The agent is working. Wait for it, or stop it, before you send a message.")]
    Busy,
    /// The same message again.
    #[error("This message has been received already.")]
    DuplicateMessage,
    /// A message without readable text, or one that is too long.
    #[error(
        "A message needs text, of at most {} characters.",
        limits::MESSAGE_CHARS_MAX
    )]
    InvalidMessage,
    /// Nothing is going on that could be stopped.
    #[error("Nothing is going on that could be stopped.")]
    NothingToStop,
    /// The conversation was closed, and takes nothing any more.
    #[error("This conversation was deleted. It takes nothing any more.")]
    Closed,
    /// A report on work that nobody waits for any more.
    #[error("Nobody waits for this work any more.")]
    StaleReport,
    /// The command does not fit who drives the conversation.
    #[error("This conversation is driven by {driver}, which does not take this command.")]
    WrongDriver {
        /// Who drives it.
        driver: &'static str,
    },
    /// The asker has too many questions open.
    #[error(
        "Too many questions are waiting in this conversation: at most {}, with at most {} MiB of text \
         together. Wait for answers first, or ask in another conversation.",
        limits::EXTERNAL_PENDING_MAX,
        limits::EXTERNAL_PENDING_BYTES_MAX >> 20
    )]
    TooManyPending,
    /// Too much waits in all conversations together.
    #[error(
        "The questions that wait on this server have {} MiB of text together, which is the most it keeps. \
         Wait for answers first, or withdraw questions that nobody will answer.",
        limits::PENDING_BYTES_MAX >> 20
    )]
    TooMuchPending,
    /// Asking is not possible here; the text is for the asker.
    #[error("{0}")]
    Undeliverable(String),
    /// The question has this recipient already.
    #[error("This question is with that recipient already.")]
    SameRecipient,
    /// A deadline that lies in the past.
    #[error("A deadline must lie in the future.")]
    DeadlinePassed,
    /// The deadline of a question has not passed yet.
    #[error("The deadline has not passed yet.")]
    NotExpired {
        /// The deadline, if there is one.
        expires_at: Option<Timestamp>,
    },
}

impl Rejection {
    /// The stable word for this refusal, as the wire has it.
    pub fn code(&self) -> &'static str {
        match self {
            Rejection::NotPending | Rejection::Expired { .. } => "not_pending",
            Rejection::Held => "held",
            Rejection::NothingHeld => "nothing_held",
            Rejection::InvalidUndoWindow => "invalid_undo_window",
            Rejection::StaleInquiry => "stale_inquiry",
            Rejection::SeveralPending => "several_pending",
            Rejection::InvalidAnswer(_) => "invalid_answer",
            Rejection::AwaitingUserResponse => "awaiting_user_response",
            Rejection::Busy => "busy",
            Rejection::DuplicateMessage => "duplicate_message",
            Rejection::InvalidMessage => "invalid_message",
            Rejection::NothingToStop => "nothing_to_stop",
            Rejection::Closed => "conversation_closed",
            Rejection::StaleReport => "stale_report",
            Rejection::WrongDriver { .. } => "wrong_driver",
            Rejection::TooManyPending | Rejection::TooMuchPending => "too_many_pending",
            Rejection::Undeliverable(_) => "undeliverable",
            Rejection::SameRecipient => "same_recipient",
            Rejection::DeadlinePassed => "deadline_passed",
            Rejection::NotExpired { .. } => "not_expired",
        }
    }
}
