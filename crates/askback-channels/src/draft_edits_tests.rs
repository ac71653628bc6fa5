//! What is typed answers what it names, and nothing that is merely in focus.

use askback_core::answer::AnswerProblem;
use askback_core::dialect::Dialect;
use askback_core::draft::{Draft, RangeEnd};
use askback_core::inquiry::Inquiry;
use askback_locale::Locale;
use serde_json::{Value, json};

use super::{Edited, press, submit, write};
use crate::button::Press;
use crate::fixtures::parse;
use crate::incoming::FieldInput;

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
    write(inquiry, &parser(), draft, (0, RangeEnd::Start), text)
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
        Ok(json!({ "other": "here" }))
    );
}

/// A1, A10: a form with a choice and another text is asked again, since either could be meant.
#[test]
fn a_form_takes_a_choice_or_a_text() {
    let form = |inquiry: &Inquiry, choices: &[usize], text: &str| {
        let field = FieldInput {
            question: 0,
            choices: choices.to_vec(),
            text: Some(text.to_owned()),
            end: None,
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
        Ok(json!({ "values": ["prod"], "other": "here" }))
    );
    assert_eq!(
        result(&form(&several, &[0], "2")),
        Ok(values(&["prod", "stage"]))
    );
}
