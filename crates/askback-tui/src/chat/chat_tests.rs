//! The chat: what is said is printed once, questions are asked where they come, and no key that
//! slips loses anything.

use std::time::Duration;

use askback_core::dialect::{Dialect, ParseOptions};
use askback_locale::Locale;
use askback_wire::conversation::ConversationDetailResponse;
use askback_wire::event::EventResponse;
use askback_wire::inquiry::InquiryResponse;
use askback_wire::question::QuestionResponse;
use askback_wire::sse::SseFrame;
use serde_json::{Value, json};

use super::{Chat, ChatConfig, ChatEvent, ChatRequest};
use crate::reply::Reply;
use askback_terminal::app::{Screen as _, ScreenRequest};
use askback_terminal::glyphs::Glyphs;
use askback_terminal::key::{InputEvent, Key, KeyCode, Modifiers};
use askback_terminal::row::{Row, Size};

const ID: &str = "cnv_1";
const LATER: Duration = Duration::from_mins(1);

fn chat() -> Chat {
    let config = ChatConfig {
        locale: Locale::choose(&["en"]),
        glyphs: Glyphs::LINES,
        today: jiff::civil::date(2027, 3, 1),
        typeahead_window: crate::TYPEAHEAD_WINDOW,
        keymap: crate::keymap::Keymap::default(),
        border: crate::prompt::Border::Rail,
        command: "askback chat --resume {id}".to_owned(),
    };
    let mut chat = Chat::new(config, "planner");
    chat.resize(Size {
        columns: 60,
        rows: 20,
    });
    chat.handle_event(ChatEvent::Connected(None));
    let detail: ConversationDetailResponse = serde_json::from_value(json!({
        "id": ID, "driver": "built_in", "app": null, "title": null, "parent": null,
        "state": {"type": "idle"}, "created_at": "2027-03-01T00:00:00Z",
        "updated_at": "2027-03-01T00:00:00Z", "version": 1, "messages": [], "before": null,
    }))
    .expect("a conversation");
    chat.handle_event(ChatEvent::Opened(
        Box::new(detail),
        Vec::new(),
        "planner".to_owned(),
    ));
    chat
}

fn happens(chat: &mut Chat, name: &str, mut data: Value) {
    data["conversation_id"] = json!(ID);
    data["sequence"] = json!(1);
    let frame = SseFrame {
        event: name.to_owned(),
        id: None,
        data: data.to_string(),
    };
    let event = EventResponse::from(frame);
    assert!(!matches!(event, EventResponse::Unknown(_)), "{event:?}");
    chat.handle_event(ChatEvent::Event(Box::new(event)));
}

fn says(chat: &mut Chat, role: &str, id: &str, text: &str) {
    let at = "2027-03-01T00:00:00Z";
    let blocks = json!([{"type": "content", "text": text, "timestamp": at}]);
    let message = json!({"id": id, "role": role, "at": at, "sequence": 1, "blocks": blocks});
    happens(chat, "message", json!({ "message": message }));
}

fn inquiry(id: &str, header: &str) -> InquiryResponse {
    let input = json!({"questions": [{"question": "Which one?", "header": header,
        "options": ["PostgreSQL", "SQLite"]}]});
    let parsed = Dialect::AskUserQuestion
        .parse(&input, ParseOptions::default())
        .expect("a question");
    let questions = parsed.inquiry.questions().iter();
    let questions: Vec<QuestionResponse> = questions.map(Into::into).collect();
    serde_json::from_value(json!({
        "id": id, "conversation_id": ID, "status": "pending", "revision": 0,
        "dialect": "ask_user_question", "asked_at": "2027-03-01T00:00:00Z",
        "questions": questions,
    }))
    .expect("an inquiry")
}

fn asks(chat: &mut Chat, id: &str, header: &str) {
    let asked = inquiry(id, header);
    chat.handle_event(ChatEvent::Asked(Box::new(asked), None, None));
    chat.painted(Duration::ZERO);
}

fn ends(chat: &mut Chat, id: &str, surface: &str) {
    let mut ended = serde_json::to_value(inquiry(id, "Database")).expect("JSON");
    ended["status"] = json!("answered");
    ended["surface"] = json!(surface);
    ended["answered_by"] = json!("ana");
    ended["outcome"] = json!({"type": "answered", "answers": [
        {"question": "q1", "given": "chosen", "values": ["SQLite"]}]});
    happens(chat, "inquiry_resolved", ended);
}

/// Presses keys as somebody does who looks at what each of them leads to.
fn press(chat: &mut Chat, keys: &[Key]) {
    for key in keys {
        let now = chat.now.max(LATER) + Duration::from_millis(800);
        chat.handle(&InputEvent::Key(*key), now);
        chat.painted(now);
    }
}

fn type_text(chat: &mut Chat, text: &str) {
    for ch in text.chars() {
        press(chat, &[Key::char(ch)]);
    }
}

fn printed(chat: &mut Chat) -> Vec<String> {
    chat.lines().iter().map(Row::text).collect()
}

fn shown(chat: &Chat) -> String {
    let rows: Vec<String> = chat.view().rows.iter().map(Row::text).collect();
    rows.join("\n")
}

/// What is whole is printed while the rest still comes, and nothing is printed twice.
#[test]
fn streamed_text_is_printed_once() {
    let mut chat = chat();
    happens(
        &mut chat,
        "state_change",
        json!({"type": "llm_requesting", "attempt": 1}),
    );
    for piece in ["On", "e\n", "\nTwo **b", "old**"] {
        happens(&mut chat, "token", json!({ "text": piece }));
    }
    assert_eq!(printed(&mut chat), ["  One"]);
    assert!(shown(&chat).contains("  Two bold"), "{}", shown(&chat));
    assert!(shown(&chat).contains("planner is thinking"));
    says(&mut chat, "assistant", "evt_2", "One\n\nTwo **bold**");
    happens(&mut chat, "state_change", json!({"type": "idle"}));
    assert_eq!(printed(&mut chat), ["", "  Two bold"]);
    says(&mut chat, "assistant", "evt_2", "One\n\nTwo **bold**");
    assert_eq!(printed(&mut chat), Vec::<String>::new());
    assert!(!shown(&chat).contains("Two"));
}

/// A reply that was begun, lost and begun again shows the words that count.
#[test]
fn retried_reply_is_shown_whole() {
    let mut chat = chat();
    happens(
        &mut chat,
        "state_change",
        json!({"type": "llm_requesting", "attempt": 1}),
    );
    happens(&mut chat, "token", json!({"text": "Lost"}));
    happens(
        &mut chat,
        "state_change",
        json!({"type": "llm_requesting", "attempt": 2}),
    );
    assert!(shown(&chat).contains("retry 2 of 6"), "{}", shown(&chat));
    happens(&mut chat, "token", json!({"text": "Found"}));
    says(&mut chat, "assistant", "evt_3", "Found it");
    assert_eq!(printed(&mut chat), ["  Found it"]);
}

/// T13, F15: a digit answers once the question can have been seen, and one line stays.
#[test]
fn question_is_answered_inline_and_one_line_stays() {
    let mut chat = chat();
    asks(&mut chat, "inq_1", "Database");
    chat.handle(&InputEvent::Key(Key::char('2')), Duration::from_millis(100));
    assert_eq!(chat.requests(), [], "typed before it could be seen");
    press(&mut chat, &[Key::char('2')]);
    let requests = chat.requests();
    let [ChatRequest::SendReply(target, Reply::Answer(answers))] = requests.as_slice() else {
        panic!("{requests:?}");
    };
    assert_eq!((target.id.as_str(), target.revision), ("inq_1", 0));
    assert!(answers.to_json().to_string().contains("SQLite"));
    assert!(!shown(&chat).contains("Which one?"));
    ends(&mut chat, "inq_1", "terminal");
    assert_eq!(printed(&mut chat), ["✔ Database: SQLite"]);
}

/// T33: an answer from elsewhere takes the question away and says who gave it.
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
    chat.handle_event(ChatEvent::AnswerRejected(id, "Too late".to_owned()));
    assert!(shown(&chat).contains("Which one?") && shown(&chat).contains("Too late"));
}

/// No type-through: whoever is writing goes on writing, and opens the question when they like.
#[test]
fn question_does_not_take_the_keys_of_a_message() {
    let mut chat = chat();
    type_text(&mut chat, "12");
    asks(&mut chat, "inq_1", "Database");
    type_text(&mut chat, "1");
    assert!(shown(&chat).contains("› 121"), "{}", shown(&chat));
    assert!(shown(&chat).contains("1 question waiting • tab open • Database"));
    assert_eq!(chat.requests(), []);
    press(&mut chat, &[Key::plain(KeyCode::Tab)]);
    assert!(shown(&chat).contains("Which one?"));
}

/// T14: a question that is kept for later comes back as it was, and not as the menu.
#[test]
fn kept_question_comes_back() {
    let mut chat = chat();
    asks(&mut chat, "inq_1", "Database");
    press(
        &mut chat,
        &[Key::plain(KeyCode::Esc), Key::plain(KeyCode::Enter)],
    );
    assert_eq!(chat.requests(), []);
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
    chat.painted(Duration::ZERO);
    press(&mut chat, &[Key::char('1')]);
    assert!(
        shown(&chat).contains("╭─ Database"),
        "the other one follows"
    );
}

/// T14: esc opens a menu and closes it; only a named choice stops the agent.
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
        assert_eq!((chat.requests(), chat.take_requests()), (vec![], vec![]));
    }
    assert!(shown(&chat).contains("2 Stop planner"), "{}", shown(&chat));
    press(&mut chat, &[Key::char('2'), Key::plain(KeyCode::Enter)]);
    assert_eq!(chat.requests(), [], "it asks first");
    assert!(shown(&chat).contains("Stop the agent?"), "{}", shown(&chat));
    press(&mut chat, &[Key::char('y')]);
    assert_eq!(chat.requests(), [ChatRequest::StopAgent]);
}

/// F-T-2: a digit typed right behind esc does nothing, and the rows of the menu stay in their places
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
    assert_eq!((chat.requests(), chat.take_requests()), (vec![], vec![]));
}

/// A3: whoever begins to write when a question appears goes on writing.
#[test]
fn letters_typed_when_a_question_appears_go_to_the_field() {
    let mut chat = chat();
    asks(&mut chat, "inq_1", "Database");
    for (at, ch) in (1..).zip("Yes 1".chars()) {
        let now = Duration::from_millis(100 * at);
        chat.handle(&InputEvent::Key(Key::char(ch)), now);
        chat.painted(now);
    }
    let screen = shown(&chat);
    assert!(screen.contains("› Yes 1"), "{screen}");
    assert!(screen.contains("1 question waiting • tab open"), "{screen}");
    assert_eq!(chat.requests(), []);
}

/// F-T-17, A4, A10: a question that ends elsewhere is not replaced by the next one, its text is not
/// lost, and what is typed on is not sent without a pause.
#[test]
fn question_that_ends_elsewhere_leaves_text_and_place() {
    let mut chat = chat();
    asks(&mut chat, "inq_1", "Database");
    asks(&mut chat, "inq_2", "Region");
    press(&mut chat, &[Key::char('o')]);
    type_text(&mut chat, "my own");
    chat.requests();
    ends(&mut chat, "inq_1", "web");
    assert!(printed(&mut chat).join("|").contains("Not sent: my own"));
    let mut now = chat.now + Duration::from_millis(100);
    chat.painted(now);
    for key in "1y"
        .chars()
        .map(Key::char)
        .chain([Key::plain(KeyCode::Enter)])
    {
        chat.handle(&InputEvent::Key(key), now);
        chat.painted(now);
        now += Duration::from_millis(100);
    }
    let screen = shown(&chat);
    assert!(screen.contains("1 question waiting • tab open"), "{screen}");
    assert!(screen.contains("› 1y"), "{screen}");
    assert_eq!(chat.requests(), []);
    press(&mut chat, &[Key::plain(KeyCode::Enter)]);
    assert_eq!(chat.requests(), [ChatRequest::SendMessage("1y".to_owned())]);
}

/// A4: another question that ends elsewhere does not move the one that is shown.
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

/// A5: the next question of a chat is not answered by the key that answered the last one.
#[test]
fn next_question_is_not_answered_by_a_held_key() {
    let mut chat = chat();
    asks(&mut chat, "inq_1", "Database");
    asks(&mut chat, "inq_2", "Region");
    press(&mut chat, &[Key::char('1')]);
    assert_eq!(chat.requests().len(), 1);
    let mut now = chat.now + Duration::from_millis(500);
    for _ in 0..100 {
        chat.handle(&InputEvent::Key(Key::char('1')), now);
        chat.painted(now);
        now += Duration::from_millis(33);
    }
    assert_eq!(chat.requests(), []);
}

/// Ctrl+c takes a text away that comes back, and leaves only an empty field; how to come back is said.
#[test]
fn ctrl_c_discards_nothing() {
    let mut chat = chat();
    type_text(&mut chat, "a thought");
    press(&mut chat, &[Key::ctrl('c')]);
    assert!(!shown(&chat).contains("a thought"));
    press(&mut chat, &[Key::ctrl('_')]);
    assert!(shown(&chat).contains("a thought"));
    press(&mut chat, &[Key::ctrl('c'), Key::ctrl('c')]);
    assert_eq!(chat.take_requests(), [ScreenRequest::Exit(130)]);
    let last = printed(&mut chat).concat();
    assert!(last.contains("askback chat --resume cnv_1"), "{last}");
}

/// A message goes out once the agent is free, and one that is refused is not lost.
#[test]
fn messages_are_kept_until_they_are_taken() {
    let mut chat = chat();
    happens(
        &mut chat,
        "state_change",
        json!({"type": "llm_requesting", "attempt": 1}),
    );
    type_text(&mut chat, "go");
    press(
        &mut chat,
        &[Key::with(KeyCode::Enter, Modifiers::ALT), Key::char('x')],
    );
    press(&mut chat, &[Key::plain(KeyCode::Enter)]);
    assert_eq!(chat.requests(), []);
    assert!(shown(&chat).contains("is still working"));
    happens(&mut chat, "state_change", json!({"type": "idle"}));
    press(&mut chat, &[Key::plain(KeyCode::Enter)]);
    assert_eq!(
        chat.requests(),
        [ChatRequest::SendMessage("go\nx".to_owned())]
    );
    chat.handle_event(ChatEvent::MessageRejected(
        "go\nx".to_owned(),
        "No key".to_owned(),
    ));
    assert!(shown(&chat).contains("No key") && shown(&chat).contains("› go"));
}

/// An error is told with what to do about it.
#[test]
fn errors_say_what_to_do() {
    let mut chat = chat();
    let error = json!({"type": "error", "code": "overloaded", "message": "529"});
    happens(&mut chat, "state_change", error);
    let told = printed(&mut chat).concat();
    assert!(told.contains("Send any message to retry"), "{told}");
}

/// T02: no row is wider than the terminal and none below it, whatever is shown.
#[test]
fn every_state_fits_every_size() {
    for (columns, rows) in [(120, 40), (80, 24), (60, 20), (40, 10), (20, 6)] {
        let mut chat = chat();
        chat.resize(Size { columns, rows });
        let fits = |chat: &mut Chat, what: &str| {
            let frame = chat.view();
            assert!(frame.rows.len() <= rows, "{what} at {columns}x{rows}");
            assert!(frame.cursor.row < frame.rows.len(), "{what}");
            for row in chat.lines().iter().chain(&frame.rows) {
                let wide = row.width();
                assert!(
                    wide <= columns,
                    "{what} at {columns}x{rows}: {:?}",
                    row.text()
                );
            }
        };
        fits(&mut chat, "idle");
        let long = "word ".repeat(200);
        happens(
            &mut chat,
            "state_change",
            json!({"type": "llm_requesting", "attempt": 1}),
        );
        happens(&mut chat, "token", json!({ "text": long }));
        fits(&mut chat, "streaming");
        let agents = json!({"type": "awaiting_sub_agents", "agents": [
            {"conversation_id": "cnv_2", "name": long, "finished": true}]});
        happens(&mut chat, "state_change", agents);
        fits(&mut chat, "sub-agents");
        type_text(&mut chat, &long);
        fits(&mut chat, "typing");
        asks(&mut chat, "inq_1", "Database");
        asks(&mut chat, "inq_2", "Region");
        fits(&mut chat, "left questions");
        press(&mut chat, &[Key::plain(KeyCode::Tab)]);
        fits(&mut chat, "question");
        chat.painted(Duration::ZERO);
        press(&mut chat, &[Key::plain(KeyCode::Esc), Key::char('1')]);
        says(&mut chat, "user", "msg_1", &long);
        press(&mut chat, &[Key::plain(KeyCode::Esc)]);
        fits(&mut chat, "menu");
        press(
            &mut chat,
            &[Key::plain(KeyCode::Esc), Key::plain(KeyCode::PageUp)],
        );
        fits(&mut chat, "reader");
    }
}

/// T13: what is typed before the chat is seen stays as text; it sends nothing and answers nothing.
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
        (chat.requests(), chat.take_requests()),
        (Vec::new(), Vec::new())
    );
}

/// T10: keys of the configuration work around a question and in it, and are shown.
#[test]
fn bound_keys_work_and_show() {
    use crate::keymap::KeySection;
    let mut chat = chat();
    let keymap = &mut chat.config.keymap;
    keymap
        .bind(KeySection::Chat, "read", &["ctrl+r"])
        .expect("known");
    keymap
        .bind(KeySection::Chat, "open", &["ctrl+x"])
        .expect("known");
    keymap
        .bind(KeySection::Question, "note", &["w"])
        .expect("known");
    chat.resize(Size {
        columns: 100,
        rows: 20,
    });
    assert!(shown(&chat).contains("ctrl+r history"), "{}", shown(&chat));
    type_text(&mut chat, "w");
    asks(&mut chat, "inq_1", "Database");
    assert!(shown(&chat).contains("ctrl+x open"), "{}", shown(&chat));
    press(&mut chat, &[Key::plain(KeyCode::Tab)]);
    assert!(shown(&chat).contains("› w"), "{}", shown(&chat));
    press(&mut chat, &[Key::ctrl('x')]);
    assert!(shown(&chat).contains("w note"), "{}", shown(&chat));
}

/// What was stopped says so, and how to go on.
#[test]
fn stop_is_told() {
    let mut chat = chat();
    chat.handle_event(ChatEvent::AgentStopped);
    assert_eq!(
        printed(&mut chat),
        ["Stopped. Write a message to continue."]
    );
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
    let requests = format!("{:?}", chat.requests());
    assert!(
        requests.contains("Answer") && requests.contains("SQLite"),
        "{requests}"
    );
}

/// A5: the second press of an impatient finger is no message, and does not keep the next question away.
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

/// A3: a message is not sent as an answer to a question that appears while it is written.
#[test]
fn message_is_no_answer_to_a_question_that_just_appeared() {
    let mut chat = chat();
    type_text(&mut chat, "hello");
    asks(&mut chat, "inq_1", "Database");
    let soon = chat.now + Duration::from_millis(100);
    chat.handle(&InputEvent::Key(Key::plain(KeyCode::Enter)), soon);
    assert_eq!(chat.requests(), []);
    press(&mut chat, &[Key::plain(KeyCode::Enter)]);
    assert_eq!(
        chat.requests(),
        [ChatRequest::SendMessage("hello".to_owned())]
    );
}

/// A6, A10: what is pasted when a question appears goes to the field.
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

/// A question that the user opens takes their text at once, and no key that answers.
#[test]
fn opened_question_takes_text_at_once() {
    let mut chat = chat();
    type_text(&mut chat, "x");
    let mut asked = inquiry("inq_1", "Name");
    let question = json!([{"id": "q1", "text": "Which name?", "kind": "text"}]);
    asked.questions = serde_json::from_value(question).expect("a question");
    chat.handle_event(ChatEvent::Asked(Box::new(asked), None, None));
    press(
        &mut chat,
        &[Key::plain(KeyCode::Backspace), Key::plain(KeyCode::Tab)],
    );
    let mut now = chat.now;
    for ch in "quick".chars() {
        now += Duration::from_millis(50);
        chat.handle(&InputEvent::Key(Key::char(ch)), now);
        chat.painted(now);
    }
    assert!(shown(&chat).contains("› quick"), "{}", shown(&chat));
    assert!(shown(&chat).contains("Which name?"), "{}", shown(&chat));
    now += Duration::from_millis(50);
    chat.handle(&InputEvent::Key(Key::plain(KeyCode::Enter)), now);
    assert!(shown(&chat).contains("Which name?"), "{}", shown(&chat));
}
