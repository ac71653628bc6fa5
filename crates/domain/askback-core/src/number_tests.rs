//! Numbers as people type them and JSON carries them: kept exactly, or refused.

use super::*;

fn typed(text: &str) -> Option<Number> {
    Number::parse(text, DecimalMark::Point)
}

fn with_comma(text: &str) -> Option<Number> {
    Number::parse(text, DecimalMark::Comma)
}

fn json(text: &str) -> Option<Number> {
    let number: serde_json::Number = serde_json::from_str(text).expect("a JSON number");
    Number::from_json(&number)
}

#[test]
fn whole_numbers_are_kept_to_the_last_digit() {
    let extremes = [
        ("0", 0),
        ("-1", -1),
        ("9007199254740993", 9_007_199_254_740_993),
        ("9223372036854775807", i64::MAX),
        ("-9223372036854775808", i64::MIN),
    ];
    for (text, whole) in extremes {
        assert_eq!(typed(text), Some(Number::Whole(whole)), "{text}");
        assert_eq!(json(text), Some(Number::Whole(whole)), "{text}");
        assert_eq!(Number::Whole(whole).to_string(), text);
    }
}

#[test]
fn numbers_beyond_the_whole_ones_are_refused_rather_than_rounded() {
    for text in [
        "9223372036854775808",
        "-9223372036854775809",
        "18446744073709551615",
        "18446744073709551616",
        "99999999999999999999",
        "1e19",
        "-1e300",
    ] {
        assert_eq!(typed(text), None, "{text}");
        assert_eq!(json(text), None, "{text}");
    }
    assert_eq!(typed("1e400"), None);
    assert_eq!(typed("-1e400"), None);
}

#[test]
fn numbers_without_decimals_are_whole_however_they_are_written() {
    for text in ["3.0", "3e0", "0.3e1", "30e-1"] {
        assert_eq!(typed(text), Some(Number::Whole(3)), "{text}");
        assert_eq!(json(text), Some(Number::Whole(3)), "{text}");
    }
    assert_eq!(json("-0.0"), Some(Number::Whole(0)));
    assert_eq!(json("1e16"), Some(Number::Whole(10_000_000_000_000_000)));
    assert_eq!(typed("3."), Some(Number::Whole(3)));
}

#[test]
fn decimals_are_kept_as_doubles() {
    assert_eq!(typed("3.5"), Some(Number::Real(3.5)));
    assert_eq!(typed("-.5"), Some(Number::Real(-0.5)));
    assert_eq!(typed("1e-3"), Some(Number::Real(0.001)));
    assert_eq!(json("0.1"), Some(Number::Real(0.1)));
}

#[test]
fn words_are_not_numbers() {
    for text in [
        "", " ", "NaN", "nan", "inf", "-inf", "infinity", "Infinity", "three", "0x10", "1,5",
        "1.2.3", "--5", "+-5", "5-", "1-2", "e5", "1e", "1e5.5", ".", "-", "+", "٣", "½",
        "3 apples", "3€", "1/2", "1e400",
    ] {
        assert_eq!(typed(text), None, "{text:?}");
    }
}

#[test]
fn signs_and_spaces_around_are_understood() {
    assert_eq!(typed(" 42 "), Some(Number::Whole(42)));
    assert_eq!(typed("+42"), Some(Number::Whole(42)));
    assert_eq!(typed("- 42"), Some(Number::Whole(-42)));
    assert_eq!(typed("\u{2212}42"), Some(Number::Whole(-42)));
}

#[test]
fn marks_group_digits_by_threes() {
    for text in [
        "1234567",
        "1 234 567",
        "1'234'567",
        "1’234’567",
        "1_234_567",
        "1\u{A0}234\u{202F}567",
    ] {
        assert_eq!(typed(text), Some(Number::Whole(1_234_567)), "{text:?}");
    }
    assert_eq!(typed("-12 345.5"), Some(Number::Real(-12345.5)));
}

#[test]
fn two_numbers_are_not_run_together_into_one() {
    for text in [
        "2 5", "10 20", "1 2 3", "1234 567", "12 34", "1 ", " '5", "5_", "_5", "1  000",
    ] {
        let expect = (text == "1 ").then_some(Number::Whole(1));
        assert_eq!(typed(text), expect, "{text:?}");
    }
}

#[test]
fn decimal_comma_is_read_where_it_is_the_custom() {
    assert_eq!(with_comma("3,5"), Some(Number::Real(3.5)));
    assert_eq!(with_comma("1 234,5"), Some(Number::Real(1234.5)));
    assert_eq!(with_comma("7"), Some(Number::Whole(7)));
    for text in ["3.5", "1.234,5", "1,2,3", "1,234.5"] {
        assert_eq!(with_comma(text), None, "{text}");
    }
}

#[test]
fn order_is_that_of_the_numbers() {
    assert!(Number::Whole(2) < Number::Real(2.5));
    assert!(Number::Real(2.5) < Number::Whole(3));
    assert!(Number::Whole(i64::MAX - 1) < Number::Whole(i64::MAX));
    assert!(Number::Real(-0.5) > Number::Whole(i64::MIN));
}

#[test]
fn only_decimals_make_a_number_broken() {
    assert!(Number::Whole(3).is_whole());
    assert!(!Number::Real(3.5).is_whole());
}

#[test]
fn numbers_come_back_from_json_as_they_went() {
    for number in [
        Number::Whole(i64::MIN),
        Number::Whole(i64::MAX),
        Number::Real(0.1),
    ] {
        let json = serde_json::to_string(&number).expect("a number serialises");
        assert_eq!(serde_json::from_str::<Number>(&json).expect(&json), number);
        assert_eq!(json, number.to_string());
    }
}

/// `1.500` was sent as 1.5 where people mean 1500. A mark that may group digits is never
/// guessed.
#[test]
fn mark_that_may_group_digits_is_not_guessed() {
    let either = |grouped, decimal| {
        Some(TypedNumber::Either {
            grouped: Number::Whole(grouped),
            decimal: Number::Real(decimal),
        })
    };
    let comma = |text| TypedNumber::parse(text, DecimalMark::Comma);
    let point = |text| TypedNumber::parse(text, DecimalMark::Point);
    assert_eq!(comma("1.500"), either(1500, 1.5));
    assert_eq!(comma("-12.345"), either(-12_345, -12.345));
    assert_eq!(point("1,500"), either(1500, 1.5));
    assert_eq!(point("１,５００"), either(1500, 1.5));
}

#[test]
fn marks_that_can_only_group_digits_do() {
    let one = |number| Some(TypedNumber::One(number));
    let comma = |text| TypedNumber::parse(text, DecimalMark::Comma);
    let point = |text| TypedNumber::parse(text, DecimalMark::Point);
    assert_eq!(comma("1.234.567"), one(Number::Whole(1_234_567)));
    assert_eq!(comma("-1.234,5"), one(Number::Real(-1234.5)));
    assert_eq!(point("1,234,567"), one(Number::Whole(1_234_567)));
    assert_eq!(point("1,234.5"), one(Number::Real(1234.5)));
    for text in ["1,5", "1,50", "12,34,567", "1,2345", ",500"] {
        assert_eq!(point(text), None, "{text}");
    }
    for text in ["1.2.3", "1.23.456", "1.234.5", "1,234.5", "many", ""] {
        assert_eq!(comma(text), None, "{text}");
    }
}

/// `askback answer --text 3.5` was accepted in German and `3.5` at the prompt was not. A point that cannot group
/// digits has one reading.
#[test]
fn point_that_cannot_group_digits_is_decimal_in_every_language() {
    let comma = |text| TypedNumber::parse(text, DecimalMark::Comma);
    for (text, number) in [
        ("3.5", 3.5),
        ("-0.25", -0.25),
        ("0.500", 0.5),
        ("1500.250", 1500.25),
        ("1.2345", 1.2345),
    ] {
        let one = TypedNumber::One(Number::Real(number));
        assert_eq!(comma(text), Some(one), "{text}");
        assert_eq!(TypedNumber::parse(text, DecimalMark::Point), Some(one));
    }
}
