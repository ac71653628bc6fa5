//! The feed as server-sent events: records in order, and the tokens of replies as they arrive.

mod encoded_frames;
mod frame_builder;
mod frame_cache;

use std::convert::Infallible;
use std::sync::Arc;
use std::time::Duration;

use askback_core::id::ConversationId;
use askback_engine::{FeedListener, ListenError, Notice, Record, StreamedToken};
use askback_store::StoreError;
use askback_wire::asker::DetachedEvent;
use askback_wire::event::{
    EventResponse, FeedParams, ResetEvent, StateChangeEvent, TokenEvent, frames,
};
use askback_wire::problem::ProblemCode;
use askback_wire::snooze::SnoozeEvent;
use askback_wire::sse::SseFrame;
use axum::body::{Body, Bytes};
use axum::extract::State;
use axum::http::{HeaderName, header};
use axum::response::{IntoResponse, Response};
use futures_util::stream::{self, Stream, StreamExt as _};
use tokio::sync::{OwnedSemaphorePermit, broadcast};
use tokio::time::{Instant, Interval, MissedTickBehavior};

use self::encoded_frames::{EncodedFrames, unpositioned};
use self::frame_builder::FrameBuilder;
pub(crate) use self::frame_cache::FrameCache;
use super::conversations::no_conversation;
use super::{AppState, state_response};
use crate::extract::{Id, LastEventId, Query};
use crate::problem::{Problem, problem};

/// How often a feed sends a comment, so that proxies keep the connection open.
pub(super) const HEARTBEAT: Duration = Duration::from_secs(15);
const HEARTBEAT_COMMENT: Bytes = Bytes::from_static(b":\n\n");

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
        builder: FrameBuilder::new(state.recipient_names.clone()),
        tokens: state.engine.feed().subscribe_tokens(conversation.as_ref()),
        notices: state.engine.feed().notices().subscribe(),
        first: unpositioned(&first),
        heartbeat: heartbeat(),
        after: listener.last(),
        listener,
        conversation,
        state,
        _permit: permit,
    };
    let headers = [
        (header::CONTENT_TYPE, "text/event-stream"),
        (header::CACHE_CONTROL, "no-store"),
        (HeaderName::from_static("x-accel-buffering"), "no"),
    ];
    // A shutdown does not wait for feeds: clients reconnect to the next server.
    let body = Body::from_stream(feed.into_stream().take_until(stopping));
    Ok((headers, body).into_response())
}

/// Ticks as often as a feed sends a comment, for the first time after a whole interval.
fn heartbeat() -> Interval {
    let mut heartbeat = tokio::time::interval_at(Instant::now() + HEARTBEAT, HEARTBEAT);
    heartbeat.set_missed_tick_behavior(MissedTickBehavior::Delay);
    heartbeat
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
    notices: broadcast::Receiver<Notice>,
    /// Sent before everything else.
    first: Bytes,
    heartbeat: Interval,
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
    fn into_stream(self) -> impl Stream<Item = Result<Bytes, Infallible>> {
        stream::unfold(self, |mut feed| async move {
            let bytes = feed.next().await?;
            Some((Ok(bytes), feed))
        })
    }

    /// The next frames, never empty. The stream ends for a client that is too slow, and when the store
    /// cannot be read. The client resumes after the last id.
    async fn next(&mut self) -> Option<Bytes> {
        if !self.first.is_empty() {
            return Some(std::mem::take(&mut self.first));
        }
        loop {
            tokio::select! {
                biased;
                record = self.listener.next() => match record {
                    Ok(record) => match self.frames(&record).await {
                        Ok(frames) => {
                            let frames = frames.after(self.after);
                            if !frames.is_empty() {
                                return Some(frames);
                            }
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
                token = self.tokens.recv() => if let Ok(token) = token {
                    return Some(unpositioned(&[token_frame(&token)]));
                },
                notice = self.notices.recv(), if self.conversation.is_none() => {
                    if let Ok(notice) = notice {
                        return Some(notice_frame(notice));
                    }
                }
                _ = self.heartbeat.tick() => return Some(HEARTBEAT_COMMENT),
            }
        }
    }

    /// The frames of a record. Live feeds over all conversations share the cache. A feed that is
    /// catching up, or that follows one conversation, has its own builder.
    async fn frames(&mut self, record: &Arc<Record>) -> Result<Arc<EncodedFrames>, StoreError> {
        let engine = &self.state.engine;
        if self.conversation.is_none() {
            if let Some(frames) = self.state.frame_cache.frames(engine, record).await {
                return Ok(frames);
            }
            self.builder.reset_on_gap(record);
        }
        let frames = self.builder.frames(engine, record).await?;
        Ok(Arc::new(EncodedFrames::new(&frames)))
    }
}

fn notice_frame(notice: Notice) -> Bytes {
    let event = match notice {
        Notice::Snoozed { inquiry, until } => EventResponse::InquirySnoozed(SnoozeEvent {
            inquiry_id: inquiry,
            until,
        }),
        Notice::Detached { inquiry, detached } => EventResponse::InquiryDetached(DetachedEvent {
            inquiry_id: inquiry,
            detached,
        }),
    };
    unpositioned(&frames(&[event]))
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

#[cfg(test)]
#[path = "events/feed_tests.rs"]
mod tests;
