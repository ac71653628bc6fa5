//! The events of the feed: server-sent events with JSON data.
//!
//! One stored event may produce several frames. All of them have its sequence number, but only the last
//! has it as `id:`, so that a client that was disconnected in between gets all of them again.

use askback_core::conversation::event::ChangeKind;
use askback_core::id::ConversationId;
use askback_core::outcome::Actor;
use askback_macros::skip_none;
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use crate::actor::SurfaceName;
use crate::inquiry::InquiryResponse;
use crate::message::MessageResponse;
use crate::sse::SseFrame;
use crate::state::StateResponse;
use crate::string_enum::string_enum;

/// One event of the feed.
#[derive(Debug, Clone, PartialEq)]
pub enum EventResponse {
    /// The state of a conversation changed.
    StateChange(StateChangeEvent),
    /// A message is new or has changed.
    Message(MessageEvent),
    /// A question was asked, or changed.
    Inquiry(Box<InquiryEvent>),
    /// Part of the text that the model is writing. Not stored: the message will contain it.
    Token(TokenEvent),
    /// The sequence number of the client is unknown. The client must load its data again.
    Reset(ResetEvent),
    /// A turn failed, or a stored event is damaged.
    Error(ErrorEvent),
    /// An event of a newer version. It must not be taken for the end of a question.
    Unknown(SseFrame),
}

/// The state of a conversation changed.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct StateChangeEvent {
    /// The whole new state. `type` says which.
    #[serde(flatten)]
    pub state: StateResponse,
    /// The conversation that changed.
    #[schema(value_type = String)]
    pub conversation_id: ConversationId,
    /// The position in the feed.
    pub sequence: u64,
}

/// A message is new or has changed.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct MessageEvent {
    /// The conversation it belongs to.
    #[schema(value_type = String)]
    pub conversation_id: ConversationId,
    /// The position in the feed.
    pub sequence: u64,
    /// The whole message. It replaces an earlier one with the same id.
    pub message: MessageResponse,
}

/// A question was asked, or changed.
#[skip_none]
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct InquiryEvent {
    /// What happened to it.
    pub change: ChangeName,
    /// The position in the feed. Missing if the change is not stored there: `snoozed`, `detached`, `attached` and
    /// `delivered` are not sent again to a client that was not connected.
    pub sequence: Option<u64>,
    /// The inquiry as `GET /inquiries/{id}` returned it right after the change, or returns it now if the event is sent
    /// again.
    pub inquiry: InquiryResponse,
    /// Who undid the answer, if the change is `reopened`.
    pub undone_by: Option<UndoneBy>,
}

string_enum! {
    /// What happened to an inquiry.
    ChangeName {
        /// It was asked.
        Asked => "asked",
        /// It was given to another recipient.
        HandedOn => "handed_on",
        /// Its deadline was moved or removed.
        DeadlineMoved => "deadline_moved",
        /// Its deadline is near.
        Reminded => "reminded",
        /// It was hidden from the inbox until a time, or is shown again.
        Snoozed => "snoozed",
        /// It was answered, and the answer can still be undone.
        Held => "held",
        /// The answer was undone. It is pending again.
        Reopened => "reopened",
        /// It got its outcome.
        Resolved => "resolved",
        /// The outcome has reached the agent that asked.
        Delivered => "delivered",
        /// The agent has stopped waiting for the outcome.
        Detached => "detached",
        /// The agent waits again.
        Attached => "attached",
    }
}

impl From<ChangeKind> for ChangeName {
    fn from(change: ChangeKind) -> ChangeName {
        match change {
            ChangeKind::Asked => ChangeName::Asked,
            ChangeKind::DeadlineMoved => ChangeName::DeadlineMoved,
            ChangeKind::HandedOn => ChangeName::HandedOn,
            ChangeKind::Reminded => ChangeName::Reminded,
            ChangeKind::Held => ChangeName::Held,
            ChangeKind::Reopened => ChangeName::Reopened,
            ChangeKind::Resolved => ChangeName::Resolved,
        }
    }
}

/// Who undid an answer.
#[skip_none]
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct UndoneBy {
    /// The name of the person, if known.
    pub name: Option<String>,
    /// Who that is, if a service has proved it: `telegram:42`.
    pub identity: Option<String>,
    /// Where it was undone.
    pub surface: SurfaceName,
}

impl From<&Actor> for UndoneBy {
    fn from(actor: &Actor) -> UndoneBy {
        UndoneBy {
            name: actor.name.as_ref().map(ToString::to_string),
            identity: actor.identity.as_ref().map(ToString::to_string),
            surface: actor.surface.into(),
        }
    }
}

/// Part of the text that the model is writing.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct TokenEvent {
    /// The conversation it belongs to.
    #[schema(value_type = String)]
    pub conversation_id: ConversationId,
    /// The text belongs to a reply that began after this sequence number. It is outdated if you know of
    /// a later event of the conversation: the reply is complete, or was given up. A value that differs
    /// from that of the token before begins a new text. Missing from older servers.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub after: Option<u64>,
    /// Text to append.
    pub text: String,
}

/// A turn failed, or a stored event is damaged.
#[skip_none]
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct ErrorEvent {
    /// The conversation. Missing if the feed itself failed.
    #[schema(value_type = Option<String>)]
    pub conversation_id: Option<ConversationId>,
    /// A stable code.
    pub code: String,
    /// A sentence for the user.
    pub message: String,
    /// The position in the feed. Missing if the event is not stored.
    pub sequence: Option<u64>,
}

/// The server does not know the sequence number of the client: its data was replaced by older or other
/// data. The client loads again what it shows, and the feed continues from here.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct ResetEvent {
    /// The newest sequence number. The feed continues after it.
    pub sequence: u64,
}

/// Where a feed starts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(default)]
pub struct FeedParams {
    /// Start after this sequence number. `Last-Event-ID` takes precedence. Without either, the feed
    /// starts now, with the current state.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub after: Option<u64>,
}

impl EventResponse {
    /// The value of `event:`.
    pub fn name(&self) -> &str {
        match self {
            EventResponse::StateChange(_) => "state_change",
            EventResponse::Message(_) => "message",
            EventResponse::Inquiry(_) => "inquiry",
            EventResponse::Token(_) => "token",
            EventResponse::Reset(_) => "reset",
            EventResponse::Error(_) => "error",
            EventResponse::Unknown(frame) => &frame.event,
        }
    }

    /// The position in the feed. `None` if the event is not stored.
    pub fn sequence(&self) -> Option<u64> {
        match self {
            EventResponse::StateChange(event) => Some(event.sequence),
            EventResponse::Message(event) => Some(event.sequence),
            EventResponse::Inquiry(event) => event.sequence,
            EventResponse::Token(_) => None,
            EventResponse::Reset(event) => Some(event.sequence),
            EventResponse::Error(event) => event.sequence,
            EventResponse::Unknown(frame) => frame.id.as_deref().and_then(|id| id.parse().ok()),
        }
    }

    /// `None` if the event is not about one conversation.
    pub fn conversation_id(&self) -> Option<&ConversationId> {
        match self {
            EventResponse::StateChange(event) => Some(&event.conversation_id),
            EventResponse::Message(event) => Some(&event.conversation_id),
            EventResponse::Inquiry(event) => Some(&event.inquiry.conversation_id),
            EventResponse::Token(event) => Some(&event.conversation_id),
            EventResponse::Error(event) => event.conversation_id.as_ref(),
            EventResponse::Reset(_) | EventResponse::Unknown(_) => None,
        }
    }

    /// The value of `data:`, one line of JSON.
    pub fn data(&self) -> String {
        let json = match self {
            EventResponse::StateChange(event) => to_json(event),
            EventResponse::Message(event) => to_json(event),
            EventResponse::Inquiry(event) => to_json(event),
            EventResponse::Token(event) => to_json(event),
            EventResponse::Reset(event) => to_json(event),
            EventResponse::Error(event) => to_json(event),
            EventResponse::Unknown(frame) => Ok(frame.data.clone()),
        };
        // Serialising these types cannot fail.
        json.unwrap_or_default()
    }

    fn parse(frame: &SseFrame) -> Option<EventResponse> {
        let data = &frame.data;
        let event = match frame.event.as_str() {
            "state_change" => EventResponse::StateChange(parse(data)?),
            "message" => EventResponse::Message(parse(data)?),
            "inquiry" => EventResponse::Inquiry(parse(data)?),
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
    /// Never fails: what cannot be parsed becomes [`EventResponse::Unknown`].
    fn from(frame: SseFrame) -> EventResponse {
        EventResponse::parse(&frame).unwrap_or(EventResponse::Unknown(frame))
    }
}

/// Most events are shorter, and are written without growing the buffer.
const DATA_BYTES: usize = 1024;

fn to_json(event: &impl Serialize) -> serde_json::Result<String> {
    let mut json = Vec::with_capacity(DATA_BYTES);
    serde_json::to_writer(&mut json, event)?;
    String::from_utf8(json).map_err(serde::ser::Error::custom)
}

/// The frames of the events that one stored event produced. The last stored one has the `id:`.
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
