//! Goal: a cursor is parsed as it was written, for its own order only, and no text makes it panic.

use super::*;

const ORDERS: [Order; 3] = [Order::Activity, Order::Deadline, Order::Newest];

#[test]
fn a_cursor_is_valid_for_its_own_order_only() {
    for cursor in [
        PageCursor { key: -5, number: 7 },
        PageCursor::LOWEST,
        PageCursor::HIGHEST,
    ] {
        for made in ORDERS {
            let text = cursor.render(made);
            for read in ORDERS {
                let parsed = PageCursor::parse(&text, read).ok();
                assert_eq!(parsed, (made == read).then_some(cursor), "{text}");
            }
        }
    }
}

#[test]
fn other_texts_are_refused() {
    for text in [
        "",
        "d",
        "d.",
        "d1",
        "d1.",
        "d.1",
        "d1.1.1",
        "dx.1",
        "d11111111111111111.1",
        "D1.1",
        "d 1.1",
        "é1.1",
    ] {
        let parsed = PageCursor::parse(text, Order::Deadline);
        assert!(matches!(parsed, Err(StoreError::BadCursor)), "{text}");
    }
}
