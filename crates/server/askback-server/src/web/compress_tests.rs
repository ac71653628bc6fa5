//! A compressed body decompresses to the same bytes, and is sent only to clients that accept it.

use std::io::Read as _;

use axum::http::{HeaderMap, HeaderValue, header};

use super::{accepts_gzip, gzip};

#[test]
fn gzip_needs_accept_encoding() {
    let asked = |value: &'static str| {
        HeaderMap::from_iter([(header::ACCEPT_ENCODING, HeaderValue::from_static(value))])
    };
    assert!(accepts_gzip(&asked("gzip, deflate, br")));
    assert!(accepts_gzip(&asked("br;q=1, gzip;q=0.5")));
    for other in ["br", "gzip;q=0", "identity"] {
        assert!(!accepts_gzip(&asked(other)), "{other}");
    }
    assert!(!accepts_gzip(&HeaderMap::new()));
}

#[test]
fn gzip_round_trips() {
    let body = "askback ".repeat(100);
    let packed = gzip("\"a-tag-of-this-test\"", body.as_bytes()).unwrap();
    assert!(packed.len() < body.len() / 4);
    let mut text = String::new();
    flate2::read::GzDecoder::new(&packed[..])
        .read_to_string(&mut text)
        .unwrap();
    assert_eq!(text, body);
}
