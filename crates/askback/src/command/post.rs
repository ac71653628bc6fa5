//! Brings news from the tasks of the network to the thread that draws.

use std::io::Write as _;
use std::os::unix::net::UnixStream;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, Sender, channel};

use anyhow::Context as _;
use askback_client::{Client, ClientError};
use askback_core::outcome::Surface;
use askback_tui::clock::{Clock, Moment};
use askback_tui::deadline::Deadline;
use askback_wire::inquiry::InquiryResponse;

use crate::connect::{self, Connection};

/// Where news is handed in.
pub(crate) struct Post<T> {
    news: Sender<T>,
    wake: Arc<UnixStream>,
}

impl<T> Clone for Post<T> {
    fn clone(&self) -> Post<T> {
        Post {
            news: self.news.clone(),
            wake: Arc::clone(&self.wake),
        }
    }
}

impl<T> Post<T> {
    /// The post, where news comes out, and what becomes readable when some does.
    pub(crate) fn open() -> anyhow::Result<(Post<T>, Receiver<T>, UnixStream)> {
        let (wake, sleeper) = UnixStream::pair().context("cannot make a pipe")?;
        wake.set_nonblocking(true)?;
        let (news, receiver) = channel();
        let wake = Arc::new(wake);
        Ok((Post { news, wake }, receiver, sleeper))
    }

    /// Hands something in. Nobody is there to take it once the screen is gone.
    pub(crate) fn send(&self, news: T) {
        // A pipe that is full wakes its reader as well.
        let sent = self.news.send(news).is_ok() && (&*self.wake).write(b"!").is_ok();
        tracing::trace!(sent, "news");
    }
}

/// A client that acts from the terminal.
pub(crate) fn terminal_client(connection: &Connection) -> Client {
    let client = connection.client.clone();
    client.acting_as(&connect::actor(Surface::Terminal))
}

/// The deadline of a question on the clock of the screen.
pub(crate) fn deadline(clock: Clock, asked: &InquiryResponse) -> Option<Deadline> {
    use std::time::Duration;
    let at = asked.expires_at?;
    let left = Duration::try_from(at.duration_since(clock.wall())).unwrap_or_default();
    let total = Duration::try_from(at.duration_since(asked.asked_at)).unwrap_or(left);
    Some(Deadline {
        at,
        ends: clock.now() + left,
        total,
    })
}

/// A time that is to come, on the clock of the screen.
pub(crate) fn moment(clock: Clock, at: jiff::Timestamp) -> Option<Moment> {
    let left = std::time::Duration::try_from(at.duration_since(clock.wall())).ok()?;
    Some(clock.now() + left)
}

/// A key that no other send has, so that this one may be repeated.
pub(crate) fn key() -> String {
    let now = jiff::Timestamp::now().as_nanosecond();
    format!("terminal-{}-{now}", std::process::id())
}

/// Calls until the server has answered, whatever it says: a server that is gone comes back, or
/// another one takes over.
pub(crate) async fn insist<T, F>(mut call: impl FnMut() -> F) -> Result<T, ClientError>
where
    F: Future<Output = Result<T, ClientError>>,
{
    loop {
        match call().await {
            Err(error) if error.is_passing() => {
                tokio::time::sleep(std::time::Duration::from_millis(300)).await;
            }
            result => return result,
        }
    }
}

/// What a person reads about a refusal.
pub(crate) fn words(error: &ClientError) -> String {
    match error {
        ClientError::Problem(problem) => problem.to_string(),
        ClientError::Transport(_) | ClientError::Decode(_) => error.to_string(),
    }
}
