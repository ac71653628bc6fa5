//! What a prompt asks of the rest of the program, and what comes back.

use askback_wire::link::LinkResponse;
use askback_wire::recipient::RecipientResponse;

/// What only the server can do.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum PromptRequest {
    /// Create a link for another device.
    CreateLink,
    /// List people and groups.
    ListRecipients,
    /// Hand the question on.
    HandOn {
        /// The alias of the person or group.
        recipient: String,
        /// For the record and the new recipient.
        reason: Option<String>,
    },
}

/// What came of a [`PromptRequest`], or of saving the draft.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum PromptEvent {
    /// The link, or the reason why there is none.
    Link(Result<LinkResponse, String>),
    /// People and groups, or the reason why they could not be listed.
    Recipients(Result<Vec<RecipientResponse>, String>),
    /// The name of the new recipient, or the reason why it was not handed on.
    HandedOn(Result<String, String>),
    /// The draft was not saved, because another one was saved elsewhere.
    OtherDraft,
}
