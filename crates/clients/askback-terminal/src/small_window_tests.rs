//! A window that is too small shows what the cursor is on.

use super::within;
use crate::row::{Cursor, Frame, Row, ScreenBuffer, Size, Style};

fn frame(row: usize, column: usize) -> Frame {
    let rows = [
        "Database",
        "Which one?",
        " 1 first",
        ">2 第二个选项",
        " 3 third",
        "enter",
    ];
    let row_of = |text: &&str| Row::new().with(*text, Style::Plain);
    Frame {
        rows: rows.iter().map(row_of).collect(),
        cursor: Cursor { row, column },
        buffer: ScreenBuffer::Inline,
    }
}

fn texts(frame: &Frame) -> Vec<String> {
    frame.rows.iter().map(Row::text).collect()
}

fn size(columns: usize, rows: usize) -> Size {
    Size { columns, rows }
}

#[test]
fn window_with_room_changes_nothing() {
    assert_eq!(within(frame(3, 3), size(20, 6)), frame(3, 3));
}

#[test]
fn rows_around_the_cursor_are_shown() {
    let part = within(frame(3, 3), size(40, 3));
    assert_eq!(texts(&part), [" 1 first", ">2 第二个选项", " 3 third"]);
    assert_eq!(part.cursor, Cursor { row: 1, column: 3 });
    let last = within(frame(5, 0), size(40, 3));
    assert_eq!(texts(&last), [">2 第二个选项", " 3 third", "enter"]);
    let one = within(frame(3, 3), size(40, 1));
    assert_eq!(texts(&one), [">2 第二个选项"]);
}

#[test]
fn columns_follow_the_cursor_and_cut_no_character() {
    let start = within(frame(3, 3), size(9, 1));
    assert_eq!(texts(&start), [">2 第二"]);
    let end = within(frame(3, 13), size(9, 1));
    assert_eq!(texts(&end), ["个选项"]);
    assert_eq!(end.cursor, Cursor { row: 0, column: 7 });
}

/// Whatever the window: no row is wider, and there are not more rows than it has.
#[test]
fn no_window_is_overdrawn() {
    for (columns, rows) in (1..20).flat_map(|columns| (1..7).map(move |rows| (columns, rows))) {
        for (row, column) in (0..6).flat_map(|row| (0..14).map(move |column| (row, column))) {
            let part = within(frame(row, column), size(columns, rows));
            assert!(part.rows.len() <= rows || rows >= 6 && columns >= 20);
            assert!(part.rows.iter().all(|row| row.width() < columns.max(2)));
            assert!(part.cursor.row < part.rows.len());
            assert!(part.cursor.column < columns);
        }
    }
}
