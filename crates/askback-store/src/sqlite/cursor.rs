//! Where a page ended, as a text that only this file understands.

use crate::store::StoreError;

/// The order a list is in. A cursor is good only for lists in the same order.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Order {
    /// Conversations, newest activity first.
    Activity,
    /// Inquiries, by deadline, then age.
    Deadline,
    /// Inquiries, newest first.
    Newest,
}

/// The last row of a page: what it was sorted by, and its number.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Cursor {
    pub(super) key: i64,
    pub(super) number: i64,
}

impl Cursor {
    /// Before every row of a list that ascends.
    pub(super) const LOWEST: Cursor = Cursor {
        key: i64::MIN,
        number: i64::MIN,
    };

    /// Before every row of a list that descends.
    pub(super) const HIGHEST: Cursor = Cursor {
        key: i64::MAX,
        number: i64::MAX,
    };

    /// The cursor as it is handed out.
    pub(super) fn render(self, order: Order) -> String {
        format!("{}{:x}.{:x}", order.letter(), self.key, self.number)
    }

    /// Reads a cursor that was handed out for a list in this order.
    pub(super) fn parse(text: &str, order: Order) -> Result<Cursor, StoreError> {
        let numbers = text
            .strip_prefix(order.letter())
            .and_then(|rest| rest.split_once('.'));
        let (key, number) = numbers.ok_or(StoreError::BadCursor)?;
        Ok(Cursor {
            key: parse_hex(key)?,
            number: parse_hex(number)?,
        })
    }
}

impl Order {
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
