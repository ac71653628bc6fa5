//! Right-to-left text as it is seen, and the cursor in it.

use super::{seen, seen_row};
use crate::row::{Cursor, Frame, Row, Style};

fn row(text: &str) -> Row {
    Row::new()
        .with("│  ", Style::Border)
        .with(text, Style::Plain)
}

#[test]
fn right_to_left_runs_are_turned_around() {
    // Alef, bet, gimel between Latin letters; the rail stays where it is.
    assert_eq!(seen_row(&row("a אבג b")).text(), "│  a גבא b");
    assert_eq!(seen_row(&row("plain")).text(), "│  plain");
    // Numbers keep their order inside of a right-to-left text, and brackets look the other way.
    assert_eq!(seen_row(&row("אב (12) ג")).text(), "│  ג (12) בא");
    // A mark stays on its letter.
    assert_eq!(seen_row(&row("בּא")).text(), "│  אבּ");
}

/// Tabs stay in their order with their marks, each turned around by itself.
#[test]
fn bars_keep_what_they_divide_apart() {
    let tabs = row("> אב │ ○ גד │ הו");
    assert_eq!(seen_row(&tabs).text(), "│  > בא │ ○ דג │ וה");
}

#[test]
fn inks_stay_with_their_text() {
    let mixed = Row::new()
        .with("אב", Style::Success)
        .with("ג", Style::Error);
    let seen = seen_row(&mixed);
    let styles: Vec<(&str, Style)> = seen
        .spans()
        .iter()
        .map(|span| (span.text.as_str(), span.style))
        .collect();
    assert_eq!(
        styles,
        [
            ("ג", Style::Error),
            ("ב", Style::Success),
            ("א", Style::Success)
        ]
    );
}

#[test]
fn placed_text_is_ordered_by_itself() {
    let mut list = row("אב");
    list.place(20, &Row::new().with("גד", Style::Plain));
    assert_eq!(seen_row(&list).text(), format!("│  בא{}דג", " ".repeat(15)));
}

#[test]
fn cursor_stands_on_the_character_it_stood_on() {
    let at = |column: usize| {
        let frame = Frame {
            rows: vec![row("אבג x")],
            cursor: Cursor { row: 0, column },
            ..Frame::default()
        };
        seen(&frame).cursor.column
    };
    assert_eq!((at(0), at(3), at(4), at(5)), (0, 5, 4, 3));
    assert_eq!((at(7), at(8)), (7, 8));
    let typed = Frame {
        rows: vec![row("אבג")],
        cursor: Cursor { row: 0, column: 6 },
        ..Frame::default()
    };
    assert_eq!(
        seen(&typed).cursor.column,
        2,
        "at the left of the last letter"
    );
}
