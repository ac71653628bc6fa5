//! Answering an inquiry, ending it otherwise, undoing an answer, handing it on and moving the deadline.

use askback_core::answer::Answers;
use askback_core::conversation::command::{Command, NewDeadline, RespondentAction, Target};
use askback_core::conversation::rejection::Rejection;
use askback_core::id::InquiryId;
use askback_core::inquiry::Inquiry;
use askback_core::limits::HAND_ON_REASON_CHARS_MAX;
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
use axum::Json;
use jiff::{SignedDuration, Timestamp};
use serde_json::{Value, json};

use super::super::{AppState, KEY_PROBLEMS, REPLY_PROBLEMS, TARGET_PROBLEMS};
use super::ask::{checked_recipient, refuse_for_several};
use super::{find, find_or_closed, find_to_change};
use crate::extract::{Acting, Body, OptionalBody};
use crate::openapi::Route;
use crate::problem::{Problem, conflict, incomplete, invalid_answer, problem};
use crate::scope::Scope;
use crate::typed_answers::TypedAnswerParser;

/// The inquiry after a request.
type Changed = Result<Json<InquiryResponse>, Problem>;

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

async fn answer(on: Acting<InquiryId>, Body(params): Body<AnswerParams>) -> Changed {
    let options = on.idempotent(path::INQUIRY_ANSWER, &params)?;
    let view = on.view().await?;
    let now = on.state.engine.clock().now();
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
    let command = reply.into_command(on.target(params.revision), params.undo_seconds);
    let submitted = on.submit(&view, command, options).await;
    if let Err(SubmitError::Rejected(Rejection::InvalidAnswer(errors))) = &submitted {
        let words = parser.problems(&view.inquiry, &params.answers, errors);
        return Err(invalid_answer(errors.clone(), words));
    }
    on.response(view, submitted).await
}

async fn decline(
    on: Acting<InquiryId>,
    OptionalBody(params): OptionalBody<DeclineParams>,
) -> Changed {
    on.permit(LinkAllow::Decline)?;
    let options = on.idempotent(path::INQUIRY_DECLINE, &params)?;
    let target = on.target(params.revision);
    let command = RespondentAction::Decline.into_command(target, params.undo_seconds);
    on.act(command, options).await
}

async fn reject(
    on: Acting<InquiryId>,
    OptionalBody(params): OptionalBody<RejectParams>,
) -> Changed {
    on.permit(LinkAllow::Stop)?;
    let options = on.idempotent(path::INQUIRY_REJECT, &params)?;
    let target = on.target(params.revision);
    let command = RespondentAction::Reject.into_command(target, params.undo_seconds);
    on.act(command, options).await
}

async fn cancel(
    on: Acting<InquiryId>,
    OptionalBody(params): OptionalBody<CancelParams>,
) -> Changed {
    on.permit(LinkAllow::Stop)?;
    let options = on.idempotent(path::INQUIRY_CANCEL, &params)?;
    let target = Some(on.target(params.revision));
    on.act(Command::Cancel { target }, options).await
}

async fn withdraw(
    on: Acting<InquiryId>,
    OptionalBody(params): OptionalBody<WithdrawParams>,
) -> Changed {
    let options = on.idempotent(path::INQUIRY_WITHDRAW, &params)?;
    let target = Some(on.target(params.revision));
    on.act(Command::Withdraw { target }, options).await
}

/// A repeated request finds the inquiry with its recipient, and changes nothing.
async fn hand_on(on: Acting<InquiryId>, Body(params): Body<HandOnParams>) -> Changed {
    let view = on.view().await?;
    on.state.learn_recipient(&params.recipient).await?;
    let to = checked_recipient(&on.state, &params.recipient)?;
    if view.inquiry.is_private() {
        refuse_for_several(&on.state, Some(&to))?;
    }
    let reason = params.reason.as_deref();
    let reason = reason.and_then(|reason| Text::clean(reason, Lines::One));
    let command = Command::HandOn {
        target: on.target(params.revision),
        to,
        reason: reason.map(|reason| reason.clip(HAND_ON_REASON_CHARS_MAX)),
    };
    match on.submit(&view, command, CommitOptions::default()).await {
        Err(SubmitError::Rejected(Rejection::SameRecipient)) => {
            on.shows(&find_or_closed(&on.state, &on.id).await?).await
        }
        submitted => on.response(view, submitted).await,
    }
}

async fn move_deadline(on: Acting<InquiryId>, Body(params): Body<DeadlineParams>) -> Changed {
    let to = new_deadline(&on.state, params.expires_at, params.expires_in)?;
    // Not from memory: another node may have ended it, and nothing is submitted that would say so.
    let view = find(&on.state, &on.caller, &on.id).await?;
    let is_same = match to {
        None => has_deadline(&on.state, &view, None),
        Some(NewDeadline::At(at)) => has_deadline(&on.state, &view, Some(at)),
        Some(NewDeadline::After(_)) => false,
    };
    if is_same && params.revision.is_none_or(|seen| seen == view.row.revision) {
        return on.shows(&view).await;
    }
    let command = Command::MoveDeadline {
        target: on.target(params.revision),
        to,
    };
    on.act(command, CommitOptions::default()).await
}

async fn keep_open(
    on: Acting<InquiryId>,
    OptionalBody(params): OptionalBody<KeepOpenParams>,
) -> Changed {
    let span = params.expires_in.map(checked_deadline).transpose()?;
    // Not from memory: another node may have ended it, and nothing is submitted that would say so.
    let view = find(&on.state, &on.caller, &on.id).await?;
    let least = span.filter(SignedDuration::is_positive);
    let least = least.and_then(|span| on.state.engine.clock().now().checked_add(span).ok());
    let deadline = view.row.expires_at.zip(least);
    let is_open_longer = deadline.is_some_and(|(at, least)| at >= least)
        && has_deadline(&on.state, &view, view.row.expires_at);
    if is_open_longer || has_deadline(&on.state, &view, None) {
        // There is no deadline to remove, or the one there is comes later.
        return on.shows(&view).await;
    }
    let command = Command::KeepOpen {
        target: on.target(params.revision),
        at_least: span,
    };
    on.act(command, CommitOptions::default()).await
}

/// Whether an inquiry waits with this deadline already: to set it again changes nothing.
fn has_deadline(state: &AppState, view: &InquiryView, at: Option<Timestamp>) -> bool {
    let at = at.map(whole_millis);
    let is_ahead = at.is_none_or(|at| at > state.engine.clock().now());
    view.resolution.is_none() && view.row.expires_at == at && is_ahead
}

async fn undo(on: Acting<InquiryId>, OptionalBody(params): OptionalBody<UndoParams>) -> Changed {
    let options = on.idempotent(path::INQUIRY_UNDO, &params)?;
    let view = on.view_with_own_answer().await?;
    let command = Command::UndoAnswer {
        target: on.target(params.revision),
    };
    match on.submit(&view, command, options).await {
        // Whatever came of it since: it was undone.
        Err(SubmitError::Repeated { .. }) => {
            on.shows(&find_or_closed(&on.state, &on.id).await?).await
        }
        submitted => on.response(view, submitted).await,
    }
}

async fn commit_answer(
    on: Acting<InquiryId>,
    OptionalBody(params): OptionalBody<CommitAnswerParams>,
) -> Changed {
    let view = on.view_with_own_answer().await?;
    let held = view.held.as_ref().map(|held| held.until);
    let command = Command::CommitHeldAnswer {
        inquiry: on.id.clone(),
        // If nothing is held, the command is refused whatever the time is.
        until: params.until.or(held).unwrap_or_default(),
    };
    match on.submit(&view, command, CommitOptions::default()).await {
        Err(SubmitError::Rejected(Rejection::StaleReport)) => {
            Err(problem(ProblemCode::NothingHeld))
        }
        submitted => on.response(view, submitted).await,
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
        (Some(at), None) => {
            let latest = state.engine.clock().now() + EXPIRES_MAX;
            if at > latest {
                let latest = latest.strftime("%Y-%m-%dT%H:%M:%SZ");
                let detail = format!(
                    "`expires_at` can be {latest} at the latest. Leave it out to set no deadline."
                );
                return Err(problem(ProblemCode::DeadlineTooFar).detail(detail));
            }
            Ok(Some(NewDeadline::At(at)))
        }
        (None, None) => Ok(None),
        (None, Some(span)) => Ok(Some(NewDeadline::After(checked_deadline(span)?))),
    }
}

/// Refuses a deadline beyond [`EXPIRES_MAX`].
fn checked_deadline(span: HumanDuration) -> Result<SignedDuration, Problem> {
    let duration = span.duration();
    if duration > EXPIRES_MAX {
        let detail = format!(
            "`expires_in` can be {} days at most. Leave it out to set no deadline.",
            EXPIRES_MAX.as_hours() / 24
        );
        return Err(problem(ProblemCode::DeadlineTooFar).detail(detail));
    }
    Ok(duration)
}

impl Acting<InquiryId> {
    /// The inquiry, if the caller sees it.
    async fn view(&self) -> Result<InquiryView, Problem> {
        find_to_change(&self.state, &self.caller, &self.id).await
    }

    async fn shows(&self, view: &InquiryView) -> Changed {
        Ok(Json(self.state.inquiry(&self.caller, view).await?))
    }

    fn target(&self, revision: Option<u32>) -> Target {
        Target::Inquiry {
            id: self.id.clone(),
            revision,
        }
    }

    /// Refuses what the token of one inquiry does not allow.
    fn permit(&self, what: LinkAllow) -> Result<(), Problem> {
        if self.caller.scope.allows(what) {
            return Ok(());
        }
        let detail = "This token allows less: it was made with another `allow`.";
        Err(problem(ProblemCode::ForbiddenScope).detail(detail))
    }

    /// The inquiry, if the caller may undo or send its answer: people may, if it is their own; administrators always.
    async fn view_with_own_answer(&self) -> Result<InquiryView, Problem> {
        // Not from memory: another node may have an answer that this one does not know yet.
        let view = find(&self.state, &self.caller, &self.id).await?;
        let is_permitted = match (&view.held, &self.caller.scope) {
            (None, _) | (Some(_), Scope::Admin) => true,
            (Some(held), Scope::Respondent(person)) => {
                let accounts = &self.state.channels.accounts;
                accounts
                    .is_person(&held.resolution.by, &person.alias)
                    .await?
            }
            (Some(held), Scope::Inquiry { .. }) => held.resolution.by == self.actor,
            (Some(_), Scope::Agent { .. } | Scope::Metrics) => false,
        };
        if is_permitted {
            return Ok(view);
        }
        let detail = "Somebody else has answered: only they, or an administrator, can undo it.";
        Err(problem(ProblemCode::NothingHeld).detail(detail))
    }

    /// Submits a command. It acts only on what the caller was permitted to change: meanwhile, somebody may hand the question
    /// on, or answer it anew.
    async fn submit(
        &self,
        view: &InquiryView,
        command: Command,
        options: CommitOptions,
    ) -> Result<Submitted, SubmitError> {
        let options = CommitOptions {
            seen: (self.caller.scope != Scope::Admin).then(|| SeenInquiry::of(view)),
            ..options
        };
        let (engine, actor) = (&self.state.engine, self.actor.clone());
        let submitted = engine.submit_with(&view.row.conversation, command, actor, options);
        submitted.await
    }

    /// Submits a command and returns the inquiry after it.
    async fn act(self, command: Command, options: CommitOptions) -> Changed {
        let view = self.view().await?;
        let submitted = self.submit(&view, command, options).await;
        self.response(view, submitted).await
    }

    /// The response after a command: the inquiry right after it, even if it was deleted since. A repeated
    /// request gets the inquiry as it is now.
    async fn response(
        &self,
        before: InquiryView,
        submitted: Result<Submitted, SubmitError>,
    ) -> Changed {
        match submitted {
            Ok(submitted) => self.shows(&submitted.inquiry_after(before)).await,
            Err(SubmitError::Repeated { .. }) => {
                let view = find_or_closed(&self.state, &before.row.id).await?;
                refuse_undone(&view)?;
                self.shows(&view).await
            }
            Err(error) => {
                let ended = Some(&before.row.id);
                Err(conflict(&self.state, &self.caller, error, ended).await)
            }
        }
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

#[cfg(test)]
#[path = "actions_tests.rs"]
mod tests;
