//! The page for a browser whose request failed on the side of the server: what is wrong, that nothing is lost, and
//! another try.

use axum::http::{HeaderMap, StatusCode, Uri, header};
use axum::response::{IntoResponse as _, Response};
use maud::{Markup, html};

use super::files::WebFile;
use super::{headers, html, language};
use crate::problem::Problem;

const SCRIPT: &str = "form/retry.js";

/// A page, if the caller opens one, and the problem itself for programs. Where scripts run, the page opens again
/// by itself.
pub(crate) fn failure(uri: &Uri, headers: &HeaderMap, problem: Problem) -> Response {
    let path = uri.path();
    let is_page = super::is_app_page(path) || super::is_question_page(path);
    if !is_page && !super::wants_page(headers) {
        return problem.into_response();
    }
    let locale = language::of(headers);
    let pairs = form_urlencoded::parse(uri.query().unwrap_or_default().as_bytes());
    let is_temporary = problem.is_temporary();
    let main = html! {
        (message(headers, &problem))
        @if is_temporary {
            p data-retrying hidden { (locale.text("web-retrying", &[])) }
        }
        form method="get" action=(path) {
            @for (name, value) in pairs { input type="hidden" name=(name) value=(value); }
            p { input type="submit" value=(locale.text("web-try-again", &[])) class="primary"; }
        }
        @if is_temporary && WebFile::named(SCRIPT).is_some() {
            script type="module" src={ "/web/" (SCRIPT) } {}
        }
    };
    page(headers, problem, &main)
}

/// For an address at which nothing is served.
pub(crate) fn not_found_page(headers: &HeaderMap) -> Response {
    let locale = language::of(headers);
    let main = html! {
        h1 { (locale.text("web-no-page", &[])) }
        p { a href="/inbox" { (locale.text("inbox-title", &[])) } }
    };
    headers::secured(html::titled_page(locale, StatusCode::NOT_FOUND, &main))
}

/// What is wrong.
pub(super) fn message(headers: &HeaderMap, problem: &Problem) -> Markup {
    let locale = language::of(headers);
    let text = |id| locale.text(id, &[]);
    html! {
        h1 { "askback" }
        @if problem.is_temporary() {
            p { (text("web-unavailable")) }
            p { (text("web-nothing-lost")) }
        } @else {
            p { (text("web-failed")) }
        }
    }
}

/// A page with the status and `Retry-After` of the problem.
pub(super) fn page(headers: &HeaderMap, problem: Problem, main: &Markup) -> Response {
    let problem = problem.into_response();
    let mut response = html::titled_page(language::of(headers), problem.status(), main);
    if let Some(after) = problem.headers().get(header::RETRY_AFTER) {
        let after = after.clone();
        response.headers_mut().insert(header::RETRY_AFTER, after);
    }
    headers::secured(headers::with_origin(response))
}
