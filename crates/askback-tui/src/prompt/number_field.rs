//! Which characters a number field accepts.

use askback_core::number::{DecimalMark, ascii_digit};

/// The text to insert after `before`, or `None` if it contains anything that is not part of a
/// number. Digits of other scripts become ASCII digits.
pub(super) fn typed_number(text: &str, before: &str, mark: DecimalMark) -> Option<String> {
    let mark = match mark {
        DecimalMark::Point => '.',
        DecimalMark::Comma => ',',
    };
    let mut taken = String::new();
    for ch in text.trim_end_matches(['\r', '\n']).chars() {
        let last = taken.chars().last().or_else(|| before.chars().last());
        let scaled = before.contains(['e', 'E']) || taken.contains(['e', 'E']);
        taken.push(match ch {
            '0'..='9' | '+' | '-' | '\u{2212}' | '.' | ',' | '\'' | '’' | '_' => ch,
            ' ' | '\u{A0}' | '\u{202F}' => ' ',
            'e' | 'E' if !scaled && last.is_some_and(|last| last.is_ascii_digit()) => ch,
            '٫' => mark,
            '．' => '.',
            '，' => ',',
            '－' => '-',
            _ => ascii_digit(ch)?,
        });
    }
    Some(taken)
}

#[cfg(test)]
#[path = "number_field_tests.rs"]
mod tests;
