//! Events survive the conversion to frames and back. Unknown events are kept and have no meaning.

use std::collections::BTreeSet;

use askback_core::id::ConversationId;
use serde_json::{Value, json};

use super::{
    ChangeName, ErrorEvent, EventResponse, InquiryEvent, SseFrame, StateChangeEvent, TokenEvent,
    frames,
};
use crate::state::StateResponse;

fn conversation() -> ConversationId {
    ConversationId::new("cnv_1")
}

fn idle(sequence: u64) -> EventResponse {
    EventResponse::StateChange(StateChangeEvent {
        state: StateResponse::Idle,
        conversation_id: conversation(),
        sequence,
    })
}

fn token() -> EventResponse {
    EventResponse::Token(TokenEvent {
        conversation_id: conversation(),
        after: Some(6),
        text: "Hel\nlo".to_owned(),
    })
}

#[test]
fn state_change_has_the_documented_shape() {
    let data: Value = serde_json::from_str(&idle(7).data()).unwrap();
    assert_eq!(
        data,
        json!({"type": "idle", "conversation_id": "cnv_1", "sequence": 7})
    );
}

#[test]
fn events_come_back_from_their_frames() {
    let error = EventResponse::Error(ErrorEvent {
        conversation_id: None,
        code: "lagged".to_owned(),
        message: "Connect again.".to_owned(),
        sequence: None,
    });
    for event in [idle(1), token(), error] {
        let [frame] = frames(std::slice::from_ref(&event)).try_into().unwrap();
        assert!(!frame.data.contains('\n'), "data is one line");
        assert_eq!(EventResponse::from(frame), event);
    }
}

#[test]
fn only_the_last_durable_frame_of_a_stored_event_can_be_resumed_from() {
    let ids: Vec<Option<String>> = frames(&[idle(7), token(), idle(7), token()])
        .into_iter()
        .map(|frame| frame.id)
        .collect();
    assert_eq!(ids, [None, None, Some("7".to_owned()), None]);
}

#[test]
fn unknown_event_and_unreadable_data_are_kept_as_unknown() {
    let new = SseFrame {
        event: "inquiry_postponed".to_owned(),
        id: Some("9".to_owned()),
        data: "{}".to_owned(),
    };
    let broken = SseFrame {
        event: "inquiry".to_owned(),
        id: Some("10".to_owned()),
        data: "{\"id\":\"inq_1\"}".to_owned(),
    };
    for frame in [new, broken] {
        let event = EventResponse::from(frame.clone());
        assert_eq!(event, EventResponse::Unknown(frame.clone()));
        assert_eq!(event.name(), frame.event);
        assert_eq!(event.sequence().map(|n| n.to_string()), frame.id);
    }
}

/// Every surface replays these events, so that none of them misses a change.
#[test]
fn the_replayed_changes_have_every_change_as_it_is_sent() {
    let text = include_str!("inquiry_changes.json");
    let events: Vec<InquiryEvent> = serde_json::from_str(text).unwrap();
    let sent: Value = serde_json::from_str(text).unwrap();
    assert_eq!(serde_json::to_value(&events).unwrap(), sent);
    let changes: BTreeSet<&str> = events.iter().map(|event| event.change.as_str()).collect();
    assert_eq!(changes, ChangeName::VALUES.iter().copied().collect());
}
