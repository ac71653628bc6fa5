//! The channels themselves, and what they share to talk to their providers.

pub mod base64url;
pub(crate) mod base_url;
pub(crate) mod command;
pub(crate) mod email;
pub(crate) mod http;
pub(crate) mod ip_network;
pub(crate) mod ntfy;
pub(crate) mod placeholder;
pub(crate) mod secret;
pub(crate) mod slack;
pub(crate) mod telegram;
pub(crate) mod webpush;
