//! `/q/{id}`: one inquiry as a plain form, which needs no script and works in a text browser.
//!
//! The form is checked by the same code as every other surface. What does not fit comes back with
//! all that was typed; what fits leads to the same address, which then shows the outcome.

mod data;
mod draw;
mod ended;
mod given;
mod kept;

use askback_core::answer::AnswerError;
use askback_core::conversation::command::{Command, Target};
use askback_core::conversation::rejection::Rejection;
use askback_core::draft::Draft;
use askback_core::id::InquiryId;
use askback_core::outcome::{Actor, Surface};
use askback_engine::{CommitOptions, InquiryView, SubmitError};
use askback_locale::Locale;
use askback_wire::link::LinkAllow;
use askback_wire::problem::ProblemCode;
use axum::Extension;
use axum::body::{Body, Bytes};
use axum::extract::{Request, State};
use axum::http::{HeaderMap, HeaderValue, StatusCode, Uri, header};
use axum::response::{IntoResponse, Response};
use jiff::civil::Date;
use jiff::tz::TimeZone;
use serde_json::{Value, json};

use self::data::FormData;
use super::{entry, html, language};
use crate::auth::hex;
use crate::authenticate::Access;
use crate::extract::{Id, read_body};
use crate::link;
use crate::problem::{Problem, problem};
use crate::request_key;
use crate::routes::Shared;
use crate::typed::Reader;

/// What buttons say. A form that is sent without one is sent with Enter, which is the first.
const ACTIONS: [&str; 7] = ["", "send", "skip", "decline", "reject", "cancel", "keep"];

/// What somebody must be allowed to do to press this button.
fn needed(action: &str) -> LinkAllow {
    match action {
        "decline" => LinkAllow::Decline,
        "reject" | "cancel" => LinkAllow::Stop,
        _ => LinkAllow::Answer,
    }
}

/// What a form is drawn from.
struct Sheet<'a> {
    view: &'a InquiryView,
    locale: Locale,
    access: Access,
    /// What was typed before: here, where it did not fit, or on another surface.
    kept: FormData,
    errors: Vec<AnswerError>,
    /// The day that words such as “tomorrow” are counted from.
    today: Date,
    /// The page itself, with its key: not every browser sends a form without an address there.
    address: &'a str,
    radios: Radios,
}

/// What a browser does with radio buttons none of which is checked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Radios {
    /// Nothing.
    StayOpen,
    /// It checks the first, as HTML 2 wanted: one for no answer must stand before it.
    FirstIsChecked,
}

impl Radios {
    fn of(headers: &HeaderMap) -> Radios {
        let agent = headers.get(header::USER_AGENT);
        match agent.and_then(|agent| agent.to_str().ok()) {
            Some(agent) if agent.starts_with("Lynx/") => Radios::FirstIsChecked,
            Some(_) | None => Radios::StayOpen,
        }
    }
}

/// `GET /q/{id}`.
pub(super) async fn show(
    State(shared): State<Shared>,
    Extension(access): Extension<Access>,
    Id(id): Id<InquiryId>,
    uri: Uri,
    headers: HeaderMap,
) -> Result<Response, Response> {
    let locale = language::of(&headers);
    let access = with_key(&shared, access, &id, &uri);
    let view = find(&shared, &id, access, &headers).await?;
    if view.resolution.is_some() || view.held.is_some() {
        return Ok(own_origin(html::page(
            StatusCode::OK,
            ended::page(&view, locale, access, ended::Late::No),
        )));
    }
    let sheet = Sheet {
        view: &view,
        locale,
        access,
        kept: begun(&shared, &view, access)
            .await
            .map_err(IntoResponse::into_response)?,
        errors: Vec::new(),
        today: today(&shared),
        address: address(&uri),
        radios: Radios::of(&headers),
    };
    Ok(own_origin(html::page(StatusCode::OK, draw::page(&sheet))))
}

/// `POST /q/{id}`.
pub(super) async fn take(
    State(shared): State<Shared>,
    Extension(access): Extension<Access>,
    Id(id): Id<InquiryId>,
    request: Request,
) -> Result<Response, Response> {
    let (parts, body) = request.into_parts();
    let (uri, headers) = (parts.uri, parts.headers);
    let locale = language::of(&headers);
    let access = with_key(&shared, access, &id, &uri);
    let view = find(&shared, &id, access, &headers).await?;
    let body = read(&headers, body)
        .await
        .map_err(IntoResponse::into_response)?;
    let kept = FormData::parse(&body);
    let sheet = Sheet {
        view: &view,
        locale,
        access,
        kept,
        errors: Vec::new(),
        today: today(&shared),
        address: address(&uri),
        radios: Radios::of(&headers),
    };
    if let Some(reply) = before_acting(&sheet) {
        return Ok(reply);
    }
    let command = match command(&shared, &sheet) {
        Ok(command) => command,
        Err(errors) => return Ok(refused(sheet, errors)),
    };
    let by = Actor {
        name: None,
        surface: match access {
            Access::Token => Surface::Web,
            Access::Link(_) | Access::None => Surface::Link,
        },
    };
    let extras = keyed(&id, &sheet.kept, &body);
    let conversation = &view.row.conversation;
    match shared
        .engine
        .submit_with(conversation, command, by, extras)
        .await
    {
        Ok(_) | Err(SubmitError::Repeated { .. }) => Ok(see(&uri)),
        Err(SubmitError::Rejected(Rejection::InvalidAnswer(errors))) => Ok(refused(sheet, errors)),
        // Somebody was first, and may still take it back; or the form was sent before with something
        // else in it, and that stands.
        Err(
            SubmitError::Rejected(
                Rejection::NotPending
                | Rejection::Expired { .. }
                | Rejection::StaleInquiry
                | Rejection::Held,
            )
            | SubmitError::KeyReused,
        ) => {
            let view = find(&shared, &id, access, &headers).await?;
            let page = ended::page(&view, locale, access, ended::Late::Yes);
            Ok(own_origin(html::page(StatusCode::CONFLICT, page)))
        }
        Err(error) => {
            let status = Problem::from(error).into_response().status();
            Ok(said(locale, status, "web-failed"))
        }
    }
}

/// The page that comes before anything is done: the button is none of ours, is not for whoever pressed
/// it, keeps the question open, or is asked about first because it stops or leaves the agent.
fn before_acting(sheet: &Sheet<'_>) -> Option<Response> {
    let action = sheet.kept.action();
    if !ACTIONS.contains(&action) {
        return Some(said(sheet.locale, StatusCode::BAD_REQUEST, "web-failed"));
    }
    if !sheet.access.allows(needed(action)) {
        let page = said(sheet.locale, StatusCode::FORBIDDEN, "web-link-not-allowed");
        return Some(own_origin(page));
    }
    if action == "keep" || draw::asks_first(&sheet.kept) {
        let page = html::page(StatusCode::OK, draw::page(sheet));
        return Some(own_origin(page));
    }
    None
}

/// What makes a form that is sent twice harmless.
fn keyed(id: &InquiryId, kept: &FormData, body: &[u8]) -> CommitOptions {
    let keys = kept
        .once()
        .map(|once| request_key::form(format!("{id}:{once}"), body));
    CommitOptions {
        keys: keys.unwrap_or_default(),
        ..CommitOptions::default()
    }
}

/// The fields of a form that is shown for the first time. What was begun elsewhere is in them already,
/// but not for a link: whoever has one may give an answer, not read those of others.
async fn begun(shared: &Shared, view: &InquiryView, access: Access) -> Result<FormData, Problem> {
    let once = nonce()?;
    let row = match access {
        Access::Token => shared.engine.store().draft(&view.row.id).await?,
        Access::Link(_) | Access::None => None,
    };
    let draft = row.and_then(|row| serde_json::from_str(&row.json).ok());
    Ok(draft.map_or_else(
        || FormData::fresh(&once),
        |draft| {
            let draft = Draft::restore(&view.inquiry, draft);
            kept::fields(&view.inquiry, &draft, &once)
        },
    ))
}

/// The day it is where the server runs: a form cannot say which day it is where it is filled in.
fn today(shared: &Shared) -> Date {
    let now = shared.engine.clock().now();
    now.to_zoned(TimeZone::system()).date()
}

/// What opens the page: the token, or a link to this very inquiry.
fn with_key(shared: &Shared, access: Access, id: &InquiryId, uri: &Uri) -> Access {
    let mut pairs = form_urlencoded::parse(uri.query().unwrap_or_default().as_bytes());
    let key = pairs.find_map(|(name, key)| (name == "key").then_some(key));
    let now = shared.engine.clock().now();
    let grant = key.and_then(|key| link::opens(&shared.guard.token, id, &key, now));
    match (access, grant) {
        (Access::None, Some(grant)) => Access::Link(grant),
        (access, _) => access,
    }
}

/// The inquiry, for those who may see it; a page that says otherwise to all others.
async fn find(
    shared: &Shared,
    id: &InquiryId,
    access: Access,
    headers: &HeaderMap,
) -> Result<InquiryView, Response> {
    let locale = language::of(headers);
    if access == Access::None {
        return Err(entry::locked_page(headers));
    }
    match shared.engine.inquiry(id).await {
        // A link was made for what its maker saw.
        Ok(Some(view)) if matches!(access, Access::Link(grant) if grant.revision != view.row.revision) => {
            Err(entry::locked_page(headers))
        }
        Ok(Some(view)) => Ok(view),
        Ok(None) => Err(said(locale, StatusCode::NOT_FOUND, "web-not-found")),
        Err(error) => {
            let status = Problem::from(error).into_response().status();
            Err(said(locale, status, "web-failed"))
        }
    }
}

/// What the pressed button means, or what does not fit.
fn command(shared: &Shared, sheet: &Sheet<'_>) -> Result<Command, Vec<AnswerError>> {
    let target = Target::Inquiry {
        id: sheet.view.row.id.clone(),
        revision: sheet.kept.revision(),
    };
    Ok(match sheet.kept.action() {
        "decline" => Command::Decline { target },
        "reject" => Command::Reject { target },
        "cancel" => Command::Cancel {
            target: Some(target),
        },
        action => Command::Answer {
            target,
            answers: answers(shared, sheet, action)?,
            notes: None,
        },
    })
}

fn answers(shared: &Shared, sheet: &Sheet<'_>, action: &str) -> Result<Value, Vec<AnswerError>> {
    if action == "skip" {
        let ids = sheet.view.inquiry.questions().iter().map(|q| q.id.as_str());
        return Ok(ids.map(|id| (id, json!({"skipped": true}))).collect());
    }
    let now = shared.engine.clock().now();
    let reader = Reader::new(Some(sheet.locale.tag()), Some(sheet.today), now);
    let answers = given::answers(&sheet.view.inquiry, &sheet.kept)?;
    Ok(reader.read(&sheet.view.inquiry, answers))
}

/// The form again, with what does not fit and all that was typed.
fn refused(sheet: Sheet<'_>, errors: Vec<AnswerError>) -> Response {
    let sheet = Sheet { errors, ..sheet };
    let page = draw::page(&sheet);
    own_origin(html::page(StatusCode::UNPROCESSABLE_ENTITY, page))
}

/// The same address again, which then shows the outcome.
fn see(uri: &Uri) -> Response {
    let mut response = StatusCode::SEE_OTHER.into_response();
    if let Ok(address) = HeaderValue::from_str(address(uri)) {
        response.headers_mut().insert(header::LOCATION, address);
    }
    own_origin(response)
}

fn address(uri: &Uri) -> &str {
    uri.path_and_query().map_or("/", |address| address.as_str())
}

/// A page of one sentence.
fn said(locale: Locale, status: StatusCode, id: &str) -> Response {
    let words = locale.text(id, &[]);
    let main = format!("<h1>askback</h1>\n<p>{}</p>\n", html::Escaped(&words));
    html::page(status, html::document(locale, "askback", &main))
}

/// Lets the browser name our own pages as the origin of the form: without a referrer it would name
/// none, and the form would look like a foreign one.
fn own_origin(mut response: Response) -> Response {
    response.headers_mut().insert(
        header::REFERRER_POLICY,
        HeaderValue::from_static("same-origin"),
    );
    response
}

async fn read(headers: &HeaderMap, body: Body) -> Result<Bytes, Problem> {
    let kind = headers
        .get(header::CONTENT_TYPE)
        .and_then(|value| value.to_str().ok())
        .unwrap_or_default();
    let bytes = read_body(body).await?;
    if !kind.starts_with("application/x-www-form-urlencoded") {
        return Err(problem(ProblemCode::UnsupportedMediaType));
    }
    Ok(bytes)
}

/// Makes a repeated send of one form harmless.
fn nonce() -> Result<String, Problem> {
    let mut bytes = [0_u8; 12];
    getrandom::fill(&mut bytes).map_err(|_| problem(ProblemCode::Internal))?;
    Ok(hex(&bytes))
}

#[cfg(test)]
#[path = "form_tests.rs"]
mod tests;
