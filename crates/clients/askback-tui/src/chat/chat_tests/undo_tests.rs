//! An answer in the chat can be undone before the agent gets it.

use super::*;

/// The server holds the answer to a question for five seconds from now.
fn set_held(chat: &mut Chat, id: &str, header: &str) {
    let mut held = inquiry(id, header);
    let answer = json!({"until": "2027-03-01T00:00:05Z", "at": "2027-03-01T00:00:00Z",
        "surface": "terminal", "outcome": {"type": "answered", "answers": [
            {"question": "q1", "given": "chosen", "values": ["SQLite"]}]}});
    held.held = Some(serde_json::from_value(answer).expect("a held answer"));
    let until = chat.now + Duration::from_secs(5);
    chat.handle_event(held_until(held, until));
}

fn held_until(mut held: InquiryResponse, until: Duration) -> ChatEvent {
    held.version += 1;
    ChatEvent::Inquiry(Box::new(InquiryUpdate {
        held_until: Some(until),
        ..update(held)
    }))
}

fn answer(chat: &mut Chat, id: &str, header: &str) {
    press(chat, &[Key::char('2')]);
    let requests = chat.take_chat_requests();
    assert!(
        matches!(requests.as_slice(), [ChatRequest::SendReply(..)]),
        "{requests:?}"
    );
    set_held(chat, id, header);
}

fn undone(id: &str) -> ChatRequest {
    ChatRequest::Undo(askback_core::id::InquiryId::new(id))
}

fn reopens(chat: &mut Chat, id: &str) {
    let mut inquiry = inquiry(id, "Database");
    inquiry.version += 2;
    chat.handle_event(now(inquiry));
}

/// One line offers it, `u` undoes, and the question comes back; its answer is not in the transcript.
#[test]
fn letter_undoes_the_last_answer() {
    let mut chat = chat();
    asks(&mut chat, "inq_1", "Database");
    answer(&mut chat, "inq_1", "Database");
    let screen = shown(&chat);
    assert!(
        screen.contains("✔ Database: SQLite — u: undo (5 s)"),
        "{screen}"
    );
    assert!(screen.contains("enter continue • esc menu"), "{screen}");
    press(&mut chat, &[Key::char('u')]);
    assert_eq!(chat.take_chat_requests(), [undone("inq_1")]);
    reopens(&mut chat, "inq_1");
    let screen = shown(&chat);
    assert!(
        screen.contains("Which one?") && screen.contains("Undone"),
        "{screen}"
    );
    assert_eq!(printed(&mut chat), Vec::<String>::new());
}

/// Enter continues at once, but not the enter that answered.
#[test]
fn enter_continues_before_the_window_ends() {
    let mut chat = chat();
    asks(&mut chat, "inq_1", "Database");
    let enter = Key::plain(KeyCode::Enter);
    press(&mut chat, &[Key::plain(KeyCode::Down), enter]);
    chat.take_chat_requests();
    set_held(&mut chat, "inq_1", "Database");
    let soon = chat.now + Duration::from_millis(200);
    chat.handle(&InputEvent::Key(enter), soon);
    assert_eq!(chat.take_chat_requests(), []);
    assert!(shown(&chat).contains("Too soon"), "{}", shown(&chat));
    press(&mut chat, &[enter]);
    let id = askback_core::id::InquiryId::new("inq_1");
    assert_eq!(chat.take_chat_requests(), [ChatRequest::CommitAnswer(id)]);
}

/// A digit that is meant for the next question lets the answer take effect, so that the question comes, and gets into no
/// message.
#[test]
fn digit_for_the_next_question_continues() {
    let mut chat = chat();
    asks(&mut chat, "inq_1", "Database");
    answer(&mut chat, "inq_1", "Database");
    let id = askback_core::id::InquiryId::new("inq_1");
    press(&mut chat, &[Key::char('1')]);
    assert_eq!(chat.take_chat_requests(), [ChatRequest::CommitAnswer(id)]);
    assert!(shown(&chat).contains("Too soon"), "{}", shown(&chat));
    assert!(chat.composer.is_empty());
}

/// The next question stands below the offer. Its own changes are undone first, then the answer before it.
#[test]
fn next_question_does_not_hide_the_offer() {
    let mut chat = chat();
    asks(&mut chat, "inq_1", "Database");
    asks(&mut chat, "inq_2", "Cache");
    answer(&mut chat, "inq_1", "Database");
    chat.on_painted(chat.now);
    let screen = shown(&chat);
    assert!(
        screen.contains("✔ Database: SQLite — u: undo (5 s)"),
        "{screen}"
    );
    assert!(screen.contains("Cache"), "{screen}");
    press(&mut chat, &[Key::char(' ')]);
    press(&mut chat, &[Key::char('u')]);
    let saved = chat.take_chat_requests();
    let undone_only = |request: &ChatRequest| *request == undone("inq_1");
    assert!(
        !saved.iter().any(undone_only),
        "the mark is undone: {saved:?}"
    );
    press(&mut chat, &[Key::char('u')]);
    assert!(chat.take_chat_requests().iter().any(undone_only));
    reopens(&mut chat, "inq_1");
    assert!(shown(&chat).contains("Database"), "{}", shown(&chat));
}

/// Both answers of two questions in a row can be undone, the last one first.
#[test]
fn answers_are_undone_one_by_one() {
    let mut chat = chat();
    asks(&mut chat, "inq_1", "Database");
    asks(&mut chat, "inq_2", "Cache");
    answer(&mut chat, "inq_1", "Database");
    chat.on_painted(chat.now);
    answer(&mut chat, "inq_2", "Cache");
    press(&mut chat, &[Key::char('u')]);
    assert_eq!(chat.take_chat_requests(), [undone("inq_2")]);
    press(&mut chat, &[Key::char('u')]);
    assert_eq!(chat.take_chat_requests(), [undone("inq_1")]);
}

/// In a message, letters are text: another key undoes, and the line names it. The message is not sent
/// while the agent waits for the end of the window.
#[test]
fn letters_of_a_message_undo_nothing() {
    let mut chat = chat();
    asks(&mut chat, "inq_1", "Database");
    press(&mut chat, &[Key::char('2')]);
    chat.take_chat_requests();
    type_text(&mut chat, "a");
    set_held(&mut chat, "inq_1", "Database");
    press(&mut chat, &[Key::char('u')]);
    assert_eq!(chat.take_chat_requests(), []);
    let screen = shown(&chat);
    assert!(
        screen.contains("› au") && screen.contains("ctrl+_: undo ("),
        "{screen}"
    );
    press(&mut chat, &[Key::plain(KeyCode::Enter)]);
    assert_eq!(chat.take_chat_requests(), []);
    assert!(
        shown(&chat).contains("Your message was not sent"),
        "{}",
        shown(&chat)
    );
    press(&mut chat, &[Key::ctrl('_')]);
    assert_eq!(chat.take_chat_requests(), [undone("inq_1")]);
}

/// The offer ends with its window, and leaving before says that the answer stands.
#[test]
fn offer_ends_with_its_window() {
    let mut left = chat();
    asks(&mut left, "inq_1", "Database");
    answer(&mut left, "inq_1", "Database");
    press(&mut left, &[Key::ctrl('c')]);
    assert!(
        printed(&mut left)
            .join(" ")
            .contains("Your answer is stored."),
    );
    let mut chat = chat();
    asks(&mut chat, "inq_1", "Database");
    answer(&mut chat, "inq_1", "Database");
    chat.tick(chat.now + Duration::from_secs(5));
    assert!(!shown(&chat).contains("undo"), "{}", shown(&chat));
    press(&mut chat, &[Key::char('u')]);
    assert_eq!(chat.take_chat_requests(), []);
}

/// A conversation that is resumed within the window offers it too.
#[test]
fn resumed_conversation_offers_undo() {
    let mut chat = chat();
    let mut held = inquiry("inq_1", "Database");
    held.held = Some(
        serde_json::from_value(json!({"until": "2027-03-01T00:00:05Z",
        "at": "2027-03-01T00:00:00Z", "surface": "terminal", "outcome": {"type": "declined"}}))
        .expect("a held answer"),
    );
    let until = chat.now + Duration::from_secs(3);
    chat.handle_event(held_until(held, until));
    let screen = shown(&chat);
    assert!(screen.contains("u: undo (3 s)"), "{screen}");
    assert!(!screen.contains("Which one?"), "{screen}");
}

/// Enter right after the digit that answered does not end the time to undo.
#[test]
fn enter_after_a_digit_keeps_the_offer() {
    for gap in [80, 200] {
        let mut chat = chat();
        asks(&mut chat, "inq_1", "Database");
        press(&mut chat, &[Key::char('2')]);
        chat.take_chat_requests();
        set_held(&mut chat, "inq_1", "Database");
        let answered = chat.last_key.map(|(_, at)| at).unwrap_or_default();
        let enter = InputEvent::Key(Key::plain(KeyCode::Enter));
        chat.handle(&enter, answered + Duration::from_millis(gap));
        assert_eq!(chat.take_chat_requests(), [], "{gap}");
        assert!(shown(&chat).contains("undo"), "{}", shown(&chat));
        chat.handle(&enter, answered + Duration::from_secs(2));
        assert_eq!(chat.take_chat_requests().len(), 1, "{gap}");
    }
}
