//! Which conversations and inquiries a list contains.

use askback_core::id::ConversationId;

use crate::sql::cursor::Order;

/// Selects conversations.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct ConversationFilter {
    /// Only those in the state with this name.
    pub state: Option<String>,
    /// Only children of this conversation. Without it, only conversations without a parent.
    pub parent: Option<ConversationId>,
    /// Only those of the driver with this name.
    pub driver: Option<String>,
    /// The `next` of the previous page.
    pub cursor: Option<String>,
    /// The most rows of a page.
    pub limit: usize,
}

/// Selects inquiries.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct InquiryFilter {
    /// `pending`, or the name of an outcome. Without it, all.
    pub status: Option<String>,
    /// Only those of one conversation.
    pub conversation: Option<ConversationId>,
    /// Only those of one agent: the pending ones if the status says so, otherwise those with an outcome
    /// that was not delivered. Cannot be combined with a conversation.
    pub asker: Option<AskerFilter>,
    /// The `next` of the previous page.
    pub cursor: Option<String>,
    /// The most rows of a page.
    pub limit: usize,
}

impl InquiryFilter {
    /// The first pending inquiries.
    pub fn pending(limit: usize) -> InquiryFilter {
        InquiryFilter {
            status: Some(PENDING.to_owned()),
            limit,
            ..InquiryFilter::default()
        }
    }

    /// Whether only pending inquiries are wanted.
    pub fn is_pending(&self) -> bool {
        self.status.as_deref() == Some(PENDING)
    }

    /// Pending inquiries are listed by deadline, others newest first.
    pub fn order(&self) -> Order {
        if self.is_pending() {
            Order::Deadline
        } else {
            Order::Newest
        }
    }
}

/// Selects an agent.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct AskerFilter {
    /// The program: `claude-code`.
    pub client: String,
    /// What it works on, usually a directory.
    pub project: Option<String>,
    /// One of its sessions. Without it, all.
    pub session: Option<String>,
}

impl AskerFilter {
    /// The first and the last name of its sessions.
    pub fn sessions(&self) -> [&str; 2] {
        match &self.session {
            Some(session) => [session, session],
            None => ["", LAST_NAME],
        }
    }
}

/// Selects sessions of an agent that have inquiries which are pending or whose outcome was not delivered.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct AskerSessionFilter {
    /// The program: `claude-code`.
    pub client: String,
    /// What it works on, usually a directory.
    pub project: Option<String>,
    /// What the names of the sessions begin with.
    pub prefix: String,
    /// Only names after this one: the last of the previous page.
    pub after: Option<String>,
    /// The most names.
    pub limit: usize,
}

/// Which pending inquiries are read with their questions.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum QuestionScope {
    AllPending,
    OldestPending,
}

const PENDING: &str = "pending";
/// Greater than the name of every session.
const LAST_NAME: &str = "\u{10ffff}";
