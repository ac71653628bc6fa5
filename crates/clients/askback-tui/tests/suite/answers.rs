//! What keys answer, and what they do not.

use std::time::Duration;

use askback_terminal::key::InputEvent;
use askback_tui::prompt::{Prompt, Reaction};
use serde_json::json;

use super::fixtures::{
    database, features, inquiry, key, languages, options, press, prompt, sent, shown, three, typed,
    write,
};

/// Marking sends nothing, Enter sends the focused value, and nothing is ticked beforehand.
#[test]
fn single_choice_is_sent_by_enter_only() {
    let mut prompt = prompt(&database());
    assert!(!shown(&prompt).contains('●'));
    assert_eq!(press(&mut prompt, "down space"), Reaction::Redraw);
    assert!(
        shown(&prompt).contains("● █MongoDB") || shown(&prompt).contains("●"),
        "{}",
        shown(&prompt)
    );
    assert_eq!(
        sent(&press(&mut prompt, "enter")),
        json!({"q1": {"values": ["MongoDB"]}})
    );
}

#[test]
fn digit_chooses_and_goes_on() {
    assert_eq!(
        sent(&press(&mut prompt(&database()), "3")),
        json!({"q1": {"values": ["SQLite"]}})
    );
}

/// Keys that come before anybody can have seen the question answer nothing.
#[test]
fn keys_typed_through_answer_nothing() {
    let mut options = options("en");
    options.typeahead_window = askback_tui::TYPEAHEAD_WINDOW;
    let mut prompt = Prompt::new(inquiry(&database()), options);
    let ms = Duration::from_millis;
    prompt.painted(ms(0));
    for (at, name) in [(0, "enter"), (100, "space"), (300, "1"), (500, "2")] {
        let reaction = prompt.handle(&InputEvent::Key(key(name)), ms(at));
        assert_eq!(reaction, Reaction::Redraw, "{name} at {at}");
    }
    assert!(!shown(&prompt).contains('●'));
    prompt.handle(&InputEvent::Key(key("down")), ms(600));
    assert_eq!(
        sent(&prompt.handle(&InputEvent::Key(key("enter")), ms(1000))),
        json!({"q1": {"values": ["MongoDB"]}})
    );
}

/// Space toggles, Enter sends the ticks; with none it ticks the focused one and stays.
#[test]
fn several_choices_are_ticked_before_they_are_sent() {
    let mut first = prompt(&features());
    assert_eq!(press(&mut first, "enter"), Reaction::Redraw);
    let ticked = shown(&first);
    assert!(ticked.contains("> 1 ☑ █TypeScript"), "{ticked}");
    assert_eq!(ticked.matches('☑').count(), 1, "{ticked}");
    assert_eq!(
        sent(&press(&mut first, "enter")),
        json!({"q1": {"values": ["TypeScript"]}})
    );
    let mut both = prompt(&features());
    let reaction = press(&mut both, "space j space j space space enter");
    assert_eq!(
        sent(&reaction),
        json!({"q1": {"values": ["TypeScript", "ESLint + Prettier"]}})
    );
}

/// All and invert spare Other and None; None clears the others and the reverse.
#[test]
fn none_and_the_others_clear_each_other() {
    let mut all = prompt(&features());
    let three = json!({"q1": {"values": ["TypeScript", "ESLint + Prettier", "Testing (Vitest)"]}});
    assert_eq!(sent(&press(&mut all, "a enter")), three);
    let mut inverted = prompt(&features());
    press(&mut inverted, "a i");
    assert!(!shown(&inverted).contains('☑'), "{}", shown(&inverted));
    assert_eq!(sent(&press(&mut inverted, "i enter")), three);
    let mut rest = prompt(&features());
    let others = json!({"q1": {"values": ["ESLint + Prettier", "Testing (Vitest)"]}});
    assert_eq!(sent(&press(&mut rest, "1 i enter")), others);
    let mut none = prompt(&features());
    assert_eq!(
        sent(&press(&mut none, "1 2 4 enter")),
        json!({"q1": {"values": ["None of these"]}})
    );
    let mut other = prompt(&features());
    assert_eq!(
        sent(&press(&mut other, "4 1 enter")),
        json!({"q1": {"values": ["TypeScript"]}})
    );
}

/// Digits in own text are text.
#[test]
fn digits_in_own_text_are_text() {
    let mut prompt = prompt(&database());
    press(&mut prompt, "4");
    write(&mut prompt, "15:00");
    assert_eq!(
        sent(&press(&mut prompt, "enter")),
        json!({"q1": {"own": "15:00"}})
    );
}

/// And in a note and a filter.
#[test]
fn digits_in_notes_and_filters_are_text() {
    let mut noted = prompt(&database());
    press(&mut noted, "n 1 2 enter 1");
    let answered = json!({"q1": {"values": ["PostgreSQL (Recommended)"], "note": "12"}});
    assert_eq!(
        sent(&press(&mut prompt(&database()), "n 1 2 enter 1")),
        answered
    );
    let mut filtered = prompt(&languages());
    press(&mut filtered, "/ 1 2");
    assert!(shown(&filtered).contains("/ 12"), "{}", shown(&filtered));
}

#[test]
fn long_list_is_reached_by_two_digits() {
    let mut prompt = prompt(&languages());
    press(&mut prompt, "1 1");
    assert!(shown(&prompt).contains(">11"), "{}", shown(&prompt));
    assert_eq!(
        press(&mut prompt, "1"),
        Reaction::Redraw,
        "a digit only moves here"
    );
}

/// A filter takes enter once.
#[test]
fn filter_narrows_and_keeps_numbers() {
    let mut prompt = prompt(&languages());
    press(&mut prompt, "/ g e r m");
    let shown = shown(&prompt);
    assert!(
        shown.contains("> 7 ○") && !shown.contains("Italian"),
        "{shown}"
    );
    assert!(shown.contains("enter select"), "{shown}");
    let chosen = sent(&press(&mut prompt, "enter"));
    assert_eq!(chosen["q1"]["values"], json!(["German"]));
}

/// A filter that fits nothing chooses nothing, and among several choices enter ticks one.
#[test]
fn filter_never_sends_what_it_hides() {
    let mut several = languages();
    several["input_type"] = json!("multi_select");
    let mut ticked = prompt(&several);
    let reaction = press(&mut ticked, "1 / g e r m enter");
    assert_eq!(reaction, Reaction::Redraw);
    let all = shown(&ticked);
    assert!(all.contains("> 7 ☑") && all.contains("English"), "{all}");
    let mut nothing = prompt(&languages());
    press(&mut nothing, "/ x x x");
    assert!(!matches!(press(&mut nothing, "enter"), Reaction::End(_)));
}

/// The review lists what is open first, and a changed answer leads back to it.
#[test]
fn review_comes_last_and_leads_back() {
    let mut prompt = prompt(&three());
    press(&mut prompt, "1 tab 1");
    let shown_now = shown(&prompt);
    assert!(
        shown_now.contains("> 2 ○ █Providers: not answered"),
        "{shown_now}"
    );
    press(&mut prompt, "enter space enter");
    let shown_now = shown(&prompt);
    assert!(shown_now.contains("✔ Providers: Google"), "{shown_now}");
    let all = json!({"q1": {"values": ["OAuth 2.0"]}, "q2": {"values": ["Google"]}, "q3": {"values": ["Disk"]}});
    assert_eq!(sent(&press(&mut prompt, "ctrl+s")), all);
}

/// A partial send leaves the open questions out, never as empty texts.
#[test]
fn partial_send_reports_the_rest_as_unanswered() {
    let mut prompt = prompt(&three());
    press(&mut prompt, "2 r");
    assert_eq!(
        sent(&press(&mut prompt, "end enter")),
        json!({"q1": {"values": ["JWT"]}})
    );
}

#[test]
fn edits_can_be_undone() {
    let mut prompt = prompt(&features());
    press(&mut prompt, "space j space u");
    assert_eq!(
        sent(&press(&mut prompt, "enter")),
        json!({"q1": {"values": ["TypeScript"]}})
    );
}

/// Questions without a header are told apart by what they ask, in the tabs and in the review.
#[test]
fn several_unnamed_questions_have_names() {
    let question = |text: &str| json!({"question": text, "options": ["A", "B"]});
    let long = "Which of the two clouds should it run in?";
    let input = json!({"questions": [question("Which database?"), question(long)]});
    let mut prompt = prompt(&input);
    let tabs = shown(&prompt);
    assert!(
        tabs.contains("Which database │ ○ Which of the two c…"),
        "{tabs}"
    );
    press(&mut prompt, "1 2");
    let review = shown(&prompt);
    assert!(review.contains("Which database: A"), "{review}");
    assert!(
        review.contains("Which of the two clouds should it run in: B"),
        "{review}"
    );
}

/// With several questions, the asker stays named, and `optional` is left out if that is true of
/// all of them.
#[test]
fn several_questions_name_the_asker_and_what_is_optional() {
    let mut all_optional = prompt(&three());
    for keys in ["", "tab", "tab"] {
        press(&mut all_optional, keys);
        let frame = shown(&all_optional);
        assert!(frame.contains("builder"), "{frame}");
        assert!(!frame.contains("optional"), "{frame}");
    }
    let one = shown(&prompt(&typed("text", &json!({"allow_skip": true}))));
    assert!(one.contains("optional"), "{one}");
}

/// The review shows the key that every terminal can send.
#[test]
fn review_shows_a_key_that_terminals_can_send() {
    let mut prompt = prompt(&three());
    press(&mut prompt, "enter r");
    let frame = shown(&prompt);
    assert!(frame.contains("ctrl+s"), "{frame}");
    assert!(!frame.contains("ctrl+enter"), "{frame}");
}
