//! Short texts that belong to a message: reminders, and that a question came back. One of each kind waits for a delivery at
//! most; it is stored until it was sent.

use askback_engine::InquiryView;
use askback_store::{ChannelDelivery, StoreError};
use serde::{Deserialize, Serialize};

use crate::card::build::handed_on_note;
use crate::card::{Card, CardState};
use crate::contract::channel::{Address, MessageId, SendError};
use crate::deliver::sender::{Sender, in_time};
use crate::dispatcher::Shared;
use crate::state::{Kept, Key, thread_texts};

/// What a short text says.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum ThreadText {
    /// The question still waits.
    StillOpen,
    /// The question was handed on to somebody who had it before.
    HandedOn,
    /// The links of the message have ended; this is a new one.
    NewLink,
}

impl ThreadText {
    /// Whether it has to wait: a link is of no use while an answer is held, and wanted again if that is undone.
    pub(crate) fn waits_for(self, card: &Card) -> bool {
        self == ThreadText::NewLink && matches!(card.state, CardState::Held { .. })
    }

    /// The text for the reader of the card. `None` if there is nothing to say any more.
    pub(crate) fn text(self, view: &InquiryView, card: &Card) -> Option<String> {
        card.draft()?;
        let locale = card.reader.locale;
        match self {
            ThreadText::HandedOn => {
                let handed_on = view.inquiry.handed_on()?;
                Some(handed_on_note(handed_on, card.content, locale))
            }
            ThreadText::NewLink => {
                let link = card.link.as_deref()?;
                Some(locale.text("channel-new-link", &[("link", link.into())]))
            }
            ThreadText::StillOpen => {
                let question = ("question", card.title().into());
                Some(match card.expires_at {
                    Some(at) => {
                        let time = ("time", card.time(at).into());
                        locale.text("channel-still-open-until", &[question, time])
                    }
                    None => locale.text("channel-still-open", &[question]),
                })
            }
        }
    }
}

/// The texts that wait for this message. A message that was not sent yet has none.
pub(crate) async fn waiting_texts(
    shared: &Shared,
    row: &ChannelDelivery,
) -> Result<Vec<Kept<ThreadText>>, StoreError> {
    if row.external_id.is_none() {
        return Ok(Vec::new());
    }
    shared.state().list(thread_texts(row.number)).await
}

/// Sends a text that waits for this message, unless there is nothing to say any more. It is removed after it was
/// sent, so that a crash may repeat it but not lose it. One that the provider refuses for good is dropped.
pub(crate) async fn send_thread_text(
    sender: &Sender,
    row: &ChannelDelivery,
    to: &Address,
    key: Key<ThreadText>,
    text: Option<String>,
    is_quiet: bool,
) -> Result<Result<(), SendError>, StoreError> {
    if let (Some(text), Some(id)) = (text, &row.external_id) {
        let id = MessageId(id.clone());
        let attention = sender.attention(row, is_quiet);
        let channel = &sender.channel.channel;
        match in_time(channel.send_thread_text(to, &id, &text, attention)).await {
            Ok(()) | Err(SendError::Permanent(_) | SendError::MessageGone) => {}
            Err(error) => return Ok(Err(error)),
        }
    }
    sender.shared.state().remove(key).await?;
    Ok(Ok(()))
}
