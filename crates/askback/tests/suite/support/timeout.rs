//! Timeouts, so that a test that hangs fails and names what it waited for.

use std::io::{BufRead, Read};
use std::sync::mpsc;
use std::thread;
use std::time::Duration;

pub(crate) use askback_fakes::TEST_TIMEOUT;

/// Whether promised times are checked. A busy machine is slow, which says nothing of the program: times
/// count only where somebody asks for it with `ASKBACK_TEST_FULL=1`.
pub(crate) fn clock_counts() -> bool {
    std::env::var_os("ASKBACK_TEST_FULL").is_some()
}

/// How often something is done that takes long: as the environment says, or the first number, or the second one with
/// `ASKBACK_TEST_FULL=1`.
pub(crate) fn how_often(variable: &str, short: usize, full: usize) -> usize {
    let wanted = std::env::var(variable).ok();
    let wanted = wanted.and_then(|text| text.parse().ok());
    wanted.unwrap_or(if clock_counts() { full } else { short })
}

/// Awaits `future`; panics with `what` after the timeout.
pub(crate) async fn within<T>(what: &str, future: impl Future<Output = T>) -> T {
    let done = tokio::time::timeout(TEST_TIMEOUT, future).await;
    done.unwrap_or_else(|_| panic!("{what} within {TEST_TIMEOUT:?}"))
}

/// Whether something comes to hold before the timeout. It is looked at again and again, because nothing
/// announces it.
pub(crate) async fn comes_to_hold(mut holds: impl FnMut() -> bool) -> bool {
    let polled = async {
        while !holds() {
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
    };
    tokio::time::timeout(TEST_TIMEOUT, polled).await.is_ok()
}

/// Runs `work` on a thread.
pub(crate) fn in_background<T: Send + 'static>(
    work: impl FnOnce() -> T + Send + 'static,
) -> Pending<T> {
    let (sender, receiver) = mpsc::channel();
    thread::spawn(move || {
        // A test that timed out has dropped the receiver.
        drop(sender.send(work()));
    });
    Pending(receiver)
}

/// The result of [`in_background`].
pub(crate) struct Pending<T>(mpsc::Receiver<T>);

impl<T> Pending<T> {
    /// None after the timeout.
    pub(crate) fn get(self) -> Option<T> {
        self.0.recv_timeout(TEST_TIMEOUT).ok()
    }
}

/// Reads a pipe to its end on a thread.
pub(crate) fn read_all(mut pipe: impl Read + Send + 'static) -> Pending<Vec<u8>> {
    in_background(move || {
        let mut bytes = Vec::new();
        drop(pipe.read_to_end(&mut bytes));
        bytes
    })
}

/// Lines of a pipe, read on a thread.
pub(crate) struct Lines(mpsc::Receiver<String>);

impl Lines {
    pub(crate) fn of(pipe: impl BufRead + Send + 'static) -> Lines {
        let (sender, receiver) = mpsc::channel();
        thread::spawn(move || {
            for line in pipe.lines().map_while(Result::ok) {
                // Keeps reading after the test has stopped listening, so that the writer never blocks.
                drop(sender.send(line));
            }
        });
        Lines(receiver)
    }

    /// The next line; none at the end of the pipe or after the timeout.
    pub(crate) fn next(&self) -> Option<String> {
        self.0.recv_timeout(TEST_TIMEOUT).ok()
    }
}
