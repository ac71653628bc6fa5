//! Typed values are parsed by the conventions of the person's language. What cannot be parsed is refused
//! and never guessed.

use askback_core::answer::{AnswerProblem, Answers};
use askback_core::dialect::{Dialect, ParseOptions};
use askback_core::inquiry::Inquiry;
use askback_testkit::typed_answers;
use askback_testkit::typed_answers::TODAY;
use jiff::Timestamp;
use jiff::civil::date;
use serde_json::{Value, json};

use super::TypedAnswerParser;

fn inquiry(kind: &str) -> Inquiry {
    let input = json!({"question": "How much?", "input_type": kind});
    let parsed = Dialect::AskUser.parse(&input, ParseOptions::default());
    parsed.unwrap().inquiry
}

fn code(problem: &AnswerProblem) -> String {
    let json = serde_json::to_value(problem).unwrap();
    json["code"].as_str().unwrap().to_owned()
}

fn read(locale: Option<&str>, kind: &str, answer: &Value) -> Value {
    let today = Some(date(2027, 3, 27));
    let reader = TypedAnswerParser::new(locale, today, Timestamp::UNIX_EPOCH);
    reader.parse(&inquiry(kind), json!({"q1": answer}))["q1"].clone()
}

/// The table that every surface replays, as the short form of a request and as what a field of the browser sends.
#[test]
fn typed_answers_of_a_request_are_those_of_every_surface() {
    for case in typed_answers() {
        let tag = case.locale.tag();
        let parser = TypedAnswerParser::new(Some(tag), Some(TODAY), Timestamp::UNIX_EPOCH);
        let typed = json!({"typed": case.typed});
        // An empty field is no answer.
        let field = (case.expected != Err("empty".to_owned())).then_some(typed);
        for answer in [json!(case.typed)].into_iter().chain(field) {
            let answers = parser.parse(&case.inquiry, json!({"q1": answer}));
            let sent = Answers::from_json(&case.inquiry, &answers, None);
            let sent = sent.map_err(|errors| code(&errors[0].problem));
            assert_eq!(sent, case.expected, "{}", case.name);
        }
    }
}

/// Whoever typed a number that can be read in two ways is told both.
#[test]
fn both_readings_of_an_ambiguous_number_are_named() {
    for (locale, typed, readings) in [
        (Some("de"), "1.500", ["1500", "1,5?"]),
        (Some("en"), "1,500", ["1500", "1.5?"]),
        (None, "1,500", ["1500", "1.5?"]),
    ] {
        let asked = inquiry("number");
        let parser = TypedAnswerParser::new(locale, None, Timestamp::UNIX_EPOCH);
        let answers = json!({"q1": {"typed": typed}});
        let parsed = parser.parse(&asked, answers.clone());
        let errors = Answers::from_json(&asked, &parsed, None).unwrap_err();
        let words = parser.problems(&asked, &answers, &errors);
        for reading in readings {
            assert!(words[0].contains(reading), "{words:?}");
        }
    }
}

/// Several questions are told apart in what is wrong.
#[test]
fn wrong_day_of_one_of_several_questions_names_it() {
    let input = json!({"questions": [
        {"text": "From?", "header": "Start", "kind": "date"},
        {"text": "Until?", "header": "End", "kind": "date"}]});
    let parsed = Dialect::Questions.parse(&input, ParseOptions::default());
    let asked = parsed.unwrap().inquiry;
    let parser = TypedAnswerParser::new(Some("en"), Some(TODAY), Timestamp::UNIX_EPOCH);
    let answers = json!({"q1": "today", "q2": "soon"});
    let parsed = parser.parse(&asked, answers.clone());
    let errors = Answers::from_json(&asked, &parsed, None).unwrap_err();
    let words = parser.problems(&asked, &answers, &errors);
    assert_eq!(words, ["End: Not a date. Try 2027-03-27 or tomorrow"]);
}

/// What a surface shows beside the field is what an answer with the same text stores, and what it
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
        let day = shown.date.map_or("?".to_owned(), |day| day.to_string());
        assert_eq!(stored, json!({"date": day}), "{typed}");
    }
    let parser = TypedAnswerParser::new(None, today, Timestamp::UNIX_EPOCH);
    let shown = parser.date("tomorrow to 3 apr");
    let stored = read(
        None,
        "date_range",
        &json!({"typed_start": "tomorrow to 3 apr"}),
    );
    assert_eq!(stored, json!({"start": shown.date, "end": shown.end}));
}

#[test]
fn text_that_is_no_date_gets_a_reason_in_the_language() {
    let today = Some(date(2027, 3, 27));
    let reason = |locale, typed| {
        let parser = TypedAnswerParser::new(locale, today, Timestamp::UNIX_EPOCH);
        parser.date(typed).problem.unwrap()
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
