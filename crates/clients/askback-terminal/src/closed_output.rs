//! Whether anybody still reads standard output.

use rustix::event::{PollFd, PollFlags, Timespec, poll};

/// Whether the reader of standard output has gone. Never, if that is a file.
#[expect(clippy::disallowed_methods, reason = "nothing is printed")]
pub fn is_output_closed() -> bool {
    let output = std::io::stdout();
    // Errors are reported whatever is asked for: ERR for a pipe, HUP for a socket.
    let mut polled = [PollFd::new(&output, PollFlags::empty())];
    let at_once = Timespec::default();
    poll(&mut polled, Some(&at_once)).is_ok_and(|ready| ready > 0)
        && polled[0]
            .revents()
            .intersects(PollFlags::ERR | PollFlags::HUP | PollFlags::NVAL)
}
