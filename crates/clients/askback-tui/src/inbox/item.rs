//! A question of the inbox.

use askback_core::draft::Draft;
use askback_core::id::InquiryId;
use askback_wire::inquiry::InquiryResponse;
use askback_wire::outcome::{OutcomeResponse, to_answers};

use crate::deadline::Deadline;
use crate::inquiry_update::InquiryUpdate;
use crate::reply::InquiryReply;
use askback_terminal::clock::MonotonicTime;
use askback_terminal::row::Row;

#[derive(Debug)]
pub(super) struct Item {
    pub(super) inquiry: InquiryResponse,
    pub(super) draft: Option<Draft>,
    pub(super) deadline: Option<Deadline>,
    /// Whether a reply was sent. It is hidden then.
    pub(super) sent: bool,
    /// The batch that its reply was sent with.
    pub(super) batch: usize,
    /// How it was answered elsewhere while it had the focus. It stays in the list until the focus
    /// moves.
    pub(super) ended: Vec<String>,
    /// The reply that was sent from here.
    pub(super) reply: Option<InquiryReply>,
    /// Whether the server did not take that reply, because it had another.
    pub(super) reply_lost: bool,
    /// What was typed or chosen here, if somebody else answered first.
    pub(super) unsent: Vec<Row>,
    /// When it ended elsewhere.
    pub(super) ended_at: MonotonicTime,
}

impl Item {
    pub(super) fn new(update: InquiryUpdate) -> Item {
        Item {
            inquiry: update.inquiry,
            draft: update.draft,
            deadline: update.deadline,
            sent: false,
            batch: 0,
            ended: Vec::new(),
            reply: None,
            reply_lost: false,
            unsent: Vec::new(),
            ended_at: MonotonicTime::ZERO,
        }
    }

    pub(super) fn id(&self) -> &InquiryId {
        &self.inquiry.id
    }

    pub(super) fn is_open(&self) -> bool {
        !self.sent && self.ended.is_empty()
    }

    /// Whether the outcome can be the reply that was sent from here. Other answers than those sent
    /// are somebody else's.
    pub(super) fn may_be_ours(&self, outcome: Option<&OutcomeResponse>) -> bool {
        match (&self.reply, outcome) {
            _ if self.reply_lost => false,
            (Some(InquiryReply::Answer(sent)), Some(OutcomeResponse::Answered { answers })) => {
                self.sent && to_answers(answers).as_ref() == Some(sent)
            }
            _ => self.sent,
        }
    }
}
