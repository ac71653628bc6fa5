//! F-T-17: number fields take numbers.

use askback_core::number::DecimalMark;

use super::typed_number;

fn typed(text: &str, before: &str) -> Option<String> {
    typed_number(text, before, DecimalMark::Comma)
}

/// F-T-17: a number field takes no letters, and everything that numbers are written with.
#[test]
fn only_what_numbers_have_is_taken() {
    for number in ["12", "-3,5", "+1", "1 000", "1’000", "1e3", "2.5", "−4"] {
        assert_eq!(typed(number, "").as_deref(), Some(number));
    }
    for other in ["a", "1a", "e", "-e3", "1e3e4", "12 GB", "/s", "\u{7}"] {
        assert_eq!(typed(other, ""), None, "{other}");
    }
    assert_eq!(typed("e", "12").as_deref(), Some("e"));
    assert_eq!(typed("e", "1e"), None);
}

#[test]
fn digits_of_other_scripts_are_understood() {
    assert_eq!(typed("٣٫٥", "").as_deref(), Some("3,5"));
    assert_eq!(typed("１２", "").as_deref(), Some("12"));
    assert_eq!(typed("۷", "").as_deref(), Some("7"));
}
