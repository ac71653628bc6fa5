//! What came is not brought a second time, and what did not come is not passed over.

use super::{Placekeeper, TAIL_MAX};
use askback_wire::sse::SseFrame;

fn frame(event: &str, id: Option<u64>, sequence: u64) -> SseFrame {
    SseFrame {
        event: event.to_owned(),
        id: id.map(|id| id.to_string()),
        data: format!(r#"{{"type":"idle","conversation_id":"cnv_1","sequence":{sequence}}}"#),
    }
}

fn comes(place: &mut Placekeeper, frame: SseFrame) -> bool {
    place.take(frame).is_some()
}

#[test]
fn feed_cut_inside_a_stored_event_brings_only_the_rest_of_it() {
    let mut place = Placekeeper::new(Some(4));
    place.resume();
    assert!(comes(&mut place, frame("state_change", Some(5), 5)));
    assert!(comes(&mut place, frame("state_change", None, 6)));
    // Cut here: sequence 6 has another frame.
    assert_eq!(place.last_id.as_deref(), Some("5"));
    place.resume();
    assert!(!comes(&mut place, frame("state_change", None, 6)));
    let rest = SseFrame {
        event: "token_of_a_newer_version".to_owned(),
        ..frame("", Some(6), 6)
    };
    assert!(comes(&mut place, rest));
    assert_eq!(place.last_id.as_deref(), Some("6"));
}

#[test]
fn server_that_repeats_itself_is_not_believed() {
    let mut place = Placekeeper::new(None);
    place.resume();
    assert!(comes(&mut place, frame("state_change", Some(5), 5)));
    place.resume();
    assert!(!comes(&mut place, frame("state_change", Some(5), 5)));
    assert!(comes(&mut place, frame("state_change", Some(6), 6)));
}

#[test]
fn transient_events_always_come() {
    let mut place = Placekeeper::new(Some(9));
    place.resume();
    let token = SseFrame {
        event: "token".to_owned(),
        id: None,
        data: r#"{"conversation_id":"cnv_1","text":"la"}"#.to_owned(),
    };
    assert!(comes(&mut place, token.clone()));
    assert!(comes(&mut place, token));
}

#[test]
fn memory_of_the_feed_is_bounded() {
    let mut place = Placekeeper::new(None);
    for sequence in 0..10_000 {
        assert!(comes(&mut place, frame("state_change", None, sequence)));
    }
    assert!(place.tail.len() <= TAIL_MAX);
}

/// F-S21: a reader that is told to start over takes the place of the server, which lies behind its own.
#[test]
fn reset_moves_the_place_back() {
    let mut place = Placekeeper::new(Some(900));
    place.resume();
    let reset = SseFrame {
        event: "reset".to_owned(),
        id: Some("7".to_owned()),
        data: r#"{"sequence":7}"#.to_owned(),
    };
    assert!(comes(&mut place, reset));
    assert_eq!(place.last_id.as_deref(), Some("7"));
    assert!(
        comes(&mut place, frame("state_change", Some(7), 7)),
        "the present state"
    );
    assert!(comes(&mut place, frame("state_change", Some(8), 8)));
    place.resume();
    assert!(!comes(&mut place, frame("state_change", Some(8), 8)));
}
