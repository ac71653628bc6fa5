//! Extractors of handlers. Each fails with a problem that says what to send instead.

use std::convert::Infallible;
use std::time::Duration;

use askback_core::nearest_name::nearest_name;
use askback_core::outcome::Actor;
use askback_engine::CommitOptions;
use askback_wire::actor::{ACTOR_HEADER, ActorHeaders, SURFACE_HEADER};
use askback_wire::problem::ProblemCode;
use askback_wire::{limits, path};
use axum::body::Bytes;
use axum::extract::{FromRequest, FromRequestParts, Request};
use axum::http::request::Parts;
use axum::http::{HeaderMap, header};
use futures_util::StreamExt as _;
use serde::Deserialize;
use serde::de::DeserializeOwned;

use crate::authenticate::Caller;
use crate::objects_only::{FieldCheck, FieldFailure, FieldReason, ObjectsOnly, UnknownFields};
use crate::problem::{Problem, problem};
use crate::request_key::{Keyed, idempotent};
use crate::routes::AppState;
use crate::until_ended::AccessEnded;

/// A required JSON body.
pub(crate) struct Body<T>(pub(crate) T);

impl<S: Send + Sync, T: DeserializeOwned> FromRequest<S> for Body<T> {
    type Rejection = Problem;

    async fn from_request(request: Request, _: &S) -> Result<Self, Problem> {
        read_json(request, UnknownFields::Refuse, None)
            .await
            .map(Body)
    }
}

/// A required JSON body whose form somebody else has defined, and may extend: unknown fields are ignored.
pub(crate) struct ForeignBody<T>(pub(crate) T);

impl<S: Send + Sync, T: DeserializeOwned> FromRequest<S> for ForeignBody<T> {
    type Rejection = Problem;

    async fn from_request(request: Request, _: &S) -> Result<Self, Problem> {
        read_json(request, UnknownFields::Ignore, None)
            .await
            .map(ForeignBody)
    }
}

/// Reads JSON. Some requests have a body that counts if nothing was sent.
async fn read_json<T: DeserializeOwned>(
    request: Request,
    unknown: UnknownFields,
    default: Option<&[u8]>,
) -> Result<T, Problem> {
    let is_json = is_json(request.headers());
    let key = key_header(request.headers())?;
    let bytes = read_body(request.into_body()).await?;
    match default {
        Some(default) if bytes.iter().all(u8::is_ascii_whitespace) => parse(default, unknown, key),
        Some(_) | None if is_json => parse(&bytes, unknown, key),
        Some(_) | None => Err(problem(ProblemCode::UnsupportedMediaType)),
    }
}

/// The header `Idempotency-Key`, with or without quotation marks around it.
fn key_header(headers: &HeaderMap) -> Result<Option<String>, Problem> {
    let Some(value) = headers.get("idempotency-key") else {
        return Ok(None);
    };
    let value = value.to_str().map_err(|_| {
        let detail = "The header `Idempotency-Key` must have 1 to 200 ASCII characters.";
        problem(ProblemCode::InvalidKey).detail(detail)
    })?;
    let quoted = value.strip_prefix('"').and_then(|it| it.strip_suffix('"'));
    Ok(Some(quoted.unwrap_or(value).to_owned()))
}

/// A JSON body with a default if it is missing.
pub(crate) struct OptionalBody<T>(pub(crate) T);

impl<S: Send + Sync, T: DeserializeOwned + Default> FromRequest<S> for OptionalBody<T> {
    type Rejection = Problem;

    async fn from_request(request: Request, _: &S) -> Result<Self, Problem> {
        let body = read_json(request, UnknownFields::Refuse, Some(b"{}"));
        body.await.map(OptionalBody)
    }
}

/// No body, or an object without fields.
pub(crate) struct NoBody;

#[derive(Default, Deserialize)]
struct NoFields {}

impl<S: Send + Sync> FromRequest<S> for NoBody {
    type Rejection = Problem;

    async fn from_request(request: Request, state: &S) -> Result<Self, Problem> {
        let OptionalBody(NoFields {}) = OptionalBody::from_request(request, state).await?;
        Ok(NoBody)
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
            Some(Err(error)) => {
                if AccessEnded::caused(&error) {
                    return Err(problem(ProblemCode::Unauthorized));
                }
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

/// The problem names the field, the position and what to send, but not the text, which may be an answer.
fn parse<T: DeserializeOwned>(
    bytes: &[u8],
    unknown: UnknownFields,
    key: Option<String>,
) -> Result<T, Problem> {
    let check = FieldCheck::new(unknown, key);
    let mut reader = serde_json::Deserializer::from_slice(bytes);
    let read = T::deserialize(ObjectsOnly(&mut reader, &check));
    let read = read.and_then(|value| reader.end().map(|()| value));
    read.map_err(|error| match error.classify() {
        serde_json::error::Category::Data => refused_field(&error, check.into_failure()),
        serde_json::error::Category::Syntax
        | serde_json::error::Category::Eof
        | serde_json::error::Category::Io => problem(ProblemCode::InvalidJson)
            .detail(format!("The body is not JSON ({}).", position(&error))),
    })
}

fn position(error: &serde_json::Error) -> String {
    format!("line {}, column {}", error.line(), error.column())
}

fn refused_field(error: &serde_json::Error, failure: FieldFailure) -> Problem {
    let FieldFailure { mut path, reason } = failure;
    if reason == FieldReason::OtherKey {
        let detail = "The header `Idempotency-Key` and the field `key` differ: send one of them.";
        return problem(ProblemCode::InvalidKey).detail(detail);
    }
    if let FieldReason::KeyNotTaken(known) = reason {
        let instead = if known.contains(&"message_id") {
            "Send `message_id` instead."
        } else {
            "Leave it out."
        };
        let detail = format!("This request takes no header `Idempotency-Key`. {instead}");
        return problem(ProblemCode::InvalidKey).detail(detail);
    }
    let refused = problem(ProblemCode::InvalidJson);
    if let FieldReason::Unknown(known) = reason {
        return refused.detail(unknown_name("field", &path.join("."), known));
    }
    if reason == FieldReason::Repeated {
        return refused.detail(format!(
            "`{}` is there twice: send it once.",
            path.join(".")
        ));
    }
    // The text of other errors could contain a value.
    let text = error.to_string();
    let missing = text.strip_prefix("missing field `");
    let what = match missing.and_then(|text| text.split_once('`')) {
        Some((field, _)) => {
            path.push(field.to_owned());
            "is missing"
        }
        None => "is not of the documented form",
    };
    let position = position(error);
    let Some(field) = path.last() else {
        return refused.detail(format!(
            "The body must be a JSON object of the documented form. It has something else at {position}."
        ));
    };
    let example = match example_value(field) {
        Some(example) => format!("Send, for example, `\"{field}\": {example}`."),
        None => "See /openapi.json.".to_owned(),
    };
    refused.detail(format!(
        "`{}` {what} ({position}). {example}",
        path.join(".")
    ))
}

/// What to say of a name that is not known.
fn unknown_name(what: &str, path: &str, known: &[&str]) -> String {
    let name = path.rsplit('.').next().unwrap_or(path);
    match (nearest_name(name, known), known) {
        (Some(nearest), _) => format!("Unknown {what} `{path}`: did you mean `{nearest}`?"),
        (None, []) => format!("Unknown {what} `{path}`: there is none."),
        (None, known) => format!("Unknown {what} `{path}`. Known: {}.", known.join(", ")),
    }
}

/// An example of the value of a field or a query parameter, as JSON.
fn example_value(field: &str) -> Option<&'static str> {
    Some(match field {
        "input" => r#"{"question": "Deploy now?", "options": ["Yes", "No"]}"#,
        "questions" => r#"[{"text": "Deploy now?", "kind": "confirm"}]"#,
        "answers" => r#"{"q1": "Yes"}"#,
        "notes" => r#"{"q1": "for now"}"#,
        "expires_in" | "wait" => r#""30s""#,
        "expires_at" | "until" | "since" => r#""2027-03-27T09:30:00Z""#,
        "today" => r#""2027-03-27""#,
        "asker" => r#"{"client": "claude-code", "session": "s1"}"#,
        "metadata" => r#"{"ticket": "OPS-1"}"#,
        "undo_seconds" => "5",
        "revision" | "after" | "before" => "1",
        "limit" => "50",
        "with_answers" | "with_input" | "external" | "partial" => "true",
        "recipient" => r#""zoe""#,
        "text" => r#""Plan my week""#,
        "state" => r#""started""#,
        _ => return None,
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
            Err(refused) => Err(refused_parameter(&refused.body_text())),
        }
    }
}

/// The text of the parser is `…: NAME: REASON`.
fn refused_parameter(text: &str) -> Problem {
    let refused = problem(ProblemCode::InvalidQuery);
    let Some(name) = text.split(": ").nth(1) else {
        return refused;
    };
    match example_value(name) {
        Some(example) => {
            let example = example.trim_matches('"');
            refused.detail(format!(
                "The parameter `{name}` is not of the documented form. Send, for example, `{name}={example}`."
            ))
        }
        None => refused.detail(format!(
            "The parameter `{name}` is not of the documented form. See /openapi.json."
        )),
    }
}

/// Refuses a query with a parameter that the route does not have, or that is there twice.
pub(crate) fn check_query_names(query: Option<&str>, known: &[String]) -> Result<(), Problem> {
    let refuse = |detail| Err(problem(ProblemCode::InvalidQuery).detail(detail));
    let mut seen = Vec::new();
    for (name, _) in form_urlencoded::parse(query.unwrap_or_default().as_bytes()) {
        if !known.iter().any(|known| *known == name) {
            let known: Vec<&str> = known.iter().map(String::as_str).collect();
            return refuse(unknown_name("parameter", &name, &known));
        }
        if seen.contains(&name) {
            return refuse(format!("`{name}` is there twice: send it once."));
        }
        seen.push(name);
    }
    Ok(())
}

impl FromRequestParts<AppState> for AppState {
    type Rejection = Infallible;

    async fn from_request_parts(_: &mut Parts, state: &AppState) -> Result<AppState, Infallible> {
        Ok(state.clone())
    }
}

/// Whoever has passed the guard.
impl<S: Send + Sync> FromRequestParts<S> for Caller {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Caller, Problem> {
        let caller = parts.extensions.get::<Caller>().cloned();
        caller.ok_or_else(|| problem(ProblemCode::Unauthorized))
    }
}

/// Who acts and from where: by the scope of the caller, and by the headers of the request.
pub(crate) struct RequestActor(pub(crate) Actor);

impl FromRequestParts<AppState> for RequestActor {
    type Rejection = Infallible;

    async fn from_request_parts(
        parts: &mut Parts,
        state: &AppState,
    ) -> Result<Self, Self::Rejection> {
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
        let claimed = headers.actor();
        let recipients = state.recipients();
        let caller = parts.extensions.get::<Caller>();
        Ok(RequestActor(match caller {
            Some(caller) => caller.scope.actor(claimed, &recipients),
            None => claimed,
        }))
    }
}

/// Who does something, and with what: an inquiry or a conversation, by the id in the path.
pub(crate) struct Acting<I> {
    pub(crate) state: AppState,
    pub(crate) caller: Caller,
    pub(crate) actor: Actor,
    pub(crate) id: I,
}

impl<I: DeserializeOwned + Send> FromRequestParts<AppState> for Acting<I> {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, state: &AppState) -> Result<Self, Problem> {
        let Ok(RequestActor(actor)) = RequestActor::from_request_parts(parts, state).await;
        let Id(id) = Id::from_request_parts(parts, state).await?;
        Ok(Acting {
            state: state.clone(),
            caller: Caller::from_request_parts(parts, state).await?,
            actor,
            id,
        })
    }
}

impl<I: ToString> Acting<I> {
    /// For the commit that carries out this `POST`.
    pub(crate) fn idempotent(
        &self,
        path: &str,
        params: &impl Keyed,
    ) -> Result<CommitOptions, Problem> {
        let path = path::with_id(path, &self.id.to_string());
        idempotent(&self.caller.scope, &path, params)
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
