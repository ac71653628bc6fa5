//! Answering an inquiry, ending it otherwise, undoing an answer, handing it on and moving the deadline.

use askback_core::answer::Answers;
use askback_core::conversation::command::{Command, NewDeadline, RespondentAction, Target};
use askback_core::conversation::rejection::Rejection;
use askback_core::id::InquiryId;
use askback_core::inquiry::Inquiry;
use askback_core::limits::HAND_ON_REASON_CHARS_MAX;
use askback_core::outcome::Actor;
use askback_core::text::{Lines, Text};
use askback_core::time::whole_millis;
use askback_engine::{CommitOptions, InquiryView, SeenInquiry, SubmitError, Submitted};
use askback_wire::duration::HumanDuration;
use askback_wire::inquiry::{
    CommitAnswerParams, DeadlineParams, HandOnParams, InquiryResponse, KeepOpenParams, UndoParams,
};
use askback_wire::link::LinkAllow;
use askback_wire::problem::ProblemCode;
use askback_wire::respond::{
    AnswerParams, CancelParams, DeclineParams, RejectParams, WithdrawParams,
};
use askback_wire::{limits, path};
use axum::extract::State;
use axum::{Extension, Json};
use jiff::{SignedDuration, Timestamp};
use serde_json::{Value, json};

use super::super::{AppState, KEY_PROBLEMS, REPLY_PROBLEMS, TARGET_PROBLEMS};
use super::ask::{checked_recipient, refuse_for_several};
use super::{find, find_or_closed, find_to_change};
use crate::authenticate::Caller;
use crate::extract::{Body, Id, OptionalBody, RequestActor};
use crate::openapi::Route;
use crate::problem::{Problem, conflict, incomplete, invalid_answer, problem};
use crate::request_key::idempotent;
use crate::scope::Scope;
use crate::typed_answers::TypedAnswerParser;

pub(super) fn routes() -> Vec<Route> {
    let acting = |route: Route| {
        route
            .returns::<InquiryResponse>(200, "The inquiry after the request.")
            .problems(TARGET_PROBLEMS)
            .writes_store()
    };
    let keyed = |route: Route| acting(route).problems(KEY_PROBLEMS);
    let deadline = DEADLINE_PROBLEMS;
    vec![
        keyed(Route::post(path::INQUIRY_ANSWER, "answer_inquiry", answer))
            .summary("Answers the inquiry.")
            .example(json!({"answers": {"q1": "SQLite"}, "revision": 1}))
            .problems(REPLY_PROBLEMS)
            .problems(&[ProblemCode::InvalidAnswer, ProblemCode::Incomplete]),
        keyed(Route::post(
            path::INQUIRY_DECLINE,
            "decline_inquiry",
            decline,
        ))
        .summary("Declines the inquiry. The agent continues without an answer.")
        .problems(REPLY_PROBLEMS),
        keyed(Route::post(path::INQUIRY_REJECT, "reject_inquiry", reject))
            .summary("Rejects the inquiry. The agent that asked stops.")
            .problems(REPLY_PROBLEMS),
        keyed(Route::post(path::INQUIRY_CANCEL, "cancel_inquiry", cancel))
            .summary("Cancels the inquiry and stops the agent that asked.")
            .problems(&[ProblemCode::NothingToStop]),
        keyed(Route::post(
            path::INQUIRY_WITHDRAW,
            "withdraw_inquiry",
            withdraw,
        ))
        .summary("Withdraws the inquiry on behalf of the agent that asked.")
        .problems(&[ProblemCode::NothingToStop]),
        keyed(Route::post(path::INQUIRY_UNDO, "undo_answer", undo))
            .summary("Undoes an answer within its undo window. The inquiry is pending again.")
            .problems(&[ProblemCode::NothingHeld]),
        acting(Route::post(
            path::INQUIRY_COMMIT_ANSWER,
            "commit_answer",
            commit_answer,
        ))
        .summary("Lets an answer take effect before its undo window ends.")
        .problems(&[ProblemCode::NothingHeld]),
        acting(Route::post(
            path::INQUIRY_HAND_ON,
            "hand_on_inquiry",
            hand_on,
        ))
        .summary("Gives the inquiry to another recipient, who can answer it in their channels.")
        .example(json!({"reason": "Ben knows the database.", "recipient": "ben"}))
        .problems(&[ProblemCode::Held, ProblemCode::UnknownRecipient]),
        acting(Route::put(
            path::INQUIRY_DEADLINE,
            "move_deadline",
            move_deadline,
        ))
        .summary("Moves or removes the deadline of the inquiry.")
        .example(json!({"expires_in": "10m"}))
        .problems(deadline),
        acting(Route::post(
            path::INQUIRY_KEEP_OPEN,
            "keep_inquiry_open",
            keep_open,
        ))
        .summary("Removes or extends the deadline, because a respondent is working on the answer.")
        .problems(deadline),
    ]
}

async fn answer(
    State(state): State<AppState>,
    Extension(caller): Extension<Caller>,
    RequestActor(actor): RequestActor,
    Id(id): Id<InquiryId>,
    Body(params): Body<AnswerParams>,
) -> Result<Json<InquiryResponse>, Problem> {
    let options = idempotent(
        &caller.scope,
        &path::with_id(path::INQUIRY_ANSWER, id.as_str()),
        &params,
    )?;
    let view = find_to_change(&state, &caller, &id).await?;
    let now = state.engine.clock().now();
    let parser = TypedAnswerParser::new(params.locale.as_deref(), params.today, now);
    let answers = parser.parse(&view.inquiry, params.answers.clone());
    // Whoever is too late learns that first.
    if !params.partial && view.resolution.is_none() && view.held.is_none() {
        refuse_incomplete(&view.inquiry, &answers)?;
    }
    let reply = RespondentAction::Answer {
        answers,
        notes: params.notes,
    };
    let command = reply_command(target(&id, params.revision), reply, params.undo_seconds);
    let options = as_seen(options, &caller, &view, &command);
    let submitted = state
        .engine
        .submit_with(&view.row.conversation, command, actor, options);
    let submitted = submitted.await;
    if let Err(SubmitError::Rejected(Rejection::InvalidAnswer(errors))) = &submitted {
        let words = parser.problems(&view.inquiry, &params.answers, errors);
        return Err(invalid_answer(errors.clone(), words));
    }
    result((&state, &caller), view, submitted, IfUndone::Refuse).await
}

async fn decline(
    State(state): State<AppState>,
    Extension(caller): Extension<Caller>,
    RequestActor(actor): RequestActor,
    Id(id): Id<InquiryId>,
    OptionalBody(params): OptionalBody<DeclineParams>,
) -> Result<Json<InquiryResponse>, Problem> {
    permit(&caller, LinkAllow::Decline)?;
    let options = idempotent(
        &caller.scope,
        &path::with_id(path::INQUIRY_DECLINE, id.as_str()),
        &params,
    )?;
    let target = target(&id, params.revision);
    let command = reply_command(target, RespondentAction::Decline, params.undo_seconds);
    act((&state, &caller, &id), command, actor, options).await
}

async fn reject(
    State(state): State<AppState>,
    Extension(caller): Extension<Caller>,
    RequestActor(actor): RequestActor,
    Id(id): Id<InquiryId>,
    OptionalBody(params): OptionalBody<RejectParams>,
) -> Result<Json<InquiryResponse>, Problem> {
    permit(&caller, LinkAllow::Stop)?;
    let options = idempotent(
        &caller.scope,
        &path::with_id(path::INQUIRY_REJECT, id.as_str()),
        &params,
    )?;
    let target = target(&id, params.revision);
    let command = reply_command(target, RespondentAction::Reject, params.undo_seconds);
    act((&state, &caller, &id), command, actor, options).await
}

async fn cancel(
    State(state): State<AppState>,
    Extension(caller): Extension<Caller>,
    RequestActor(actor): RequestActor,
    Id(id): Id<InquiryId>,
    OptionalBody(params): OptionalBody<CancelParams>,
) -> Result<Json<InquiryResponse>, Problem> {
    permit(&caller, LinkAllow::Stop)?;
    let options = idempotent(
        &caller.scope,
        &path::with_id(path::INQUIRY_CANCEL, id.as_str()),
        &params,
    )?;
    let target = Some(target(&id, params.revision));
    act(
        (&state, &caller, &id),
        Command::Cancel { target },
        actor,
        options,
    )
    .await
}

async fn withdraw(
    State(state): State<AppState>,
    Extension(caller): Extension<Caller>,
    RequestActor(actor): RequestActor,
    Id(id): Id<InquiryId>,
    OptionalBody(params): OptionalBody<WithdrawParams>,
) -> Result<Json<InquiryResponse>, Problem> {
    let options = idempotent(
        &caller.scope,
        &path::with_id(path::INQUIRY_WITHDRAW, id.as_str()),
        &params,
    )?;
    let target = Some(target(&id, params.revision));
    act(
        (&state, &caller, &id),
        Command::Withdraw { target },
        actor,
        options,
    )
    .await
}

/// A repeated request finds the inquiry with its recipient, and changes nothing.
async fn hand_on(
    State(state): State<AppState>,
    Extension(caller): Extension<Caller>,
    RequestActor(actor): RequestActor,
    Id(id): Id<InquiryId>,
    Body(params): Body<HandOnParams>,
) -> Result<Json<InquiryResponse>, Problem> {
    let view = find_to_change(&state, &caller, &id).await?;
    state.learn_recipient(&params.recipient).await?;
    let to = checked_recipient(&state, &params.recipient)?;
    if view.inquiry.is_private() {
        refuse_for_several(&state, Some(&to))?;
    }
    let reason = params.reason.as_deref();
    let reason = reason.and_then(|reason| Text::clean(reason, Lines::One));
    let command = Command::HandOn {
        target: target(&id, params.revision),
        to,
        reason: reason.map(|reason| reason.clip(HAND_ON_REASON_CHARS_MAX)),
    };
    let options = as_seen(CommitOptions::default(), &caller, &view, &command);
    let submitted = state
        .engine
        .submit_with(&view.row.conversation, command, actor, options);
    match submitted.await {
        Err(SubmitError::Rejected(Rejection::SameRecipient)) => {
            let view = find_or_closed(&state, &id).await?;
            Ok(Json(state.inquiry(&caller, &view).await?))
        }
        submitted => result((&state, &caller), view, submitted, IfUndone::Refuse).await,
    }
}

async fn move_deadline(
    State(state): State<AppState>,
    Extension(caller): Extension<Caller>,
    RequestActor(actor): RequestActor,
    Id(id): Id<InquiryId>,
    Body(params): Body<DeadlineParams>,
) -> Result<Json<InquiryResponse>, Problem> {
    let to = new_deadline(&state, params.expires_at, params.expires_in)?;
    // Not from memory: another node may have ended it, and nothing is submitted that would say so.
    let view = find(&state, &caller, &id).await?;
    let is_same = match to {
        None => has_deadline(&state, &view, None),
        Some(NewDeadline::At(at)) => has_deadline(&state, &view, Some(at)),
        Some(NewDeadline::After(_)) => false,
    };
    if is_same && params.revision.is_none_or(|seen| seen == view.row.revision) {
        return Ok(Json(state.inquiry(&caller, &view).await?));
    }
    let command = Command::MoveDeadline {
        target: target(&id, params.revision),
        to,
    };
    act(
        (&state, &caller, &id),
        command,
        actor,
        CommitOptions::default(),
    )
    .await
}

async fn keep_open(
    State(state): State<AppState>,
    Extension(caller): Extension<Caller>,
    RequestActor(actor): RequestActor,
    Id(id): Id<InquiryId>,
    OptionalBody(params): OptionalBody<KeepOpenParams>,
) -> Result<Json<InquiryResponse>, Problem> {
    let span = params.expires_in.map(checked_deadline).transpose()?;
    // Not from memory: another node may have ended it, and nothing is submitted that would say so.
    let view = find(&state, &caller, &id).await?;
    let least = span.filter(SignedDuration::is_positive);
    let least = least.and_then(|span| state.engine.clock().now().checked_add(span).ok());
    let deadline = view.row.expires_at.zip(least);
    let is_open_longer = deadline.is_some_and(|(at, least)| at >= least)
        && has_deadline(&state, &view, view.row.expires_at);
    if is_open_longer || has_deadline(&state, &view, None) {
        // There is no deadline to remove, or the one there is comes later.
        return Ok(Json(state.inquiry(&caller, &view).await?));
    }
    let command = Command::KeepOpen {
        target: target(&id, params.revision),
        at_least: span,
    };
    act(
        (&state, &caller, &id),
        command,
        actor,
        CommitOptions::default(),
    )
    .await
}

/// Whether an inquiry waits with this deadline already: to set it again changes nothing.
fn has_deadline(state: &AppState, view: &InquiryView, at: Option<Timestamp>) -> bool {
    let at = at.map(whole_millis);
    let is_ahead = at.is_none_or(|at| at > state.engine.clock().now());
    view.resolution.is_none() && view.row.expires_at == at && is_ahead
}

async fn undo(
    State(state): State<AppState>,
    Extension(caller): Extension<Caller>,
    RequestActor(actor): RequestActor,
    Id(id): Id<InquiryId>,
    OptionalBody(params): OptionalBody<UndoParams>,
) -> Result<Json<InquiryResponse>, Problem> {
    let options = idempotent(
        &caller.scope,
        &path::with_id(path::INQUIRY_UNDO, id.as_str()),
        &params,
    )?;
    let view = find_to_change(&state, &caller, &id).await?;
    refuse_others_answer(&caller, &view, &actor)?;
    let command = Command::UndoAnswer {
        target: target(&id, params.revision),
    };
    act((&state, &caller, &id), command, actor, options).await
}

async fn commit_answer(
    State(state): State<AppState>,
    Extension(caller): Extension<Caller>,
    RequestActor(actor): RequestActor,
    Id(id): Id<InquiryId>,
    OptionalBody(params): OptionalBody<CommitAnswerParams>,
) -> Result<Json<InquiryResponse>, Problem> {
    let view = find_to_change(&state, &caller, &id).await?;
    refuse_others_answer(&caller, &view, &actor)?;
    let held = view.held.as_ref().map(|held| held.until);
    let command = Command::CommitHeldAnswer {
        inquiry: id.clone(),
        // If nothing is held, the command is refused whatever the time is.
        until: params.until.or(held).unwrap_or_default(),
    };
    let options = as_seen(CommitOptions::default(), &caller, &view, &command);
    let submitted = state
        .engine
        .submit_with(&view.row.conversation, command, actor, options);
    match submitted.await {
        Err(SubmitError::Rejected(Rejection::StaleReport)) => {
            Err(problem(ProblemCode::NothingHeld))
        }
        submitted => result((&state, &caller), view, submitted, IfUndone::Refuse).await,
    }
}

/// Refuses an answer that leaves some questions open. One without any answer is refused by the core.
pub(in crate::routes) fn refuse_incomplete(
    inquiry: &Inquiry,
    answers: &Value,
) -> Result<(), Problem> {
    let open = Answers::open_questions(inquiry, answers);
    if open.is_empty() || open.len() == inquiry.questions().len() {
        return Ok(());
    }
    Err(incomplete(&open))
}

/// The command of a reply: effective at once, or after its undo window.
pub(in crate::routes) fn reply_command(
    target: Target,
    reply: RespondentAction,
    undo_seconds: Option<u32>,
) -> Command {
    let Some(seconds) = undo_seconds.filter(|seconds| *seconds > 0) else {
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
    Command::AnswerWithUndo {
        target,
        reply,
        window: SignedDuration::from_secs(seconds.into()),
    }
}

/// The longest time until a deadline.
const EXPIRES_MAX: SignedDuration = SignedDuration::from_secs(limits::EXPIRES_SECONDS_MAX as i64);

/// Problems of every route that sets a deadline.
pub(super) const DEADLINE_PROBLEMS: &[ProblemCode] = &[
    ProblemCode::DeadlinePassed,
    ProblemCode::DeadlineTooFar,
    ProblemCode::InvalidDeadline,
];

/// The deadline of a request, which is a time or a duration from now.
pub(super) fn new_deadline(
    state: &AppState,
    expires_at: Option<Timestamp>,
    expires_in: Option<HumanDuration>,
) -> Result<Option<NewDeadline>, Problem> {
    match (expires_at, expires_in) {
        (Some(_), Some(_)) => Err(problem(ProblemCode::InvalidDeadline)),
        (Some(at), None) if at > state.engine.clock().now() + EXPIRES_MAX => {
            Err(problem(ProblemCode::DeadlineTooFar))
        }
        (at, None) => Ok(at.map(NewDeadline::At)),
        (None, Some(span)) => Ok(Some(NewDeadline::After(checked_deadline(span)?))),
    }
}

/// Refuses a deadline beyond [`EXPIRES_MAX`].
fn checked_deadline(span: HumanDuration) -> Result<SignedDuration, Problem> {
    let duration = span.duration();
    if duration > EXPIRES_MAX {
        return Err(problem(ProblemCode::DeadlineTooFar));
    }
    Ok(duration)
}

/// People undo and send what they have answered themselves; administrators, everything.
fn refuse_others_answer(caller: &Caller, view: &InquiryView, actor: &Actor) -> Result<(), Problem> {
    let held = view.held.as_ref().map(|held| &held.resolution.by);
    let is_own = held.is_none_or(|by| match (&by.identity, &caller.scope) {
        // However they proved it, the person is the same.
        (Some(identity), Scope::Respondent(person)) => identity.id() == person.alias,
        (None, Scope::Inquiry { .. }) => by == actor,
        _ => false,
    });
    if is_own || caller.scope == Scope::Admin {
        return Ok(());
    }
    let detail = "Somebody else has answered: only they, or an administrator, can undo it.";
    Err(problem(ProblemCode::NothingHeld).detail(detail))
}

/// Refuses what the token of one inquiry does not allow.
fn permit(caller: &Caller, what: LinkAllow) -> Result<(), Problem> {
    if caller.scope.allows(what) {
        return Ok(());
    }
    let detail = "This token allows less: it was made with another `allow`.";
    Err(problem(ProblemCode::ForbiddenScope).detail(detail))
}

fn target(id: &InquiryId, revision: Option<u32>) -> Target {
    Target::Inquiry {
        id: id.clone(),
        revision,
    }
}

/// Lets the command act only on what the caller was permitted to change: meanwhile, somebody may hand the question on,
/// or answer it anew.
fn as_seen(
    options: CommitOptions,
    caller: &Caller,
    view: &InquiryView,
    command: &Command,
) -> CommitOptions {
    if caller.scope == Scope::Admin {
        return options;
    }
    let undoes = matches!(command, Command::UndoAnswer { .. });
    let held_until = view.held.as_ref().map(|held| held.until);
    let seen = SeenInquiry {
        id: view.row.id.clone(),
        recipient: view.inquiry.recipient().cloned(),
        held_until: held_until.filter(|_| undoes),
    };
    CommitOptions {
        seen: Some(seen),
        ..options
    }
}

/// Submits a command and returns the inquiry after it.
async fn act(
    (state, caller, id): (&AppState, &Caller, &InquiryId),
    command: Command,
    actor: Actor,
    options: CommitOptions,
) -> Result<Json<InquiryResponse>, Problem> {
    let view = find_to_change(state, caller, id).await?;
    let if_undone = if matches!(command, Command::UndoAnswer { .. }) {
        IfUndone::Show
    } else {
        IfUndone::Refuse
    };
    let options = as_seen(options, caller, &view, &command);
    let submitted = state
        .engine
        .submit_with(&view.row.conversation, command, actor, options);
    let submitted = submitted.await;
    result((state, caller), view, submitted, if_undone).await
}

/// The response to a repeated request whose answer has been undone since.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum IfUndone {
    /// A problem, so that nobody believes that the answer is still valid.
    Refuse,
    /// The inquiry as it is now.
    Show,
}

/// The response after a command: the inquiry right after it, even if it was deleted since. A repeated
/// request gets the inquiry as it is now.
async fn result(
    (state, caller): (&AppState, &Caller),
    before: InquiryView,
    submitted: Result<Submitted, SubmitError>,
    if_undone: IfUndone,
) -> Result<Json<InquiryResponse>, Problem> {
    match submitted {
        Ok(submitted) => {
            let after = submitted.inquiry_after(before);
            Ok(Json(state.inquiry(caller, &after).await?))
        }
        Err(SubmitError::Repeated { .. }) => {
            let view = find_or_closed(state, &before.row.id).await?;
            if if_undone == IfUndone::Refuse {
                refuse_undone(&view)?;
            }
            Ok(Json(state.inquiry(caller, &view).await?))
        }
        Err(error) => Err(conflict(&state.engine, error, Some(&before.row.id)).await),
    }
}

/// Refuses a repeated reply if the inquiry is pending again, because the reply was undone. It is not
/// applied a second time, since the repeat may have been sent before the undo.
pub(in crate::routes) fn refuse_undone(view: &InquiryView) -> Result<(), Problem> {
    if view.resolution.is_none() && view.held.is_none() {
        return Err(problem(ProblemCode::AnswerUndone));
    }
    Ok(())
}
