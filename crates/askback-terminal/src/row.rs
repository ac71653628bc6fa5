//! What is drawn: rows of inked text, and where the cursor stands.

use crate::width::text_width;

/// What a piece of text is, from which a theme makes its colour.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Style {
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
    Border,
    /// Radios, checkboxes and the mark of a field.
    Mark,
    /// Advice and success.
    Success,
    /// What is wrong.
    Error,
    /// What is about to end.
    Warning,
    /// What was just chosen, for a moment.
    Chosen,
    /// Light on dark whatever the background is, which cameras need.
    QrCode,
}

/// Text of one style.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Span {
    /// What is written.
    pub text: String,
    /// What it is.
    pub style: Style,
}

/// Text at a column of its own, whatever width the terminal gives to what stands before it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PositionedSpans {
    /// The column, from 0.
    pub column: usize,
    /// What is written there.
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

    /// The row with more text at its end.
    #[must_use]
    pub fn with(mut self, text: impl Into<String>, style: Style) -> Row {
        self.push(text, style);
        self
    }

    /// Adds text at the end.
    pub fn push(&mut self, text: impl Into<String>, style: Style) {
        let text = text.into();
        if !text.is_empty() {
            self.spans.push(Span { text, style });
        }
    }

    /// Puts the text of another row at a column of this one, behind everything that is there.
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

    /// Adds another row at the end, with what stands at its columns.
    pub fn append(&mut self, row: &Row) {
        let column = self.flow();
        self.spans.extend(row.spans.iter().cloned());
        let inner = row.placed.iter().cloned();
        self.placed.extend(inner.map(|mut placed| {
            placed.column += column;
            placed
        }));
    }

    /// Its pieces, without those at columns of their own.
    pub fn spans(&self) -> &[Span] {
        &self.spans
    }

    /// Its pieces at columns of their own.
    pub fn placed(&self) -> &[PositionedSpans] {
        &self.placed
    }

    /// Whether there is nothing in it.
    pub fn is_blank(&self) -> bool {
        self.spans.is_empty() && self.placed.is_empty()
    }

    /// Its text without style.
    pub fn text(&self) -> String {
        let mut text: String = self.spans.iter().map(|span| span.text.as_str()).collect();
        for placed in &self.placed {
            let gap = placed.column.saturating_sub(text_width(&text));
            text.push_str(&" ".repeat(gap));
            text.extend(placed.spans.iter().map(|span| span.text.as_str()));
        }
        text
    }

    /// Columns it may take.
    pub fn width(&self) -> usize {
        let end = |placed: &PositionedSpans| placed.column + columns(&placed.spans);
        let ends = self.placed.iter().map(end);
        ends.fold(self.flow(), usize::max)
    }

    /// Columns of what stands at no column of its own.
    fn flow(&self) -> usize {
        columns(&self.spans)
    }

    /// Lights up what is written in it, but not its rail.
    pub fn light(&mut self) {
        for span in &mut self.spans {
            if span.style != Style::Border && !span.text.trim().is_empty() {
                span.style = Style::Chosen;
            }
        }
    }

    /// The same row with every style replaced, as a dimmed body is.
    pub fn set_style(&mut self, style: Style) {
        let placed = self.placed.iter_mut().flat_map(|placed| &mut placed.spans);
        for span in self.spans.iter_mut().chain(placed) {
            span.style = style;
        }
    }
}

fn columns(spans: &[Span]) -> usize {
    spans.iter().map(|span| text_width(&span.text)).sum()
}

/// Where the hardware cursor stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Cursor {
    /// Row of the frame, from 0.
    pub row: usize,
    /// Column, from 0.
    pub column: usize,
}

/// Where a frame is shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum ScreenBuffer {
    /// In the scrollback, below what was there before.
    #[default]
    Inline,
    /// On the alternate screen.
    Alternate,
}

/// All that is shown at one time.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Frame {
    /// The rows, from the top.
    pub rows: Vec<Row>,
    /// Where the cursor stands.
    pub cursor: Cursor,
    /// Where it is shown.
    pub buffer: ScreenBuffer,
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
