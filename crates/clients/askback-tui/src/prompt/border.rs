//! A full box around the frame. Its right edge is at a fixed column, so that text of an unexpected
//! width cannot move it.

use askback_terminal::glyphs::Glyphs;
use askback_terminal::row::{Row, Style};

/// The right edge and the space before it.
pub(super) const EDGE_COLUMNS: usize = 2;

/// Adds the right edge at this column.
pub(super) fn close(rows: &mut [Row], column: usize, glyphs: &Glyphs) {
    let last = rows.len().saturating_sub(1);
    for (at, row) in rows.iter_mut().enumerate() {
        let corner = match at {
            0 => Some(glyphs.top_right),
            at if at == last => Some(glyphs.bottom_right),
            _ => None,
        };
        if corner.is_some() {
            // A row that ends in a rule is extended to the corner.
            let goes_on = row
                .spans()
                .last()
                .is_some_and(|span| span.style == Style::Border);
            if !goes_on {
                row.push(" ", Style::Plain);
            }
            let room = column.saturating_sub(row.width());
            row.push(glyphs.line.repeat(room), Style::Border);
        }
        let edge = corner.unwrap_or(glyphs.rail);
        row.place(column, &Row::new().with(edge, Style::Border));
    }
}
