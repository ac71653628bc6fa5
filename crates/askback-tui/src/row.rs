//! What is drawn: rows of inked text, and where the cursor stands.

use crate::width::text_width;

/// What a piece of text is, from which a theme makes its colour.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Ink {
    /// Ordinary text.
    #[default]
    Plain,
    /// The header chip.
    Chip,
    /// What has the focus.
    Focused,
    /// Labels without focus.
    Label,
    /// Descriptions and hints.
    Muted,
    /// Rails and rules, which carry no meaning.
    Rail,
    /// Radios, checkboxes and the mark of a field.
    Mark,
    /// Advice and success.
    Good,
    /// What is wrong.
    Error,
    /// What is about to end.
    Warning,
}

/// Text of one ink.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Span {
    /// What is written.
    pub text: String,
    /// What it is.
    pub ink: Ink,
}

/// One row of the screen.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Row {
    spans: Vec<Span>,
}

impl Row {
    /// An empty row.
    pub fn new() -> Row {
        Row::default()
    }

    /// The row with more text at its end.
    #[must_use]
    pub fn with(mut self, text: impl Into<String>, ink: Ink) -> Row {
        self.push(text, ink);
        self
    }

    /// Adds text at the end.
    pub fn push(&mut self, text: impl Into<String>, ink: Ink) {
        let text = text.into();
        if !text.is_empty() {
            self.spans.push(Span { text, ink });
        }
    }

    /// Its pieces.
    pub fn spans(&self) -> &[Span] {
        &self.spans
    }

    /// Its text without ink.
    pub fn text(&self) -> String {
        self.spans.iter().map(|span| span.text.as_str()).collect()
    }

    /// Columns it may take.
    pub fn width(&self) -> usize {
        self.spans.iter().map(|span| text_width(&span.text)).sum()
    }

    /// The same row with every ink replaced, as a dimmed body is.
    pub(crate) fn inked(&mut self, ink: Ink) {
        for span in &mut self.spans {
            span.ink = ink;
        }
    }
}

/// Where the hardware cursor stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Cursor {
    /// Row of the frame, from nought.
    pub row: usize,
    /// Column, from nought.
    pub column: usize,
}

/// Where a frame is shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Canvas {
    /// In the scrollback, below what was there before.
    #[default]
    Inline,
    /// On the alternate screen.
    Screen,
}

/// All that is shown at one time.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Frame {
    /// The rows, from the top.
    pub rows: Vec<Row>,
    /// Where the cursor stands.
    pub cursor: Cursor,
    /// Where it is shown.
    pub canvas: Canvas,
}

/// The columns and rows of a terminal or of a part of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Size {
    /// Columns.
    pub columns: usize,
    /// Rows.
    pub rows: usize,
}

impl Size {
    /// Whether it is smaller than another in any direction.
    pub fn is_below(self, least: Size) -> bool {
        self.columns < least.columns || self.rows < least.rows
    }

    /// The size, but not below another in any direction.
    #[must_use]
    pub fn at_least(self, least: Size) -> Size {
        Size {
            columns: self.columns.max(least.columns),
            rows: self.rows.max(least.rows),
        }
    }
}
