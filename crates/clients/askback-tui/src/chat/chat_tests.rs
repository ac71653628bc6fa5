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

use super::{Chat, ChatConfig, ChatEvent, ChatRequest, ScreenConfig};
use crate::inquiry_update::InquiryUpdate;
use crate::reply::InquiryReply;
use askback_terminal::app::{Screen as _, ScreenRequest};
use askback_terminal::glyphs::Glyphs;
use askback_terminal::key::{InputEvent, Key, KeyCode, Modifiers};
use askback_terminal::row::{Row, Size};

const ID: &str = "cnv_1";
const LATER: Duration = Duration::from_mins(1);

fn config() -> ChatConfig {
    ChatConfig {
        screen: ScreenConfig {
            locale: Locale::choose(&["en"]),
            glyphs: Glyphs::LINES,
            today: jiff::civil::date(2027, 3, 1),
            typeahead_window: crate::TYPEAHEAD_WINDOW,
            keymap: crate::keymap::Keymap::default(),
        },
        command: "askback chat --resume {id}".to_owned(),
    }
}

fn chat() -> Chat {
    let mut chat = Chat::new(config(), "planner");
    chat.resize(Size {
        columns: 60,
        rows: 20,
    });
    chat.handle_event(ChatEvent::Connected(None));
    open_conversation(&mut chat, &[]);
    chat
}

fn open_conversation(chat: &mut Chat, messages: &[Value]) {
    let detail: ConversationDetailResponse = serde_json::from_value(json!({
        "id": ID, "driver": "built_in", "app": null, "title": null, "parent": null,
        "state": {"type": "idle"}, "created_at": "2027-03-01T00:00:00Z",
        "updated_at": "2027-03-01T00:00:00Z", "version": 1, "messages": messages, "before": null,
    }))
    .expect("a conversation");
    chat.handle_event(ChatEvent::Opened(
        Box::new(detail),
        Vec::new(),
        "planner".to_owned(),
    ));
}

fn happens(chat: &mut Chat, name: &str, mut data: Value) {
    data["conversation_id"] = json!(ID);
    if data.get("sequence").is_none() {
        data["sequence"] = json!(1);
    }
    let frame = SseFrame {
        event: name.to_owned(),
        id: None,
        data: data.to_string(),
    };
    let event = EventResponse::from(frame);
    assert!(!matches!(event, EventResponse::Unknown(_)), "{event:?}");
    chat.handle_event(ChatEvent::Event(Box::new(event)));
}

fn message(role: &str, id: &str, text: &str) -> Value {
    let at = "2027-03-01T00:00:00Z";
    let blocks = json!([{"type": "content", "text": text, "timestamp": at}]);
    json!({"id": id, "role": role, "at": at, "sequence": 1, "blocks": blocks})
}

fn says(chat: &mut Chat, role: &str, id: &str, text: &str) {
    let message = message(role, id, text);
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

/// A question as it is now.
fn now(inquiry: InquiryResponse) -> ChatEvent {
    ChatEvent::Inquiry(Box::new(update(inquiry)))
}

fn update(inquiry: InquiryResponse) -> InquiryUpdate {
    InquiryUpdate {
        inquiry,
        draft: None,
        deadline: None,
        held_until: None,
        snoozed_until: None,
    }
}

fn asks(chat: &mut Chat, id: &str, header: &str) {
    chat.handle_event(now(inquiry(id, header)));
    chat.on_painted(Duration::ZERO);
}

fn ends(chat: &mut Chat, id: &str, surface: &str) {
    let mut ended = serde_json::to_value(inquiry(id, "Database")).expect("JSON");
    ended["status"] = json!("answered");
    ended["surface"] = json!(surface);
    ended["answered_by"] = json!("ana");
    ended["outcome"] = json!({"type": "answered", "answers": [
        {"question": "q1", "given": "chosen", "values": ["SQLite"]}]});
    ended["version"] = json!(9);
    chat.handle_event(now(serde_json::from_value(ended).expect("an inquiry")));
}

/// Presses keys as somebody does who looks at what each of them leads to.
fn press(chat: &mut Chat, keys: &[Key]) {
    for key in keys {
        let now = chat.now.max(LATER) + Duration::from_millis(800);
        chat.handle(&InputEvent::Key(*key), now);
        chat.on_painted(now);
    }
}

fn type_text(chat: &mut Chat, text: &str) {
    for ch in text.chars() {
        press(chat, &[Key::char(ch)]);
    }
}

fn printed(chat: &mut Chat) -> Vec<String> {
    chat.take_lines().iter().map(Row::text).collect()
}

fn shown(chat: &Chat) -> String {
    let rows: Vec<String> = chat.view().rows.iter().map(Row::text).collect();
    rows.join("\n")
}

#[path = "chat_tests/accidental_key_tests.rs"]
mod accidental_key_tests;
#[path = "chat_tests/message_field_tests.rs"]
mod message_field_tests;
#[path = "chat_tests/question_tests.rs"]
mod question_tests;
#[path = "chat_tests/transcript_tests.rs"]
mod transcript_tests;
#[path = "chat_tests/undo_tests.rs"]
mod undo_tests;
