//! Questions that are answered elsewhere while somebody looks at them.

use super::*;

/// T33: a question that ends elsewhere and nobody looks at goes, and the line says who ended it.
#[test]
fn question_that_ends_elsewhere_goes() {
    let mut inbox = inbox();
    add(&mut inbox, single("a", 1));
    add(&mut inbox, single("b", 2));
    ends_elsewhere(&mut inbox, "b", 2);
    assert_eq!(names(&inbox)[0], "a");
    assert!(shown(&inbox).contains("✔ Name b: First — answered by ana in the browser"));
}

/// F-W-3, A4: the focused question stays where it is when it ends elsewhere, and no key meant for it
/// reaches the next one.
#[test]
fn focused_question_that_ends_elsewhere_stays_until_the_user_moves_on() {
    let mut inbox = inbox();
    add(&mut inbox, single("a", 1));
    add(&mut inbox, single("b", 2));
    ends_elsewhere(&mut inbox, "a", 1);
    inbox.on_painted(Duration::from_secs(5));
    let list = shown(&inbox);
    assert!(list.contains(">   Name a"), "{list}");
    assert!(list.contains("answered by ana in the browser"), "{list}");
    assert!(list.contains("1 question waiting"), "{list}");
    for (key, seconds) in "12y3sdrx".chars().zip(10..) {
        press(&mut inbox, &[Key::char(key)], seconds);
        assert_eq!(inbox.take_inbox_requests(), [], "{key}");
        assert!(shown(&inbox).contains(">   Name a"), "{key}");
    }
    press(&mut inbox, &[Key::plain(KeyCode::Enter)], 30);
    assert!(shown(&inbox).contains(">   Name b"), "{}", shown(&inbox));
    assert_eq!(names(&inbox), ["b"]);
}

/// F-T-17, A10: whoever was typing sees who was faster and keeps the text; nothing they go on typing
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
    assert!(shown(&inbox).contains(">   Name a"), "{}", shown(&inbox));
    assert_eq!(inbox.take_inbox_requests(), []);
}
