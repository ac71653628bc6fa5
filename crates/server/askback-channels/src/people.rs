//! Who gets questions and where: recipients, their accounts, and whether they are present.

pub(crate) mod account;
pub(crate) mod after_linking;
pub(crate) mod former_people;
pub(crate) mod link_account;
pub(crate) mod presence;
pub(crate) mod push_subscriptions;
pub(crate) mod reachable;
pub(crate) mod recipients;
pub(crate) mod snoozes;
pub(crate) mod stored_address;
pub(crate) mod stored_people;
