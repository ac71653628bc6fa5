//! From what people do in a channel to commands of the engine, and to what they are told.

pub(crate) mod asked_question;
pub(crate) mod deed;
pub(crate) mod draft_edits;
pub(crate) mod edit_draft;
pub(crate) mod feedback_text;
pub(crate) mod hand_on;
pub(crate) mod handle_incoming;
pub(crate) mod line_answer;
pub(crate) mod prompts;
pub(crate) mod respond;
pub(crate) mod typed_reply;
