//! The feed as a stream that reconnects by itself: what was missed while the connection was down comes
//! first, and nothing comes twice.

use std::collections::VecDeque;
use std::hash::{DefaultHasher, Hash as _, Hasher as _};
use std::time::Duration;

use reqwest::Response;

use crate::error::{ClientError, DecodeError, TransportError};
use crate::http::Http;
use askback_wire::event::EventResponse;
use askback_wire::problem::ProblemResponse;
use askback_wire::sse::{SseFrame, SseLimitExceeded, SseParser};

/// The server writes at least a comment this often, several times over.
const SILENCE_MAX: Duration = Duration::from_mins(1);
/// The first pause before a new connection, unless the server names one.
const PAUSE_MIN: Duration = Duration::from_millis(500);
/// The longest pause between two attempts at a connection.
const PAUSE_MAX: Duration = Duration::from_secs(15);
/// Frames remembered behind the last id; more than any stored event gives.
const TAIL_MAX: usize = 256;

/// What a feed brings.
#[derive(Debug)]
pub enum FeedItem {
    /// Something happened.
    Event(Box<EventResponse>),
    /// The connection is gone, or did not come about. It is made anew when the next item is
    /// waited for.
    Lost(ClientError),
    /// The connection stands again; what was missed follows. Also comes where the server told to
    /// start over, because it does not know the place: then nothing follows, and whoever shows
    /// something reads it again.
    Restored,
}

/// A feed. Waiting for the next item may be given up at any time and loses nothing.
#[derive(Debug)]
pub struct EventStream {
    http: Http,
    path: String,
    connection: Option<Connection>,
    ready: VecDeque<FeedItem>,
    place: Placekeeper,
    /// Failed attempts since the last event.
    failures: u32,
    pause: Duration,
    lost: bool,
    /// Where the last connection was made, or did not come about.
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
            place: Placekeeper::new(after),
            failures: 0,
            pause: PAUSE_MIN,
            lost: false,
            base: String::new(),
        }
    }

    /// The sequence behind which a new feed, of this client or another, would go on.
    pub fn last_sequence(&self) -> Option<u64> {
        self.place.last_id.as_deref().and_then(|id| id.parse().ok())
    }

    /// Makes the connection, if there is none. From then on nothing is missed: what happens comes
    /// from [`next`](EventStream::next), and what happened before can be read.
    pub async fn open(&mut self) -> Result<(), ClientError> {
        if self.connection.is_some() {
            return Ok(());
        }
        let opened = self.connect().await;
        if opened.is_err() {
            self.failures = self.failures.saturating_add(1);
            self.lost = true;
        }
        opened
    }

    /// The next item. An error is one that trying again does not help against: the token is
    /// refused, or there is no such conversation.
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
            self.lost = true;
            if !may_pass(&failure) {
                return Err(failure);
            }
            return Ok(FeedItem::Lost(failure));
        }
    }

    async fn connect(&mut self) -> Result<(), ClientError> {
        if self.failures > 0 {
            let doubled = self.pause * (1 << (self.failures - 1).min(10));
            // Whoever finds the server waits for it; then every moment counts.
            let pause = if self.http.can_reconnect() {
                self.pause
            } else {
                doubled
            };
            tokio::time::sleep(pause.min(PAUSE_MAX)).await;
            self.http.reconnect(&self.base).await;
        }
        self.base = self.http.base();
        let last_id = self.place.last_id.as_deref();
        let response = self.http.open_feed(&self.path, last_id).await?;
        self.connection = Some(Connection {
            response,
            parser: SseParser::new(),
        });
        self.place.resume();
        if std::mem::take(&mut self.lost) {
            self.ready.push_back(FeedItem::Restored);
        }
        Ok(())
    }

    fn take(&mut self, frames: Vec<SseFrame>) {
        if let Some(retry_ms) = self.connection.as_ref().and_then(|c| c.parser.retry_ms()) {
            self.pause = Duration::from_millis(retry_ms).clamp(Duration::from_millis(1), PAUSE_MAX);
        }
        if let Some(place) = self
            .connection
            .as_ref()
            .and_then(|c| c.parser.id_without_data())
        {
            self.place.begin_at(place);
        }
        for frame in frames {
            self.failures = 0;
            match self.place.take(frame) {
                Some(EventResponse::Reset(_)) => self.ready.push_back(FeedItem::Restored),
                Some(event) => self.ready.push_back(FeedItem::Event(Box::new(event))),
                None => {}
            }
        }
    }
}

/// Whether a feed is worth another attempt: opening one changes nothing, so that a server that failed
/// inside is asked again too.
fn may_pass(failure: &ClientError) -> bool {
    let failed = |problem: &ProblemResponse| problem.status >= 500;
    failure.is_passing() || failure.problem().is_some_and(failed)
}

impl Connection {
    async fn read(&mut self) -> Result<Vec<SseFrame>, ClientError> {
        let chunk = tokio::time::timeout(SILENCE_MAX, self.response.chunk()).await;
        let chunk = chunk.map_err(|_| TransportError::Silent)??;
        let chunk = chunk.ok_or(TransportError::Closed)?;
        // Such a frame would come again with every new connection.
        let unreadable = DecodeError {
            status: self.response.status().as_u16(),
            line: 0,
            column: 0,
        };
        let frames = self.parser.push(&chunk);
        frames.map_err(|SseLimitExceeded| unreadable.into())
    }
}

/// Knows where to resume, and what came already from there on.
///
/// Only the last frame of a stored event has an `id:`. A feed that breaks before it begins again
/// with the first frame of that event, which is then known.
#[derive(Debug, Default)]
struct Placekeeper {
    last_id: Option<String>,
    /// Nothing up to here comes a second time.
    floor: Option<u64>,
    /// What came behind the last id.
    tail: Vec<u64>,
}

impl Placekeeper {
    fn new(after: Option<u64>) -> Placekeeper {
        Placekeeper {
            last_id: after.map(|sequence| sequence.to_string()),
            floor: None,
            tail: Vec::new(),
        }
    }

    /// Where the feed begins, as the server says; nothing once there is a place of our own.
    fn begin_at(&mut self, id: &str) {
        if self.last_id.is_none() && !id.is_empty() {
            self.last_id = Some(id.to_owned());
        }
    }

    fn resume(&mut self) {
        self.floor = self.last_id.as_deref().and_then(|id| id.parse().ok());
    }

    /// The event of a frame, unless it came before.
    fn take(&mut self, frame: SseFrame) -> Option<EventResponse> {
        let mark = mark(&frame);
        let id = frame.id.clone();
        let event = EventResponse::from(frame);
        if let EventResponse::Reset(reset) = &event {
            *self = Placekeeper::new(Some(reset.sequence));
            return Some(event);
        }
        let sequence = event.sequence();
        if sequence.is_some() && sequence <= self.floor {
            return None;
        }
        let known = sequence.is_some() && self.tail.contains(&mark);
        if let Some(id) = id {
            self.last_id = (!id.is_empty()).then_some(id);
            self.tail.clear();
        } else if sequence.is_some() && !known {
            self.tail.truncate(TAIL_MAX - 1);
            self.tail.push(mark);
        }
        (!known).then_some(event)
    }
}

/// Tells frames apart without keeping what is in them.
fn mark(frame: &SseFrame) -> u64 {
    let mut hasher = DefaultHasher::new();
    frame.event.hash(&mut hasher);
    frame.data.hash(&mut hasher);
    hasher.finish()
}

#[cfg(test)]
#[path = "feed_tests.rs"]
mod tests;
