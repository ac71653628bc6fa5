//! The feed as server-sent events: records in order, and the tokens of replies as they arrive.

mod frame_builder;
mod frame_cache;

use std::convert::Infallible;
use std::sync::Arc;
use std::time::Duration;

use askback_core::id::ConversationId;
use askback_engine::{FeedListener, ListenError, Record, StreamedToken};
use askback_store::StoreError;
use askback_wire::event::{
    EventResponse, FeedParams, ResetEvent, StateChangeEvent, TokenEvent, frames,
};
use askback_wire::problem::ProblemCode;
use askback_wire::sse::SseFrame;
use axum::extract::State;
use axum::response::sse::{self, KeepAlive, Sse};
use axum::response::{IntoResponse, Response};
use futures_util::stream::{self, Stream, StreamExt as _};
use tokio::sync::{OwnedSemaphorePermit, broadcast};

use self::frame_builder::{FrameBuilder, PositionedFrame, RecordFrames};
pub(crate) use self::frame_cache::FrameCache;
use super::conversations::no_conversation;
use super::{AppState, state_response};
use crate::extract::{Id, LastEventId, Query};
use crate::problem::{Problem, problem};

/// How often an idle feed sends a comment, so that proxies keep the connection open.
pub(super) const HEARTBEAT: Duration = Duration::from_secs(15);

pub(crate) async fn of_all(
    State(state): State<AppState>,
    Query(params): Query<FeedParams>,
    LastEventId(last): LastEventId,
) -> Result<Response, Problem> {
    feed(state, None, last.or(params.after)).await
}

pub(crate) async fn of_conversation(
    State(state): State<AppState>,
    Id(id): Id<ConversationId>,
    Query(params): Query<FeedParams>,
    LastEventId(last): LastEventId,
) -> Result<Response, Problem> {
    if state.engine.conversation(&id).await?.is_none() {
        return Err(no_conversation(&id));
    }
    feed(state, Some(id), last.or(params.after)).await
}

async fn feed(
    state: AppState,
    conversation: Option<ConversationId>,
    after: Option<u64>,
) -> Result<Response, Problem> {
    let permit = Arc::clone(&state.streams).try_acquire_owned();
    let permit = permit.map_err(|_| problem(ProblemCode::TooManyStreams))?;
    // A sequence number in the future comes from another database: nothing would ever follow it.
    let newest = state.engine.store().newest_sequence().await?;
    let known = after.filter(|after| *after <= newest);
    let listener = state.engine.listen(conversation.clone(), known).await?;
    let mut first = Vec::new();
    if known.is_none() && after.is_some() {
        let sequence = listener.last();
        first = frames(&[EventResponse::Reset(ResetEvent { sequence })]);
    }
    if known.is_none() {
        first.extend(initial_frames(&state, conversation.as_ref(), listener.last()).await?);
    }
    state.metrics.streams.inc();
    let control = state.control.clone();
    let stopping = async move { control.stopping().await };
    let feed = EventFeed {
        builder: FrameBuilder::default(),
        tokens: state.engine.feed().subscribe_tokens(conversation.as_ref()),
        ready: first.into_iter().map(unpositioned).collect(),
        sent: 0,
        after: listener.last(),
        listener,
        conversation,
        state,
        _permit: permit,
    };
    let keep_alive = KeepAlive::new().interval(HEARTBEAT);
    let headers = [("x-accel-buffering", "no"), ("cache-control", "no-store")];
    Ok((
        headers,
        // A shutdown does not wait for feeds: clients reconnect to the next server.
        Sse::new(feed.into_stream().take_until(stopping)).keep_alive(keep_alive),
    )
        .into_response())
}

/// The first frames of a feed from now on: the current state of its conversation, or only an id, so
/// that a client that is disconnected before the first event misses nothing.
async fn initial_frames(
    state: &AppState,
    conversation: Option<&ConversationId>,
    sequence: u64,
) -> Result<Vec<SseFrame>, Problem> {
    if let Some(id) = conversation
        && let Some(found) = state.engine.conversation(id).await?
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
struct EventFeed {
    state: AppState,
    builder: FrameBuilder,
    conversation: Option<ConversationId>,
    listener: FeedListener,
    tokens: broadcast::Receiver<Arc<StreamedToken>>,
    ready: RecordFrames,
    /// How many of the ready frames were sent or left out.
    sent: usize,
    /// The client has everything up to this position, which may lie inside a record.
    after: u64,
    _permit: OwnedSemaphorePermit,
}

impl Drop for EventFeed {
    fn drop(&mut self) {
        self.state.metrics.streams.dec();
    }
}

impl EventFeed {
    fn into_stream(self) -> impl Stream<Item = Result<sse::Event, Infallible>> {
        stream::unfold(self, |mut feed| async move {
            let event = feed.next().await?;
            Some((Ok(event), feed))
        })
    }

    /// The next frame. The stream ends for a client that is too slow, and when the store cannot be
    /// read. The client resumes after the last id.
    async fn next(&mut self) -> Option<sse::Event> {
        loop {
            if let Some(ready) = self.ready.get(self.sent) {
                self.sent += 1;
                if ready.sequence.is_none_or(|sequence| sequence > self.after) {
                    return Some(sse_event(&ready.frame));
                }
                continue;
            }
            tokio::select! {
                biased;
                record = self.listener.next() => match record {
                    Ok(record) => match self.frames(&record).await {
                        Ok(frames) => {
                            self.ready = frames;
                            self.sent = 0;
                        }
                        Err(error) => {
                            tracing::warn!(%error, "closing a feed: cannot read the store");
                            return None;
                        }
                    },
                    Err(ListenError::TooSlow | ListenError::Closed) => return None,
                    Err(ListenError::Store(error)) => {
                        tracing::warn!(%error, "closing a feed: cannot read the log");
                        return None;
                    }
                },
                token = self.tokens.recv() => {
                    self.ready = token.iter().map(|token| unpositioned(token_frame(token))).collect();
                    self.sent = 0;
                }
            }
        }
    }

    /// The frames of a record. Live feeds over all conversations share the cache. A feed that is
    /// catching up, or that follows one conversation, has its own builder.
    async fn frames(&mut self, record: &Arc<Record>) -> Result<RecordFrames, StoreError> {
        let engine = &self.state.engine;
        if self.conversation.is_none() {
            if let Some(frames) = self.state.frame_cache.frames(engine, record).await {
                return Ok(frames);
            }
            self.builder.reset_on_gap(record);
        }
        self.builder.frames(engine, record).await
    }
}

/// A frame that is sent wherever the feed is.
fn unpositioned(frame: SseFrame) -> PositionedFrame {
    PositionedFrame {
        sequence: None,
        frame,
    }
}

/// The frame of a token. Its data is serialised once for all feeds.
fn token_frame(token: &StreamedToken) -> SseFrame {
    let event = || {
        EventResponse::Token(TokenEvent {
            conversation_id: token.conversation.clone(),
            after: Some(token.after),
            text: token.text.clone(),
        })
    };
    SseFrame {
        event: "token".to_owned(),
        id: None,
        data: token.encoded.get_or_init(|| event().data()).clone(),
    }
}

fn sse_event(frame: &SseFrame) -> sse::Event {
    let event = sse::Event::default();
    // Without data a client sees no event, and only stores the id.
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
