//! Frames: rows of styled text and a cursor.

use crate::width::text_width;

/// The role of a text. The theme maps it to colours.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Style {
    /// Ordinary text.
    #[default]
    Plain,
    /// The header of a question.
    Chip,
    /// The focused row.
    Focused,
    /// Labels without focus.
    Label,
    /// Descriptions and hints.
    Muted,
    /// Borders and rules.
    Border,
    /// Radio buttons, checkboxes and field markers.
    Mark,
    /// Recommendations and success.
    Success,
    /// Errors.
    Error,
    /// Deadlines and confirmations.
    Warning,
    /// White on black in every theme, which cameras need.
    QrCode,
}

/// Text of one style.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Span {
    /// A part of one line.
    pub text: String,
    /// The theme gives it its colour.
    pub style: Style,
}

/// Text at a fixed column, whatever width the terminal gives to the text before it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PositionedSpans {
    /// Counted from 0.
    pub column: usize,
    /// The text at that column.
    pub spans: Vec<Span>,
}

/// One row of the screen.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Row {
    spans: Vec<Span>,
    placed: Vec<PositionedSpans>,
}

impl Row {
    /// An empty row.
    pub fn new() -> Row {
        Row::default()
    }

    /// Appends text and returns the row.
    #[must_use]
    pub fn with(mut self, text: impl Into<String>, style: Style) -> Row {
        self.push(text, style);
        self
    }

    /// Appends text. Empty text adds no span.
    pub fn push(&mut self, text: impl Into<String>, style: Style) {
        let text = text.into();
        if !text.is_empty() {
            self.spans.push(Span { text, style });
        }
    }

    /// Adds the text of another row at a fixed column.
    pub fn place(&mut self, column: usize, row: &Row) {
        self.placed.push(PositionedSpans {
            column,
            spans: row.spans.clone(),
        });
        let inner = row.placed.iter().cloned();
        self.placed.extend(inner.map(|mut placed| {
            placed.column += column;
            placed
        }));
    }

    /// Appends another row. Its fixed columns move by the width of this row.
    pub fn append(&mut self, row: &Row) {
        let column = self.flow();
        self.spans.extend(row.spans.iter().cloned());
        let inner = row.placed.iter().cloned();
        self.placed.extend(inner.map(|mut placed| {
            placed.column += column;
            placed
        }));
    }

    /// The row after this many spaces; a blank one stays blank.
    #[must_use]
    pub fn indented(&self, columns: usize) -> Row {
        let mut row = Row::new();
        if !self.is_blank() {
            row.push(" ".repeat(columns), Style::Plain);
        }
        row.append(self);
        row
    }

    /// The spans without those at fixed columns.
    pub fn spans(&self) -> &[Span] {
        &self.spans
    }

    /// The spans at fixed columns.
    pub fn placed(&self) -> &[PositionedSpans] {
        &self.placed
    }

    /// Whether it has no spans.
    pub fn is_blank(&self) -> bool {
        self.spans.is_empty() && self.placed.is_empty()
    }

    /// The text without styles, with spaces up to the fixed columns.
    pub fn text(&self) -> String {
        let mut text: String = self.spans.iter().map(|span| span.text.as_str()).collect();
        for placed in &self.placed {
            let gap = placed.column.saturating_sub(text_width(&text));
            text.push_str(&" ".repeat(gap));
            text.extend(placed.spans.iter().map(|span| span.text.as_str()));
        }
        text
    }

    /// Its width in columns.
    pub fn width(&self) -> usize {
        let end = |placed: &PositionedSpans| placed.column + columns(&placed.spans);
        let ends = self.placed.iter().map(end);
        ends.fold(self.flow(), usize::max)
    }

    fn flow(&self) -> usize {
        columns(&self.spans)
    }

    /// Replaces the style of every span.
    pub fn set_style(&mut self, style: Style) {
        for span in self.all_spans() {
            span.style = style;
        }
    }

    /// Gives the spans of one style another.
    pub fn replace_style(&mut self, before: Style, after: Style) {
        for span in self.all_spans().filter(|span| span.style == before) {
            span.style = after;
        }
    }

    fn all_spans(&mut self) -> impl Iterator<Item = &mut Span> {
        let placed = self.placed.iter_mut().flat_map(|placed| &mut placed.spans);
        self.spans.iter_mut().chain(placed)
    }
}

fn columns(spans: &[Span]) -> usize {
    spans.iter().map(|span| text_width(&span.text)).sum()
}

/// The position of the terminal's cursor.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Cursor {
    /// Row of the frame, counted from 0.
    pub row: usize,
    /// Counted from 0.
    pub column: usize,
}

/// Where a frame is shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum ScreenBuffer {
    /// In the scrollback, below the earlier output.
    #[default]
    Inline,
    /// On the alternate screen.
    Alternate,
}

/// Everything that is visible at one time.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Frame {
    /// The rows, from the top.
    pub rows: Vec<Row>,
    /// The caret of the open field, or the focused row.
    pub cursor: Cursor,
    /// The buffer that it is painted in.
    pub buffer: ScreenBuffer,
}

impl Cursor {
    /// In the first row.
    pub const fn in_first_row(column: usize) -> Cursor {
        Cursor { row: 0, column }
    }
}

impl Frame {
    /// Below the earlier output.
    pub fn inline(rows: Vec<Row>, cursor: Cursor) -> Frame {
        Frame {
            rows,
            cursor,
            buffer: ScreenBuffer::Inline,
        }
    }

    /// The whole screen, with the cursor at the beginning of the last row.
    pub fn screen(rows: Vec<Row>) -> Frame {
        Frame {
            cursor: Cursor {
                row: rows.len().saturating_sub(1),
                column: 0,
            },
            rows,
            buffer: ScreenBuffer::Alternate,
        }
    }
}

/// The size of a terminal or of a part of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Size {
    /// Columns.
    pub columns: usize,
    /// Rows.
    pub rows: usize,
}

impl Size {
    /// Assumed until a terminal says its own.
    pub const USUAL: Size = Size {
        columns: 80,
        rows: 24,
    };

    /// Whether it has fewer columns or fewer rows.
    pub fn is_below(self, least: Size) -> bool {
        self.columns < least.columns || self.rows < least.rows
    }

    /// The larger of both, for columns and rows separately.
    #[must_use]
    pub fn at_least(self, least: Size) -> Size {
        Size {
            columns: self.columns.max(least.columns),
            rows: self.rows.max(least.rows),
        }
    }
}
