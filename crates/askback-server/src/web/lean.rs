//! Files as they travel: scripts and styles without comments and indentation, and compressed for
//! those who take it. The sources stay readable, and nothing is generated or kept.

use std::collections::HashMap;
use std::io::Write as _;
use std::sync::{Mutex, PoisonError};

use axum::body::Bytes;
use axum::http::{HeaderMap, header};
use flate2::Compression;
use flate2::write::GzEncoder;

/// Compressed bodies by the tag of their content. Only files and words get here, so it stays small.
static COMPRESSED: Mutex<Option<HashMap<String, Bytes>>> = Mutex::new(None);

/// What a file says to a browser. Scripts have their comments before a line or between `/**` and
/// `*/`, and no text over several lines; the checks of `web/` hold them to it.
pub(super) fn lean(name: &str, source: &str) -> String {
    let kind = name.rsplit_once('.').map(|(_, kind)| kind);
    if kind == Some("js") {
        let code = without(source, "/**");
        let lines = code.lines().map(str::trim);
        let kept: Vec<&str> = lines
            .filter(|line| !line.is_empty() && !line.starts_with("//"))
            .collect();
        return kept.join("\n");
    }
    if kind == Some("css") {
        let rules = without(source, "/*");
        let lines = rules.lines().map(str::trim).filter(|line| !line.is_empty());
        return lines.fold(String::new(), |mut text, line| {
            text.push_str(line);
            if !line.ends_with(['{', '}', ';', ',']) {
                text.push(' ');
            }
            text
        });
    }
    source.to_owned()
}

/// The text without what stands between `opening` and `*/`.
fn without(source: &str, opening: &str) -> String {
    let mut kept = String::with_capacity(source.len());
    let mut rest = source;
    while let Some((before, comment)) = rest.split_once(opening) {
        kept.push_str(before);
        rest = comment.split_once("*/").map_or("", |(_, after)| after);
    }
    kept.push_str(rest);
    kept
}

/// Whether the reader of a response takes it compressed.
pub(super) fn takes_gzip(headers: &HeaderMap) -> bool {
    let values = headers.get_all(header::ACCEPT_ENCODING).iter();
    values
        .filter_map(|value| value.to_str().ok())
        .flat_map(|value| value.split(','))
        .map(|coding| coding.trim().split(';').map(str::trim))
        .any(|mut coding| coding.next() == Some("gzip") && coding.next() != Some("q=0"))
}

/// The compressed form of a body, made once for each content; none where that does not work.
pub(super) fn compressed(tag: &str, body: &[u8]) -> Option<Bytes> {
    let known = |all: &Option<HashMap<String, Bytes>>| all.as_ref()?.get(tag).cloned();
    let mut all = COMPRESSED.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(bytes) = known(&all) {
        return Some(bytes);
    }
    let mut encoder = GzEncoder::new(Vec::new(), Compression::best());
    encoder.write_all(body).ok()?;
    let bytes = Bytes::from(encoder.finish().ok()?);
    all.get_or_insert_default()
        .insert(tag.to_owned(), bytes.clone());
    Some(bytes)
}

#[cfg(test)]
#[path = "lean_tests.rs"]
mod tests;
