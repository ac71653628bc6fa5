//! How cards look in Slack.

use askback_core::dialect::Dialect;
use askback_core::outcome::Outcome;
use serde_json::{Value, json};

use super::{asking, choice, slack};
use crate::card::{Card, CardState, ContentLevel};
use crate::contract::button::{Button, Press};
use crate::contract::channel::Channel as _;
use crate::fixtures::{at, open_card, parse, zoe};

fn render(card: &Card) -> Value {
    slack("http://127.0.0.1:1").render(card).body
}

fn ask_user(input: &Value) -> Card {
    open_card(parse(Dialect::AskUser, input))
}

fn typed(input_type: &str) -> Card {
    ask_user(&json!({ "question": "What?", "input_type": input_type }))
}

fn select(input_type: &str, count: usize) -> Card {
    let options: Vec<String> = (1..=count)
        .map(|number| format!("Choice {number}"))
        .collect();
    ask_user(&json!({ "question": "Which?", "input_type": input_type, "options": options }))
}

/// The types of the fields.
fn elements(message: &Value) -> Vec<&str> {
    let blocks = message["blocks"].as_array().expect("it has blocks").iter();
    let inputs = blocks.filter(|block| block["type"] == "input");
    inputs
        .filter_map(|block| block["element"]["type"].as_str())
        .collect()
}

/// What the buttons do; a link does nothing.
fn presses(message: &Value) -> Vec<Option<Press>> {
    let blocks = message["blocks"].as_array().expect("it has blocks").iter();
    let actions = blocks.filter(|block| block["type"] == "actions");
    let buttons = actions.flat_map(|block| block["elements"].as_array().expect("buttons"));
    let press = |button: &Value| Some(Button::decode(button["value"].as_str()?)?.press);
    buttons.map(press).collect()
}

fn taken(choice: usize) -> Press {
    Press::Choose {
        question: 0,
        choice,
    }
}

#[test]
fn every_kind_has_its_controls_in_the_message() {
    let cases = [
        (select("single_select", 5), vec!["radio_buttons"]),
        (select("single_select", 10), vec!["radio_buttons"]),
        (select("single_select", 11), vec!["static_select"]),
        (select("multi_select", 2), vec!["checkboxes"]),
        (select("multi_select", 20), vec!["multi_static_select"]),
        (typed("text"), vec!["plain_text_input"]),
        (typed("number"), vec!["plain_text_input"]),
        (typed("date"), vec!["datepicker"]),
        (typed("date_range"), vec!["datepicker", "datepicker"]),
        (
            asking(&[choice("First?", 3, false), choice("Second?", 2, true)]),
            vec![
                "radio_buttons",
                "plain_text_input",
                "checkboxes",
                "plain_text_input",
            ],
        ),
    ];
    for (card, expected) in cases {
        let message = render(&card);
        assert_eq!(elements(&message), expected, "{message}");
        let shown = card.draft_code();
        let send = [Some(Press::Send { shown }), Some(Press::Decline), None];
        assert_eq!(presses(&message), send, "{message}");
    }
}

#[test]
fn up_to_four_choices_are_buttons() {
    let message = render(&select("single_select", 4));
    let mut expected: Vec<_> = (0..4).map(|choice| Some(taken(choice))).collect();
    expected.extend([Some(Press::Decline), None]);
    assert_eq!(presses(&message), expected);
    assert!(elements(&message).is_empty());
    // Own text is a field beside them.
    let card = asking(&[choice("Which?", 2, false)]);
    let message = render(&card);
    let shown = card.draft_code();
    let expected = [
        Some(taken(0)),
        Some(taken(1)),
        Some(Press::Send { shown }),
        Some(Press::Decline),
        None,
    ];
    assert_eq!(presses(&message), expected);
    assert_eq!(elements(&message), ["plain_text_input"]);
}

/// Never half a form.
#[test]
fn what_may_not_be_shown_or_does_not_fit_has_the_link() {
    let long = choice("Which?", 2, false);
    let mut long = asking(&[long]);
    let preview = "word ".repeat(3000);
    let options = json!([
        { "label": "A", "description": "…", "preview": preview },
        { "label": "B", "description": "…" },
    ]);
    let input = json!({ "questions": [{ "question": "Which?", "options": options }] });
    long.questions = parse(Dialect::AskUserQuestion, &input);
    let title = Card {
        content: ContentLevel::Title,
        ..asking(&[choice("Secret?", 2, false)])
    };
    for card in [long, title] {
        let message = render(&card);
        assert_eq!(presses(&message), [None], "{message}");
        assert!(elements(&message).is_empty());
        let sections = message["blocks"].as_array().map_or(0, Vec::len);
        assert!(sections <= 6, "12,000 characters are four sections");
        let linkless = render(&Card { link: None, ..card });
        assert!(presses(&linkless).is_empty(), "{linkless}");
        let where_to = "Answer this question in the terminal or in the browser.";
        assert!(linkless.to_string().contains(where_to), "{linkless}");
    }
}

/// Every text is within its limit and plain, so nobody is mentioned.
#[test]
fn hostile_and_long_texts_stay_within_the_limits() {
    let family = "👩‍👩‍👧‍👦";
    let label = format!("{}{}", family.repeat(8), "x".repeat(10));
    let hostile = "<!channel> <@U1> @everyone `code` *bold* <https://evil.example|safe> مرحبا";
    let input = json!({
        "question": format!("{hostile} {}", "long ".repeat(80)),
        "input_type": "single_select",
        "options": [label, hostile, "C", "D", "E", "F"],
        "allow_other": true,
    });
    let message = render(&ask_user(&input));
    check_texts(&message["blocks"]);
    let radio = &message["blocks"]
        .as_array()
        .and_then(|blocks| blocks.iter().find(|block| block["type"] == "input"))
        .expect("it has a field")["element"];
    let shown = radio["options"][0]["text"]["text"]
        .as_str()
        .expect("a label");
    assert_eq!(
        shown.split('👧').count() - 1,
        shown.split('👦').count() - 1,
        "whole families"
    );
    assert!(shown.starts_with("1. "));
}

/// Lines longer than a section, and a letter with thousands of accents.
#[test]
fn any_text_is_cut_into_sections() {
    for text in [
        "x".repeat(7000),
        format!("a{}", "\u{301}".repeat(7000)),
        "👦\n".repeat(3000),
    ] {
        let sections = super::super::blocks::sections(&text);
        let shown = sections
            .iter()
            .filter_map(|section| section["text"]["text"].as_str());
        let shown: String = shown.collect();
        assert_eq!(shown, text);
        assert!(sections.len() <= 5, "{}", sections.len());
    }
}

/// Text objects are plain, and as long as Slack takes at most.
fn check_texts(value: &Value) {
    if let Some(kind) = value["type"].as_str() {
        let max = match kind {
            "section" => Some(3000),
            "button" => Some(75),
            _ => None,
        };
        if let (Some(max), Some(text)) = (max, value["text"]["text"].as_str()) {
            assert!(text.encode_utf16().count() <= max, "{text}");
            assert_eq!(value["text"]["type"], "plain_text");
        }
        assert_ne!(kind, "mrkdwn");
    }
    for option in value["options"].as_array().into_iter().flatten() {
        let text = option["text"]["text"].as_str().expect("a label");
        assert!(text.encode_utf16().count() <= 75, "{text}");
    }
    match value {
        Value::Array(items) => items.iter().for_each(check_texts),
        Value::Object(members) => members.values().for_each(check_texts),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
    }
}

#[test]
fn fields_of_different_messages_have_different_names() {
    let ids = |card: &Card| -> Vec<String> {
        let message = render(card);
        let blocks = message["blocks"].as_array().expect("blocks").clone();
        let ids = blocks.iter().filter_map(|block| block["block_id"].as_str());
        ids.map(str::to_owned).collect()
    };
    let card = asking(&[choice("First?", 3, false), choice("Second?", 2, true)]);
    let other = Card {
        revision: 2,
        ..card.clone()
    };
    let (first, second) = (ids(&card), ids(&other));
    assert_eq!(first.len(), 4);
    assert!(
        first.iter().all(|id| !second.contains(id)),
        "{first:?} {second:?}"
    );
}

/// Held and ended messages say so and have no other controls.
#[test]
fn a_held_answer_can_be_undone_and_an_ended_question_has_no_controls() {
    let card = asking(&[choice("Which?", 2, false)]);
    let held = Card {
        state: CardState::Held {
            by: zoe(),
            outcome: Outcome::Declined,
            until: at("2027-03-27T12:00:05Z"),
            is_own: true,
        },
        ..card.clone()
    };
    assert_eq!(presses(&render(&held)), [Some(Press::Undo)]);
    for outcome in [Outcome::Declined, Outcome::Expired, Outcome::Withdrawn] {
        let ended = Card {
            state: CardState::Ended {
                by: zoe(),
                outcome,
                at: at("2027-03-27T12:00:05Z"),
            },
            ..card.clone()
        };
        let message = render(&ended);
        assert!(elements(&message).is_empty());
        assert!(
            presses(&message).iter().all(Option::is_none),
            "only the link"
        );
        let text = message["blocks"][0]["text"]["text"]
            .as_str()
            .expect("a text");
        assert!(
            ended.status().is_some_and(|status| text.ends_with(&status)),
            "{text}"
        );
    }
}
