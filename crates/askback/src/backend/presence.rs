//! Tells the server that somebody is at this terminal, so that their phone stays silent.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use askback_client::Client;
use tokio::runtime::Handle;

/// The least time between two messages to the server.
pub(crate) const PRESENCE_INTERVAL: Duration = Duration::from_secs(20);

/// What to call while somebody types. It stops if the server does not want to know; a failure changes nothing but
/// when a phone makes a sound.
pub(crate) fn presence_notifier(client: Client, runtime: Handle) -> Box<dyn FnMut()> {
    let is_wanted = Arc::new(AtomicBool::new(true));
    Box::new(move || {
        if !is_wanted.load(Ordering::Relaxed) {
            return;
        }
        let (client, is_wanted) = (client.clone(), Arc::clone(&is_wanted));
        runtime.spawn(async move {
            match client.note_presence().await {
                Ok(presence) => is_wanted.store(presence.wanted, Ordering::Relaxed),
                Err(error) => tracing::debug!(%error, "the server does not know who is here"),
            }
        });
    })
}
