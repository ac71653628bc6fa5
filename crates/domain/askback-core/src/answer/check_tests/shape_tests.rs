//! Answers that are empty, or of another type than wanted.

use super::*;

#[test]
fn empty_answer_is_not_an_answer() {
    for inquiry in [
        ask_color(false, true),
        ask_color(true, true),
        ask_color(true, false),
    ] {
        check(&inquiry, json!(""), Err(EMPTY));
        check(&inquiry, json!([]), Err(EMPTY));
        check(&inquiry, json!({ "values": [] }), Err(EMPTY));
        check(&inquiry, json!({ "own": " \u{200B}" }), Err(EMPTY));
    }
    check(&ask_text(json!({})), json!("  "), Err(EMPTY));
    check(&ask_text(json!({})), json!({ "text": "" }), Err(EMPTY));
}

#[test]
fn nothing_at_all_is_refused_and_not_taken_as_success() {
    for inquiry in [ask_color(false, true), ask_text(json!({})), ask_two()] {
        check_all(&inquiry, json!({}), Err(&[NOTHING]));
        check_all(&inquiry, json!({ "q1": null }), Err(&[NOTHING]));
        check_all(&inquiry, json!({ "q1": {} }), Err(&[NOTHING]));
        check_all(
            &inquiry,
            json!({ "q1": { "note": "only a note" } }),
            Err(&[NOTHING]),
        );
    }
}

#[test]
fn answers_of_another_type_say_which_type_is_wanted() {
    let wrong = [
        (ask_color(false, true), NOT_CHOSEN),
        (ask_text(json!({})), "The answer must be text: use `text`."),
        (
            ask_number(json!({})),
            "The answer must be a number: use `number`.",
        ),
        (
            ask_date(json!({})),
            "The answer must be a date: use `date`, such as 2027-03-27.",
        ),
        (
            ask_range(json!({})),
            "The answer must be a range of dates: use `start` and `end`.",
        ),
    ];
    for (inquiry, sentence) in wrong {
        for answer in [
            json!(true),
            json!([true]),
            json!([["nested"]]),
            json!({ "unknown": 1 }),
            json!({ "values": "not a list" }),
            json!({ "values": ["r"], "text": "t", "number": 1, "date": "2027-01-01" }),
        ] {
            check(&inquiry, answer, Err(sentence));
        }
    }
}

#[test]
fn fields_of_another_kind_are_refused() {
    let inquiry = ask_text(json!({}));
    let sentence = "The answer must be text: use `text`.";
    check(&inquiry, json!({ "values": ["a"] }), Err(sentence));
    check(&inquiry, json!({ "number": 3 }), Err(sentence));
    check(
        &inquiry,
        json!({ "text": "a", "date": "2027-01-01" }),
        Err(sentence),
    );
    check(
        &ask_color(false, true),
        json!({ "text": "Red" }),
        Err(NOT_CHOSEN),
    );
    check(
        &ask_date(json!({})),
        json!(20_270_101),
        Err("The answer must be a date: use `date`, such as 2027-03-27."),
    );
}
