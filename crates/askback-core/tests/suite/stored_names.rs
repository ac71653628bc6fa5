//! What earlier versions stored can still be read, and is stored under the same names: names in the
//! code may change, names in a data directory may not.

use askback_core::conversation::Conversation;
use askback_core::conversation::event::Event;
use askback_core::conversation::job::Job;
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};

/// Reads `stored`, and expects the same when it is written again.
#[track_caller]
fn check<T: Serialize + DeserializeOwned>(stored: &Value) {
    let read: T = serde_json::from_value(stored.clone()).unwrap();
    assert_eq!(serde_json::to_value(&read).unwrap(), *stored);
}

fn pending() -> Value {
    json!({
        "id": "inq_1", "call": "call_1", "revision": 1,
        "inquiry": {"dialect": "question", "questions": [{
            "id": "q1", "text": "Which?", "skippable": false, "kind": "choice", "several": false,
            "own_text": true, "choices": [{"value": "A", "label": "A"}],
        }]},
        "asked_at": "2027-03-26T10:00:00Z", "expires_at": "2027-03-26T11:00:00Z", "reminded": true,
        "held": {
            "resolution": {
                "outcome": {"type": "answered", "answers": [
                    {"question": "q1", "given": "chosen", "values": ["A"], "note": "why"},
                ]},
                "by": {"name": "Ada", "surface": "web"}, "at": "2027-03-26T10:00:00Z",
            },
            "until": "2027-03-26T10:00:05Z",
        },
    })
}

fn conversation(driver: &str, state: &Value) -> Value {
    json!({
        "settings": {"id": "cnv_1", "driver": driver}, "state": state, "requests": 3, "rounds": 2,
        "failing": {"open": 7, "last": 8, "times": 2}, "asked": {"question": 1},
        "recent_messages": ["msg_1"], "version": 9,
    })
}

#[test]
fn conversations_keep_their_stored_names() {
    let call = json!({"id": "call_1", "provider_id": "p1", "name": "question", "input": {}});
    let round = json!({"calls": [call], "settled": 0});
    let agent = json!({
        "type": "awaiting_user_response", "driver": "agent", "round": round, "parked": pending(),
    });
    check::<Conversation>(&conversation("built_in", &agent));
    let external = json!({
        "type": "awaiting_user_response", "driver": "external", "parked": [pending()],
    });
    check::<Conversation>(&conversation("external", &external));
}

#[test]
fn events_keep_their_stored_names() {
    check::<Event>(&json!({"type": "inquiry_asked", "parked": pending()}));
    let by = json!({"surface": "terminal"});
    check::<Event>(&json!({"type": "answer_held", "inquiry": "inq_1", "held": pending()["held"]}));
    check::<Event>(&json!({"type": "answer_taken_back", "inquiry": "inq_1", "by": by}));
    let failure = json!({"kind": "same_failures", "message": "Stuck."});
    let end = json!({"how": "failed", "failure": failure});
    check::<Event>(&json!({"type": "turn_ended", "end": end}));
    let outcome = json!({"type": "undeliverable", "reason": "sub_agent"});
    let resolution = json!({"outcome": outcome, "by": by, "at": "2027-03-26T10:00:00Z"});
    check::<Event>(&json!({
        "type": "inquiry_resolved", "inquiry": "inq_1", "resolution": resolution,
        "result": {"content": "Nobody.", "is_error": true},
    }));
}

#[test]
fn jobs_keep_their_stored_names() {
    check::<Job>(&json!({
        "type": "release_answer", "inquiry": "inq_1", "held_at": "2027-03-26T10:00:00Z",
        "at": "2027-03-26T10:00:05Z",
    }));
    check::<Job>(&json!({
        "type": "remind_inquiry", "inquiry": "inq_1", "at": "2027-03-26T10:00:00Z",
        "expires_at": "2027-03-26T11:00:00Z",
    }));
}
