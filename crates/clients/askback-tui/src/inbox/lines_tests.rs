//! The inbox of lines: numbers, one after the other, news once and between.

use std::collections::HashSet;

use askback_core::id::InquiryId;
use askback_locale::Locale;

use super::super::tests::{now, single};
use super::super::{InboxEvent, LineInbox, LineInboxAction, Mine};
use askback_terminal::glyphs::Glyphs;

fn inbox(ids: &[&str]) -> LineInbox {
    let mut inbox = LineInbox::new(Locale::choose(&["en"]), Glyphs::LINES, Mine::default());
    for (minute, id) in (1..).zip(ids) {
        inbox.handle_event(now(single(id, minute)));
    }
    inbox
}

fn id(id: &str) -> InquiryId {
    InquiryId::new(id)
}

/// Everything is said once, with the number that chooses it.
#[test]
fn list_is_numbered_and_lines_choose() {
    let mut inbox = inbox(&["a", "b"]);
    let expected = "Inbox.\n2 questions waiting.\n1. Name a, from builder.\n2. Name b, from builder.\n\
        Type a number to answer, an empty line for the first, or ? for help: ";
    assert_eq!(inbox.list(), expected);
    assert_eq!(inbox.take_messages(), None, "the list has told it");
    assert_eq!(inbox.handle_line("2"), LineInboxAction::Ask(id("b")));
    assert_eq!(inbox.handle_line(""), LineInboxAction::Ask(id("a")));
    assert_eq!(
        inbox.handle_line("l"),
        LineInboxAction::Print(expected.to_owned())
    );
    assert_eq!(inbox.handle_line("q"), LineInboxAction::Leave);
    for line in ["0", "3", "x", "-1"] {
        assert!(
            matches!(inbox.handle_line(line), LineInboxAction::Print(_)),
            "{line}"
        );
    }
}

#[test]
fn news_is_told_once() {
    let mut inbox = inbox(&["a"]);
    inbox.list();
    inbox.handle_event(now(single("c", 3)));
    let told = "1 new question.\n2. Name c, from builder.".to_owned();
    assert_eq!(inbox.take_messages(), Some(told));
    assert_eq!(inbox.take_messages(), None);
    let mut over = single("a", 1);
    over.status = "answered".into();
    over.version += 1;
    inbox.handle_event(now(over.clone()));
    assert!(
        inbox
            .take_messages()
            .is_some_and(|told| told.contains("Name a"))
    );
    inbox.handle_event(now(over));
    assert_eq!(
        inbox.take_messages(),
        None,
        "what is not in the list is no news"
    );
}

#[test]
fn next_one_is_behind_even_if_the_one_before_is_gone() {
    let mut inbox = inbox(&["a", "b", "c"]);
    let first = inbox.take(&id("a")).expect("it is there");
    assert_eq!(inbox.following(&first.inquiry), Some(id("b")));
    let last = inbox.take(&id("c")).expect("it is there");
    assert_eq!(inbox.following(&last.inquiry), None);
    inbox.put_back(first);
    assert_eq!(inbox.handle_line("1"), LineInboxAction::Ask(id("a")));
    inbox.handle_event(InboxEvent::PendingIds(HashSet::from([id("b")])));
    assert_eq!(inbox.handle_line("1"), LineInboxAction::Ask(id("b")));
    assert!(matches!(inbox.handle_line("2"), LineInboxAction::Print(_)));
}
