//! A question of the list is handed on, and an open card follows its recipient.

use super::{add, inbox, press, shown, single};
use crate::inbox::{InboxEvent, InboxRequest};
use crate::prompt::{PromptEvent, PromptRequest};
use askback_core::id::InquiryId;
use askback_terminal::key::{Key, KeyCode};

#[test]
fn key_of_the_list_opens_the_people() {
    let mut inbox = inbox();
    add(&mut inbox, single("1", 1));
    press(&mut inbox, &[Key::char('H')], 10);
    let id = InquiryId::new("1");
    let requests = inbox.take_inbox_requests();
    let expected = [InboxRequest::Prompt(
        id.clone(),
        PromptRequest::ListRecipients,
    )];
    assert_eq!(requests, expected);
    let listed = r#"[{"alias": "ben", "name": "Ben", "reachable": true}]"#;
    let listed = serde_json::from_str(listed).expect("they are recipients");
    inbox.handle_event(InboxEvent::Prompt(
        id.clone(),
        PromptEvent::Recipients(Ok(listed)),
    ));
    assert!(
        shown(&inbox).contains("Hand on to Ben"),
        "{}",
        shown(&inbox)
    );
    press(&mut inbox, &[Key::plain(KeyCode::Enter)], 20);
    let sent = PromptRequest::HandOn {
        recipient: "ben".to_owned(),
        reason: None,
    };
    let requests = inbox.take_inbox_requests();
    assert_eq!(requests, [InboxRequest::Prompt(id.clone(), sent)]);
    inbox.handle_event(InboxEvent::Prompt(
        id,
        PromptEvent::HandedOn(Ok("Ben".to_owned())),
    ));
    let mut handed_on = single("1", 1);
    handed_on.recipient = Some("ben".to_owned());
    handed_on.recipient_name = Some("Ben".to_owned());
    add(&mut inbox, handed_on);
    press(&mut inbox, &[Key::plain(KeyCode::Down)], 30);
    assert!(shown(&inbox).contains("for Ben"), "{}", shown(&inbox));
}

#[test]
fn help_lists_the_key() {
    let mut inbox = inbox();
    add(&mut inbox, single("1", 1));
    press(&mut inbox, &[Key::char('?')], 10);
    let text = shown(&inbox);
    assert!(text.contains("hand on to somebody else"), "{text}");
}
