//! Paints frames: only changed rows are written, in one write. When the prompt ends, the frame is
//! erased.

use std::fmt::Write as _;

use crate::bidi::{self, Bidi};
use crate::row::{Cursor, Frame, Row, ScreenBuffer, Size, Span};
use crate::theme::Theme;
use crate::tty;

/// What a terminal does with rows that are wider than its new width.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Reflow {
    /// It wraps them.
    Wraps,
    /// It truncates them.
    Truncates,
}

impl Reflow {
    /// Guessed from the environment: nearly all newer terminals wrap, and are named in it.
    pub fn from_env(var: impl Fn(&str) -> Option<String>) -> Reflow {
        const NAMED: [&str; 8] = [
            "TMUX",
            "TERM_PROGRAM",
            "VTE_VERSION",
            "KONSOLE_VERSION",
            "WT_SESSION",
            "KITTY_WINDOW_ID",
            "ALACRITTY_WINDOW_ID",
            "WEZTERM_PANE",
        ];
        const TERMS: [&str; 5] = ["alacritty", "foot", "xterm-kitty", "xterm-ghostty", "tmux"];
        let term = var("TERM").unwrap_or_default();
        let wraps = NAMED
            .iter()
            .any(|name| var(name).is_some_and(|value| !value.is_empty()))
            || TERMS.iter().any(|name| term.starts_with(name));
        if wraps {
            Reflow::Wraps
        } else {
            Reflow::Truncates
        }
    }
}

/// What the terminal shows, and the bytes that lead to the next frame.
#[derive(Debug)]
pub struct Viewport {
    theme: Theme,
    reflow: Reflow,
    bidi: Bidi,
    /// The rows of the inline frame; empty before the first paint.
    rows: Vec<Row>,
    cursor: Cursor,
    /// The frame on the alternate screen, while that is shown.
    screen: Option<Frame>,
}

impl Viewport {
    /// The cursor must be at the start of an empty line.
    pub fn new(theme: Theme, reflow: Reflow) -> Viewport {
        Viewport {
            theme,
            reflow,
            bidi: Bidi::default(),
            rows: Vec::new(),
            cursor: Cursor::default(),
            screen: None,
        }
    }

    /// Sets who reorders right-to-left text.
    #[must_use]
    pub fn with_bidi(mut self, bidi: Bidi) -> Viewport {
        self.bidi = bidi;
        self
    }

    /// The cursor's row in the inline frame; `None` on the alternate screen.
    pub(crate) fn cursor_row(&self) -> Option<usize> {
        self.screen.is_none().then_some(self.cursor.row)
    }

    /// Changes the theme. The next frame is painted in full.
    pub fn set_theme(&mut self, theme: Theme) {
        if theme != self.theme {
            self.theme = theme;
            // No frame has this row, so every row differs from it.
            let stale = Row::new().with("\u{0}", crate::row::Style::Plain);
            if let Some(screen) = &mut self.screen {
                screen.rows.fill(stale.clone());
            }
            self.rows.fill(stale);
        }
    }

    fn shows(&self, frame: &Frame) -> bool {
        match (frame.buffer, &self.screen) {
            (ScreenBuffer::Inline, None) => self.rows == frame.rows && self.cursor == frame.cursor,
            (ScreenBuffer::Alternate, Some(screen)) => screen == frame,
            (ScreenBuffer::Inline, Some(_)) | (ScreenBuffer::Alternate, None) => false,
        }
    }

    /// The bytes that change the screen to `frame`; empty if it is already shown.
    pub fn paint(&mut self, frame: &Frame) -> String {
        match self.bidi {
            Bidi::Logical => self.paint_as_is(frame),
            Bidi::Visual => self.paint_as_is(&bidi::seen(frame)),
        }
    }

    fn paint_as_is(&mut self, frame: &Frame) -> String {
        if self.shows(frame) {
            return String::new();
        }
        let mut out = String::from("\x1b[?2026h");
        match frame.buffer {
            ScreenBuffer::Inline => {
                if self.screen.take().is_some() {
                    out.push_str("\x1b[?1049l");
                    tty::frame_on(ScreenBuffer::Inline);
                }
                self.paint_inline(frame, &mut out);
            }
            ScreenBuffer::Alternate => self.paint_screen(frame, &mut out),
        }
        out.push_str("\x1b[?2026l");
        out
    }

    fn paint_inline(&mut self, frame: &Frame, out: &mut String) {
        let before = self.rows.len();
        let first = before == 0;
        if frame.rows.len() > before {
            let from = before.saturating_sub(1);
            self.go(from, out);
            let more = frame.rows.len() - before.max(1);
            for _ in 0..more {
                out.push_str("\r\n");
            }
            self.cursor.row = from + more;
        }
        for (at, row) in frame.rows.iter().enumerate() {
            if first || self.rows.get(at) != Some(row) {
                self.go(at, out);
                self.write_row(row, out);
            }
        }
        if before > frame.rows.len() {
            self.go(frame.rows.len(), out);
            out.push_str("\r\x1b[J");
        }
        self.rows.clone_from(&frame.rows);
        self.go(frame.cursor.row, out);
        out.push('\r');
        forward(frame.cursor.column, out);
        self.cursor = frame.cursor;
        tty::frame_ends(Some(self.rows.len().saturating_sub(1 + self.cursor.row)));
    }

    fn paint_screen(&mut self, frame: &Frame, out: &mut String) {
        if self.screen.is_none() {
            out.push_str("\x1b[?1049h\x1b[2J");
        }
        let before = self.screen.take().unwrap_or_default().rows;
        for (at, row) in frame.rows.iter().enumerate() {
            if before.get(at) != Some(row) {
                say(out, format_args!("\x1b[{};1H", at + 1));
                self.write_row(row, out);
            }
        }
        if before.len() > frame.rows.len() {
            say(out, format_args!("\x1b[{};1H\x1b[J", frame.rows.len() + 1));
        }
        say(
            out,
            format_args!("\x1b[{};{}H", frame.cursor.row + 1, frame.cursor.column + 1),
        );
        self.screen = Some(frame.clone());
        tty::frame_on(ScreenBuffer::Alternate);
    }

    /// Moves to a row of the inline frame. The column is undefined.
    fn go(&mut self, row: usize, out: &mut String) {
        if row < self.cursor.row {
            say(out, format_args!("\x1b[{}A", self.cursor.row - row));
        } else if row > self.cursor.row {
            say(out, format_args!("\x1b[{}B", row - self.cursor.row));
        }
        self.cursor.row = row;
    }

    fn write_row(&self, row: &Row, out: &mut String) {
        // Erase first: after a full row, the cursor would erase its last character.
        out.push_str("\r\x1b[K");
        self.write_spans(row.spans(), out);
        for placed in row.placed() {
            say(out, format_args!("\x1b[{}G", placed.column + 1));
            self.write_spans(&placed.spans, out);
        }
    }

    fn write_spans(&self, spans: &[Span], out: &mut String) {
        for span in spans {
            let sgr = self.theme.sgr(span.style);
            if !sgr.is_empty() {
                say(out, format_args!("\x1b[{sgr}m"));
            }
            out.extend(span.text.chars().map(printable));
            if !sgr.is_empty() {
                out.push_str("\x1b[0m");
            }
        }
    }

    /// The bytes that erase the frame after the width changed. The next frame is painted in full.
    pub fn resized(&mut self, size: Size) -> String {
        let mut out = String::new();
        if let Some(screen) = &mut self.screen {
            screen.rows.clear();
            out.push_str("\x1b[2J");
        }
        if self.rows.is_empty() {
            return out;
        }
        let columns = size.columns.max(1);
        let up = match self.reflow {
            Reflow::Truncates => self.cursor.row,
            Reflow::Wraps => {
                let above = self.rows.iter().take(self.cursor.row);
                let wrapped = above.map(|row| row.width().max(1).div_ceil(columns));
                wrapped.sum::<usize>() + self.cursor.column / columns
            }
        };
        if self.screen.is_none() {
            if up > 0 {
                say(&mut out, format_args!("\x1b[{up}A"));
            }
            out.push_str("\r\x1b[J");
        }
        self.forget();
        out
    }

    /// The bytes that erase the frame and leave the cursor at its start.
    pub fn erase(&mut self) -> String {
        let mut out = String::new();
        if self.screen.take().is_some() {
            out.push_str("\x1b[?1049l");
            tty::frame_on(ScreenBuffer::Inline);
        }
        if !self.rows.is_empty() {
            self.go(0, &mut out);
            out.push_str("\r\x1b[J");
        }
        self.forget();
        out
    }

    /// The bytes that print lines into the scrollback.
    pub fn lines(&self, rows: &[Row]) -> String {
        let mut out = String::new();
        for row in rows {
            match self.bidi {
                Bidi::Logical => self.write_row(row, &mut out),
                Bidi::Visual => self.write_row(&bidi::seen_row(row), &mut out),
            }
            out.push_str("\r\n");
        }
        out
    }

    fn forget(&mut self) {
        self.rows.clear();
        self.cursor = Cursor::default();
        tty::frame_ends(None);
    }
}

fn forward(columns: usize, out: &mut String) {
    if columns > 0 {
        say(out, format_args!("\x1b[{columns}C"));
    }
}

fn say(out: &mut String, text: std::fmt::Arguments<'_>) {
    let written = out.write_fmt(text);
    debug_assert!(written.is_ok());
}

/// No control character and no direction override of a text reaches the terminal.
pub(crate) fn printable(ch: char) -> char {
    if ch == '\t' {
        ' '
    } else if ch.is_control() || matches!(ch, '\u{202A}'..='\u{202E}' | '\u{2066}'..='\u{2069}') {
        '\u{FFFD}'
    } else {
        ch
    }
}

#[cfg(test)]
#[path = "viewport_tests.rs"]
mod tests;
