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
