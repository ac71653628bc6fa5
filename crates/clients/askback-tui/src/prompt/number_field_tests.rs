//! Number fields take numbers.

use askback_core::number::DecimalMark;

use super::typed_number;

fn typed(text: &str, before: &str) -> (String, bool) {
    let taken = typed_number(text, before, DecimalMark::Comma);
    (taken.text, taken.left_out)
}

fn whole(text: &str) -> (String, bool) {
    (text.to_owned(), false)
}

/// A number field takes no letters, and everything that numbers are written with.
#[test]
fn only_what_numbers_have_is_taken() {
    for number in ["12", "-3,5", "+1", "1 000", "1’000", "1e3", "2.5", "−4"] {
        assert_eq!(typed(number, ""), whole(number));
    }
    for other in ["a", "e", "/s", "\u{7}"] {
        assert_eq!(typed(other, ""), (String::new(), true), "{other}");
    }
    assert_eq!(typed("e", "12"), whole("e"));
    assert_eq!(typed("e", "1e"), (String::new(), true));
}

/// A pasted text keeps what typing it would keep, and the rest is said to be left out.
#[test]
fn pasted_text_gives_what_typing_it_gives() {
    for pasted in ["12%", "1e3e4", "€ 12", "12 GB"] {
        let mut one_by_one = String::new();
        for ch in pasted.chars() {
            let (added, _) = typed(&ch.to_string(), &one_by_one);
            one_by_one.push_str(&added);
        }
        assert_eq!(typed(pasted, ""), (one_by_one, true), "{pasted}");
    }
    assert_eq!(typed("12%", "").0, "12");
}

#[test]
fn digits_of_other_scripts_are_understood() {
    assert_eq!(typed("٣٫٥", ""), whole("3,5"));
    assert_eq!(typed("１２", ""), whole("12"));
    assert_eq!(typed("۷", ""), whole("7"));
}
