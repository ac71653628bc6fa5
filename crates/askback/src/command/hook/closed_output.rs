//! Notices that nobody reads standard output any more.

use std::time::Duration;

use rustix::event::{PollFd, PollFlags, Timespec, poll};

const POLL_INTERVAL: Duration = Duration::from_millis(500);

/// Completes when the reader of standard output has gone. Never, if that is a file.
pub(super) async fn closed_output() {
    while !is_closed() {
        tokio::time::sleep(POLL_INTERVAL).await;
    }
}

fn is_closed() -> bool {
    let output = std::io::stdout();
    // Errors are reported whatever is asked for: ERR for a pipe, HUP for a socket.
    let mut polled = [PollFd::new(&output, PollFlags::empty())];
    let at_once = Timespec::default();
    poll(&mut polled, Some(&at_once)).is_ok_and(|ready| ready > 0)
        && polled[0]
            .revents()
            .intersects(PollFlags::ERR | PollFlags::HUP | PollFlags::NVAL)
}
