//! Events of a record.

use askback_core::conversation::event::{Event, TurnEnd};
use askback_core::conversation::state::PendingInquiry;
use askback_core::id::{CallId, ConversationId, InquiryId, MessageId};
use askback_core::text::Text;
use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use crate::Unreadable;
use crate::form::{Form, forms, restore_variant, store_variant};
use crate::outcome::{InquiryResolution, StoredActor, StoredResult};
use crate::reply::{StoredChildStarted, StoredFailure, StoredReply};
use crate::settings::StoredSettings;
use crate::snapshot::StoredPending;

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
    fn from(event: &'a Event) -> StoredEvent<'a> {
        store_variant!(event, Event => StoredEvent {
            MessageReceived { message, sent_as, text, answers, by },
            LlmRequested { request, attempt, due },
            LlmAttemptFailed { request, attempt, failure },
            AssistantReplied { reply },
            CallStarted { call },
            DeadlineMoved { inquiry, expires_at, by },
            InquiryHandedOn { inquiry, from, to, reason, at, by },
            InquiryReminded { inquiry, expires_at },
            AnswerTakenBack { inquiry, by },
            SubAgentsStarted { call, children },
            SubAgentFinished { child, result },
            RoundFinished {},
            TurnEnded { end },
            Closed { by },
        } {
            Event::Started { settings } => StoredEvent::Started {
                settings: Box::new(StoredSettings::new(settings)),
            },
            Event::CallFinished { call, result } => StoredEvent::CallFinished {
                call: call.clone(),
                result: Some(Form::store(result)),
                inquiry: None,
            },
            Event::InquiryAsked { pending } => StoredEvent::InquiryAsked {
                pending: Box::new(StoredPending::asked(pending)),
            },
            Event::AnswerHeld { inquiry, until, .. } => StoredEvent::AnswerHeld {
                inquiry: inquiry.clone(),
                until: *until,
            },
            Event::InquiryResolved { inquiry, .. } => StoredEvent::InquiryResolved {
                inquiry: inquiry.clone(),
            },
        })
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
    /// `row` and `ended` have what the row of the [`inquiry`](StoredEvent::inquiry) holds.
    pub fn restore(
        self,
        conversation: &ConversationId,
        row: Option<PendingInquiry>,
        ended: Option<&InquiryResolution>,
    ) -> Result<Option<Event>, Unreadable> {
        Ok(Some(restore_variant!(self, StoredEvent => Event {
            MessageReceived { message, sent_as, text, answers, by },
            LlmRequested { request, attempt, due },
            LlmAttemptFailed { request, attempt, failure },
            AssistantReplied { reply },
            CallStarted { call },
            DeadlineMoved { inquiry, expires_at, by },
            InquiryHandedOn { inquiry, from, to, reason, at, by },
            InquiryReminded { inquiry, expires_at },
            AnswerTakenBack { inquiry, by },
            SubAgentsStarted { call, children },
            SubAgentFinished { child, result },
            RoundFinished {},
            TurnEnded { end },
            Closed { by },
        } {
            StoredEvent::Started { settings } => Event::Started {
                settings: settings.restore(conversation.clone())?,
            },
            StoredEvent::CallFinished { call, result, inquiry } => Event::CallFinished {
                call,
                result: match (result, inquiry) {
                    (Some(result), _) => result.restore()?,
                    (None, Some(inquiry)) => resolved(ended, inquiry)?.result.clone(),
                    (None, None) => return Err(Unreadable::Inconsistent("a call has no result")),
                },
            },
            StoredEvent::InquiryAsked { pending } => {
                let mut pending = pending.restore_asked(row)?;
                // The row has the present recipient.
                pending.inquiry = pending.inquiry.as_asked();
                Event::InquiryAsked { pending }
            }
            StoredEvent::AnswerHeld { inquiry, until } => {
                let Some(row) = row else {
                    return Err(Unreadable::NoInquiry(inquiry));
                };
                let held = row.held.filter(|held| held.until == until);
                let resolution = held.map(|held| held.resolution);
                Event::AnswerHeld { inquiry, until, resolution }
            }
            StoredEvent::InquiryResolved { inquiry } => {
                let InquiryResolution { resolution, result } =
                    resolved(ended, inquiry.clone())?.clone();
                Event::InquiryResolved { inquiry, resolution, result }
            }
            StoredEvent::Removed => return Ok(None),
        })))
    }
}

/// The outcome in the row of an inquiry.
fn resolved(
    ended: Option<&InquiryResolution>,
    inquiry: InquiryId,
) -> Result<&InquiryResolution, Unreadable> {
    ended.ok_or(Unreadable::NoInquiry(inquiry))
}

forms! {
    enum StoredTurnEnd = TurnEnd { Replied {}, Stopped {}, Failed { failure } }
}
