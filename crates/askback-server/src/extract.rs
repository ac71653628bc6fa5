//! Extractors of handlers. Each fails with a problem that says what to send instead.

use std::time::Duration;

use askback_core::outcome::Actor;
use askback_wire::actor::{ACTOR_HEADER, ActorHeaders, SURFACE_HEADER};
use askback_wire::limits;
use askback_wire::problem::ProblemCode;
use axum::body::Bytes;
use axum::extract::{FromRequest, FromRequestParts, Request};
use axum::http::request::Parts;
use axum::http::{HeaderMap, header};
use futures_util::StreamExt as _;
use serde::de::DeserializeOwned;

use crate::objects_only::ObjectsOnly;
use crate::problem::{Problem, problem};

/// A required JSON body.
pub(crate) struct Body<T>(pub(crate) T);

impl<S: Send + Sync, T: DeserializeOwned> FromRequest<S> for Body<T> {
    type Rejection = Problem;

    async fn from_request(request: Request, _: &S) -> Result<Self, Problem> {
        let json = is_json(request.headers());
        let bytes = read(request).await?;
        if !json {
            return Err(problem(ProblemCode::UnsupportedMediaType));
        }
        parse(&bytes).map(Body)
    }
}

/// A JSON body with a default if it is missing.
pub(crate) struct OptionalBody<T>(pub(crate) T);

impl<S: Send + Sync, T: DeserializeOwned + Default> FromRequest<S> for OptionalBody<T> {
    type Rejection = Problem;

    async fn from_request(request: Request, _: &S) -> Result<Self, Problem> {
        let json = is_json(request.headers());
        let bytes = read(request).await?;
        if bytes.iter().all(u8::is_ascii_whitespace) {
            return Ok(OptionalBody(T::default()));
        }
        if !json {
            return Err(problem(ProblemCode::UnsupportedMediaType));
        }
        parse(&bytes).map(OptionalBody)
    }
}

/// The fields of an HTML form. If a name repeats, its last value counts.
pub(crate) struct Form<T>(pub(crate) T);

impl<S: Send + Sync, T: DeserializeOwned> FromRequest<S> for Form<T> {
    type Rejection = Problem;

    async fn from_request(request: Request, _: &S) -> Result<Self, Problem> {
        let (parts, body) = request.into_parts();
        let bytes = read_form(&parts.headers, body, UNAUTHENTICATED_BYTES_MAX).await?;
        let fields = form_urlencoded::parse(&bytes).into_owned();
        let fields = fields.map(|(name, value)| (name, serde_json::Value::String(value)));
        let read = serde_json::from_value(serde_json::Value::Object(fields.collect()));
        // The error of the parser could contain a value.
        read.map(Form).map_err(|_| {
            let detail = "The form lacks a field. See /openapi.json.";
            problem(ProblemCode::InvalidInput).detail(detail)
        })
    }
}

/// The body of an HTML form, still encoded.
pub(crate) async fn read_form(
    headers: &HeaderMap,
    body: axum::body::Body,
    bytes_max: usize,
) -> Result<Bytes, Problem> {
    let kind = headers.get(header::CONTENT_TYPE);
    let is_form = kind.is_some_and(|kind| kind.as_bytes().starts_with(FORM_MEDIA_TYPE.as_bytes()));
    let bytes = read_up_to(body, bytes_max).await?;
    if !is_form {
        let detail = format!("Send a form, with `Content-Type: {FORM_MEDIA_TYPE}`.");
        return Err(problem(ProblemCode::UnsupportedMediaType).detail(detail));
    }
    Ok(bytes)
}

/// How much is read of a form whose sender has not proved anything yet.
pub(crate) const UNAUTHENTICATED_BYTES_MAX: usize = 64 * 1024;

/// What browsers send a form as.
pub(crate) const FORM_MEDIA_TYPE: &str = "application/x-www-form-urlencoded";

/// Limits on a whole body and on pauses in it, so that slow clients cannot hold connections and memory.
const BODY_TIME_MAX: Duration = Duration::from_mins(1);
const BODY_PAUSE_MAX: Duration = Duration::from_secs(15);

async fn read(request: Request) -> Result<Bytes, Problem> {
    read_body(request.into_body()).await
}

/// Reads a body within the limits on size and time.
pub(crate) async fn read_body(body: axum::body::Body) -> Result<Bytes, Problem> {
    read_up_to(body, limits::BODY_BYTES_MAX).await
}

async fn read_up_to(body: axum::body::Body, bytes_max: usize) -> Result<Bytes, Problem> {
    let too_slow = |_| problem(ProblemCode::RequestTimeout);
    let whole = tokio::time::timeout(BODY_TIME_MAX, collect(body, bytes_max)).await;
    whole.map_err(too_slow)?
}

async fn collect(body: axum::body::Body, bytes_max: usize) -> Result<Bytes, Problem> {
    let mut chunks = body.into_data_stream();
    let mut whole = Vec::new();
    loop {
        let chunk = tokio::time::timeout(BODY_PAUSE_MAX, chunks.next()).await;
        let chunk = chunk.map_err(|_| problem(ProblemCode::RequestTimeout))?;
        match chunk {
            None => return Ok(whole.into()),
            Some(Ok(chunk)) if whole.len() + chunk.len() <= bytes_max => {
                whole.extend_from_slice(&chunk);
            }
            Some(Ok(_)) => {
                let refused = problem(ProblemCode::TooLarge);
                return Err(if bytes_max == limits::BODY_BYTES_MAX {
                    refused
                } else {
                    refused.detail(format!("Send at most {} KiB.", bytes_max / 1024))
                });
            }
            Some(Err(_)) => {
                let detail = "The body ended early, or its encoding does not match its headers.";
                return Err(problem(ProblemCode::InvalidJson).detail(detail));
            }
        }
    }
}

/// Only JSON types: a page of another site can send forms and plain text without a preflight.
fn is_json(headers: &HeaderMap) -> bool {
    let value = headers
        .get(header::CONTENT_TYPE)
        .and_then(|value| value.to_str().ok());
    let kind = value
        .and_then(|value| value.split(';').next())
        .unwrap_or_default();
    let kind = kind.trim().to_ascii_lowercase();
    kind == "application/json" || (kind.starts_with("application/") && kind.ends_with("+json"))
}

/// The problem names the position and what was expected, but not the text, which may be an answer.
fn parse<T: DeserializeOwned>(bytes: &[u8]) -> Result<T, Problem> {
    let mut reader = serde_json::Deserializer::from_slice(bytes);
    let read = T::deserialize(ObjectsOnly(&mut reader));
    let read = read.and_then(|value| reader.end().map(|()| value));
    read.map_err(|error| {
        let position = format!("line {}, column {}", error.line(), error.column());
        match error.classify() {
            serde_json::error::Category::Data => problem(ProblemCode::InvalidJson).detail(format!(
                "The body must be a JSON object of the documented form. It has something else at \
                 {position}."
            )),
            serde_json::error::Category::Syntax
            | serde_json::error::Category::Eof
            | serde_json::error::Category::Io => problem(ProblemCode::InvalidJson)
                .detail(format!("The body is not JSON ({position}).")),
        }
    })
}

/// The id in a path. Nothing has an id that is not UTF-8.
pub(crate) struct Id<T>(pub(crate) T);

impl<S: Send + Sync, T: DeserializeOwned + Send> FromRequestParts<S> for Id<T> {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, Problem> {
        match axum::extract::Path::<T>::from_request_parts(parts, state).await {
            Ok(axum::extract::Path(id)) => Ok(Id(id)),
            Err(_) => Err(problem(ProblemCode::NotFound)),
        }
    }
}

/// The query parameters.
pub(crate) struct Query<T>(pub(crate) T);

impl<S: Send + Sync, T: DeserializeOwned> FromRequestParts<S> for Query<T> {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, Problem> {
        match axum::extract::Query::<T>::from_request_parts(parts, state).await {
            Ok(axum::extract::Query(query)) => Ok(Query(query)),
            Err(_) => Err(problem(ProblemCode::InvalidQuery)),
        }
    }
}

/// Who acts and from where, by the headers of the request.
pub(crate) struct RequestActor(pub(crate) Actor);

impl<S: Send + Sync> FromRequestParts<S> for RequestActor {
    type Rejection = std::convert::Infallible;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, Self::Rejection> {
        let bytes = |name: &str| {
            parts
                .headers
                .get(name)
                .map(axum::http::HeaderValue::as_bytes)
        };
        let headers = ActorHeaders {
            actor: bytes(ACTOR_HEADER),
            surface: bytes(SURFACE_HEADER),
        };
        Ok(RequestActor(headers.actor()))
    }
}

/// `Last-Event-ID`: the sequence number after which a feed starts. An empty header counts as none.
pub(crate) struct LastEventId(pub(crate) Option<u64>);

impl<S: Send + Sync> FromRequestParts<S> for LastEventId {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, Problem> {
        let Some(value) = parts.headers.get("last-event-id") else {
            return Ok(LastEventId(None));
        };
        let id = value.to_str().map_or("?", str::trim);
        if id.is_empty() {
            return Ok(LastEventId(None));
        }
        let sequence = id.parse().map_err(|_| {
            let detail = "`Last-Event-ID` must be the `id` of an event of this feed: a number.";
            problem(ProblemCode::InvalidQuery).detail(detail)
        })?;
        Ok(LastEventId(Some(sequence)))
    }
}

/// The size of a page of a list.
pub(crate) fn page_limit(limit: Option<usize>) -> Result<usize, Problem> {
    let max = limits::PAGE_ITEMS_MAX;
    match limit.unwrap_or(limits::PAGE_ITEMS) {
        0 => {
            let detail = format!("`limit` must be a number from 1 to {max}.");
            Err(problem(ProblemCode::InvalidQuery).detail(detail))
        }
        limit => Ok(limit.min(max)),
    }
}

#[cfg(test)]
#[path = "extract_tests.rs"]
mod tests;
