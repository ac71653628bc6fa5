//! Goal: a client gets the frames that it does not have yet, in the format of server-sent events.

use askback_wire::sse::SseParser;

use super::*;

fn frame(sequence: u64, id: Option<&str>, data: &str) -> PositionedFrame {
    PositionedFrame {
        sequence: Some(sequence),
        frame: SseFrame {
            event: "message".to_owned(),
            id: id.map(str::to_owned),
            data: data.to_owned(),
        },
    }
}

fn parsed(bytes: &Bytes) -> Vec<SseFrame> {
    SseParser::default().push(bytes).unwrap()
}

/// A position can lie inside a record: two frames have position 7, and the id comes with the second.
#[test]
fn a_client_gets_what_comes_after_its_position() {
    let built = [
        frame(7, None, r#"{"n":1}"#),
        frame(7, Some("7"), r#"{"n":2}"#),
        frame(8, Some("8"), r#"{"n":3}"#),
    ];
    let frames: Vec<_> = built.iter().map(|built| built.frame.clone()).collect();
    let encoded = EncodedFrames::new(&built);
    assert_eq!(parsed(&encoded.after(6)), frames);
    assert_eq!(parsed(&encoded.after(7)), frames[2..]);
    assert_eq!(encoded.after(8), "");
    assert_eq!(encoded.len(), encoded.after(0).len());
}

/// A frame without data is an id that a client stores without seeing an event.
#[test]
fn an_id_alone_is_no_event() {
    let id = SseFrame {
        id: Some("7".to_owned()),
        ..SseFrame::default()
    };
    let mut parser = SseParser::default();
    assert_eq!(parser.push(&unpositioned(&[id])).unwrap(), []);
    assert_eq!(parser.id_without_data(), Some("7"));
}
