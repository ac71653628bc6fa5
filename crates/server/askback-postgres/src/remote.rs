//! What nodes tell each other over `NOTIFY`. The payload of a notification is limited to 8000 bytes.

use std::fmt;

use askback_core::id::InquiryId;

use askback_store::rows::Sequence;

/// The channel that all nodes of a database listen to.
pub(super) const CHANNEL: &str = "askback";

/// A notification.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Message {
    /// A node has committed.
    Committed {
        node: i64,
        newest: Sequence,
        /// Jobs that any node may claim.
        has_free_jobs: bool,
    },
    /// The jobs of a node that has stopped are free.
    JobsFreed { node: i64 },
    /// Whether notifications arrive at all.
    Probe { node: i64 },
    /// An inquiry is hidden from the inbox, or shown again.
    Snoozed { node: i64, inquiry: InquiryId },
}

impl Message {
    pub(super) fn node(&self) -> i64 {
        match self {
            Message::Committed { node, .. }
            | Message::JobsFreed { node }
            | Message::Probe { node }
            | Message::Snoozed { node, .. } => *node,
        }
    }

    /// `None` for a message of a later version.
    pub(super) fn parse(payload: &str) -> Option<Message> {
        let mut words = payload.split(' ');
        let kind = words.next()?;
        let node = words.next()?.parse().ok()?;
        Some(match kind {
            "c" => Message::Committed {
                node,
                newest: words.next()?.parse().ok()?,
                has_free_jobs: words.next() == Some("j"),
            },
            "j" => Message::JobsFreed { node },
            "p" => Message::Probe { node },
            "s" => Message::Snoozed {
                node,
                inquiry: InquiryId::new(words.next()?),
            },
            _ => return None,
        })
    }
}

impl fmt::Display for Message {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Message::Committed {
                node,
                newest,
                has_free_jobs,
            } => {
                let jobs = if *has_free_jobs { " j" } else { "" };
                write!(out, "c {node} {newest}{jobs}")
            }
            Message::JobsFreed { node } => write!(out, "j {node}"),
            Message::Probe { node } => write!(out, "p {node}"),
            Message::Snoozed { node, inquiry } => write!(out, "s {node} {inquiry}"),
        }
    }
}

#[cfg(test)]
#[path = "remote_tests.rs"]
mod tests;
