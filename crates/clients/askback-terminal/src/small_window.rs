//! The part of a frame around the cursor, for a window that is too small for it.
//!
//! Chat and inbox are laid out for at least [`FRAME_MIN`]. They stay usable in a smaller window,
//! because the cursor is at the focused row.

use unicode_segmentation::UnicodeSegmentation as _;

use crate::display_mode::FRAME_MIN;
use crate::row::{Frame, Row, Size};
use crate::width::cluster_width;

pub(crate) fn within(mut frame: Frame, size: Size) -> Frame {
    if !size.is_below(FRAME_MIN) {
        return frame;
    }
    let rows = size.rows.max(1);
    let hidden = frame.rows.len().saturating_sub(rows);
    let top = frame.cursor.row.saturating_sub(rows / 2).min(hidden);
    // The last column stays free for a cursor after the text.
    let columns = size.columns.saturating_sub(1).max(1);
    let left = match frame.cursor.column {
        column if column < columns => 0,
        column => column + 1 - columns,
    };
    frame.rows = frame
        .rows
        .iter()
        .skip(top)
        .take(rows)
        .map(|row| part(row, left, columns))
        .collect();
    frame.cursor.row -= top;
    frame.cursor.column -= left;
    frame
}

fn part(row: &Row, left: usize, columns: usize) -> Row {
    let mut out = Row::new();
    let mut column = 0;
    for span in row.spans() {
        let mut text = String::new();
        for cluster in span.text.graphemes(true) {
            let begin = column;
            column += cluster_width(cluster);
            if begin >= left && column <= left + columns {
                text.push_str(cluster);
            }
        }
        out.push(text, span.style);
    }
    out
}

#[cfg(test)]
#[path = "small_window_tests.rs"]
mod tests;
