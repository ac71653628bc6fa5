//! What arrives over the socket: presses, filled-in forms and direct messages.

use askback_core::id::InquiryId;
use askback_core::identity::Identity;
use serde::Deserialize;
use serde_json::Value;

use super::blocks::{CHOICES, END, OPEN_LINK, REASON, TEXT};
use crate::contract::button::{Button, Press};
use crate::contract::channel::{Address, MessageId};
use crate::contract::incoming::{FieldInput, Incoming, IncomingAction};

/// Codes have more; one that was copied in part is still told to be wrong.
const CODE_CHARS_MIN: usize = 12;

/// One frame of the socket.
#[derive(Debug, Deserialize)]
pub(super) struct Frame {
    #[serde(rename = "type")]
    pub(super) kind: String,
    /// Why the socket is about to be closed.
    pub(super) reason: Option<String>,
    /// What an acknowledgement names.
    pub(super) envelope_id: Option<String>,
    #[serde(default)]
    pub(super) payload: Value,
}

/// What a person did, and where a private reply goes.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Received {
    pub(super) incoming: Incoming,
    /// The conversation: `D…` or `C…`.
    pub(super) conversation: String,
    pub(super) user: String,
}

/// What an envelope says. `None` for everything that is nobody's answer: other apps' messages, edits, bots,
/// buttons that only open a link.
pub(super) fn read(frame: &Frame, own_team: Option<&str>) -> Option<Received> {
    match frame.kind.as_str() {
        "interactive" => read_press(&frame.payload, own_team),
        "events_api" => read_message(&frame.payload, own_team),
        _ => None,
    }
}

fn read_press(payload: &Value, own_team: Option<&str>) -> Option<Received> {
    if payload["type"] != "block_actions" {
        return None;
    }
    let action = payload["actions"].as_array()?.first()?;
    let pressed = action["value"].as_str()?;
    if action["action_id"] == OPEN_LINK {
        return None;
    }
    let user = payload["user"]["id"].as_str()?;
    let team = payload["user"]["team_id"].as_str();
    let conversation = payload["container"]["channel_id"].as_str()?;
    let timestamp = payload["container"]["message_ts"].as_str()?;
    let data = pressed.to_owned();
    let values = &payload["state"]["values"];
    let action = match Button::decode(pressed) {
        Some(Button {
            press: Press::Send { .. },
            ..
        }) => {
            let fields = filled_in(values, pressed);
            IncomingAction::Submit { data, fields }
        }
        Some(
            button @ Button {
                press: Press::HandOn { .. },
                ..
            },
        ) => {
            let block = format!("{}.{}.{REASON}", button.inquiry, button.revision);
            let reason = values[block][REASON]["value"].as_str().map(str::to_owned);
            IncomingAction::HandOn { data, reason }
        }
        Some(Button {
            press: Press::Choose { question, choice },
            ..
        }) => match typed_beside(values, pressed, question, choice) {
            fields if fields.is_empty() => IncomingAction::Press { data },
            fields => IncomingAction::Submit { data, fields },
        },
        Some(_) | None => IncomingAction::Press { data },
    };
    let incoming = Incoming {
        identity: identity(user, team, own_team)?,
        address: Address(user.to_owned()),
        message: Some(message_id(conversation, timestamp)),
        action,
    };
    Some(Received {
        incoming,
        conversation: conversation.to_owned(),
        user: user.to_owned(),
    })
}

/// What is typed beside the button of a choice. It is handed in with the choice, so that it is not lost unseen.
fn typed_beside(values: &Value, pressed: &str, question: usize, choice: usize) -> Vec<FieldInput> {
    let mut fields = filled_in(values, pressed);
    fields.retain(|field| field.question == question && field.text.is_some());
    for field in &mut fields {
        field.choices = vec![choice];
    }
    fields
}

/// A direct message: a reply in the thread of a card, or else a one-time code.
fn read_message(payload: &Value, own_team: Option<&str>) -> Option<Received> {
    let event = &payload["event"];
    let is_plain = event["type"] == "message" && event["channel_type"] == "im";
    // Edits, deletions and joins have a subtype; bots have an id.
    if !is_plain || !event["subtype"].is_null() || !event["bot_id"].is_null() {
        return None;
    }
    let user = event["user"].as_str()?;
    let conversation = event["channel"].as_str()?;
    let text = event["text"].as_str()?;
    let thread = event["thread_ts"].as_str();
    let action = match thread {
        Some(_) => IncomingAction::Reply {
            text: unescaped(text),
            button: None,
        },
        None if is_code(text.trim()) => IncomingAction::Link {
            code: text.trim().to_owned(),
        },
        None => IncomingAction::Text {
            text: unescaped(text),
        },
    };
    let incoming = Incoming {
        identity: identity(user, event["user_team"].as_str(), own_team)?,
        address: Address(user.to_owned()),
        message: thread.map(|thread| message_id(conversation, thread)),
        action,
    };
    Some(Received {
        incoming,
        conversation: conversation.to_owned(),
        user: user.to_owned(),
    })
}

/// Whether a text looks like a one-time code: hexadecimal digits, and many of them.
fn is_code(text: &str) -> bool {
    text.len() >= CODE_CHARS_MIN && text.bytes().all(|byte| byte.is_ascii_hexdigit())
}

/// Somebody of another workspace, in a shared channel, has another identity than the same id here would have.
fn identity(user: &str, team: Option<&str>, own_team: Option<&str>) -> Option<Identity> {
    match (team, own_team) {
        (Some(team), Some(own)) if team != own => Identity::new("slack", &format!("{team}.{user}")),
        _ => Identity::new("slack", user),
    }
}

/// The form of a message: conversation and time stamp.
pub(super) fn message_id(conversation: &str, timestamp: &str) -> MessageId {
    MessageId(format!("{conversation}:{timestamp}"))
}

/// The fields of the form that the pressed button belongs to. One that was emptied counts as empty, whatever it had at first.
fn filled_in(values: &Value, pressed: &str) -> Vec<FieldInput> {
    let mut fields: Vec<FieldInput> = Vec::new();
    let Some(blocks) = values.as_object() else {
        return fields;
    };
    // The inquiry and the revision, which is how the blocks of its form begin.
    let form: Vec<&str> = pressed.split('.').take(2).collect();
    let form = format!("{}{}.", InquiryId::PREFIX, form.join("."));
    for (block_id, elements) in blocks {
        let Some(place) = block_id.strip_prefix(form.as_str()) else {
            continue;
        };
        let Some((index, part)) = place.split_once('.') else {
            continue;
        };
        let Ok(question) = index.parse::<usize>() else {
            continue;
        };
        let known = fields.iter().position(|field| field.question == question);
        let known = known.unwrap_or_else(|| {
            fields.push(FieldInput {
                question,
                ..FieldInput::default()
            });
            fields.len() - 1
        });
        fill_field(&mut fields[known], part, &elements[part]);
    }
    fields.sort_by_key(|field| field.question);
    fields
}

fn fill_field(field: &mut FieldInput, part: &str, element: &Value) {
    let text = element["value"]
        .as_str()
        .or_else(|| element["selected_date"].as_str())
        .map(str::to_owned)
        .filter(|text| !text.trim().is_empty());
    match part {
        CHOICES => {
            let one = element["selected_option"]["value"].as_str();
            let several = element["selected_options"].as_array().into_iter().flatten();
            let several = several.filter_map(|option| option["value"].as_str());
            let chosen = one.into_iter().chain(several);
            field.choices = chosen.filter_map(|value| value.parse().ok()).collect();
        }
        TEXT => field.text = text,
        END => field.end = text,
        _ => {}
    }
}

/// Slack escapes these three in the texts of messages.
fn unescaped(text: &str) -> String {
    text.replace("&lt;", "<")
        .replace("&gt;", ">")
        .replace("&amp;", "&")
}
