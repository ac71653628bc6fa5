//! The form of an inquiry that waits. Every text of an agent is written through [`Escaped`], labels
//! between marks that keep their direction to themselves.

mod field;

use askback_core::answer::AnswerError;
use askback_core::inquiry::Inquiry;
use askback_core::question::{Kind, Question};

use super::Sheet;
use super::data::FormData;
use crate::authenticate::Access;
use crate::web::files::WebFile;
use crate::web::html::{self, Escaped};

/// The script that makes more of the page where scripts run.
const UPGRADE: &str = "question-page.js";

/// The whole page.
pub(super) fn page(sheet: &Sheet<'_>) -> String {
    let locale = sheet.locale;
    let inquiry = &sheet.view.inquiry;
    let title = title(inquiry);
    let count = inquiry.questions().len();
    let questions = inquiry.questions().iter().enumerate();
    let questions: String = questions
        .map(|(index, question)| {
            let place = (count > 1).then(|| {
                let args = [("index", (index + 1).into()), ("count", count.into())];
                locale.text("question-of", &args)
            });
            field::question(sheet, question, place.as_deref())
        })
        .collect();
    let main = format!(
        "{summary}<section>\n{heading}\
         <form method=\"post\" action=\"{address}\" novalidate>\n\
         <input type=\"hidden\" name=\"revision\" value=\"{revision}\">\n\
         <input type=\"hidden\" name=\"once\" value=\"{once}\">\n\
         {questions}{buttons}</form>\n</section>\n{script}",
        summary = summary(sheet),
        heading = heading(sheet),
        address = Escaped(sheet.address),
        revision = sheet.view.row.revision,
        once = Escaped(sheet.kept.once().unwrap_or_default()),
        buttons = confirmation(sheet).unwrap_or_else(|| buttons(sheet)),
        script = script(sheet.access),
    );
    let title = if sheet.errors.is_empty() {
        title.to_owned()
    } else {
        format!("{}: {title}", locale.text("web-error", &[]))
    };
    html::document(locale, &title, &main)
}

/// What the page is about and who asks. A question without a name is not said twice: it follows.
fn heading(sheet: &Sheet<'_>) -> String {
    let locale = sheet.locale;
    let questions = sheet.view.inquiry.questions();
    let count = locale.text("question-count", &[("count", questions.len().into())]);
    let name = questions.first().and_then(|first| first.header.as_ref());
    let source = sheet.view.row.source.as_deref();
    let asks = source.map(|agent| locale.text("asks", &[("agent", agent.into())]));
    let (first, second) = match (name, asks) {
        (Some(name), asks) => (name.as_str().to_owned(), asks),
        (None, asks) => (asks.unwrap_or(count), None),
    };
    let second = second.map_or_else(String::new, |asks| {
        format!("<p class=\"hint\">{}</p>\n", Escaped(&asks))
    });
    format!("<h1 dir=\"auto\">{}</h1>\n{second}", Escaped(&first))
}

/// What an inquiry is called: the header of its first question, or its text.
pub(super) fn title(inquiry: &Inquiry) -> &str {
    let first = inquiry.questions().first();
    first.map_or("askback", |question| {
        let header = question.header.as_ref();
        header.unwrap_or(&question.text).as_str()
    })
}

/// Whoever has the token can be shown more; a link opens this page and nothing else.
pub(super) fn script(access: Access) -> String {
    if access == Access::Token && WebFile::named(UPGRADE).is_some() {
        format!("<script type=\"module\" src=\"/web/{UPGRADE}\"></script>\n")
    } else {
        String::new()
    }
}

/// What does not fit, each with a link to its field.
fn summary(sheet: &Sheet<'_>) -> String {
    if sheet.errors.is_empty() {
        return String::new();
    }
    let inquiry = &sheet.view.inquiry;
    let entries = sheet.errors.iter().map(|error| {
        let words = sheet.locale.problem(error, inquiry.questions());
        let field = field_of(inquiry, error);
        format!(
            "<li><a href=\"#{}\">{}</a></li>\n",
            Escaped(&field),
            Escaped(&words)
        )
    });
    let entries: String = entries.collect();
    let count = sheet.errors.len();
    let heading = sheet
        .locale
        .text("web-error-summary", &[("count", count.into())]);
    format!(
        "<div class=\"summary\" role=\"alert\" tabindex=\"-1\">\n<h2>{}</h2>\n<ul>\n{entries}</ul>\n\
         </div>\n",
        Escaped(&heading)
    )
}

/// The first control of the question that an error is about.
fn field_of(inquiry: &Inquiry, error: &AnswerError) -> String {
    let at = error.question.as_ref().and_then(|id| inquiry.position(id));
    let question = inquiry.questions().get(at.unwrap_or(0));
    question.map_or_else(String::new, first_control)
}

/// The id of the first control of a question.
fn first_control(question: &Question) -> String {
    let id = &question.id;
    match &question.kind {
        Kind::Choice(_) => format!("{id}-1"),
        Kind::Text(_) | Kind::Number(_) | Kind::Date(_) => format!("{id}-field"),
        Kind::DateRange(_) => format!("{id}-start"),
    }
}

/// Whether the pressed button needs a second one: it was not asked about yet, and cannot be undone.
pub(super) fn asks_first(kept: &FormData) -> bool {
    matches!(kept.action(), "decline" | "reject" | "cancel") && !kept.is_confirmed()
}

/// What stands in the place of the buttons when one of them is asked about. Keeping the question open
/// comes first, so that Enter means it.
fn confirmation(sheet: &Sheet<'_>) -> Option<String> {
    let action = sheet.kept.action();
    if !asks_first(&sheet.kept) {
        return None;
    }
    let (ask, act) = match action {
        "decline" => ("sure-decline", "web-decline"),
        "reject" => ("web-reject-ask", "web-reject-confirm"),
        _ => ("sure-stop", "leave-cancel"),
    };
    let [ask, keep, act] = [ask, "web-keep-open", act].map(|id| sheet.locale.text(id, &[]));
    Some(format!(
        "<fieldset>\n<legend>{ask}</legend>\n<input type=\"hidden\" name=\"confirmed\" value=\"{action}\">\n\
         <p><input type=\"submit\" name=\"action-keep\" value=\"{keep}\" class=\"primary\" autofocus></p>\n\
         <p><input type=\"submit\" name=\"action-{action}\" value=\"{act}\"></p>\n</fieldset>\n",
        ask = Escaped(&ask),
        action = Escaped(action),
        keep = Escaped(&keep),
        act = Escaped(&act),
    ))
}

/// Send comes first, so that Enter means it; each other way out says what follows from it. A link
/// shows what its holder may do.
fn buttons(sheet: &Sheet<'_>) -> String {
    let locale = sheet.locale;
    let [first, rest @ ..] = sheet.view.inquiry.questions() else {
        return String::new();
    };
    let send = if rest.is_empty() {
        "web-send"
    } else {
        "send-answers"
    };
    let mut ways = vec![("send", send, None)];
    if rest.is_empty() && first.skippable {
        ways.push(("skip", "web-skip", None));
    }
    ways.push(("decline", "web-decline", Some("web-decline-effect")));
    ways.push(("reject", "web-reject", Some("leave-reject-effect")));
    ways.push(("cancel", "leave-cancel", None));
    ways.retain(|(action, _, _)| sheet.access.allows(super::needed(action)));
    let buttons = ways.into_iter().map(|(action, label, effect)| {
        let label = locale.text(label, &[]);
        let label = Escaped(&label);
        let class = if action == "send" {
            " class=\"primary\""
        } else {
            ""
        };
        let Some(effect) = effect else {
            return format!(
                "<p><input type=\"submit\" name=\"action-{action}\" value=\"{label}\"{class}></p>\n"
            );
        };
        let effect = locale.text(effect, &[]);
        format!(
            "<p><input type=\"submit\" name=\"action-{action}\" value=\"{label}\" \
             aria-describedby=\"{action}-effect\">\n<span class=\"hint\" id=\"{action}-effect\">{}</span></p>\n",
            Escaped(&effect)
        )
    });
    buttons.collect()
}
