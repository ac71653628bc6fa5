//! What the service worker of the pages gets. It shows what it is told and decides nothing.

use askback_core::id::InquiryId;
use askback_core::outcome::Surface;
use serde_json::{Value, json};

use crate::card::clip::clip_graphemes;
use crate::card::{Card, CardState, ContentLevel};
use crate::links::press_link::url_buttons;

/// With the limits below, a message has less than 3 KB: a UTF-16 unit has at most three bytes.
pub(super) const TITLE_UNITS_MAX: usize = 100;
const BODY_UNITS_MAX: usize = 450;
const LABEL_UNITS_MAX: usize = 40;
/// What browsers show.
const ACTIONS_MAX: usize = 2;

/// The notification about a card. The tag is the same for everything about an inquiry, so that each replaces
/// the one before; `close` takes it away.
pub(super) fn payload(card: &Card) -> Value {
    let id = card.inquiry.as_str();
    let is_over = match &card.state {
        CardState::Open { .. } => false,
        // Whoever answered in a notification can undo it there.
        CardState::Held { by, is_own, .. } => by.surface != Surface::Push || !is_own,
        CardState::Ended { .. } | CardState::HandedOn { .. } => true,
    };
    let mut message = json!({
        "tag": id,
        "title": clip_graphemes(&card.title(), TITLE_UNITS_MAX),
        "body": clip_graphemes(&body(card), BODY_UNITS_MAX),
        "lang": card.reader.locale.tag(),
        "url": format!("/inbox#{id}"),
    });
    if is_over {
        message["close"] = json!([id, thread_text_tag(id)]);
        return message;
    }
    if let Some(buttons) = url_buttons(card, ACTIONS_MAX) {
        let action = |(label, url): (String, String)| json!({ "title": clip_graphemes(&label, LABEL_UNITS_MAX), "url": url });
        message["actions"] = buttons.into_iter().map(action).collect();
        message["failed"] = card.reader.locale.text("channel-not-sent", &[]).into();
    }
    message
}

/// The tag of what is said about an inquiry later, such as a reminder.
pub(super) fn thread_text_tag(id: &str) -> String {
    format!("{id}-reply")
}

/// A push service keeps only the newest message of a topic for a browser that it cannot reach. A topic has at most
/// 32 letters.
pub(super) fn topic(message: &Value) -> String {
    let tag = message["tag"].as_str().unwrap_or_default();
    let topic = tag.strip_prefix(InquiryId::PREFIX).unwrap_or(tag);
    topic.chars().take(32).collect()
}

fn body(card: &Card) -> String {
    if let Some(status) = card.status() {
        return status;
    }
    if card.content != ContentLevel::Full {
        return String::new();
    }
    let questions = 0..card.questions.questions().len();
    let texts = questions.map(|index| card.question_text(index));
    let texts: Vec<String> = texts.chain(card.deadline()).collect();
    texts.join("\n")
}
