//! Cuts a page off a list that was read one row further.

use crate::rows::Page;
use crate::sqlite::cursor::{Cursor, Order};

/// The page of the first `limit` rows, with a cursor if there are more.
pub(super) fn page<T>(mut rows: Vec<(Cursor, T)>, limit: usize, order: Order) -> Page<T> {
    let is_more = rows.len() > limit;
    rows.truncate(limit);
    let last = rows.last().map(|(cursor, _)| cursor.render(order));
    Page {
        next: last.filter(|_| is_more),
        items: rows.into_iter().map(|(_, item)| item).collect(),
    }
}
