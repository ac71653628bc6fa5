//! Every kind of question with answers that fit and answers that do not, and the exact sentence
//! that a person reads about each misfit.

#![expect(
    clippy::needless_pass_by_value,
    reason = "a table reads better without a borrow in every line"
)]

use serde_json::{Value, json};

use super::*;
use crate::dialect::ParseOptions;

fn parse(dialect: Dialect, input: &Value) -> Inquiry {
    let parsed = dialect.parse(input, ParseOptions::default());
    parsed.expect("the question is valid").inquiry
}

/// An `ask_user` question with these fields.
fn ask(fields: Value) -> Inquiry {
    let mut input = json!({ "question": "What is it?" });
    let (Value::Object(all), Value::Object(more)) = (&mut input, fields) else {
        unreachable!("both are written as objects here");
    };
    all.extend(more);
    parse(Dialect::AskUser, &input)
}

fn ask_text(validation: Value) -> Inquiry {
    ask(json!({ "input_type": "text", "validation": validation }))
}

fn ask_number(validation: Value) -> Inquiry {
    ask(json!({ "input_type": "number", "validation": validation }))
}

fn ask_date(validation: Value) -> Inquiry {
    ask(json!({ "input_type": "date", "validation": validation }))
}

fn ask_range(validation: Value) -> Inquiry {
    ask(json!({ "input_type": "date_range", "validation": validation }))
}

/// One question with own text: Red, Green and Blue, with values r, g and b.
fn ask_color(several: bool, own_text: bool) -> Inquiry {
    ask(json!({
        "input_type": if several { "multi_select" } else { "single_select" },
        "allow_other": own_text,
        "options": [
            { "label": "Red", "value": "r" },
            { "label": "Green", "value": "g" },
            { "label": "Blue", "value": "b" },
        ],
    }))
}

/// Two questions of the list dialect, with headers.
fn ask_two() -> Inquiry {
    parse(
        Dialect::AskUserQuestionClaude,
        &json!({ "questions": [
            {
                "question": "Which database?",
                "header": "Database",
                "multiSelect": false,
                "options": [
                    { "label": "PostgreSQL (Recommended)", "description": "Relational" },
                    { "label": "SQLite", "description": "Embedded" },
                ],
            },
            {
                "question": "Which features?",
                "header": "Features",
                "multiSelect": true,
                "options": [
                    { "label": "Auth", "description": "Accounts" },
                    { "label": "Search", "description": "Index" },
                    { "label": "None of these", "description": "Bare" },
                ],
            },
        ]}),
    )
}

fn clean(raw: &str) -> Text {
    Text::clean(raw, Lines::Many).expect("the text is readable")
}

fn chosen(values: &[&str], own: Option<&str>) -> Given {
    Given::Chosen {
        values: values.iter().map(|value| clean(value)).collect(),
        own: own.map(clean),
    }
}

fn text(raw: &str) -> Given {
    Given::Text { text: clean(raw) }
}

fn whole(number: i64) -> Given {
    Given::Number {
        number: Number::Whole(number),
    }
}

fn real(number: f64) -> Given {
    Given::Number {
        number: Number::Real(number),
    }
}

fn day(iso: &str) -> Date {
    iso.parse().expect("a day of the calendar")
}

fn date(iso: &str) -> Given {
    Given::Date { date: day(iso) }
}

fn range(start: &str, end: &str) -> Given {
    Given::DateRange {
        start: day(start),
        end: day(end),
    }
}

type Verdict = Result<Vec<Given>, Vec<String>>;

fn verdict(inquiry: &Inquiry, answers: &Value, notes: Option<&Value>) -> Verdict {
    match Answers::from_json(inquiry, answers, notes) {
        Ok(answers) => Ok(answers.iter().map(|answer| answer.given.clone()).collect()),
        Err(errors) => Err(errors.iter().map(ToString::to_string).collect()),
    }
}

/// Checks the answer to the only question of an inquiry.
fn check(inquiry: &Inquiry, answer: Value, expect: Result<Given, &str>) {
    let answers = json!({ "q1": answer });
    let expect = match expect {
        Ok(given) => Ok(vec![given]),
        Err(sentence) => Err(vec![sentence.to_owned()]),
    };
    assert_eq!(verdict(inquiry, &answers, None), expect, "{answers}");
}

fn check_all(inquiry: &Inquiry, answers: Value, expect: Result<&[Given], &[&str]>) {
    let expect = expect
        .map(<[Given]>::to_vec)
        .map_err(|sentences| sentences.iter().map(ToString::to_string).collect());
    assert_eq!(verdict(inquiry, &answers, None), expect, "{answers}");
}

const NO_SUCH_COLOR: &str = "The answer must be one of the choices: Red, Green, Blue.";
const NOT_CHOSEN: &str = "The answer must be chosen: use `values`, and `other` for own text.";
const NOTHING: &str = "No question was answered: answer at least one, or decline to answer.";
const EMPTY: &str = "The answer is empty; give an answer.";

#[test]
fn choice_is_named_by_value_or_by_label() {
    let color = ask_color(false, false);
    for answer in [
        json!("g"),
        json!("Green"),
        json!(" Green "),
        json!(["g"]),
        json!(["Green"]),
        json!({ "values": ["g"] }),
        json!({ "values": ["Green"] }),
    ] {
        check(&color, answer, Ok(chosen(&["g"], None)));
    }
}

#[test]
fn choice_that_is_not_offered_is_refused() {
    let color = ask_color(false, false);
    check(&color, json!("Mauve"), Err(NO_SUCH_COLOR));
    check(&color, json!("green"), Err(NO_SUCH_COLOR));
    check(&color, json!(["Mauve"]), Err(NO_SUCH_COLOR));
    check(&color, json!({ "values": ["Mauve"] }), Err(NO_SUCH_COLOR));
    check(&color, json!({ "other": "Mauve" }), Err(NO_SUCH_COLOR));
    check(
        &color,
        json!({ "values": ["r"], "other": "Mauve" }),
        Err(NO_SUCH_COLOR),
    );
}

#[test]
fn one_choice_is_not_several() {
    let color = ask_color(false, true);
    let sentence = "The answer takes one choice only.";
    check(&color, json!(["Red", "Blue"]), Err(sentence));
    check(&color, json!({ "values": ["r", "b"] }), Err(sentence));
    check(
        &color,
        json!({ "values": ["r", "b"], "other": "both" }),
        Err(sentence),
    );
    check(&color, json!(["Red", "r"]), Ok(chosen(&["r"], None)));
}

#[test]
fn own_text_replaces_a_single_choice() {
    let color = ask_color(false, true);
    check(&color, json!("Mauve"), Ok(chosen(&[], Some("Mauve"))));
    check(
        &color,
        json!({ "other": "Mauve" }),
        Ok(chosen(&[], Some("Mauve"))),
    );
    check(
        &color,
        json!({ "values": ["r"], "other": "a dark one" }),
        Ok(chosen(&[], Some("a dark one"))),
    );
    check(
        &color,
        json!({ "values": ["r"], "other": "  " }),
        Ok(chosen(&["r"], None)),
    );
}

#[test]
fn own_text_stands_beside_several_choices() {
    let color = ask_color(true, true);
    check(
        &color,
        json!({ "values": ["b", "Red"], "other": "Mauve" }),
        Ok(chosen(&["r", "b"], Some("Mauve"))),
    );
    check(
        &color,
        json!(["Blue", "Mauve", "Red", "Teal"]),
        Ok(chosen(&["r", "b"], Some("Mauve\nTeal"))),
    );
}

#[test]
fn chosen_values_stand_in_the_order_of_the_question_and_once() {
    let color = ask_color(true, false);
    check(
        &color,
        json!(["b", "g", "Blue", "r"]),
        Ok(chosen(&["r", "g", "b"], None)),
    );
}

#[test]
fn text_for_several_choices_is_a_label_or_a_list_or_own_text() {
    let color = ask_color(true, true);
    check(&color, json!("Green"), Ok(chosen(&["g"], None)));
    check(&color, json!("Red, Blue"), Ok(chosen(&["r", "b"], None)));
    check(&color, json!("b,Red"), Ok(chosen(&["r", "b"], None)));
    check(
        &color,
        json!(" Red ,  Blue , "),
        Ok(chosen(&["r", "b"], None)),
    );
    check(&color, json!("Red, Red"), Ok(chosen(&["r"], None)));
    check(
        &color,
        json!("Red, Mauve"),
        Ok(chosen(&[], Some("Red, Mauve"))),
    );
    check(
        &color,
        json!("Red and Blue"),
        Ok(chosen(&[], Some("Red and Blue"))),
    );
    check(
        &color,
        json!("Reddish, Blue"),
        Ok(chosen(&[], Some("Reddish, Blue"))),
    );
    check(&color, json!(", "), Ok(chosen(&[], Some(","))));
}

#[test]
fn list_of_labels_is_refused_where_one_of_them_is_wrong_and_own_text_is_off() {
    let color = ask_color(true, false);
    check(&color, json!("Red, Blue"), Ok(chosen(&["r", "b"], None)));
    check(&color, json!("Red, Mauve"), Err(NO_SUCH_COLOR));
}

#[test]
fn labels_may_hold_commas() {
    let fruit = ask(json!({
        "input_type": "multi_select",
        "allow_other": true,
        "options": ["Salt", "Salt, pepper", "Pepper", "Oil, vinegar, salt"],
    }));
    check(
        &fruit,
        json!("Salt, pepper"),
        Ok(chosen(&["Salt, pepper"], None)),
    );
    check(
        &fruit,
        json!("Salt, Pepper"),
        Ok(chosen(&["Salt", "Pepper"], None)),
    );
    check(
        &fruit,
        json!("Salt, pepper, Salt"),
        Ok(chosen(&["Salt", "Salt, pepper"], None)),
    );
    check(
        &fruit,
        json!("Oil, vinegar, salt, Pepper"),
        Ok(chosen(&["Pepper", "Oil, vinegar, salt"], None)),
    );
    check(
        &fruit,
        json!("Oil, vinegar"),
        Ok(chosen(&[], Some("Oil, vinegar"))),
    );
    check(
        &fruit,
        json!(["Salt, pepper", "Pepper"]),
        Ok(chosen(&["Salt, pepper", "Pepper"], None)),
    );
}

#[test]
fn list_that_could_be_split_in_many_ways_is_read_at_once() {
    // Labels "a", "a,a", "a,a,a" … could be tried in any order: there are 20! of them.
    let labels: Vec<String> = (1..=20).map(|count| vec!["a"; count].join(",")).collect();
    let many = ask(json!({
        "input_type": "multi_select",
        "allow_other": true,
        "options": labels,
    }));
    let list = format!("{},x", vec!["a"; 400].join(","));
    check(&many, json!(list), Ok(chosen(&[], Some(&list))));
}

#[test]
fn advised_choice_is_named_with_and_without_its_badge() {
    let two = ask_two();
    for name in [
        "PostgreSQL",
        "PostgreSQL (Recommended)",
        "PostgreSQL (recommended)",
    ] {
        check_all(
            &two,
            json!({ "q1": name, "q2": "Auth" }),
            Ok(&[chosen(&["PostgreSQL"], None), chosen(&["Auth"], None)]),
        );
    }
    check_all(
        &two,
        json!({ "q1": "SQLite (Recommended)", "q2": "Auth" }),
        Ok(&[
            chosen(&[], Some("SQLite (Recommended)")),
            chosen(&["Auth"], None),
        ]),
    );
}

/// A dialect that keeps the badge in its label is answered without it as well; the choice is taken,
/// not mistaken for own text, and its stored label comes back. A choice of the bare name goes first.
#[test]
fn label_that_keeps_its_badge_is_named_without_it() {
    let options = |labels: &[&str]| {
        let input = json!({ "questions": [{ "question": "Which?", "options": labels }] });
        parse(Dialect::AskUserQuestion, &input)
    };
    let advised = options(&["PostgreSQL (Recommended)", "SQLite"]);
    let stored = chosen(&["PostgreSQL (Recommended)"], None);
    check(&advised, json!("PostgreSQL"), Ok(stored.clone()));
    check(&advised, json!({ "values": ["PostgreSQL"] }), Ok(stored));
    let both = options(&["Plan (Recommended)", "Plan"]);
    check(&both, json!("Plan"), Ok(chosen(&["Plan"], None)));
}

#[test]
fn none_of_these_excludes_all_else() {
    let two = ask_two();
    let given = |answer: Value| json!({ "q1": "SQLite", "q2": answer });
    check_all(
        &two,
        given(json!("None of these")),
        Ok(&[chosen(&["SQLite"], None), chosen(&["None of these"], None)]),
    );
    let sentence = "Features cannot hold “None of these” beside other choices.";
    check_all(&two, given(json!("Auth, None of these")), Err(&[sentence]));
    check_all(
        &two,
        given(json!({ "values": ["None of these"], "other": "Billing" })),
        Err(&[sentence]),
    );
}

#[test]
fn numbers_name_choices_that_are_written_as_numbers() {
    let count = ask(json!({ "input_type": "multi_select", "options": [1, 2, 3] }));
    check(&count, json!(2), Ok(chosen(&["2"], None)));
    check(&count, json!([3, "1"]), Ok(chosen(&["1", "3"], None)));
}

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
        check(&inquiry, json!({ "other": " \u{200B}" }), Err(EMPTY));
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
            "The answer must be a day: use `date`, such as 2027-03-27.",
        ),
        (
            ask_range(json!({})),
            "The answer must be a range of days: use `start` and `end`.",
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
        Err("The answer must be a day: use `date`, such as 2027-03-27."),
    );
}

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
    let sentence = "The answer must have the form that was asked for.";
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
        Err("The answer must have the form that was asked for."),
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
        json!(""),
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
    let from_nought = ask_number(json!({ "step": 4 }));
    check(&from_nought, json!(-8), Ok(whole(-8)));
    check(
        &from_nought,
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
        let sentence = "The answer must be a day of the calendar, such as 2027-03-27.";
        check(&open, json!(answer), Err(sentence));
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
    let not_a_day = "The answer must be a day of the calendar, such as 2027-03-27.";
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

#[test]
fn question_that_may_be_skipped_is_skipped_expressly() {
    let skippable = ask(json!({ "input_type": "text", "allow_skip": true }));
    check(&skippable, json!({ "skipped": true }), Ok(Given::Skipped));
    check(
        &skippable,
        json!({ "skipped": true, "text": "but yes" }),
        Err("The answer is both answered and skipped; do one of the two."),
    );
    check_all(&skippable, json!({}), Err(&[NOTHING]));
}

#[test]
fn question_that_must_be_answered_cannot_be_skipped() {
    let sentence = "The answer cannot be skipped; answer it, or decline the whole.";
    check(
        &ask_text(json!({})),
        json!({ "skipped": true }),
        Err(sentence),
    );
    let only = parse(
        Dialect::AskUserQuestion,
        &json!({ "questions": [{ "question": "Which?", "options": ["A", "B"] }] }),
    );
    check(&only, json!({ "skipped": true }), Err(sentence));
    let question = parse(
        Dialect::Question,
        &json!({ "question": "Which?", "options": ["A", "B"] }),
    );
    check(&question, json!({ "skipped": true }), Err(sentence));
}

#[test]
fn one_of_several_questions_can_be_skipped_but_not_all() {
    let two = ask_two();
    check_all(
        &two,
        json!({ "q1": { "skipped": true }, "q2": "Auth" }),
        Ok(&[Given::Skipped, chosen(&["Auth"], None)]),
    );
    check_all(
        &two,
        json!({ "q1": { "skipped": true }, "q2": { "skipped": true } }),
        Err(&[NOTHING]),
    );
}

#[test]
fn questions_left_out_are_named_as_unanswered() {
    let two = ask_two();
    check_all(
        &two,
        json!({ "q2": ["Search"] }),
        Ok(&[Given::Unanswered, chosen(&["Search"], None)]),
    );
    check_all(
        &two,
        json!({ "q1": "SQLite", "q2": null }),
        Ok(&[chosen(&["SQLite"], None), Given::Unanswered]),
    );
}

#[test]
fn questions_are_named_by_id_or_by_text() {
    let two = ask_two();
    check_all(
        &two,
        json!({ "Which features?": "Auth", " Which database? ": "SQLite" }),
        Ok(&[chosen(&["SQLite"], None), chosen(&["Auth"], None)]),
    );
    check_all(
        &two,
        json!({ "q1": "SQLite", "Which database?": "PostgreSQL" }),
        Err(&["Database is answered twice; answer it once."]),
    );
    check_all(
        &two,
        json!({ "q1": "SQLite", "q3": "Auth" }),
        Err(&["There is no such question: use q1, q2."]),
    );
}

#[test]
fn id_of_a_question_wins_over_the_same_words_as_text() {
    let crossed = parse(
        Dialect::AskUserQuestion,
        &json!({ "questions": [
            { "question": "q2", "options": ["A", "B"] },
            { "question": "q1", "options": ["C", "D"] },
        ]}),
    );
    check_all(
        &crossed,
        json!({ "q1": "A", "q2": "D" }),
        Ok(&[chosen(&["A"], None), chosen(&["D"], None)]),
    );
}

#[test]
fn answers_are_an_object() {
    let sentence = "The answers must be a JSON object with one entry for each question id.";
    for answers in [json!(null), json!("SQLite"), json!(["SQLite"]), json!(1)] {
        check_all(&ask_two(), answers, Err(&[sentence]));
    }
}

#[test]
fn every_misfit_is_reported_at_once() {
    let two = ask_two();
    check_all(
        &two,
        json!({ "q1": ["PostgreSQL", "SQLite"], "q2": { "values": ["Auth", "None of these"] } }),
        Err(&[
            "Database takes one choice only.",
            "Features cannot hold “None of these” beside other choices.",
        ]),
    );
    check_all(
        &two,
        json!({ "q1": true, "q2": ["Auth", "None of these"], "q9": 1 }),
        Err(&[
            "Database must be chosen: use `values`, and `other` for own text.",
            "There is no such question: use q1, q2.",
            "Features cannot hold “None of these” beside other choices.",
        ]),
    );
    check_all(
        &two,
        json!({ "q1": true }),
        Err(&["Database must be chosen: use `values`, and `other` for own text."]),
    );
}

fn notes(
    inquiry: &Inquiry,
    answers: &Value,
    notes: &Value,
) -> Result<Vec<Option<String>>, Vec<String>> {
    match Answers::from_json(inquiry, answers, Some(notes)) {
        Ok(answers) => Ok(answers
            .iter()
            .map(|answer| answer.note.as_ref().map(Text::to_string))
            .collect()),
        Err(errors) => Err(errors.iter().map(ToString::to_string).collect()),
    }
}

#[test]
fn notes_stand_beside_answers_and_never_in_them() {
    let two = ask_two();
    let answers = json!({ "q1": { "values": ["SQLite"], "note": "for now" } });
    assert_eq!(
        notes(&two, &answers, &json!({ "Which features?": "later\u{7}" })),
        Ok(vec![Some("for now".to_owned()), Some("later␇".to_owned())])
    );
    assert_eq!(
        verdict(&two, &answers, Some(&json!({ "q2": "later" }))),
        Ok(vec![chosen(&["SQLite"], None), Given::Unanswered])
    );
    assert_eq!(
        notes(&two, &answers, &json!({ "q1": " " })),
        Ok(vec![None, None])
    );
    assert_eq!(
        notes(&two, &answers, &Value::Null),
        Ok(vec![Some("for now".to_owned()), None])
    );
}

#[test]
fn notes_are_bounded_and_belong_to_a_question() {
    let two = ask_two();
    let answers = json!({ "q1": "SQLite" });
    let longest = "ü".repeat(4_000);
    assert_eq!(
        notes(&two, &answers, &json!({ "q1": longest })),
        Ok(vec![Some(longest.clone()), None])
    );
    let refused = |given: Value, sentence: &str| {
        assert_eq!(
            notes(&two, &answers, &given),
            Err(vec![sentence.to_owned()]),
            "{given}"
        );
    };
    refused(
        json!({ "q1": format!("{longest}ü") }),
        "The note on Database must have 4000 characters or fewer.",
    );
    refused(
        json!({ "q7": "whose?" }),
        "There is no such question: use q1, q2.",
    );
    refused(json!({ "q1": 7 }), "Database must be text: use `text`.");
}

#[test]
fn no_misfit_repeats_the_answer() {
    const SECRET: &str = "hunter2";
    let answers = [
        json!(SECRET),
        json!([SECRET, SECRET]),
        json!({ "values": [SECRET] }),
        json!({ "values": ["r", SECRET], "other": SECRET }),
        json!({ "text": SECRET, "skipped": true }),
        json!({ "number": SECRET }),
        json!({ "date": SECRET }),
        json!({ "start": SECRET, "end": SECRET }),
        json!({ SECRET: SECRET }),
        json!({ "note": SECRET.repeat(1_000) }),
    ];
    let inquiries = [
        ask_color(false, false),
        ask_color(true, false),
        ask_text(json!({ "pattern": "^never$" })),
        ask_text(json!({ "max_length": 3 })),
        ask_number(json!({})),
        ask_date(json!({})),
        ask_range(json!({})),
        ask_two(),
    ];
    let mut refused = 0;
    for inquiry in &inquiries {
        for answer in &answers {
            for answers in [json!({ "q1": answer }), json!({ SECRET: answer })] {
                let Err(errors) = Answers::from_json(inquiry, &answers, None) else {
                    continue;
                };
                refused += 1;
                for error in errors {
                    let json = serde_json::to_string(&error).expect("an error serialises");
                    let told = format!("{error} {error:?} {json}");
                    assert!(!told.contains(SECRET), "{told}");
                }
            }
        }
    }
    assert!(refused > 100, "only {refused} of the answers were refused");
}

#[test]
fn misfit_travels_as_a_code_with_its_bound() {
    let replicas = ask_number(json!({ "max": 9 }));
    let errors = Answers::from_json(&replicas, &json!({ "q1": 10 }), None).expect_err("too many");
    assert_eq!(
        serde_json::to_value(&errors).expect("errors serialise"),
        json!([{ "question": "q1", "name": "The answer", "code": "too_large", "max": 9 }])
    );
}

#[test]
fn pattern_is_bounded_in_memory() {
    assert!(compile_pattern("^[a-z]+$").is_some());
    assert!(compile_pattern(r"\w{100}{100}").is_none());
    assert!(compile_pattern("(?=look)ahead").is_none());
    assert!(compile_pattern(r"(a)\1").is_none());
    assert!(compile_pattern("(").is_none());
}
