//! What is shown instead of the list.

use askback_core::id::InquiryId;

use super::snooze::SnoozeMenu;
use crate::prompt::Prompt;
use crate::reply::InquiryReply;

#[derive(Debug)]
pub(super) enum Overlay {
    Prompt(OpenPrompt),
    /// Asks for confirmation before these questions are declined or rejected.
    Confirm(BulkAction, Vec<InquiryId>),
    /// Asks until when to snooze questions.
    Snooze(SnoozeMenu),
    /// The open question was answered elsewhere; shows how, and what was typed for it.
    Ended(InquiryId),
    Help,
}

impl Overlay {
    /// The questions that it is about.
    pub(super) fn inquiries(&self) -> Vec<InquiryId> {
        match self {
            Overlay::Prompt(open) => vec![open.id.clone()],
            Overlay::Ended(id) => vec![id.clone()],
            Overlay::Confirm(_, ids) => ids.clone(),
            Overlay::Snooze(menu) => menu.ids.clone(),
            Overlay::Help => Vec::new(),
        }
    }
}

/// The prompt of a question of the list.
#[derive(Debug)]
pub(super) struct OpenPrompt {
    pub(super) id: InquiryId,
    pub(super) prompt: Box<Prompt>,
    pub(super) purpose: Purpose,
}

/// What a prompt was opened for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Purpose {
    Answer,
    /// It shows the people to whom the question can be handed on, and closes with them.
    HandOn,
}

/// An action that must be confirmed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum BulkAction {
    Reject,
    Decline,
}

impl BulkAction {
    pub(super) fn reply(self) -> InquiryReply {
        match self {
            BulkAction::Reject => InquiryReply::Reject,
            BulkAction::Decline => InquiryReply::Decline,
        }
    }
}
