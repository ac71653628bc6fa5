//! Typed values are parsed by the conventions of the person's language. What cannot be parsed is refused
//! and never guessed.

use askback_core::answer::{AnswerProblem, Answers};
use askback_core::dialect::{Dialect, ParseOptions};
use askback_core::inquiry::Inquiry;
use jiff::Timestamp;
use jiff::civil::date;
use serde_json::{Value, json};

use super::TypedAnswerParser;

fn inquiry(kind: &str) -> Inquiry {
    let input = json!({"question": "How much?", "input_type": kind});
    let parsed = Dialect::AskUser.parse(&input, ParseOptions::default());
    parsed.unwrap().inquiry
}

fn read(locale: Option<&str>, kind: &str, answer: &Value) -> Value {
    let today = Some(date(2027, 3, 27));
    let reader = TypedAnswerParser::new(locale, today, Timestamp::UNIX_EPOCH);
    reader.parse(&inquiry(kind), json!({"q1": answer}))["q1"].clone()
}

#[test]
fn numbers_are_parsed_by_the_language() {
    for (locale, typed, number) in [
        (None, "1.5", "1.5"),
        (Some("en"), "-3", "-3"),
        (Some("de"), "1,5", "1.5"),
    ] {
        let answer = read(locale, "number", &json!({"typed": typed, "note": "n"}));
        assert_eq!(answer, json!({"number": number, "note": "n"}), "{typed}");
    }
}

#[test]
fn dates_are_parsed_by_the_language() {
    for (locale, typed, day) in [
        (None, "tomorrow", "2027-03-28"),
        (Some("en"), "27 mar 2027", "2027-03-27"),
        (Some("en"), "2027-03-27", "2027-03-27"),
    ] {
        let answer = read(locale, "date", &json!({"typed": typed}));
        assert_eq!(answer, json!({"date": day}), "{typed}");
    }
    let range = json!({"typed_start": "today", "typed_end": "1 april 2027"});
    assert_eq!(
        read(Some("en"), "date_range", &range),
        json!({"start": "2027-03-27", "end": "2027-04-01"})
    );
}

/// `1.500` is 1500 in some languages and 1.5 in others, so it is refused. It must not become a number just
/// because it is valid JSON.
#[test]
fn ambiguous_values_are_refused_and_not_guessed() {
    for (locale, kind, typed, problem) in [
        (Some("de"), "number", "1.500", AnswerProblem::NotANumber),
        (Some("en"), "number", "1,500", AnswerProblem::NotANumber),
        (Some("en"), "number", "many", AnswerProblem::NotANumber),
        (Some("en"), "date", "31 feb 2027", AnswerProblem::NotADate),
        (Some("en"), "date", "soon", AnswerProblem::NotADate),
    ] {
        let answers = json!({"q1": read(locale, kind, &json!({"typed": typed}))});
        let refused = Answers::from_json(&inquiry(kind), &answers, None).unwrap_err();
        assert_eq!(refused[0].problem, problem, "{typed}");
    }
}

/// F-T-20: whoever typed a number that can be read in two ways is told both.
#[test]
fn both_readings_of_an_ambiguous_number_are_named() {
    for (locale, typed, readings) in [
        ("de", "1.500", ["1500", "1,5?"]),
        ("en", "1,500", ["1500", "1.5?"]),
    ] {
        let asked = inquiry("number");
        let parser = TypedAnswerParser::new(Some(locale), None, Timestamp::UNIX_EPOCH);
        let answers = json!({"q1": {"typed": typed}});
        let parsed = parser.parse(&asked, answers.clone());
        let errors = Answers::from_json(&asked, &parsed, None).unwrap_err();
        let words = parser.problems(&asked, &answers, &errors).unwrap();
        for reading in readings {
            assert!(words[0].contains(reading), "{words:?}");
        }
    }
}

/// Only fields that belong to the question are read; others are refused.
#[test]
fn fields_of_other_questions_stay() {
    let typed = json!({"typed": "3"});
    assert_eq!(read(None, "text", &typed), typed);
    let both = json!({"typed": "3", "number": 4});
    assert_eq!(read(None, "number", &both), both);
    assert_eq!(read(None, "number", &json!({"typed": " "})), json!({}));
    assert_eq!(read(None, "number", &json!("3")), json!("3"));
}

/// W-8: what a surface shows beside the field is what an answer with the same text stores, and what it
/// does not understand is refused.
#[test]
fn shown_day_is_the_stored_day() {
    let today = Some(date(2027, 3, 27));
    for (locale, typed) in [
        (None, "tomorrow"),
        (None, "3/4/2027"),
        (Some("en"), "next friday"),
        (Some("en"), "27 mar"),
        (Some("en"), "2027-02-29"),
        (Some("de"), "übermorgen"),
        (Some("de"), "3.4.2027"),
        (Some("ja"), "明日"),
        (Some("en"), "tomor"),
    ] {
        let stored = read(locale, "date", &json!({"typed": typed}));
        let shown = TypedAnswerParser::new(locale, today, Timestamp::UNIX_EPOCH).date(typed);
        match shown {
            Ok(day) => assert_eq!(stored, json!({"date": day.to_string()}), "{typed}"),
            Err(_) => assert_eq!(stored, json!({"date": "?"}), "{typed}"),
        }
    }
}

#[test]
fn text_that_is_no_date_gets_a_reason_in_the_language() {
    let today = Some(date(2027, 3, 27));
    let reason = |locale, typed| {
        let parser = TypedAnswerParser::new(locale, today, Timestamp::UNIX_EPOCH);
        parser.date(typed).unwrap_err()
    };
    assert_eq!(
        reason(None, "tomor"),
        "Not a date. Try 2027-03-27 or tomorrow"
    );
    assert_eq!(
        reason(Some("en"), "29 feb 2027"),
        "29 February 2027 does not exist"
    );
    assert!(reason(Some("de"), "tomor").contains("morgen"));
}
