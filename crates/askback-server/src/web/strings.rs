//! `GET /strings/{tag}.json`: the words of a language, compiled for the formatter of the pages.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};

use askback_locale::Locale;
use askback_wire::problem::ProblemCode;
use axum::http::HeaderMap;
use axum::response::Response;

use super::files;
use crate::extract::Id;
use crate::problem::{Problem, problem};

/// Languages that somebody asked for, with the tags of their contents: compiled once.
static COMPILED: Mutex<Option<HashMap<&str, (String, String)>>> = Mutex::new(None);

pub(super) async fn serve(Id(file): Id<String>, headers: HeaderMap) -> Result<Response, Problem> {
    let wanted = file.strip_suffix(".json").unwrap_or_default();
    let tag = Locale::tags().find(|tag| *tag == wanted);
    let tag = tag.ok_or_else(|| problem(ProblemCode::NotFound))?;
    let (json, etag) = compiled(tag);
    let json = json.into_bytes().into();
    Ok(files::cached(&headers, "application/json", &etag, json))
}

fn compiled(tag: &'static str) -> (String, String) {
    let mut compiled = COMPILED.lock().unwrap_or_else(PoisonError::into_inner);
    let entry = compiled.get_or_insert_default().entry(tag);
    let entry = entry.or_insert_with(|| {
        let json = askback_locale::web_json(tag);
        let etag = files::tag_of(json.as_bytes());
        (json, etag)
    });
    entry.clone()
}
