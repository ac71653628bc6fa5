//! The page that the web app draws itself into. Its addresses differ in what they preload.

use askback_store::InquiryFilter;
use axum::body::Body;
use axum::http::{HeaderMap, HeaderValue, StatusCode, Uri, header};
use axum::response::{IntoResponse as _, Redirect, Response};
use maud::html;

use super::files::WebFile;
use super::{compress, failure, html, language};
use crate::authenticate::Caller;
use crate::extract::Id;
use crate::problem::Problem;
use crate::routes::{AppState, LocalAgents};
use crate::scope::Scope;

/// What `index.html` has in place of the reader's language.
const HTML_TAG: &str = r#"<html lang="en" dir="ltr">"#;

/// What `index.html` has in place of the message for browsers without scripts.
const NO_SCRIPT: &str = "<noscript></noscript>";

/// `GET /`: the inbox if something waits there or nothing can chat, else a new conversation.
pub(super) async fn first_screen(
    state: AppState,
    caller: Caller,
    uri: Uri,
    headers: HeaderMap,
) -> Response {
    if caller.scope != Scope::Admin {
        return Redirect::to("/inbox").into_response();
    }
    match state.engine.inquiries(InquiryFilter::pending(1)).await {
        Ok(page) if state.has_model && page.items.is_empty() => Redirect::to("/new"),
        Ok(_) => Redirect::to("/inbox"),
        Err(error) => return failure(&uri, &headers, Problem::from(error)),
    }
    .into_response()
}

/// `GET /new`, `/inbox`, `/answered` and `/c/{conversation}`.
pub(super) async fn serve(
    state: AppState,
    caller: Caller,
    uri: Uri,
    headers: HeaderMap,
) -> Response {
    let file = WebFile::named("index.html");
    let bytes = file.map(|file| file.bytes).unwrap_or_default();
    let page = String::from_utf8_lossy(&bytes);
    let locale = language::of(&headers);
    let (lang, dir) = (locale.tag(), html::direction(locale));
    // So that pages of a server with one person ask nothing, and offer nothing.
    let recipients = state.recipients();
    let has_others = recipients.people.len() > 1;
    let hand_on = if has_others { " data-hand-on" } else { "" };
    let model = if state.has_model {
        ""
    } else {
        " data-no-model"
    };
    // Somebody who is no administrator has no conversations, and some questions are for them in particular. No alias has a
    // character that means something in HTML.
    let person = caller.scope.person().map(|alias| {
        let mine = [vec![alias.to_owned()], recipients.groups_of(alias)].concat();
        format!(r#" data-person="{}""#, mine.join(" "))
    });
    let person = person.unwrap_or_default();
    let agents = if caller.scope == Scope::Admin && uri.path() == "/inbox" {
        agents_here(state.local_agents).await
    } else {
        String::new()
    };
    let html_tag = format!(r#"<html lang="{lang}" dir="{dir}"{hand_on}{model}{person}{agents}>"#);
    let no_script = html! { noscript { (locale.text("web-no-script", &[])) } };
    let page = preloads_of(&page, uri.path()).replacen(HTML_TAG, &html_tag, 1);
    let page = page.replacen(NO_SCRIPT, &no_script.into_string(), 1);
    // It has nothing secret in it whose length could be guessed.
    let gzipped = compress::accepts_gzip(&headers)
        .then(|| compress::gzip_once(page.as_bytes()))
        .flatten();
    let mut response = html::page(StatusCode::OK, page);
    if let Some(gzipped) = gzipped {
        *response.body_mut() = Body::from(gzipped);
        let headers = response.headers_mut();
        headers.insert(header::CONTENT_ENCODING, HeaderValue::from_static("gzip"));
        headers.remove(header::CONTENT_LENGTH);
    }
    response
}

/// Which agents of this machine can ask, and which cannot yet. No name has a character that means something in HTML.
async fn agents_here(find: fn() -> LocalAgents) -> String {
    let LocalAgents { ready, rest } = tokio::task::spawn_blocking(find).await.unwrap_or_default();
    let attribute = |name: &str, agents: &[String]| {
        let named = !agents.is_empty();
        named.then(|| format!(r#" data-agents-{name}="{}""#, agents.join(", ")))
    };
    let both = [attribute("ready", &ready), attribute("rest", &rest)];
    both.into_iter().flatten().collect()
}

/// `GET /inbox/{id}`: the inbox with this question open. A fragment names it there, which a link may lack.
pub(super) async fn open_in_inbox(Id(id): Id<String>) -> Redirect {
    let is_id = id
        .bytes()
        .all(|byte| byte.is_ascii_alphanumeric() || byte == b'_');
    if is_id {
        Redirect::to(&format!("/inbox#{id}"))
    } else {
        Redirect::to("/inbox")
    }
}

/// The page without the lines that are for another view than the one at this path.
fn preloads_of(page: &str, path: &str) -> String {
    let view = match path {
        "/inbox" => "inbox",
        "/answered" => "answered",
        path if path.starts_with("/c/") => "chat",
        _ => "start",
    };
    let own = format!(r#" data-view="{view}">"#);
    page.split_inclusive('\n')
        .filter(|line| !line.contains(" data-view=") || line.contains(&own))
        .collect()
}
