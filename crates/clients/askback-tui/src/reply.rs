//! Replies to questions.

use askback_core::answer::Answers;

use crate::prompt::End;

/// What the user decided about a question.
#[derive(Debug, Clone, PartialEq)]
pub enum InquiryReply {
    /// Valid answers to all questions of the inquiry.
    Answer(Answers),
    /// The agent continues without an answer.
    Decline,
    /// The agent stops.
    Reject,
}

impl InquiryReply {
    /// The reply to send after a prompt ended; `None` if the question stays open.
    pub fn of(end: End) -> Option<InquiryReply> {
        match end {
            End::Answered(answers) => Some(InquiryReply::Answer(answers)),
            End::Declined => Some(InquiryReply::Decline),
            End::Rejected => Some(InquiryReply::Reject),
            End::Postponed | End::Detached | End::Expired => None,
        }
    }
}
