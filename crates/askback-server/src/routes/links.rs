//! Links to one question.

use askback_api::limits;
use askback_api::link::{LinkResponse, NewLinkParams};
use askback_api::problem::ProblemCode;
use askback_api::{percent, qr};
use askback_core::conversation::rejection::Rejection;
use askback_core::id::InquiryId;
use askback_engine::SubmitError;
use axum::Json;
use axum::extract::State;
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{IntoResponse, Response};
use jiff::SignedDuration;

use super::Shared;
use crate::extract::{Id, OptionalBody};
use crate::link;
use crate::problem::{Problem, conflict, problem};

pub(crate) async fn make(
    State(shared): State<Shared>,
    Id(id): Id<InquiryId>,
    headers: HeaderMap,
    OptionalBody(params): OptionalBody<NewLinkParams>,
) -> Result<Response, Problem> {
    let view = shared.engine.inquiry(&id).await?;
    let view = view.ok_or_else(|| problem(ProblemCode::NotFound))?;
    if view.ended.is_some() {
        let ended = SubmitError::Rejected(Rejection::NotPending);
        return Err(conflict(&shared.engine, ended, Some(&id)).await);
    }
    let usual = SignedDuration::from_secs(limits::LINK_SECONDS);
    let most = SignedDuration::from_secs(limits::LINK_SECONDS_MAX);
    let open_for = params
        .expires_in
        .map_or(usual, |span| span.duration().min(most));
    let expires_at = shared.engine.clock().now() + open_for;
    // A question that has ended cannot be answered; its link need not outlive it.
    let expires_at = view
        .row
        .expires_at
        .map_or(expires_at, |end| end.min(expires_at));
    let key = link::key(&shared.guard.token, &id, expires_at);
    let base = base(&shared, &headers);
    let url = format!("{base}/q/{}?key={key}", percent::encode(id.as_str()));
    let body = LinkResponse {
        qr_svg: qr::svg(&url),
        qr_rows: qr::rows(&url),
        expires_at,
        url,
    };
    let headers = [(header::CACHE_CONTROL, "no-store")];
    Ok((StatusCode::CREATED, headers, Json(body)).into_response())
}

/// The address under which others reach the server: the one that was set, or the one by which the
/// caller did.
fn base(shared: &Shared, headers: &HeaderMap) -> String {
    if let Some(url) = &shared.guard.public_url {
        return url.as_str().to_owned();
    }
    let host = headers
        .get(header::HOST)
        .and_then(|host| host.to_str().ok());
    format!("http://{}", host.unwrap_or("localhost"))
}
