//! What is typed answers what it names, and nothing that is merely in focus.

use askback_core::answer::{AnswerError, AnswerProblem};
use askback_core::dialect::Dialect;
use askback_core::draft::Draft;
use askback_core::inquiry::Inquiry;
use askback_locale::Locale;
use askback_testkit::typed_answers;
use askback_testkit::typed_answers::TODAY;
use serde_json::{Value, json};

use super::{Edited, press, submit, write};
use crate::contract::button::{Press, RangeDay};
use crate::contract::incoming::FieldInput;
use crate::fixtures::parse;

fn ask(fields: &[(&str, Value)]) -> Inquiry {
    let mut input = json!({ "question": "Where?" });
    for (name, value) in fields {
        input[name] = value.clone();
    }
    parse(Dialect::AskUser, &input)
}

fn select(input_type: &str, own_text: bool) -> Inquiry {
    let options = json!([
        { "label": "Production", "value": "prod" },
        { "label": "Staging", "value": "stage" },
    ]);
    ask(&[
        ("input_type", json!(input_type)),
        ("allow_other", json!(own_text)),
        ("options", options),
    ])
}

fn parser() -> askback_core::input_parser::InputParser {
    Locale::choose(&["en"]).typing(jiff::civil::date(2027, 3, 27))
}

fn typed(inquiry: &Inquiry, draft: &Draft, text: &str) -> Edited {
    write(inquiry, &parser(), draft, (0, RangeDay::First), text)
}

/// The answer that was sent, or the problems.
fn result(edited: &Edited) -> Result<Value, Vec<&AnswerProblem>> {
    match &edited.sent {
        Some(answers) => Ok(answers.to_json()["q1"].clone()),
        None => Err(edited.problems.iter().map(|it| &it.problem).collect()),
    }
}

fn unknown(inquiry: &Inquiry) -> AnswerProblem {
    let choices = inquiry.questions()[0].choices();
    AnswerProblem::UnknownChoice {
        labels: choices.iter().map(|choice| choice.label.clone()).collect(),
    }
}

fn values(values: &[&str]) -> Value {
    json!({ "values": values })
}

#[test]
fn a_text_takes_the_choice_that_it_names_and_no_other() {
    let confirm = ask(&[("input_type", json!("confirm"))]);
    let draft = Draft::new(&confirm);
    let no = typed(&confirm, &draft, "no");
    let yes = typed(&confirm, &draft, "1");
    let labels = |edited: &Edited| edited.draft.entries[0].picked.clone();
    let choices = confirm.questions()[0].choices();
    assert_eq!(labels(&no), [choices[1].value.clone()]);
    assert_eq!(labels(&yes), [choices[0].value.clone()]);
    assert!(no.sent.is_some() && yes.sent.is_some());

    let one = select("single_select", false);
    let draft = Draft::new(&one);
    assert_eq!(result(&typed(&one, &draft, "2")), Ok(values(&["stage"])));
    let refused = typed(&one, &draft, "wait, not yet!");
    assert_eq!(result(&refused), Err(vec![&unknown(&one)]));
    assert_eq!(refused.draft, draft);
}

#[test]
fn typed_choices_replace_ticks_and_are_checked() {
    let several = select("multi_select", false);
    let draft = Draft::new(&several);
    let tick = Press::Tick {
        question: 0,
        choice: 0,
        ticked: true,
    };
    let ticked = press(&several, &parser(), &draft, tick).draft;
    assert_eq!(
        result(&typed(&several, &ticked, "staging")),
        Ok(values(&["stage"]))
    );
    assert_eq!(
        result(&typed(&several, &ticked, "2, 1")),
        Ok(values(&["prod", "stage"]))
    );
    let refused = typed(&several, &ticked, "later");
    assert_eq!(result(&refused), Err(vec![&unknown(&several)]));
    assert_eq!(refused.draft, ticked);
}

#[test]
fn other_text_is_own_text() {
    let one = select("single_select", true);
    let draft = Draft::new(&one);
    assert_eq!(
        result(&typed(&one, &draft, "STAGING")),
        Ok(values(&["stage"]))
    );
    assert_eq!(
        result(&typed(&one, &draft, "here")),
        Ok(json!({ "own": "here" }))
    );
}

/// A form with a choice and another text is asked again, since either could be meant.
#[test]
fn a_form_takes_a_choice_or_a_text() {
    let form = |inquiry: &Inquiry, choices: &[usize], text: &str| {
        let field = FieldInput {
            question: 0,
            choices: choices.to_vec(),
            text: Some(text.to_owned()),
            ..FieldInput::default()
        };
        submit(inquiry, &parser(), &Draft::new(inquiry), &[field])
    };
    let one = select("single_select", true);
    assert_eq!(
        result(&form(&one, &[0], "here")),
        Err(vec![&AnswerProblem::OneChoiceOnly])
    );
    assert_eq!(
        result(&form(&one, &[0], "2")),
        Err(vec![&AnswerProblem::OneChoiceOnly])
    );
    assert_eq!(result(&form(&one, &[1], "2")), Ok(values(&["stage"])));
    assert_eq!(result(&form(&one, &[], "staging")), Ok(values(&["stage"])));
    let several = select("multi_select", true);
    assert_eq!(
        result(&form(&several, &[0], "here")),
        Ok(json!({ "values": ["prod"], "own": "here" }))
    );
    assert_eq!(
        result(&form(&several, &[0], "2")),
        Ok(values(&["prod", "stage"]))
    );
}

fn noted(inquiry: &Inquiry) -> Draft {
    let mut draft = Draft::new(inquiry);
    draft.entries[0].note = "only after Ben agrees".to_owned();
    draft
}

/// A draft is shared. What is sent at once is what was pressed or typed, without what somebody else has written.
#[test]
fn a_press_or_a_text_sends_nothing_else_of_the_draft() {
    let one = select("single_select", true);
    let choose = Press::Choose {
        question: 0,
        choice: 1,
    };
    let chosen = press(&one, &parser(), &noted(&one), choose);
    assert_eq!(result(&chosen), Ok(values(&["stage"])));
    assert_eq!(
        result(&typed(&one, &noted(&one), "2")),
        Ok(values(&["stage"]))
    );
    let own = typed(&one, &noted(&one), "here");
    assert_eq!(result(&own), Ok(json!({ "own": "here" })));
    let text = ask(&[("input_type", json!("text"))]);
    assert_eq!(
        result(&typed(&text, &noted(&text), "here")),
        Ok(json!({ "text": "here" }))
    );
    let field = FieldInput {
        question: 0,
        choices: vec![1],
        ..FieldInput::default()
    };
    let form = submit(&one, &parser(), &noted(&one), &[field]);
    assert_eq!(result(&form), Ok(values(&["stage"])));
}

/// Own words are sent alone. Where somebody has ticked choices, nothing is sent before a message has shown both.
#[test]
fn own_words_are_not_sent_with_ticks_that_were_not_shown() {
    let several = select("multi_select", true);
    let draft = Draft::new(&several);
    let alone = typed(&several, &noted(&several), "only docs");
    assert_eq!(result(&alone), Ok(json!({ "own": "only docs" })));
    let tick = Press::Tick {
        question: 0,
        choice: 0,
        ticked: true,
    };
    let ticked = press(&several, &parser(), &draft, tick).draft;
    let added = typed(&several, &ticked, "only docs");
    assert_eq!(result(&added), Err(vec![]));
    let entry = &added.draft.entries[0];
    assert_eq!((entry.picked.len(), entry.own.as_str()), (1, "only docs"));
}

fn two_questions() -> Inquiry {
    let ask = |name: &str| json!({ "question": format!("{name}?"), "header": name, "options": [{ "label": "A" }, { "label": "B" }] });
    let input = json!({ "questions": [ask("First"), ask("Second")] });
    parse(Dialect::AskUserQuestion, &input)
}

/// A form with a question open is sent only once it was said.
#[test]
fn a_form_with_open_questions_is_asked_about_first() {
    let two = two_questions();
    let first = FieldInput {
        question: 0,
        choices: vec![1],
        ..FieldInput::default()
    };
    let fields = [first.clone()];
    let asked = submit(&two, &parser(), &Draft::new(&two), &fields);
    assert_eq!((asked.sent.is_some(), asked.unanswered), (false, vec![1]));
    assert_eq!(asked.draft.entries[0].picked.len(), 1);
    let again = submit(&two, &parser(), &asked.draft, &fields);
    assert_eq!(result(&again), Ok(values(&["B"])));
    let open = FieldInput {
        question: 1,
        is_left_open: true,
        ..FieldInput::default()
    };
    let said = submit(&two, &parser(), &Draft::new(&two), &[first, open]);
    assert_eq!(result(&said), Ok(values(&["B"])));
}

/// A field that was emptied is empty, whatever the draft had.
#[test]
fn a_form_sends_what_its_fields_have() {
    let several = select("multi_select", true);
    let tick = Press::Tick {
        question: 0,
        choice: 0,
        ticked: true,
    };
    let ticked = press(&several, &parser(), &Draft::new(&several), tick).draft;
    let field = FieldInput {
        question: 0,
        text: Some("only docs".to_owned()),
        ..FieldInput::default()
    };
    let form = submit(&several, &parser(), &ticked, &[field]);
    assert_eq!(result(&form), Ok(json!({ "own": "only docs" })));
}

#[test]
fn both_days_of_a_range_can_be_written_at_once() {
    let range = ask(&[("input_type", json!("date_range"))]);
    let draft = Draft::new(&range);
    let days = json!({ "start": "2027-03-01", "end": "2027-03-05" });
    for text in [
        "2027-03-01..2027-03-05",
        "2027-03-01 2027-03-05",
        "2027-03-01 / 2027-03-05",
        "1 March 2027 5 March 2027",
    ] {
        assert_eq!(
            result(&typed(&range, &draft, text)),
            Ok(days.clone()),
            "{text}"
        );
    }
    let start = typed(&range, &draft, "2027-03-01");
    assert_eq!(result(&start), Err(vec![]));
    let first = jiff::civil::date(2027, 3, 1);
    let last = RangeDay::Last { first };
    let end = write(&range, &parser(), &start.draft, (0, last), "2027-03-05");
    assert_eq!(result(&end), Ok(days));
}

/// The draft is shared: the first day that a message has shown goes with the last day that replies to it, whatever somebody
/// else has written meanwhile.
#[test]
fn a_last_day_goes_with_the_first_day_that_was_shown() {
    let range = ask(&[("input_type", json!("date_range"))]);
    let of_others = typed(&range, &Draft::new(&range), "2027-03-04").draft;
    let first = jiff::civil::date(2027, 3, 1);
    let last = RangeDay::Last { first };
    let days = json!({ "start": "2027-03-01", "end": "2027-03-05" });
    let written = write(&range, &parser(), &of_others, (0, last), "2027-03-05");
    assert_eq!(result(&written), Ok(days.clone()));
    let date = jiff::civil::date(2027, 3, 5);
    let press_last = Press::Date {
        question: 0,
        day: last,
        date,
    };
    let pressed = press(&range, &parser(), &of_others, press_last);
    assert_eq!(result(&pressed), Ok(days));

    // A day alone is a first day where no first day was shown, also if it is received twice.
    let again = typed(&range, &of_others, "2027-03-04");
    assert_eq!(result(&again), Err(vec![]));
    assert_eq!(again.draft.entries[0].typed, "2027-03-04");
    assert_eq!(again.draft.entries[0].typed_end, "");
}

#[test]
fn a_text_that_nobody_can_see_is_no_answer() {
    let several = select("multi_select", true);
    let text = ask(&[("input_type", json!("text"))]);
    for inquiry in [several, text] {
        let edited = typed(&inquiry, &Draft::new(&inquiry), "\u{200b}");
        assert_eq!(result(&edited), Err(vec![&AnswerProblem::Empty]));
    }
}

/// The table that every surface replays, as a message of its own and as the field of a form.
#[test]
fn typed_texts_answer_as_on_every_surface() {
    for case in typed_answers() {
        let draft = Draft::new(&case.inquiry);
        let expected = case.expected.map_err(Some);
        let parser = case.locale.typing(TODAY);
        let text = case.typed.as_str();
        let form = FieldInput {
            text: Some(text.to_owned()),
            ..FieldInput::default()
        };
        for edited in [
            write(&case.inquiry, &parser, &draft, (0, RangeDay::First), text),
            submit(&case.inquiry, &parser, &draft, &[form]),
        ] {
            let code = |problem: &AnswerError| {
                let json = serde_json::to_value(problem).expect("it is JSON");
                json["code"].as_str().map(str::to_owned)
            };
            let problem = edited.problems.first().and_then(code);
            assert_eq!(edited.sent.ok_or(problem), expected, "{}", case.name);
        }
    }
}

/// A range that is asked for day by day is complete with its last day.
#[test]
fn one_day_of_a_range_is_its_first_and_the_last_one_follows() {
    let range = ask(&[("input_type", json!("date_range"))]);
    let first = typed(&range, &Draft::new(&range), "tomorrow");
    assert_eq!(result(&first), Err(vec![]));
    let day = RangeDay::Last {
        first: jiff::civil::date(2027, 3, 28),
    };
    let both = write(&range, &parser(), &first.draft, (0, day), "3 apr");
    let days = json!({"start": "2027-03-28", "end": "2027-04-03"});
    assert_eq!(result(&both), Ok(days));
}
