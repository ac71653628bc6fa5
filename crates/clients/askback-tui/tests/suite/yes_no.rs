//! On a question of yes or no the letters for yes and no answer.

use askback_terminal::app::ScreenRequest;
use askback_tui::keymap::{KeySection, Keymap};
use askback_tui::prompt::{Persistence, Prompt, Reaction};
use serde_json::{Value, json};

use super::fixtures::{inquiry, options, press, prompt, sent, shown};

fn confirm() -> Value {
    json!({"question": "Deploy now?", "input_type": "confirm"})
}

fn with_labels(labels: &[&str]) -> Value {
    json!({"questions": [{"question": "Deploy now?", "header": "Deploy", "options": labels}]})
}

/// What a key sends in a language.
fn answered(input: &Value, tag: &str, keys: &str) -> Value {
    let mut prompt = Prompt::new(inquiry(input), options(tag));
    sent(&press(&mut prompt, keys))["q1"]["values"].clone()
}

#[test]
fn y_and_n_answer_a_confirm() {
    for (keys, value) in [("y", "yes"), ("n", "no"), ("Y", "yes"), ("N", "no")] {
        assert_eq!(answered(&confirm(), "en", keys), json!([value]), "{keys}");
    }
    let shown = shown(&prompt(&confirm()));
    assert!(shown.contains("y yes • n no"), "{shown}");
}

/// Enter is offered only once it answers.
#[test]
fn enter_is_offered_after_the_focus_was_moved() {
    let mut prompt = prompt(&confirm());
    for (columns, rows, hint) in [(80, 24, "enter"), (30, 8, "ok")] {
        super::fixtures::resize(&mut prompt, columns, rows);
        let before = shown(&prompt);
        assert!(!before.contains(hint), "{before}");
        assert!(before.contains("y yes"), "{before}");
    }
    super::fixtures::resize(&mut prompt, 80, 24);
    press(&mut prompt, "down");
    let after = shown(&prompt);
    assert!(after.contains("enter select"), "{after}");
}

/// Nothing is preselected: enter and space answer only what the user has moved to.
#[test]
fn enter_alone_does_not_answer_a_confirm() {
    for input in [confirm(), with_labels(&["Yes, deploy", "No, wait"])] {
        for keys in ["enter", "enter enter", "space", "? esc enter"] {
            let mut prompt = prompt(&input);
            assert_eq!(press(&mut prompt, keys), Reaction::Redraw, "{keys}");
            let shown = shown(&prompt);
            assert!(shown.contains("Press y or n"), "{keys}: {shown}");
            assert!(prompt.draft().entries[0].picked.is_empty(), "{keys}");
        }
    }
    assert_eq!(answered(&confirm(), "en", "down enter"), json!(["no"]));
    assert_eq!(answered(&confirm(), "en", "down up enter"), json!(["yes"]));
    assert_eq!(answered(&confirm(), "en", "up enter"), json!(["yes"]));
    assert_eq!(answered(&confirm(), "en", "enter n"), json!(["no"]));
}

/// What was answered before can be confirmed with enter, and the next question starts anew.
#[test]
fn enter_confirms_an_earlier_answer_and_never_the_next_one() {
    let two = json!({"questions": [
        {"question": "Deploy now?", "header": "Deploy", "options": ["Yes", "No"]},
        {"question": "Tell the team?", "header": "Team", "options": ["Yes", "No"]},
    ]});
    let mut prompt = prompt(&two);
    press(&mut prompt, "down enter enter");
    assert!(shown(&prompt).contains("Press y or n"), "the second one");
    press(&mut prompt, "left enter");
    press(&mut prompt, "y");
    assert_eq!(
        sent(&press(&mut prompt, "ctrl+s"))["q1"]["values"],
        json!(["No"])
    );
}

#[test]
fn choices_are_recognised_by_their_first_word() {
    let labels = with_labels(&["Yes, deploy", "No, wait", "Ask me later"]);
    assert_eq!(answered(&labels, "en", "n"), json!(["No, wait"]));
    assert_eq!(
        answered(&with_labels(&["Nein", "Ja"]), "en", "y"),
        json!(["Ja"])
    );
}

#[test]
fn letters_of_the_language_answer() {
    let letters = [
        ("de", "j", "n"),
        ("es", "s", "n"),
        ("fr", "o", "n"),
        ("he", "כ", "ל"),
    ];
    for (tag, yes, no) in letters {
        assert_eq!(answered(&confirm(), tag, yes), json!(["yes"]), "{tag}");
        assert_eq!(answered(&confirm(), tag, no), json!(["no"]), "{tag}");
        assert_eq!(answered(&confirm(), tag, "y"), json!(["yes"]), "{tag}");
    }
}

/// A letter that could mean two choices means none, and never a note.
#[test]
fn ambiguous_letters_do_nothing() {
    let labels = with_labels(&["Yes", "Yes, always", "No"]);
    let mut prompt = prompt(&labels);
    assert_eq!(press(&mut prompt, "y"), Reaction::Nothing);
    assert_eq!(answered(&labels, "en", "n"), json!(["No"]));
}

/// The note and what else had those letters move to alt, and hints, help and settings agree.
#[test]
fn displaced_keys_move_to_alt() {
    let mut options = options("en");
    options.persistence = Persistence::Durable;
    options.link = Some("http://127.0.0.1/q/1".to_owned());
    let mut prompt = Prompt::new(inquiry(&confirm()), options);
    press(&mut prompt, "?");
    let help = shown(&prompt);
    press(&mut prompt, "esc alt+n a esc");
    assert_eq!(prompt.draft().entries[0].note, "a");
    let copied = press(&mut prompt, "alt+y");
    assert_eq!(
        copied,
        Reaction::Screen(ScreenRequest::CopyToClipboard(
            "http://127.0.0.1/q/1".to_owned()
        ))
    );
    assert!(
        help.contains("answer yes") && help.contains("answer no"),
        "{help}"
    );
    let mut keymap = Keymap::default();
    keymap
        .bind(KeySection::Question, "skip", &["y"])
        .expect("known");
    keymap
        .bind(KeySection::Question, "copy-link", &[])
        .expect("known");
    keymap.check().expect("one meaning each");
    let mut options = super::fixtures::options("en");
    options.keymap = keymap;
    let mut bound = Prompt::new(inquiry(&confirm()), options);
    assert_eq!(
        sent(&press(&mut bound, "y")),
        json!({"q1": {"values": ["yes"]}})
    );
}

/// A question without a yes or a no keeps its keys.
#[test]
fn other_lists_keep_their_keys() {
    for labels in [
        ["Deploy", "Cancel"],
        ["Yes", "Later"],
        ["Nothing", "Yesterday"],
    ] {
        let mut prompt = prompt(&with_labels(&labels));
        press(&mut prompt, "n x enter");
        assert_eq!(prompt.draft().entries[0].note, "x", "{labels:?}");
    }
}
