//! What Telegram delivers: presses, and messages of people.

use askback_core::identity::Identity;
use serde_json::Value;

use crate::contract::button::{Button, Press};
use crate::contract::channel::{Address, MessageId};
use crate::contract::incoming::{Incoming, IncomingAction};

/// One update.
pub(super) struct Update {
    /// The press to acknowledge.
    pub(super) callback_query: Option<String>,
    /// What a person did; nothing if the update means nothing to us.
    pub(super) incoming: Option<Incoming>,
}

/// Reads an update. One that cannot be read is passed over, so that it does not block the others.
pub(super) fn read_update(update: &Value) -> Update {
    let query = &update["callback_query"];
    Update {
        callback_query: query["id"].as_str().map(str::to_owned),
        incoming: press(query)
            .or_else(|| message(&update["message"]))
            .or_else(|| edited(&update["edited_message"])),
    }
}

fn press(query: &Value) -> Option<Incoming> {
    let from = &query["from"];
    let message = &query["message"];
    // Without a message, the press is of a message in a chat of one's own.
    let chat = message["chat"]["id"].as_i64().or(from["id"].as_i64())?;
    Some(Incoming {
        identity: person(from)?,
        address: Address(chat.to_string()),
        message: message["message_id"]
            .as_i64()
            .map(|id| MessageId(id.to_string())),
        action: IncomingAction::Press {
            data: query["data"].as_str()?.to_owned(),
        },
    })
}

/// A code, or a text that replies to a message. Forwarded texts are somebody else's words. What is no answer is passed
/// on only from a chat with the person alone: a bot in a group does not reply to everything.
fn message(message: &Value) -> Option<Incoming> {
    let identity = person(&message["from"])?;
    let is_private = message["chat"]["id"] == message["from"]["id"];
    let is_reply = !message["reply_to_message"].is_null();
    let text = message["text"].as_str().map(str::to_owned);
    let action = match text {
        Some(text) if link_code(&text).is_some() => {
            let code = link_code(&text).unwrap_or_default().to_owned();
            if is_private {
                IncomingAction::Link { code }
            } else {
                IncomingAction::LinkInGroup { code }
            }
        }
        Some(_) if message.get("forward_origin").is_some() => {
            tracing::warn!(%identity, "refused a forwarded text in Telegram");
            is_private.then_some(IncomingAction::Unreadable)?
        }
        Some(text) if text == "/start" || text == "/help" => {
            is_private.then_some(IncomingAction::Help)?
        }
        Some(text) if is_reply => {
            let button = shown_button(&message["reply_to_message"]);
            IncomingAction::Reply { text, button }
        }
        Some(text) => is_private.then_some(IncomingAction::Text { text })?,
        None => is_private.then_some(IncomingAction::Unreadable)?,
    };
    written(message, identity, action)
}

/// The code of `/start CODE`, or of `/start@bot CODE`, as it is written in a group.
fn link_code(text: &str) -> Option<&str> {
    let (command, code) = text.split_once(' ')?;
    let is_start = command == "/start" || command.starts_with("/start@");
    is_start.then_some(code.trim())
}

/// A button of a message of ours that tells its page: one of a question, or the one that sends.
fn shown_button(message: &Value) -> Option<String> {
    let rows = message["reply_markup"]["inline_keyboard"]
        .as_array()?
        .iter();
    let buttons = rows.filter_map(Value::as_array).flatten();
    let data = buttons.filter_map(|button| button["callback_data"].as_str());
    let shown = data.filter_map(|data| Some((data, Button::decode(data)?.press)));
    let shown: Vec<(&str, Press)> = shown.collect();
    let mut of_question = shown.iter().filter(|(_, press)| press.question().is_some());
    let mut sends = shown
        .iter()
        .filter(|(_, press)| matches!(press, Press::Send { .. }));
    let found = of_question.next().or_else(|| sends.next());
    found.or(shown.first()).map(|(data, _)| (*data).to_owned())
}

/// An edited reply: the answer was taken, or refused, as it was written first.
fn edited(message: &Value) -> Option<Incoming> {
    let identity = person(&message["from"])?;
    let is_private = message["chat"]["id"] == message["from"]["id"];
    let is_reply = !message["reply_to_message"].is_null();
    let action = (is_private && is_reply).then_some(IncomingAction::Unreadable)?;
    written(message, identity, action)
}

fn written(message: &Value, identity: Identity, action: IncomingAction) -> Option<Incoming> {
    let replied = message["reply_to_message"]["message_id"].as_i64();
    Some(Incoming {
        identity,
        address: Address(message["chat"]["id"].as_i64()?.to_string()),
        message: replied.map(|id| MessageId(id.to_string())),
        action,
    })
}

/// The sender, unless it is a bot.
fn person(from: &Value) -> Option<Identity> {
    let id = from["id"].as_i64()?;
    let identity = Identity::new("telegram", &id.to_string())?;
    if from["is_bot"].as_bool() == Some(true) {
        tracing::warn!(%identity, "refused a message of a bot in Telegram");
        return None;
    }
    Some(identity)
}
