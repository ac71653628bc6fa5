//! Who acts, and from where: two request headers, both optional.
//!
//! A bearer token says that a caller may act; these headers say for whom, so that an outcome can
//! name its person. They are a courtesy among people who share a server, not a proof.

use askback_core::outcome::{Actor, Surface};
use askback_core::text::{Lines, Text};

use crate::limits;
use crate::path::percent_encoded;
use crate::word::words;

/// The header with the name of the person: UTF-8, percent-encoded where it is not plain ASCII.
pub const ACTOR_HEADER: &str = "x-askback-actor";

/// The header with the surface they act from: one of [`SurfaceName::WORDS`] but `link` and `system`,
/// which only the server itself writes.
pub const SURFACE_HEADER: &str = "x-askback-surface";

words! {
    /// Where somebody acted from.
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
        /// The system itself: a timer, a restart.
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
            Surface::System => SurfaceName::System,
        }
    }
}

/// The two headers of a request, as they arrived.
#[derive(Debug, Clone, Copy, Default)]
pub struct ActorHeaders<'a> {
    /// The value of [`ACTOR_HEADER`].
    pub actor: Option<&'a [u8]>,
    /// The value of [`SURFACE_HEADER`].
    pub surface: Option<&'a [u8]>,
}

impl ActorHeaders<'_> {
    /// Who acts. Total: a name is cleaned and cut, an unknown surface is plain HTTP, and nobody
    /// outside acts as the system.
    pub fn actor(self) -> Actor {
        Actor {
            name: self.actor.and_then(name),
            surface: self.surface.map_or(Surface::Http, surface),
        }
    }
}

/// A name as [`ACTOR_HEADER`] carries it.
pub fn encode_actor(name: &Text) -> String {
    percent_encoded(name.as_str())
}

fn name(header: &[u8]) -> Option<Text> {
    // Nothing beyond this many bytes can be part of a name that is kept.
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
