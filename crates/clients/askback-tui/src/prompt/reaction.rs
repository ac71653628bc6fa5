//! What comes of a key: what the owner of the terminal must do, and how a prompt ends.

use askback_core::answer::Answers;

use super::PromptRequest;
use askback_terminal::app::ScreenRequest;

/// What the owner of the terminal must do after an event.
#[derive(Debug, Clone, PartialEq)]
pub enum Reaction {
    /// Nothing changed.
    Nothing,
    /// The frame may have changed.
    Redraw,
    /// The prompt has ended.
    End(End),
    /// Ask the terminal for this. When an editor has closed, call [`Prompt::edited`](super::Prompt::edited).
    Screen(ScreenRequest),
    /// Ask the server for this, then call [`Prompt::handle_event`](super::Prompt::handle_event).
    Request(PromptRequest),
}

/// How a prompt ended.
#[derive(Debug, Clone, PartialEq)]
pub enum End {
    /// With valid answers.
    Answered(Answers),
    /// It stays open, to be answered later.
    Postponed,
    /// The agent continues without an answer.
    Declined,
    /// The agent stops.
    Rejected,
    /// The user pressed ctrl+c.
    Detached,
    /// The deadline of a question that is not stored has passed. A stored one is ended by its server.
    Expired,
}

/// What came of an event, for who saves drafts and deadlines.
#[derive(Debug, Clone, PartialEq)]
pub struct Handled {
    /// What the owner of the terminal must do.
    pub reaction: Reaction,
    /// Whether it stopped the deadline.
    pub has_stopped_deadline: bool,
    /// Whether it changed the draft, which is to be saved unless it is sent.
    pub has_changed_draft: bool,
}
