//! gzip for files and translations, compressed once per content, and for the page of the app.

use parking_lot::Mutex;
use std::collections::HashMap;
use std::io::Write as _;

use axum::body::Bytes;
use axum::http::{HeaderMap, header};
use flate2::Compression;
use flate2::write::GzEncoder;

/// Compressed bodies by `ETag`. Bounded, because only embedded files and translations get here.
static COMPRESSED: Mutex<Option<HashMap<String, Bytes>>> = Mutex::new(None);

/// Whether `Accept-Encoding` allows gzip.
pub(super) fn accepts_gzip(headers: &HeaderMap) -> bool {
    let values = headers.get_all(header::ACCEPT_ENCODING).iter();
    values
        .filter_map(|value| value.to_str().ok())
        .flat_map(|value| value.split(','))
        .map(|coding| coding.trim().split(';').map(str::trim))
        .any(|mut coding| coding.next() == Some("gzip") && coding.next() != Some("q=0"))
}

/// The gzipped body, which is not kept. `None` if compression fails; send the body uncompressed then.
pub(super) fn gzip_once(body: &[u8]) -> Option<Bytes> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::best());
    encoder.write_all(body).ok()?;
    Some(Bytes::from(encoder.finish().ok()?))
}

/// As [`gzip_once`], kept for the next request of the same content.
pub(super) fn gzip(etag: &str, body: &[u8]) -> Option<Bytes> {
    let known = |all: &Option<HashMap<String, Bytes>>| all.as_ref()?.get(etag).cloned();
    let mut all = COMPRESSED.lock();
    if let Some(bytes) = known(&all) {
        return Some(bytes);
    }
    let bytes = gzip_once(body)?;
    all.get_or_insert_default()
        .insert(etag.to_owned(), bytes.clone());
    Some(bytes)
}

#[cfg(test)]
#[path = "compress_tests.rs"]
mod tests;
