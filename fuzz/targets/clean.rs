//! Cleans any text. What is left must hold nothing that acts on a screen, and cleaning it again must
//! change nothing.
#![no_main]

use askback_core::text::{Lines, Text, clean};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let raw = String::from_utf8_lossy(bytes);
    for lines in [Lines::One, Lines::Many] {
        let cleaned = clean(&raw, lines);
        assert_eq!(clean(&cleaned, lines), cleaned, "cleaning twice differs");
        assert!(!cleaned.chars().any(|ch| is_forbidden(ch, lines)));
        assert!(cleaned.chars().count() <= raw.chars().count());
        let Some(text) = Text::clean(&raw, lines) else {
            continue;
        };
        assert_eq!(Text::try_from(text.to_string()).as_ref(), Ok(&text));
        for max in [1, 2, 12] {
            let clipped = text.clone().clip(max);
            assert!(
                clipped.chars() <= max,
                "clipping leaves more than asked for"
            );
            assert_eq!(Text::try_from(clipped.to_string()).as_ref(), Ok(&clipped));
        }
    }
});

/// Control characters, line separators and the characters that turn the direction of text.
fn is_forbidden(ch: char, lines: Lines) -> bool {
    let may_break = lines == Lines::Many && matches!(ch, '\n' | '\t');
    let turns = matches!(ch, '\u{202A}'..='\u{202E}' | '\u{2066}'..='\u{2069}');
    turns || matches!(ch, '\u{2028}' | '\u{2029}') || (ch.is_control() && !may_break)
}
