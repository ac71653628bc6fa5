//! Limits a page of a list by the number of rows and by their bytes.

use crate::rows::{PAGE_BYTES_MAX, Page};
use crate::sql::cursor::{Order, PageCursor};
use crate::store::StoreError;

/// A page of at most `limit` rows, with a cursor if there are more. The query must return one row more
/// than `limit`. The page ends early if the next row would exceed the bytes of a page.
pub fn page<T, E: Into<StoreError>>(
    rows: impl Iterator<Item = Result<(PageCursor, T), E>>,
    (limit, order): (usize, Order),
    bytes: impl Fn(&T) -> usize,
) -> Result<Page<T>, StoreError> {
    let mut last = None;
    let (items, is_whole) = bounded(rows, limit, |(_, item)| bytes(item))?;
    let items = items.into_iter().map(|(cursor, item)| {
        last = Some(cursor.render(order));
        item
    });
    Ok(Page {
        items: items.collect(),
        next: last.filter(|_| !is_whole),
    })
}

/// The first `limit` rows, or fewer if they exceed the bytes of a page, but at least one; and whether
/// these are all rows.
pub fn bounded<T, E: Into<StoreError>>(
    rows: impl Iterator<Item = Result<T, E>>,
    limit: usize,
    bytes: impl Fn(&T) -> usize,
) -> Result<(Vec<T>, bool), StoreError> {
    let mut kept = Vec::new();
    let mut sum = 0;
    for row in rows {
        let row = row.map_err(Into::into)?;
        sum += bytes(&row);
        if kept.len() == limit || (sum > PAGE_BYTES_MAX && !kept.is_empty()) {
            return Ok((kept, false));
        }
        kept.push(row);
    }
    Ok((kept, true))
}
