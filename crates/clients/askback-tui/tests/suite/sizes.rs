//! Every state at every size: nothing is wider or higher than the terminal, and the focus is in view.

use askback_terminal::theme::Theme;
use askback_terminal::viewport::{Reflow, Viewport};
use askback_tui::prompt::Prompt;
use serde_json::{Value, json};

use super::fixtures::{
    SIZES, database, features, languages, press, prompt, resize, sent, shown, three, typed, write,
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

/// No row wider than the terminal, no more rows than it has, and the cursor inside.
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

/// With 24 rows, three rows of what was said before stay on the screen.
#[test]
fn context_stays_in_view() {
    for (name, mut prompt) in states() {
        resize(&mut prompt, 80, 24);
        let rows = prompt.view().rows.len();
        assert!(rows <= 21 || name == "reader", "{name} has {rows} rows");
    }
}

/// A higher window shows at least as many choices as a lower one. (Below 10 rows, there is no border.)
#[test]
fn higher_window_never_shows_fewer_choices() {
    let mut prompt = prompt(&languages());
    let mut before = 0;
    for rows in 10..=40 {
        resize(&mut prompt, 40, rows);
        let choices = shown(&prompt).matches('○').count();
        assert!(choices >= before, "{rows} rows: {}", shown(&prompt));
        before = choices;
    }
    assert!(before > 1, "{}", shown(&prompt));
}

/// A focused label that does not fit ends with an ellipsis.
#[test]
fn label_that_does_not_fit_is_marked() {
    let mut prompt = prompt(&long());
    for rows in [10, 12, 14] {
        resize(&mut prompt, 40, rows);
        let frame = shown(&prompt);
        let lines: Vec<&str> = frame.lines().collect();
        let more = lines.iter().rposition(|line| line.contains("▼ "));
        let cut = more.and_then(|at| lines.get(at.checked_sub(1)?));
        assert!(cut.is_some_and(|line| line.ends_with('…')), "{frame}");
    }
}

/// At 20 by 6 the question, the focused choice and the hints are in view.
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

/// Going through other sizes changes nothing in the end.
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

/// The cursor stands on the label of the focused choice.
#[test]
fn cursor_stands_on_the_focused_label() {
    let mut prompt = prompt(&database());
    for label in ["PostgreSQL", "MongoDB", "SQLite", "Other"] {
        let shown = shown(&prompt);
        assert!(shown.contains(&format!("█{label}")), "{shown}");
        press(&mut prompt, "down");
    }
}

/// After each move the cursor is shown, on the label of the focused choice, and no more was
/// written than the rows of two choices and the hints.
#[test]
fn move_touches_two_choices_at_most() {
    let mut prompt = prompt(&database());
    let mut viewport = Viewport::new(Theme::Ansi16, Reflow::Truncates);
    let cells = |count: u16| std::num::NonZero::new(count).expect("cells");
    let mut parser = vt100::Parser::new(cells(20), cells(60), 0);
    parser.process(viewport.paint(&prompt.view()).as_bytes());
    for (key, label) in [
        ("down", "MongoDB"),
        ("down", "SQLite"),
        ("down", "Other"),
        ("up", "SQLite"),
        ("up", "MongoDB"),
        ("up", "PostgreSQL"),
    ] {
        press(&mut prompt, key);
        let bytes = viewport.paint(&prompt.view());
        parser.process(bytes.as_bytes());
        assert!(bytes.matches("\x1b[K").count() <= 2 * 2 + 1, "{bytes:?}");
        assert!(
            !bytes.contains("\x1b[J") && !bytes.contains("\x1b[2J"),
            "{bytes:?}"
        );
        let screen = parser.screen();
        assert!(!screen.hide_cursor());
        let (row, column) = screen.cursor_position();
        let behind = screen.contents_between(row, column, row, 60);
        assert!(behind.starts_with(label), "{behind:?} is not {label}");
    }
}

/// The review shows what it sends: at every size, each answer has a row with its beginning,
/// and a cut is marked.
#[test]
fn review_shows_answers_at_every_size() {
    let question = |header: &str, label: &str| {
        let label = format!("{label} choice whose label is long enough to wrap over several rows");
        json!({"question": format!("Which {header}?"), "header": header, "options": [label, "Short"]})
    };
    let questions = [question("Database", "Apple"), question("Cloud", "Berry")];
    let mut prompt = prompt(&json!({ "questions": questions }));
    press(&mut prompt, "1 1");
    for (columns, rows) in [(40, 12), (40, 10), (30, 10), (24, 8), (20, 6)] {
        resize(&mut prompt, columns, rows);
        let frame = shown(&prompt);
        assert!(frame.contains("Send answers"), "{columns}x{rows}:\n{frame}");
        for answer in ["App", "Ber"] {
            let row = frame.lines().find(|row| row.contains(answer));
            let row = row.unwrap_or_else(|| panic!("{answer} at {columns}x{rows}:\n{frame}"));
            let is_whole = frame.contains("several rows");
            assert!(is_whole || row.contains('…'), "{columns}x{rows}:\n{frame}");
        }
    }
}

/// A description is shown while a row is free for it; otherwise an ellipsis and a key say that there
/// is one.
#[test]
fn description_is_shown_or_announced() {
    let warning = "Also deletes all backups; this cannot be undone";
    let options = |count: usize| {
        let described =
            (0..count).map(|at| json!({"label": format!("Delete {at}"), "description": warning}));
        json!({"questions": [{"question": "What should be deleted?", "header": "Delete",
                              "options": described.collect::<Vec<Value>>()}]})
    };
    for count in 2..=4 {
        for rows in 10..=24 {
            for columns in [40, 50, 80] {
                let mut prompt = prompt(&options(count));
                resize(&mut prompt, columns, rows);
                let frame = shown(&prompt);
                let used = frame.lines().count();
                let text = frame.replace(['│', '\n'], " ");
                let words: Vec<&str> = text.split_whitespace().collect();
                let is_whole = words.join(" ").contains(warning);
                let is_marked = frame.contains('…') && frame.contains("v read");
                assert!(is_whole || is_marked, "{columns}x{rows}:\n{frame}");
                let free = rows.saturating_sub(3).max(rows.min(11)) - used;
                assert!(is_whole || free == 0, "{columns}x{rows}:\n{frame}");
            }
        }
    }
}

/// A question that does not fit names the key that shows the rest, and is not answered before its
/// end was visible.
#[test]
fn long_question_is_read_before_it_is_answered() {
    let text = (0..24)
        .map(|at| format!("Line {at} of many"))
        .collect::<Vec<_>>()
        .join("\n");
    let choice =
        json!({"question": text, "options": ["Yes, all", "None"], "input_type": "single_select"});
    let field = json!({"question": text, "input_type": "text"});
    for (input, keys) in [
        (&choice, "1"),
        (&choice, "enter"),
        (&field, "enter"),
        (&field, "ctrl+s"),
    ] {
        let mut prompt = prompt(input);
        assert!(
            shown(&prompt).contains("more • pgdn scroll"),
            "{}",
            shown(&prompt)
        );
        press(&mut prompt, "x");
        let mut pressed = 0;
        while !shown(&prompt).contains("Line 23 of many") {
            let reaction = press(&mut prompt, keys);
            assert_eq!(reaction, askback_tui::prompt::Reaction::Redraw);
            pressed += 1;
            assert!(pressed < 40, "{}", shown(&prompt));
        }
        assert!(pressed > 0);
        sent(&press(&mut prompt, keys));
    }
    let mut read = prompt(&choice);
    press(&mut read, "v esc");
    sent(&press(&mut read, "1"));
}
