//! Words typed on a list or in the calendar are text: they never choose, skip, decline, send or pick a day by their letters.

use askback_tui::prompt::{End, Reaction};
use serde_json::{Value, json};

use super::fixtures::{Guarded, database, features, resize, sent, shown, three, typed};

/// Milliseconds between the keys of somebody who types.
const TYPING: u64 = 120;
/// A pause, after which a letter is a key again.
const PAUSE: u64 = 800;

fn list(input_type: &str, labels: &[&str], rest: &Value) -> Guarded {
    let mut input = json!({"question": "Which?", "input_type": input_type, "options": labels});
    if let (Value::Object(input), Value::Object(rest)) = (&mut input, rest) {
        input.extend(rest.clone());
    }
    let mut prompt = Guarded::new(&input);
    prompt.wait(PAUSE);
    prompt
}

fn regions() -> Guarded {
    list(
        "single_select",
        &["Europe", "Asia", "America"],
        &json!({"allow_skip": true}),
    )
}

fn letters() -> impl Iterator<Item = char> {
    ('a'..='z').chain('A'..='Z')
}

/// A typed label answers with that choice, in any case and as soon as it is the only one.
#[test]
fn typed_label_is_the_answer() {
    for (typed, label) in [("Asia", "Asia"), ("as", "Asia"), ("AMERICA", "America")] {
        let mut prompt = regions();
        prompt.write(typed, TYPING);
        assert!(prompt.shows(&format!("Typed: {typed}")), "{typed}");
        let reaction = prompt.press("enter", TYPING);
        assert_eq!(
            sent(&reaction),
            json!({"q1": {"values": [label]}}),
            "{typed}"
        );
    }
}

/// A whole label is meant even if another one starts with it.
#[test]
fn whole_label_is_not_ambiguous() {
    let mut prompt = list("single_select", &["Testing", "Test"], &json!({}));
    prompt.write("tes", TYPING);
    assert!(prompt.shows("several options start like this"));
    assert_eq!(prompt.press("enter", TYPING), Reaction::Redraw);
    prompt.write("t", TYPING);
    let reaction = prompt.press("enter", TYPING);
    assert_eq!(sent(&reaction), json!({"q1": {"values": ["Test"]}}));
}

/// Where several can be chosen, a typed label is selected: `a` in it does not select all.
#[test]
fn typed_label_is_selected_among_several() {
    let mut prompt = list("multi_select", &["unit", "browser", "load"], &json!({}));
    prompt.write("load", TYPING);
    prompt.press("enter", TYPING);
    assert_eq!(prompt.prompt.draft().entries[0].picked.len(), 1);
    prompt.write("unit", TYPING);
    prompt.press("enter", TYPING);
    let reaction = prompt.press("enter", PAUSE);
    assert_eq!(sent(&reaction), json!({"q1": {"values": ["unit", "load"]}}));
}

/// A word that no label starts with answers nothing, however often enter follows, until it is cleared.
#[test]
fn unknown_word_answers_nothing() {
    for input_type in ["single_select", "multi_select"] {
        for first in letters() {
            let labels = ["Deploy", "Wait", "1 more"];
            let mut prompt = list(input_type, &labels, &json!({"allow_skip": true}));
            let before = prompt.prompt.draft().entries[0].clone();
            prompt.write(&format!("{first}qx no 2"), TYPING);
            for keys in ["enter", "enter", "ctrl+s"] {
                let reaction = prompt.press(keys, PAUSE);
                assert!(!matches!(reaction, Reaction::End(_)), "{first} {keys}");
            }
            let text = shown(&prompt.prompt);
            assert!(text.contains("no option starts like this"), "{text}");
            // The first letters may be those of a label, which moves the focus.
            let mut entry = prompt.prompt.draft().entries[0].clone();
            entry.focus = before.focus;
            assert_eq!(entry, before, "{first}");
            prompt.press("esc", PAUSE);
            assert!(!prompt.shows("no option starts like this"));
            prompt.press("enter", PAUSE);
            assert_eq!(prompt.prompt.draft().entries[0].picked.len(), 1, "{first}");
        }
    }
}

/// A word is the own answer with all of its letters, whatever they do as keys.
#[test]
fn word_is_the_own_answer() {
    let questions = [
        database(),
        features(),
        json!({"question": "Go?", "options": ["Yes", "No"], "allow_other": true,
               "input_type": "single_select", "allow_skip": true}),
    ];
    for input in questions {
        for first in letters() {
            for rest in ["ater please", "s it", "8s", "'m not sure", "-b"] {
                let mut prompt = Guarded::new(&input);
                prompt.wait(PAUSE);
                let word = format!("{first}{rest}");
                prompt.write(&word, TYPING);
                let reaction = prompt.press("enter", TYPING);
                assert_eq!(sent(&reaction), json!({"q1": {"own": word}}));
            }
        }
    }
}

/// The same in a form, where some letters show another question first.
#[test]
fn word_belongs_to_the_question_where_it_began() {
    for first in letters() {
        let mut prompt = Guarded::new(&three());
        prompt.wait(PAUSE);
        prompt.write(&format!("{first}ater"), TYPING);
        let draft = prompt.prompt.draft();
        assert_eq!(draft.entries[0].own, format!("{first}ater"));
        assert!(draft.entries[1..].iter().all(|entry| entry.own.is_empty()));
    }
}

/// Letters pressed alone are keys, and so are letters that only move, however fast.
#[test]
fn single_letters_are_keys() {
    let mut several = list("multi_select", &["one", "two"], &json!({}));
    several.press("a", PAUSE);
    assert_eq!(several.prompt.draft().entries[0].picked.len(), 2);
    several.press("i", PAUSE);
    assert_eq!(several.prompt.draft().entries[0].picked.len(), 0);

    let mut moved = Guarded::new(&database());
    moved.press("j j k j", TYPING);
    assert_eq!(moved.prompt.draft().entries[0].focus, 2);
    let reaction = moved.press("enter", PAUSE);
    assert_eq!(sent(&reaction), json!({"q1": {"values": ["SQLite"]}}));

    let mut marked = list("multi_select", &["one", "two"], &json!({}));
    marked.press("j space", TYPING);
    assert_eq!(marked.prompt.draft().entries[0].picked.len(), 1);
}

/// A key that ends the question waits until it is clear that no word follows, or for enter.
#[test]
fn skip_waits_for_the_rest_of_a_word() {
    let mut skipped = regions();
    assert_eq!(skipped.press("s", PAUSE), Reaction::Redraw);
    let reaction = skipped.wait(PAUSE);
    assert_eq!(sent(&reaction), json!({"q1": {"skipped": true}}));

    let mut hurried = regions();
    let reaction = hurried.press("s enter", TYPING);
    assert_eq!(sent(&reaction), json!({"q1": {"skipped": true}}));

    let mut kept = regions();
    kept.press("s down", TYPING);
    assert_eq!(kept.wait(PAUSE), Reaction::Nothing);
}

/// `y` and `n` answer without enter, once no letter has followed: sooner where no own answer can be
/// typed. Meanwhile the choice has the focus.
#[test]
fn yes_and_no_answer_after_a_moment() {
    let mut confirm = list("confirm", &[], &json!({}));
    assert_eq!(confirm.press("n", TYPING), Reaction::Redraw);
    assert!(confirm.shows("> 2 ○ █No"), "{}", shown(&confirm.prompt));
    assert_eq!(confirm.wait(300), Reaction::Nothing);
    assert_eq!(sent(&confirm.wait(60)), json!({"q1": {"values": ["no"]}}));

    let own = json!({"allow_other": true});
    let mut open = list("single_select", &["Yes", "No"], &own);
    assert_eq!(open.press("n", TYPING), Reaction::Redraw);
    assert_eq!(open.wait(600), Reaction::Nothing);
    assert_eq!(sent(&open.wait(110)), json!({"q1": {"values": ["No"]}}));

    let mut hurried = list("confirm", &[], &json!({}));
    let reaction = hurried.press("y enter", TYPING);
    assert_eq!(sent(&reaction), json!({"q1": {"values": ["yes"]}}));
}

/// A word that starts with the letter for yes or no answers nothing; the frame says what does.
#[test]
fn word_on_a_yes_no_question_answers_nothing() {
    for word in ["not yet", "never", "yesterday", "you decide", "nn y"] {
        let mut prompt = list("confirm", &[], &json!({}));
        prompt.write(word, TYPING);
        for keys in ["enter", "enter", "ctrl+s"] {
            let reaction = prompt.press(keys, PAUSE);
            assert!(!matches!(reaction, Reaction::End(_)), "{word} {keys}");
        }
        assert_eq!(prompt.wait(PAUSE), Reaction::Nothing, "{word}");
        let wanted = format!("{word}: answer Yes or No");
        assert!(prompt.shows(&wanted), "{}", shown(&prompt.prompt));
        prompt.press("esc", PAUSE);
        assert_eq!(prompt.press("n", PAUSE), Reaction::Redraw);
        assert_eq!(sent(&prompt.wait(PAUSE)), json!({"q1": {"values": ["no"]}}));
    }
}

/// A word for yes or no and enter choose it: the label, or the word of the language of the screen.
#[test]
fn word_for_yes_or_no_is_the_answer() {
    let labels = ["Yes, deploy", "No, wait"];
    for (tag, word, label) in [
        ("en", "no", labels[1]),
        ("en", "Yes", labels[0]),
        ("de", "nein", labels[1]),
        ("de", "ja", labels[0]),
        ("fr", "oui", labels[0]),
    ] {
        for own in [false, true] {
            let input = json!({"question": "Deploy?", "options": labels, "allow_other": own,
                "input_type": "single_select"});
            let mut prompt = Guarded::in_language(tag, &input);
            prompt.wait(PAUSE);
            prompt.write(word, TYPING);
            let reaction = prompt.press("enter", TYPING);
            let wanted = json!({"q1": {"values": [label]}});
            assert_eq!(sent(&reaction), wanted, "{tag} {word} {own}");
        }
    }
}

/// A label that is typed where an own answer is possible chooses that option, too.
#[test]
fn label_typed_as_own_answer_chooses_the_option() {
    let mut prompt = Guarded::new(&database());
    prompt.wait(PAUSE);
    prompt.write("mongodb", TYPING);
    let reaction = prompt.press("enter", TYPING);
    assert_eq!(sent(&reaction), json!({"q1": {"values": ["MongoDB"]}}));

    let mut several = Guarded::new(&features());
    several.press("1", PAUSE);
    several.write("eslint + prettier", PAUSE);
    let reaction = several.press("enter", TYPING);
    let both = json!({"q1": {"values": ["TypeScript", "ESLint + Prettier"]}});
    assert_eq!(sent(&reaction), both);
}

/// Only a `y` that is not part of a word confirms that the agent is stopped.
#[test]
fn word_does_not_confirm() {
    let mut prompt = Guarded::new(&database());
    prompt.wait(PAUSE);
    prompt.press("esc end enter", PAUSE);
    prompt.wait(PAUSE);
    for keys in ["s", "t", "a", "y"] {
        let reaction = prompt.press(keys, TYPING);
        assert!(!matches!(reaction, Reaction::End(_)), "{keys}");
    }
    assert_eq!(prompt.press("y", PAUSE), Reaction::End(End::Rejected));
}

/// The rest of a word whose first letters came too soon is not taken for keys.
#[test]
fn word_that_began_too_soon_is_ignored() {
    let mut prompt = Guarded::new(&database());
    prompt.write("and please do not ask me that again", 100);
    assert_eq!(prompt.prompt.draft().entries[0].own, "");
    assert!(prompt.shows("Too soon: key ignored"));
}

/// A day that is typed after the calendar was moved is the answer with all of its letters, and `t` alone is today.
#[test]
fn word_in_the_calendar_is_the_day() {
    let calendar = || {
        let mut prompt = Guarded::new(&typed("date", &json!({})));
        prompt.wait(PAUSE);
        prompt.press("down down", PAUSE);
        prompt.wait(PAUSE);
        prompt
    };
    for (typed, day) in [
        ("tomorrow", "2027-03-27"),
        ("today", "2027-03-26"),
        ("T", "2027-03-26"),
        ("t", "2027-03-26"),
        ("tt", "2027-03-26"),
        ("t]", "2027-04-26"),
        ("t2027-05-01", "2027-05-01"),
    ] {
        let mut prompt = calendar();
        prompt.write(typed, TYPING);
        let reaction = prompt.press("enter", PAUSE);
        if typed == "T" {
            assert!(prompt.shows("› T"), "it is no key");
            continue;
        }
        assert_eq!(sent(&reaction), json!({"q1": {"date": day}}), "{typed}");
    }
    let mut prompt = calendar();
    prompt.write("to", TYPING);
    assert!(prompt.shows("› to█"), "{}", shown(&prompt.prompt));
    prompt.press("esc", PAUSE);
    assert!(prompt.shows("› 2027-04-02"), "{}", shown(&prompt.prompt));
}

/// There is nothing to go back to on the first question.
#[test]
fn first_question_offers_no_way_back() {
    let mut prompt = Guarded::new(&three());
    resize(&mut prompt.prompt, 120, 40);
    prompt.wait(PAUSE);
    let back = "shift+tab back";
    assert!(!prompt.shows(back), "{}", shown(&prompt.prompt));
    prompt.press("tab", PAUSE);
    assert!(prompt.shows(back), "{}", shown(&prompt.prompt));
}
