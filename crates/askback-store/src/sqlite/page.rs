//! Cuts a page off a list: by its number of rows, and by their bytes.

use crate::rows::{PAGE_BYTES_MAX, Page};
use crate::sqlite::cursor::{Cursor, Order};
use crate::store::StoreError;

/// The page of the first `limit` of the rows, which are read one further, with a cursor if there are
/// more. It ends early where the next row would make it larger than a page may be.
pub(super) fn page<T>(
    rows: impl Iterator<Item = rusqlite::Result<(Cursor, T)>>,
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

/// The first `limit` rows, or fewer if they have more bytes than a page may have; at least one. And
/// whether these are all.
pub(super) fn bounded<T>(
    rows: impl Iterator<Item = rusqlite::Result<T>>,
    limit: usize,
    bytes: impl Fn(&T) -> usize,
) -> Result<(Vec<T>, bool), StoreError> {
    let mut kept = Vec::new();
    let mut sum = 0;
    for row in rows {
        let row = row?;
        sum += bytes(&row);
        if kept.len() == limit || (sum > PAGE_BYTES_MAX && !kept.is_empty()) {
            return Ok((kept, false));
        }
        kept.push(row);
    }
    Ok((kept, true))
}
