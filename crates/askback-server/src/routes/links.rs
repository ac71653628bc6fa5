//! Links to one question.

use askback_core::conversation::rejection::Rejection;
use askback_core::id::InquiryId;
use askback_engine::SubmitError;
use askback_wire::duration::HumanDuration;
use askback_wire::limits;
use askback_wire::link::{LinkResponse, NewLinkParams};
use askback_wire::problem::ProblemCode;
use askback_wire::{path, qr};
use axum::Json;
use axum::extract::State;
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{IntoResponse, Response};
use jiff::SignedDuration;

use super::Shared;
use crate::extract::{Id, OptionalBody};
use crate::link::{self, LinkGrant};
use crate::problem::{Problem, conflict, problem};

pub(crate) async fn make(
    State(shared): State<Shared>,
    Id(id): Id<InquiryId>,
    headers: HeaderMap,
    OptionalBody(params): OptionalBody<NewLinkParams>,
) -> Result<Response, Problem> {
    let view = shared.engine.inquiry(&id).await?;
    let view = view.ok_or_else(|| problem(ProblemCode::NotFound))?;
    if view.resolution.is_some() {
        let ended = SubmitError::Rejected(Rejection::NotPending);
        return Err(conflict(&shared.engine, ended, Some(&id)).await);
    }
    let expires_at = shared.engine.clock().now() + lifetime(params.expires_in)?;
    let grant = LinkGrant {
        revision: view.row.revision,
        allow: params.allow,
    };
    let key = link::key(&shared.guard.token, &id, grant, expires_at);
    let base = base(&shared, &headers);
    let url = format!("{base}/q/{}?key={key}", path::percent_encoded(id.as_str()));
    let body = LinkResponse {
        qr_svg: qr::svg(&url),
        qr_rows: qr::rows(&url),
        allow: params.allow,
        expires_at,
        url,
    };
    let headers = [(header::CACHE_CONTROL, "no-store")];
    Ok((StatusCode::CREATED, headers, Json(body)).into_response())
}

/// For how long a link opens its question. It need not end with the question's deadline: that may be
/// moved, and a question that has ended takes no answer.
fn lifetime(wanted: Option<HumanDuration>) -> Result<SignedDuration, Problem> {
    let Some(wanted) = wanted.map(HumanDuration::duration) else {
        return Ok(SignedDuration::from_secs(limits::LINK_SECONDS));
    };
    let refused = |why: &str| Err(problem(ProblemCode::InvalidLink).detail(why));
    if wanted < SignedDuration::from_secs(1) {
        return refused("A link lasts at least a second: ask for more, such as 1h.");
    }
    if wanted > SignedDuration::from_secs(limits::LINK_SECONDS_MAX) {
        return refused("A link lasts a week at most: ask for 7d or less.");
    }
    Ok(wanted)
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
