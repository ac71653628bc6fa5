//! What is sent for a question that was shown.

use askback_core::answer::Answers;
use askback_core::id::{ConversationId, InquiryId};
use askback_wire::inquiry::InquiryResponse;

use crate::prompt::End;

/// The question that a reply is for, as it was when it was shown.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ReplyTarget {
    /// Which one.
    pub id: InquiryId,
    /// Where it was asked.
    pub conversation: ConversationId,
    /// Which edition of it.
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

/// What is said to a question.
#[derive(Debug, Clone, PartialEq)]
pub enum Reply {
    /// Its answer.
    Answer(Answers),
    /// That the agent is to go on without one.
    Decline,
    /// That the agent is to stop.
    Reject,
}

impl Reply {
    /// The reply that an end of a prompt stands for; none if the question stays as it is.
    pub fn of(end: End) -> Option<Reply> {
        match end {
            End::Answered(answers) => Some(Reply::Answer(answers)),
            End::Declined => Some(Reply::Decline),
            End::Rejected => Some(Reply::Reject),
            End::Postponed | End::Detached | End::Expired => None,
        }
    }
}
