//! A question that was handed on, for the holder of a link who had it before: the question, but not who has it now.

use askback_locale::Locale;
use maud::html;

use super::form_data::FormData;
use super::form_page;
use super::link_access::Found;
use super::unsent;
use crate::web::html;

/// `None` if the caller may answer. What they sent is shown, so that it is not lost.
pub(super) fn page(found: &Found, locale: Locale, sent: Option<&FormData>) -> Option<String> {
    if !found.is_handed_on() {
        return None;
    }
    let view = &found.view;
    let title = form_page::title(&view.inquiry);
    let asks = form_page::asks(view, locale);
    let main = html! {
        p class="summary" role="alert" dir="auto" { (locale.text("handed-on-to-other", &[])) }
        @if let Some(fields) = sent { (unsent::answers(view, locale, fields)) }
        section {
            h1 dir="auto" { (title) }
            @if let Some(asks) = asks { p class="hint" { (asks) } }
            @for question in view.inquiry.questions() {
                @if question.text.as_str() != title { p dir="auto" { (question.text) } }
                ul { @for choice in question.choices() { li dir="auto" { (choice.label) } } }
            }
        }
    };
    Some(html::document(locale, title, &main).into_string())
}
