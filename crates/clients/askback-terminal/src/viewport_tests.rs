//! What reaches the terminal is what the frame says, and no more than changed.

use super::{Reflow, Viewport};
use crate::row::{Cursor, Frame, Row, ScreenBuffer, Size, Style};
use crate::theme::Theme;

fn frame(rows: &[&str], row: usize) -> Frame {
    Frame {
        rows: rows
            .iter()
            .map(|text| Row::new().with(*text, Style::Plain))
            .collect(),
        cursor: Cursor { row, column: 2 },
        buffer: ScreenBuffer::Inline,
    }
}

fn parser(rows: u16, columns: u16, scrollback: usize) -> vt100::Parser {
    let size = |cells| std::num::NonZero::new(cells).unwrap();
    vt100::Parser::new(size(rows), size(columns), scrollback)
}

fn viewport() -> Viewport {
    Viewport::new(Theme::Plain, Reflow::Truncates)
}

fn lines(parser: &vt100::Parser) -> Vec<String> {
    let rows = parser
        .screen()
        .rows(0, 40)
        .map(|row| row.trim_end().to_owned());
    let mut rows: Vec<String> = rows.collect();
    while rows.last().is_some_and(String::is_empty) {
        rows.pop();
    }
    rows
}

/// Only rows that changed are written, and the cursor stands where the frame says.
#[test]
fn only_changed_rows_are_written() {
    let mut parser = parser(10, 40, 0);
    let mut viewport = viewport();
    parser.process(b"before\r\n");
    parser.process(
        viewport
            .paint(&frame(&["one", "two", "three"], 1))
            .as_bytes(),
    );
    assert_eq!(lines(&parser), ["before", "one", "two", "three"]);
    assert_eq!(parser.screen().cursor_position(), (2, 2));
    let bytes = viewport.paint(&frame(&["one", "TWO", "three"], 2));
    assert!(
        bytes.contains("TWO") && !bytes.contains("one") && !bytes.contains("three"),
        "{bytes:?}"
    );
    parser.process(bytes.as_bytes());
    assert_eq!(lines(&parser), ["before", "one", "TWO", "three"]);
    assert_eq!(parser.screen().cursor_position(), (3, 2));
}

/// Growing at the bottom scrolls, shrinking leaves nothing, and the end leaves only its lines.
#[test]
fn nothing_of_the_frame_stays() {
    let mut parser = parser(5, 40, 100);
    let mut viewport = viewport();
    parser.process(b"a\r\nb\r\nc\r\n");
    for rows in [
        &["1", "2"][..],
        &["1", "2", "3", "4"],
        &["x"],
        &["1", "2", "3"],
    ] {
        parser.process(viewport.paint(&frame(rows, 0)).as_bytes());
    }
    assert_eq!(lines(&parser), ["c", "1", "2", "3"]);
    parser.process(viewport.erase().as_bytes());
    let done = [Row::new().with("done", Style::Plain)];
    parser.process(viewport.lines(&done).as_bytes());
    assert_eq!(lines(&parser), ["c", "done"]);
    assert_eq!(parser.screen().cursor_position(), (2, 0));
}

#[test]
fn narrower_terminal_is_repainted_from_the_top_of_the_frame() {
    let mut parser = parser(10, 40, 100);
    let mut viewport = viewport();
    parser.process(b"before\r\n");
    parser.process(
        viewport
            .paint(&frame(&["one", "two", "three"], 2))
            .as_bytes(),
    );
    parser.process(
        viewport
            .resized(Size {
                columns: 20,
                rows: 10,
            })
            .as_bytes(),
    );
    parser.process(viewport.paint(&frame(&["1", "2"], 1)).as_bytes());
    assert_eq!(lines(&parser), ["before", "1", "2"]);
}

/// A terminal that wraps has more rows above the cursor than the frame has.
#[test]
fn wrapped_rows_are_counted() {
    let mut viewport = Viewport::new(Theme::Plain, Reflow::Wraps);
    viewport.paint(&frame(&["0123456789012345678901234", "two"], 1));
    let bytes = viewport.resized(Size {
        columns: 10,
        rows: 10,
    });
    assert!(bytes.starts_with("\x1b[3A\r"), "{bytes:?}");
}

/// Whatever a row holds, no control character is written.
#[test]
fn control_characters_never_reach_the_terminal() {
    let bytes =
        viewport().lines(&[Row::new().with("a\x1b]52;c;x\x07\u{9b}\u{202e}\rb", Style::Plain)]);
    assert_eq!(
        bytes,
        "\r\x1b[Ka\u{FFFD}]52;c;x\u{FFFD}\u{FFFD}\u{FFFD}\u{FFFD}b\r\n"
    );
}

#[test]
fn reader_has_a_screen_of_its_own() {
    let mut parser = parser(6, 40, 0);
    let mut viewport = viewport();
    parser.process(viewport.paint(&frame(&["one", "two"], 0)).as_bytes());
    let mut reader = frame(&["long", "text"], 0);
    reader.buffer = ScreenBuffer::Alternate;
    parser.process(viewport.paint(&reader).as_bytes());
    assert!(parser.screen().alternate_screen());
    assert_eq!(lines(&parser), ["long", "text"]);
    parser.process(viewport.paint(&frame(&["one", "two"], 0)).as_bytes());
    assert!(!parser.screen().alternate_screen());
    assert_eq!(lines(&parser), ["one", "two"]);
}

/// Text at a column of its own stands there, whatever the terminal makes of what is before it.
#[test]
fn placed_text_is_written_by_columns() {
    let mut row = Row::new().with("👨‍👩‍👧 family", Style::Plain);
    row.place(
        30,
        &Row::new()
            .with("│", Style::Border)
            .with(" right", Style::Plain),
    );
    let frame = Frame {
        rows: vec![row.clone()],
        ..Frame::default()
    };
    let bytes = viewport().paint(&frame);
    let mut parser = parser(3, 60, 0);
    parser.process(bytes.as_bytes());
    let cell = |column: u16| {
        parser
            .screen()
            .cell(0, column)
            .map(|cell| cell.contents().to_owned())
    };
    assert_eq!(cell(30).as_deref(), Some("│"));
    assert_eq!(cell(32).as_deref(), Some("r"));
    assert_eq!(row.width(), 37);
    assert!(row.text().ends_with(" │ right"), "{}", row.text());
}
