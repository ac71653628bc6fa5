//! No key answers, stops or sends what the user has not seen.

use super::*;

/// No type-through: whoever is writing goes on writing, and opens the question when they like.
#[test]
fn question_does_not_take_the_keys_of_a_message() {
    let mut chat = chat();
    type_text(&mut chat, "12");
    asks(&mut chat, "inq_1", "Database");
    type_text(&mut chat, "1");
    assert!(shown(&chat).contains("› 121"), "{}", shown(&chat));
    assert!(shown(&chat).contains("1 question waiting • tab open • Database"));
    assert_eq!(chat.take_chat_requests(), []);
    press(&mut chat, &[Key::plain(KeyCode::Tab)]);
    assert!(shown(&chat).contains("Which one?"));
}

/// Esc opens a menu and closes it; only a named choice stops the agent.
#[test]
fn esc_never_stops_anything() {
    let mut chat = chat();
    happens(
        &mut chat,
        "state_change",
        json!({"type": "llm_requesting", "attempt": 1}),
    );
    for _ in 0..5 {
        press(&mut chat, &[Key::plain(KeyCode::Esc)]);
        assert_eq!(
            (chat.take_chat_requests(), chat.take_requests()),
            (vec![], vec![])
        );
    }
    assert!(shown(&chat).contains("2 Stop planner"), "{}", shown(&chat));
    press(&mut chat, &[Key::char('2'), Key::plain(KeyCode::Enter)]);
    assert_eq!(chat.take_chat_requests(), [], "it asks first");
    assert!(shown(&chat).contains("Stop the agent?"), "{}", shown(&chat));
    press(&mut chat, &[Key::char('y')]);
    assert_eq!(chat.take_chat_requests(), [ChatRequest::StopAgent]);
}

/// A digit typed right behind esc does nothing, and the rows of the menu stay in their places
/// when the agent ends its work meanwhile.
#[test]
fn menu_is_seen_before_it_is_used_and_does_not_change() {
    let mut chat = chat();
    let busy = json!({"type": "llm_requesting", "attempt": 1});
    happens(&mut chat, "state_change", busy);
    press(&mut chat, &[Key::plain(KeyCode::Esc)]);
    let soon = chat.now + Duration::from_millis(60);
    chat.handle(&InputEvent::Key(Key::char('3')), soon);
    assert_eq!(chat.take_requests(), []);
    assert!(shown(&chat).contains("Too soon"), "{}", shown(&chat));
    happens(&mut chat, "state_change", json!({"type": "idle"}));
    assert!(shown(&chat).contains("2 Stop planner"), "{}", shown(&chat));
    press(&mut chat, &[Key::char('2')]);
    assert_eq!(
        (chat.take_chat_requests(), chat.take_requests()),
        (vec![], vec![])
    );
}

/// Whoever begins to write when a question appears goes on writing.
#[test]
fn letters_typed_when_a_question_appears_go_to_the_field() {
    let mut chat = chat();
    asks(&mut chat, "inq_1", "Database");
    for (at, ch) in (1..).zip("Yes 1".chars()) {
        let now = Duration::from_millis(100 * at);
        chat.handle(&InputEvent::Key(Key::char(ch)), now);
        chat.on_painted(now);
    }
    let screen = shown(&chat);
    assert!(screen.contains("› Yes 1"), "{screen}");
    assert!(screen.contains("1 question waiting • tab open"), "{screen}");
    assert_eq!(chat.take_chat_requests(), []);
}

/// The next question of a chat is not answered by the key that answered the last one.
#[test]
fn next_question_is_not_answered_by_a_held_key() {
    let mut chat = chat();
    asks(&mut chat, "inq_1", "Database");
    asks(&mut chat, "inq_2", "Region");
    press(&mut chat, &[Key::char('1')]);
    assert_eq!(chat.take_chat_requests().len(), 1);
    let mut now = chat.now + Duration::from_millis(500);
    for _ in 0..100 {
        chat.handle(&InputEvent::Key(Key::char('1')), now);
        chat.on_painted(now);
        now += Duration::from_millis(33);
    }
    assert_eq!(chat.take_chat_requests(), []);
}

/// What is typed before the chat is seen stays as text; it sends nothing and answers nothing.
#[test]
fn early_text_reaches_the_field() {
    let mut chat = chat();
    asks(&mut chat, "inq_1", "Database");
    let keys = [Key::char('1'), Key::plain(KeyCode::Enter), Key::ctrl('c')];
    for key in keys {
        chat.early(&InputEvent::Key(key));
    }
    chat.early(&InputEvent::Paste("two".to_owned()));
    assert_eq!(chat.composer.text(), "1\ntwo");
    assert_eq!(
        (chat.take_chat_requests(), chat.take_requests()),
        (Vec::new(), Vec::new())
    );
}

/// The second press of an impatient finger is no message, and does not keep the next question away.
#[test]
fn second_press_is_no_message() {
    let mut chat = chat();
    asks(&mut chat, "inq_1", "Database");
    press(&mut chat, &[Key::char('1')]);
    let soon = chat.now + Duration::from_millis(100);
    chat.handle(&InputEvent::Key(Key::char('1')), soon);
    assert!(!shown(&chat).contains("› 1"), "{}", shown(&chat));
    assert!(shown(&chat).contains("Too soon"), "{}", shown(&chat));
    asks(&mut chat, "inq_2", "Region");
    assert!(shown(&chat).contains("╭─ Region"), "{}", shown(&chat));
    let mut chat = self::chat();
    type_text(&mut chat, "1");
    assert!(shown(&chat).contains("› 1"), "nothing was answered with it");
}

/// A message is not sent as an answer to a question that appears while it is written.
#[test]
fn message_is_no_answer_to_a_question_that_just_appeared() {
    let mut chat = chat();
    type_text(&mut chat, "hello");
    asks(&mut chat, "inq_1", "Database");
    let soon = chat.now + Duration::from_millis(100);
    chat.handle(&InputEvent::Key(Key::plain(KeyCode::Enter)), soon);
    assert_eq!(chat.take_chat_requests(), []);
    press(&mut chat, &[Key::plain(KeyCode::Enter)]);
    assert_eq!(
        chat.take_chat_requests(),
        [ChatRequest::SendMessage("hello".to_owned())]
    );
}

/// What is pasted when a question appears goes to the field.
#[test]
fn paste_when_a_question_appears_goes_to_the_field() {
    let mut chat = chat();
    asks(&mut chat, "inq_1", "Database");
    let soon = Duration::from_millis(100);
    chat.handle(&InputEvent::Paste("some text".to_owned()), soon);
    let screen = shown(&chat);
    assert!(screen.contains("› some text"), "{screen}");
    assert!(screen.contains("1 question waiting • tab open"), "{screen}");
}
