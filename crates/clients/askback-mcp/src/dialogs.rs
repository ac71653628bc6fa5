//! Questions as dialogs of the client, in both eras of the protocol.

pub(crate) mod elicitation;
pub(crate) mod input_required;
pub(crate) mod push;
pub(crate) mod request_state_key;
