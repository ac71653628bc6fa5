//! Cursors for keyset pagination: opaque text for callers.

use crate::store::StoreError;

/// The order of a list. A cursor is valid only for lists in the same order.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Order {
    /// Conversations, latest activity first.
    Activity,
    /// Inquiries, by deadline, then age.
    Deadline,
    /// Inquiries, newest first.
    Newest,
}

/// The sort key and the primary key of the last row of a page.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PageCursor {
    /// What the list is sorted by.
    pub key: i64,
    /// The primary key.
    pub number: i64,
}

impl PageCursor {
    /// Before the first row of an ascending list.
    pub const LOWEST: PageCursor = PageCursor {
        key: i64::MIN,
        number: i64::MIN,
    };

    /// Before the first row of a descending list.
    pub const HIGHEST: PageCursor = PageCursor {
        key: i64::MAX,
        number: i64::MAX,
    };

    /// The text that a caller gets.
    pub fn render(self, order: Order) -> String {
        format!("{}{:x}.{:x}", order.letter(), self.key, self.number)
    }

    /// Fails unless the cursor comes from a list in this order.
    pub fn parse(text: &str, order: Order) -> Result<PageCursor, StoreError> {
        let numbers = text
            .strip_prefix(order.letter())
            .and_then(|rest| rest.split_once('.'));
        let (key, number) = numbers.ok_or(StoreError::BadCursor)?;
        Ok(PageCursor {
            key: parse_hex(key)?,
            number: parse_hex(number)?,
        })
    }
}

impl Order {
    /// Where a list begins: after the previous page, or at its first row.
    pub fn start(self, cursor: Option<&str>) -> Result<PageCursor, StoreError> {
        match (cursor, self) {
            (Some(text), _) => PageCursor::parse(text, self),
            (None, Order::Deadline) => Ok(PageCursor::LOWEST),
            (None, Order::Activity | Order::Newest) => Ok(PageCursor::HIGHEST),
        }
    }

    fn letter(self) -> char {
        match self {
            Order::Activity => 'a',
            Order::Deadline => 'd',
            Order::Newest => 'n',
        }
    }
}

fn parse_hex(digits: &str) -> Result<i64, StoreError> {
    u64::from_str_radix(digits, 16)
        .map(u64::cast_signed)
        .map_err(|_| StoreError::BadCursor)
}

#[cfg(test)]
#[path = "cursor_tests.rs"]
mod tests;
