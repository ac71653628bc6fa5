//! Who may see the page of an inquiry: whoever is signed in, or has a link to it. Others get a page that
//! says why not.

use askback_core::id::InquiryId;
use askback_engine::InquiryView;
use askback_locale::Locale;
use axum::http::{HeaderMap, StatusCode, Uri};
use axum::response::{IntoResponse, Response};
use jiff::Timestamp;
use maud::html;

use super::time::{self, with_time};
use crate::authenticate::Access;
use crate::link;
use crate::problem::Problem;
use crate::routes::AppState;
use crate::web::{html, language, sign_in_page};

/// The inquiry and the caller's access to it: what they have anyway, or what the key of a link gives.
pub(super) async fn find(
    state: &AppState,
    id: &InquiryId,
    access: Access,
    (uri, headers): (&Uri, &HeaderMap),
) -> Result<(InquiryView, Access), Response> {
    let locale = language::of(headers);
    let mut pairs = form_urlencoded::parse(uri.query().unwrap_or_default().as_bytes());
    let key = pairs.find_map(|(name, key)| (name == "key").then_some(key));
    let (key, now) = (
        key.as_deref().unwrap_or_default(),
        state.engine.clock().now(),
    );
    let token = &state.guard.token;
    let access = match link::verify(token, id, key, now) {
        Some(grant) if access == Access::None => Access::Link(grant),
        Some(_) | None => access,
    };
    let expired_at = link::expired_at(token, id, key, now);
    if access == Access::None && expired_at.is_none() {
        return Err(sign_in_page::link_expired_page(headers, uri.path()));
    }
    let view = match state.engine.inquiry(id).await {
        Ok(Some(view)) => view,
        Ok(None) => {
            let status = StatusCode::NOT_FOUND;
            return Err(html::message_page(locale, status, &["web-not-found"]));
        }
        Err(error) => {
            let status = Problem::from(error).into_response().status();
            return Err(html::message_page(locale, status, &["web-failed"]));
        }
    };
    match (access, expired_at) {
        (Access::None, at) => Err(closed_link_page(locale, &view, at)),
        // A link is valid only for the revision it was made for.
        (Access::Link(grant), _) if grant.revision != view.row.revision => {
            Err(closed_link_page(locale, &view, None))
        }
        (Access::Link(_) | Access::Token, _) => Ok((view, access)),
    }
}

/// For a link that was good once: who asked, why the link opens nothing any more, and what to do. It does not
/// show the question.
fn closed_link_page(locale: Locale, view: &InquiryView, expired: Option<Timestamp>) -> Response {
    let text = |id| locale.text(id, &[]);
    let source = view.row.source.as_deref();
    let asks = source.map(|agent| locale.text("asks", &[("agent", agent.into())]));
    let main = html! {
        section {
            h1 dir="auto" { (asks.as_deref().unwrap_or("askback")) }
            @match expired {
                Some(at) => p { (with_time(locale, "web-link-expired", &[], at)) },
                None => p { (text("web-link-changed")) },
            }
            p { (text("web-link-ask-again")) }
        }
        (time::script())
    };
    let page = html::document(locale, "askback", &main);
    html::page(StatusCode::UNAUTHORIZED, page.into_string())
}
