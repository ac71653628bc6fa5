//! Handing on at the terminal: somebody is picked, a reason is typed if there is one, and nothing is answered.

use std::time::Duration;

use askback_core::dialect::{Dialect, ParseOptions};
use askback_locale::Locale;
use askback_wire::recipient::RecipientResponse;
use serde_json::json;

use super::super::{PromptEvent, PromptRequest};
use crate::prompt::{Persistence, Prompt, PromptOptions, Reaction};
use askback_terminal::key::{InputEvent, Key, KeyCode};
use askback_terminal::row::{Row, Size};

const DOWN: Key = Key::plain(KeyCode::Down);
const ENTER: Key = Key::plain(KeyCode::Enter);

fn prompt(persistence: Persistence, (columns, rows): (usize, usize)) -> Prompt {
    let input = json!({"questions": [{"question": "Which database?", "header": "Database",
        "options": ["PostgreSQL", "SQLite"]}]});
    let inquiry = Dialect::AskUserQuestion.parse(&input, ParseOptions::default());
    let mut options = PromptOptions::new(Locale::choose(&["en"]), jiff::civil::date(2027, 3, 26));
    options.persistence = persistence;
    options.typeahead_window = Duration::ZERO;
    options.size = Size { columns, rows };
    options.asker = Some("claude".to_owned());
    options.recipient = Some("Zoë".to_owned());
    Prompt::new(inquiry.unwrap().inquiry, options)
}

fn press(prompt: &mut Prompt, key: Key) -> Reaction {
    prompt.painted(Duration::ZERO);
    prompt.handle(&InputEvent::Key(key), Duration::from_secs(1))
}

fn shown(prompt: &Prompt) -> String {
    let rows = prompt.view().rows;
    assert!(rows.len() <= prompt.options.size.rows, "{rows:?}");
    let rows: Vec<String> = rows.iter().map(Row::text).collect();
    rows.join("\n")
}

fn person(alias: &str, name: &str, reachable: bool) -> RecipientResponse {
    RecipientResponse {
        alias: alias.to_owned(),
        name: name.to_owned(),
        members: None,
        reachable,
        on_call: None,
        configured: true,
    }
}

/// The list of people is open, without the present recipient.
fn opened(size: (usize, usize)) -> Prompt {
    let mut prompt = prompt(Persistence::Durable, size);
    let reaction = press(&mut prompt, Key::char('H'));
    assert_eq!(reaction, Reaction::Request(PromptRequest::ListRecipients));
    prompt.handle_event(PromptEvent::Recipients(Ok(vec![
        person("ben", "Ben", true),
        person("carl", "Carl", false),
        person("zoe", "Zoë", true),
    ])));
    prompt
}

#[test]
fn question_is_handed_on_to_the_focused_person_with_the_typed_reason() {
    for size in [(80, 24), (60, 14), (40, 12)] {
        let mut prompt = opened(size);
        let text = shown(&prompt);
        for words in ["Hand on to Ben", "Hand on to Carl", "Reason (optional)"] {
            assert!(text.contains(words), "{size:?} {words}:\n{text}");
        }
        assert!(!text.contains("Zoë"), "she has it:\n{text}");
        assert!(!text.contains("no channel"), "{text}");
        press(&mut prompt, DOWN);
        press(&mut prompt, DOWN);
        let text = shown(&prompt);
        assert!(text.contains("Carl has no channel"), "{size:?}:\n{text}");
        for letter in "He knows.".chars() {
            press(&mut prompt, Key::char(letter));
        }
        press(&mut prompt, Key::plain(KeyCode::Backspace));
        assert!(shown(&prompt).contains("He knows"), "{}", shown(&prompt));
        let expected = PromptRequest::HandOn {
            recipient: "carl".to_owned(),
            reason: Some("He knows".to_owned()),
        };
        assert_eq!(press(&mut prompt, ENTER), Reaction::Request(expected));
        assert_eq!(press(&mut prompt, ENTER), Reaction::Nothing, "not twice");
        prompt.handle_event(PromptEvent::HandedOn(Ok("Carl".to_owned())));
        press(&mut prompt, Key::plain(KeyCode::Up));
        let text = shown(&prompt);
        assert!(text.contains("PostgreSQL"), "the question again:\n{text}");
    }
}

/// The card says for whom it is, before and after.
#[test]
fn card_shows_its_recipient() {
    let mut prompt = opened((80, 24));
    press(&mut prompt, Key::plain(KeyCode::Esc));
    assert!(shown(&prompt).contains("for Zoë"), "{}", shown(&prompt));
    prompt.handle_event(PromptEvent::HandedOn(Ok("Ben".to_owned())));
    assert!(shown(&prompt).contains("handed on"), "{}", shown(&prompt));
    press(&mut prompt, DOWN);
    assert!(shown(&prompt).contains("for Ben"), "{}", shown(&prompt));
    assert!(!prompt.draft().has_content(), "nothing was answered");
}

#[test]
fn what_fails_is_said() {
    let mut prompt = opened((80, 24));
    press(&mut prompt, ENTER);
    prompt.handle_event(PromptEvent::HandedOn(Err("It has ended.".to_owned())));
    assert!(shown(&prompt).contains("It has ended."));
    press(&mut prompt, Key::plain(KeyCode::Esc));
    press(&mut prompt, Key::char('H'));
    // There is only the one whom it is for, or the one without a name.
    for (alias, name) in [("zoe", "Zoë"), ("owner", "")] {
        let only = vec![person(alias, name, true)];
        prompt.handle_event(PromptEvent::Recipients(Ok(only)));
        assert!(shown(&prompt).contains("nobody else"), "{}", shown(&prompt));
    }
    let mut local = self::prompt(Persistence::None, (80, 24));
    assert_eq!(press(&mut local, Key::char('H')), Reaction::Redraw);
}

/// A second Enter does not answer the question that is shown again.
#[test]
fn second_enter_answers_nothing() {
    for gap in [50, 150, 300] {
        let mut prompt = opened((80, 24));
        prompt.guard = crate::typeahead::TypeaheadGuard::new(crate::TYPEAHEAD_WINDOW);
        prompt.painted(Duration::ZERO);
        let mut now = Duration::from_secs(1);
        let reaction = prompt.handle(&InputEvent::Key(ENTER), now);
        assert!(
            matches!(reaction, Reaction::Request(PromptRequest::HandOn { .. })),
            "{reaction:?}"
        );
        prompt.handle_event(PromptEvent::HandedOn(Ok("Ben".to_owned())));
        prompt.painted(now);
        now += Duration::from_millis(gap);
        let reaction = prompt.handle(&InputEvent::Key(ENTER), now);
        assert_eq!(reaction, Reaction::Redraw, "{gap}");
        assert!(
            shown(&prompt).contains("Too soon"),
            "{gap}: {}",
            shown(&prompt)
        );
    }
}
