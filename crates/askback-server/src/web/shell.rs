//! The page that the app draws itself into, whatever the address.

use axum::http::{HeaderMap, StatusCode};
use axum::response::Response;

use super::files::WebFile;
use super::html::Escaped;
use super::{html, language};

/// The opening tag as the file has it; pages carry the reader's language instead.
const OPENING: &str = r#"<html lang="en" dir="ltr">"#;

/// What is said where scripts do not run, as the file has it.
const NO_SCRIPT: &str = "<noscript></noscript>";

/// `GET /`, `/inbox` and `/c/{conversation}`.
pub(super) async fn serve(headers: HeaderMap) -> Response {
    let file = WebFile::named("index.html");
    let bytes = file.map(|file| file.bytes).unwrap_or_default();
    let shell = String::from_utf8_lossy(&bytes);
    let locale = language::of(&headers);
    let words = locale.text("web-no-script", &[]);
    let no_script = format!("<noscript>{}</noscript>", Escaped(&words));
    let shell = shell.replacen(OPENING, &language::opening(locale), 1);
    html::page(StatusCode::OK, shell.replacen(NO_SCRIPT, &no_script, 1))
}
