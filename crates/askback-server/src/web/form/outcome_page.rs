//! An inquiry that was answered or ended otherwise: what was answered, by whom, when and from where.

use askback_core::answer::{Answer, AnswerValue};
use askback_core::outcome::{Outcome, Resolution, Surface};
use askback_core::question::Question;
use askback_engine::InquiryView;
use askback_locale::Locale;
use askback_wire::actor::SurfaceName;
use jiff::tz::TimeZone;
use maud::{Markup, html};

use super::form_page;
use crate::authenticate::Access;
use crate::web::html;

/// Whether the page replaces an answer that came too late.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum TooLate {
    Yes,
    No,
}

/// `None` if the inquiry still waits for an answer.
pub(super) fn page(
    view: &InquiryView,
    locale: Locale,
    access: Access,
    too_late: TooLate,
) -> Option<String> {
    let title = form_page::title(&view.inquiry);
    let ended = view.resolution.as_ref().map(|ended| &ended.resolution);
    let held = view.held.as_ref().map(|held| &held.resolution);
    let resolution = ended.or(held)?;
    let at = resolution.at;
    let clock = at
        .to_zoned(TimeZone::system())
        .strftime("%Y-%m-%d %H:%M %Z");
    let main = html! {
        @if too_late == TooLate::Yes {
            p class="summary" role="alert" { (locale.text("web-too-late", &[])) }
        }
        section {
            h1 dir="auto" { (title) }
            (answers(view, locale, access, resolution))
            p class="hint" {
                (ending(view, locale, resolution)) " " time datetime=(at) { (clock) }
            }
            @if ended.is_none() { p class="hint" { (locale.text("web-held", &[])) } }
        }
        // Where scripts run, an answer that is held can be undone.
        @if held.is_some() { (form_page::script(access)) }
    };
    Some(html::document(locale, title, &main).into_string())
}

/// A link shows answers only if they were given through a link: its holder may answer, but not read
/// the answers of others.
fn answers(view: &InquiryView, locale: Locale, access: Access, resolution: &Resolution) -> Markup {
    let Outcome::Answered { answers } = &resolution.outcome else {
        return html! {};
    };
    if access != Access::Token && resolution.by.surface != Surface::Link {
        return html! {};
    }
    html! {
        dl {
            @for (question, answer) in answers.with_questions(&view.inquiry) {
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
        AnswerValue::Chosen { .. }
        | AnswerValue::Text { .. }
        | AnswerValue::Number { .. }
        | AnswerValue::Date { .. }
        | AnswerValue::DateRange { .. } => answer.given.display_parts(question),
    }
}

/// A sentence on how the inquiry ended, by whom and from where.
fn ending(view: &InquiryView, locale: Locale, resolution: &Resolution) -> String {
    let someone = locale.text("someone", &[]);
    let person = resolution.by.name.as_ref();
    let person = person.map_or(someone.as_str(), |name| name.as_str());
    let name = form_page::title(&view.inquiry);
    let time = resolution.at.to_zoned(TimeZone::system());
    let time = time.strftime("%H:%M").to_string();
    let surface = SurfaceName::from(resolution.by.surface);
    match &resolution.outcome {
        Outcome::Answered { .. } => locale.text(
            "web-answered-by",
            &[
                ("person", person.into()),
                ("surface", surface.as_str().into()),
            ],
        ),
        Outcome::Declined => locale.text("web-declined-by", &[("person", person.into())]),
        Outcome::Rejected => locale.text("web-rejected-by", &[("person", person.into())]),
        Outcome::Cancelled => locale.text("web-cancelled-by", &[("person", person.into())]),
        Outcome::Withdrawn if view.inquiry.questions().is_empty() => {
            locale.text("web-deleted", &[])
        }
        Outcome::Withdrawn => locale.text("web-withdrawn", &[]),
        Outcome::Expired => locale.text("web-expired", &[("time", time.into())]),
        Outcome::Superseded { .. } => locale.text("resolved-superseded", &[("name", name.into())]),
        Outcome::Undeliverable { .. } => {
            locale.text("resolved-undeliverable", &[("name", name.into())])
        }
    }
}
