//! The network side of the terminal screens.
//!
//! A screen of `askback-tui` runs on one thread and knows no network. It hands out requests; a
//! backend carries them out as tasks and sends back events through a [`UiChannel`], which also wakes
//! the thread that draws. The screen shows nothing as done before the server has said so.

mod chat;
mod draft_saver;
mod inbox;
mod inquiry_watcher;
mod presence;
pub(crate) mod reply;
mod ui_channel;
mod undo_window;

pub(crate) use chat::{ChatBackend, agent_name};
pub(crate) use draft_saver::{DraftSaver, StoredDrafts};
pub(crate) use inbox::{InboxBackend, ShownQuestions, whose_inbox};
pub(crate) use inquiry_watcher::InquiryWatcher;
pub(crate) use presence::{PRESENCE_INTERVAL, presence_notifier};
pub(crate) use ui_channel::UiChannel;
pub(crate) use undo_window::UndoWindow;

use std::time::Duration;

use askback_client::{Client, ClientError};
use askback_core::id::MessageId;
use askback_core::outcome::Surface;

use crate::connect::{self, Connection};

/// How long an exit waits for the last draft to be saved.
const LAST_DRAFT_MAX: Duration = Duration::from_secs(2);
/// How long an exit waits until the server has taken what the user sent.
pub(crate) const LAST_REPLY_MAX: Duration = Duration::from_secs(5);
/// The pause before a call is repeated that did not reach the server.
const RETRY_PAUSE: Duration = Duration::from_millis(300);

/// A client whose answers are recorded as given at the terminal.
pub(crate) fn terminal_client(connection: &Connection) -> Client {
    let client = connection.client.clone();
    client.acting_as(&connect::actor(Surface::Terminal))
}

/// A new idempotency key, so that one call can be repeated without acting twice.
pub(crate) fn new_key() -> String {
    let now = jiff::Timestamp::now().as_nanosecond();
    format!("terminal-{}-{now}", std::process::id())
}

pub(crate) fn new_message_id() -> MessageId {
    MessageId::new(format!("{}{}", MessageId::PREFIX, new_key()))
}

/// Repeats a call until the server has responded, with success or with a refusal. Between two tries the
/// client looks for the server that runs by then.
pub(crate) async fn retry_while_unreachable<T, F>(
    mut call: impl FnMut() -> F,
) -> Result<T, ClientError>
where
    F: Future<Output = Result<T, ClientError>>,
{
    loop {
        match call().await {
            Err(error) if error.is_transient() => tokio::time::sleep(RETRY_PAUSE).await,
            result => return result,
        }
    }
}
