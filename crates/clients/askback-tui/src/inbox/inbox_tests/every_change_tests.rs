//! Each change of an inquiry that the server can send reaches the inbox. `web/tests/every-change.test.mjs` replays the same
//! file into the store of the browser.

use askback_terminal::clock::Clock;
use askback_wire::event::InquiryEvent;

use super::{InboxEvent, inbox};
use crate::inquiry_update::InquiryUpdate;

const CHANGES: &str = include_str!("../../../../../domain/askback-wire/src/inquiry_changes.json");

#[test]
fn inbox_shows_every_change() {
    let changes: Vec<InquiryEvent> = serde_json::from_str(CHANGES).expect("events");
    let clock = Clock::start();
    let mut inbox = inbox();
    for event in changes {
        let what = event.change.to_string();
        let expected = event.inquiry.clone();
        let update = InquiryUpdate::new(clock, event.inquiry, None);
        inbox.handle_event(InboxEvent::Inquiry(Box::new(update)));
        let item = inbox.list.items().first().expect("it is listed");
        if expected.status.is_resolved() {
            assert!(!item.ended.is_empty(), "{what}");
        } else {
            assert_eq!(item.inquiry, expected, "{what}");
        }
        let is_snoozed = inbox.list.is_snoozed(&expected.id);
        assert_eq!(is_snoozed, expected.snoozed_until.is_some(), "{what}");
    }
}
