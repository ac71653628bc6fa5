//! Recipients: the people and groups that a question may be for.

use std::time::Duration;

use askback_channels::{Group, OnCall, RecipientError, RecipientKind, StoredRecipient};
use askback_core::text::{Lines, Text};
use askback_wire::list::ListResponse;
use askback_wire::path;
use askback_wire::problem::ProblemCode;
use askback_wire::recipient::{
    ForgetParams, ForgottenResponse, OnCallResponse, RecipientParams, RecipientResponse,
};
use axum::Json;
use axum::http::StatusCode;
use jiff::Timestamp;
use jiff::tz::TimeZone;
use serde_json::json;

use super::AppState;
use crate::completed::completed;
use crate::extract::{Body, Id, OptionalBody};
use crate::openapi::Route;
use crate::problem::{Problem, problem};
use crate::random_secret::random_hex;

/// How long a change on another node may stay unnoticed.
const STALE_AFTER: Duration = Duration::from_millis(500);

/// Enough for two pseudonyms never to be the same.
const PSEUDONYM_BYTES: usize = 6;

pub(super) fn routes() -> Vec<Route> {
    vec![
        Route::get(path::RECIPIENTS, "list_recipients", list)
            .summary("Lists the people, then the groups, that a question may be for.")
            .returns_list::<RecipientResponse>("All recipients.")
            .reads_store(),
        Route::put(path::RECIPIENT, "put_recipient", put)
            .summary("Adds a person or a group, or changes it, without a restart.")
            .description(
                "A person has a `name`, a group has `members`. Those of the configuration cannot be changed here.",
            )
            .example(json!({"name": "Anna"}))
            .returns::<RecipientResponse>(200, "The person or group.")
            .problems(&[ProblemCode::InvalidRecipient])
            .writes_store(),
        Route::delete(path::RECIPIENT, "remove_recipient", remove)
            .summary("Removes a person or a group that was added.")
            .description(
                "The tokens of the person are revoked, their sessions, links and notifications end, and their accounts are no \
                 longer linked. Questions for them stay pending, and administrators see them.",
            )
            .returns_nothing("It is removed.")
            .problems(&[ProblemCode::InvalidRecipient])
            .writes_store(),
        Route::post(path::FORGET_RECIPIENT, "forget_recipient", forget)
            .summary("Removes a person, and shows a pseudonym in place of their name from now on.")
            .description(
                "Everything that the server shows of what they did before has the pseudonym: inquiries, feeds, webhooks, messages \
                 and the audit. The stored record still has the name, and what they wrote stays; both go with the conversations. \
                 Somebody who was removed before can be forgotten with their `names`.",
            )
            .returns::<ForgottenResponse>(200, "The pseudonym.")
            .problems(&[ProblemCode::InvalidRecipient, ProblemCode::NotFound])
            .writes_store(),
    ]
}

/// Notices what other nodes add and remove.
pub(super) fn follow_other_nodes(state: &AppState) {
    if !state.engine.store().is_shared() {
        return;
    }
    let state = state.clone();
    tokio::spawn(async move {
        loop {
            tokio::select! {
                () = state.control.stopping() => return,
                () = tokio::time::sleep(STALE_AFTER) => {}
            }
            if let Err(error) = state.channels.people.refresh().await {
                tracing::debug!(%error, "cannot read the recipients");
            }
        }
    });
}

async fn list(state: AppState) -> Result<Json<ListResponse<RecipientResponse>>, Problem> {
    let recipients = state.recipients();
    let mut items = Vec::new();
    for alias in recipients.aliases() {
        items.push(response(&state, alias).await?);
    }
    Ok(Json(ListResponse { items, next: None }))
}

async fn response(state: &AppState, alias: &str) -> Result<RecipientResponse, Problem> {
    let recipients = state.recipients();
    let person = recipients.people.get(alias);
    let group = recipients.groups.get(alias);
    let now = state.engine.clock().now();
    Ok(RecipientResponse {
        alias: alias.to_owned(),
        name: person.map_or_else(|| alias.to_owned(), |person| person.name.clone()),
        members: group.map(|group| group.members.clone()),
        reachable: state.channels.accounts.is_reachable(alias).await?,
        on_call: group.and_then(|group| on_call(group, now)),
        configured: state.channels.people.is_declared(alias),
    })
}

fn on_call(group: &Group, at: Timestamp) -> Option<OnCallResponse> {
    let order = group.order(at)?;
    let (days, since) = match group.on_call {
        OnCall::Rotation { days, since } => (Some(days), Some(since)),
        OnCall::Everybody | OnCall::First => (None, None),
    };
    Some(OnCallResponse {
        now: (*order.first()?).to_owned(),
        days,
        since,
    })
}

async fn put(
    state: AppState,
    Id(alias): Id<String>,
    Body(params): Body<RecipientParams>,
) -> Result<Json<RecipientResponse>, Problem> {
    let kind = kind(params, state.engine.clock().now())?;
    let new = StoredRecipient {
        alias: alias.clone(),
        kind,
    };
    state.channels.people.put(new).await.map_err(refused)?;
    Ok(Json(response(&state, &alias).await?))
}

fn kind(params: RecipientParams, now: Timestamp) -> Result<RecipientKind, Problem> {
    let RecipientParams {
        name,
        identities,
        members,
        on_call,
    } = params;
    let wrong = |why: &str| Err(problem(ProblemCode::InvalidRecipient).detail(why));
    match (name, members) {
        (Some(name), None) if on_call.is_none() => Ok(RecipientKind::Person { name, identities }),
        (None, Some(members)) if identities.is_empty() => {
            let on_call = match on_call {
                None => OnCall::Everybody,
                Some(it) => match it.days {
                    None => OnCall::First,
                    Some(days) => OnCall::Rotation {
                        days,
                        since: it
                            .since
                            .unwrap_or_else(|| now.to_zoned(TimeZone::UTC).date()),
                    },
                },
            };
            Ok(RecipientKind::Group { members, on_call })
        }
        (Some(_), None) => wrong("`on_call` belongs to groups."),
        (None, Some(_)) => wrong("`identities` belong to people."),
        (None, None) => wrong("Send the `name` of a person, or the `members` of a group."),
        (Some(_), Some(_)) => {
            wrong("A person has a `name`, a group has `members`: send one of them.")
        }
    }
}

async fn remove(state: AppState, Id(alias): Id<String>) -> Result<StatusCode, Problem> {
    let is_there = state.channels.people.is_removable(&alias).await;
    if !is_there.map_err(refused)? {
        return Err(unknown(&alias));
    }
    completed(async move {
        take_access(&state, &alias).await?;
        Ok(StatusCode::NO_CONTENT)
    })
    .await
}

/// Ends everything with which a person acts, and removes the person or the group.
async fn take_access(state: &AppState, alias: &str) -> Result<(), Problem> {
    // First, so that nobody who gets this alias later has them.
    for token in state.credentials.list().await? {
        if token.person.as_deref() == Some(alias) {
            state.credentials.revoke(&token.name).await?;
            state.sessions.forget_ended().await?;
        }
    }
    state.sessions.end_of_person(alias).await?;
    state.sign_in_codes.end_of_person(alias);
    state.channels.people.remove(alias).await?;
    // Somebody may have signed in for them meanwhile.
    Ok(state.sessions.end_of_person(alias).await?)
}

async fn forget(
    state: AppState,
    Id(alias): Id<String>,
    OptionalBody(params): OptionalBody<ForgetParams>,
) -> Result<Json<ForgottenResponse>, Problem> {
    let names = params.names.iter();
    let names = names.filter_map(|name| Some(Text::clean(name, Lines::One)?.to_string()));
    let names: Vec<String> = names.collect();
    let is_there = state
        .channels
        .people
        .is_removable(&alias)
        .await
        .map_err(refused)?;
    if state.recipients().groups.contains_key(&alias) {
        let detail = format!("{alias} is a group. Remove it.");
        return Err(problem(ProblemCode::InvalidRecipient).detail(detail));
    }
    if !is_there && names.is_empty() {
        return Err(unknown(&alias));
    }
    let pseudonym = format!("former-{}", random_hex::<PSEUDONYM_BYTES>()?);
    completed(async move {
        // Before their accounts are unlinked: what they did is recognised by these too.
        let forgotten = state.channels.people.forget(&alias, &names, &pseudonym);
        forgotten.await.map_err(refused)?;
        take_access(&state, &alias).await?;
        Ok(Json(ForgottenResponse { pseudonym }))
    })
    .await
}

fn unknown(alias: &str) -> Problem {
    let detail = format!("No person or group is called {alias:?}.");
    problem(ProblemCode::NotFound).detail(detail)
}

fn refused(error: RecipientError) -> Problem {
    match error {
        RecipientError::Invalid(why) => problem(ProblemCode::InvalidRecipient).detail(why),
        RecipientError::Store(error) => error.into(),
    }
}
