//! The feed as server-sent events: what is recorded, in order, and text while it is coming.

mod frame_cache;

use std::convert::Infallible;
use std::sync::Arc;
use std::time::Duration;

use askback_core::id::ConversationId;
use askback_engine::{FeedListener, ListenError, LogEntry, StreamedToken};
use askback_store::StoreError;
use askback_wire::event::{
    EventResponse, FeedParams, ResetEvent, StateChangeEvent, TokenEvent, frames,
};
use askback_wire::problem::ProblemCode;
use askback_wire::sse::SseFrame;
use axum::extract::State;
use axum::http::HeaderMap;
use axum::response::sse::{self, KeepAlive, Sse};
use axum::response::{IntoResponse, Response};
use futures_util::stream::{self, Stream, StreamExt as _};
use tokio::sync::{OwnedSemaphorePermit, broadcast};

use self::frame_cache::Teller;
pub(crate) use self::frame_cache::Telling;
use super::{Shared, state_response};
use crate::extract::{Id, Query};
use crate::problem::{Problem, problem};

/// How often a silent feed shows that it lives.
const HEARTBEAT: Duration = Duration::from_secs(15);

pub(crate) async fn of_all(
    State(shared): State<Shared>,
    Query(params): Query<FeedParams>,
    headers: HeaderMap,
) -> Result<Response, Problem> {
    feed(shared, None, params, &headers).await
}

pub(crate) async fn of_conversation(
    State(shared): State<Shared>,
    Id(id): Id<ConversationId>,
    Query(params): Query<FeedParams>,
    headers: HeaderMap,
) -> Result<Response, Problem> {
    if shared.engine.conversation(&id).await?.is_none() {
        return Err(problem(ProblemCode::NotFound));
    }
    feed(shared, Some(id), params, &headers).await
}

async fn feed(
    shared: Shared,
    conversation: Option<ConversationId>,
    params: FeedParams,
    headers: &HeaderMap,
) -> Result<Response, Problem> {
    let place = Arc::clone(&shared.streams).try_acquire_owned();
    let place = place.map_err(|_| problem(ProblemCode::TooManyStreams))?;
    let last = headers
        .get("last-event-id")
        .and_then(|value| value.to_str().ok());
    let after = last.and_then(|id| id.trim().parse().ok()).or(params.after);
    // A place that lies ahead is of other data than this: nothing would ever come.
    let newest = shared.engine.store().newest_sequence().await?;
    let known = after.filter(|after| *after <= newest);
    let listener = shared.engine.listen(conversation.clone(), known).await?;
    let mut first = Vec::new();
    if known.is_none() && after.is_some() {
        let sequence = listener.last();
        first = frames(&[EventResponse::Reset(ResetEvent { sequence })]);
    }
    if known.is_none() {
        first.extend(beginning(&shared, conversation.as_ref(), listener.last()).await?);
    }
    shared.metrics.streams.inc();
    let control = shared.control.clone();
    let stopping = async move { control.stopping().await };
    let reader = Reader {
        teller: Teller::default(),
        tokens: shared.engine.feed().subscribe_tokens(),
        ready: first.into(),
        sent: 0,
        listener,
        conversation,
        shared,
        _place: place,
    };
    let keep_alive = KeepAlive::new().interval(HEARTBEAT);
    let headers = [("x-accel-buffering", "no"), ("cache-control", "no-store")];
    Ok((
        headers,
        // A server that stops does not wait for its feeds: their readers go on with the next one.
        Sse::new(reader.into_stream().take_until(stopping)).keep_alive(keep_alive),
    )
        .into_response())
}

/// What a feed that begins now begins with: the present state of one conversation, or only the
/// place, so that a reader that is cut off before the first event misses nothing.
async fn beginning(
    shared: &Shared,
    conversation: Option<&ConversationId>,
    sequence: u64,
) -> Result<Vec<SseFrame>, Problem> {
    if let Some(id) = conversation
        && let Some(found) = shared.engine.conversation(id).await?
    {
        return Ok(frames(&[EventResponse::StateChange(StateChangeEvent {
            state: state_response(&found.state),
            conversation_id: id.clone(),
            sequence,
        })]));
    }
    Ok(vec![SseFrame {
        id: Some(sequence.to_string()),
        ..SseFrame::default()
    }])
}

/// One open feed.
struct Reader {
    shared: Shared,
    teller: Teller,
    conversation: Option<ConversationId>,
    listener: FeedListener,
    tokens: broadcast::Receiver<Arc<StreamedToken>>,
    /// Frames to be sent. Feeds share them, so that a slow reader holds no copy.
    ready: Arc<[SseFrame]>,
    /// How many of them were sent.
    sent: usize,
    _place: OwnedSemaphorePermit,
}

impl Drop for Reader {
    fn drop(&mut self) {
        self.shared.metrics.streams.dec();
    }
}

impl Reader {
    fn into_stream(self) -> impl Stream<Item = Result<sse::Event, Infallible>> {
        stream::unfold(self, |mut reader| async move {
            let event = reader.next().await?;
            Some((Ok(event), reader))
        })
    }

    /// The next frame. The stream ends for a reader that is too slow, and where the store cannot be read:
    /// the reader resumes by the last id.
    async fn next(&mut self) -> Option<sse::Event> {
        loop {
            if let Some(frame) = self.ready.get(self.sent) {
                self.sent += 1;
                return Some(sse_event(frame));
            }
            tokio::select! {
                biased;
                recorded = self.listener.next() => match recorded {
                    Ok(recorded) => match self.told(&recorded).await {
                        Ok(told) => {
                            self.ready = told;
                            self.sent = 0;
                        }
                        Err(error) => {
                            tracing::warn!(%error, "a feed ends, because the store cannot be read");
                            return None;
                        }
                    },
                    Err(ListenError::TooSlow | ListenError::Closed) => return None,
                    Err(ListenError::Store(error)) => {
                        tracing::warn!(%error, "a feed ends, because the log cannot be read");
                        return None;
                    }
                },
                token = self.tokens.recv() => {
                    self.ready = token.ok().and_then(|token| self.token(&token)).into_iter().collect();
                    self.sent = 0;
                }
            }
        }
    }

    /// What a record is to this feed. What many feeds tell is worked out once for all of them; one
    /// that reads back, or that hears of one conversation only, has a memory of its own.
    async fn told(&mut self, recorded: &Arc<LogEntry>) -> Result<Arc<[SseFrame]>, StoreError> {
        let engine = &self.shared.engine;
        if self.conversation.is_none() {
            if let Some(told) = self.shared.telling.tell(engine, recorded).await {
                return Ok(told);
            }
            self.teller.go_on_with(recorded);
        }
        Ok(self.teller.tell(engine, recorded).await?.into())
    }

    fn token(&self, token: &StreamedToken) -> Option<SseFrame> {
        let wanted = self
            .conversation
            .as_ref()
            .is_none_or(|wanted| *wanted == token.conversation);
        let event = EventResponse::Token(TokenEvent {
            conversation_id: token.conversation.clone(),
            text: token.text.clone(),
        });
        frames(&[event]).pop().filter(|_| wanted)
    }
}

fn sse_event(frame: &SseFrame) -> sse::Event {
    let event = sse::Event::default();
    // Without data it is no event to a reader, and only its id counts.
    let event = if frame.data.is_empty() {
        event
    } else {
        event.event(&frame.event).data(&frame.data)
    };
    match &frame.id {
        Some(id) => event.id(id),
        None => event,
    }
}

#[cfg(test)]
#[path = "events/feed_tests.rs"]
mod tests;
