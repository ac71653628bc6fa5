//! What a run records: each request with its response, and what every place shows at the end.

use std::collections::BTreeMap;

use askback_core::id::{ConversationId, InquiryId};
use askback_wire::audit::AuditEntryResponse;
use askback_wire::inquiry::{InquiryResponse, InquiryStatus};
use askback_wire::outcome::{GivenResponse, OutcomeResponse};
use askback_wire::problem::{ProblemResponse, WinnerResponse};
use jiff::Timestamp;

/// Everything that the checks compare.
#[derive(Debug, Clone, Default)]
pub(crate) struct History {
    pub(crate) operations: Vec<Operation>,
    /// Every known inquiry as each node shows it at the end; none if it is not found.
    pub(crate) nodes: Vec<BTreeMap<InquiryId, Option<InquiryResponse>>>,
    /// All pages of the list of inquiries.
    pub(crate) listed: Vec<InquiryResponse>,
    /// What each listener has seen, from the beginning to the end of the run.
    pub(crate) feeds: Vec<Vec<FeedEvent>>,
    pub(crate) webhooks: Vec<Webhook>,
    pub(crate) cards: Vec<Card>,
    pub(crate) audit: Vec<AuditEntryResponse>,
    /// Conversations of the built-in agent.
    pub(crate) conversations: BTreeMap<ConversationId, Transcript>,
    pub(crate) snoozed: Vec<InquiryId>,
}

/// A request of a client, and what it was told.
#[derive(Debug, Clone)]
pub(crate) struct Operation {
    /// Sent as the name of the actor, and never used for another operation: an outcome names its operation.
    pub(crate) actor: String,
    pub(crate) request: Request,
    pub(crate) response: Response,
    /// The request was sent after this tick of the clock of the run.
    pub(crate) begun: u64,
    /// The response was there before this tick.
    pub(crate) ended: u64,
}

#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Request {
    Ask(Ask),
    /// Starts a conversation of the built-in agent.
    Begin {
        key: Option<String>,
        message: String,
    },
    /// Opens a conversation of an external agent.
    Open {
        key: String,
    },
    Message {
        conversation: ConversationId,
        text: String,
        has_id: bool,
    },
    /// Answers, declines, rejects, cancels or withdraws.
    End(End),
    /// Stops the agent, whatever it is doing.
    Stop {
        conversation: ConversationId,
    },
    Delete {
        conversation: ConversationId,
    },
    Undo {
        inquiry: InquiryId,
        key: Option<String>,
    },
    Commit {
        inquiry: InquiryId,
    },
    HandOn {
        inquiry: InquiryId,
        to: String,
    },
    MoveDeadline {
        inquiry: InquiryId,
        seconds: Option<u32>,
    },
    KeepOpen {
        inquiry: InquiryId,
    },
    SaveDraft {
        inquiry: InquiryId,
        text: String,
        questions: usize,
    },
    ReadDraft {
        inquiry: InquiryId,
    },
    Snooze {
        inquiry: InquiryId,
    },
    Read {
        inquiry: InquiryId,
    },
    Wait {
        inquiry: InquiryId,
    },
    List {
        status: InquiryStatus,
    },
    /// Somebody presses a button of a message. There is no response.
    Press {
        question: String,
        person: String,
        label: String,
    },
}

/// A question of an external agent.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Ask {
    /// Different in each ask, unless an ask is repeated with its key.
    pub(crate) question: String,
    pub(crate) questions: usize,
    pub(crate) key: Option<String>,
    pub(crate) conversation: Option<ConversationId>,
    pub(crate) recipient: String,
    pub(crate) seconds: Option<u32>,
    pub(crate) has_webhook: bool,
}

/// The end of an inquiry, as somebody wants it.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct End {
    pub(crate) inquiry: InquiryId,
    pub(crate) given: Given,
    pub(crate) key: Option<String>,
    pub(crate) undo_seconds: Option<u32>,
    /// The conversation, if the request goes to the route of the conversation.
    pub(crate) conversation: Option<ConversationId>,
}

#[derive(Debug, Clone)]
pub(crate) enum Response {
    Accepted(Accepted),
    /// The server says that it has done nothing, and why.
    Refused(Box<ProblemResponse>),
    /// The server says that it could do nothing.
    Unavailable,
    /// Nobody knows whether it was done.
    Lost,
}

/// What a response contained.
#[derive(Debug, Clone, Default)]
pub(crate) struct Accepted {
    pub(crate) inquiries: Vec<InquiryResponse>,
    pub(crate) conversation: Option<ConversationId>,
    /// The text of a draft that was read.
    pub(crate) draft: Option<String>,
}

/// An outcome without its form: which one, and the texts in it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Given {
    pub(crate) status: InquiryStatus,
    pub(crate) texts: Vec<String>,
}

/// How an inquiry ended, as some place shows it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Ending {
    pub(crate) given: Given,
    pub(crate) by: Option<String>,
    pub(crate) at: Timestamp,
}

/// An event of the feed about an inquiry.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct FeedEvent {
    pub(crate) sequence: u64,
    pub(crate) name: String,
    pub(crate) inquiry: InquiryId,
    pub(crate) conversation: ConversationId,
    /// What is asked, in `asked`.
    pub(crate) question: Option<String>,
    /// In `resolved`.
    pub(crate) ending: Option<Ending>,
    pub(crate) undone_by: Option<String>,
}

/// A delivery that the receiver of webhooks got.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Webhook {
    pub(crate) kind: String,
    pub(crate) inquiry: InquiryId,
    pub(crate) ending: Option<Ending>,
    /// The whole body, which is the same in each delivery of the same outcome.
    pub(crate) body: String,
}

/// A message of a channel as it is shown at the end.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Card {
    pub(crate) text: String,
    pub(crate) has_buttons: bool,
    /// Whether the server may have been killed before it stored that it sent this message. Then it does not know of the
    /// message until somebody presses a button of it, and sends another one if the question is still open.
    pub(crate) may_be_unknown: bool,
}

/// A conversation of the built-in agent at the end.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Transcript {
    pub(crate) state: String,
    /// What the user wrote, by message and by answer.
    pub(crate) user_texts: Vec<String>,
}

impl From<&OutcomeResponse> for Given {
    fn from(outcome: &OutcomeResponse) -> Given {
        let texts = match outcome {
            OutcomeResponse::Answered { answers } => {
                let texts = answers.iter().flat_map(|answer| match &answer.given {
                    GivenResponse::Chosen { values, own } => {
                        values.iter().chain(own).cloned().collect()
                    }
                    GivenResponse::Text { text } => vec![text.clone()],
                    _ => Vec::new(),
                });
                texts.collect()
            }
            OutcomeResponse::Superseded { message } => vec![message.clone()],
            _ => Vec::new(),
        };
        Given {
            status: outcome.status(),
            texts,
        }
    }
}

impl Ending {
    pub(crate) fn of(inquiry: &InquiryResponse) -> Option<Ending> {
        Some(Ending {
            given: inquiry.outcome.as_ref()?.into(),
            by: inquiry.answered_by.clone(),
            at: inquiry.resolved_at?,
        })
    }

    /// What a refused request was told. None if the answer can still be undone.
    pub(crate) fn of_winner(winner: &WinnerResponse) -> Option<Ending> {
        let ending = Ending {
            given: winner.outcome.as_ref()?.into(),
            by: winner.answered_by.clone(),
            at: winner.at?,
        };
        winner.status.is_resolved().then_some(ending)
    }

    pub(crate) fn of_audit(entry: &AuditEntryResponse) -> Option<Ending> {
        Some(Ending {
            given: entry.answer.as_ref()?.into(),
            by: entry.by.clone(),
            at: entry.resolved_at?,
        })
    }
}

impl Request {
    pub(crate) fn key(&self) -> Option<&str> {
        let key = match self {
            Request::Ask(ask) => ask.key.as_ref(),
            Request::End(end) => end.key.as_ref(),
            Request::Begin { key, .. } | Request::Undo { key, .. } => key.as_ref(),
            Request::Open { key } => Some(key),
            _ => None,
        };
        key.map(String::as_str)
    }

    /// The inquiry that the request names.
    pub(crate) fn inquiry(&self) -> Option<&InquiryId> {
        match self {
            Request::End(End { inquiry, .. })
            | Request::Undo { inquiry, .. }
            | Request::Commit { inquiry }
            | Request::HandOn { inquiry, .. }
            | Request::MoveDeadline { inquiry, .. }
            | Request::KeepOpen { inquiry }
            | Request::SaveDraft { inquiry, .. }
            | Request::ReadDraft { inquiry }
            | Request::Snooze { inquiry }
            | Request::Read { inquiry }
            | Request::Wait { inquiry } => Some(inquiry),
            Request::Ask(_)
            | Request::Begin { .. }
            | Request::Open { .. }
            | Request::Message { .. }
            | Request::Stop { .. }
            | Request::Delete { .. }
            | Request::List { .. }
            | Request::Press { .. } => None,
        }
    }

    /// For the figures of a run.
    pub(crate) fn verb(&self) -> &str {
        match self {
            Request::Ask(ask) if ask.key.is_some() => "ask with key",
            Request::Ask(_) => "ask",
            Request::Begin { .. } => "begin",
            Request::Open { .. } => "open",
            Request::Message { .. } => "message",
            Request::End(end) if end.undo_seconds.is_some() => "end with undo",
            Request::End(end) => match end.given.status {
                InquiryStatus::Answered => "answer",
                InquiryStatus::Declined => "decline",
                InquiryStatus::Rejected => "reject",
                InquiryStatus::Cancelled => "cancel",
                _ => "withdraw",
            },
            Request::Stop { .. } => "stop",
            Request::Delete { .. } => "delete",
            Request::Undo { .. } => "undo",
            Request::Commit { .. } => "commit answer",
            Request::HandOn { .. } => "hand on",
            Request::MoveDeadline { .. } => "move deadline",
            Request::KeepOpen { .. } => "keep open",
            Request::SaveDraft { .. } => "save draft",
            Request::ReadDraft { .. } => "read draft",
            Request::Snooze { .. } => "snooze",
            Request::Read { .. } => "read",
            Request::Wait { .. } => "wait",
            Request::List { .. } => "list",
            Request::Press { .. } => "press",
        }
    }
}

impl Operation {
    pub(crate) fn is_accepted(&self) -> bool {
        matches!(self.response, Response::Accepted(_))
    }

    /// Whether the server may have done it.
    pub(crate) fn may_have_effect(&self) -> bool {
        matches!(self.response, Response::Accepted(_) | Response::Lost)
    }

    pub(crate) fn accepted(&self) -> Option<&Accepted> {
        match &self.response {
            Response::Accepted(accepted) => Some(accepted),
            Response::Refused(_) | Response::Unavailable | Response::Lost => None,
        }
    }

    pub(crate) fn refused(&self) -> Option<&ProblemResponse> {
        match &self.response {
            Response::Refused(problem) => Some(problem),
            Response::Accepted(_) | Response::Unavailable | Response::Lost => None,
        }
    }

    /// What is the same in a request and in its repetitions with the same key.
    pub(crate) fn intent(&self) -> &str {
        self.request.key().unwrap_or(&self.actor)
    }
}
