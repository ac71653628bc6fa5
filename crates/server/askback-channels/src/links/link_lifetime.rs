//! How long links to a question work, and from when.

use askback_engine::{Engine, InquiryView};
use askback_store::StoreError;
use jiff::{SignedDuration, Timestamp};

use crate::state::{ChannelState, new_link};

/// How long the links in a message work.
pub const LINK_LIFETIME: SignedDuration = SignedDuration::from_hours(24 * 7);

/// Since when the links in the messages to a person work: since they got a new one, or from a time that is recent enough for
/// a message that is sent now.
pub(crate) async fn links_since(
    engine: &Engine,
    view: &InquiryView,
    alias: &str,
) -> Result<Timestamp, StoreError> {
    let asked_at = view.row.asked_at;
    let recent = recent_start(asked_at, engine.clock().now());
    if recent == asked_at {
        return Ok(asked_at);
    }
    let state = ChannelState(engine.store().as_ref());
    let sent = state.get(new_link(&view.row.id, alias)).await?;
    Ok(sent.map_or(recent, |sent| sent.max(recent)))
}

/// The latest multiple of half a lifetime after the question was asked. A link that starts there works for at least the other
/// half, and is the same for a while, so that messages are not edited for its sake alone.
fn recent_start(asked_at: Timestamp, now: Timestamp) -> Timestamp {
    let half = LINK_LIFETIME / 2;
    let halves = now.duration_since(asked_at).as_secs() / half.as_secs();
    let halves = i32::try_from(halves.max(0)).unwrap_or(0);
    asked_at + half * halves
}

#[cfg(test)]
#[path = "link_lifetime_tests.rs"]
mod tests;
