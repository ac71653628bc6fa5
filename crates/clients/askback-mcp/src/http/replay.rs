//! The responses of sessions, kept for a while so that a client whose connection was lost can read the
//! rest with `Last-Event-ID`.
//!
//! In memory: a question outlives the server, the response of one call does not have to.

use parking_lot::Mutex;
use std::collections::{HashMap, VecDeque};
use std::pin::Pin;
use std::sync::{Arc, OnceLock};
use std::time::Duration;

use futures_util::stream;
use rmcp::model::JsonRpcMessage;
use rmcp::transport::streamable_http_server::session::{
    EventStore, EventStoreError, EventStream, ServerSseMessage,
};
use tokio::sync::watch;
use tokio::time::Instant;

/// How long a complete response can be read again.
const KEEP_COMPLETE: Duration = Duration::from_mins(5);

/// Complete responses that are kept.
const COMPLETE_MAX: usize = 256;

/// Events that are kept for each response. Older progress notifications are dropped.
const EVENTS_MAX: usize = 32;

/// The id of an event that belongs to no response. See [`ResponseEvents::record`].
pub(crate) const NO_RESPONSE: &str = "0";

/// What rmcp calls the stream of messages that belong to no request.
const COMMON_SUFFIX: &str = ":common";

/// The events of all responses of sessions.
pub(crate) struct ResponseEvents {
    responses: Mutex<HashMap<String, Arc<ResponseStream>>>,
    /// A response without new events for this long is dropped: its call has ended without a result.
    idle_max: Duration,
}

struct ResponseStream {
    recorded: watch::Sender<Recorded>,
    /// The session whose response it is. Nobody else can read it.
    session: OnceLock<String>,
}

/// Whether the rest of a response can be read.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Resumption {
    Possible,
    /// The event is not known.
    Unknown,
    /// The response is another session's.
    OtherSession,
}

#[derive(Clone)]
struct Recorded {
    events: VecDeque<ServerSseMessage>,
    /// The number of the first event that is kept.
    first: usize,
    is_complete: bool,
    changed_at: Instant,
}

impl ResponseEvents {
    pub(crate) fn new(idle_max: Duration) -> ResponseEvents {
        ResponseEvents {
            responses: Mutex::default(),
            idle_max,
        }
    }

    /// Whether a session can read the rest of the response with this event.
    pub(crate) fn resumption(&self, event_id: &str, session: &str) -> Resumption {
        match self.find(event_id) {
            None => Resumption::Unknown,
            Some((response, _)) if response.is_of(session) => Resumption::Possible,
            Some(_) => Resumption::OtherSession,
        }
    }

    /// Notes that the response with this event is the session's.
    pub(crate) fn bind(&self, event_id: &str, session: &str) {
        if let Some((response, _)) = self.find(event_id) {
            response.session.get_or_init(|| session.to_owned());
        }
    }

    /// The session has ended: its responses cannot be read any more.
    pub(crate) fn remove_session(&self, session: &str) {
        self.responses
            .lock()
            .retain(|_, response| !response.is_of(session));
    }

    /// The response with an event, and the number of the next event.
    fn find(&self, event_id: &str) -> Option<(Arc<ResponseStream>, usize)> {
        let (number, stream_id) = event_id.split_once('/')?;
        let next = number.parse::<usize>().ok()?.checked_add(1)?;
        let response = Arc::clone(self.responses.lock().get(stream_id)?);
        let recorded = response.recorded.borrow();
        let is_known = next <= recorded.first + recorded.events.len();
        drop(recorded);
        is_known.then_some((response, next))
    }

    /// Adds an event and returns its id.
    fn record(&self, stream_id: &str, event: &ServerSseMessage, now: Instant) -> String {
        if stream_id.ends_with(COMMON_SUFFIX) {
            return NO_RESPONSE.to_owned();
        }
        let mut responses = self.responses.lock();
        if !responses.contains_key(stream_id) {
            self.remove_old(&mut responses, now);
        }
        let response = responses.entry(stream_id.to_owned()).or_default();
        let mut id = String::new();
        response.recorded.send_modify(|recorded| {
            let number = recorded.first + recorded.events.len();
            id = format!("{number}/{stream_id}");
            let mut event = event.clone();
            event.event_id = Some(id.clone());
            recorded.is_complete |= is_response(&event);
            recorded.changed_at = now;
            recorded.events.push_back(event);
            if recorded.events.len() > EVENTS_MAX {
                recorded.events.pop_front();
                recorded.first += 1;
            }
        });
        id
    }

    fn remove_old(&self, responses: &mut HashMap<String, Arc<ResponseStream>>, now: Instant) {
        let mut complete = Vec::new();
        responses.retain(|_, response| {
            let recorded = response.recorded.borrow();
            let age = now.saturating_duration_since(recorded.changed_at);
            if !recorded.is_complete {
                return age < self.idle_max;
            }
            complete.push(recorded.changed_at);
            age < KEEP_COMPLETE
        });
        if complete.len() < COMPLETE_MAX {
            return;
        }
        complete.sort_unstable();
        let newest_removed = complete[complete.len() - COMPLETE_MAX];
        responses.retain(|_, response| {
            let recorded = response.recorded.borrow();
            !recorded.is_complete || recorded.changed_at > newest_removed
        });
    }
}

impl ResponseStream {
    fn is_of(&self, session: &str) -> bool {
        self.session.get().is_some_and(|owner| owner == session)
    }
}

impl Default for ResponseStream {
    fn default() -> ResponseStream {
        ResponseStream {
            session: OnceLock::new(),
            recorded: watch::Sender::new(Recorded {
                events: VecDeque::new(),
                first: 0,
                is_complete: false,
                changed_at: Instant::now(),
            }),
        }
    }
}

/// Whether an event ends the response that it belongs to.
fn is_response(event: &ServerSseMessage) -> bool {
    match event.message.as_deref() {
        Some(JsonRpcMessage::Response(_) | JsonRpcMessage::Error(_)) => true,
        Some(JsonRpcMessage::Request(_) | JsonRpcMessage::Notification(_)) | None => false,
    }
}

/// The events of a response from a number on, as they come, until it is complete.
fn replay(response: &ResponseStream, next: usize) -> EventStream {
    let received = response.recorded.subscribe();
    Box::pin(stream::unfold(
        (received, next),
        |(mut received, next)| async move {
            let is_ready =
                |recorded: &Recorded| recorded.event(next).is_some() || recorded.is_complete;
            // The sender is dropped with the response: there is nothing more to read.
            let recorded = received.wait_for(is_ready).await.ok()?;
            let (event, next) = recorded.event(next)?;
            drop(recorded);
            Some((event, (received, next)))
        },
    ))
}

impl Recorded {
    /// The first event from a number on, and the number after it.
    fn event(&self, next: usize) -> Option<(ServerSseMessage, usize)> {
        let number = next.max(self.first);
        let event = self.events.get(number - self.first)?;
        Some((event.clone(), number + 1))
    }
}

type Stored<'a, T> = Pin<Box<dyn Future<Output = Result<T, EventStoreError>> + Send + 'a>>;

impl EventStore for ResponseEvents {
    fn store_event<'a, 'b, 'c, 'd>(
        &'a self,
        stream_id: &'b str,
        event: &'c ServerSseMessage,
    ) -> Stored<'d, String>
    where
        'a: 'd,
        'b: 'd,
        'c: 'd,
        Self: 'd,
    {
        let id = self.record(stream_id, event, Instant::now());
        Box::pin(std::future::ready(Ok(id)))
    }

    fn replay_events_after<'a, 'b, 'c>(&'a self, last_event_id: &'b str) -> Stored<'c, EventStream>
    where
        'a: 'c,
        'b: 'c,
        Self: 'c,
    {
        let found = self.find(last_event_id);
        let events = found.map(|(response, next)| replay(&response, next));
        let events = events.ok_or_else(|| EventStoreError::from("the event is not known"));
        Box::pin(std::future::ready(events))
    }
}

#[cfg(test)]
#[path = "replay_tests.rs"]
mod tests;
