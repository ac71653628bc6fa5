//! Which characters a number field accepts.

use askback_core::number::{DecimalMark, ascii_digit};

/// What a number field takes of a text.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct TakenText {
    /// The characters that numbers are written with. Digits of other scripts become ASCII digits.
    pub(super) text: String,
    /// Whether other characters were left out.
    pub(super) left_out: bool,
}

/// What to insert after `before`. A pasted text gives the same as its characters typed one by one.
pub(super) fn typed_number(text: &str, before: &str, mark: DecimalMark) -> TakenText {
    let mark = match mark {
        DecimalMark::Point => '.',
        DecimalMark::Comma => ',',
    };
    let (mut taken, mut left_out) = (String::new(), false);
    for ch in text.trim_end_matches(['\r', '\n']).chars() {
        let last = taken.chars().last().or_else(|| before.chars().last());
        let scaled = before.contains(['e', 'E']) || taken.contains(['e', 'E']);
        let number_char = match ch {
            '0'..='9' | '+' | '-' | '\u{2212}' | '.' | ',' | '\'' | '’' | '_' => Some(ch),
            ' ' | '\u{A0}' | '\u{202F}' => Some(' '),
            'e' | 'E' if !scaled && last.is_some_and(|last| last.is_ascii_digit()) => Some(ch),
            '٫' => Some(mark),
            '．' => Some('.'),
            '，' => Some(','),
            '－' => Some('-'),
            _ => ascii_digit(ch),
        };
        left_out |= number_char.is_none();
        taken.extend(number_char);
    }
    TakenText {
        text: taken,
        left_out,
    }
}

#[cfg(test)]
#[path = "number_field_tests.rs"]
mod tests;
