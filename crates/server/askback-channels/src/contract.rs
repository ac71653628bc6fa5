//! What a channel implements and what it is given: the trait, buttons, what people do, and what they are told.

pub(crate) mod button;
pub(crate) mod channel;
pub(crate) mod feedback;
pub(crate) mod incoming;
