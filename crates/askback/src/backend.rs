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
pub(crate) use draft_saver::DraftSaver;
pub(crate) use inbox::InboxBackend;
pub(crate) use inquiry_watcher::InquiryWatcher;
pub(crate) use presence::{PRESENCE_INTERVAL, presence_notifier};
pub(crate) use ui_channel::UiChannel;
pub(crate) use undo_window::UndoWindow;

use std::time::Duration;

use askback_client::{Client, ClientError};
use askback_core::id::InquiryId;
use askback_core::outcome::Surface;
use askback_terminal::clock::{Clock, MonotonicTime};
use askback_tui::deadline::Deadline;
use askback_wire::event::EventResponse;
use askback_wire::inquiry::{HeldResponse, InquiryResponse, InquiryStatus};
use jiff::Timestamp;

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

/// The deadline of a question on the clock of the screen.
pub(crate) fn deadline(clock: Clock, asked: &InquiryResponse) -> Option<Deadline> {
    deadline_at(clock, asked.asked_at, asked.expires_at)
}

/// The questions of a message that are pending, with their deadlines: a deadline that is moved has no event of its own.
pub(crate) fn deadlines(clock: Clock, event: &EventResponse) -> Vec<(InquiryId, Option<Deadline>)> {
    let EventResponse::Message(event) = event else {
        return Vec::new();
    };
    let blocks = event.message.blocks.iter();
    let pending = blocks.filter_map(|block| {
        let extra = block.extra.as_ref()?;
        let deadline = deadline_at(clock, block.timestamp, extra.expires_at);
        let is_pending = extra.inquiry_status == InquiryStatus::Pending;
        is_pending.then(|| (extra.inquiry_id.clone(), deadline))
    });
    pending.collect()
}

fn deadline_at(
    clock: Clock,
    asked_at: Timestamp,
    expires_at: Option<Timestamp>,
) -> Option<Deadline> {
    let at = expires_at?;
    let left = Duration::try_from(at.duration_since(clock.wall())).unwrap_or_default();
    let total = Duration::try_from(at.duration_since(asked_at)).unwrap_or(left);
    Some(Deadline {
        at,
        ends: clock.now() + left,
        total,
    })
}

/// When a reply can no longer be undone, on the clock of the screen. If the clocks of server and terminal
/// differ, the whole undo window counts from now.
pub(crate) fn undo_until(clock: Clock, held: &HeldResponse) -> MonotonicTime {
    let window = Duration::try_from(held.until.duration_since(held.at)).unwrap_or_default();
    let left = Duration::try_from(held.until.duration_since(clock.wall())).ok();
    let left = left.filter(|left| *left <= window).unwrap_or(window);
    clock.now() + left
}

/// A new idempotency key, so that one call can be repeated without acting twice.
pub(crate) fn new_key() -> String {
    let now = jiff::Timestamp::now().as_nanosecond();
    format!("terminal-{}-{now}", std::process::id())
}

/// Repeats a call until the server has replied, with success or with a refusal. Between two tries the
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
