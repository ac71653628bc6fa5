//! Texts, numbers, days and ranges, and the rules of each.

use super::*;

#[test]
fn text_is_taken_as_it_is_written() {
    let open = ask_text(json!({}));
    check(&open, json!("Direct Message"), Ok(text("Direct Message")));
    check(
        &open,
        json!({ "text": "two\nlines" }),
        Ok(text("two\nlines")),
    );
    check(&open, json!(42), Ok(text("42")));
    check(&open, json!(["only one"]), Ok(text("only one")));
    check(&open, json!("  trimmed\u{200B} "), Ok(text("trimmed")));
}

#[test]
fn text_length_counts_characters() {
    let bounded = ask_text(json!({ "min_length": 3, "max_length": 5 }));
    check(&bounded, json!("größe"), Ok(text("größe")));
    check(&bounded, json!("日本語"), Ok(text("日本語")));
    check(&bounded, json!("🙂🙂🙂"), Ok(text("🙂🙂🙂")));
    check(
        &bounded,
        json!("🙂🙂"),
        Err("The answer must have 3 characters or more."),
    );
    check(
        &bounded,
        json!("größer"),
        Err("The answer must have 5 characters or fewer."),
    );
    check(
        &bounded,
        json!("    ab    "),
        Err("The answer must have 3 characters or more."),
    );
}

#[test]
fn text_without_a_limit_has_the_limit_of_all_text() {
    let open = ask_text(json!({}));
    let longest = "ü".repeat(10_000);
    check(&open, json!(longest), Ok(text(&longest)));
    let sentence = "The answer must have 10000 characters or fewer.";
    check(&open, json!(format!("{longest}ü")), Err(sentence));
    let color = ask_color(false, true);
    check(&color, json!(longest), Ok(chosen(&[], Some(&longest))));
    check(&color, json!(format!("{longest}ü")), Err(sentence));
}

#[test]
fn pattern_is_searched_for_anywhere_unless_anchored() {
    let anywhere = ask_text(json!({ "pattern": "[0-9]{3}" }));
    check(&anywhere, json!("room 404"), Ok(text("room 404")));
    let sentence = "The answer does not have the requested format.";
    check(&anywhere, json!("room 40"), Err(sentence));
    let whole = ask_text(json!({ "pattern": r"^\p{L}+-\d+$" }));
    check(&whole, json!("Größe-12"), Ok(text("Größe-12")));
    check(&whole, json!("see Größe-12"), Err(sentence));
    check(&whole, json!(" ABC-1 "), Ok(text("ABC-1")));
}

#[test]
fn pattern_that_stops_other_engines_takes_no_time() {
    let nested = ask_text(json!({ "pattern": "^(a+)+$" }));
    let answer = format!("{}b", "a".repeat(5_000));
    check(
        &nested,
        json!(answer),
        Err("The answer does not have the requested format."),
    );
}

#[test]
fn agents_own_message_stands_for_broken_rules_only() {
    let code = ask_text(json!({
        "pattern": "^[A-Z]{3}$",
        "min_length": 3,
        "message": "Three capital letters, please.",
    }));
    check(&code, json!("abc"), Err("Three capital letters, please."));
    check(&code, json!("A"), Err("Three capital letters, please."));
    check(&code, json!(""), Err(EMPTY));
    check(
        &code,
        json!(true),
        Err("The answer must be text: use `text`."),
    );
    let age = ask_number(json!({ "min": 18, "message": "You must be of age." }));
    check(&age, json!(17), Err("You must be of age."));
    check(
        &age,
        json!("x"),
        Err("The answer must be a number, such as 3 or 3.5."),
    );
    let start = ask_date(json!({ "min": "2027-01-01", "message": "Not before 2027." }));
    check(&start, json!("2026-12-31"), Err("Not before 2027."));
}

#[test]
fn numbers_come_as_numbers_or_as_text() {
    let open = ask_number(json!({}));
    check(&open, json!(3), Ok(whole(3)));
    check(&open, json!(3.5), Ok(real(3.5)));
    check(&open, json!("3.5"), Ok(real(3.5)));
    check(&open, json!({ "number": -2 }), Ok(whole(-2)));
    check(&open, json!({ "number": " 1 000 " }), Ok(whole(1000)));
    check(&open, json!(["7"]), Ok(whole(7)));
}

#[test]
fn whole_numbers_are_exact_to_their_extremes() {
    let open = ask_number(json!({}));
    for extreme in [i64::MIN, i64::MAX, 9_007_199_254_740_993] {
        check(&open, json!(extreme), Ok(whole(extreme)));
        check(&open, json!(extreme.to_string()), Ok(whole(extreme)));
    }
}

#[test]
fn what_is_no_number_is_refused() {
    let open = ask_number(json!({}));
    let sentence = "The answer must be a number, such as 3 or 3.5.";
    for answer in [
        json!("three"),
        json!("NaN"),
        json!("Infinity"),
        json!("1e400"),
        json!("10 20"),
        json!({ "number": "" }),
        json!(u64::MAX),
        json!(1e300),
        json!({ "number": true }),
        json!({ "number": [1] }),
    ] {
        check(&open, answer, Err(sentence));
    }
}

#[test]
fn number_rules_name_their_bound() {
    let replicas = ask_number(json!({ "min": 1, "max": 9, "integer": true }));
    check(&replicas, json!(1), Ok(whole(1)));
    check(&replicas, json!(9), Ok(whole(9)));
    check(&replicas, json!(9.0), Ok(whole(9)));
    check(&replicas, json!(0), Err("The answer must be 1 or more."));
    check(&replicas, json!(10), Err("The answer must be 9 or fewer."));
    check(
        &replicas,
        json!(2.5),
        Err("The answer must be a whole number."),
    );
    let ratio = ask_number(json!({ "min": 0.25, "max": 0.75 }));
    check(&ratio, json!(0.25), Ok(real(0.25)));
    check(&ratio, json!(1), Err("The answer must be 0.75 or fewer."));
    check(&ratio, json!(0), Err("The answer must be 0.25 or more."));
}

#[test]
fn bounds_of_large_whole_numbers_are_exact() {
    let tight = ask_number(json!({ "max": i64::MAX - 1 }));
    check(&tight, json!(i64::MAX - 1), Ok(whole(i64::MAX - 1)));
    check(
        &tight,
        json!(i64::MAX),
        Err("The answer must be 9223372036854775806 or fewer."),
    );
}

#[test]
fn steps_are_counted_from_the_smallest_number() {
    let fives = ask_number(json!({ "min": 2, "step": 5 }));
    check(&fives, json!(2), Ok(whole(2)));
    check(&fives, json!(12), Ok(whole(12)));
    check(&fives, json!(10), Err("The answer must go in steps of 5."));
    check(&fives, json!(7.5), Err("The answer must go in steps of 5."));
    let from_zero = ask_number(json!({ "step": 4 }));
    check(&from_zero, json!(-8), Ok(whole(-8)));
    check(
        &from_zero,
        json!(6),
        Err("The answer must go in steps of 4."),
    );
}

#[test]
fn steps_with_decimals_forgive_doubles_and_nothing_else() {
    let tenths = ask_number(json!({ "step": 0.1 }));
    for fits in [0.3, 0.7, 1.1, 123_456.7] {
        check(&tenths, json!(fits), Ok(real(fits)));
    }
    let sentence = "The answer must go in steps of 0.1.";
    for misfits in [0.25, 0.31, 0.300_001, 100_000_000.05] {
        check(&tenths, json!(misfits), Err(sentence));
    }
    check(&tenths, json!(0), Ok(whole(0)));
    let shifted = ask_number(json!({ "min": 0.1, "step": 0.5 }));
    check(&shifted, json!(0.6), Ok(real(0.6)));
    check(
        &shifted,
        json!(0.9),
        Err("The answer must go in steps of 0.5."),
    );
    let offset = ask_number(json!({ "min": 1_000_000.1, "step": 0.1 }));
    check(&offset, json!(1_000_000.2), Ok(real(1_000_000.2)));
}

#[test]
fn dates_are_days_of_the_calendar() {
    let open = ask_date(json!({}));
    check(&open, json!("2027-03-27"), Ok(date("2027-03-27")));
    check(
        &open,
        json!({ "date": " 2027-03-27 " }),
        Ok(date("2027-03-27")),
    );
    for leap_day in ["2028-02-29", "2000-02-29", "2400-02-29"] {
        check(&open, json!(leap_day), Ok(date(leap_day)));
    }
}

#[test]
fn days_that_are_not_in_the_calendar_are_refused() {
    let open = ask_date(json!({}));
    for answer in [
        "2027-02-29",
        "1900-02-29",
        "2100-02-29",
        "2027-04-31",
        "2027-13-01",
        "2027-00-10",
        "2027-01-00",
        "2027-1-5",
        "27-01-05",
        "20270105",
        "2027010511",
        "2027-01-05T10:00",
        "2027-01-05 ?",
        "-027-01-05",
        "2027--1-05",
        "202701-05-",
        "2027-W01-1",
        "05.01.2027",
        "tomorrow",
        "",
    ] {
        let sentence = "The answer must be a date, such as 2027-03-27.";
        check(&open, json!({ "date": answer }), Err(sentence));
    }
}

#[test]
fn date_bounds_are_part_of_what_is_allowed() {
    let bounded = ask_date(json!({ "min": "2027-01-01", "max": "2027-12-31" }));
    check(&bounded, json!("2027-01-01"), Ok(date("2027-01-01")));
    check(&bounded, json!("2027-12-31"), Ok(date("2027-12-31")));
    check(
        &bounded,
        json!("2026-12-31"),
        Err("The answer must be 2027-01-01 or later."),
    );
    check(
        &bounded,
        json!("2028-01-01"),
        Err("The answer must be 2027-12-31 or earlier."),
    );
}

#[test]
fn ranges_are_read_from_two_days() {
    let open = ask_range(json!({}));
    let expect = || Ok(range("2027-03-01", "2027-03-05"));
    check(
        &open,
        json!({ "start": "2027-03-01", "end": "2027-03-05" }),
        expect(),
    );
    check(&open, json!(["2027-03-01", "2027-03-05"]), expect());
    check(&open, json!("2027-03-01/2027-03-05"), expect());
    check(&open, json!("2027-03-01 to 2027-03-05"), expect());
    check(
        &open,
        json!({ "start": "2027-03-01", "end": "2027-03-01" }),
        Ok(range("2027-03-01", "2027-03-01")),
    );
}

#[test]
fn range_is_two_days_in_order_and_within_bounds() {
    let bounded = ask_range(json!({ "min": "2027-01-01", "max": "2027-12-31" }));
    let not_a_day = "The answer must be a date, such as 2027-03-27.";
    check(
        &bounded,
        json!({ "start": "2027-03-05", "end": "2027-03-01" }),
        Err("The answer must not end before it begins."),
    );
    check(&bounded, json!({ "start": "2027-03-05" }), Err(not_a_day));
    check(&bounded, json!({ "end": "2027-03-05" }), Err(not_a_day));
    check(
        &bounded,
        json!({ "start": "2026-12-31", "end": "2027-03-01" }),
        Err("The answer must be 2027-01-01 or later."),
    );
    check(
        &bounded,
        json!({ "start": "2027-03-01", "end": "2028-01-01" }),
        Err("The answer must be 2027-12-31 or earlier."),
    );
}
