//! A question of the list is handed on, and an open card follows its recipient.

use std::time::Duration;

use serde_json::json;

use super::{add, asked_in, inbox, press, shown, single};
use crate::inbox::{Inbox, InboxEvent, InboxRequest};
use crate::prompt::{PromptEvent, PromptRequest};
use askback_core::dialect::Dialect;
use askback_core::id::InquiryId;
use askback_terminal::app::Screen as _;
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

/// The people are shown for the question of the list.
fn open_people(inbox: &mut Inbox) {
    press(inbox, &[Key::char('H')], 10);
    // In an open question, the letter may be the beginning of a word.
    inbox.tick(Duration::from_secs(11));
    let listed = r#"[{"alias": "ben", "name": "Ben", "reachable": true}]"#;
    let listed = serde_json::from_str(listed).expect("they are recipients");
    let event = PromptEvent::Recipients(Ok(listed));
    inbox.handle_event(InboxEvent::Prompt(InquiryId::new("1"), event));
    inbox.on_painted(Duration::from_secs(12));
}

/// Whoever hands on from the list is in the list again, and the next key is not typed into an answer.
#[test]
fn handing_on_from_the_list_ends_in_the_list() {
    let input = json!({"question": "What is it for?"});
    let mut inbox = inbox();
    add(&mut inbox, asked_in(Dialect::AskUser, "1", 1, &input));
    open_people(&mut inbox);
    let people = shown(&inbox);
    assert!(people.contains("esc back to the list"), "{people}");
    assert!(people.contains("What is it for?"), "{people}");
    press(&mut inbox, &[Key::plain(KeyCode::Enter)], 20);
    let handed_on = PromptEvent::HandedOn(Ok("Ben".to_owned()));
    inbox.handle_event(InboxEvent::Prompt(InquiryId::new("1"), handed_on));
    assert!(inbox.overlay.is_none(), "{}", shown(&inbox));
    assert!(shown(&inbox).contains("handed on"), "{}", shown(&inbox));
    inbox.take_inbox_requests();
    press(&mut inbox, &[Key::char('x')], 30);
    assert_eq!(inbox.take_inbox_requests(), [], "nothing was typed");
}

/// Whoever opened the question first is in it again.
#[test]
fn handing_on_from_a_question_ends_in_the_question() {
    let mut inbox = inbox();
    add(&mut inbox, single("1", 1));
    press(&mut inbox, &[Key::plain(KeyCode::Enter)], 5);
    open_people(&mut inbox);
    let people = shown(&inbox);
    assert!(people.contains("esc back to the question"), "{people}");
    press(&mut inbox, &[Key::plain(KeyCode::Esc)], 20);
    assert!(inbox.open_prompt().is_some(), "{}", shown(&inbox));
}

#[test]
fn esc_leads_from_the_people_to_the_list() {
    let mut inbox = inbox();
    add(&mut inbox, single("1", 1));
    open_people(&mut inbox);
    press(&mut inbox, &[Key::plain(KeyCode::Esc)], 20);
    assert!(inbox.overlay.is_none(), "{}", shown(&inbox));
    let text = shown(&inbox);
    assert!(!text.contains("handed on"), "{text}");
}

#[test]
fn help_lists_the_key() {
    let mut inbox = inbox();
    add(&mut inbox, single("1", 1));
    press(&mut inbox, &[Key::char('?')], 10);
    let text = shown(&inbox);
    assert!(text.contains("hand on to somebody else"), "{text}");
}
