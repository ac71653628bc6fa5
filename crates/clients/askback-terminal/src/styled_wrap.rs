//! Wraps text with several styles.

use crate::row::{Row, Span, Style};
use crate::wrap::{wrap, wrapped};

/// The prefixes of wrapped rows.
#[derive(Debug, Clone, Default)]
pub struct LinePrefix {
    /// The prefix of the first row.
    pub first: Row,
    /// The prefix of the others.
    pub rest: Row,
}

impl LinePrefix {
    /// The same prefix for every row.
    pub fn all(row: Row) -> LinePrefix {
        LinePrefix {
            first: row.clone(),
            rest: row,
        }
    }

    /// A prefix for the first row, and as many spaces for the others.
    pub fn hanging(first: Row) -> LinePrefix {
        let rest = Row::new().with(" ".repeat(first.width()), Style::Plain);
        LinePrefix { first, rest }
    }

    /// As many spaces before every row.
    pub fn spaces(columns: usize) -> LinePrefix {
        LinePrefix::all(Row::new().with(" ".repeat(columns), Style::Plain))
    }

    /// Puts the prefixes before lines that are wrapped already.
    pub fn before<T: Into<String>>(
        &self,
        lines: impl IntoIterator<Item = T>,
        style: Style,
    ) -> Vec<Row> {
        let prefixes = std::iter::once(&self.first).chain(std::iter::repeat(&self.rest));
        let rows = lines.into_iter().zip(prefixes);
        rows.map(|(line, prefix)| prefix.clone().with(line, style))
            .collect()
    }

    /// Wraps text of one style into rows of at most `columns`, prefixes included.
    pub fn wrap(&self, text: impl Into<String>, columns: usize, style: Style) -> Vec<Row> {
        let text = text.into();
        wrap_spans(&[Span { text, style }], columns, self)
    }
}

/// Wraps spans into rows of at most `columns`, prefixes included.
pub fn wrap_spans(spans: &[Span], columns: usize, lead: &LinePrefix) -> Vec<Row> {
    let text: String = spans.iter().map(|span| span.text.as_str()).collect();
    let taken = lead.first.width().max(lead.rest.width());
    let room = columns.saturating_sub(taken).max(1);
    let pieces = wrap(&text, room).into_iter().enumerate();
    let rows = pieces.map(|(at, piece)| {
        let mut row = if at == 0 { &lead.first } else { &lead.rest }.clone();
        let mut start = 0;
        for span in spans {
            let end = start + span.text.len();
            let from = piece.shown.start.clamp(start, end);
            let to = piece.shown.end.clamp(start, end);
            row.push(&span.text[from - start..to - start], span.style);
            start = end;
        }
        row
    });
    rows.collect()
}

/// Wraps text of one style.
pub fn wrapped_rows(text: &str, columns: usize, style: Style) -> Vec<Row> {
    let lines = wrapped(text, columns).into_iter();
    lines.map(|line| Row::new().with(line, style)).collect()
}

/// Wraps a row. If it has several spans, the first is a bullet and later rows are indented by it.
pub fn wrap_row(row: &Row, columns: usize) -> Vec<Row> {
    match row.spans() {
        [mark, rest @ ..] if !rest.is_empty() => {
            let first = Row::new().with(mark.text.clone(), mark.style);
            wrap_spans(rest, columns, &LinePrefix::hanging(first))
        }
        spans => wrap_spans(spans, columns, &LinePrefix::default()),
    }
}
