//! `/press/{channel}/{recipient}/{data}`: the buttons of notifications and mails. A POST presses. A GET only
//! shows what a press would do, because mail programs and scanners open every link.

use askback_channels::{Button, Feedback, LinkHolder, PersonCode, Press, PressResult, SignedPress};
use askback_engine::InquiryView;
use askback_locale::Locale;
use axum::Json;
use axum::extract::Path;
use axum::http::{HeaderMap, StatusCode, Uri, header};
use axum::response::{IntoResponse as _, Response};
use maud::html;

use super::{failure, html, language, sign_in_page};
use crate::problem::Problem;
use crate::routes::AppState;

/// The key of a URL.
fn key_of(uri: &Uri) -> String {
    let mut pairs = form_urlencoded::parse(uri.query().unwrap_or_default().as_bytes());
    let key = pairs.find_map(|(name, key)| (name == "key").then(|| key.into_owned()));
    key.unwrap_or_default()
}

/// `GET`: what a press would do, with a button that does it.
pub(super) async fn show(
    state: AppState,
    Path(press): Path<SignedPress>,
    uri: Uri,
    headers: HeaderMap,
) -> Response {
    let (presses, key) = (&state.channels.url_presses, key_of(&uri));
    let locale = language::of(&headers);
    if !presses.verifies(&press, &key) {
        return sign_in_page::link_expired_page(&headers, "/", &html! {});
    }
    let button = Button::decode(&press.data);
    let found = match &button {
        Some(button) => state.engine.inquiry(&button.inquiry).await,
        None => Ok(None),
    };
    match (button, found) {
        // A press on a question that has ended only says how it ended.
        (Some(_), Ok(Some(view))) if view.resolution.is_some() => {
            let told = presses.press(&press, &key).await;
            ended(locale, &view, told.and_then(Result::ok).as_ref())
        }
        (Some(button), Ok(Some(view))) => {
            let person = PersonCode::new(&press.recipient);
            match state.channels.personal_links.holder(&view, person).await {
                Ok(Some(holder)) => confirmation(locale, &view, &holder, &button),
                Ok(None) => sign_in_page::link_expired_page(&headers, "/", &html! {}),
                Err(_) => {
                    html::message_page(locale, StatusCode::SERVICE_UNAVAILABLE, &["web-failed"])
                }
            }
        }
        (_, Ok(_)) => html::message_page(locale, StatusCode::NOT_FOUND, &["web-not-found"]),
        (_, Err(error)) => failure(&uri, &headers, Problem::from(error)),
    }
}

/// `POST`: presses. The status tells a phone whether it worked; the page tells a person what came of it.
pub(super) async fn submit(
    state: AppState,
    Path(press): Path<SignedPress>,
    uri: Uri,
    headers: HeaderMap,
) -> Response {
    let (presses, key) = (&state.channels.url_presses, key_of(&uri));
    let locale = language::of(&headers);
    match presses.press(&press, &key).await {
        None => sign_in_page::link_expired_page(&headers, "/", &html! {}),
        Some(Ok(feedback)) if wants_json(&headers) => told_in_json(&feedback),
        Some(Ok(feedback)) => {
            let is_undoable = matches!(feedback.result, PressResult::AcceptedWithUndo { .. });
            let undo = presses.undo_path(&press, &key);
            told(locale, &feedback, undo.filter(|_| is_undoable).as_deref())
        }
        Some(Err(_)) => {
            html::message_page(locale, StatusCode::SERVICE_UNAVAILABLE, &["web-failed"])
        }
    }
}

fn confirmation(
    locale: Locale,
    view: &InquiryView,
    holder: &LinkHolder,
    button: &Button,
) -> Response {
    let questions = view.inquiry.questions();
    let (question, taken) = match button.press {
        Press::Choose { question, choice } => {
            let question = questions.get(question);
            let choice = question.and_then(|question| question.choices().get(choice));
            (question, choice.map(|choice| choice.label.to_string()))
        }
        Press::Undo => (questions.first(), Some(locale.text("channel-undo", &[]))),
        Press::Tick { .. }
        | Press::Write { .. }
        | Press::Date { .. }
        | Press::Skip { .. }
        | Press::Page { .. }
        | Press::Send { .. }
        | Press::Decline
        | Press::People { .. }
        | Press::Reason
        | Press::HandOn { .. } => (questions.first(), None),
    };
    let title = question.map_or_else(String::new, |question| question.text.to_string());
    let main = html! {
        section {
            h1 dir="auto" { (title) }
            @if let Some(taken) = &taken { p dir="auto" { (taken) } }
            @if *holder == LinkHolder::Former {
                p class="summary" role="alert" dir="auto" { (locale.text("handed-on-to-other", &[])) }
            } @else {
                form method="post" {
                    button class="primary" type="submit" { (locale.text("channel-send", &[])) }
                }
            }
        }
    };
    html::titled_page(locale, StatusCode::OK, &main)
}

/// How the question ended: opening one's own link again after answering is no mistake.
fn ended(locale: Locale, view: &InquiryView, told: Option<&Feedback>) -> Response {
    let question = view.inquiry.questions().first();
    let title = question.map_or_else(String::new, |question| question.text.to_string());
    let closed = locale.text("web-too-late", &[]);
    let how = told.map_or(closed.as_str(), |told| told.text.as_str());
    let main = html! {
        section {
            h1 dir="auto" { (title) }
            @for line in how.lines() { p dir="auto" { (line) } }
        }
    };
    html::titled_page(locale, StatusCode::OK, &main)
}

fn status_of(feedback: &Feedback) -> StatusCode {
    if feedback.is_alert() {
        StatusCode::CONFLICT
    } else {
        StatusCode::OK
    }
}

/// The service worker of our pages shows the text in a notification.
fn wants_json(headers: &HeaderMap) -> bool {
    let accept = headers.get(header::ACCEPT);
    accept.is_some_and(|accept| accept == "application/json")
}

fn told_in_json(feedback: &Feedback) -> Response {
    let text = Json(serde_json::json!({ "text": feedback.text }));
    (status_of(feedback), text).into_response()
}

/// What came of a press, with a button that undoes it while that is possible.
fn told(locale: Locale, feedback: &Feedback, undo: Option<&str>) -> Response {
    let status = status_of(feedback);
    let main = html! {
        section {
            @if feedback.is_alert() {
                p class="summary" role="alert" dir="auto" { (feedback.text) }
            } @else {
                h1 dir="auto" { (feedback.text) }
                @if let Some(undo) = undo {
                    form method="post" action=(undo) {
                        button type="submit" { (locale.text("channel-undo", &[])) }
                    }
                }
                p { (locale.text("web-close-page", &[])) }
            }
        }
    };
    html::titled_page(locale, status, &main)
}
