//! Names that an outcome keeps: who somebody is, as a service outside has proved it, and the node of a
//! server.

use std::fmt;

use crate::limits;
use crate::text::{Lines, Text};

/// Who acts, as a service outside of askback has proved it: the name of the service, a colon, and the id
/// of the person there, such as `telegram:42`. The name of an actor, in contrast, is what they call
/// themselves.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Identity(Text);

/// The node of a server: the name of a process or of its machine, which its operator chooses.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct NodeName(Text);

impl Identity {
    /// The identity of `id` at `service`. `None` if either is empty, not clean or too long, or if the
    /// service is not written in small letters, digits and hyphens.
    pub fn new(service: &str, id: &str) -> Option<Identity> {
        let is_plain =
            |char: char| char.is_ascii_lowercase() || char.is_ascii_digit() || char == '-';
        if service.is_empty() || !service.chars().all(is_plain) {
            return None;
        }
        let id = Text::clean(id, Lines::One).filter(|text| text.as_str() == id)?;
        let whole = Text::clean(&format!("{service}:{id}"), Lines::One)?;
        (whole.chars() <= limits::IDENTITY_CHARS_MAX).then_some(Identity(whole))
    }

    /// Reads `service:id`, as [`Identity::as_str`] gives it.
    pub fn parse(written: &str) -> Option<Identity> {
        let (service, id) = written.split_once(':')?;
        Identity::new(service, id)
    }

    /// An identity that was stored.
    pub fn restore(stored: Text) -> Identity {
        Identity(stored)
    }

    /// The service and the id, as the text that is stored.
    pub fn text(&self) -> &Text {
        &self.0
    }

    /// The service that proved it.
    pub fn service(&self) -> &str {
        self.as_str().split(':').next().unwrap_or_default()
    }

    /// The id of the person there.
    pub fn id(&self) -> &str {
        self.as_str().split_once(':').map_or("", |(_, id)| id)
    }

    /// The service and the id, with a colon between.
    pub fn as_str(&self) -> &str {
        self.0.as_str()
    }
}

impl NodeName {
    /// Cleans a name and cuts it to the length that is kept; `None` if nothing readable is left.
    pub fn clean(raw: &str) -> Option<NodeName> {
        let name = Text::clean(raw, Lines::One)?;
        Some(NodeName(name.clip(limits::NODE_CHARS_MAX)))
    }

    /// A name that was stored.
    pub fn restore(stored: Text) -> NodeName {
        NodeName(stored)
    }

    /// The name as the text that is stored.
    pub fn text(&self) -> &Text {
        &self.0
    }

    /// The name itself.
    pub fn as_str(&self) -> &str {
        self.0.as_str()
    }
}

impl fmt::Display for Identity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl fmt::Display for NodeName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

#[cfg(test)]
#[path = "identity_tests.rs"]
mod tests;
