//! Right-to-left text in the order in which it is seen, for terminals that do not reorder it
//! themselves. Nothing is aligned to the right: the layout stays left-to-right.

use unicode_bidi::{BidiInfo, Level};
use unicode_segmentation::UnicodeSegmentation as _;

use crate::row::{Cursor, Frame, Row, Span, Style};
use crate::width::cluster_width;

/// Who reorders right-to-left text for display.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Bidi {
    /// The terminal. Text is written in logical order.
    #[default]
    Logical,
    /// This program. Text is written in visual order.
    Visual,
}

/// A grapheme cluster.
struct Cluster<'a> {
    text: &'a str,
    style: Style,
    level: Level,
    /// Its column in logical order.
    column: usize,
}

/// The frame in visual order.
pub(crate) fn seen(frame: &Frame) -> Frame {
    let mut seen = frame.clone();
    seen.rows = frame.rows.iter().map(seen_row).collect();
    if let Some(row) = frame.rows.get(frame.cursor.row) {
        seen.cursor = Cursor {
            row: frame.cursor.row,
            column: seen_column(row.spans(), frame.cursor.column),
        };
    }
    seen
}

pub(crate) fn seen_row(row: &Row) -> Row {
    let mut seen = ordered(row.spans());
    for placed in row.placed() {
        seen.place(placed.column, &ordered(&placed.spans));
    }
    seen
}

fn ordered(spans: &[Span]) -> Row {
    let text: String = spans.iter().map(|span| span.text.as_str()).collect();
    let mut row = Row::new();
    for cluster in in_order(&clusters(&text, spans)) {
        let mirrored = cluster.level.is_rtl().then(|| mirror(cluster.text));
        row.push(mirrored.flatten().unwrap_or(cluster.text), cluster.style);
    }
    row
}

/// Converts a logical column of the cursor into a visual one.
fn seen_column(spans: &[Span], column: usize) -> usize {
    let text: String = spans.iter().map(|span| span.text.as_str()).collect();
    let clusters = clusters(&text, spans);
    let Some(last) = clusters.last() else {
        return column;
    };
    let end = last.column + cluster_width(last.text);
    let mut at = 0;
    for cluster in in_order(&clusters) {
        let width = cluster_width(cluster.text);
        let here = (cluster.column..cluster.column + width.max(1)).contains(&column);
        // The position after the last character of right-to-left text is on its left.
        let behind = column == end && cluster.column == last.column && cluster.level.is_rtl();
        if here {
            return at;
        }
        if behind {
            return at.saturating_sub(1);
        }
        at += width;
    }
    column
}

fn clusters<'a>(text: &'a str, spans: &[Span]) -> Vec<Cluster<'a>> {
    // The text on each side of a bar is ordered separately, so that two tabs keep their order.
    let levels: Vec<Level> = text
        .split_inclusive('│')
        .flat_map(|part| BidiInfo::new(part, Some(Level::ltr())).levels)
        .collect();
    let mut ends = spans.iter().scan(0, |end, span| {
        *end += span.text.len();
        Some((*end, span.style))
    });
    let mut style = ends.next();
    let mut column = 0;
    let mut clusters = Vec::new();
    for (at, text) in text.grapheme_indices(true) {
        while style.is_some_and(|(end, _)| at >= end) {
            style = ends.next();
        }
        clusters.push(Cluster {
            text,
            style: style.map_or(Style::Plain, |(_, style)| style),
            level: levels.get(at).copied().unwrap_or_else(Level::ltr),
            column,
        });
        column += cluster_width(text);
    }
    clusters
}

fn in_order<'c, 'a>(clusters: &'c [Cluster<'a>]) -> Vec<&'c Cluster<'a>> {
    let levels: Vec<Level> = clusters.iter().map(|cluster| cluster.level).collect();
    let order = BidiInfo::reorder_visual(&levels).into_iter();
    order.filter_map(|at| clusters.get(at)).collect()
}

fn mirror(cluster: &str) -> Option<&'static str> {
    Some(match cluster {
        "(" => ")",
        ")" => "(",
        "[" => "]",
        "]" => "[",
        "{" => "}",
        "}" => "{",
        "<" => ">",
        ">" => "<",
        "«" => "»",
        "»" => "«",
        _ => return None,
    })
}

#[cfg(test)]
#[path = "bidi_tests.rs"]
mod tests;
