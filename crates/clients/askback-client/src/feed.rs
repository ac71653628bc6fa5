//! The feed as a stream that reconnects. After a reconnect it continues with the missed events, without
//! duplicates.

use std::collections::VecDeque;
use std::hash::{DefaultHasher, Hash as _, Hasher as _};
use std::time::Duration;

use reqwest::Response;

use crate::error::{ClientError, DecodeError, TransportError};
use crate::http::Http;
use askback_wire::event::EventResponse;
use askback_wire::problem::ProblemResponse;
use askback_wire::sse::{SseFrame, SseLimitExceeded, SseParser};

/// The server sends at least a comment several times in this time.
const IDLE_TIMEOUT: Duration = Duration::from_mins(1);
/// The pause before the first reconnect, unless the server sends `retry:`.
const BACKOFF_MIN: Duration = Duration::from_millis(500);
const BACKOFF_MAX: Duration = Duration::from_secs(15);
/// Frames to remember since the last id. More than any stored event produces.
const SEEN_MAX: usize = 256;

/// An event, or a change of the connection.
#[derive(Debug)]
pub enum FeedItem {
    /// An event of the feed.
    Event(Box<EventResponse>),
    /// The connection broke or could not be made. The next call of `next` reconnects.
    Disconnected(ClientError),
    /// Connected again; missed events follow. Also sent when the server resets the feed because it does not
    /// know the sequence number: then nothing was replayed, and the caller must load its data again.
    Reconnected,
}

/// A feed. [`next`](EventStream::next) is cancel-safe.
#[derive(Debug)]
pub struct EventStream {
    http: Http,
    path: String,
    connection: Option<Connection>,
    ready: VecDeque<FeedItem>,
    resume_point: ResumePoint,
    /// Failures since the last event.
    failures: u32,
    backoff: Duration,
    is_disconnected: bool,
    /// The URL of the last connection attempt.
    base: String,
}

#[derive(Debug)]
struct Connection {
    response: Response,
    parser: SseParser,
}

impl EventStream {
    pub(crate) fn new(http: Http, path: String, after: Option<u64>) -> EventStream {
        EventStream {
            http,
            path,
            connection: None,
            ready: VecDeque::new(),
            resume_point: ResumePoint::new(after),
            failures: 0,
            backoff: BACKOFF_MIN,
            is_disconnected: false,
            base: String::new(),
        }
    }

    /// The sequence number after which another feed would continue.
    pub fn last_sequence(&self) -> Option<u64> {
        self.resume_point
            .last_id
            .as_deref()
            .and_then(|id| id.parse().ok())
    }

    /// Connects, if not connected. Events from now on come from [`next`](EventStream::next); earlier ones can be
    /// read by other calls.
    pub async fn open(&mut self) -> Result<(), ClientError> {
        if self.connection.is_some() {
            return Ok(());
        }
        let opened = self.connect().await;
        if opened.is_err() {
            self.failures = self.failures.saturating_add(1);
            self.is_disconnected = true;
        }
        opened
    }

    /// The next item. Returns an error only if retrying is pointless: the token is refused, or the
    /// conversation does not exist.
    pub async fn next(&mut self) -> Result<FeedItem, ClientError> {
        loop {
            if let Some(item) = self.ready.pop_front() {
                return Ok(item);
            }
            let failure = match &mut self.connection {
                Some(connection) => match connection.read().await {
                    Ok(frames) => {
                        self.take(frames);
                        continue;
                    }
                    Err(failure) => failure,
                },
                None => match self.connect().await {
                    Ok(()) => continue,
                    Err(failure) => failure,
                },
            };
            self.connection = None;
            self.failures = self.failures.saturating_add(1);
            self.is_disconnected = true;
            if !is_worth_retrying(&failure) {
                return Err(failure);
            }
            return Ok(FeedItem::Disconnected(failure));
        }
    }

    async fn connect(&mut self) -> Result<(), ClientError> {
        if self.failures > 0 {
            let doubled = self.backoff * (1 << (self.failures - 1).min(10));
            // With a `Reconnect`, the waiting is done there.
            let pause = if self.http.can_reconnect() {
                self.backoff
            } else {
                doubled
            };
            tokio::time::sleep(pause.min(BACKOFF_MAX)).await;
            self.http.reconnect(&self.base).await;
        }
        self.base = self.http.base();
        let last_id = self.resume_point.last_id.as_deref();
        let response = self.http.open_feed(&self.path, last_id).await?;
        self.connection = Some(Connection {
            response,
            parser: SseParser::new(),
        });
        self.resume_point.resume();
        if std::mem::take(&mut self.is_disconnected) {
            self.ready.push_back(FeedItem::Reconnected);
        }
        Ok(())
    }

    fn take(&mut self, frames: Vec<SseFrame>) {
        if let Some(retry_ms) = self.connection.as_ref().and_then(|c| c.parser.retry_ms()) {
            self.backoff =
                Duration::from_millis(retry_ms).clamp(Duration::from_millis(1), BACKOFF_MAX);
        }
        if let Some(id) = self
            .connection
            .as_ref()
            .and_then(|c| c.parser.id_without_data())
        {
            self.resume_point.start_at(id);
        }
        for frame in frames {
            self.failures = 0;
            match self.resume_point.take(frame) {
                Some(EventResponse::Reset(_)) => self.ready.push_back(FeedItem::Reconnected),
                Some(event) => self.ready.push_back(FeedItem::Event(Box::new(event))),
                None => {}
            }
        }
    }
}

/// Opening a feed changes nothing, so internal errors of the server are retried too.
fn is_worth_retrying(failure: &ClientError) -> bool {
    let failed = |problem: &ProblemResponse| problem.status >= 500;
    failure.is_transient() || failure.problem().is_some_and(failed)
}

impl Connection {
    async fn read(&mut self) -> Result<Vec<SseFrame>, ClientError> {
        let received = tokio::time::timeout(IDLE_TIMEOUT, self.response.chunk()).await;
        let next = received.map_err(|_| TransportError::Timeout)??;
        let chunk = next.ok_or(TransportError::Closed)?;
        // Not retried: the same frame would be sent again.
        let unreadable = DecodeError {
            status: self.response.status().as_u16(),
            line: 0,
            column: 0,
        };
        let frames = self.parser.push(&chunk);
        frames.map_err(|SseLimitExceeded| unreadable.into())
    }
}

/// Where to resume the feed, and which frames were received since.
///
/// Only the last frame of a stored event has an `id:`. If the feed breaks before it, the feed repeats the
/// earlier frames of that event, which must be dropped.
#[derive(Debug, Default)]
struct ResumePoint {
    last_id: Option<String>,
    /// Events up to this sequence number were returned before the reconnect.
    returned: Option<u64>,
    /// Hashes of the frames since the last id.
    seen: Vec<u64>,
}

impl ResumePoint {
    fn new(after: Option<u64>) -> ResumePoint {
        ResumePoint {
            last_id: after.map(|sequence| sequence.to_string()),
            returned: None,
            seen: Vec::new(),
        }
    }

    /// Takes the start of the feed as the server sends it, unless a sequence number is known already.
    fn start_at(&mut self, id: &str) {
        if self.last_id.is_none() && !id.is_empty() {
            self.last_id = Some(id.to_owned());
        }
    }

    fn resume(&mut self) {
        self.returned = self.last_id.as_deref().and_then(|id| id.parse().ok());
    }

    /// The event of a frame, or `None` if it was returned before.
    fn take(&mut self, frame: SseFrame) -> Option<EventResponse> {
        let hash = frame_hash(&frame);
        let id = frame.id.clone();
        let event = EventResponse::from(frame);
        if let EventResponse::Reset(reset) = &event {
            *self = ResumePoint::new(Some(reset.sequence));
            return Some(event);
        }
        let sequence = event.sequence();
        if sequence.is_some() && sequence <= self.returned {
            return None;
        }
        let known = sequence.is_some() && self.seen.contains(&hash);
        if let Some(id) = id {
            self.last_id = (!id.is_empty()).then_some(id);
            self.seen.clear();
        } else if sequence.is_some() && !known {
            self.seen.truncate(SEEN_MAX - 1);
            self.seen.push(hash);
        }
        (!known).then_some(event)
    }
}

/// Identifies a frame without storing its content.
fn frame_hash(frame: &SseFrame) -> u64 {
    let mut hasher = DefaultHasher::new();
    frame.event.hash(&mut hasher);
    frame.data.hash(&mut hasher);
    hasher.finish()
}

#[cfg(test)]
#[path = "feed_tests.rs"]
mod tests;
