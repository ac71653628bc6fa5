//! How inquiries ended and who had them, for records that are kept elsewhere.

use askback_core::id::{ConversationId, InquiryId};
use askback_macros::skip_none;
use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use crate::actor::SurfaceName;
use crate::inquiry::InquiryStatus;
use crate::outcome::OutcomeResponse;
use crate::question::QuestionResponse;
use crate::string_enum::string_enum;

string_enum! {
    /// What an entry is about.
    AuditKind {
        /// An inquiry ended.
        Outcome => "outcome",
        /// An inquiry was given to another recipient.
        HandedOn => "handed_on",
        /// A conversation was deleted, with the answers that were given in it.
        ConversationDeleted => "conversation_deleted",
        /// The stored record is damaged: what it said is not known.
        Unreadable => "unreadable",
    }
}

/// Which entries, and what of them.
#[skip_none]
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(default)]
pub struct AuditParams {
    /// Start after this sequence number. 0 by default.
    pub after: Option<u64>,
    /// The `next` of the previous page. Takes precedence over `after`.
    pub cursor: Option<String>,
    /// Only what was recorded at this time or later.
    pub since: Option<Timestamp>,
    /// Include questions and answers. False by default.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub with_answers: bool,
}

/// A part of the log.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct AuditPageResponse {
    /// Oldest first. May be empty although `next` is there.
    pub items: Vec<AuditEntryResponse>,
    /// The `cursor` of the next page. Null on the last page.
    pub next: Option<String>,
    /// The highest sequence number of the store.
    pub newest: u64,
}

/// How an inquiry ended or was handed on, or a conversation was deleted.
#[skip_none]
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct AuditEntryResponse {
    /// The position in the feed. Rises from entry to entry.
    pub sequence: u64,
    /// What the entry is about.
    pub kind: AuditKind,
    /// When it was stored, by the clock of the server.
    pub recorded_at: Timestamp,
    /// The conversation.
    #[schema(value_type = String)]
    pub conversation_id: ConversationId,
    /// The inquiry that ended or was handed on.
    #[schema(value_type = Option<String>)]
    pub inquiry_id: Option<InquiryId>,
    /// The tool contract in which it was asked.
    pub dialect: Option<String>,
    /// Who or what asked, as text.
    pub source: Option<String>,
    /// SHA-256 of what was asked: the text of each question and the labels of its choices, each with a line
    /// feed after it. Missing if the questions were deleted.
    pub questions_sha256: Option<String>,
    /// When it was asked.
    pub asked_at: Option<Timestamp>,
    /// When the outcome was given. Before `recorded_at` if it could be undone for a while.
    pub resolved_at: Option<Timestamp>,
    /// The kind of the outcome.
    pub outcome: Option<InquiryStatus>,
    /// The alias of the recipient before it was handed on. Missing if it was for everybody.
    pub from: Option<String>,
    /// The alias of the recipient to whom it was handed on.
    pub to: Option<String>,
    /// Why it was handed on, in the words of whoever did it.
    pub reason: Option<String>,
    /// What the person who acted calls themselves, if known.
    pub by: Option<String>,
    /// Who that is, if a service has proved it: `telegram:42`.
    pub identity: Option<String>,
    /// Where they acted from.
    pub surface: Option<SurfaceName>,
    /// The node of the server on which they acted.
    pub node: Option<String>,
    /// What was asked, if it was requested.
    pub questions: Option<Vec<QuestionResponse>>,
    /// The outcome with the answers, if it was requested.
    pub answer: Option<OutcomeResponse>,
}

impl AuditEntryResponse {
    /// An entry that says no more than where and when.
    pub fn new(
        kind: AuditKind,
        sequence: u64,
        conversation_id: ConversationId,
        recorded_at: Timestamp,
    ) -> AuditEntryResponse {
        AuditEntryResponse {
            sequence,
            kind,
            recorded_at,
            conversation_id,
            inquiry_id: None,
            dialect: None,
            source: None,
            questions_sha256: None,
            asked_at: None,
            resolved_at: None,
            outcome: None,
            from: None,
            to: None,
            reason: None,
            by: None,
            identity: None,
            surface: None,
            node: None,
            questions: None,
            answer: None,
        }
    }
}
