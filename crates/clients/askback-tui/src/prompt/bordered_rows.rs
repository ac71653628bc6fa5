//! Builds the rows of a frame with their left border, and records which block each row shows.

use super::layout::{Block, RAIL_COLUMNS};
use askback_terminal::row::{Cursor, Frame, Row, Style};
use askback_terminal::width::{clip, text_width};

/// A frame, and which block each of its rows shows.
pub(super) struct ClickableFrame {
    pub(super) frame: Frame,
    /// The block that a row shows, for clicks; rows of the head or the hints have none.
    pub(super) targets: Vec<Option<usize>>,
}

impl ClickableFrame {
    /// A frame in which clicks choose nothing.
    pub(super) fn without_targets(frame: Frame) -> ClickableFrame {
        let targets = vec![None; frame.rows.len()];
        ClickableFrame { frame, targets }
    }
}

/// The first rows of a choice, with an ellipsis if there are more.
pub(super) fn shortened(block: &Block, rows_max: usize, more: &str) -> Block {
    let mut rows: Vec<Row> = block.rows.iter().take(rows_max).cloned().collect();
    let is_cut = rows.len() < block.rows.len();
    if is_cut && let Some(last) = rows.pop() {
        rows.push(with_ellipsis(&last, more));
    }
    Block {
        rows,
        ..block.clone()
    }
}

/// The ellipsis takes the place of the last character: the row gets no wider.
fn with_ellipsis(row: &Row, more: &str) -> Row {
    let mut out = Row::new();
    let last = row.spans().len().saturating_sub(1);
    for (at, span) in row.spans().iter().enumerate() {
        if at == last {
            let columns = text_width(&span.text).saturating_sub(1);
            out.push(clip(&span.text, columns, more), span.style);
        } else {
            out.push(span.text.as_str(), span.style);
        }
    }
    out
}

/// Collects rows, and adds the left border if there is one.
pub(super) struct BorderedRows {
    pub(super) rows: Vec<Row>,
    pub(super) targets: Vec<Option<usize>>,
    pub(super) cursor: Option<Cursor>,
    rail: Option<&'static str>,
}

impl BorderedRows {
    pub(super) fn new(head: &[Row], rail: Option<&'static str>) -> BorderedRows {
        BorderedRows {
            rows: head.to_vec(),
            targets: vec![None; head.len()],
            cursor: None,
            rail,
        }
    }

    pub(super) fn push(&mut self, content: &Row) {
        let mut row = Row::new();
        if let Some(rail) = self.rail {
            row.push(rail, Style::Border);
            row.push(if content.is_blank() { "" } else { "  " }, Style::Plain);
        }
        row.append(content);
        self.push_unbordered(row, None);
    }

    /// Adds a row that already has its border.
    pub(super) fn push_unbordered(&mut self, row: Row, hit: Option<usize>) {
        self.rows.push(row);
        self.targets.push(hit);
    }

    /// Adds at most `rows_max` rows of a block: those around its cursor.
    pub(super) fn block(&mut self, block: &Block, rows_max: usize, hit: Option<usize>) {
        let start = self.rows.len();
        let cursor_row = block.cursor.map_or(0, |cursor| cursor.row);
        let skipped = if block.rows.len() > rows_max {
            (cursor_row + 1).saturating_sub(rows_max.max(1))
        } else {
            0
        };
        for row in block.rows.iter().skip(skipped).take(rows_max) {
            self.push(row);
            if let Some(last) = self.targets.last_mut() {
                *last = hit;
            }
        }
        if let Some(cursor) = block.cursor {
            let row = start + cursor.row - skipped;
            let column = cursor.column + self.rail.map_or(0, |_| RAIL_COLUMNS);
            self.cursor = Some(Cursor { row, column });
        }
    }

    pub(super) fn into_frame(self) -> ClickableFrame {
        ClickableFrame {
            frame: Frame::inline(self.rows, self.cursor.unwrap_or_default()),
            targets: self.targets,
        }
    }
}
