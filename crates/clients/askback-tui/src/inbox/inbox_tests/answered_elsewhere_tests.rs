//! Questions that are answered elsewhere while somebody looks at them.

use super::*;

/// A question that ends elsewhere and nobody looks at goes, and the line says who ended it.
#[test]
fn question_that_ends_elsewhere_goes() {
    let mut inbox = inbox();
    add(&mut inbox, single("a", 1));
    add(&mut inbox, single("b", 2));
    ends_elsewhere(&mut inbox, "b", 2);
    assert_eq!(names(&inbox)[0], "a");
    assert!(shown(&inbox).contains("✔ Name b: First — answered by ana in the browser"));
}

/// The focused question stays where it is when it ends elsewhere, and no key meant for it
/// reaches the next one.
#[test]
fn focused_question_that_ends_elsewhere_stays_until_the_user_moves_on() {
    let mut inbox = inbox();
    add(&mut inbox, single("a", 1));
    add(&mut inbox, single("b", 2));
    ends_elsewhere(&mut inbox, "a", 1);
    inbox.on_painted(Duration::from_secs(5));
    let list = shown(&inbox);
    assert!(list.contains(">   builder • Name a"), "{list}");
    assert!(list.contains("answered by ana in the browser"), "{list}");
    assert!(list.contains("1 question waiting"), "{list}");
    for (key, seconds) in "12y3sdrx".chars().zip(10..) {
        press(&mut inbox, &[Key::char(key)], seconds);
        assert_eq!(inbox.take_inbox_requests(), [], "{key}");
        assert!(shown(&inbox).contains(">   builder • Name a"), "{key}");
    }
    press(&mut inbox, &[Key::plain(KeyCode::Enter)], 30);
    assert!(
        shown(&inbox).contains(">   builder • Name b"),
        "{}",
        shown(&inbox)
    );
    assert_eq!(names(&inbox), ["b"]);
}

/// Whoever was typing sees who was faster and keeps the text; nothing they go on typing
/// reaches another question.
#[test]
fn open_question_that_ends_elsewhere_keeps_the_text() {
    let mut inbox = inbox();
    add(&mut inbox, single("a", 1));
    add(&mut inbox, single("b", 2));
    press(
        &mut inbox,
        &[Key::plain(KeyCode::Enter), Key::char('o')],
        10,
    );
    let text: Vec<Key> = "third".chars().map(Key::char).collect();
    press(&mut inbox, &text, 12);
    inbox.take_inbox_requests();
    ends_elsewhere(&mut inbox, "a", 1);
    inbox.on_painted(Duration::from_secs(16));
    let more: Vec<Key> = "r1y quick".chars().map(Key::char).collect();
    press(&mut inbox, &more, 17);
    let screen = shown(&inbox);
    assert!(
        screen.contains("answered by ana in the browser"),
        "{screen}"
    );
    assert!(screen.contains("Not sent: third"), "{screen}");
    assert_eq!(
        (inbox.take_inbox_requests(), inbox.take_requests()),
        (vec![], vec![])
    );
    press(&mut inbox, &[Key::plain(KeyCode::Enter)], 30);
    assert!(
        shown(&inbox).contains(">   builder • Name a"),
        "{}",
        shown(&inbox)
    );
    assert_eq!(inbox.take_inbox_requests(), []);
}

/// A question that somebody else answered in a terminal, and can still undo.
fn held_event(inquiry: InquiryResponse, until: Duration) -> InboxEvent {
    InboxEvent::Inquiry(Box::new(InquiryUpdate {
        held_until: Some(until),
        ..update(inquiry)
    }))
}

fn held_elsewhere(id: &str) -> InquiryResponse {
    let mut inquiry = later(single(id, 1));
    let held = json!({"until": "2027-03-01T00:00:05Z", "at": "2027-03-01T00:00:00Z",
        "outcome": {"type": "answered", "answers": [
            {"question": "q1", "given": "chosen", "values": ["Second"]}]},
        "surface": "terminal", "answered_by": "ana"});
    inquiry.held = Some(serde_json::from_value(held).expect("a held reply"));
    inquiry
}

/// Two questions, the first open with an own answer typed into it.
fn typing_an_own_answer() -> Inbox {
    let mut inbox = inbox();
    add(&mut inbox, single("a", 1));
    add(&mut inbox, single("b", 2));
    let keys = [Key::plain(KeyCode::Enter), Key::char('o')];
    press(&mut inbox, &keys, 10);
    let text: Vec<Key> = "third".chars().map(Key::char).collect();
    press(&mut inbox, &text, 12);
    inbox
}

fn assert_shows_unsent(inbox: &Inbox) {
    let screen = shown(inbox);
    for text in [
        "answered by ana in the terminal",
        "It can still be undone there",
        "Not sent: third",
    ] {
        assert!(screen.contains(text), "{text}: {screen}");
    }
}

/// An answer from elsewhere shows at once, while it can still be undone there, and what was
/// typed comes back if it is.
#[test]
fn answer_that_can_be_undone_elsewhere_shows_at_once_and_keeps_the_text() {
    let mut inbox = typing_an_own_answer();
    let until = Duration::from_secs(25);
    inbox.handle_event(held_event(held_elsewhere("a"), until));
    inbox.on_painted(Duration::from_secs(16));
    assert_shows_unsent(&inbox);
    inbox.take_inbox_requests();
    inbox.handle_event(now(later(later(single("a", 1)))));
    inbox.on_painted(Duration::from_secs(20));
    assert!(shown(&inbox).contains("third"), "{}", shown(&inbox));
    press(&mut inbox, &[Key::plain(KeyCode::Enter)], 30);
    let requests = inbox.take_inbox_requests();
    let [InboxRequest::SendReply(_, InquiryReply::Answer(answers))] = requests.as_slice() else {
        panic!("{requests:?}");
    };
    assert!(answers.to_json().to_string().contains("third"));
}

/// A reply that arrives after somebody else's is never shown as if it had been taken.
#[test]
fn reply_that_came_second_is_shown_as_not_sent() {
    let mut inbox = typing_an_own_answer();
    press(&mut inbox, &[Key::plain(KeyCode::Enter)], 20);
    assert_eq!(names(&inbox), ["b"]);
    let found = Box::new(InquiryUpdate {
        held_until: Some(Duration::from_secs(30)),
        ..update(held_elsewhere("a"))
    });
    inbox.handle_event(InboxEvent::AnsweredFirst(found));
    inbox.on_painted(Duration::from_secs(21));
    assert_shows_unsent(&inbox);
    // The outcome changes nothing about it.
    let mut resolved = held_elsewhere("a");
    let held = resolved.held.take().expect("a held reply");
    resolved.outcome = Some(held.outcome);
    resolved.surface = Some(held.surface);
    resolved.answered_by = held.answered_by;
    resolved.status = "answered".into();
    inbox.handle_event(now(later(resolved)));
    let screen = shown(&inbox);
    assert!(
        screen.contains("answered by ana in the terminal"),
        "{screen}"
    );
    assert!(screen.contains("Not sent: third"), "{screen}");
}

/// The outcome of somebody else is recognised even if it arrives before the refusal.
#[test]
fn outcome_of_somebody_else_is_not_taken_for_the_own_reply() {
    let mut inbox = inbox();
    add(&mut inbox, single("a", 1));
    press(&mut inbox, &[Key::char('2')], 10);
    ends_elsewhere(&mut inbox, "a", 1);
    let screen = shown(&inbox);
    assert!(
        screen.contains("answered by ana in the browser"),
        "{screen}"
    );
    assert!(screen.contains("Not sent: Second"), "{screen}");
}

/// A key that does nothing says why, and without keys the question gives way after some seconds.
#[test]
fn question_that_ended_elsewhere_gives_way_after_a_while() {
    let mut inbox = inbox();
    add(&mut inbox, single("a", 1));
    add(&mut inbox, single("b", 2));
    inbox.tick(Duration::from_secs(4));
    ends_elsewhere(&mut inbox, "a", 1);
    inbox.on_painted(Duration::from_secs(5));
    press(&mut inbox, &[Key::char('2')], 7);
    assert!(
        shown(&inbox).contains("This question has been answered. enter goes to the next one"),
        "{}",
        shown(&inbox)
    );
    let left = inbox.next_tick(Duration::from_secs(8));
    assert_eq!(left, Some(Duration::from_secs(4)));
    inbox.tick(Duration::from_secs(11));
    assert!(shown(&inbox).contains(">   builder • Name a"));
    inbox.tick(Duration::from_secs(12));
    let list = shown(&inbox);
    assert!(list.contains(">   builder • Name b"), "{list}");
    assert!(list.contains("answered by ana in the browser"), "{list}");
    assert_eq!(inbox.take_inbox_requests(), []);
}

/// What arrives late is older than what is shown, and changes nothing: neither a question that has ended comes back, nor an
/// answer that was undone.
#[test]
fn older_copy_that_arrives_late_changes_nothing() {
    let mut inbox = inbox();
    add(&mut inbox, single("a", 1));
    add(&mut inbox, single("b", 2));
    ends_elsewhere(&mut inbox, "b", 2);
    inbox.handle_event(now(single("b", 2)));
    assert_eq!(inbox.list.open_count(), 1, "{}", shown(&inbox));
    let reopened = later(later(single("a", 1)));
    inbox.handle_event(now(reopened));
    inbox.handle_event(held_event(held_elsewhere("a"), Duration::from_secs(25)));
    assert_eq!(inbox.list.open_count(), 1, "{}", shown(&inbox));
}
