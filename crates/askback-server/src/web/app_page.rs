//! The page that the web app draws itself into. All its addresses serve the same HTML.

use axum::http::{HeaderMap, StatusCode};
use axum::response::Response;
use maud::html;

use super::files::WebFile;
use super::{html, language};

/// What `index.html` has in place of the reader's language.
const HTML_TAG: &str = r#"<html lang="en" dir="ltr">"#;

/// What `index.html` has in place of the message for browsers without scripts.
const NO_SCRIPT: &str = "<noscript></noscript>";

/// `GET /`, `/inbox` and `/c/{conversation}`.
pub(super) async fn serve(headers: HeaderMap) -> Response {
    let file = WebFile::named("index.html");
    let bytes = file.map(|file| file.bytes).unwrap_or_default();
    let page = String::from_utf8_lossy(&bytes);
    let locale = language::of(&headers);
    let (lang, dir) = (locale.tag(), html::direction(locale));
    let html_tag = format!(r#"<html lang="{lang}" dir="{dir}">"#);
    let no_script = html! { noscript { (locale.text("web-no-script", &[])) } };
    let page = page.replacen(HTML_TAG, &html_tag, 1);
    html::page(
        StatusCode::OK,
        page.replacen(NO_SCRIPT, &no_script.into_string(), 1),
    )
}
