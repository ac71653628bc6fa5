//! Conversations: start, read, say something, answer what waits, stop.

mod messages;

use askback_core::conversation::Driver;
use askback_core::conversation::command::{Command, RespondentAction};
use askback_core::conversation::rejection::Rejection;
use askback_core::id::{ConversationId, InquiryId, MessageId};
use askback_core::inquiry::Inquiry;
use askback_core::outcome::Actor;
use askback_engine::{
    CommitOptions, ConversationStart, ConversationView, RequestKeys, SubmitError, Submitted,
};
use askback_store::{ConversationFilter, PAGE_BYTES_MAX};
use askback_wire::conversation::{
    ConversationDetailResponse, ConversationResponse, DriverName, NewConversationParams,
    ReadConversationParams,
};
use askback_wire::limits;
use askback_wire::list::{ListConversationsParams, ListResponse};
use askback_wire::message::MessageParams;
use askback_wire::path;
use askback_wire::problem::ProblemCode;
use askback_wire::respond::{CancelParams, DeclineParams, RejectParams, RespondParams};
use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use serde::Serialize;

use super::{Shared, inquiries, state_response};
use crate::extract::{Body, By, Id, OptionalBody, Query};
use crate::problem::{Problem, conflict, invalid_answer, problem};
use crate::request_key::{self, keyed};
use crate::typed::Reader;

/// What a key of a new conversation is bound to, besides the conversation.
const CREATE: &str = "POST /conversations";

pub(crate) async fn create(
    State(shared): State<Shared>,
    By(by): By,
    OptionalBody(params): OptionalBody<NewConversationParams>,
) -> Result<Response, Problem> {
    if let Some(app) = &params.app
        && shared.engine.apps().app(Some(app)).is_none()
    {
        return Err(problem(ProblemCode::UnknownApp));
    }
    let mut extras = CommitOptions {
        keys: keyed(CREATE, params.idempotency_key.as_deref(), &params)?,
        ..CommitOptions::default()
    };
    let message_id = params.message_id.as_ref().map(MessageId::as_str);
    extras.keys.message = request_key::message(message_id, params.message.as_deref())?;
    let new = ConversationStart {
        id: None,
        driver: if params.external {
            Driver::External
        } else {
            Driver::BuiltIn
        },
        app: params.app,
        parent: None,
        title: params.title.and_then(|title| cleaned_title(&title)),
        message: params.message,
        message_id: params.message_id,
    };
    let body = match shared.engine.create(new, by, extras).await {
        Ok(begun) => after(begun),
        Err(SubmitError::Repeated { conversation, .. }) => {
            return Ok(Json(repeated(&shared, &conversation).await?).into_response());
        }
        Err(error) => return Err(error.into()),
    };
    let location = path::with_id(path::CONVERSATION, body.id.as_str());
    Ok((StatusCode::CREATED, [("location", location)], Json(body)).into_response())
}

fn cleaned_title(title: &str) -> Option<String> {
    use askback_core::text::{Lines, Text};
    let title = Text::clean(title, Lines::One)?.clip(limits::TITLE_CHARS_MAX);
    Some(title.to_string())
}

pub(crate) async fn list(
    State(shared): State<Shared>,
    Query(params): Query<ListConversationsParams>,
) -> Result<Json<ListResponse<ConversationResponse>>, Problem> {
    let mut filter = ConversationFilter {
        state: params.state,
        parent: params.parent,
        cursor: params.cursor,
        limit: super::listing::page_size(params.limit),
    };
    let page = shared.engine.store().conversations(filter.clone()).await?;
    let mut items = Vec::with_capacity(page.items.len());
    let mut bytes = 0;
    for (read, row) in page.items.into_iter().enumerate() {
        // A row that was deleted since is left out.
        let Some(view) = shared.engine.conversation(&row.id).await? else {
            continue;
        };
        bytes += view.bytes();
        if bytes > PAGE_BYTES_MAX && !items.is_empty() {
            // The page ends here: the store says where the next one begins.
            filter.limit = read;
            let shorter = shared.engine.store().conversations(filter).await?;
            let next = shorter.next;
            return Ok(Json(ListResponse { items, next }));
        }
        items.push(response(&view));
    }
    Ok(Json(ListResponse {
        items,
        next: page.next,
    }))
}

async fn find(shared: &Shared, id: &ConversationId) -> Result<ConversationView, Problem> {
    let found = shared.engine.conversation(id).await?;
    found.ok_or_else(|| problem(ProblemCode::NotFound))
}

/// The conversation that a repeated request was about, which may be gone by now.
async fn repeated(shared: &Shared, id: &ConversationId) -> Result<ConversationResponse, Problem> {
    match shared.engine.conversation(id).await? {
        Some(view) => Ok(response(&view)),
        None => Err(SubmitError::Rejected(Rejection::Closed).into()),
    }
}

/// A conversation as a command has left it.
fn after(submitted: Submitted) -> ConversationResponse {
    let conversation = submitted.conversation;
    let settings = &conversation.settings;
    let parent = settings.parent.as_ref();
    ConversationResponse {
        id: settings.id.clone(),
        driver: DriverName::from(settings.driver),
        app: submitted.app,
        title: submitted.title,
        parent: parent.map(|parent| parent.conversation.clone()),
        state: (&conversation.state).into(),
        created_at: submitted.created_at,
        updated_at: submitted.at,
        version: conversation.version,
    }
}

fn response(view: &ConversationView) -> ConversationResponse {
    let row = &view.row;
    ConversationResponse {
        id: row.id.clone(),
        driver: DriverName::from(view.driver),
        app: row.app.clone(),
        title: row.snapshot.title.clone(),
        parent: row.parent.clone(),
        state: state_response(&view.state),
        created_at: row.created_at,
        updated_at: row.updated_at,
        version: row.snapshot.version,
    }
}

pub(crate) async fn read(
    State(shared): State<Shared>,
    Id(id): Id<ConversationId>,
    Query(params): Query<ReadConversationParams>,
) -> Result<Json<ConversationDetailResponse>, Problem> {
    let limit = params
        .limit
        .unwrap_or(limits::PAGE_ITEMS)
        .min(limits::PAGE_ITEMS_MAX);
    let before = match params.before.as_deref().map(str::parse) {
        None => None,
        Some(Ok(before)) => Some(before),
        Some(Err(_)) => return Err(problem(ProblemCode::InvalidQuery)),
    };
    // The place is taken before the state is read: a feed that begins there repeats what changed
    // in between, and leaves nothing out.
    let newest = shared.engine.store().events_before(&id, before, 1).await?;
    let sequence = newest.last().map(|row| row.sequence);
    let view = find(&shared, &id).await?;
    let page = match limit {
        0 => messages::none(),
        limit => messages::page(&shared, &view, before, limit).await?,
    };
    Ok(Json(ConversationDetailResponse {
        conversation: response(&view),
        messages: page.messages,
        before: page.before.map(|before| before.to_string()),
        sequence,
    }))
}

pub(crate) async fn delete(
    State(shared): State<Shared>,
    By(by): By,
    Id(id): Id<ConversationId>,
) -> Result<StatusCode, Problem> {
    if shared.engine.delete(&id, by).await? {
        Ok(StatusCode::NO_CONTENT)
    } else {
        Err(problem(ProblemCode::NotFound))
    }
}

pub(crate) async fn send(
    State(shared): State<Shared>,
    By(by): By,
    Id(id): Id<ConversationId>,
    Body(params): Body<MessageParams>,
) -> Result<Response, Problem> {
    let message_id = params.message_id.as_ref().map(MessageId::as_str);
    let extras = CommitOptions {
        keys: RequestKeys {
            message: request_key::message(message_id, Some(&params.text))?,
            ..RequestKeys::default()
        },
        ..CommitOptions::default()
    };
    let command = Command::SendMessage {
        message: params.message_id,
        text: params.text,
    };
    let now = match shared.engine.submit_with(&id, command, by, extras).await {
        Ok(submitted) => after(submitted),
        // The same message again: it was taken, which is all its sender wants to know.
        Err(SubmitError::Repeated { .. } | SubmitError::Rejected(Rejection::DuplicateMessage)) => {
            repeated(&shared, &id).await?
        }
        Err(error) => return Err(error.into()),
    };
    Ok((StatusCode::ACCEPTED, Json(now)).into_response())
}

pub(crate) async fn respond(
    State(shared): State<Shared>,
    By(by): By,
    Id(id): Id<ConversationId>,
    Body(params): Body<RespondParams>,
) -> Result<Json<ConversationResponse>, Problem> {
    let inquiry = params.inquiry_id.clone();
    let extras = act_extras(
        path::RESPOND,
        &id,
        params.idempotency_key.as_deref(),
        &params,
    )?;
    let now = shared.engine.clock().now();
    let reader = Reader::new(params.locale.as_deref(), params.today, now);
    let asked = asked(&shared, &id, inquiry.as_ref()).await?;
    let target = params.target();
    let reply = RespondentAction::Answer {
        answers: match &asked {
            Some(asked) => reader.read(asked, params.answers),
            None => params.answers,
        },
        notes: params.notes,
    };
    let command = inquiries::respond(target, reply, params.undo_seconds, now);
    match (
        shared.engine.submit_with(&id, command, by, extras).await,
        reader.locale.zip(asked),
    ) {
        (Err(SubmitError::Rejected(Rejection::InvalidAnswer(errors))), Some((locale, asked))) => {
            Err(invalid_answer(errors, locale, &asked))
        }
        (submitted, _) => acted(&shared, &id, submitted, inquiry.as_ref()).await,
    }
}

/// The inquiry that an answer is meant for, as far as that is certain.
async fn asked(
    shared: &Shared,
    id: &ConversationId,
    inquiry: Option<&InquiryId>,
) -> Result<Option<Inquiry>, Problem> {
    if let Some(inquiry) = inquiry {
        let view = shared.engine.inquiry(inquiry).await?;
        return Ok(view.map(|view| view.inquiry));
    }
    let standing = match shared.engine.current_conversation(id).await {
        Err(SubmitError::NotFound) => return Ok(None),
        standing => standing?,
    };
    let [pending] = standing.state.pending() else {
        return Ok(None);
    };
    Ok(Some(pending.inquiry.clone()))
}

pub(crate) async fn decline(
    State(shared): State<Shared>,
    By(by): By,
    Id(id): Id<ConversationId>,
    OptionalBody(params): OptionalBody<DeclineParams>,
) -> Result<Json<ConversationResponse>, Problem> {
    let extras = act_extras(
        path::DECLINE,
        &id,
        params.idempotency_key.as_deref(),
        &params,
    )?;
    let now = shared.engine.clock().now();
    let command = inquiries::respond(
        params.target(),
        RespondentAction::Decline,
        params.undo_seconds,
        now,
    );
    act((&shared, &id), command, by, (extras, params.inquiry_id)).await
}

pub(crate) async fn reject(
    State(shared): State<Shared>,
    By(by): By,
    Id(id): Id<ConversationId>,
    OptionalBody(params): OptionalBody<RejectParams>,
) -> Result<Json<ConversationResponse>, Problem> {
    let extras = act_extras(
        path::REJECT,
        &id,
        params.idempotency_key.as_deref(),
        &params,
    )?;
    let now = shared.engine.clock().now();
    let command = inquiries::respond(
        params.target(),
        RespondentAction::Reject,
        params.undo_seconds,
        now,
    );
    act((&shared, &id), command, by, (extras, params.inquiry_id)).await
}

pub(crate) async fn cancel(
    State(shared): State<Shared>,
    By(by): By,
    Id(id): Id<ConversationId>,
    OptionalBody(params): OptionalBody<CancelParams>,
) -> Result<Json<ConversationResponse>, Problem> {
    let extras = act_extras(
        path::CANCEL,
        &id,
        params.idempotency_key.as_deref(),
        &params,
    )?;
    let command = Command::Cancel {
        target: params.target(),
    };
    act((&shared, &id), command, by, (extras, params.inquiry_id)).await
}

/// What goes along with something that is done to a conversation.
fn act_extras(
    route: &str,
    id: &ConversationId,
    key: Option<&str>,
    params: &impl Serialize,
) -> Result<CommitOptions, Problem> {
    let target = format!("POST {}", path::with_id(route, id.as_str()));
    Ok(CommitOptions {
        keys: keyed(&target, key, params)?,
        ..CommitOptions::default()
    })
}

/// Carries out what a respondent does to a conversation. A repeated request shows it as it is.
async fn act(
    (shared, id): (&Shared, &ConversationId),
    command: Command,
    by: Actor,
    (extras, inquiry): (CommitOptions, Option<InquiryId>),
) -> Result<Json<ConversationResponse>, Problem> {
    let submitted = shared.engine.submit_with(id, command, by, extras).await;
    acted(shared, id, submitted, inquiry.as_ref()).await
}

/// The conversation after something was done to it.
async fn acted(
    shared: &Shared,
    id: &ConversationId,
    submitted: Result<Submitted, SubmitError>,
    inquiry: Option<&InquiryId>,
) -> Result<Json<ConversationResponse>, Problem> {
    match submitted {
        Ok(submitted) => Ok(Json(after(submitted))),
        Err(SubmitError::Repeated { inquiry, .. }) => {
            if let Some(inquiry) = inquiry
                && let Some(view) = shared.engine.inquiry(&inquiry).await?
            {
                inquiries::refuse_undone(&view)?;
            }
            Ok(Json(repeated(shared, id).await?))
        }
        Err(error) => Err(conflict(&shared.engine, error, inquiry).await),
    }
}
