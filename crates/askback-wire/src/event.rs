//! What the feed carries: server-sent events, each with a name and JSON data.
//!
//! One stored event may give several frames. All of them hold its sequence, and only the last has
//! it as its `id:`, so that a reader that was cut off in between gets the rest of them, too.

use askback_core::id::ConversationId;
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use crate::inquiry::InquiryResponse;
use crate::message::MessageResponse;
use crate::sse::SseFrame;
use crate::state::StateResponse;

/// One event of the feed.
#[derive(Debug, Clone, PartialEq)]
pub enum EventResponse {
    /// A conversation is in another state, or its state holds something else.
    StateChange(StateChangeEvent),
    /// A message is new, or has changed.
    Message(MessageEvent),
    /// A question was asked.
    InquiryAsked(InquiryEvent),
    /// The deadline of a question is near.
    InquiryReminder(InquiryEvent),
    /// A question was answered, and the answer can be taken back for a while.
    InquiryHeld(InquiryEvent),
    /// The answer to a question was taken back: it waits again.
    InquiryReopened(InquiryEvent),
    /// A question got its outcome.
    InquiryResolved(InquiryEvent),
    /// A piece of what the model is saying. Transient: the message brings all of it.
    Token(TokenEvent),
    /// The place that the reader named is unknown: what it has read must be read again.
    Reset(ResetEvent),
    /// Something went wrong.
    Error(ErrorEvent),
    /// Something that this version does not know. It says nothing, least of all that a question
    /// was answered.
    Unknown(SseFrame),
}

/// A conversation is in another state, or its state holds something else.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct StateChangeEvent {
    /// The whole state, told apart by `type`.
    #[serde(flatten)]
    pub state: StateResponse,
    /// Which conversation.
    #[schema(value_type = String)]
    pub conversation_id: ConversationId,
    /// Where it stands in the feed.
    pub sequence: u64,
}

/// A message is new, or has changed: the whole of it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct MessageEvent {
    /// In which conversation.
    #[schema(value_type = String)]
    pub conversation_id: ConversationId,
    /// Where it stands in the feed.
    pub sequence: u64,
    /// The message; it replaces an earlier one with the same id.
    pub message: MessageResponse,
}

/// A question was asked, nears its deadline, was answered or got its outcome: the whole inquiry.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct InquiryEvent {
    /// The inquiry.
    #[serde(flatten)]
    pub inquiry: InquiryResponse,
    /// Where it stands in the feed.
    pub sequence: u64,
}

/// A piece of what the model is saying.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct TokenEvent {
    /// In which conversation.
    #[schema(value_type = String)]
    pub conversation_id: ConversationId,
    /// The piece.
    pub text: String,
}

/// Something went wrong: with an agent's turn, or with the feed itself.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct ErrorEvent {
    /// In which conversation; missing if the feed itself is meant.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<String>)]
    pub conversation_id: Option<ConversationId>,
    /// A stable word.
    pub code: String,
    /// What to tell the user.
    pub message: String,
    /// Where it stands in the feed; missing if it is transient.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sequence: Option<u64>,
}

/// The server does not know the place that was named: its data was replaced by older or other data. The
/// reader starts over: it reads again what it shows, and the feed goes on from here.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct ResetEvent {
    /// The newest sequence, behind which the feed goes on.
    pub sequence: u64,
}

/// Where to begin a feed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(default)]
pub struct FeedParams {
    /// Begin behind this sequence. `Last-Event-ID` goes first; with neither, the feed begins now,
    /// with the present state.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub after: Option<u64>,
}

impl EventResponse {
    /// The name of the event.
    pub fn name(&self) -> &str {
        match self {
            EventResponse::StateChange(_) => "state_change",
            EventResponse::Message(_) => "message",
            EventResponse::InquiryAsked(_) => "inquiry_asked",
            EventResponse::InquiryReminder(_) => "inquiry_reminder",
            EventResponse::InquiryHeld(_) => "inquiry_held",
            EventResponse::InquiryReopened(_) => "inquiry_reopened",
            EventResponse::InquiryResolved(_) => "inquiry_resolved",
            EventResponse::Token(_) => "token",
            EventResponse::Reset(_) => "reset",
            EventResponse::Error(_) => "error",
            EventResponse::Unknown(frame) => &frame.event,
        }
    }

    /// Where it stands in the feed; none if it is transient.
    pub fn sequence(&self) -> Option<u64> {
        match self {
            EventResponse::StateChange(event) => Some(event.sequence),
            EventResponse::Message(event) => Some(event.sequence),
            EventResponse::InquiryAsked(event)
            | EventResponse::InquiryReminder(event)
            | EventResponse::InquiryHeld(event)
            | EventResponse::InquiryReopened(event)
            | EventResponse::InquiryResolved(event) => Some(event.sequence),
            EventResponse::Token(_) => None,
            EventResponse::Reset(event) => Some(event.sequence),
            EventResponse::Error(event) => event.sequence,
            EventResponse::Unknown(frame) => frame.id.as_deref().and_then(|id| id.parse().ok()),
        }
    }

    /// The conversation it is about, if it is about one.
    pub fn conversation_id(&self) -> Option<&ConversationId> {
        match self {
            EventResponse::StateChange(event) => Some(&event.conversation_id),
            EventResponse::Message(event) => Some(&event.conversation_id),
            EventResponse::InquiryAsked(event)
            | EventResponse::InquiryReminder(event)
            | EventResponse::InquiryHeld(event)
            | EventResponse::InquiryReopened(event)
            | EventResponse::InquiryResolved(event) => Some(&event.inquiry.conversation_id),
            EventResponse::Token(event) => Some(&event.conversation_id),
            EventResponse::Error(event) => event.conversation_id.as_ref(),
            EventResponse::Reset(_) | EventResponse::Unknown(_) => None,
        }
    }

    /// The data as one line of JSON.
    pub fn data(&self) -> String {
        let json = match self {
            EventResponse::StateChange(event) => serde_json::to_string(event),
            EventResponse::Message(event) => serde_json::to_string(event),
            EventResponse::InquiryAsked(event)
            | EventResponse::InquiryReminder(event)
            | EventResponse::InquiryHeld(event)
            | EventResponse::InquiryReopened(event)
            | EventResponse::InquiryResolved(event) => serde_json::to_string(event),
            EventResponse::Token(event) => serde_json::to_string(event),
            EventResponse::Reset(event) => serde_json::to_string(event),
            EventResponse::Error(event) => serde_json::to_string(event),
            EventResponse::Unknown(frame) => Ok(frame.data.clone()),
        };
        // The types hold nothing that JSON could not.
        json.unwrap_or_default()
    }

    fn read(frame: &SseFrame) -> Option<EventResponse> {
        let data = &frame.data;
        let event = match frame.event.as_str() {
            "state_change" => EventResponse::StateChange(parse(data)?),
            "message" => EventResponse::Message(parse(data)?),
            "inquiry_asked" => EventResponse::InquiryAsked(parse(data)?),
            "inquiry_reminder" => EventResponse::InquiryReminder(parse(data)?),
            "inquiry_held" => EventResponse::InquiryHeld(parse(data)?),
            "inquiry_reopened" => EventResponse::InquiryReopened(parse(data)?),
            "inquiry_resolved" => EventResponse::InquiryResolved(parse(data)?),
            "token" => EventResponse::Token(parse(data)?),
            "reset" => EventResponse::Reset(parse(data)?),
            "error" => EventResponse::Error(parse(data)?),
            _ => return None,
        };
        Some(event)
    }
}

fn parse<T: for<'de> Deserialize<'de>>(data: &str) -> Option<T> {
    serde_json::from_str(data).ok()
}

impl From<SseFrame> for EventResponse {
    /// Total: what cannot be read is unknown, and no reason for a reader to stop.
    fn from(frame: SseFrame) -> EventResponse {
        EventResponse::read(&frame).unwrap_or(EventResponse::Unknown(frame))
    }
}

/// The frames of what one stored event gave, in order; the last durable one has the `id:`.
pub fn frames(events: &[EventResponse]) -> Vec<SseFrame> {
    let last = events.iter().rposition(|event| event.sequence().is_some());
    let frame = |(index, event): (usize, &EventResponse)| SseFrame {
        event: event.name().to_owned(),
        id: event
            .sequence()
            .filter(|_| Some(index) == last)
            .map(|sequence| sequence.to_string()),
        data: event.data(),
    };
    events.iter().enumerate().map(frame).collect()
}

#[cfg(test)]
#[path = "event_tests.rs"]
mod tests;
