//! Tokens that permit a part of what the server's token does.

use askback_core::id::InquiryId;
use askback_core::text::Text;
use askback_store::{CredentialRow, StoreError};
use askback_wire::credential::{
    CredentialResponse, InquiryTokenResponse, MeResponse, NewCredentialParams,
    NewCredentialResponse, NewInquiryTokenParams, ScopeName,
};
use askback_wire::list::ListResponse;
use askback_wire::problem::ProblemCode;
use askback_wire::{limits, path};
use axum::Json;
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use serde_json::json;

use super::AppState;
use super::channels::person;
use super::inquiries::find;
use super::links::lifetime;
use crate::authenticate::Caller;
use crate::completed::completed;
use crate::extract::{Body, Id, OptionalBody};
use crate::link::{self, LinkGrant};
use crate::openapi::Route;
use crate::problem::{Problem, problem};
use crate::random_secret::SecretError;

pub(super) fn routes() -> Vec<Route> {
    vec![
        Route::post(path::TOKENS, "create_token", create)
            .summary("Creates a token that permits a part of what the server's token does.")
            .description(
                "`agent`: ask, and follow, wait for and withdraw what was asked with it. `respondent`: see and answer what is \
                 for one person. `metrics`: read metrics. `admin`: everything. The token is shown this one time.",
            )
            .example(json!({"name": "deploy-job", "scope": "agent"}))
            .creates::<NewCredentialResponse>("The token.")
            .problems(&[ProblemCode::InvalidCredential, ProblemCode::UnknownRecipient])
            .reads_store(),
        Route::get(path::TOKENS, "list_tokens", list)
            .summary("Lists the tokens that were made, by name, without their secrets.")
            .returns_list::<CredentialResponse>("All that have not expired.")
            .reads_store(),
        Route::delete(path::TOKEN, "revoke_token", revoke)
            .summary("Revokes a token. Its feeds and the sessions that it signed in end.")
            .returns_nothing("The token is worth nothing any more.")
            .reads_store(),
        Route::get(path::ME, "who_am_i", who_am_i)
            .summary("Says what the token or session of this request permits, and to whom it belongs.")
            .returns::<MeResponse>(200, "The caller."),
        Route::post(path::INQUIRY_TOKENS, "create_inquiry_token", create_for_inquiry)
            .summary("Creates a token with which one inquiry can be read, followed and answered, such as in a page of yours.")
            .returns::<InquiryTokenResponse>(201, "The token.")
            .problems(&[ProblemCode::InvalidLink])
            .reads_store(),
    ]
}

async fn create(
    state: AppState,
    Body(params): Body<NewCredentialParams>,
) -> Result<Response, Problem> {
    if let Some(alias) = &params.person {
        state.learn_recipient(alias).await?;
    }
    let row = new_row(&state, params)?;
    let secret = state.credentials.add(|secret_hash| CredentialRow {
        secret_hash,
        ..row.clone()
    });
    let secret = secret.await.map_err(|error| match error {
        SecretError::Store(StoreError::Conflict) => refused(format!(
            "A token is called {:?} already. Choose another name, or revoke that one first.",
            row.name
        )),
        error @ (SecretError::Store(_)
        | SecretError::NoRandomness(_)
        | SecretError::AccessEnded) => Problem::from(error),
    })?;
    let location = path::with_id(path::TOKEN, &row.name);
    let headers = [
        (header::CACHE_CONTROL, "no-store".to_owned()),
        (header::LOCATION, location),
    ];
    let body = NewCredentialResponse {
        token: secret,
        credential: response(row),
    };
    Ok((StatusCode::CREATED, headers, Json(body)).into_response())
}

/// The row of a new credential, without its hash.
fn new_row(state: &AppState, params: NewCredentialParams) -> Result<CredentialRow, Problem> {
    let most = limits::ASKER_CLIENT_CHARS_MAX;
    let name = Text::name(&params.name).filter(|name| name.chars() <= most);
    let name =
        name.ok_or_else(|| refused(format!("`name` must have 1 to {most} readable characters.")))?;
    let person = match (&params.scope, params.person) {
        (ScopeName::Respondent, Some(alias)) => Some(person(state, Some(alias))?),
        (ScopeName::Respondent, None) => {
            return Err(refused(
                "A token with the scope `respondent` is for one person: send `person`.",
            ));
        }
        (ScopeName::Inquiry, _) => {
            return Err(refused(
                "A token for one inquiry comes from POST /inquiries/{id}/tokens.",
            ));
        }
        (ScopeName::Unknown(scope), _) => {
            return Err(refused(format!(
                "`scope` must be admin, agent, respondent or metrics, not {scope:?}."
            )));
        }
        (ScopeName::Admin | ScopeName::Agent | ScopeName::Metrics, Some(_)) => {
            return Err(refused("`person` belongs to the scope `respondent` alone."));
        }
        (ScopeName::Admin | ScopeName::Agent | ScopeName::Metrics, None) => None,
    };
    let now = state.engine.clock().now();
    let expires_at = params.expires_in.map(|span| {
        now.saturating_add(span.duration())
            .map_err(|_| refused("`expires_in` is too long."))
    });
    Ok(CredentialRow {
        name: name.to_string(),
        secret_hash: [0; 32],
        scope: params.scope.to_string(),
        person,
        created_at: now,
        last_used_at: None,
        expires_at: expires_at.transpose()?,
    })
}

async fn list(state: AppState) -> Result<Json<ListResponse<CredentialResponse>>, Problem> {
    let rows = state.credentials.list().await?.into_iter();
    Ok(Json(ListResponse {
        items: rows.map(response).collect(),
        next: None,
    }))
}

async fn revoke(state: AppState, Id(name): Id<String>) -> Result<StatusCode, Problem> {
    completed(async move {
        let revoked = state.credentials.revoke(&name).await?;
        state.sessions.forget_ended().await?;
        state.channels.push_subscriptions.end_of_revoked().await?;
        if revoked {
            Ok(StatusCode::NO_CONTENT)
        } else {
            let detail = format!("No token is called {name:?}. It may have been revoked.");
            Err(problem(ProblemCode::NotFound).detail(detail))
        }
    })
    .await
}

async fn who_am_i(state: AppState, caller: Caller) -> Json<MeResponse> {
    let person = caller.scope.person();
    let recipients = state.recipients();
    let name = person.and_then(|it| state.recipient_names.get(it));
    Json(MeResponse {
        scope: caller.scope.name(),
        agent: caller.scope.agent().map(str::to_owned),
        person_name: name,
        groups: person.map_or_else(Vec::new, |alias| recipients.groups_of(alias)),
        person: person.map(str::to_owned),
    })
}

async fn create_for_inquiry(
    state: AppState,
    caller: Caller,
    Id(id): Id<InquiryId>,
    OptionalBody(params): OptionalBody<NewInquiryTokenParams>,
) -> Result<Response, Problem> {
    let view = find(&state, &caller, &id).await?;
    let expires_at = state.engine.clock().now() + lifetime(params.expires_in)?;
    let grant = LinkGrant {
        revision: view.row.revision,
        allow: params.allow,
        person: None,
    };
    let body = InquiryTokenResponse {
        token: link::inquiry_token(&state.guard.token, &id, grant, expires_at),
        expires_at,
        allow: params.allow,
    };
    let headers = [(header::CACHE_CONTROL, "no-store")];
    Ok((StatusCode::CREATED, headers, Json(body)).into_response())
}

fn response(row: CredentialRow) -> CredentialResponse {
    CredentialResponse {
        name: row.name,
        scope: ScopeName::from(row.scope),
        person: row.person,
        created_at: row.created_at,
        last_used_at: row.last_used_at,
        expires_at: row.expires_at,
    }
}

fn refused(detail: impl Into<String>) -> Problem {
    problem(ProblemCode::InvalidCredential).detail(detail)
}
