//! No event is delivered twice, and none is skipped.

use super::{ResumePoint, SEEN_MAX};
use askback_wire::sse::SseFrame;

fn frame(event: &str, id: Option<u64>, sequence: u64) -> SseFrame {
    SseFrame {
        event: event.to_owned(),
        id: id.map(|id| id.to_string()),
        data: format!(r#"{{"type":"idle","conversation_id":"cnv_1","sequence":{sequence}}}"#),
    }
}

fn comes(resume_point: &mut ResumePoint, frame: SseFrame) -> bool {
    resume_point.take(frame).is_some()
}

#[test]
fn feed_cut_inside_a_stored_event_delivers_only_the_rest() {
    let mut resume_point = ResumePoint::new(Some(4));
    resume_point.resume();
    assert!(comes(&mut resume_point, frame("state_change", Some(5), 5)));
    assert!(comes(&mut resume_point, frame("state_change", None, 6)));
    // Cut here: sequence 6 has another frame.
    assert_eq!(resume_point.last_id.as_deref(), Some("5"));
    resume_point.resume();
    assert!(!comes(&mut resume_point, frame("state_change", None, 6)));
    let rest = SseFrame {
        event: "token_of_a_newer_version".to_owned(),
        ..frame("", Some(6), 6)
    };
    assert!(comes(&mut resume_point, rest));
    assert_eq!(resume_point.last_id.as_deref(), Some("6"));
}

#[test]
fn repeated_frames_of_a_server_are_dropped() {
    let mut resume_point = ResumePoint::new(None);
    resume_point.resume();
    assert!(comes(&mut resume_point, frame("state_change", Some(5), 5)));
    resume_point.resume();
    assert!(!comes(&mut resume_point, frame("state_change", Some(5), 5)));
    assert!(comes(&mut resume_point, frame("state_change", Some(6), 6)));
}

#[test]
fn transient_events_always_come() {
    let mut resume_point = ResumePoint::new(Some(9));
    resume_point.resume();
    let token = SseFrame {
        event: "token".to_owned(),
        id: None,
        data: r#"{"conversation_id":"cnv_1","text":"la"}"#.to_owned(),
    };
    assert!(comes(&mut resume_point, token.clone()));
    assert!(comes(&mut resume_point, token));
}

#[test]
fn memory_of_the_feed_is_bounded() {
    let mut resume_point = ResumePoint::new(None);
    for sequence in 0..10_000 {
        assert!(comes(
            &mut resume_point,
            frame("state_change", None, sequence)
        ));
    }
    assert!(resume_point.seen.len() <= SEEN_MAX);
}

/// After `reset`, the client resumes at the sequence number of the server, even if it is smaller.
#[test]
fn reset_moves_the_sequence_number_back() {
    let mut resume_point = ResumePoint::new(Some(900));
    resume_point.resume();
    let reset = SseFrame {
        event: "reset".to_owned(),
        id: Some("7".to_owned()),
        data: r#"{"sequence":7}"#.to_owned(),
    };
    assert!(comes(&mut resume_point, reset));
    assert_eq!(resume_point.last_id.as_deref(), Some("7"));
    assert!(
        comes(&mut resume_point, frame("state_change", Some(7), 7)),
        "the present state"
    );
    assert!(comes(&mut resume_point, frame("state_change", Some(8), 8)));
    resume_point.resume();
    assert!(!comes(&mut resume_point, frame("state_change", Some(8), 8)));
}
