//! What handlers take out of a request, each with a problem that says what to send instead.

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

/// A JSON body.
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

/// A JSON body that may be left out.
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

/// How long a body may take, and how long it may pause: a client that sends a byte now and then holds
/// a connection and what has arrived, with or without the token.
const BODY_TIME_MAX: Duration = Duration::from_mins(1);
const BODY_PAUSE_MAX: Duration = Duration::from_secs(15);

async fn read(request: Request) -> Result<Bytes, Problem> {
    read_body(request.into_body()).await
}

/// The whole body of a request, within the limits of size and time.
pub(crate) async fn read_body(body: axum::body::Body) -> Result<Bytes, Problem> {
    let too_slow = |_| problem(ProblemCode::RequestTimeout);
    let whole = tokio::time::timeout(BODY_TIME_MAX, collect(body)).await;
    whole.map_err(too_slow)?
}

async fn collect(body: axum::body::Body) -> Result<Bytes, Problem> {
    let mut pieces = body.into_data_stream();
    let mut whole = Vec::new();
    loop {
        let piece = tokio::time::timeout(BODY_PAUSE_MAX, pieces.next()).await;
        let piece = piece.map_err(|_| problem(ProblemCode::RequestTimeout))?;
        match piece {
            None => return Ok(whole.into()),
            Some(Ok(piece)) if whole.len() + piece.len() <= limits::BODY_BYTES_MAX => {
                whole.extend_from_slice(&piece);
            }
            Some(Ok(_)) => return Err(problem(ProblemCode::TooLarge)),
            Some(Err(_)) => {
                let detail = "The body ended early or is not encoded as its headers say.";
                return Err(problem(ProblemCode::InvalidJson).detail(detail));
            }
        }
    }
}

/// A form, which a foreign page can send without asking, is never JSON.
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

/// The message names the place and what was expected, never the text: it may be an answer.
fn parse<T: DeserializeOwned>(bytes: &[u8]) -> Result<T, Problem> {
    let mut reader = serde_json::Deserializer::from_slice(bytes);
    let read = T::deserialize(ObjectsOnly(&mut reader));
    let read = read.and_then(|value| reader.end().map(|()| value));
    read.map_err(|error| {
        let place = format!("line {}, column {}", error.line(), error.column());
        match error.classify() {
            serde_json::error::Category::Data => problem(ProblemCode::InvalidJson).detail(format!(
                "The body must be a JSON object of the documented form; something else stands at \
                 {place}."
            )),
            serde_json::error::Category::Syntax
            | serde_json::error::Category::Eof
            | serde_json::error::Category::Io => {
                problem(ProblemCode::InvalidJson).detail(format!("The body is not JSON ({place})."))
            }
        }
    })
}

/// The id in a path. One that is no text names nothing.
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

/// The parameters of an address.
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

/// Who acts, and from where.
pub(crate) struct By(pub(crate) Actor);

impl<S: Send + Sync> FromRequestParts<S> for By {
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
        Ok(By(headers.actor()))
    }
}

#[cfg(test)]
#[path = "extract_tests.rs"]
mod tests;
