//! What every HTML page shares. Markup is written with maud, which escapes every text.

use askback_locale::Locale;
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{Html, IntoResponse, Response};
use maud::{DOCTYPE, Markup, html};

/// A complete HTML document around the content of its `main` element.
pub(super) fn document(locale: Locale, title: &str, main: &Markup) -> Markup {
    html! {
        (DOCTYPE)
        html lang=(locale.tag()) dir=(direction(locale)) {
            head {
                meta charset="utf-8";
                meta name="viewport" content="width=device-width, initial-scale=1";
                meta name="color-scheme" content="light dark";
                title { (title) }
                link rel="icon" href="/web/icons/icon.svg" type="image/svg+xml";
                link rel="stylesheet" href="/web/css/base.css";
                link rel="stylesheet" href="/web/css/form.css";
            }
            body { main { (main) } }
        }
    }
}

/// Loads a module of `web/`.
pub(super) fn script(name: &str) -> Markup {
    html! { script type="module" src={ "/web/" (name) } {} }
}

/// The value of a page's `dir` attribute.
pub(super) fn direction(locale: Locale) -> &'static str {
    if locale.is_rtl() { "rtl" } else { "ltr" }
}

/// A page with the name of the program as its title.
pub(super) fn titled_page(locale: Locale, status: StatusCode, main: &Markup) -> Response {
    page(status, document(locale, "askback", main).into_string())
}

/// A page with a heading and one paragraph for each message.
pub(super) fn message_page(locale: Locale, status: StatusCode, messages: &[&str]) -> Response {
    let main = html! {
        h1 { "askback" }
        @for id in messages { p { (locale.text(id, &[])) } }
    };
    titled_page(locale, status, &main)
}

/// A page that must not be cached, because the state it shows can change at any time.
pub(super) fn page(status: StatusCode, body: String) -> Response {
    let mut response = (status, Html(body)).into_response();
    let headers = response.headers_mut();
    headers.insert(
        header::CACHE_CONTROL,
        HeaderValue::from_static("no-cache, no-store"),
    );
    headers.insert(
        header::VARY,
        HeaderValue::from_static("accept-encoding, accept-language, cookie"),
    );
    response
}
