//! What is shown instead of the question, or over it.

use super::hand_on::HandOn;
use super::leaving::LeaveMenu;
use super::reader::{LongText, Reader};

/// What is shown instead of the question.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Overlay {
    /// A long text.
    Reader(Reader),
    /// The leave menu.
    Leave(LeaveMenu),
    /// The link for another device.
    Link,
    /// The people to whom the question can be handed on.
    HandOn(HandOn),
}

impl Overlay {
    /// The id of its title; the others begin with their text.
    pub(super) fn title(&self) -> Option<&'static str> {
        match self {
            Overlay::Leave(_) => Some("leave-title"),
            Overlay::HandOn(_) => Some("hand-on"),
            Overlay::Reader(reader) => match reader.text {
                LongText::Help => Some("help-title"),
                LongText::Preview => Some("web-preview"),
                LongText::Question => None,
            },
            Overlay::Link => None,
        }
    }
}
