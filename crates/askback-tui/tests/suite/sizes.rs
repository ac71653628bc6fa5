//! Every state at every size: nothing is wider or higher than the terminal, and the focus is in view.

use askback_tui::prompt::Prompt;
use serde_json::{Value, json};

use super::stage::{
    SIZES, database, features, languages, press, prompt, resize, shown, three, typed, write,
};

fn long() -> Value {
    let words = "alpha bravo charlie delta echo foxtrot golf hotel india juliett ".repeat(9);
    let cut = |length: usize| words[..length].trim().to_owned();
    json!({"questions": [{"question": cut(500), "header": "Long", "options": [
        {"label": cut(200), "description": cut(480)}, {"label": format!("b {}", cut(190))}, "c"]}]})
}

fn states() -> Vec<(&'static str, Prompt)> {
    let cases: [(&str, Value, &str); 17] = [
        ("single", database(), ""),
        ("own", database(), "o x y"),
        ("note", database(), "n x y"),
        ("leave", database(), "esc"),
        ("help", database(), "?"),
        ("reader", database(), "v"),
        ("folded", database(), "z"),
        ("several", features(), "a down"),
        ("review", three(), "enter r"),
        ("second", three(), "tab tab"),
        ("long", long(), "down"),
        ("languages", languages(), "G"),
        ("filter", languages(), "/ a n"),
        ("text", typed("text", &json!({})), "a b c"),
        (
            "error",
            typed("number", &json!({"validation": {"max": 9}})),
            "1 2 enter",
        ),
        ("date", typed("date", &json!({})), "down"),
        ("range", typed("date_range", &json!({})), "down enter right"),
    ];
    let on = |(name, input, keys): (&'static str, Value, &str)| {
        let mut prompt = prompt(&input);
        press(&mut prompt, keys);
        (name, prompt)
    };
    cases.into_iter().map(on).collect()
}

/// T02: no row wider than the terminal, no more rows than it has, and the cursor inside.
#[test]
fn every_state_fits_every_size() {
    for (name, mut prompt) in states() {
        for size in SIZES {
            resize(&mut prompt, size.columns, size.rows);
            let frame = prompt.view();
            assert!(
                frame.rows.len() <= size.rows,
                "{name} at {size:?}: {}",
                shown(&prompt)
            );
            for row in &frame.rows {
                assert!(
                    row.width() <= size.columns,
                    "{name} at {size:?}: {:?}",
                    row.text()
                );
            }
            assert!(frame.cursor.row < frame.rows.len(), "{name} at {size:?}");
            assert!(frame.cursor.column < size.columns, "{name} at {size:?}");
        }
    }
}

/// T09: with 24 rows, three rows of what was said before stay on the screen.
#[test]
fn context_stays_in_view() {
    for (name, mut prompt) in states() {
        resize(&mut prompt, 80, 24);
        let rows = prompt.view().rows.len();
        assert!(rows <= 21 || name == "reader", "{name} has {rows} rows");
    }
}

/// T03: at 20 by 6 the question, the focused choice and the hints are in view.
#[test]
fn tiny_terminal_shows_what_matters() {
    let mut prompt = prompt(&languages());
    resize(&mut prompt, 20, 6);
    for row in 0..6 {
        let shown = shown(&prompt).replace('█', "");
        assert!(shown.contains("Which language?"), "{shown}");
        assert!(
            shown
                .lines()
                .any(|line| line.starts_with(&format!(">{}", row + 1))),
            "{shown}"
        );
        assert!(
            shown
                .lines()
                .last()
                .is_some_and(|line| line.contains("esc…")),
            "{shown}"
        );
        press(&mut prompt, "down");
    }
}

/// T07: going through other sizes changes nothing in the end.
#[test]
fn resizing_back_and_forth_shows_the_same() {
    let mut fresh = prompt(&features());
    press(&mut fresh, "space down space o");
    write(&mut fresh, "a draft");
    let expected = shown(&fresh);
    for columns in [80, 36, 120, 60] {
        resize(&mut fresh, columns, 20);
    }
    assert_eq!(shown(&fresh), expected);
}

/// T05: long texts are shown whole, at once or by reading.
#[test]
fn every_word_is_reachable() {
    let input = long();
    let mut prompt = prompt(&input);
    resize(&mut prompt, 80, 24);
    press(&mut prompt, "v");
    let mut seen = String::new();
    for _ in 0..40 {
        seen.push_str(&shown(&prompt).replace('█', ""));
        press(&mut prompt, "down");
    }
    let flat = seen.split_whitespace().collect::<Vec<_>>().join(" ");
    let question = input["questions"][0]["question"].as_str().expect("a text");
    for part in question.as_bytes().chunks(60) {
        let words = String::from_utf8_lossy(part);
        let words = words.trim().rsplit_once(' ').map_or("", |(words, _)| words);
        assert!(
            words.split(' ').skip(1).all(|word| flat.contains(word)),
            "{words}"
        );
    }
}

/// T05: a question that is too long scrolls, and all of it is seen.
#[test]
fn long_question_scrolls() {
    let mut prompt = prompt(&long());
    resize(&mut prompt, 40, 12);
    let top = shown(&prompt);
    assert!(top.contains('▼'), "{top}");
    press(
        &mut prompt,
        "pgdn pgdn pgdn pgdn pgdn pgdn pgdn pgdn pgdn pgdn",
    );
    let end = shown(&prompt);
    assert!(end.contains('▲') && top != end, "{end}");
}

/// T06: continuation rows begin below the label.
#[test]
fn continuation_rows_hang_below_the_label() {
    let mut prompt = prompt(&long());
    resize(&mut prompt, 120, 40);
    let shown = shown(&prompt).replace('█', "");
    let mut lines = shown.lines().skip_while(|line| !line.contains("1 ○ alpha"));
    let label = lines.next().expect("the label is shown");
    let column = label.chars().position(|ch| ch == 'a').expect("it has an a");
    let next = lines.next().expect("it goes on");
    assert!(
        next.chars().skip(1).take(column - 1).all(|ch| ch == ' '),
        "{next}"
    );
    assert_ne!(next.chars().nth(column), Some(' '), "{next}");
}

/// T24: the cursor stands on the label of the focused choice.
#[test]
fn cursor_stands_on_the_focused_label() {
    let mut prompt = prompt(&database());
    for label in ["PostgreSQL", "MongoDB", "SQLite", "Other"] {
        let shown = shown(&prompt);
        assert!(shown.contains(&format!("█{label}")), "{shown}");
        press(&mut prompt, "down");
    }
}
