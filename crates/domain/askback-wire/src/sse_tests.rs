//! The parser follows the standard, however the network splits the stream into chunks.

use super::{SseFrame, SseLimitExceeded, SseParser};
use crate::limits;

fn frame(event: &str, id: Option<&str>, data: &str) -> SseFrame {
    SseFrame {
        event: event.to_owned(),
        id: id.map(str::to_owned),
        data: data.to_owned(),
    }
}

fn parse(chunks: &[&[u8]]) -> Vec<SseFrame> {
    let mut parser = SseParser::new();
    let push = |chunk: &&[u8]| parser.push(chunk).unwrap();
    chunks.iter().flat_map(push).collect()
}

/// Streams and the frames they contain.
fn cases() -> Vec<(&'static [u8], Vec<SseFrame>)> {
    vec![
        (b"", vec![]),
        (b"data: a\n\n", vec![frame("message", None, "a")]),
        (
            b"data: a\r\n\r\ndata: b\r\rdata: c\n\n",
            vec![
                frame("message", None, "a"),
                frame("message", None, "b"),
                frame("message", None, "c"),
            ],
        ),
        (
            b"event: state_change\nid: 7\ndata: {\"a\":1}\n\n",
            vec![frame("state_change", Some("7"), "{\"a\":1}")],
        ),
        (
            b"data: one\ndata:two\ndata:  three\ndata\n\n",
            vec![frame("message", None, "one\ntwo\n three\n")],
        ),
        (b": a comment\n:\n\n: another\n\n", vec![]),
        (
            b"event: lonely\nid: 3\n\ndata: x\n\n",
            vec![frame("message", None, "x")],
        ),
        (
            "\u{FEFF}data: marked\n\n\u{FEFF}data: not\n\n".as_bytes(),
            vec![frame("message", None, "marked")],
        ),
        (b"id: a\0b\ndata: x\n\n", vec![frame("message", None, "x")]),
        (b"id\ndata: x\n\n", vec![frame("message", Some(""), "x")]),
        (
            b"unknown: 1\nnothing\ndata:x\n\n",
            vec![frame("message", None, "x")],
        ),
        (b"data\n\n", vec![frame("message", None, "")]),
        (b"data: never ended\n", vec![]),
        (
            "data: Zo\u{EB} \u{5C71}\n\n".as_bytes(),
            vec![frame("message", None, "Zo\u{EB} \u{5C71}")],
        ),
        (b"data: \xFF\n\n", vec![frame("message", None, "\u{FFFD}")]),
    ]
}

#[test]
fn parses_every_construct_of_the_standard() {
    for (feed, expected) in cases() {
        assert_eq!(
            parse(&[feed]),
            expected,
            "{}",
            String::from_utf8_lossy(feed)
        );
    }
}

#[test]
fn chunk_boundaries_do_not_matter() {
    for (feed, expected) in cases() {
        let bytes: Vec<&[u8]> = feed.chunks(1).collect();
        assert_eq!(parse(&bytes), expected);
        for cut in 0..=feed.len() {
            let (head, tail) = feed.split_at(cut);
            assert_eq!(parse(&[head, tail]), expected, "cut at {cut}");
            for second in cut..=feed.len() {
                let (middle, tail) = feed[cut..].split_at(second - cut);
                assert_eq!(parse(&[head, middle, tail]), expected);
            }
        }
    }
}

#[test]
fn arbitrary_bytes_parse_the_same_whole_or_bytewise() {
    // All streams of up to five bytes, from the bytes that mean something.
    let alphabet = b"\r\n: d\0";
    let mut feeds: Vec<Vec<u8>> = vec![Vec::new()];
    for _ in 0..5 {
        feeds = feeds
            .iter()
            .flat_map(|feed| {
                alphabet.iter().map(|byte| {
                    let mut longer = feed.clone();
                    longer.push(*byte);
                    longer
                })
            })
            .collect();
        for feed in &feeds {
            let whole = parse(&[feed]);
            let bytes: Vec<&[u8]> = feed.chunks(1).collect();
            assert_eq!(parse(&bytes), whole);
        }
    }
}

#[test]
fn retry_accepts_digits_only() {
    let mut parser = SseParser::new();
    parser.push(b"retry: 1500\n").unwrap();
    assert_eq!(parser.retry_ms(), Some(1500));
    parser
        .push(b"retry: soon\nretry: -1\nretry:\nretry: 99999999999999999999999\n")
        .unwrap();
    assert_eq!(parser.retry_ms(), Some(1500));
}

#[test]
fn oversized_frame_is_an_error() {
    let mut parser = SseParser::new();
    let piece = vec![b'x'; limits::FRAME_BYTES_MAX / 2];
    assert!(parser.push(b"data: ").is_ok());
    assert!(parser.push(&piece).is_ok());
    assert!(parser.push(b"\ndata: ").is_ok());
    assert_eq!(parser.push(&piece), Err(SseLimitExceeded));
}

#[test]
fn stream_over_its_total_limit_is_an_error() {
    let mut parser = SseParser::with_max_bytes(32);
    assert_eq!(parser.push(b"data: 0123456789\n\n").unwrap().len(), 1);
    assert_eq!(parser.push(b"data: 0123456789\n\n"), Err(SseLimitExceeded));
}
