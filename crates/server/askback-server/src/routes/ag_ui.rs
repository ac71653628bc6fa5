//! AG-UI: runs the built-in agent for a front end, as server-sent events.
//!
//! A run ends when the agent has finished its turn or has asked a question. The question is an
//! interrupt of the run, and stays open everywhere else, too. The next run answers it, or finds that
//! somebody else has.

mod answer_schema;
mod run_events;

use std::collections::VecDeque;
use std::convert::Infallible;
use std::sync::Arc;

use askback_core::conversation::Driver;
use askback_core::conversation::command::Command;
use askback_core::conversation::rejection::Rejection;
use askback_core::conversation::state::{PendingInquiry, State as ConversationState};
use askback_core::id::{ConversationId, InquiryId, MessageId};
use askback_core::outcome::Actor;
use askback_core::text::{Lines, escape};
use askback_engine::{
    CommitOptions, ConversationStart, FeedListener, InquiryView, ListenError, RequestKeys,
    SubmitError, Submitted,
};
use askback_store::StoreError;
use askback_wire::ag_ui::{ResumeEntry, ResumeStatus, RunAgentInput};
use askback_wire::path;
use askback_wire::problem::ProblemCode;
use axum::response::sse::{self, KeepAlive, Sse};
use axum::response::{IntoResponse, Response};
use futures_util::stream::{self, StreamExt as _};
use serde_json::{Value, json};
use sha2::{Digest as _, Sha256};
use tokio::sync::OwnedSemaphorePermit;

use self::run_events::{RunEvents, interrupt};
use super::events::HEARTBEAT;
use super::{AppState, KEY_PROBLEMS, TARGET_PROBLEMS};
use crate::extract::{ForeignBody, RequestActor};
use crate::openapi::Route;
use crate::problem::{Problem, problem};
use crate::request_key;

pub(super) fn routes() -> Vec<Route> {
    vec![
        Route::post(path::AG_UI, "run_ag_ui", run)
            .summary("Runs the built-in agent for an AG-UI client.")
            .description(
                "Takes a `RunAgentInput` of AG-UI 1.0 and returns its events. A question of the agent \
                 ends the run with `outcome.type` `interrupt`; `resume` in the next run answers it. \
                 See docs/ag-ui.md.",
            )
            .example(json!({"threadId": "my-thread", "runId": "run-1",
                "messages": [{"id": "1", "role": "user", "content": "Set up a project."}]}))
            .returns_untyped("text/event-stream", "The events of the run.")
            .problems(TARGET_PROBLEMS)
            .problems(KEY_PROBLEMS)
            .problems(&[
                ProblemCode::NotFound,
                ProblemCode::AwaitingUserResponse,
                ProblemCode::Busy,
                ProblemCode::WrongDriver,
                ProblemCode::InvalidMessage,
                ProblemCode::InvalidAnswer,
                ProblemCode::Held,
                ProblemCode::UnknownApp,
                ProblemCode::ConversationClosed,
                ProblemCode::TooManyStreams,
            ])
            .writes_store(),
    ]
}

async fn run(
    state: AppState,
    RequestActor(actor): RequestActor,
    ForeignBody(input): ForeignBody<RunAgentInput>,
) -> Result<Response, Problem> {
    let permit = Arc::clone(&state.streams).try_acquire_owned();
    let permit = permit.map_err(|_| problem(ProblemCode::TooManyStreams))?;
    let conversation = conversation_of(&state, &input.thread_id).await?;
    let after = if input.resume.is_empty() {
        begin(&state, &conversation, &input, actor).await?
    } else {
        resume(&state, &conversation, &input.resume, actor).await?
    };
    let events = RunEvents::new(&input, after);
    let only = Some(conversation.clone());
    let mut run = Run {
        ready: VecDeque::from([events.started()]),
        events,
        listener: state.engine.listen(only, after).await?,
        state: state.clone(),
        _permit: permit,
    };
    if after.is_none() {
        let current = state.engine.current_conversation(&conversation).await?;
        run.rest(&current.state, &[]).await?;
    }
    let control = state.control.clone();
    let stopping = async move { control.stopping().await };
    let events = stream::unfold(run, |mut run| async move {
        let event = run.next().await?;
        // Ids of the caller's and inputs of tools come back exactly, which JSON can do without raw control characters.
        let event = sse::Event::default().data(escape(&event.to_string(), Lines::One));
        Some((Ok::<_, Infallible>(event), run))
    });
    let headers = [("x-accel-buffering", "no"), ("cache-control", "no-store")];
    let keep_alive = KeepAlive::new().interval(HEARTBEAT);
    let events = Sse::new(events.take_until(stopping)).keep_alive(keep_alive);
    Ok((headers, events).into_response())
}

/// A run whose events are being sent.
struct Run {
    events: RunEvents,
    ready: VecDeque<Value>,
    listener: FeedListener,
    state: AppState,
    _permit: OwnedSemaphorePermit,
}

impl Run {
    async fn next(&mut self) -> Option<Value> {
        loop {
            if let Some(event) = self.ready.pop_front() {
                return Some(event);
            }
            if self.events.is_finished() {
                return None;
            }
            if let Err(error) = self.follow().await {
                tracing::warn!(%error, "ending a run of AG-UI: cannot read the feed");
                self.ready.extend(self.events.failed(&error.to_string()));
            }
        }
    }

    /// Waits for the next record.
    async fn follow(&mut self) -> Result<(), ListenError> {
        let record = self.listener.next().await?;
        let names = &self.state.recipient_names;
        self.ready.extend(self.events.of_record(&record, names));
        if let Some(state) = &record.state {
            self.rest(state, &record.inquiries).await?;
        }
        Ok(())
    }

    /// Ends the run, if the agent does nothing more in this state. Questions that are not `known` are read.
    async fn rest(
        &mut self,
        state: &ConversationState,
        known: &[InquiryView],
    ) -> Result<(), StoreError> {
        let mut interrupts = Vec::new();
        for PendingInquiry { id, .. } in state.pending() {
            let known = known.iter().find(|view| view.row.id == *id).cloned();
            let view = match known {
                Some(view) => Some(view),
                None => self.state.engine.inquiry(id).await?,
            };
            let names = &self.state.recipient_names;
            interrupts.extend(view.map(|view| interrupt(&view, names)));
        }
        self.ready.extend(self.events.at_rest(state, &interrupts));
        Ok(())
    }
}

/// The conversation of a thread: the one with this id, or one whose id follows from the name of the
/// thread, so that the client's name needs no table.
async fn conversation_of(state: &AppState, thread: &str) -> Result<ConversationId, Problem> {
    let named = ConversationId::new(thread);
    if thread.starts_with(ConversationId::PREFIX)
        && state.engine.conversation(&named).await?.is_some()
    {
        return Ok(named);
    }
    let digest = Sha256::digest(format!("ag-ui thread {thread}"));
    let (number, _) = digest.split_at(16);
    let number = number
        .iter()
        .fold(0, |number, byte| (number << 8) | u128::from(*byte));
    Ok(ConversationId::from(number))
}

/// Sends the message of a run. Returns the sequence number after which its events start, or none if
/// there is nothing new to send.
async fn begin(
    state: &AppState,
    id: &ConversationId,
    input: &RunAgentInput,
    actor: Actor,
) -> Result<Option<u64>, Problem> {
    let known = state.engine.conversation(id).await?.is_some();
    let Some((message_id, text)) = input.user_message() else {
        return if known {
            Ok(None)
        } else {
            Err(problem(ProblemCode::InvalidMessage))
        };
    };
    let options = CommitOptions {
        keys: RequestKeys {
            message: request_key::message(Some(message_id), Some(&text))?,
            ..RequestKeys::default()
        },
        ..CommitOptions::default()
    };
    let message = MessageId::new(message_id);
    if !known {
        let app = input.app().map(str::to_owned);
        if app.is_some() && state.engine.apps().app(app.as_deref()).is_none() {
            return Err(problem(ProblemCode::UnknownApp));
        }
        let new = ConversationStart {
            id: Some(id.clone()),
            driver: Driver::BuiltIn,
            app,
            parent: None,
            title: None,
            message: Some(text.clone()),
            message_id: Some(message.clone()),
        };
        let created = state.engine.create(new, actor.clone(), options.clone());
        match created.await {
            // Another run of the same thread was first.
            Err(SubmitError::Store(StoreError::Conflict)) => {}
            created => return sent(created),
        }
    }
    let send = Command::SendMessage {
        message: Some(message),
        text,
    };
    sent(state.engine.submit_with(id, send, actor, options).await)
}

fn sent(submitted: Result<Submitted, SubmitError>) -> Result<Option<u64>, Problem> {
    match submitted {
        Ok(submitted) => Ok(Some(submitted.record.first.saturating_sub(1))),
        Err(SubmitError::Repeated { .. } | SubmitError::Rejected(Rejection::DuplicateMessage)) => {
            Ok(None)
        }
        Err(error) => Err(error.into()),
    }
}

/// Answers the questions of an earlier run. The events start after they were asked, so the client gets
/// all that followed, also if somebody else has answered.
async fn resume(
    state: &AppState,
    id: &ConversationId,
    entries: &[ResumeEntry],
    actor: Actor,
) -> Result<Option<u64>, Problem> {
    let mut after: Option<u64> = None;
    for entry in entries {
        let inquiry = InquiryId::new(&entry.interrupt_id);
        let asked = state
            .engine
            .records()
            .find_asked_event(id, &inquiry, u64::MAX >> 1)
            .await?;
        let Some((asked_at, _)) = asked.and_then(|record| record.events.into_iter().next()) else {
            let detail = format!("No question of this thread has the id {inquiry}.");
            return Err(problem(ProblemCode::NotFound).detail(detail));
        };
        let target = inquiry.into();
        let command = match entry.status {
            ResumeStatus::Resolved => Command::Answer {
                target,
                answers: entry.payload.clone(),
                notes: None,
            },
            ResumeStatus::Cancelled => Command::Decline { target },
        };
        match state.engine.submit(id, command, actor.clone()).await {
            // Its outcome stands, and the run shows it.
            Ok(_)
            | Err(SubmitError::Rejected(
                Rejection::NotPending
                | Rejection::StaleInquiry
                | Rejection::Expired { .. }
                | Rejection::Held,
            )) => {}
            Err(error) => return Err(error.into()),
        }
        after = Some(after.unwrap_or(asked_at).min(asked_at));
    }
    Ok(after)
}
