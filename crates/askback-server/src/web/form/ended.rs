//! An inquiry that has its outcome, or one that can still be taken back: what was answered, by whom,
//! when and from where.

use askback_core::answer::{Answer, AnswerValue};
use askback_core::outcome::{Outcome, Resolution, Surface};
use askback_core::question::Question;
use askback_engine::InquiryView;
use askback_locale::Locale;
use jiff::tz::TimeZone;

use super::draw;
use crate::authenticate::Access;
use crate::web::html::{self, Escaped};

/// Whether somebody meant to answer and was too late.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Late {
    Yes,
    No,
}

/// The whole page.
pub(super) fn page(view: &InquiryView, locale: Locale, access: Access, late: Late) -> String {
    let title = draw::title(&view.inquiry);
    let (resolution, held) = match (&view.resolution, &view.held) {
        (Some(ended), _) => (&ended.resolution, String::new()),
        (None, Some(held)) => {
            let words = locale.text("web-held", &[]);
            let words = format!("<p class=\"hint\">{}</p>\n", Escaped(&words));
            (&held.resolution, words)
        }
        (None, None) => return html::document(locale, title, ""),
    };
    // Where scripts run, what is held can be taken back.
    let script = view.held.as_ref().map(|_| draw::script(access));
    let notice = match late {
        Late::No => String::new(),
        Late::Yes => {
            let words = locale.text("web-too-late", &[]);
            format!(
                "<p class=\"summary\" role=\"alert\">{}</p>\n",
                Escaped(&words)
            )
        }
    };
    let at = resolution.at;
    let clock = at.to_zoned(TimeZone::system());
    let main = format!(
        "{notice}<section>\n<h1 dir=\"auto\">{title}</h1>\n{answers}<p class=\"hint\">{how} \
         <time datetime=\"{at}\">{clock}</time></p>\n{held}</section>\n{script}",
        title = Escaped(title),
        answers = answers(view, locale, access, resolution),
        how = Escaped(&how(view, locale, resolution)),
        clock = clock.strftime("%Y-%m-%d %H:%M %Z"),
        script = script.unwrap_or_default(),
    );
    html::document(locale, title, &main)
}

/// What was answered. A link shows it only if it was answered through a link: whoever has one may
/// give an answer, not read those of others.
fn answers(view: &InquiryView, locale: Locale, access: Access, resolution: &Resolution) -> String {
    let Outcome::Answered { answers } = &resolution.outcome else {
        return String::new();
    };
    if access != Access::Token && resolution.by.surface != Surface::Link {
        return String::new();
    }
    let entries = answers.with_questions(&view.inquiry);
    let entries = entries.map(|(question, answer)| entry(locale, question, answer));
    let entries: String = entries.collect();
    format!("<dl>\n{entries}</dl>\n")
}

fn entry(locale: Locale, question: &Question, answer: &Answer) -> String {
    let shown = match &answer.given {
        AnswerValue::Skipped => vec![locale.text("answer-skipped", &[])],
        AnswerValue::Unanswered => vec![locale.text("answer-open", &[])],
        AnswerValue::Chosen { .. }
        | AnswerValue::Text { .. }
        | AnswerValue::Number { .. }
        | AnswerValue::Date { .. }
        | AnswerValue::DateRange { .. } => answer.given.display_parts(question),
    };
    // Each on its own: not every browser keeps the ends of lines.
    let shown = shown.iter().map(|part| {
        let part = Escaped(part);
        format!("<dd dir=\"auto\">{part}</dd>\n")
    });
    let shown: String = shown.collect();
    let note = answer.note.as_ref().map_or_else(String::new, |note| {
        let label = locale.text("note", &[]);
        format!(
            "<dd dir=\"auto\">{}: {}</dd>\n",
            Escaped(&label),
            Escaped(note.as_str())
        )
    });
    format!(
        "<dt dir=\"auto\">{}</dt>\n{shown}{note}",
        Escaped(question.text.as_str())
    )
}

/// How it ended, and who ended it from where.
fn how(view: &InquiryView, locale: Locale, resolution: &Resolution) -> String {
    let someone = locale.text("someone", &[]);
    let person = resolution.by.name.as_ref();
    let person = person.map_or(someone.as_str(), |name| name.as_str());
    let name = draw::title(&view.inquiry);
    let time = resolution.at.to_zoned(TimeZone::system());
    let time = time.strftime("%H:%M").to_string();
    match &resolution.outcome {
        Outcome::Answered { .. } => locale.text(
            "web-answered-by",
            &[
                ("person", person.into()),
                ("surface", place(resolution.by.surface).into()),
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

/// The word by which messages tell places apart.
fn place(surface: Surface) -> &'static str {
    match surface {
        Surface::Terminal => "terminal",
        Surface::Web => "web",
        Surface::Link => "link",
        Surface::Cli => "cli",
        Surface::Http => "http",
        Surface::Mcp => "mcp",
        Surface::System => "system",
    }
}
