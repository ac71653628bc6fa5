//! Who acts and from where: two optional request headers.
//!
//! The token says that a caller may act. These headers say for whom, so that outcomes can name the person.
//! They are not verified.

use askback_core::outcome::{Actor, Surface};
use askback_core::text::{Lines, Text};

use crate::limits;
use crate::path::percent_encoded;
use crate::string_enum::string_enum;

/// The name of the person: UTF-8, percent-encoded unless it is plain ASCII.
pub const ACTOR_HEADER: &str = "x-askback-actor";

/// The surface they act from: `terminal`, `web`, `cli`, `http` or `mcp`. The others are recorded by the
/// server alone.
pub const SURFACE_HEADER: &str = "x-askback-surface";

string_enum! {
    /// Where a person acts from.
    SurfaceName {
        /// The terminal prompt, chat or inbox.
        Terminal => "terminal",
        /// The browser.
        Web => "web",
        /// A link to one question.
        Link => "link",
        /// A command line.
        Cli => "cli",
        /// Plain HTTP.
        Http => "http",
        /// The user's own MCP client.
        Mcp => "mcp",
        /// A message in Telegram.
        Telegram => "telegram",
        /// A message in Slack.
        Slack => "slack",
        /// A notification through ntfy.
        Ntfy => "ntfy",
        /// A notification of the browser.
        Push => "push",
        /// The link in an e-mail.
        Email => "email",
        /// A command of the operator's.
        Command => "command",
        /// The server itself, such as at a deadline.
        System => "system",
    }
}

impl From<Surface> for SurfaceName {
    fn from(surface: Surface) -> SurfaceName {
        match surface {
            Surface::Terminal => SurfaceName::Terminal,
            Surface::Web => SurfaceName::Web,
            Surface::Link => SurfaceName::Link,
            Surface::Cli => SurfaceName::Cli,
            Surface::Http => SurfaceName::Http,
            Surface::Mcp => SurfaceName::Mcp,
            Surface::Telegram => SurfaceName::Telegram,
            Surface::Slack => SurfaceName::Slack,
            Surface::Ntfy => SurfaceName::Ntfy,
            Surface::Push => SurfaceName::Push,
            Surface::Email => SurfaceName::Email,
            Surface::Command => SurfaceName::Command,
            Surface::System => SurfaceName::System,
        }
    }
}

/// The two headers of a request, unparsed.
#[derive(Debug, Clone, Copy, Default)]
pub struct ActorHeaders<'a> {
    /// The value of [`ACTOR_HEADER`].
    pub actor: Option<&'a [u8]>,
    /// The value of [`SURFACE_HEADER`].
    pub surface: Option<&'a [u8]>,
}

impl ActorHeaders<'_> {
    /// Never fails: the name is cleaned and truncated, and an unknown or reserved surface counts as plain
    /// HTTP.
    pub fn actor(self) -> Actor {
        let surface = self.surface.map_or(Surface::Http, surface);
        Actor::new(self.actor.and_then(name), surface)
    }
}

/// A name as the value of [`ACTOR_HEADER`].
pub fn encode_actor(name: &Text) -> String {
    percent_encoded(name.as_str())
}

fn name(header: &[u8]) -> Option<Text> {
    // More bytes cannot be part of the truncated name.
    let header = &header[..header.len().min(limits::ACTOR_CHARS_MAX * 16)];
    let decoded = percent_encoding::percent_decode(header).decode_utf8_lossy();
    let name = Text::clean(&decoded, Lines::One)?;
    Some(name.clip(limits::ACTOR_CHARS_MAX))
}

fn surface(header: &[u8]) -> Surface {
    match header.trim_ascii() {
        b"terminal" => Surface::Terminal,
        b"web" => Surface::Web,
        b"cli" => Surface::Cli,
        b"mcp" => Surface::Mcp,
        _ => Surface::Http,
    }
}

#[cfg(test)]
#[path = "actor_tests.rs"]
mod tests;
