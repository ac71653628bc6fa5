//! The feed as server-sent events: what is recorded, in order, and text while it is coming.

use std::convert::Infallible;
use std::sync::Arc;
use std::time::Duration;

use askback_api::event::{
    ErrorEvent, EventResponse, FeedParams, Frame, InquiryEvent, MessageEvent, StateChangeEvent,
    TokenEvent, frames,
};
use askback_api::inquiry::InquiryResponse;
use askback_api::problem::ProblemCode;
use askback_api::projection::{Place, Projection};
use askback_api::state::failure_code;
use askback_core::conversation::event::{Event, TurnEnd};
use askback_core::id::ConversationId;
use askback_engine::{ListenError, Listener, Record, Recorded, Token};
use axum::extract::State;
use axum::http::HeaderMap;
use axum::response::sse::{self, KeepAlive, Sse};
use axum::response::{IntoResponse, Response};
use futures_util::stream::{self, Stream};
use tokio::sync::{OwnedSemaphorePermit, broadcast};

use super::{Shared, inquiry_response};
use crate::extract::{Id, Query};
use crate::problem::{Problem, problem};

/// Records that are read to know the round that is open.
const PRIMING: usize = 64;

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
    if shared.engine.store().conversation(&id).await?.is_none() {
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
    let listener = shared.engine.listen(conversation.clone(), after).await?;
    let first = if after.is_none() {
        beginning(&shared, conversation.as_ref(), listener.last()).await?
    } else {
        Vec::new()
    };
    shared.metrics.streams.inc();
    let reader = Reader {
        projection: None,
        tokens: shared.engine.feed().tokens(),
        ready: first.into_iter().rev().collect(),
        listener,
        conversation,
        shared,
        _place: place,
    };
    let keep_alive = KeepAlive::new().interval(HEARTBEAT);
    let headers = [("x-accel-buffering", "no"), ("cache-control", "no-store")];
    Ok((
        headers,
        Sse::new(reader.into_stream()).keep_alive(keep_alive),
    )
        .into_response())
}

/// What a feed that begins now begins with: the present state of one conversation, or only the
/// place, so that a reader that is cut off before the first event misses nothing.
async fn beginning(
    shared: &Shared,
    conversation: Option<&ConversationId>,
    sequence: u64,
) -> Result<Vec<Frame>, Problem> {
    if let Some(id) = conversation
        && let Some((_, found)) = shared.engine.conversation(id).await?
    {
        return Ok(frames(&[EventResponse::StateChange(StateChangeEvent {
            state: (&found.state).into(),
            conversation_id: id.clone(),
            sequence,
        })]));
    }
    Ok(vec![Frame {
        id: Some(sequence.to_string()),
        ..Frame::default()
    }])
}

/// One open feed.
struct Reader {
    shared: Shared,
    /// On the feed of one conversation: the message whose round is open, so that a change of it is
    /// told as a whole.
    projection: Option<Projection>,
    conversation: Option<ConversationId>,
    listener: Listener,
    tokens: broadcast::Receiver<Arc<Token>>,
    /// Frames to be sent, the next one last.
    ready: Vec<Frame>,
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
            let frame = reader.next().await?;
            Some((Ok(sse_event(frame)), reader))
        })
    }

    /// The next frame. The stream ends for a reader that is too slow, and it resumes by the last id.
    async fn next(&mut self) -> Option<Frame> {
        loop {
            if let Some(frame) = self.ready.pop() {
                return Some(frame);
            }
            tokio::select! {
                biased;
                recorded = self.listener.next() => match recorded {
                    Ok(recorded) => {
                        let events = self.events_of(&recorded).await;
                        self.ready = frames(&events).into_iter().rev().collect();
                    }
                    Err(ListenError::TooSlow | ListenError::Closed) => return None,
                    Err(ListenError::Store(error)) => {
                        tracing::warn!(%error, "a feed ends, because the log cannot be read");
                        return None;
                    }
                },
                token = self.tokens.recv() => self.ready.extend(token.ok().and_then(|t| self.token(&t))),
            }
        }
    }

    fn token(&self, token: &Token) -> Option<Frame> {
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

    /// What a record is to a client: nothing, one event, or several.
    async fn events_of(&mut self, recorded: &Recorded) -> Vec<EventResponse> {
        let conversation_id = recorded.conversation.clone();
        let sequence = recorded.sequence;
        match &recorded.record {
            Record::State(state) => vec![EventResponse::StateChange(StateChangeEvent {
                state: state.into(),
                conversation_id,
                sequence,
            })],
            Record::Event(event) => {
                let mut events = self.messages_of(recorded, event).await;
                events.extend(self.other_event_of(recorded, event).await);
                events
            }
        }
    }

    /// What an event is to a client beyond the messages it changes.
    async fn other_event_of(&self, recorded: &Recorded, event: &Event) -> Option<EventResponse> {
        let sequence = recorded.sequence;
        if let Event::InquiryAsked { parked } = event {
            let inquiry = InquiryResponse::pending(&recorded.conversation, parked);
            return Some(EventResponse::InquiryAsked(InquiryEvent {
                inquiry,
                sequence,
            }));
        }
        if let Event::InquiryReminded { inquiry, .. } = event {
            let view = self.shared.engine.inquiry(inquiry).await.ok().flatten()?;
            return Some(EventResponse::InquiryReminder(InquiryEvent {
                inquiry: inquiry_response(&view),
                sequence,
            }));
        }
        if let Event::InquiryResolved { inquiry, .. } = event {
            let view = self.shared.engine.inquiry(inquiry).await.ok().flatten()?;
            return Some(EventResponse::InquiryResolved(InquiryEvent {
                inquiry: inquiry_response(&view),
                sequence,
            }));
        }
        if let Event::TurnEnded {
            end: TurnEnd::Failed { failure },
        } = event
        {
            return Some(EventResponse::Error(ErrorEvent {
                conversation_id: Some(recorded.conversation.clone()),
                code: failure_code(failure.kind).to_owned(),
                message: failure.message.to_string(),
                sequence: Some(sequence),
            }));
        }
        None
    }

    /// The messages that an event begins; on the feed of one conversation also those it changes,
    /// each of them whole.
    async fn messages_of(&mut self, recorded: &Recorded, event: &Event) -> Vec<EventResponse> {
        let place = Place {
            sequence: recorded.sequence,
            at: recorded.at,
        };
        let messages = if self.conversation.is_some() {
            if self.projection.is_none() {
                self.projection = Some(self.primed(recorded).await);
            }
            let projection = self.projection.get_or_insert_default();
            projection.take(place, event)
        } else {
            Projection::default().take(place, event)
        };
        let events = messages.into_iter().map(|message| {
            EventResponse::Message(MessageEvent {
                conversation_id: recorded.conversation.clone(),
                sequence: recorded.sequence,
                message,
            })
        });
        events.collect()
    }

    /// A projection that knows the round which was open before this record.
    async fn primed(&self, recorded: &Recorded) -> Projection {
        let mut projection = Projection::default();
        let before = Some(recorded.sequence);
        let earlier = self
            .shared
            .engine
            .records_before(&recorded.conversation, before, PRIMING);
        for earlier in earlier.await.unwrap_or_default() {
            if let Record::Event(event) = &earlier.record {
                let place = Place {
                    sequence: earlier.sequence,
                    at: earlier.at,
                };
                // Only the state it leaves behind is wanted: what it says was told before.
                drop(projection.take(place, event));
            }
        }
        projection
    }
}

fn sse_event(frame: Frame) -> sse::Event {
    let event = sse::Event::default();
    // Without data it is no event to a reader, and only its id counts.
    let event = if frame.data.is_empty() {
        event
    } else {
        event.event(frame.event).data(frame.data)
    };
    match frame.id {
        Some(id) => event.id(id),
        None => event,
    }
}
