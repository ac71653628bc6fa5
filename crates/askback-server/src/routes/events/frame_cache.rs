//! What a record is to whoever listens: worked out once, however many listen.

use std::collections::{HashMap, VecDeque};
use std::sync::{Arc, Mutex, PoisonError};

use askback_core::conversation::event::{Event, TurnEnd};
use askback_core::id::{ConversationId, InquiryId};
use askback_engine::{Engine, LogEntry, Record, ResolvedInquiry};
use askback_store::StoreError;
use askback_wire::event::{
    ErrorEvent, EventResponse, InquiryEvent, MessageEvent, StateChangeEvent, frames,
};
use askback_wire::inquiry::InquiryResponse;
use askback_wire::projection::{Place, Projection};
use askback_wire::sse::SseFrame;
use askback_wire::state::failure_code;
use tokio::sync::watch;

use crate::routes::{inquiry_response, state_response};

/// Records that are read to know the round that is open.
const PRIMING: usize = 64;
/// Conversations whose open round is remembered; more begin to be read anew.
const CONVERSATIONS_MAX: usize = 1024;
/// Bytes of what is remembered of them, likewise.
const OPEN_BYTES_MAX: usize = 16 << 20;
/// Records whose frames are kept for listeners that come to them a moment later.
const TOLD_MAX: usize = 256;
/// Bytes of these frames. The newest are kept, however large.
const TOLD_BYTES_MAX: usize = 16 << 20;

/// The frames of a record, once they are worked out; none if that failed.
type Pending = watch::Receiver<Option<Arc<[SseFrame]>>>;

fn frame_bytes(frames: &[SseFrame]) -> usize {
    frames.iter().map(|frame| frame.data.len()).sum()
}

/// What the feeds of everything tell, shared by all of them.
///
/// A feed is driven by the connection that reads it, and a connection whose other end stops reading is
/// not driven at all. So a feed neither works a record out itself nor waits for a lock that another
/// feed could hold: a task of its own does the work, and feeds wait for its result.
#[derive(Default)]
pub(crate) struct Telling {
    begun: Mutex<Begun>,
    /// Only ever locked by tasks that nothing holds up.
    teller: Arc<tokio::sync::Mutex<Teller>>,
}

/// What is worked out, or was a moment ago.
#[derive(Default)]
struct Begun {
    last: u64,
    /// The newest last.
    told: VecDeque<(u64, Pending)>,
}

impl Begun {
    fn push(&mut self, sequence: u64, pending: Pending) {
        let size = |of: &Pending| of.borrow().as_deref().map_or(0, frame_bytes);
        self.told.push_back((sequence, pending));
        let mut bytes: usize = self.told.iter().map(|(_, of)| size(of)).sum();
        // Those that are being worked out have no size yet; they count when the next one comes.
        while self.told.len() > TOLD_MAX || (bytes > TOLD_BYTES_MAX && self.told.len() > 1) {
            let oldest = self.told.pop_front();
            bytes = bytes.saturating_sub(oldest.map_or(0, |(_, of)| size(&of)));
        }
    }
}

impl Telling {
    /// The frames of a record, if it is a new one or was told a moment ago, and the store could be read
    /// for it.
    pub(super) async fn tell(
        &self,
        engine: &Engine,
        recorded: &Arc<LogEntry>,
    ) -> Option<Arc<[SseFrame]>> {
        let mut pending = self.begin(engine, recorded)?;
        let frames = pending.wait_for(Option::is_some).await;
        frames.ok().and_then(|frames| frames.clone())
    }

    fn begin(&self, engine: &Engine, recorded: &Arc<LogEntry>) -> Option<Pending> {
        let mut begun = self.begun.lock().unwrap_or_else(PoisonError::into_inner);
        let known = begun.told.iter().rev();
        if let Some((_, pending)) = known.into_iter().find(|(of, _)| *of == recorded.sequence) {
            return Some(pending.clone());
        }
        if recorded.sequence <= begun.last {
            return None;
        }
        let before = begun.told.back().map(|(_, pending)| pending.clone());
        let (done, pending) = watch::channel(None);
        begun.last = recorded.sequence;
        begun.push(recorded.sequence, pending.clone());
        let teller = Arc::clone(&self.teller);
        let (engine, recorded) = (engine.clone(), Arc::clone(recorded));
        tokio::spawn(async move {
            // Records are taken in their order, whoever comes to them first.
            if let Some(mut before) = before {
                drop(before.wait_for(Option::is_some).await);
            }
            let mut teller = teller.lock().await;
            teller.go_on_with(&recorded);
            // A failure is left to each feed, which tries for itself.
            if let Ok(frames) = teller.tell(&engine, &recorded).await {
                done.send_replace(Some(frames.into()));
            }
        });
        Some(pending)
    }
}

/// Turns records into frames, one after the other. It remembers the open rounds, so that a message
/// that changes is told as a whole.
#[derive(Default)]
pub(super) struct Teller {
    /// The record that was told last.
    last: u64,
    /// What is known of conversations from an unbroken run of records.
    open: HashMap<ConversationId, Projection>,
    /// What they come to.
    open_bytes: usize,
}

impl Teller {
    /// Forgets what is known if records were left out before this one. Only for a teller that is to
    /// tell everything.
    pub(super) fn go_on_with(&mut self, recorded: &LogEntry) {
        if recorded.sequence != self.last + 1 {
            self.forget();
        }
    }

    fn forget(&mut self) {
        self.open.clear();
        self.open_bytes = 0;
    }

    fn keep(&mut self, id: &ConversationId, projection: Projection) {
        let bytes = projection.bytes();
        if self.open.len() >= CONVERSATIONS_MAX || self.open_bytes + bytes > OPEN_BYTES_MAX {
            self.forget();
        }
        self.open_bytes += bytes;
        self.open.insert(id.clone(), projection);
    }

    /// What a record is to a client: nothing, one event, or several. What is damaged is told as an
    /// error in its place. Fails if the store cannot be read now: nothing is told then, and the next
    /// record is not taken for the one behind it.
    pub(super) async fn tell(
        &mut self,
        engine: &Engine,
        recorded: &LogEntry,
    ) -> Result<Vec<SseFrame>, StoreError> {
        let mut events = Vec::new();
        match &recorded.record {
            Record::State(state) => events.push(EventResponse::StateChange(StateChangeEvent {
                state: state_response(state),
                conversation_id: recorded.conversation.clone(),
                sequence: recorded.sequence,
            })),
            Record::Event(event) => {
                let messages = self.messages(engine, recorded, event).await;
                events.extend(or_unreadable(messages, recorded)?);
                let beyond = beyond_messages(engine, recorded, event).await;
                events.extend(or_unreadable(beyond.map(Vec::from_iter), recorded)?);
            }
            Record::Unreadable => events.push(unreadable(recorded)),
        }
        self.last = recorded.sequence;
        Ok(frames(&events))
    }

    /// The messages that an event begins or changes, each of them whole.
    async fn messages(
        &mut self,
        engine: &Engine,
        recorded: &LogEntry,
        event: &Event,
    ) -> Result<Vec<EventResponse>, StoreError> {
        let place = Place {
            sequence: recorded.sequence,
            at: recorded.at,
        };
        let mut projection = match self.open.remove(&recorded.conversation) {
            Some(projection) => projection,
            None => primed(engine, recorded, event).await?,
        };
        self.open_bytes -= self.open_bytes.min(projection.bytes());
        if let Some(inquiry) = changed_question(event)
            && !projection.knows(inquiry)
        {
            learn(engine, recorded, inquiry, &mut projection).await?;
        }
        let messages = projection.take(place, event);
        self.keep(&recorded.conversation, projection);
        let events = messages.into_iter().map(|message| {
            EventResponse::Message(MessageEvent {
                conversation_id: recorded.conversation.clone(),
                sequence: recorded.sequence,
                message,
            })
        });
        Ok(events.collect())
    }
}

/// What stands in the place of something damaged.
fn unreadable(recorded: &LogEntry) -> EventResponse {
    EventResponse::Error(ErrorEvent {
        conversation_id: Some(recorded.conversation.clone()),
        code: "unreadable".to_owned(),
        message: "What happened here cannot be read. The server's log says more.".to_owned(),
        sequence: Some(recorded.sequence),
    })
}

fn or_unreadable(
    events: Result<Vec<EventResponse>, StoreError>,
    recorded: &LogEntry,
) -> Result<Vec<EventResponse>, StoreError> {
    if let Err(StoreError::Corrupt(why)) = &events {
        let sequence = recorded.sequence;
        tracing::error!(sequence, why, "what belongs to an event cannot be read");
        return Ok(vec![unreadable(recorded)]);
    }
    events
}

/// A projection that knows the round which was open before this record.
async fn primed(
    engine: &Engine,
    recorded: &LogEntry,
    event: &Event,
) -> Result<Projection, StoreError> {
    let mut projection = Projection::default();
    if matches!(event, Event::Started { .. }) {
        return Ok(projection);
    }
    let before = Some(recorded.sequence);
    let earlier = engine.events_before(&recorded.conversation, before, PRIMING);
    for earlier in earlier.await?.entries {
        if let Record::Event(event) = &earlier.record {
            let place = Place {
                sequence: earlier.sequence,
                at: earlier.at,
            };
            // Only the state it leaves behind is wanted: what it says was told before.
            drop(projection.take(place, event));
        }
    }
    Ok(projection)
}

/// The question whose message an event changes.
fn changed_question(event: &Event) -> Option<&InquiryId> {
    if let Event::DeadlineMoved { inquiry, .. } | Event::InquiryResolved { inquiry, .. } = event {
        Some(inquiry)
    } else {
        None
    }
}

/// Reads a question that waits and that a projection has forgotten, or never knew.
async fn learn(
    engine: &Engine,
    recorded: &LogEntry,
    inquiry: &InquiryId,
    projection: &mut Projection,
) -> Result<(), StoreError> {
    let asked = engine.asked_event(&recorded.conversation, inquiry, recorded.sequence);
    if let Some(asked) = asked.await?
        && let Record::Event(event @ Event::InquiryAsked { pending }) = &asked.record
        && pending.call.is_none()
    {
        let place = Place {
            sequence: asked.sequence,
            at: asked.at,
        };
        // Its message was told before.
        drop(projection.take(place, event));
    }
    Ok(())
}

/// What an event is to a client beyond the messages it changes.
async fn beyond_messages(
    engine: &Engine,
    recorded: &LogEntry,
    event: &Event,
) -> Result<Option<EventResponse>, StoreError> {
    let sequence = recorded.sequence;
    if let Event::InquiryAsked { pending } = event {
        let mut inquiry = InquiryResponse::pending(&recorded.conversation, pending);
        if inquiry.source.is_none() {
            // Who asks may stand beside the inquiry and not in it.
            let view = engine.inquiry(&pending.id).await?;
            inquiry.source = view.and_then(|view| view.row.source);
        }
        return Ok(Some(EventResponse::InquiryAsked(InquiryEvent {
            inquiry,
            sequence,
        })));
    }
    if let Some((inquiry, tell)) = of_one_that_waits(event) {
        let Some(view) = engine.inquiry(inquiry).await? else {
            return Ok(None);
        };
        return Ok(Some(tell(InquiryEvent {
            inquiry: inquiry_response(&view),
            sequence,
        })));
    }
    if let Event::InquiryResolved {
        inquiry,
        resolution,
        result,
    } = event
    {
        let inquiry = if let Some(ResolvedInquiry { pending, source }) = &recorded.resolved_inquiry
        {
            let mut asked = InquiryResponse::pending(&recorded.conversation, pending);
            asked.source.clone_from(source);
            asked.resolved(&pending.inquiry, resolution, result)
        } else {
            let Some(view) = engine.inquiry(inquiry).await? else {
                return Ok(None);
            };
            inquiry_response(&view)
        };
        return Ok(Some(EventResponse::InquiryResolved(InquiryEvent {
            inquiry,
            sequence,
        })));
    }
    if let Event::TurnEnded {
        end: TurnEnd::Failed { failure },
    } = event
    {
        return Ok(Some(EventResponse::Error(ErrorEvent {
            conversation_id: Some(recorded.conversation.clone()),
            code: failure_code(failure.kind).to_owned(),
            message: failure.message.to_string(),
            sequence: Some(sequence),
        })));
    }
    Ok(None)
}

/// Makes an event of an inquiry.
type Tell = fn(InquiryEvent) -> EventResponse;

/// What is told of an inquiry that waits still, as it stands.
fn of_one_that_waits(event: &Event) -> Option<(&InquiryId, Tell)> {
    if let Event::InquiryReminded { inquiry, .. } = event {
        Some((inquiry, EventResponse::InquiryReminder))
    } else if let Event::AnswerHeld { inquiry, .. } = event {
        Some((inquiry, EventResponse::InquiryHeld))
    } else if let Event::AnswerTakenBack { inquiry, .. } = event {
        Some((inquiry, EventResponse::InquiryReopened))
    } else {
        None
    }
}

#[cfg(test)]
#[path = "frame_cache_tests.rs"]
mod tests;
