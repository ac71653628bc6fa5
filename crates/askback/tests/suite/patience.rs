//! Every wait of a test ends: with what it waits for, or with a failure that says what it was.

use std::io::{BufRead, Read};
use std::sync::mpsc;
use std::thread;
use std::time::Duration;

/// Far more than anything here takes on a slow and busy machine.
pub(crate) const PATIENCE: Duration = Duration::from_mins(2);

/// What `future` gives, unless it takes too long.
pub(crate) async fn within<T>(what: &str, future: impl Future<Output = T>) -> T {
    let done = tokio::time::timeout(PATIENCE, future).await;
    done.unwrap_or_else(|_| panic!("{what} within {PATIENCE:?}"))
}

/// What `work` gives, done beside the test, unless it takes too long.
pub(crate) fn beside<T: Send + 'static>(work: impl FnOnce() -> T + Send + 'static) -> Pending<T> {
    let (sender, receiver) = mpsc::channel();
    thread::spawn(move || {
        // A test that has given up does not listen any more.
        drop(sender.send(work()));
    });
    Pending(receiver)
}

/// Something that comes later, or not.
pub(crate) struct Pending<T>(mpsc::Receiver<T>);

impl<T> Pending<T> {
    /// It, or none if it takes too long.
    pub(crate) fn get(self) -> Option<T> {
        self.0.recv_timeout(PATIENCE).ok()
    }
}

/// Everything a pipe brings, read beside the test.
pub(crate) fn read_all(mut pipe: impl Read + Send + 'static) -> Pending<Vec<u8>> {
    beside(move || {
        let mut bytes = Vec::new();
        drop(pipe.read_to_end(&mut bytes));
        bytes
    })
}

/// Lines of a pipe, read beside the test as they come.
pub(crate) struct Lines(mpsc::Receiver<String>);

impl Lines {
    pub(crate) fn of(pipe: impl BufRead + Send + 'static) -> Lines {
        let (sender, receiver) = mpsc::channel();
        thread::spawn(move || {
            for line in pipe.lines().map_while(Result::ok) {
                // The pipe is read to its end even if nobody listens: its writer must not block.
                drop(sender.send(line));
            }
        });
        Lines(receiver)
    }

    /// The next line; none if the pipe ends first, or it takes too long.
    pub(crate) fn next(&self) -> Option<String> {
        self.0.recv_timeout(PATIENCE).ok()
    }
}
