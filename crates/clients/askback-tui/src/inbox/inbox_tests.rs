//! The inbox: in order, live, and no key answers what could not be seen.

use std::time::Duration;

use askback_core::dialect::{Dialect, ParseOptions};
use askback_locale::Locale;
use askback_wire::inquiry::InquiryResponse;
use askback_wire::question::QuestionResponse;
use serde_json::{Value, json};

use super::{Inbox, InboxConfig, InboxEvent, InboxRequest, Mine, ScreenConfig};
use crate::inquiry_update::InquiryUpdate;
use crate::reply::InquiryReply;
use askback_terminal::app::{Screen as _, ScreenRequest};
use askback_terminal::glyphs::Glyphs;
use askback_terminal::key::{InputEvent, Key, KeyCode};
use askback_terminal::row::{Row, ScreenBuffer, Size};

fn inbox() -> Inbox {
    let mut inbox = Inbox::new(InboxConfig {
        screen: ScreenConfig {
            locale: Locale::choose(&["en"]),
            glyphs: Glyphs::LINES,
            today: jiff::civil::date(2027, 3, 1),
            typeahead_window: crate::TYPEAHEAD_WINDOW,
            keymap: crate::keymap::Keymap::default(),
        },
        local_time: || {
            let noon = jiff::civil::date(2027, 3, 1).at(12, 0, 0, 0);
            noon.to_zoned(jiff::tz::TimeZone::UTC).expect("a time")
        },
        mine: Mine(vec!["zoe".to_owned()]),
        server_flags: " --data D".to_owned(),
        agents_ready: Vec::new(),
        agents_rest: Vec::new(),
    });
    inbox.resize(Size {
        columns: 80,
        rows: 24,
    });
    inbox
}

/// A question with these options, asked at this minute.
fn asked(id: &str, minute: u32, question: &Value) -> InquiryResponse {
    let input = json!({ "questions": [question] });
    asked_in(Dialect::AskUserQuestion, id, minute, &input)
}

fn asked_in(dialect: Dialect, id: &str, minute: u32, input: &Value) -> InquiryResponse {
    let parsed = dialect
        .parse(input, ParseOptions::default())
        .expect("a question");
    let questions = parsed.inquiry.questions().iter();
    let questions: Vec<QuestionResponse> = questions.map(Into::into).collect();
    serde_json::from_value(json!({
        "id": id, "conversation_id": format!("cnv_{id}"), "status": "pending", "revision": 3,
        "dialect": "ask_user_question", "asked_at": format!("2027-03-01T00:{minute:02}:00Z"),
        "source": "builder", "questions": questions,
    }))
    .expect("an inquiry")
}

pub(super) fn single(id: &str, minute: u32) -> InquiryResponse {
    let header = format!("Name {id}");
    asked(
        id,
        minute,
        &json!({"question": "Which one?", "header": header, "options": ["First", "Second"]}),
    )
}

/// A question as it is now.
pub(super) fn now(inquiry: InquiryResponse) -> InboxEvent {
    InboxEvent::Inquiry(Box::new(update(inquiry)))
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

/// The same question after something has happened to it.
fn later(mut inquiry: InquiryResponse) -> InquiryResponse {
    inquiry.version += 1;
    inquiry
}

fn add(inbox: &mut Inbox, inquiry: InquiryResponse) {
    inbox.handle_event(now(inquiry));
    inbox.on_painted(Duration::ZERO);
}

/// Presses keys as somebody does who looks at what each of them leads to.
fn press(inbox: &mut Inbox, keys: &[Key], seconds: u64) {
    let mut now = Duration::from_secs(seconds);
    for key in keys {
        inbox.handle(&InputEvent::Key(*key), now);
        inbox.on_painted(now);
        now += Duration::from_millis(400);
    }
}

fn shown(inbox: &Inbox) -> String {
    let frame = inbox.view();
    assert_eq!(frame.buffer, ScreenBuffer::Alternate);
    let rows: Vec<String> = frame.rows.iter().map(Row::text).collect();
    rows.join("\n")
}

/// The names in the order of the list.
fn names(inbox: &Inbox) -> Vec<String> {
    let all = shown(inbox);
    let found = all.lines().filter_map(|line| line.split("Name ").nth(1));
    found
        .filter_map(|rest| rest.split(' ').next())
        .map(str::to_owned)
        .collect()
}

/// Somebody answers a question in the browser.
fn ends_elsewhere(inbox: &mut Inbox, id: &str, minute: u32) {
    let mut ended = later(single(id, minute));
    ended.status = "answered".into();
    let outcome = json!({"type": "answered", "answers": [
        {"question": "q1", "given": "chosen", "values": ["First"]}]});
    ended.outcome = serde_json::from_value(outcome).ok();
    ended.surface = Some("web".into());
    ended.answered_by = Some("ana".to_owned());
    inbox.handle_event(now(ended));
}

#[path = "inbox_tests/answer_tests.rs"]
mod answer_tests;
#[path = "inbox_tests/answered_elsewhere_tests.rs"]
mod answered_elsewhere_tests;
#[path = "inbox_tests/confirm_and_undo_tests.rs"]
mod confirm_and_undo_tests;
#[path = "inbox_tests/every_change_tests.rs"]
mod every_change_tests;
#[path = "inbox_tests/hand_on_tests.rs"]
mod hand_on_tests;
#[path = "inbox_tests/list_tests.rs"]
mod list_tests;

/// What names the person comes first, whatever its age.
#[test]
fn questions_for_the_person_come_first() {
    let mut inbox = inbox();
    let for_somebody = |id: &str, minute, recipient: Option<&str>| InquiryResponse {
        recipient: recipient.map(str::to_owned),
        ..single(id, minute)
    };
    for inquiry in [
        for_somebody("inq_1", 1, None),
        for_somebody("inq_2", 2, Some("ben")),
        for_somebody("inq_3", 3, Some("zoe@telegram")),
    ] {
        add(&mut inbox, inquiry);
    }
    let items = inbox.list.items().iter();
    let ids: Vec<&str> = items.map(|item| item.inquiry.id.as_str()).collect();
    assert_eq!(ids, ["inq_3", "inq_1", "inq_2"]);
}
