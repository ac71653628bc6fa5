//! The feed as server-sent events: records in order, and the tokens of replies as they arrive.

mod encoded_frames;
mod frame_builder;
mod frame_cache;

use std::convert::Infallible;
use std::sync::Arc;
use std::time::Duration;

use askback_core::id::ConversationId;
use askback_engine::{FeedListener, ListenError, Notice, NoticeChange, Record, StreamedToken};
use askback_store::StoreError;
use askback_wire::event::{
    ChangeName, EventResponse, FeedParams, InquiryEvent, ResetEvent, StateChangeEvent, TokenEvent,
    frames,
};
use askback_wire::problem::ProblemCode;
use askback_wire::sse::SseFrame;
use askback_wire::state::StateResponse;
use axum::body::{Body, Bytes};
use axum::http::{HeaderName, header};
use axum::response::{IntoResponse, Response};
use futures_util::stream::{self, Stream, StreamExt as _};
use tokio::sync::{OwnedSemaphorePermit, broadcast};
use tokio::time::{Instant, Interval, MissedTickBehavior};

use self::encoded_frames::{EncodedFrames, unpositioned};
use self::frame_builder::{ConversationFrames, frames_for_all, frames_for_caller};
pub(crate) use self::frame_cache::FrameCache;
use super::AppState;
use super::conversations::no_conversation;
use crate::authenticate::Caller;
use crate::extract::{Id, LastEventId, Query};
use crate::problem::{Problem, problem};
use crate::scope::Scope;

/// How often a feed sends a comment, so that proxies keep the connection open.
pub(super) const HEARTBEAT: Duration = Duration::from_secs(15);
const HEARTBEAT_COMMENT: Bytes = Bytes::from_static(b":\n\n");

pub(crate) async fn of_all(
    state: AppState,
    caller: Caller,
    Query(params): Query<FeedParams>,
    LastEventId(last): LastEventId,
) -> Result<Response, Problem> {
    feed(state, caller, None, last.or(params.after)).await
}

pub(crate) async fn of_conversation(
    state: AppState,
    caller: Caller,
    Id(id): Id<ConversationId>,
    Query(params): Query<FeedParams>,
    LastEventId(last): LastEventId,
) -> Result<Response, Problem> {
    if state.engine.conversation(&id).await?.is_none() {
        return Err(no_conversation(&id));
    }
    feed(state, caller, Some(id), last.or(params.after)).await
}

async fn feed(
    state: AppState,
    caller: Caller,
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
    state.engine.metrics().streams.inc();
    let control = state.control.clone();
    let stopping = async move { control.stopping().await };
    let feed = EventFeed {
        tokens: conversation
            .as_ref()
            .map(|id| state.engine.feed().subscribe_tokens(id)),
        messages: ConversationFrames::default(),
        notices: state.engine.feed().notices().subscribe(),
        first: unpositioned(&first),
        heartbeat: heartbeat(),
        after: listener.last(),
        listener,
        conversation,
        caller,
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
            state: StateResponse::from(&found.state),
            conversation_id: id.clone(),
            sequence,
        })]));
    }
    Ok(vec![position_frame(sequence)])
}

/// Only a position: clients store it, and see no event.
fn position_frame(sequence: u64) -> SseFrame {
    SseFrame {
        id: Some(sequence.to_string()),
        ..SseFrame::default()
    }
}

/// One open feed.
struct EventFeed {
    state: AppState,
    caller: Caller,
    /// For the feed of one conversation.
    messages: ConversationFrames,
    conversation: Option<ConversationId>,
    listener: FeedListener,
    /// Of the replies in one conversation. The feed of all conversations has none.
    tokens: Option<broadcast::Receiver<Arc<StreamedToken>>>,
    notices: broadcast::Receiver<Arc<Notice>>,
    /// Sent before everything else.
    first: Bytes,
    heartbeat: Interval,
    /// The client has everything up to this position, which may lie inside a record.
    after: u64,
    _permit: OwnedSemaphorePermit,
}

impl Drop for EventFeed {
    fn drop(&mut self) {
        self.state.engine.metrics().streams.dec();
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
            match self.wait_for_frames().await {
                Ok(frames) if frames.is_empty() => {}
                Ok(frames) => return Some(frames),
                Err(ListenError::TooSlow | ListenError::Closed) => return None,
                Err(ListenError::Store(error)) => {
                    tracing::warn!(%error, "closing a feed: cannot read the store");
                    return None;
                }
            }
        }
    }

    /// What comes next, which may be nothing for this feed.
    async fn wait_for_frames(&mut self) -> Result<Bytes, ListenError> {
        tokio::select! {
            biased;
            record = self.listener.next() => {
                Ok(self.frames(&record?).await?.after(self.after))
            }
            token = next_token(&mut self.tokens) => {
                let frame = token.map(|token| token_frame(&token));
                Ok(unpositioned(frame.as_slice()))
            }
            notice = self.notices.recv() => {
                // Notices are not stored: who has missed one connects again and reads the inquiries.
                let notice = notice.map_err(|_| ListenError::TooSlow)?;
                let of = &notice.inquiry.row.conversation;
                let is_here = self.conversation.as_ref().is_none_or(|id| id == of);
                if !is_here || !self.is_told(&notice) {
                    return Ok(Bytes::new());
                }
                Ok(unpositioned(&[self.notice_frame(&notice).await?]))
            }
            _ = self.heartbeat.tick() => Ok(self.heartbeat_frame()),
        }
    }

    /// A comment. A caller who does not see everything also gets the position, so that a reconnect does not read again what
    /// they do not see.
    fn heartbeat_frame(&self) -> Bytes {
        if self.caller.scope == Scope::Admin {
            return HEARTBEAT_COMMENT;
        }
        unpositioned(&[position_frame(self.listener.last())])
    }

    /// The frames of a record. Live feeds over all conversations share the cache. What is read again shows inquiries as they
    /// are now, so it has frames of its own.
    async fn frames(&mut self, record: &Arc<Record>) -> Result<Arc<EncodedFrames>, StoreError> {
        let (engine, names) = (&self.state.engine, &self.state.recipient_names);
        let frames = if self.caller.scope != Scope::Admin {
            frames_for_caller(&self.state, &self.caller, record).await?
        } else if self.conversation.is_some() {
            self.messages.frames(engine, record, names).await?
        } else if self.listener.is_live()
            && let Some(frames) = self.state.frame_cache.frames(engine, record).await
        {
            return Ok(frames);
        } else {
            frames_for_all(engine, record, names).await?
        };
        Ok(Arc::new(EncodedFrames::new(&frames)))
    }

    /// Whether a notice is for the caller. What a person hides from themselves is for them alone.
    fn is_told(&self, notice: &Notice) -> bool {
        let person = notice.person.as_deref();
        let is_theirs = person.is_none_or(|person| self.caller.scope.person() == Some(person));
        is_theirs && self.state.sees(&self.caller, &notice.inquiry)
    }

    /// The frame of a notice. Its data is serialised once for all feeds but those of people, who have snoozes of their own.
    async fn notice_frame(&self, notice: &Notice) -> Result<SseFrame, StoreError> {
        let event = |inquiry| {
            EventResponse::Inquiry(Box::new(InquiryEvent {
                change: match notice.change {
                    NoticeChange::Snoozed => ChangeName::Snoozed,
                    NoticeChange::Detached => ChangeName::Detached,
                    NoticeChange::Attached => ChangeName::Attached,
                    NoticeChange::Delivered => ChangeName::Delivered,
                },
                sequence: None,
                inquiry,
                undone_by: None,
            }))
        };
        let view = &notice.inquiry;
        let data = if self.caller.scope.person().is_some() {
            event(self.state.inquiry(&self.caller, view).await?).data()
        } else {
            let shared = || event(self.state.recipient_names.inquiry(view)).data();
            notice.encoded.get_or_init(shared).clone()
        };
        Ok(SseFrame {
            event: "inquiry".to_owned(),
            id: None,
            data,
        })
    }
}

/// The next token, if this feed has any. A receiver that missed some goes on with the next.
async fn next_token(
    tokens: &mut Option<broadcast::Receiver<Arc<StreamedToken>>>,
) -> Option<Arc<StreamedToken>> {
    match tokens {
        Some(tokens) => tokens.recv().await.ok(),
        None => std::future::pending().await,
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

#[cfg(test)]
#[path = "events/feed_tests.rs"]
mod tests;
