use askback_core::dialect::Dialect;
use askback_core::elicitation::ElicitationRequest;
use serde_json::{Value, json};

use super::render::render;
use crate::card::{Card, ContentLevel, HandOnMenu};
use crate::contract::button::{Button, PersonCode, Press};
use crate::fixtures::{open_card, parse};

fn card(options: &[String]) -> Card {
    let options: Vec<Value> = options
        .iter()
        .map(|label| json!({ "label": label }))
        .collect();
    let input = json!({ "question": "Which?", "options": options });
    open_card(parse(Dialect::AskUser, &input))
}

fn buttons(card: &Card) -> Vec<(String, Value)> {
    let message = render(card).body;
    let rows = message["reply_markup"]["inline_keyboard"]
        .as_array()
        .cloned();
    let buttons = rows.unwrap_or_default().into_iter();
    let buttons = buttons.flat_map(|row| row.as_array().cloned().unwrap_or_default());
    let text = |button: &Value| button["text"].as_str().unwrap_or_default().to_owned();
    buttons.map(|button| (text(&button), button)).collect()
}

/// Every button carries at most 64 bytes and can be read back, and a label is cut between graphemes.
#[test]
fn up_to_four_choices_have_a_button_with_their_label() {
    let label = "👩‍💻".repeat(30);
    let card = card(&["<!channel> @everyone".to_owned(), label]);
    let buttons = buttons(&card);
    assert_eq!(buttons[0].0, "<!channel> @everyone");
    assert!(buttons[1].0.ends_with("👩‍💻…"), "{}", buttons[1].0);
    for (_, button) in &buttons {
        if let Some(data) = button["callback_data"].as_str() {
            assert!(data.len() <= 64 && Button::decode(data).is_some(), "{data}");
        }
    }
}

/// Whether a text can answer is decided by what is shown: a label that looks like the data of a button changes nothing.
#[test]
fn a_card_is_answerable_only_if_it_is_shown_whole() {
    let mut labels: Vec<String> = (1..=20).map(|number| format!("Choice {number}")).collect();
    assert!(render(&card(&labels)).is_answerable);
    let decline = Button {
        inquiry: card(&labels).inquiry,
        revision: card(&labels).revision,
        press: Press::Decline,
    };
    // Too long for a message with its controls.
    for label in &mut labels {
        label.push_str(&"👩‍💻".repeat(30));
    }
    labels[0] = decline.encode();
    assert!(!render(&card(&labels)).is_answerable);
    let title = Card {
        content: ContentLevel::Title,
        ..card(&labels[..2])
    };
    assert!(!render(&title).is_answerable);
}

#[test]
fn more_choices_have_numbers_and_their_labels_in_the_text() {
    let labels: Vec<String> = (1..=20).map(|number| format!("Choice {number}")).collect();
    let card = card(&labels);
    let buttons = buttons(&card);
    assert_eq!((buttons[0].0.as_str(), buttons[19].0.as_str()), ("1", "20"));
    let message = render(&card).body;
    assert!(
        message["text"]
            .as_str()
            .unwrap_or_default()
            .contains("20. Choice 20")
    );
    assert_eq!(message.get("parse_mode"), None);
}

/// Thirty choices, as the form of an MCP server may have, are answered behind the link.
#[test]
fn more_choices_than_buttons_have_the_link() {
    let choices: Vec<String> = (1..=30).map(|number| format!("Choice {number}")).collect();
    let form = ElicitationRequest::Form {
        message: "Which?".to_owned(),
        schema: json!({
            "type": "object",
            "properties": { "one": { "type": "string", "enum": choices } },
            "required": ["one"],
        }),
        order: vec!["one".to_owned()],
    };
    let card = open_card(form.inquiry("shop", None).expect("it can be asked"));
    let buttons = buttons(&card);
    assert_eq!(buttons.len(), 1, "{buttons:?}");
    assert_eq!(buttons[0].1["url"], "https://ask.example/q/1");
}

/// The button is there if there is somebody else; the people replace the question's own buttons. Names stay on this
/// machine with `content = "title"`.
#[test]
fn people_are_shown_in_place_of_the_choices() {
    let labels = |card: &Card| -> Vec<String> {
        let buttons = buttons(card).into_iter();
        buttons.map(|(text, _)| text).collect()
    };
    let mut card = card(&["SQLite".to_owned(), "PostgreSQL".to_owned()]);
    assert!(!labels(&card).contains(&"Hand on…".to_owned()));
    card.hand_on.people = vec![(PersonCode::new("ben"), "Ben".to_owned())];
    assert!(labels(&card).starts_with(&["SQLite".to_owned()]));
    assert!(labels(&card).ends_with(&["Hand on…".to_owned()]));
    card.hand_on.is_shown = true;
    assert_eq!(
        labels(&card),
        ["Hand on to Ben", "Reason (optional)", "Back", "Open"]
    );
    card.content = ContentLevel::Title;
    assert_eq!(labels(&card), ["Open"]);
    card.hand_on = HandOnMenu::default();
    assert_eq!(labels(&card), ["Open"]);
}

/// Without an address of this server that phones can reach, the message still says where to answer.
#[test]
fn what_does_not_fit_says_where_to_answer_without_a_link() {
    let options = json!([
        { "label": "A", "description": "…", "preview": "word ".repeat(700) },
        { "label": "B", "description": "…" },
    ]);
    let input = json!({ "questions": [{ "question": "Which?", "options": options }] });
    let mut long = open_card(parse(Dialect::AskUserQuestion, &input));
    long.link = None;
    let mut hidden = card(&["A".to_owned(), "B".to_owned()]);
    hidden.link = None;
    hidden.content = ContentLevel::Link;
    for card in [long, hidden] {
        let text = render(&card).body["text"]
            .as_str()
            .unwrap_or_default()
            .to_owned();
        let where_to = "Answer this question in the terminal or in the browser.";
        assert!(text.ends_with(where_to), "{text}");
    }
}

/// A press after midnight takes the day that the button shows.
#[test]
fn quick_dates_name_their_day() {
    let input = json!({ "question": "When?", "input_type": "date" });
    let labels: Vec<String> = buttons(&open_card(parse(Dialect::AskUser, &input)))
        .into_iter()
        .map(|(label, _)| label)
        .collect();
    let days = [
        "Today (2027-03-27)",
        "Tomorrow (2027-03-28)",
        "In a week (2027-04-03)",
    ];
    assert_eq!(labels[..3], days);
}
