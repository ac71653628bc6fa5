//! Inquiries: ask from outside, list what waits, answer it.

use askback_core::conversation::command::{Command, RespondentAction, Target};
use askback_core::conversation::rejection::Rejection;
use askback_core::conversation::state::PendingInquiry;
use askback_core::dialect::{Dialect, ParseOptions, recognise};
use askback_core::id::InquiryId;
use askback_core::outcome::Actor;
use askback_core::text::{Lines, Text};
use askback_engine::{CommitOptions, InquiryView, SubmitError, Submitted};
use askback_store::{AskerFilter, InquiryFilter};
use askback_wire::duration::HumanDuration;
use askback_wire::inquiry::{
    DeadlineParams, InquiryResponse, KeepOpenParams, NewInquiryParams, ReadInquiryParams,
    UndoParams,
};
use askback_wire::list::{ListInquiriesParams, ListResponse};
use askback_wire::problem::ProblemCode;
use askback_wire::respond::{AnswerParams, CancelParams, DeclineParams, WithdrawParams};
use askback_wire::{limits, path};
use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use jiff::{SignedDuration, Timestamp};
use serde::Serialize;

use super::Shared;
use super::askers;
use crate::extract::{Body, By, Id, OptionalBody, Query};
use crate::problem::{Problem, conflict, invalid_answer, problem, refused_input};
use crate::request_key::keyed;
use crate::typed::Reader;
use crate::webhook::WebhookRefusal;

/// What a key of a question is bound to, besides the question.
const TARGET: &str = "POST /inquiries";

pub(crate) async fn ask(
    State(shared): State<Shared>,
    By(by): By,
    Body(params): Body<NewInquiryParams>,
) -> Result<Response, Problem> {
    let dialect = match params.dialect.as_deref() {
        None => recognise(&params.input),
        Some(name) => {
            Dialect::from_name(name).ok_or_else(|| problem(ProblemCode::UnknownDialect))?
        }
    };
    let parsed = dialect
        .parse(&params.input, ParseOptions::default())
        .map_err(|error| refused_input(&error))?;
    let extras = CommitOptions {
        keys: keyed(TARGET, params.idempotency_key.as_deref(), &params)?,
        webhook: checked_webhook(&shared, params.webhook.clone())?,
        source: params.source.as_deref().and_then(askers::cleaned_source),
        asker: params
            .asker
            .map(|asker| askers::checked(asker, &parsed.inquiry))
            .transpose()?,
        finished_jobs: Vec::new(),
    };
    let expires_after = params.expires_in.map(checked_span).transpose()?;
    let assumption = params.assumption.as_deref().and_then(cleaned_assumption);
    let inquiry = match &assumption {
        Some(assumption) => parsed.inquiry.assuming(assumption),
        None => parsed.inquiry,
    };
    let asked = match params.conversation_id {
        None => shared.engine.ask(inquiry, expires_after, by, extras).await,
        Some(conversation) => {
            let command = Command::Ask {
                inquiry,
                expires_after,
            };
            shared
                .engine
                .submit_with(&conversation, command, by, extras)
                .await
        }
    };
    let (status, id) = match asked {
        Ok(submitted) => (StatusCode::CREATED, asked_id(&submitted)),
        Err(SubmitError::Repeated { inquiry, .. }) => (StatusCode::OK, inquiry),
        Err(SubmitError::AlreadyAsked { inquiry }) => (StatusCode::OK, Some(inquiry)),
        Err(error) => return Err(error.into()),
    };
    let id = id.ok_or_else(|| problem(ProblemCode::Internal))?;
    let body = response(&find_or_closed(&shared, &id).await?);
    let location = path::with_id(path::INQUIRY, id.as_str());
    Ok((status, [("location", location)], Json(body)).into_response())
}

/// The inquiry that a command has asked.
fn asked_id(submitted: &Submitted) -> Option<InquiryId> {
    submitted
        .conversation
        .state
        .pending()
        .last()
        .map(|pending| pending.id.clone())
}

fn cleaned_assumption(assumption: &str) -> Option<Text> {
    let assumption = Text::clean(assumption, Lines::One)?;
    Some(assumption.clip(askback_core::limits::ASSUMPTION_CHARS_MAX))
}

/// The address of a webhook, if it may be called as far as can be known now.
fn checked_webhook(shared: &Shared, url: Option<String>) -> Result<Option<String>, Problem> {
    if let Some(url) = &url {
        let refused =
            |why: WebhookRefusal| problem(ProblemCode::InvalidWebhook).detail(why.to_string());
        shared.guard.webhooks.check(url).map_err(refused)?;
    }
    Ok(url)
}

pub(crate) async fn list(
    State(shared): State<Shared>,
    Query(params): Query<ListInquiriesParams>,
) -> Result<Json<ListResponse<InquiryResponse>>, Problem> {
    let filter = InquiryFilter {
        status: params.status.map(|status| status.to_string()),
        conversation: params.conversation_id,
        asker: params.asker_client.map(|client| AskerFilter {
            client,
            project: params.asker_project,
        }),
        cursor: params.cursor,
        limit: super::listing::page_size(params.limit),
    };
    let page = shared.engine.inquiries(filter).await?;
    Ok(Json(ListResponse {
        items: page.items.iter().map(response).collect(),
        next: page.next,
    }))
}

pub(crate) async fn read(
    State(shared): State<Shared>,
    Id(id): Id<InquiryId>,
    Query(params): Query<ReadInquiryParams>,
) -> Result<Json<InquiryResponse>, Problem> {
    let Some(wait) = params.wait else {
        return Ok(Json(response(&find(&shared, &id).await?)));
    };
    let most = std::time::Duration::from_secs(limits::WAIT_SECONDS_MAX.unsigned_abs());
    let waiting = shared.engine.wait_for(&id, wait.std_duration().min(most));
    let view = tokio::select! {
        view = waiting => view?,
        // A server that stops says how it stands; the next one is asked again.
        () = shared.control.stopping() => shared.engine.inquiry(&id).await?,
    };
    let view = view.ok_or_else(|| problem(ProblemCode::NotFound))?;
    Ok(Json(response(&view)))
}

pub(super) async fn find(shared: &Shared, id: &InquiryId) -> Result<InquiryView, Problem> {
    let view = shared.engine.inquiry(id).await?;
    view.ok_or_else(|| problem(ProblemCode::NotFound))
}

/// An inquiry that was known a moment ago: if it is gone, its conversation was deleted.
async fn find_or_closed(shared: &Shared, id: &InquiryId) -> Result<InquiryView, Problem> {
    let view = shared.engine.inquiry(id).await?;
    view.ok_or_else(|| SubmitError::Rejected(Rejection::Closed).into())
}

/// An inquiry as the wire has it.
pub(crate) fn response(view: &InquiryView) -> InquiryResponse {
    let pending = PendingInquiry {
        id: view.row.id.clone(),
        call: None,
        revision: view.row.revision,
        inquiry: view.inquiry.clone(),
        asked_at: view.row.asked_at,
        expires_at: view.row.expires_at,
        reminded: false,
        held: view.held.clone().map(Box::new),
    };
    let mut response = InquiryResponse::pending(&view.row.conversation, &pending);
    response.source.clone_from(&view.row.source);
    response.asker = view.row.asker.as_ref().map(askers::response);
    match &view.resolution {
        Some(ended) => response.resolved(&view.inquiry, &ended.resolution, &ended.result),
        None => response,
    }
}

pub(crate) async fn answer(
    State(shared): State<Shared>,
    By(by): By,
    Id(id): Id<InquiryId>,
    Body(params): Body<AnswerParams>,
) -> Result<Json<InquiryResponse>, Problem> {
    let extras = act_extras(
        path::INQUIRY_ANSWER,
        &id,
        params.idempotency_key.as_deref(),
        &params,
    )?;
    let view = find(&shared, &id).await?;
    let now = shared.engine.clock().now();
    let reader = Reader::new(params.locale.as_deref(), params.today, now);
    let reply = RespondentAction::Answer {
        answers: reader.read(&view.inquiry, params.answers),
        notes: params.notes,
    };
    let command = respond(
        target(&id, params.revision),
        reply,
        params.undo_seconds,
        now,
    );
    let submitted = shared
        .engine
        .submit_with(&view.row.conversation, command, by, extras);
    match (submitted.await, reader.locale) {
        (Err(SubmitError::Rejected(Rejection::InvalidAnswer(errors))), Some(locale)) => {
            Err(invalid_answer(errors, locale, &view.inquiry))
        }
        (submitted, _) => acted(&shared, view, submitted, Undone::Refuse).await,
    }
}

pub(crate) async fn decline(
    State(shared): State<Shared>,
    By(by): By,
    Id(id): Id<InquiryId>,
    OptionalBody(params): OptionalBody<DeclineParams>,
) -> Result<Json<InquiryResponse>, Problem> {
    let extras = act_extras(
        path::INQUIRY_DECLINE,
        &id,
        params.idempotency_key.as_deref(),
        &params,
    )?;
    let target = target(&id, params.revision);
    let now = shared.engine.clock().now();
    let command = respond(target, RespondentAction::Decline, params.undo_seconds, now);
    act((&shared, &id), command, by, extras).await
}

pub(crate) async fn cancel(
    State(shared): State<Shared>,
    By(by): By,
    Id(id): Id<InquiryId>,
    OptionalBody(params): OptionalBody<CancelParams>,
) -> Result<Json<InquiryResponse>, Problem> {
    let extras = act_extras(
        path::INQUIRY_CANCEL,
        &id,
        params.idempotency_key.as_deref(),
        &params,
    )?;
    let target = Some(target(&id, params.revision));
    act((&shared, &id), Command::Cancel { target }, by, extras).await
}

pub(crate) async fn withdraw(
    State(shared): State<Shared>,
    By(by): By,
    Id(id): Id<InquiryId>,
    OptionalBody(params): OptionalBody<WithdrawParams>,
) -> Result<Json<InquiryResponse>, Problem> {
    let extras = act_extras(
        path::INQUIRY_WITHDRAW,
        &id,
        params.idempotency_key.as_deref(),
        &params,
    )?;
    let target = Some(target(&id, params.revision));
    act((&shared, &id), Command::Withdraw { target }, by, extras).await
}

pub(crate) async fn move_deadline(
    State(shared): State<Shared>,
    By(by): By,
    Id(id): Id<InquiryId>,
    Body(params): Body<DeadlineParams>,
) -> Result<Json<InquiryResponse>, Problem> {
    let expires_at = match (params.expires_at, params.expires_in) {
        (Some(_), Some(_)) => {
            let detail = "Send expires_at or expires_in, not both.";
            return Err(problem(ProblemCode::InvalidJson).detail(detail));
        }
        (at, None) => at,
        (None, Some(span)) => Some(shared.engine.clock().now() + checked_span(span)?),
    };
    let farthest = shared.engine.clock().now() + EXPIRES_MAX;
    if expires_at.is_some_and(|at| at > farthest) {
        return Err(problem(ProblemCode::DeadlineTooFar));
    }
    let command = Command::MoveDeadline {
        target: target(&id, params.revision),
        expires_at,
    };
    act((&shared, &id), command, by, CommitOptions::default()).await
}

pub(crate) async fn keep_open(
    State(shared): State<Shared>,
    By(by): By,
    Id(id): Id<InquiryId>,
    OptionalBody(params): OptionalBody<KeepOpenParams>,
) -> Result<Json<InquiryResponse>, Problem> {
    let span = params.expires_in.map(checked_span).transpose()?;
    let view = find(&shared, &id).await?;
    if view.resolution.is_none() && view.row.expires_at.is_none() {
        // It is open without an end: nothing is to be written down.
        return Ok(Json(response(&view)));
    }
    let command = Command::KeepOpen {
        target: target(&id, params.revision),
        at_least: span.map(|span| shared.engine.clock().now() + span),
    };
    act((&shared, &id), command, by, CommitOptions::default()).await
}

pub(crate) async fn undo(
    State(shared): State<Shared>,
    By(by): By,
    Id(id): Id<InquiryId>,
    OptionalBody(params): OptionalBody<UndoParams>,
) -> Result<Json<InquiryResponse>, Problem> {
    let extras = act_extras(
        path::INQUIRY_UNDO,
        &id,
        params.idempotency_key.as_deref(),
        &params,
    )?;
    let command = Command::UndoAnswer {
        target: target(&id, params.revision),
    };
    act((&shared, &id), command, by, extras).await
}

/// What a respondent does takes effect at once, or after the time in which it can be taken back.
pub(super) fn respond(
    target: Target,
    reply: RespondentAction,
    undo_seconds: Option<u32>,
    now: Timestamp,
) -> Command {
    let Some(seconds) = undo_seconds else {
        return match reply {
            RespondentAction::Answer { answers, notes } => Command::Answer {
                target,
                answers,
                notes,
            },
            RespondentAction::Decline => Command::Decline { target },
            RespondentAction::Reject => Command::Reject { target },
        };
    };
    let until = now + SignedDuration::from_secs(seconds.into());
    Command::AnswerWithUndo {
        target,
        reply,
        until,
    }
}

/// The longest time until a question ends unanswered.
const EXPIRES_MAX: SignedDuration = SignedDuration::from_secs(limits::EXPIRES_SECONDS_MAX as i64);

/// A length of time until a deadline, if it is not too long.
fn checked_span(span: HumanDuration) -> Result<SignedDuration, Problem> {
    let duration = span.duration();
    if duration > EXPIRES_MAX {
        return Err(problem(ProblemCode::DeadlineTooFar));
    }
    Ok(duration)
}

fn target(id: &InquiryId, revision: Option<u32>) -> Target {
    Target::Inquiry {
        id: id.clone(),
        revision,
    }
}

/// Carries out what somebody does to one inquiry and shows it afterwards.
async fn act(
    (shared, id): (&Shared, &InquiryId),
    command: Command,
    by: Actor,
    extras: CommitOptions,
) -> Result<Json<InquiryResponse>, Problem> {
    let view = find(shared, id).await?;
    let undone = if matches!(command, Command::UndoAnswer { .. }) {
        Undone::Show
    } else {
        Undone::Refuse
    };
    let submitted = shared
        .engine
        .submit_with(&view.row.conversation, command, by, extras);
    let submitted = submitted.await;
    acted(shared, view, submitted, undone).await
}

/// What goes along with something that is done to an inquiry.
fn act_extras(
    route: &str,
    id: &InquiryId,
    key: Option<&str>,
    params: &impl Serialize,
) -> Result<CommitOptions, Problem> {
    let target = format!("POST {}", path::with_id(route, id.as_str()));
    Ok(CommitOptions {
        keys: keyed(&target, key, params)?,
        ..CommitOptions::default()
    })
}

/// What a repeated request is told whose answer was undone since.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Undone {
    /// That it was: nobody must believe that the answer stands.
    Refuse,
    /// How the inquiry stands.
    Show,
}

/// The inquiry as a decision has left it, whatever became of it since: it may be removed by now. A
/// repeated request shows it as it is.
async fn acted(
    shared: &Shared,
    before: InquiryView,
    submitted: Result<Submitted, SubmitError>,
    undone: Undone,
) -> Result<Json<InquiryResponse>, Problem> {
    match submitted {
        Ok(submitted) => Ok(Json(response(&before.after(&submitted)))),
        Err(SubmitError::Repeated { .. }) => {
            let view = find_or_closed(shared, &before.row.id).await?;
            if undone == Undone::Refuse {
                refuse_undone(&view)?;
            }
            Ok(Json(response(&view)))
        }
        Err(error) => Err(conflict(&shared.engine, error, Some(&before.row.id)).await),
    }
}

/// Refuses a repeated reply to an inquiry that waits without one: the first was undone. It is not
/// given anew, because it may have been sent before that.
pub(super) fn refuse_undone(view: &InquiryView) -> Result<(), Problem> {
    if view.resolution.is_none() && view.held.is_none() {
        return Err(problem(ProblemCode::AnswerUndone));
    }
    Ok(())
}
