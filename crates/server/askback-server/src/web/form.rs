//! `/q/{id}`: one inquiry as an HTML form that works without scripts, even in a text browser.
//!
//! Fields become a [`Draft`], so that answers are built and checked by the same code as on every other
//! surface. An invalid form is shown again with everything that was typed. A valid one redirects to
//! the same address, which then shows the outcome.

mod command;
mod draft_fields;
mod form_data;
mod form_page;
mod handed_on_page;
mod link_access;
mod outcome_page;
mod time;
mod unsent;

use askback_channels::{NewLink, PersonCode, handed_on_to};
use askback_core::answer::{AnswerError, AnswerProblem};
use askback_core::conversation::rejection::Rejection;
use askback_core::draft::Draft;
use askback_core::id::InquiryId;
use askback_core::inquiry::Inquiry;
use askback_core::outcome::Surface;
use askback_core::question::{Kind, Question};
use askback_core::text::Text;
use askback_engine::{CommitOptions, InquiryView, SubmitError};
use askback_locale::Locale;
use askback_wire::limits;
use askback_wire::link::LinkAllow;
use axum::Extension;
use axum::body::Body;
use axum::extract::Request;
use axum::http::{HeaderMap, HeaderValue, StatusCode, Uri, header};
use axum::response::{IntoResponse, Response};
use jiff::civil::Date;
use jiff::tz::TimeZone;

use self::form_data::FormData;
use self::link_access::{Found, NEW_LINK, NoAccess};
use self::outcome_page::Arrival;
use super::headers::with_origin;
use super::{failure, html, language};
use crate::authenticate::{Access, Caller};
use crate::extract::{Id, UNAUTHENTICATED_BYTES_MAX, read_form};
use crate::problem::Problem;
use crate::random_secret::random_hex;
use crate::request_key;
use crate::routes::AppState;
use crate::session::cookies;

/// The buttons. A form sent with Enter may name none, which means the first.
const ACTIONS: [&str; 7] = ["", "send", "skip", "decline", "reject", "keep", UNDO];

/// The button of the page that follows an answer.
const UNDO: &str = "undo";

/// Set by the web app if its user wants to press Send after a choice.
const TWO_STEPS_COOKIE: &str = "askback_two_steps";

/// Part of the address of the page that follows a form: its reader is the one who sent it.
const SENT: &str = "sent=1";

/// What a link must allow for its holder to press this button.
fn permission(action: &str) -> LinkAllow {
    match action {
        "decline" => LinkAllow::Decline,
        "reject" => LinkAllow::Stop,
        _ => LinkAllow::Answer,
    }
}

/// Where an answer through this form comes from.
fn surface(access: Access) -> Surface {
    match access {
        Access::Token => Surface::Web,
        Access::Link(_) | Access::None => Surface::Link,
    }
}

/// What the form shows.
struct FormContext<'a> {
    view: &'a InquiryView,
    /// To whom the question was handed on, by whom and why.
    handed_on: Option<String>,
    locale: Locale,
    access: Access,
    /// What was typed before: in this form, if it was invalid, or on another surface.
    fields: FormData,
    errors: Vec<AnswerError>,
    /// Texts that say why the form is shown again, if no answer is wrong.
    notice: &'static [&'static str],
    /// What “today” and “tomorrow” refer to.
    today: Date,
    /// This page with its key. Some text browsers need an explicit `action`.
    address: &'a str,
    radio_default: RadioDefault,
    steps: Steps,
}

impl<'a> FormContext<'a> {
    /// The form without errors.
    fn new(
        state: &AppState,
        found: &'a Found,
        headers: &HeaderMap,
        fields: FormData,
    ) -> FormContext<'a> {
        let locale = language::of(headers);
        FormContext {
            view: &found.view,
            handed_on: handed_on(state, &found.view, locale),
            locale,
            access: found.access,
            fields,
            errors: Vec::new(),
            notice: &[],
            today: today(state),
            address: &found.address,
            radio_default: RadioDefault::of(headers),
            steps: Steps::of(&found.view.inquiry, headers),
        }
    }
}

fn handed_on(state: &AppState, view: &InquiryView, locale: Locale) -> Option<String> {
    let handed_on = view.inquiry.handed_on()?;
    let alias = view.inquiry.recipient()?.as_str();
    let to = state.recipient_names.get(alias);
    let to = to.as_deref().unwrap_or(alias);
    let reason = handed_on.reason.as_ref().map(Text::as_str);
    Some(handed_on_to(locale, to, &handed_on.by, reason))
}

/// Which radio button a browser checks if the page checks none.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum RadioDefault {
    None,
    /// As HTML 2 says. The form then needs a first button for “no answer”.
    First,
}

impl RadioDefault {
    fn of(headers: &HeaderMap) -> RadioDefault {
        let agent = headers.get(header::USER_AGENT);
        match agent.and_then(|agent| agent.to_str().ok()) {
            Some(agent) if agent.starts_with("Lynx/") => RadioDefault::First,
            Some(_) | None => RadioDefault::None,
        }
    }
}

/// Whether a choice is sent at once or after Send was pressed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Steps {
    /// The choices are buttons.
    One,
    Two,
}

impl Steps {
    fn of(inquiry: &Inquiry, headers: &HeaderMap) -> Steps {
        let wants_two =
            cookies(headers).any(|(name, value)| (name, value) == (TWO_STEPS_COOKIE, "on"));
        match inquiry.questions() {
            [only] if !wants_two && is_one_choice(&only.kind) => Steps::One,
            _ => Steps::Two,
        }
    }
}

/// Whether the answer is one of several choices.
fn is_one_choice(kind: &Kind) -> bool {
    matches!(kind, Kind::Choice(kind) if !kind.several && kind.choices.len() > 1)
}

/// `GET /q/{id}`.
pub(super) async fn show(
    state: AppState,
    Extension(access): Extension<Access>,
    caller: Option<Extension<Caller>>,
    Id(id): Id<InquiryId>,
    uri: Uri,
    headers: HeaderMap,
) -> Result<Response, Response> {
    let locale = language::of(&headers);
    let found = link_access::find(&state, &id, access, caller.as_deref(), &uri).await;
    let found = found.map_err(|refused| refused.page(&uri, &headers))?;
    let (view, access) = (&found.view, found.access);
    let arrival = if query(&uri).any(|pair| pair == SENT) {
        Arrival::Sent
    } else {
        Arrival::Opened
    };
    if let Some(page) = outcome_page::page(&found, locale, arrival) {
        return Ok(with_origin(html::page(StatusCode::OK, page)));
    }
    if let Some(page) = handed_on_page::page(&found, locale, None) {
        return Ok(html::page(StatusCode::OK, page));
    }
    let fields = prefilled_fields(&state, view, access)
        .await
        .map_err(|problem| failure(&uri, &headers, problem))?;
    let form = FormContext::new(&state, &found, &headers, fields);
    Ok(with_origin(html::page(
        StatusCode::OK,
        form_page::page(&form),
    )))
}

/// `POST /q/{id}`.
pub(super) async fn submit(
    state: AppState,
    Extension(access): Extension<Access>,
    caller: Option<Extension<Caller>>,
    Id(id): Id<InquiryId>,
    request: Request,
) -> Result<Response, Response> {
    let (parts, body) = request.into_parts();
    let (uri, headers) = (parts.uri, parts.headers);
    let found = match link_access::find(&state, &id, access, caller.as_deref(), &uri).await {
        Ok(found) => found,
        Err(refused) => return Err(refused_form(&state, refused, &uri, &headers, body).await),
    };
    let body = read_form(&headers, body, limits::BODY_BYTES_MAX)
        .await
        .map_err(IntoResponse::into_response)?;
    let fields = FormData::parse(&body).with_pressed_choice(found.view.inquiry.questions());
    let form = FormContext::new(&state, &found, &headers, fields);
    let refused = refuse_former_holder(&form, &found);
    if let Some(response) = refused.or_else(|| respond_without_command(&form)) {
        return Ok(response);
    }
    if form.fields.action() == UNDO {
        return Ok(command::undo(&state, &found, &uri, &headers).await);
    }
    let command = match command::command(&form).await {
        Ok(command) => command,
        Err(errors) => return Ok(invalid_form(form, errors)),
    };
    let options = CommitOptions {
        seen: Some(found.seen.clone()),
        ..idempotent(&id, &form.fields, &body)
    };
    let conversation = &found.view.row.conversation;
    let submitted = state
        .engine
        .submit_with(conversation, command, found.actor(), options);
    match submitted.await {
        Ok(_) | Err(SubmitError::Repeated { .. }) => Ok(redirect(&uri, Some(SENT))),
        Err(SubmitError::Rejected(Rejection::InvalidAnswer(errors))) => {
            Ok(invalid_form(form, errors))
        }
        // Somebody else answered first, the question changed or was handed on, or this form was sent before with other
        // fields.
        Err(
            error @ (SubmitError::Rejected(
                Rejection::NotPending
                | Rejection::Expired { .. }
                | Rejection::StaleInquiry
                | Rejection::Held,
            )
            | SubmitError::KeyReused),
        ) => {
            let found = link_access::find(&state, &id, access, caller.as_deref(), &uri).await;
            let found =
                found.map_err(|refused| refused.page_after_form(&uri, &headers, &form.fields))?;
            let form = FormContext {
                view: &found.view,
                access: found.access,
                ..form
            };
            match refuse_former_holder(&form, &found) {
                Some(response) => Ok(response),
                None => conflict(form, &found, &error).map_err(IntoResponse::into_response),
            }
        }
        Err(error) => Ok(unsent::failure(
            &uri,
            &headers,
            Problem::from(error),
            &form.fields,
        )),
    }
}

/// The page for a form whose sender has no access, with what they entered.
async fn refused_form(
    state: &AppState,
    refused: NoAccess,
    uri: &Uri,
    headers: &HeaderMap,
    body: Body,
) -> Response {
    let bytes_max = match &refused {
        NoAccess::SignedOut => UNAUTHENTICATED_BYTES_MAX,
        NoAccess::NotFound | NoAccess::ClosedLink { .. } | NoAccess::Failed(_) => {
            limits::BODY_BYTES_MAX
        }
    };
    let body = read_form(headers, body, bytes_max).await;
    let fields = body.map(|body| FormData::parse(&body)).unwrap_or_default();
    match &refused {
        NoAccess::ClosedLink {
            view,
            renewable_for: Some(person),
            ..
        } if fields.action() == NEW_LINK => new_link(state, view, *person, uri, headers).await,
        NoAccess::SignedOut
        | NoAccess::NotFound
        | NoAccess::ClosedLink { .. }
        | NoAccess::Failed(_) => refused.page_after_form(uri, headers, &fields),
    }
}

/// Sends a new link to the person whose link has ended, where they got the old one.
async fn new_link(
    state: &AppState,
    view: &InquiryView,
    person: PersonCode,
    uri: &Uri,
    headers: &HeaderMap,
) -> Response {
    let (status, text) = match state.channels.personal_links.renew(view, person).await {
        Ok(NewLink::Planned) => (StatusCode::OK, "web-link-new-sent"),
        Ok(NewLink::SentRecently) => (StatusCode::TOO_MANY_REQUESTS, "web-link-new-recently"),
        // The question has ended in this moment, or was handed on.
        Ok(NewLink::NoMessage) => (StatusCode::CONFLICT, "web-link-ask-again"),
        Err(error) => return failure(uri, headers, Problem::from(error)),
    };
    html::message_page(language::of(headers), status, &[text])
}

/// For a request that failed before it got here. What was entered in a form is shown again.
pub(super) async fn failure_before(request: Request, problem: Problem) -> Response {
    let (parts, body) = request.into_parts();
    let (uri, headers) = (&parts.uri, &parts.headers);
    let body = read_form(headers, body, UNAUTHENTICATED_BYTES_MAX).await;
    match body {
        Ok(body) => unsent::failure(uri, headers, problem, &FormData::parse(&body)),
        Err(_) => failure(uri, headers, problem),
    }
}

/// The response to a button that changes nothing: it is unknown, the link does not allow it, it keeps
/// the question open, or it must be confirmed first.
fn respond_without_command(form: &FormContext<'_>) -> Option<Response> {
    let action = form.fields.action();
    let message = |status, id| html::message_page(form.locale, status, &[id]);
    if !ACTIONS.contains(&action) {
        return Some(message(StatusCode::BAD_REQUEST, "web-failed"));
    }
    if !form.access.allows(permission(action)) {
        let page = message(StatusCode::FORBIDDEN, "web-link-not-allowed");
        return Some(with_origin(page));
    }
    if action == "keep" || form_page::asks_for_confirmation(form) {
        let page = html::page(StatusCode::OK, form_page::page(form));
        return Some(with_origin(page));
    }
    None
}

/// Gives a form that is sent twice one effect.
fn idempotent(id: &InquiryId, fields: &FormData, body: &[u8]) -> CommitOptions {
    let keys = fields
        .nonce()
        .map(|nonce| request_key::form(format!("{id}:{nonce}"), body));
    CommitOptions {
        keys: keys.unwrap_or_default(),
        ..CommitOptions::default()
    }
}

/// The fields of a form that is shown for the first time, with the stored draft. Links get no draft:
/// their holder may answer, but not read what others wrote.
async fn prefilled_fields(
    state: &AppState,
    view: &InquiryView,
    access: Access,
) -> Result<FormData, Problem> {
    let nonce = random_nonce()?;
    let row = match access {
        Access::Token => state.engine.store().draft(&view.row.id).await?,
        Access::Link(_) | Access::None => None,
    };
    let draft = row.and_then(|row| serde_json::from_str(&row.json).ok());
    Ok(draft.map_or_else(
        || FormData::new(&nonce),
        |draft| {
            let draft = Draft::restore(&view.inquiry, draft);
            draft_fields::fields_from_draft(&view.inquiry, &draft, &nonce)
        },
    ))
}

/// The date where the server runs, since a form without scripts cannot send its own.
fn today(state: &AppState) -> Date {
    let now = state.engine.clock().now();
    now.to_zoned(TimeZone::system()).date()
}

/// The form again, with its errors and everything that was typed.
fn invalid_form(form: FormContext<'_>, errors: Vec<AnswerError>) -> Response {
    let errors = name_single_question(form.view.inquiry.questions(), errors);
    let page = form_page::page(&FormContext { errors, ..form });
    with_origin(html::page(StatusCode::UNPROCESSABLE_ENTITY, page))
}

/// "Answer at least one" makes no sense where there is one question: its answer is empty.
fn name_single_question(questions: &[Question], mut errors: Vec<AnswerError>) -> Vec<AnswerError> {
    if let ([question], [error]) = (questions, errors.as_mut_slice())
        && error.problem == AnswerProblem::NothingAnswered
    {
        error.question = Some(question.id.clone());
        question.name().clone_into(&mut error.name);
        error.problem = AnswerProblem::Empty;
    }
    errors
}

/// How a question ended or who has it now, for the holder of a link who had it before. An answer of theirs must not
/// reach the core: while the answer of its recipient can be undone, it might be accepted.
fn refuse_former_holder(form: &FormContext<'_>, found: &Found) -> Option<Response> {
    let handed_on = handed_on_page::page(found, form.locale, Some(&form.fields))?;
    let arrival = Arrival::TooLate(&form.fields);
    let outcome = outcome_page::page(found, form.locale, arrival);
    let page = outcome.unwrap_or(handed_on);
    Some(with_origin(html::page(StatusCode::CONFLICT, page)))
}

/// The answer that is kept instead of the one that was sent. If the question is open, the form again
/// with everything that was typed.
fn conflict(
    form: FormContext<'_>,
    found: &Found,
    error: &SubmitError,
) -> Result<Response, Problem> {
    let outcome = outcome_page::page(found, form.locale, Arrival::TooLate(&form.fields));
    let page = match outcome {
        Some(page) => page,
        None => form_page::page(&FormContext {
            // With the old nonce, the form would be a repetition of the one that was refused.
            fields: form.fields.with_nonce(&random_nonce()?),
            // The deadline may have passed before its timer fires.
            notice: if matches!(error, SubmitError::Rejected(Rejection::Expired { .. })) {
                &["web-too-late"]
            } else {
                &["web-not-sent", "web-failed"]
            },
            ..form
        }),
    };
    Ok(with_origin(html::page(StatusCode::CONFLICT, page)))
}

/// Redirects to the same address, which then shows the outcome, or the form after an undo.
fn redirect(uri: &Uri, added: Option<&str>) -> Response {
    let mut response = StatusCode::SEE_OTHER.into_response();
    let mut address = address(uri);
    if let Some(added) = added {
        address.push(if address.contains('?') { '&' } else { '?' });
        address.push_str(added);
    }
    if let Ok(address) = HeaderValue::from_str(&address) {
        response.headers_mut().insert(header::LOCATION, address);
    }
    with_origin(response)
}

/// The address of the form, without what a redirect has added.
fn address(uri: &Uri) -> String {
    let kept: Vec<&str> = query(uri).filter(|pair| *pair != SENT).collect();
    if kept.is_empty() {
        uri.path().to_owned()
    } else {
        format!("{}?{}", uri.path(), kept.join("&"))
    }
}

/// The pairs of the query, undecoded.
fn query(uri: &Uri) -> impl Iterator<Item = &str> {
    let query = uri.query().unwrap_or_default();
    query.split('&').filter(|pair| !pair.is_empty())
}

fn random_nonce() -> Result<String, Problem> {
    Ok(random_hex::<12>()?)
}

#[cfg(test)]
#[path = "form_tests.rs"]
mod tests;
