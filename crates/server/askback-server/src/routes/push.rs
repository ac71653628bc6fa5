//! Web Push: browsers subscribe to the questions of a recipient, and stop.

use askback_channels::{NewSubscription, SubscriptionError};
use askback_wire::path;
use askback_wire::problem::ProblemCode;
use askback_wire::push::{
    PushRecipientResponse, PushSettingsResponse, PushSubscriptionParams, PushSubscriptionResponse,
    PushUnsubscribeParams,
};
use axum::Json;
use axum::http::StatusCode;

use super::AppState;
use super::channels::person;
use crate::authenticate::Caller;
use crate::extract::{Body, ForeignBody};
use crate::openapi::Route;
use crate::problem::{Problem, problem};

pub(super) fn routes() -> Vec<Route> {
    vec![
        Route::get(path::PUSH, "read_push_settings", read)
            .summary("Returns what a page needs to subscribe its browser to notifications.")
            .returns::<PushSettingsResponse>(200, "The public key and the recipients.")
            .problems(&[ProblemCode::NotFound])
            .writes_store(),
        Route::post(path::PUSH_SUBSCRIPTIONS, "subscribe_to_push", subscribe)
            .summary("Subscribes a browser to the questions of a recipient, from the next one on.")
            .returns::<PushSubscriptionResponse>(200, "The browser is subscribed.")
            .problems(&[
                ProblemCode::NotFound,
                ProblemCode::UnknownRecipient,
                ProblemCode::InvalidSubscription,
            ])
            .writes_store(),
        Route::post(path::PUSH_UNSUBSCRIBE, "unsubscribe_from_push", unsubscribe)
            .summary("Ends the subscription of a browser.")
            .returns_nothing("The browser gets no more notifications.")
            .writes_store(),
    ]
}

async fn read(state: AppState) -> Result<Json<PushSettingsResponse>, Problem> {
    let key = state
        .channels
        .push_subscriptions
        .key()
        .await
        .map_err(refused)?;
    let recipients = state.recipients();
    let people = recipients.people.iter();
    let recipients = people.map(|(alias, person)| PushRecipientResponse {
        alias: alias.clone(),
        name: person.name.clone(),
    });
    Ok(Json(PushSettingsResponse {
        key,
        recipients: recipients.collect(),
    }))
}

async fn subscribe(
    state: AppState,
    caller: Caller,
    ForeignBody(params): ForeignBody<PushSubscriptionParams>,
) -> Result<Json<PushSubscriptionResponse>, Problem> {
    let recipient = match caller.scope.person() {
        Some(alias) => alias.to_owned(),
        None => person(&state, params.recipient)?,
    };
    let credential = caller.credential();
    let subscribed = state
        .channels
        .push_subscriptions
        .subscribe(NewSubscription {
            recipient: recipient.clone(),
            endpoint: params.endpoint,
            p256dh: params.keys.p256dh,
            auth: params.keys.auth,
            session: caller.session().map(|session| session.row.id.clone()),
            credential: credential.map(|row| row.name.clone()),
            expires_at: credential.and_then(|row| row.expires_at),
        });
    subscribed.await.map_err(refused)?;
    Ok(Json(PushSubscriptionResponse { recipient }))
}

async fn unsubscribe(
    state: AppState,
    Body(params): Body<PushUnsubscribeParams>,
) -> Result<StatusCode, Problem> {
    state
        .channels
        .push_subscriptions
        .unsubscribe(&params.endpoint)
        .await?;
    Ok(StatusCode::NO_CONTENT)
}

fn refused(error: SubscriptionError) -> Problem {
    let code = match error {
        SubscriptionError::Store(error) => return error.into(),
        SubscriptionError::Off => ProblemCode::NotFound,
        SubscriptionError::Endpoint(_) | SubscriptionError::TooMany => {
            ProblemCode::InvalidSubscription
        }
        SubscriptionError::NoKey => ProblemCode::Internal,
    };
    problem(code).detail(error.to_string())
}

#[cfg(test)]
#[path = "push_tests.rs"]
mod tests;
