//! Questions as dialogs of the client.

pub(crate) mod elicitation;
pub(crate) mod push;
