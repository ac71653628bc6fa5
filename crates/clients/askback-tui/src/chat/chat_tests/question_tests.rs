//! A question is answered in place, and leaves when it is resolved.

use super::*;
use crate::deadline::Deadline;

/// A digit answers once the question can have been seen, and one line stays.
#[test]
fn question_is_answered_inline_and_one_line_stays() {
    let mut chat = chat();
    asks(&mut chat, "inq_1", "Database");
    chat.handle(&InputEvent::Key(Key::char('2')), Duration::from_millis(100));
    assert_eq!(
        chat.take_chat_requests(),
        [],
        "typed before it could be seen"
    );
    press(&mut chat, &[Key::char('2')]);
    let requests = chat.take_chat_requests();
    let [ChatRequest::SendReply(target, InquiryReply::Answer(answers))] = requests.as_slice()
    else {
        panic!("{requests:?}");
    };
    assert_eq!((target.id.as_str(), target.revision), ("inq_1", 0));
    assert!(answers.to_json().to_string().contains("SQLite"));
    assert!(!shown(&chat).contains("Which one?"));
    ends(&mut chat, "inq_1", "terminal");
    assert_eq!(printed(&mut chat), ["✔ Database: SQLite"]);
}

/// An answer from elsewhere takes the question away and says who gave it.
#[test]
fn answer_from_elsewhere_collapses_the_question() {
    let mut chat = chat();
    asks(&mut chat, "inq_1", "Database");
    assert!(shown(&chat).contains("Which one?"));
    ends(&mut chat, "inq_1", "web");
    assert_eq!(
        printed(&mut chat).join(" "),
        "✔ Database: SQLite — answered by ana in the browser"
    );
    assert!(!shown(&chat).contains("Which one?"));
}

/// A refused answer leaves the question open, with the reason.
#[test]
fn refused_answer_comes_back() {
    let mut chat = chat();
    asks(&mut chat, "inq_1", "Database");
    press(&mut chat, &[Key::char('1')]);
    let id = askback_core::id::InquiryId::new("inq_1");
    chat.handle_event(ChatEvent::AnswerRefused(id, "Too late".to_owned()));
    assert!(shown(&chat).contains("Which one?") && shown(&chat).contains("Too late"));
}

/// A question that is kept for later comes back as it was, and not as the menu.
#[test]
fn kept_question_comes_back() {
    let mut chat = chat();
    asks(&mut chat, "inq_1", "Database");
    press(
        &mut chat,
        &[Key::plain(KeyCode::Esc), Key::plain(KeyCode::Enter)],
    );
    assert_eq!(chat.take_chat_requests(), []);
    assert!(shown(&chat).contains("1 question waiting • tab open"));
    press(&mut chat, &[Key::plain(KeyCode::Tab)]);
    assert!(shown(&chat).contains("Which one?"), "{}", shown(&chat));
}

/// Several wait: their number is shown, and a key goes to the next.
#[test]
fn next_question_is_one_key_away() {
    let mut chat = chat();
    asks(&mut chat, "inq_1", "Database");
    asks(&mut chat, "inq_2", "Region");
    assert!(shown(&chat).contains("2 questions waiting • ctrl+t open • Region"));
    assert!(shown(&chat).contains("╭─ Database"));
    press(&mut chat, &[Key::ctrl('t')]);
    assert!(shown(&chat).contains("╭─ Region"));
    chat.on_painted(Duration::ZERO);
    press(&mut chat, &[Key::char('1')]);
    assert!(
        shown(&chat).contains("╭─ Database"),
        "the other one follows"
    );
}

/// A question that ends elsewhere is not replaced by the next one, its text is not
/// lost, and what is typed on is not sent without a pause.
#[test]
fn question_that_ends_elsewhere_leaves_text_and_place() {
    let mut chat = chat();
    asks(&mut chat, "inq_1", "Database");
    asks(&mut chat, "inq_2", "Region");
    press(&mut chat, &[Key::char('o')]);
    type_text(&mut chat, "my own");
    chat.take_chat_requests();
    ends(&mut chat, "inq_1", "web");
    assert!(printed(&mut chat).join("|").contains("Not sent: my own"));
    let mut now = chat.now + Duration::from_millis(100);
    chat.on_painted(now);
    for key in "1y"
        .chars()
        .map(Key::char)
        .chain([Key::plain(KeyCode::Enter)])
    {
        chat.handle(&InputEvent::Key(key), now);
        chat.on_painted(now);
        now += Duration::from_millis(100);
    }
    let screen = shown(&chat);
    assert!(screen.contains("1 question waiting • tab open"), "{screen}");
    assert!(screen.contains("› 1y"), "{screen}");
    assert_eq!(chat.take_chat_requests(), []);
    press(&mut chat, &[Key::plain(KeyCode::Enter)]);
    assert_eq!(
        chat.take_chat_requests(),
        [ChatRequest::SendMessage("1y".to_owned())]
    );
}

/// Another question that ends elsewhere does not move the one that is shown.
#[test]
fn question_in_view_stays_when_an_earlier_one_ends() {
    let mut chat = chat();
    for (id, header) in [("inq_1", "First"), ("inq_2", "Second"), ("inq_3", "Third")] {
        asks(&mut chat, id, header);
    }
    press(&mut chat, &[Key::ctrl('t'), Key::ctrl('t')]);
    assert!(shown(&chat).contains("╭─ Third"));
    ends(&mut chat, "inq_1", "web");
    assert!(shown(&chat).contains("╭─ Third"), "{}", shown(&chat));
}

/// A click on a choice counts from the frame of the question, whatever stands above it.
#[test]
fn clicks_reach_the_question() {
    let mut chat = chat();
    asks(&mut chat, "inq_1", "Database");
    asks(&mut chat, "inq_2", "Storage");
    for seconds in [10, 20] {
        let all = shown(&chat);
        let row = all.lines().position(|line| line.contains("SQLite"));
        let at = askback_terminal::row::Cursor {
            row: row.expect("it is shown"),
            column: 12,
        };
        chat.handle(&InputEvent::Click(at), Duration::from_secs(seconds));
        if seconds == 10 {
            assert!(shown(&chat).contains("> 2 ○ SQLite"), "{}", shown(&chat));
        }
    }
    let requests = format!("{:?}", chat.take_chat_requests());
    assert!(
        requests.contains("Answer") && requests.contains("SQLite"),
        "{requests}"
    );
}

/// A question that the user opens takes their text at once, and no key that answers.
#[test]
fn opened_question_takes_text_at_once() {
    let mut chat = chat();
    type_text(&mut chat, "x");
    let mut asked = inquiry("inq_1", "Name");
    let question = json!([{"id": "q1", "text": "Which name?", "kind": "text"}]);
    asked.questions = serde_json::from_value(question).expect("a question");
    chat.handle_event(super::now(asked));
    press(
        &mut chat,
        &[Key::plain(KeyCode::Backspace), Key::plain(KeyCode::Tab)],
    );
    let mut now = chat.now;
    for ch in "quick".chars() {
        now += Duration::from_millis(50);
        chat.handle(&InputEvent::Key(Key::char(ch)), now);
        chat.on_painted(now);
    }
    assert!(shown(&chat).contains("› quick"), "{}", shown(&chat));
    assert!(shown(&chat).contains("Which name?"), "{}", shown(&chat));
    now += Duration::from_millis(50);
    chat.handle(&InputEvent::Key(Key::plain(KeyCode::Enter)), now);
    assert!(shown(&chat).contains("Which name?"), "{}", shown(&chat));
}

/// A message that the server refuses because of a question is shown as its answer, and sent
/// only with another enter.
#[test]
fn message_is_offered_as_the_answer() {
    let mut chat = chat();
    asks(&mut chat, "inq_1", "Database");
    chat.handle_event(ChatEvent::QuestionFirst("use what CI has".to_owned()));
    let offered = shown(&chat);
    assert!(
        offered.contains("use what CI has") && offered.contains("Please specify:"),
        "{offered}"
    );
    assert!(
        offered.contains("Press enter to send this as your answer"),
        "{offered}"
    );
    chat.take_chat_requests();
    chat.on_painted(chat.now);
    press(&mut chat, &[Key::plain(KeyCode::Enter)]);
    let requests = chat.take_chat_requests();
    let [ChatRequest::SendReply(_, InquiryReply::Answer(answers))] = requests.as_slice() else {
        panic!("{requests:?}");
    };
    assert_eq!(answers.to_json(), json!({"q1": {"own": "use what CI has"}}));
}

/// The label of a choice chooses it, in any case.
#[test]
fn message_with_a_label_is_that_choice() {
    let mut chat = chat();
    asks(&mut chat, "inq_1", "Database");
    chat.handle_event(ChatEvent::QuestionFirst("sqlite".to_owned()));
    chat.take_chat_requests();
    chat.on_painted(chat.now);
    press(&mut chat, &[Key::plain(KeyCode::Enter)]);
    let requests = chat.take_chat_requests();
    let [ChatRequest::SendReply(_, InquiryReply::Answer(answers))] = requests.as_slice() else {
        panic!("{requests:?}");
    };
    assert_eq!(answers.to_json(), json!({"q1": {"values": ["SQLite"]}}));
}

/// A second message does not replace the text that the question has already.
#[test]
fn offered_message_replaces_no_text() {
    let mut chat = chat();
    asks(&mut chat, "inq_1", "Database");
    press(&mut chat, &[Key::char('o'), Key::char('m'), Key::char('y')]);
    chat.handle_event(ChatEvent::QuestionFirst("other".to_owned()));
    assert!(shown(&chat).contains("my"), "{}", shown(&chat));
    press(
        &mut chat,
        &[
            Key::plain(KeyCode::Esc),
            Key::plain(KeyCode::Esc),
            Key::plain(KeyCode::Enter),
        ],
    );
    assert!(shown(&chat).contains("other"), "{}", shown(&chat));
}

/// A deadline that is moved reaches the question, which stays until the server ends it.
#[test]
fn moved_deadline_reaches_the_question() {
    let deadline = |at: &str, ends: u64| {
        Some(Deadline {
            at: at.parse().expect("a time"),
            ends: Duration::from_secs(ends),
            total: Duration::from_mins(5),
        })
    };
    let mut chat = chat();
    let mut asked = inquiry("inq_1", "Database");
    let first = deadline("2027-03-01T00:05:00Z", 300);
    asked.expires_at = first.map(|deadline| deadline.at);
    let deadline_is = |inquiry: &InquiryResponse, deadline| {
        ChatEvent::Inquiry(Box::new(InquiryUpdate {
            deadline,
            ..update(inquiry.clone())
        }))
    };
    chat.handle_event(deadline_is(&asked, first));
    chat.on_painted(Duration::ZERO);
    chat.tick(Duration::from_mins(5));
    assert!(shown(&chat).contains("Time is up"), "{}", shown(&chat));
    let later = deadline("2027-03-01T01:00:00Z", 3600);
    asked.expires_at = later.map(|deadline| deadline.at);
    asked.version += 1;
    chat.handle_event(deadline_is(&asked, later));
    chat.tick(Duration::from_secs(301));
    assert!(!shown(&chat).contains("Time is up"), "{}", shown(&chat));
    assert!(shown(&chat).contains("SQLite"), "{}", shown(&chat));
}
