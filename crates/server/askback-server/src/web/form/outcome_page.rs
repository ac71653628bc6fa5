//! An inquiry that was answered or ended otherwise: what was answered, by whom, when and from where.
//! Whoever has just sent the form is thanked and told what the agent does now.

use askback_core::answer::{Answer, AnswerValue};
use askback_core::outcome::{Outcome, Resolution, Surface};
use askback_core::question::Question;
use askback_core::text::Text;
use askback_engine::InquiryView;
use askback_locale::Locale;
use askback_wire::actor::SurfaceName;
use maud::{Markup, html};

use super::form_data::FormData;
use super::form_page;
use super::link_access::Found;
use super::time::{self, with_time};
use super::unsent;
use crate::authenticate::Access;
use crate::web::html;

/// What brought the reader here.
#[derive(Clone, Copy)]
pub(super) enum Arrival<'a> {
    /// They opened the address.
    Opened,
    /// They sent the form, and it ended the inquiry.
    Sent,
    /// They sent the form after the inquiry had ended. What they entered is shown, so that it is not lost.
    TooLate(&'a FormData),
}

/// `None` if the inquiry still waits for an answer.
pub(super) fn page(found: &Found, locale: Locale, arrival: Arrival<'_>) -> Option<String> {
    let (view, access) = (&found.view, found.access);
    let title = form_page::title(&view.inquiry);
    let ended = view.resolution.as_ref().map(|ended| &ended.resolution);
    let held = view.held.as_ref().map(|held| &held.resolution);
    let resolution = ended.or(held)?;
    let thanks = match arrival {
        // Somebody else may have answered after an undo.
        Arrival::Sent if resolution.by.surface == super::surface(access) => {
            thanks(view, locale, resolution)
        }
        Arrival::Sent | Arrival::Opened | Arrival::TooLate(_) => None,
    };
    let asks = form_page::asks(view, locale);
    let main = html! {
        @if let Arrival::TooLate(fields) = arrival {
            p class="summary" role="alert" { (locale.text("web-too-late", &[])) }
            (unsent::answers(view, locale, fields))
        }
        section {
            @if let Some(thanks) = &thanks {
                h1 { (thanks) }
                p { (locale.text("web-close-page", &[])) }
            } @else {
                h1 dir="auto" { (title) }
                @if let Some(asks) = asks { p class="hint" { (asks) } }
            }
            (answers(found, locale, resolution))
            p class="hint" {
                @if thanks.is_some() { (time::element(locale, resolution.at)) }
                @else { (ending(view, locale, resolution)) }
            }
            @if ended.is_none() { p class="hint" { (locale.text("web-held", &[])) } }
            @if ended.is_none() && found.holds_own_answer {
                form method="post" action=(found.address) {
                    p { input type="submit" name="action-undo" value=(locale.text("channel-undo", &[])); }
                }
            }
        }
        // Where scripts run, an answer that is held can be undone.
        // Behind a link, what was kept of the form is removed.
        @if held.is_some() || access != Access::Token { (form_page::script(access)) }
        (time::script())
    };
    Some(html::document(locale, title, &main).into_string())
}

/// What the agent does after the reader's own answer. `None` for outcomes that no form has.
fn thanks(view: &InquiryView, locale: Locale, resolution: &Resolution) -> Option<String> {
    let id = match &resolution.outcome {
        Outcome::Answered { .. } => "web-thanks-answered",
        Outcome::Declined => "web-thanks-declined",
        Outcome::Rejected | Outcome::Cancelled => "web-thanks-stopped",
        Outcome::Withdrawn
        | Outcome::Expired
        | Outcome::Superseded { .. }
        | Outcome::Undeliverable { .. } => return None,
    };
    let agent = view.asker_name().map(Text::as_str);
    let named = if agent.is_some() { "yes" } else { "no" };
    let agent = agent.unwrap_or_default();
    Some(locale.text(id, &[("named", named.into()), ("agent", agent.into())]))
}

/// A link shows answers only if they were given through a link, and the question was not handed on: its holder may
/// answer, but not read the answers of others.
fn answers(found: &Found, locale: Locale, resolution: &Resolution) -> Markup {
    let Outcome::Answered { answers } = &resolution.outcome else {
        return html! {};
    };
    let is_by_link = resolution.by.surface == Surface::Link && !found.is_handed_on();
    if found.access != Access::Token && !is_by_link {
        return html! {};
    }
    html! {
        dl {
            @for (question, answer) in answers.with_questions(&found.view.inquiry) {
                dt dir="auto" { (question.text) }
                // One element for each part, because text browsers drop line breaks.
                @for part in parts(locale, question, answer) { dd dir="auto" { (part) } }
                @if let Some(note) = &answer.note {
                    dd dir="auto" { (locale.text("note", &[])) ": " (note) }
                }
            }
        }
    }
}

fn parts(locale: Locale, question: &Question, answer: &Answer) -> Vec<String> {
    match &answer.given {
        AnswerValue::Skipped => vec![locale.text("answer-skipped", &[])],
        AnswerValue::Unanswered => vec![locale.text("answer-open", &[])],
        AnswerValue::Number { number } => vec![locale.number(*number)],
        AnswerValue::Chosen { .. }
        | AnswerValue::Text { .. }
        | AnswerValue::Date { .. }
        | AnswerValue::DateRange { .. } => answer.given.display_parts(question),
    }
}

/// How the inquiry ended, by whom, from where and when.
fn ending(view: &InquiryView, locale: Locale, resolution: &Resolution) -> Markup {
    let someone = locale.text("someone", &[]);
    let person = resolution.by.name.as_ref();
    let person = person.map_or(someone.as_str(), |name| name.as_str());
    let name = form_page::title(&view.inquiry);
    let surface = SurfaceName::from(resolution.by.surface);
    let sentence = match &resolution.outcome {
        Outcome::Answered { .. } => locale.text(
            "web-answered-by",
            &[
                ("person", person.into()),
                ("surface", surface.as_str().into()),
            ],
        ),
        Outcome::Declined => locale.text("web-declined-by", &[("person", person.into())]),
        Outcome::Rejected | Outcome::Cancelled => {
            locale.text("web-rejected-by", &[("person", person.into())])
        }
        Outcome::Withdrawn if view.inquiry.questions().is_empty() => {
            locale.text("web-deleted", &[])
        }
        Outcome::Withdrawn => locale.text("web-withdrawn", &[]),
        // It names the time itself.
        Outcome::Expired => return with_time(locale, "web-expired", resolution.at),
        Outcome::Superseded { .. } => locale.text("resolved-superseded", &[("name", name.into())]),
        Outcome::Undeliverable { .. } => {
            locale.text("resolved-undeliverable", &[("name", name.into())])
        }
    };
    html! { (sentence) " · " (time::element(locale, resolution.at)) }
}
