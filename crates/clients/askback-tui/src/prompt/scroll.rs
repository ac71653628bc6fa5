//! Which blocks of a list are visible: whole blocks with the focused one, and the next one after
//! it.

use std::ops::Range;

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Window {
    /// The visible blocks.
    pub(super) shown: Range<usize>,
    /// Hidden blocks above.
    pub(super) above: usize,
    /// Hidden blocks below.
    pub(super) below: usize,
}

/// The window for blocks of these heights in `room` rows. Each side with hidden blocks takes one
/// row to count them.
pub(super) fn window(heights: &[usize], focus: usize, room: usize) -> Window {
    let count = heights.len();
    let whole = Window {
        shown: 0..count,
        above: 0,
        below: 0,
    };
    if heights.iter().sum::<usize>() <= room || count == 0 {
        return whole;
    }
    let focus = focus.min(count - 1);
    let fits = |range: &Range<usize>| {
        let marks = usize::from(range.start > 0) + usize::from(range.end < count);
        heights[range.clone()].iter().sum::<usize>() + marks <= room
    };
    let with_next = (focus + 2).min(count);
    let candidates = [with_next, focus + 1];
    let found = candidates
        .into_iter()
        .find_map(|end| (0..=focus).map(|start| start..end).find(fits));
    let mut shown = found.unwrap_or(focus..focus + 1);
    while shown.end < count && fits(&(shown.start..shown.end + 1)) {
        shown.end += 1;
    }
    Window {
        above: shown.start,
        below: count - shown.end,
        shown,
    }
}

#[cfg(test)]
#[path = "scroll_tests.rs"]
mod tests;
