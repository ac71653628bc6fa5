//! The page for callers without a valid token, session or link: it says how to sign in, and takes the token.

use axum::http::{HeaderMap, HeaderValue, StatusCode, Uri, header};
use axum::response::Response;
use maud::{Markup, html};

use super::{headers, html, language};
use crate::authenticate::{code_in, token_in, without_token};

/// Whether the page follows a token that is not the one of this server.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Attempt {
    First,
    WrongToken,
}

/// For a page of the app. Signing in leads back to it.
pub(crate) fn sign_in_page(uri: &Uri, headers: &HeaderMap) -> Response {
    let query = uri.query().unwrap_or_default();
    let attempt = match token_in(query) {
        Some(_) => Attempt::WrongToken,
        None => Attempt::First,
    };
    let to = without_token(uri.path(), query);
    // A code that is valid was taken before.
    let messages: &[&str] = match code_in(query) {
        Some(_) => &["web-code-used", "web-signed-out"],
        None => &["web-signed-out"],
    };
    page(headers, messages, &to, attempt, &html! {})
}

/// After the form was sent with a wrong token.
pub(crate) fn wrong_token_page(headers: &HeaderMap, to: &str) -> Response {
    let messages = ["web-signed-out"];
    page(headers, &messages, to, Attempt::WrongToken, &html! {})
}

/// For the page of a question: a link may have opened it before. `unsent` is what was entered there.
pub(super) fn link_expired_page(headers: &HeaderMap, to: &str, unsent: &Markup) -> Response {
    let messages = ["web-not-found", "web-signed-out"];
    page(headers, &messages, to, Attempt::First, unsent)
}

/// The page that a form asks for, if it is one of this server, or else the start page.
pub(crate) fn page_to_open(to: &str) -> String {
    let uri = to.parse::<Uri>().ok();
    let ours = uri.filter(|uri| {
        let path = uri.path();
        uri.authority().is_none() && (super::is_app_page(path) || super::is_question_page(path))
    });
    ours.map_or_else(
        || "/".to_owned(),
        |uri| without_token(uri.path(), uri.query().unwrap_or_default()),
    )
}

/// The field has the focus. A token is never sent back, not even a wrong one.
fn page(
    headers: &HeaderMap,
    messages: &[&str],
    to: &str,
    attempt: Attempt,
    unsent: &Markup,
) -> Response {
    let locale = language::of(headers);
    let text = |id| locale.text(id, &[]);
    let wrong = attempt == Attempt::WrongToken;
    let main = html! {
        section {
            h1 class="brand" { img src="/web/icons/icon.svg" alt="" width="32" height="32"; "askback" }
            @for id in messages { p { (text(id)) } }
            form method="post" action=(askback_wire::path::SIGN_IN) {
                div {
                    @if wrong { p class="summary" role="alert" id="token-error" { (text("web-token-wrong")) } }
                    input type="hidden" name="to" value=(to);
                    label for="token" { (text("web-token")) }
                    input type="password" id="token" name="token" required autofocus dir="ltr"
                        autocomplete="current-password" autocapitalize="off" spellcheck="false"
                        aria-invalid=[wrong.then_some("true")]
                        aria-describedby=[wrong.then_some("token-error")];
                }
                p { input type="submit" value=(text("web-sign-in")) class="primary"; }
            }
        }
        (unsent)
    };
    let mut response = html::titled_page(locale, StatusCode::UNAUTHORIZED, &main);
    response
        .headers_mut()
        .insert(header::WWW_AUTHENTICATE, HeaderValue::from_static("Bearer"));
    headers::secured(headers::with_origin(response))
}

#[cfg(test)]
#[path = "sign_in_page_tests.rs"]
mod tests;
