//! The files of the web UI, carried in the binary.
//!
//! Browsers ask each time whether a file is still the one they have; the answer is short, and a new
//! server never meets an old script.

use std::borrow::Cow;
use std::sync::LazyLock;

use askback_wire::problem::ProblemCode;
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use sha2::{Digest as _, Sha256};

use super::lean;
use crate::auth::hex;
use crate::extract::Id;
use crate::problem::{Problem, problem};

/// Names and contents, written by the build script.
const FILES: &[(&str, &[u8])] = include!(concat!(env!("OUT_DIR"), "/web_files.rs"));

/// [`FILES`] as they are sent, in the same order, each with its tag.
static SENT: LazyLock<Vec<(Vec<u8>, String)>> = LazyLock::new(|| {
    let sent = |(name, bytes): &(&str, &[u8])| {
        let bytes = lean::lean(name, &String::from_utf8_lossy(bytes)).into_bytes();
        let tag = tag_of(&bytes);
        (bytes, tag)
    };
    FILES.iter().map(sent).collect()
});

/// A directory that is read instead of what the binary carries, for work on the pages.
#[cfg(debug_assertions)]
static DIRECTORY: LazyLock<Option<std::path::PathBuf>> =
    LazyLock::new(|| std::env::var_os("ASKBACK_WEB_DIR").map(Into::into));

/// One file with what identifies its content.
pub(super) struct WebFile {
    pub(super) bytes: Cow<'static, [u8]>,
    tag: String,
}

impl WebFile {
    /// The file with this name.
    pub(super) fn named(name: &str) -> Option<WebFile> {
        if let Some(file) = from_disk(name) {
            return Some(file);
        }
        let at = FILES.iter().position(|(known, _)| *known == name)?;
        let (bytes, tag) = &SENT[at];
        Some(WebFile {
            bytes: Cow::Borrowed(bytes),
            tag: tag.clone(),
        })
    }
}

#[cfg(debug_assertions)]
fn from_disk(name: &str) -> Option<WebFile> {
    let directory = DIRECTORY.as_ref()?;
    if name.starts_with('.') || name.contains(['/', '\\', '\0']) || media_type(name).is_none() {
        return None;
    }
    let source = std::fs::read_to_string(directory.join(name)).ok()?;
    let bytes = lean::lean(name, &source).into_bytes();
    Some(WebFile {
        tag: tag_of(&bytes),
        bytes: Cow::Owned(bytes),
    })
}

#[cfg(not(debug_assertions))]
fn from_disk(_: &str) -> Option<WebFile> {
    None
}

/// `GET /web/{file}`.
pub(super) async fn serve(Id(name): Id<String>, headers: HeaderMap) -> Result<Response, Problem> {
    // The shell is a template; it is served as a page.
    let file = WebFile::named(&name).filter(|_| name != "index.html");
    let file = file.ok_or_else(|| problem(ProblemCode::NotFound))?;
    let kind = media_type(&name).ok_or_else(|| problem(ProblemCode::NotFound))?;
    Ok(cached(&headers, kind, &file.tag, file.bytes))
}

/// A file as its reader may keep it: asked for anew each time, sent only if it changed.
pub(super) fn cached(
    headers: &HeaderMap,
    kind: &'static str,
    tag: &str,
    body: Cow<'static, [u8]>,
) -> Response {
    let known = headers
        .get_all(header::IF_NONE_MATCH)
        .iter()
        .filter_map(|value| value.to_str().ok());
    let mut known = known
        .flat_map(|tags| tags.split(','))
        .map(|known| known.trim().trim_start_matches("W/"));
    let unchanged = known.any(|known| known == "*" || known == tag);
    let packed = lean::takes_gzip(headers).then(|| lean::compressed(tag, &body));
    let mut response = match packed.flatten() {
        _ if unchanged => StatusCode::NOT_MODIFIED.into_response(),
        Some(packed) => {
            let kind = [
                (header::CONTENT_TYPE, kind),
                (header::CONTENT_ENCODING, "gzip"),
            ];
            (kind, packed).into_response()
        }
        None => ([(header::CONTENT_TYPE, kind)], body.into_owned()).into_response(),
    };
    let headers = response.headers_mut();
    headers.insert(header::VARY, HeaderValue::from_static("accept-encoding"));
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-cache"));
    if let Ok(tag) = HeaderValue::from_str(tag) {
        headers.insert(header::ETAG, tag);
    }
    response
}

/// What identifies this content.
pub(super) fn tag_of(bytes: &[u8]) -> String {
    format!("\"{}\"", hex(&Sha256::digest(bytes)[..16]))
}

fn media_type(name: &str) -> Option<&'static str> {
    let (_, kind) = name.rsplit_once('.')?;
    match kind {
        "css" => Some("text/css; charset=utf-8"),
        "html" => Some("text/html; charset=utf-8"),
        "js" => Some("text/javascript; charset=utf-8"),
        "svg" => Some("image/svg+xml"),
        _ => None,
    }
}
