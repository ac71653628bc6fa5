//! A full box around the frame, for those who like one. Its right edge is placed by columns, so that
//! no text can push it out of line.

use askback_terminal::glyphs::Glyphs;
use askback_terminal::row::{Row, Style};

/// Columns that the right edge takes, with the space before it.
pub(super) const EDGE_COLUMNS: usize = 2;

/// Closes the rows of a frame at this column.
pub(super) fn close(rows: &mut [Row], column: usize, glyphs: &Glyphs) {
    let last = rows.len().saturating_sub(1);
    for (at, row) in rows.iter_mut().enumerate() {
        let corner = match at {
            0 => Some(glyphs.top_right),
            at if at == last => Some(glyphs.bottom_right),
            _ => None,
        };
        if corner.is_some() {
            // A line that ends in a line goes on.
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
