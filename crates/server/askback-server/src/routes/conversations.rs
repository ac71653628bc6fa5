//! Conversations: start, list, read and delete them, send messages, answer or stop them.

mod messages;

use askback_core::conversation::Driver;
use askback_core::conversation::command::{Command, RespondentAction};
use askback_core::conversation::rejection::Rejection;
use askback_core::id::{ConversationId, InquiryId, MessageId};
use askback_core::inquiry::Inquiry;
use askback_core::text::{Lines, Text};
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
use askback_wire::respond::{
    CancelWorkParams, DeclinePendingParams, RejectPendingParams, RespondParams,
};
use axum::Json;
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use serde_json::json;

use super::AppState;
use super::inquiries::{self, refuse_incomplete};
use crate::extract::{Acting, Body, Id, OptionalBody, Query, RequestActor, page_limit};
use crate::openapi::Route;
use crate::problem::{Problem, conflict, invalid_answer, problem};
use crate::request_key::{self, idempotent};
use crate::scope::Scope;
use crate::typed_answers::TypedAnswerParser;

/// The conversation after a request.
type Changed = Result<Json<ConversationResponse>, Problem>;

pub(super) fn routes() -> Vec<Route> {
    let acting = |route: Route| {
        route
            .returns::<ConversationResponse>(200, "The conversation after the request.")
            .problems(super::TARGET_PROBLEMS)
            .problems(super::KEY_PROBLEMS)
            .writes_store()
    };
    vec![
        Route::post(path::CONVERSATIONS, "start_conversation", create)
            .summary("Starts a conversation with the built-in agent, or for an external one.")
            .creates::<ConversationResponse>("The conversation.")
            .returns::<ConversationResponse>(
                200,
                "The conversation that an earlier request with the same key started.",
            )
            .problems(&[
                ProblemCode::NotFound,
                ProblemCode::WrongDriver,
                ProblemCode::InvalidMessage,
                ProblemCode::UnknownApp,
                ProblemCode::ConversationClosed,
            ])
            .problems(super::KEY_PROBLEMS)
            .writes_store(),
        Route::get(path::CONVERSATIONS, "list_conversations", list)
            .summary("Lists conversations, latest activity first.")
            .returns_list::<ConversationResponse>("A page of conversations.")
            .reads_store(),
        Route::get(path::CONVERSATION, "read_conversation", read)
            .summary("Returns a conversation with a page of its messages.")
            .returns::<ConversationDetailResponse>(200, "The conversation.")
            .reads_store(),
        Route::delete(path::CONVERSATION, "delete_conversation", delete)
            .summary("Closes a conversation and deletes everything that belongs to it.")
            .description("Its pending questions are withdrawn. Their outcome can still be read.")
            .returns_nothing("The conversation is deleted.")
            .writes_store(),
        Route::post(path::MESSAGES, "send_message", send)
            .summary("Sends a message to the agent.")
            .returns::<ConversationResponse>(202, "The conversation after the request.")
            .problems(&[
                ProblemCode::AwaitingUserResponse,
                ProblemCode::Busy,
                ProblemCode::WrongDriver,
                ProblemCode::InvalidMessage,
                ProblemCode::ConversationClosed,
            ])
            .problems(super::KEY_PROBLEMS)
            .writes_store(),
        acting(Route::post(path::RESPOND, "respond", respond))
            .summary("Answers the pending question.")
            .example(json!({"answers": {"q1": "SQLite"}}))
            .problems(super::REPLY_PROBLEMS)
            .problems(&[ProblemCode::InvalidAnswer]),
        acting(Route::post(path::DECLINE, "decline", decline))
            .summary("Declines the pending question. The agent continues without an answer.")
            .problems(super::REPLY_PROBLEMS),
        acting(Route::post(path::REJECT, "reject", reject))
            .summary("Rejects the pending question. The agent stops.")
            .problems(super::REPLY_PROBLEMS),
        acting(Route::post(path::CANCEL, "cancel", cancel))
            .summary("Stops the agent, whatever it is doing.")
            .problems(&[ProblemCode::NothingToStop, ProblemCode::ConversationClosed]),
    ]
}

async fn create(
    state: AppState,
    RequestActor(actor): RequestActor,
    OptionalBody(params): OptionalBody<NewConversationParams>,
) -> Result<Response, Problem> {
    if let Some(app) = &params.app
        && state.engine.apps().app(Some(app)).is_none()
    {
        return Err(problem(ProblemCode::UnknownApp));
    }
    let mut options = idempotent(&Scope::Admin, path::CONVERSATIONS, &params)?;
    let message_id = params.message_id.as_ref().map(MessageId::as_str);
    options.keys.message = request_key::message(message_id, params.message.as_deref())?;
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
    let body = match state.engine.create(new, actor, options).await {
        Ok(submitted) => after(submitted),
        Err(SubmitError::Repeated { conversation, .. }) => {
            return Ok(Json(repeated(&state, &conversation).await?).into_response());
        }
        Err(error) => return Err(error.into()),
    };
    let location = path::with_id(path::CONVERSATION, body.id.as_str());
    Ok((StatusCode::CREATED, [("location", location)], Json(body)).into_response())
}

fn cleaned_title(title: &str) -> Option<Text> {
    Some(Text::clean(title, Lines::One)?.clip(limits::TITLE_CHARS_MAX))
}

async fn list(
    state: AppState,
    Query(params): Query<ListConversationsParams>,
) -> Result<Json<ListResponse<ConversationResponse>>, Problem> {
    if let Some(DriverName::Unknown(driver)) = &params.driver {
        let known = DriverName::VALUES.join(", ");
        let detail = format!("`driver` must be one of {known}, not {driver:?}.");
        return Err(problem(ProblemCode::InvalidQuery).detail(detail));
    }
    let mut filter = ConversationFilter {
        state: params.state,
        parent: params.parent,
        driver: params.driver.map(|driver| driver.to_string()),
        cursor: params.cursor,
        limit: page_limit(params.limit)?,
    };
    let page = state.engine.store().conversations(filter.clone()).await?;
    let mut items = Vec::with_capacity(page.items.len());
    let mut bytes = 0;
    for (read, row) in page.items.into_iter().enumerate() {
        // The conversation may have been deleted since.
        let Some(view) = state.engine.conversation(&row.id).await? else {
            continue;
        };
        bytes += view.bytes();
        if bytes > PAGE_BYTES_MAX && !items.is_empty() {
            // End the page here, and let the store say where the next one starts.
            filter.limit = read;
            let shorter = state.engine.store().conversations(filter).await?;
            let next = shorter.next;
            return Ok(Json(ListResponse { items, next }));
        }
        let item = response(&view);
        items.push(ConversationResponse {
            state: item.state.without_questions(),
            ..item
        });
    }
    Ok(Json(ListResponse {
        items,
        next: page.next,
    }))
}

async fn find(state: &AppState, id: &ConversationId) -> Result<ConversationView, Problem> {
    let found = state.engine.conversation(id).await?;
    found.ok_or_else(|| no_conversation(id))
}

pub(super) fn no_conversation(id: &ConversationId) -> Problem {
    problem(ProblemCode::NotFound).detail(format!("No conversation has the id {id}."))
}

/// The conversation of a repeated request. It may have been deleted since.
async fn repeated(state: &AppState, id: &ConversationId) -> Result<ConversationResponse, Problem> {
    match state.engine.conversation(id).await? {
        Some(view) => Ok(response(&view)),
        None => Err(SubmitError::Rejected(Rejection::Closed).into()),
    }
}

/// The conversation right after a command.
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
        updated_at: submitted.record.at,
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
        state: (&view.state).into(),
        created_at: row.created_at,
        updated_at: row.updated_at,
        version: row.snapshot.version,
    }
}

async fn read(
    state: AppState,
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
        Some(Err(_)) => {
            let detail = "`before` must be the `before` of an earlier page.";
            return Err(problem(ProblemCode::InvalidQuery).detail(detail));
        }
    };
    // Read the sequence number before the state: a feed that starts after it may repeat a change, but
    // misses none.
    let newest = state.engine.store().records_up_to(&id, before, 1).await?;
    let sequence = newest.last().map(|row| row.last);
    let view = find(&state, &id).await?;
    let page = match limit {
        0 => messages::none(),
        limit => messages::page(&state, &view, before, limit).await?,
    };
    Ok(Json(ConversationDetailResponse {
        conversation: response(&view),
        messages: page.messages,
        before: page.before.map(|before| before.to_string()),
        sequence,
    }))
}

async fn delete(
    state: AppState,
    RequestActor(actor): RequestActor,
    Id(id): Id<ConversationId>,
) -> Result<StatusCode, Problem> {
    if state.engine.delete(&id, actor).await? {
        Ok(StatusCode::NO_CONTENT)
    } else {
        Err(no_conversation(&id))
    }
}

async fn send(
    state: AppState,
    RequestActor(actor): RequestActor,
    Id(id): Id<ConversationId>,
    Body(params): Body<MessageParams>,
) -> Result<Response, Problem> {
    let message_id = params.message_id.as_ref().map(MessageId::as_str);
    let options = CommitOptions {
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
    let now = match state.engine.submit_with(&id, command, actor, options).await {
        Ok(submitted) => after(submitted),
        // A repeated message was accepted before, so this is a success too.
        Err(SubmitError::Repeated { .. } | SubmitError::Rejected(Rejection::DuplicateMessage)) => {
            repeated(&state, &id).await?
        }
        Err(error) => return Err(error.into()),
    };
    Ok((StatusCode::ACCEPTED, Json(now)).into_response())
}

async fn respond(on: Acting<ConversationId>, Body(params): Body<RespondParams>) -> Changed {
    let inquiry = params.inquiry_id.clone();
    let options = on.idempotent(path::RESPOND, &params)?;
    let now = on.state.engine.clock().now();
    let parser = TypedAnswerParser::new(params.locale.as_deref(), params.today, now);
    let asked = answered_inquiry(&on.state, &on.id, inquiry.as_ref()).await?;
    let target = params.target();
    let answers = match &asked {
        Some(asked) => parser.parse(asked, params.answers.clone()),
        None => params.answers.clone(),
    };
    if let Some(asked) = asked.as_ref().filter(|_| !params.partial) {
        refuse_incomplete(asked, &answers)?;
    }
    let reply = RespondentAction::Answer {
        answers,
        notes: params.notes,
    };
    let command = reply.into_command(target, params.undo_seconds);
    let submitted = on.submit(command, options).await;
    if let Err(SubmitError::Rejected(Rejection::InvalidAnswer(errors))) = &submitted
        && let Some(asked) = &asked
    {
        let words = parser.problems(asked, &params.answers, errors);
        return Err(invalid_answer(errors.clone(), words));
    }
    on.response(submitted, inquiry.as_ref()).await
}

/// The inquiry that an answer is for: the named one, or the only pending one.
async fn answered_inquiry(
    state: &AppState,
    id: &ConversationId,
    inquiry: Option<&InquiryId>,
) -> Result<Option<Inquiry>, Problem> {
    if let Some(inquiry) = inquiry {
        let view = state.engine.inquiry(inquiry).await?;
        return Ok(view.map(|view| view.inquiry));
    }
    let standing = match state.engine.current_conversation(id).await {
        Err(SubmitError::NotFound) => return Ok(None),
        standing => standing?,
    };
    let [pending] = standing.state.pending() else {
        return Ok(None);
    };
    Ok(Some(pending.inquiry.clone()))
}

async fn decline(
    on: Acting<ConversationId>,
    OptionalBody(params): OptionalBody<DeclinePendingParams>,
) -> Changed {
    let options = on.idempotent(path::DECLINE, &params)?;
    let command = RespondentAction::Decline.into_command(params.target(), params.undo_seconds);
    on.act(command, options, params.inquiry_id).await
}

async fn reject(
    on: Acting<ConversationId>,
    OptionalBody(params): OptionalBody<RejectPendingParams>,
) -> Changed {
    let options = on.idempotent(path::REJECT, &params)?;
    let command = RespondentAction::Reject.into_command(params.target(), params.undo_seconds);
    on.act(command, options, params.inquiry_id).await
}

async fn cancel(
    on: Acting<ConversationId>,
    OptionalBody(params): OptionalBody<CancelWorkParams>,
) -> Changed {
    let options = on.idempotent(path::CANCEL, &params)?;
    let command = Command::Cancel {
        target: params.target(),
    };
    on.act(command, options, params.inquiry_id).await
}

impl Acting<ConversationId> {
    async fn submit(
        &self,
        command: Command,
        options: CommitOptions,
    ) -> Result<Submitted, SubmitError> {
        let (engine, actor) = (&self.state.engine, self.actor.clone());
        engine.submit_with(&self.id, command, actor, options).await
    }

    /// Submits a command. A repeated request gets the conversation as it is now.
    async fn act(
        self,
        command: Command,
        options: CommitOptions,
        inquiry: Option<InquiryId>,
    ) -> Changed {
        let submitted = self.submit(command, options).await;
        self.response(submitted, inquiry.as_ref()).await
    }

    /// The response after a command.
    async fn response(
        &self,
        submitted: Result<Submitted, SubmitError>,
        inquiry: Option<&InquiryId>,
    ) -> Changed {
        match submitted {
            Ok(submitted) => Ok(Json(after(submitted))),
            Err(SubmitError::Repeated { inquiry, .. }) => {
                if let Some(inquiry) = inquiry
                    && let Some(view) = self.state.engine.inquiry(&inquiry).await?
                {
                    inquiries::refuse_undone(&view)?;
                }
                Ok(Json(repeated(&self.state, &self.id).await?))
            }
            Err(error) => Err(conflict(&self.state, &self.caller, error, inquiry).await),
        }
    }
}
