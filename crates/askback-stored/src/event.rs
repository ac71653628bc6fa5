//! Events of a record.

use askback_core::conversation::event::{CallResult, Event, TurnEnd};
use askback_core::id::{CallId, ConversationId, InquiryId, MessageId};
use askback_core::outcome::Resolution;
use askback_core::text::Text;
use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use crate::Unreadable;
use crate::outcome::{StoredActor, StoredResult};
use crate::reply::{StoredChildStarted, StoredFailure, StoredReply};
use crate::settings::StoredSettings;
use crate::snapshot::{InquiryParts, StoredPending};

/// An event, named by `type`. An event that changes its form gets a new name.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
#[expect(
    missing_docs,
    reason = "the variants are those of the events in the core"
)]
pub enum StoredEvent<'a> {
    Started {
        settings: Box<StoredSettings>,
    },
    MessageReceived {
        message: MessageId,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        sent_as: Option<MessageId>,
        text: Text,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        answers: Option<InquiryId>,
        by: StoredActor,
    },
    LlmRequested {
        request: u64,
        attempt: u32,
        due: Timestamp,
    },
    LlmAttemptFailed {
        request: u64,
        attempt: u32,
        failure: StoredFailure,
    },
    AssistantReplied {
        reply: StoredReply<'a>,
    },
    CallStarted {
        call: CallId,
    },
    /// The result of a call that asked is in the row of its inquiry.
    CallFinished {
        call: CallId,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        result: Option<StoredResult<'a>>,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        inquiry: Option<InquiryId>,
    },
    InquiryAsked {
        pending: Box<StoredPending<'a>>,
    },
    DeadlineMoved {
        inquiry: InquiryId,
        expires_at: Option<Timestamp>,
        by: StoredActor,
    },
    InquiryHandedOn {
        inquiry: InquiryId,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        from: Option<Text>,
        to: Text,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        reason: Option<Text>,
        at: Timestamp,
        by: StoredActor,
    },
    InquiryReminded {
        inquiry: InquiryId,
        expires_at: Timestamp,
    },
    /// The answer is in the row of the inquiry for as long as it is held. `until` tells it from a later one.
    AnswerHeld {
        inquiry: InquiryId,
        until: Timestamp,
    },
    AnswerTakenBack {
        inquiry: InquiryId,
        by: StoredActor,
    },
    /// The outcome is in the row of the inquiry.
    InquiryResolved {
        inquiry: InquiryId,
    },
    SubAgentsStarted {
        call: CallId,
        children: Vec<StoredChildStarted>,
    },
    SubAgentFinished {
        child: ConversationId,
        result: StoredResult<'a>,
    },
    RoundFinished,
    TurnEnded {
        end: StoredTurnEnd,
    },
    Closed {
        by: StoredActor,
    },
    /// Keeps the position of an event that was removed with the content of its conversation.
    Removed,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "how", rename_all = "snake_case")]
pub enum StoredTurnEnd {
    Replied,
    Stopped,
    Failed { failure: StoredFailure },
}

impl<'a> From<&'a Event> for StoredEvent<'a> {
    #[expect(clippy::too_many_lines, reason = "one arm for each event")]
    fn from(event: &'a Event) -> StoredEvent<'a> {
        match event {
            Event::Started { settings } => StoredEvent::Started {
                settings: Box::new(settings.into()),
            },
            Event::MessageReceived {
                message,
                sent_as,
                text,
                answers,
                by,
            } => StoredEvent::MessageReceived {
                message: message.clone(),
                sent_as: sent_as.clone(),
                text: text.clone(),
                answers: answers.clone(),
                by: by.into(),
            },
            Event::LlmRequested {
                request,
                attempt,
                due,
            } => StoredEvent::LlmRequested {
                request: *request,
                attempt: *attempt,
                due: *due,
            },
            Event::LlmAttemptFailed {
                request,
                attempt,
                failure,
            } => StoredEvent::LlmAttemptFailed {
                request: *request,
                attempt: *attempt,
                failure: failure.into(),
            },
            Event::AssistantReplied { reply } => StoredEvent::AssistantReplied {
                reply: reply.into(),
            },
            Event::CallStarted { call } => StoredEvent::CallStarted { call: call.clone() },
            Event::CallFinished { call, result } => StoredEvent::CallFinished {
                call: call.clone(),
                result: Some(result.into()),
                inquiry: None,
            },
            Event::SubAgentsStarted { call, children } => StoredEvent::SubAgentsStarted {
                call: call.clone(),
                children: children.iter().map(Into::into).collect(),
            },
            Event::SubAgentFinished { child, result } => StoredEvent::SubAgentFinished {
                child: child.clone(),
                result: result.into(),
            },
            Event::RoundFinished => StoredEvent::RoundFinished,
            Event::TurnEnded { end } => StoredEvent::TurnEnded { end: end.into() },
            Event::Closed { by } => StoredEvent::Closed { by: by.into() },
            Event::InquiryAsked { pending } => StoredEvent::InquiryAsked {
                pending: Box::new(StoredPending::asked(pending)),
            },
            Event::DeadlineMoved {
                inquiry,
                expires_at,
                by,
            } => StoredEvent::DeadlineMoved {
                inquiry: inquiry.clone(),
                expires_at: *expires_at,
                by: by.into(),
            },
            Event::InquiryHandedOn {
                inquiry,
                from,
                to,
                reason,
                at,
                by,
            } => StoredEvent::InquiryHandedOn {
                inquiry: inquiry.clone(),
                from: from.clone(),
                to: to.clone(),
                reason: reason.clone(),
                at: *at,
                by: by.into(),
            },
            Event::InquiryReminded {
                inquiry,
                expires_at,
            } => StoredEvent::InquiryReminded {
                inquiry: inquiry.clone(),
                expires_at: *expires_at,
            },
            Event::AnswerHeld { inquiry, until, .. } => StoredEvent::AnswerHeld {
                inquiry: inquiry.clone(),
                until: *until,
            },
            Event::AnswerTakenBack { inquiry, by } => StoredEvent::AnswerTakenBack {
                inquiry: inquiry.clone(),
                by: by.into(),
            },
            Event::InquiryResolved { inquiry, .. } => StoredEvent::InquiryResolved {
                inquiry: inquiry.clone(),
            },
        }
    }
}

impl StoredEvent<'_> {
    /// The inquiry that it changes, or that has its result.
    pub fn inquiry(&self) -> Option<&InquiryId> {
        match self {
            StoredEvent::InquiryAsked { pending } => Some(&pending.id),
            StoredEvent::CallFinished { inquiry, .. } => inquiry.as_ref(),
            StoredEvent::DeadlineMoved { inquiry, .. }
            | StoredEvent::InquiryHandedOn { inquiry, .. }
            | StoredEvent::InquiryReminded { inquiry, .. }
            | StoredEvent::AnswerHeld { inquiry, .. }
            | StoredEvent::AnswerTakenBack { inquiry, .. }
            | StoredEvent::InquiryResolved { inquiry, .. } => Some(inquiry),
            StoredEvent::Started { .. }
            | StoredEvent::MessageReceived { .. }
            | StoredEvent::LlmRequested { .. }
            | StoredEvent::LlmAttemptFailed { .. }
            | StoredEvent::AssistantReplied { .. }
            | StoredEvent::CallStarted { .. }
            | StoredEvent::SubAgentsStarted { .. }
            | StoredEvent::SubAgentFinished { .. }
            | StoredEvent::RoundFinished
            | StoredEvent::TurnEnded { .. }
            | StoredEvent::Closed { .. }
            | StoredEvent::Removed => None,
        }
    }

    /// The event. `None` for one that was removed.
    ///
    /// `parts` has what the row of the [`inquiry`](StoredEvent::inquiry) holds.
    #[expect(clippy::too_many_lines, reason = "one arm for each event")]
    pub fn restore(
        self,
        conversation: &ConversationId,
        parts: Option<InquiryParts<'_>>,
    ) -> Result<Option<Event>, Unreadable> {
        Ok(Some(match self {
            StoredEvent::Started { settings } => Event::Started {
                settings: settings.restore(conversation.clone()),
            },
            StoredEvent::MessageReceived {
                message,
                sent_as,
                text,
                answers,
                by,
            } => Event::MessageReceived {
                message,
                sent_as,
                text,
                answers,
                by: by.into(),
            },
            StoredEvent::LlmRequested {
                request,
                attempt,
                due,
            } => Event::LlmRequested {
                request,
                attempt,
                due,
            },
            StoredEvent::LlmAttemptFailed {
                request,
                attempt,
                failure,
            } => Event::LlmAttemptFailed {
                request,
                attempt,
                failure: failure.into(),
            },
            StoredEvent::AssistantReplied { reply } => Event::AssistantReplied {
                reply: reply.into(),
            },
            StoredEvent::CallStarted { call } => Event::CallStarted { call },
            StoredEvent::CallFinished {
                call,
                result,
                inquiry,
            } => Event::CallFinished {
                call,
                result: match (result, inquiry) {
                    (Some(result), _) => result.into(),
                    (None, Some(inquiry)) => resolved(parts, inquiry)?.1.clone(),
                    (None, None) => return Err(Unreadable::Inconsistent("a call has no result")),
                },
            },
            StoredEvent::InquiryAsked { pending } => {
                let mut pending = pending.restore_asked(parts)?;
                // The row has the present recipient.
                pending.inquiry = pending.inquiry.as_asked();
                Event::InquiryAsked { pending }
            }
            StoredEvent::DeadlineMoved {
                inquiry,
                expires_at,
                by,
            } => Event::DeadlineMoved {
                inquiry,
                expires_at,
                by: by.into(),
            },
            StoredEvent::InquiryHandedOn {
                inquiry,
                from,
                to,
                reason,
                at,
                by,
            } => Event::InquiryHandedOn {
                inquiry,
                from,
                to,
                reason,
                at,
                by: by.into(),
            },
            StoredEvent::InquiryReminded {
                inquiry,
                expires_at,
            } => Event::InquiryReminded {
                inquiry,
                expires_at,
            },
            StoredEvent::AnswerHeld { inquiry, until } => {
                let Some(parts) = parts else {
                    return Err(Unreadable::NoInquiry(inquiry));
                };
                let held = parts.held.filter(|held| held.until == until);
                Event::AnswerHeld {
                    inquiry,
                    until,
                    resolution: held.map(|held| held.resolution.clone()),
                }
            }
            StoredEvent::AnswerTakenBack { inquiry, by } => Event::AnswerTakenBack {
                inquiry,
                by: by.into(),
            },
            StoredEvent::InquiryResolved { inquiry } => {
                let (resolution, result) = resolved(parts, inquiry.clone())?;
                Event::InquiryResolved {
                    inquiry,
                    resolution: resolution.clone(),
                    result: result.clone(),
                }
            }
            StoredEvent::SubAgentsStarted { call, children } => Event::SubAgentsStarted {
                call,
                children: children.into_iter().map(Into::into).collect(),
            },
            StoredEvent::SubAgentFinished { child, result } => Event::SubAgentFinished {
                child,
                result: result.into(),
            },
            StoredEvent::RoundFinished => Event::RoundFinished,
            StoredEvent::TurnEnded { end } => Event::TurnEnded { end: end.into() },
            StoredEvent::Closed { by } => Event::Closed { by: by.into() },
            StoredEvent::Removed => return Ok(None),
        }))
    }
}

/// The outcome in the row of an inquiry.
fn resolved(
    parts: Option<InquiryParts<'_>>,
    inquiry: InquiryId,
) -> Result<(&Resolution, &CallResult), Unreadable> {
    let resolved = parts.and_then(|parts| parts.resolved);
    resolved.ok_or(Unreadable::NoInquiry(inquiry))
}

impl From<&TurnEnd> for StoredTurnEnd {
    fn from(end: &TurnEnd) -> StoredTurnEnd {
        match end {
            TurnEnd::Replied => StoredTurnEnd::Replied,
            TurnEnd::Stopped => StoredTurnEnd::Stopped,
            TurnEnd::Failed { failure } => StoredTurnEnd::Failed {
                failure: failure.into(),
            },
        }
    }
}

impl From<StoredTurnEnd> for TurnEnd {
    fn from(stored: StoredTurnEnd) -> TurnEnd {
        match stored {
            StoredTurnEnd::Replied => TurnEnd::Replied,
            StoredTurnEnd::Stopped => TurnEnd::Stopped,
            StoredTurnEnd::Failed { failure } => TurnEnd::Failed {
                failure: failure.into(),
            },
        }
    }
}
