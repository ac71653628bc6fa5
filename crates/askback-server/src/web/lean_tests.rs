//! What travels says the same as the source.

use std::io::Read as _;

use axum::http::{HeaderMap, HeaderValue, header};

use super::{compressed, lean, takes_gzip};

/// Comments and indentation go; addresses, strings and line ends stay.
#[test]
fn scripts_lose_comments_and_indentation_only() {
    let source = "// About.\n/** @import { A } from './a.js' */\nconst base = 'http://x';\n\n  /**\n   * Says it.\n   */\n  const f = (/** @type {A} */ a) => a; // kept\n";
    assert_eq!(
        lean("a.js", source),
        "const base = 'http://x';\nconst f = ( a) => a; // kept"
    );
}

/// Rules come out in one line, with a space where a line broke inside a value.
#[test]
fn styles_keep_their_words_apart() {
    let source = "/* About. */\na,\nb {\n  color: red;\n  grid-template:\n    'a'\n    'b';\n}\n";
    assert_eq!(
        lean("a.css", source),
        "a,b {color: red;grid-template: 'a' 'b';}"
    );
    assert_eq!(lean("a.svg", "<svg> </svg>"), "<svg> </svg>");
}

/// Only those who say so get the compressed form.
#[test]
fn gzip_is_for_those_who_take_it() {
    let asked = |value: &'static str| {
        HeaderMap::from_iter([(header::ACCEPT_ENCODING, HeaderValue::from_static(value))])
    };
    assert!(takes_gzip(&asked("gzip, deflate, br")));
    assert!(takes_gzip(&asked("br;q=1, gzip;q=0.5")));
    for other in ["br", "gzip;q=0", "identity"] {
        assert!(!takes_gzip(&asked(other)), "{other}");
    }
    assert!(!takes_gzip(&HeaderMap::new()));
}

/// The compressed form is the same content.
#[test]
fn compressed_body_reads_as_the_body() {
    let body = "askback ".repeat(100);
    let packed = compressed("\"a-tag-of-this-test\"", body.as_bytes()).unwrap();
    assert!(packed.len() < body.len() / 4);
    let mut text = String::new();
    flate2::read::GzDecoder::new(&packed[..])
        .read_to_string(&mut text)
        .unwrap();
    assert_eq!(text, body);
}
