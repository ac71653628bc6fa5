//! What somebody entered and could not send, so that it is not lost: to read, to copy, or to send again.

use askback_engine::InquiryView;
use askback_locale::Locale;
use axum::http::{HeaderMap, Uri};
use axum::response::Response;
use maud::{Markup, html};

use super::draft_fields::entered_lines;
use super::form_data::FormData;
use crate::problem::Problem;
use crate::web::{failure_page, language};

/// The answers below their questions.
pub(super) fn answers(view: &InquiryView, locale: Locale, fields: &FormData) -> Markup {
    let entered = entered_lines(&view.inquiry, fields);
    html! {
        @if !entered.is_empty() {
            section {
                h2 { (locale.text("web-not-sent", &[])) }
                dl {
                    @for (question, lines) in entered {
                        dt dir="auto" { (question.text) }
                        @for line in lines { dd dir="auto" { (line) } }
                    }
                }
            }
        }
    }
}

/// The texts alone, for whoever may no longer see the question.
pub(super) fn texts(locale: Locale, fields: &FormData) -> Markup {
    let entered: Vec<&str> = fields.entered().collect();
    html! {
        @if !entered.is_empty() {
            section {
                h2 { (locale.text("web-not-sent", &[])) }
                p { (locale.text("web-copy-unsent", &[])) }
                dl { @for text in entered { dd dir="auto" { (text) } } }
            }
        }
    }
}

/// For a form that the server could not store. Its button sends the same form again, which takes effect once.
pub(super) fn failure(
    uri: &Uri,
    headers: &HeaderMap,
    problem: Problem,
    fields: &FormData,
) -> Response {
    let locale = language::of(headers);
    let main = html! {
        (failure_page::message(headers, &problem))
        (texts(locale, fields))
        form method="post" action=(super::address(uri)) {
            @for (name, value) in fields.pairs() { input type="hidden" name=(name) value=(value); }
            p { input type="submit" value=(locale.text("web-try-again", &[])) class="primary"; }
        }
    };
    failure_page::page(headers, problem, &main)
}
