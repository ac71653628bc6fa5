//! Events from network tasks to the thread that draws.

use std::io::Write as _;
use std::os::unix::net::UnixStream;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, Sender, channel};

use anyhow::Context as _;

/// The sending half. The thread that draws waits in `poll` for keys, so each event also writes a byte
/// into a socket that `poll` watches.
pub(crate) struct UiChannel<T> {
    events: Sender<T>,
    wake: Arc<UnixStream>,
}

impl<T> Clone for UiChannel<T> {
    fn clone(&self) -> UiChannel<T> {
        UiChannel {
            events: self.events.clone(),
            wake: Arc::clone(&self.wake),
        }
    }
}

impl<T> UiChannel<T> {
    /// The sender, the receiver, and the socket that becomes readable when an event arrives.
    pub(crate) fn open() -> anyhow::Result<(UiChannel<T>, Receiver<T>, UnixStream)> {
        let (wake, woken) = UnixStream::pair().context("cannot open a socket pair")?;
        wake.set_nonblocking(true)?;
        let (events, receiver) = channel();
        let wake = Arc::new(wake);
        Ok((UiChannel { events, wake }, receiver, woken))
    }

    /// Sends an event. It is dropped if the screen has ended.
    pub(crate) fn send(&self, event: T) {
        // A full socket buffer is an error here, and wakes the reader all the same.
        let sent = self.events.send(event).is_ok() && (&*self.wake).write(b"!").is_ok();
        tracing::trace!(sent, "event for the screen");
    }
}
