//! `GET /strings/{tag}.json`: the messages of a language, compiled for the formatter in the pages.

use parking_lot::Mutex;
use std::collections::HashMap;

use askback_locale::Locale;
use askback_wire::problem::ProblemCode;
use axum::http::HeaderMap;
use axum::response::Response;

use super::files;
use crate::extract::Id;
use crate::problem::{Problem, problem};

/// Languages requested so far with the `ETag` of their JSON, so that each is compiled once.
static COMPILED: Mutex<Option<HashMap<&str, (String, String)>>> = Mutex::new(None);

pub(super) async fn serve(Id(file): Id<String>, headers: HeaderMap) -> Result<Response, Problem> {
    let requested = file.strip_suffix(".json").unwrap_or_default();
    let tag = Locale::tags().find(|tag| *tag == requested);
    let tag = tag.ok_or_else(|| problem(ProblemCode::NotFound))?;
    let (json, etag) = compiled(tag);
    let json = json.into_bytes().into();
    Ok(files::revalidated(
        &headers,
        "application/json",
        &etag,
        json,
    ))
}

fn compiled(tag: &'static str) -> (String, String) {
    let mut compiled = COMPILED.lock();
    let entry = compiled.get_or_insert_default().entry(tag);
    let entry = entry.or_insert_with(|| {
        let json = askback_locale::web_json(tag);
        let etag = files::etag(json.as_bytes());
        (json, etag)
    });
    entry.clone()
}
