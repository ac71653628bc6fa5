//! Cards for tests.

use askback_core::dialect::{Dialect, ParseOptions};
use askback_core::draft::Draft;
use askback_core::id::InquiryId;
use askback_core::identity::Identity;
use askback_core::inquiry::Inquiry;
use askback_core::outcome::{Actor, Surface};
use askback_core::text::{Lines, Text};
use askback_locale::Locale;
use jiff::Timestamp;
use jiff::tz::TimeZone;
use serde_json::{Value, json};

use crate::card::{Card, CardState, ContentLevel, HandOnMenu, Reader};

pub(crate) fn parse(dialect: Dialect, input: &Value) -> Inquiry {
    let parsed = dialect.parse(input, ParseOptions::default());
    parsed.expect("the input is valid").inquiry
}

/// One question with two choices.
pub(crate) fn question() -> Inquiry {
    let options = json!([
        { "label": "SQLite (Recommended)", "description": "One file" },
        { "label": "PostgreSQL", "description": "A server" },
    ]);
    let input = json!({
        "questions": [{ "question": "Which database?", "header": "Database", "options": options }],
    });
    parse(Dialect::AskUserQuestion, &input)
}

pub(crate) fn open_card(questions: Inquiry) -> Card {
    let draft = Draft::new(&questions);
    Card {
        inquiry: InquiryId::from(7),
        revision: 1,
        asker: Text::name("claude-code"),
        project: Text::name("shop"),
        questions,
        expires_at: None,
        link: Some("https://ask.example/q/1".to_owned()),
        press_links: None,
        notes: Vec::new(),
        content: ContentLevel::Full,
        reader: Reader {
            locale: Locale::choose(&["en"]),
            time_zone: TimeZone::UTC,
            today: jiff::civil::date(2027, 3, 27),
        },
        hand_on: HandOnMenu::default(),
        state: CardState::Open { draft },
    }
}

pub(crate) fn at(text: &str) -> Timestamp {
    text.parse().expect("it is a time")
}

pub(crate) fn zoe() -> Actor {
    Actor {
        name: Text::clean("Zoë", Lines::One),
        surface: Surface::Telegram,
        identity: Identity::new("telegram", "42"),
        message: None,
    }
}
