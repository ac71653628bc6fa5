//! Replies to questions.

use askback_core::answer::Answers;
use askback_core::id::{ConversationId, InquiryId};
use askback_wire::inquiry::InquiryResponse;

use crate::prompt::End;

/// Identifies the question that a reply is for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ReplyTarget {
    /// The id of the inquiry.
    pub id: InquiryId,
    /// The conversation of the inquiry.
    pub conversation: ConversationId,
    /// The revision that was shown; the server refuses a reply to an older one.
    pub revision: u32,
}

impl From<&InquiryResponse> for ReplyTarget {
    fn from(asked: &InquiryResponse) -> ReplyTarget {
        ReplyTarget {
            id: asked.id.clone(),
            conversation: asked.conversation_id.clone(),
            revision: asked.revision,
        }
    }
}

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
