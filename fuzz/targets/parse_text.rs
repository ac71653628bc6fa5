//! Reads any bytes as a tool input of each dialect. A refusal must say what is wrong; an inquiry
//! must survive storing and be able to end.
#![no_main]

use askback_core::dialect::{Dialect, ParseOptions, recognise};
use askback_core::inquiry::Inquiry;
use askback_core::outcome::Outcome;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let text = String::from_utf8_lossy(bytes);
    if let Ok(value) = serde_json::from_str(&text) {
        recognise(&value);
    }
    for dialect in Dialect::TOOLS {
        for clip_labels in [false, true] {
            match dialect.parse_text(&text, ParseOptions { clip_labels }) {
                Ok(parsed) => check(&parsed.inquiry),
                Err(error) => {
                    assert!(!error.problems().is_empty(), "refused without a problem");
                    assert!(error.to_string().contains(dialect.name()));
                }
            }
        }
    }
});

fn check(inquiry: &Inquiry) {
    let stored = serde_json::to_string(inquiry).expect("an inquiry can be written");
    let loaded: Inquiry = serde_json::from_str(&stored).expect("an inquiry can be read");
    assert_eq!(loaded, *inquiry, "storing changes an inquiry");
    let reply = Dialect::render(inquiry, &Outcome::Declined);
    assert!(!reply.content.is_empty() && !reply.is_error);
}
