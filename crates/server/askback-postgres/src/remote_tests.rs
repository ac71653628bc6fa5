//! Goal: a notification is parsed as it was written, and no payload makes the parser panic.

use super::*;

#[test]
fn a_message_is_parsed_as_it_was_written() {
    for message in [
        Message::Committed {
            node: 7,
            newest: 12,
            has_free_jobs: true,
        },
        Message::Committed {
            node: i64::MAX,
            newest: 0,
            has_free_jobs: false,
        },
        Message::JobsFreed { node: 1 },
        Message::Probe { node: 3 },
        Message::Snoozed {
            node: 6,
            inquiry: InquiryId::from(11),
        },
    ] {
        assert_eq!(Message::parse(&message.to_string()), Some(message));
    }
    for payload in ["", "c", "c x", "c 1", "c 1 x", "z 1", "j", " ", "s 1"] {
        assert_eq!(Message::parse(payload), None, "{payload:?}");
    }
}
