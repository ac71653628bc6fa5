//! Texts that are a part of an answer only, and the forms in which a request holds them.

use jiff::civil::date;
use serde_json::{Value, json};

use crate::answer::Answers;
use crate::dialect::{Dialect, ParseOptions};
use crate::input_parser::InputParser;
use crate::inquiry::Inquiry;

fn inquiry(kind: &str) -> Inquiry {
    let input = json!({ "question": "When?", "input_type": kind });
    let parsed = Dialect::AskUser.parse(&input, ParseOptions::default());
    parsed.expect("the question is valid").inquiry
}

/// One answer of a request, after what was typed in it was read.
fn read(kind: &str, answer: &Value) -> Value {
    let parser = InputParser::english(date(2027, 3, 26));
    Answers::parse_typed(&inquiry(kind), json!({ "q1": answer }), &parser)["q1"].clone()
}

#[test]
fn one_day_of_a_range_is_that_day_alone() {
    let day = json!({ "start": "2027-03-27", "end": "2027-03-27" });
    assert_eq!(read("date_range", &json!("tomorrow")), day);
    assert_eq!(read("date_range", &json!({ "typed": "tomorrow" })), day);
}

#[test]
fn fields_of_a_range_are_read_apart_unless_the_first_has_both_days() {
    let range = json!({ "start": "2027-03-27", "end": "2027-04-03" });
    for typed in [
        json!({ "typed_start": "tomorrow", "typed_end": "3 apr" }),
        json!({ "typed_start": "27 mar to 3 apr", "typed_end": " " }),
        json!(["tomorrow", "3 apr"]),
    ] {
        assert_eq!(read("date_range", &typed), range, "{typed}");
    }
    for typed in [
        json!({ "typed_start": "tomorrow", "typed_end": "" }),
        json!({ "typed_end": "tomorrow" }),
        json!({ "typed_start": "27 mar to 3 apr", "typed_end": "4 apr" }),
    ] {
        let answers = json!({ "q1": read("date_range", &typed) });
        let refused = Answers::from_json(&inquiry("date_range"), &answers, None);
        let refused = refused.expect_err("a day is missing");
        assert_eq!(refused[0].problem, crate::answer::AnswerProblem::NotADate);
    }
}

#[test]
fn empty_fields_are_no_answer_and_notes_stay() {
    assert_eq!(
        read("number", &json!({ "typed": " ", "note": "n" })),
        json!({ "note": "n" })
    );
    let empty = json!({ "typed_start": "", "typed_end": "" });
    assert_eq!(read("date_range", &empty), json!({}));
    let noted = json!({ "typed": "3", "note": "n" });
    assert_eq!(read("number", &noted), json!({ "number": 3, "note": "n" }));
}

/// What is typed stands alone, so that nothing beside it is dropped without a word.
#[test]
fn typed_text_beside_an_answer_or_for_another_kind_is_refused() {
    for (kind, answer) in [
        ("number", json!({ "typed": "3", "number": 4 })),
        ("number", json!({ "typed": "3", "skipped": true })),
        ("number", json!({ "typed": 3 })),
        ("date", json!({ "typed_start": "tomorrow" })),
        (
            "date_range",
            json!({ "typed": "tomorrow", "typed_end": "today" }),
        ),
    ] {
        assert_eq!(read(kind, &answer), answer);
        let sent = Answers::from_json(&inquiry(kind), &json!({ "q1": answer }), None);
        assert!(sent.is_err(), "{answer}");
    }
}

#[test]
fn without_a_language_only_what_means_the_same_everywhere_is_read() {
    for (kind, answer) in [
        ("date", json!("tomorrow")),
        ("date", json!("27 mar")),
        ("date", json!("3/4/2027")),
        ("date_range", json!("today to tomorrow")),
        ("number", json!("1,500")),
    ] {
        let sent = Answers::from_json(&inquiry(kind), &json!({ "q1": answer }), None);
        assert!(sent.is_err(), "{answer}");
    }
}
