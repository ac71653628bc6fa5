//! The page that the app draws itself into, whatever the address.

use axum::http::{HeaderMap, StatusCode};
use axum::response::Response;

use super::files::WebFile;
use super::{html, language};

/// The opening tag as the file has it; pages carry the reader's language instead.
const OPENING: &str = r#"<html lang="en" dir="ltr">"#;

/// `GET /`, `/inbox` and `/c/{conversation}`.
pub(super) async fn serve(headers: HeaderMap) -> Response {
    let file = WebFile::named("index.html");
    let bytes = file.map(|file| file.bytes).unwrap_or_default();
    let shell = String::from_utf8_lossy(&bytes);
    let opening = language::opening(language::of(&headers));
    html::page(StatusCode::OK, shell.replacen(OPENING, &opening, 1))
}
