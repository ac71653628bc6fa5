//! Fakes of the services that channels speak to: Telegram, Slack, ntfy or another HTTP receiver, and a mail
//! server; and with the feature `provider` of those that models are reached through.
//!
//! A fake speaks the protocol of its service on this machine, records what it gets, plays the people, and
//! fails, waits or repeats when it is told to. The tests use them, and `fake-telegram` is a program with which
//! a person can try a channel without an account.
//!
//! The crate knows nothing of askback but the scripts that [`fake_provider`] plays: what a fake accepts is written down from the documentation of its
//! service, so that a mistake of a channel is not repeated here.

#![expect(
    clippy::expect_used,
    clippy::missing_panics_doc,
    reason = "a fake that does not get what a test waits for fails the test"
)]

use std::time::Duration;

// The tests of the built-in agent have the same file as a module.
#[cfg(feature = "provider")]
#[path = "fake_provider/provider.rs"]
pub mod fake_provider;
mod http;
mod lock;
mod picture;
mod player;
mod slack;
mod smtp;
mod telegram;

pub use http::{FakeHttp, FakeResponse, Request};
pub use picture::ntfy_picture;
pub use player::{HELP, Player};
pub use slack::{FakeSlack, SlackMessage};
pub use smtp::{FakeSmtp, Mail};
pub use telegram::{FakeMessage, FakeTelegram, StopPoint};

/// How long a test waits for something that must happen: generous, for slow and busy machines.
pub const TEST_TIMEOUT: Duration = Duration::from_mins(2);
