//! Links to one question.

use askback_channels::PersonCode;
use askback_core::id::InquiryId;
use askback_wire::duration::HumanDuration;
use askback_wire::limits;
use askback_wire::link::{LinkResponse, NewLinkParams};
use askback_wire::problem::ProblemCode;
use askback_wire::{path, qr};
use axum::Json;
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{IntoResponse, Response};
use jiff::SignedDuration;

use super::AppState;
use super::inquiries::find_pending;
use crate::authenticate::Caller;
use crate::extract::{Id, OptionalBody};
use crate::guard::host_header;
use crate::link::{self, LinkGrant};
use crate::openapi::Route;
use crate::problem::{Problem, problem};

pub(super) fn routes() -> Vec<Route> {
    vec![
        Route::post(path::INQUIRY_LINKS, "make_link", create)
            .summary("Creates a link with which somebody without the token can answer this question.")
            .description(
                "The link shows this one question, takes one answer, and gives access to nothing else. \
                 `allow` says what else its holder may do: `answer`, `decline` or `stop`. The link \
                 starts with the public URL of the server, or with the host of this request. The link of a person answers \
                 nothing once the question is not theirs any more.",
            )
            .returns::<LinkResponse>(201, "The link.")
            .problems(&[ProblemCode::NotPending, ProblemCode::InvalidLink])
            .reads_store(),
    ]
}

async fn create(
    state: AppState,
    caller: Caller,
    Id(id): Id<InquiryId>,
    headers: HeaderMap,
    OptionalBody(params): OptionalBody<NewLinkParams>,
) -> Result<Response, Problem> {
    let view = find_pending(&state, &caller, &id).await?;
    let expires_at = state.engine.clock().now() + lifetime(params.expires_in)?;
    let grant = LinkGrant {
        revision: view.row.revision,
        allow: params.allow,
        // The link of a person ends with what makes the question theirs.
        person: caller.scope.person().map(PersonCode::new),
    };
    let key = link::sign(&state.guard.token, &id, grant, expires_at);
    let base = base_url(&state, &headers);
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

/// How long a link is valid. It may outlive the deadline of its question, which can be moved; a
/// question that has ended takes no answer anyway.
pub(super) fn lifetime(requested: Option<HumanDuration>) -> Result<SignedDuration, Problem> {
    let Some(lifetime) = requested.map(HumanDuration::duration) else {
        return Ok(SignedDuration::from_secs(limits::LINK_SECONDS));
    };
    let refused = |why: &str| Err(problem(ProblemCode::InvalidLink).detail(why));
    if lifetime < SignedDuration::from_secs(1) {
        return refused(
            "A link must be valid for at least 1 second. Send `expires_in`, such as 1h.",
        );
    }
    if lifetime > SignedDuration::from_secs(limits::LINK_SECONDS_MAX) {
        return refused(
            "A link can be valid for at most 7 days. Send an `expires_in` of 7d or less.",
        );
    }
    Ok(lifetime)
}

/// The URL of the server for others: the configured one, or the host of this request.
pub(super) fn base_url(state: &AppState, headers: &HeaderMap) -> String {
    if let Some(url) = &state.guard.public_url {
        return url.as_str().to_owned();
    }
    format!("http://{}", host_header(headers).unwrap_or("localhost"))
}
