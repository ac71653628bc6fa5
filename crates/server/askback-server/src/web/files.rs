//! The files of the web UI, embedded in the binary.
//!
//! Browsers revalidate every file by its `ETag` on each use, so an old script never talks to a new
//! server.

use std::borrow::Cow;
use std::collections::HashMap;
use std::sync::LazyLock;

use askback_wire::problem::ProblemCode;
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use sha2::{Digest as _, Sha256};

use super::{comments, compress};
use crate::extract::Id;
use crate::problem::{Problem, problem};
use askback_wire::server_process::hex;

pub(super) const WORKER_PATH: &str = "/service-worker.js";
pub(super) const MANIFEST_PATH: &str = "/manifest.json";

/// Names and contents, written by the build script.
const FILES: &[(&str, &[u8])] = include!(concat!(env!("OUT_DIR"), "/web_files.rs"));

const MANIFEST: &str = r##"{
  "name": "askback",
  "start_url": "/inbox",
  "scope": "/",
  "display": "standalone",
  "theme_color": "#4338ca",
  "background_color": "#ffffff",
  "icons": [
    { "src": "/web/icons/icon-192.png", "sizes": "192x192", "type": "image/png", "purpose": "any" },
    { "src": "/web/icons/icon-512.png", "sizes": "512x512", "type": "image/png", "purpose": "maskable any" }
  ]
}
"##;

const JAVASCRIPT: &str = "text/javascript; charset=utf-8";
const STYLESHEET: &str = "text/css; charset=utf-8";

/// [`FILES`] as they are sent, by name.
static SENT: LazyLock<HashMap<&'static str, WebFile>> = LazyLock::new(|| {
    let sent = |&(name, bytes)| (name, WebFile::new(name, Cow::Borrowed(bytes)));
    FILES.iter().map(sent).collect()
});

/// A directory to serve instead of the embedded files, for work on the pages.
#[cfg(debug_assertions)]
static DIRECTORY: LazyLock<Option<std::path::PathBuf>> =
    LazyLock::new(|| std::env::var_os("ASKBACK_WEB_DIR").map(Into::into));

pub(super) struct WebFile {
    pub(super) bytes: Cow<'static, [u8]>,
    etag: String,
}

impl WebFile {
    fn new(name: &str, source: Cow<'static, [u8]>) -> WebFile {
        let has_comments = matches!(media_type(name), Some(JAVASCRIPT | STYLESHEET));
        let text = has_comments.then(|| str::from_utf8(&source).ok()).flatten();
        let stripped = text.map(|text| comments::strip(text).into());
        let bytes = stripped.map_or(source, Cow::Owned);
        let etag = etag(&bytes);
        WebFile { bytes, etag }
    }

    pub(super) fn named(name: &str) -> Option<WebFile> {
        if let Some(file) = from_disk(name) {
            return Some(file);
        }
        let file = SENT.get(name)?;
        Some(WebFile {
            bytes: Cow::Borrowed(&file.bytes),
            etag: file.etag.clone(),
        })
    }
}

#[cfg(debug_assertions)]
fn from_disk(name: &str) -> Option<WebFile> {
    let directory = DIRECTORY.as_ref()?;
    let is_hidden = name
        .split('/')
        .any(|part| part.is_empty() || part.starts_with('.'));
    if is_hidden || name.contains(['\\', '\0']) || media_type(name).is_none() {
        return None;
    }
    let bytes = std::fs::read(directory.join(name)).ok()?;
    Some(WebFile::new(name, Cow::Owned(bytes)))
}

#[cfg(not(debug_assertions))]
fn from_disk(_: &str) -> Option<WebFile> {
    None
}

/// `GET /web/{*file}`.
pub(super) async fn serve(Id(name): Id<String>, headers: HeaderMap) -> Result<Response, Problem> {
    // index.html is a template and only served as a page.
    let file = WebFile::named(&name).filter(|_| name != "index.html");
    let file = file.ok_or_else(|| problem(ProblemCode::NotFound))?;
    let kind = media_type(&name).ok_or_else(|| problem(ProblemCode::NotFound))?;
    Ok(revalidated(&headers, kind, &file.etag, file.bytes))
}

/// `GET /service-worker.js`: a service worker acts for the pages below its own path.
pub(super) async fn serve_worker(headers: HeaderMap) -> Result<Response, Problem> {
    serve(Id("service-worker.js".to_owned()), headers).await
}

/// `GET /manifest.json`: what makes the pages an app that can be installed.
pub(super) async fn serve_manifest(headers: HeaderMap) -> Response {
    let etag = etag(MANIFEST.as_bytes());
    let kind = "application/manifest+json";
    revalidated(&headers, kind, &etag, Cow::Borrowed(MANIFEST.as_bytes()))
}

/// A response with `ETag` and `Cache-Control: no-cache`: 304 if the client has this version already,
/// gzipped if the client accepts that.
pub(super) fn revalidated(
    headers: &HeaderMap,
    kind: &'static str,
    etag: &str,
    body: Cow<'static, [u8]>,
) -> Response {
    let known = headers
        .get_all(header::IF_NONE_MATCH)
        .iter()
        .filter_map(|value| value.to_str().ok());
    let mut known = known
        .flat_map(|tags| tags.split(','))
        .map(|known| known.trim().trim_start_matches("W/"));
    let unchanged = known.any(|known| known == "*" || known == etag);
    let gzipped = compress::accepts_gzip(headers).then(|| compress::gzip(etag, &body));
    let mut response = match gzipped.flatten() {
        _ if unchanged => StatusCode::NOT_MODIFIED.into_response(),
        Some(gzipped) => {
            let kind = [
                (header::CONTENT_TYPE, kind),
                (header::CONTENT_ENCODING, "gzip"),
            ];
            (kind, gzipped).into_response()
        }
        None => ([(header::CONTENT_TYPE, kind)], body.into_owned()).into_response(),
    };
    let headers = response.headers_mut();
    headers.insert(header::VARY, HeaderValue::from_static("accept-encoding"));
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-cache"));
    if let Ok(etag) = HeaderValue::from_str(etag) {
        headers.insert(header::ETAG, etag);
    }
    response
}

/// A quoted `ETag` derived from the content.
pub(super) fn etag(bytes: &[u8]) -> String {
    format!("\"{}\"", hex(&Sha256::digest(bytes)[..16]))
}

fn media_type(name: &str) -> Option<&'static str> {
    let (_, kind) = name.rsplit_once('.')?;
    match kind {
        "css" => Some(STYLESHEET),
        "html" => Some("text/html; charset=utf-8"),
        "js" => Some(JAVASCRIPT),
        "png" => Some("image/png"),
        "svg" => Some("image/svg+xml"),
        _ => None,
    }
}
