//! The form of a pending inquiry as HTML.

mod question_fields;

use askback_core::answer::AnswerError;
use askback_core::inquiry::Inquiry;
use askback_core::question::{Kind, Question};
use askback_engine::InquiryView;
use askback_locale::Locale;
use maud::{Markup, html};

use super::draft_fields::{field_name, left_open};
use super::time::with_time;
use super::{FormContext, Steps, time};
use crate::authenticate::Access;
use crate::web::files::WebFile;
use crate::web::html;

/// The field with the questions that the reader agreed to leave unanswered.
const LEFT_OPEN: &str = "left-open";

/// Replaces the form by the interactive question where scripts run.
const SCRIPT: &str = "form/question-page.js";
/// Keeps what is in the form while there is no connection. It does not call the API.
const LINK_SCRIPT: &str = "form/keep-form.js";

/// Draws Markdown and diffs in previews. It calls no API, so links get it too.
const PREVIEWS: &str = "form/previews.js";

pub(super) fn page(form: &FormContext<'_>) -> String {
    let locale = form.locale;
    let inquiry = &form.view.inquiry;
    let count = inquiry.questions().len();
    let main = html! {
        (error_summary(form))
        @if !form.notice.is_empty() {
            div class="summary" role="alert" {
                @for id in form.notice { p { (locale.text(id, &[])) } }
            }
        }
        section {
            (heading(form))
            form method="post" action=(form.address) novalidate {
                input type="hidden" name="revision" value=(form.view.row.revision);
                input type="hidden" name="once" value=(form.fields.nonce().unwrap_or_default());
                @for (index, question) in inquiry.questions().iter().enumerate() {
                    @let args = [("index", (index + 1).into()), ("count", count.into())];
                    @let position = (count > 1).then(|| locale.text("question-of", &args));
                    (question_fields::question(form, question, position.as_deref()))
                }
                @if matches!(form.access, Access::Link(_)) {
                    p class="error" role="alert" hidden data-offline {
                        (locale.text("web-form-offline", &[]))
                    }
                }
                // Stays in view at the lower edge, within reach of a thumb.
                div class="bar" {
                    @if asks_for_confirmation(form) { (confirmation(form)) }
                    @else { (buttons(form)) }
                }
            }
        }
        (script(form.access))
        @if form.view.row.expires_at.is_some() { (time::script()) }
        @if inquiry.questions().iter().any(has_preview) { (html::script(PREVIEWS)) }
    };
    let title = title(inquiry);
    let title = if form.errors.is_empty() {
        title.to_owned()
    } else {
        format!("{}: {title}", locale.text("web-error", &[]))
    };
    html::document(locale, &title, &main).into_string()
}

fn has_preview(question: &Question) -> bool {
    let Kind::Choice(kind) = &question.kind else {
        return false;
    };
    kind.choices.iter().any(|choice| choice.preview.is_some())
}

/// Who asks what. The only question is itself the heading, further below; several are counted here.
fn heading(form: &FormContext<'_>) -> Markup {
    let locale = form.locale;
    let questions = form.view.inquiry.questions();
    let asks = asks(form.view, locale);
    let header = match questions {
        [only] => only.header.as_ref(),
        _ => None,
    };
    html! {
        header {
            @if questions.len() != 1 {
                h1 { (locale.text("question-count", &[("count", questions.len().into())])) }
            }
            @if let Some(header) = header { p class="chip" dir="auto" { (header) } }
            @if let Some(asks) = asks { p class="hint" { (asks) } }
            @if let Some(handed_on) = &form.handed_on { p class="hint" dir="auto" { (handed_on) } }
            @if let Some(at) = form.view.row.expires_at {
                p class="hint" { (with_time(locale, "web-deadline", at)) }
            }
        }
    }
}

/// Who asks.
pub(super) fn asks(view: &InquiryView, locale: Locale) -> Option<String> {
    let agent = view.asker_name()?.as_str();
    Some(locale.text("asks", &[("agent", agent.into())]))
}

/// The header of an inquiry's first question, or its text.
pub(super) fn title(inquiry: &Inquiry) -> &str {
    let first = inquiry.questions().first();
    first.map_or("askback", |question| {
        let header = question.header.as_ref();
        header.unwrap_or(&question.text).as_str()
    })
}

/// A link may open only this page, so its holder gets no script that calls the API.
pub(super) fn script(access: Access) -> Markup {
    let name = match access {
        Access::Token => SCRIPT,
        Access::Link(_) => LINK_SCRIPT,
        Access::None => return html! {},
    };
    html! {
        @if WebFile::named(name).is_some() {
            (html::script(name))
        }
    }
}

fn error_summary(form: &FormContext<'_>) -> Markup {
    let inquiry = &form.view.inquiry;
    let count = form.errors.len();
    html! {
        @if count > 0 {
            div class="summary" role="alert" tabindex="-1" {
                h2 { (form.locale.text("web-error-summary", &[("count", count.into())])) }
                ul {
                    @for error in &form.errors {
                        li {
                            a href={ "#" (control_with_error(inquiry, error)) } {
                                (form.locale.problem(error, inquiry.questions()))
                            }
                        }
                    }
                }
            }
        }
    }
}

/// The id of the first control of the question that an error is about.
fn control_with_error(inquiry: &Inquiry, error: &AnswerError) -> String {
    let at = error.question.as_ref().and_then(|id| inquiry.position(id));
    let question = inquiry.questions().get(at.unwrap_or(0));
    question.map_or_else(String::new, |question| first_control(inquiry, question))
}

fn first_control(inquiry: &Inquiry, question: &Question) -> String {
    let id = field_name(inquiry, question);
    match &question.kind {
        Kind::Choice(_) => format!("{id}-1"),
        Kind::Text(_) | Kind::Number(_) | Kind::Date(_) => format!("{id}-field"),
        Kind::DateRange(_) => format!("{id}-start"),
    }
}

/// Whether the pressed button cannot be undone, or leaves questions unanswered, and that has not been
/// confirmed yet.
pub(super) fn asks_for_confirmation(form: &FormContext<'_>) -> bool {
    match form.fields.action() {
        "decline" | "reject" => !form.fields.is_confirmed(),
        "" | "send" => {
            let open = left_open(&form.view.inquiry, &form.fields);
            !open.is_empty() && form.fields.first(LEFT_OPEN) != ids(&open)
        }
        _ => false,
    }
}

/// What the confirmation named. If other questions are open by then, it is asked again.
fn ids(questions: &[&Question]) -> String {
    let ids: Vec<_> = questions
        .iter()
        .map(|question| question.id.as_str())
        .collect();
    ids.join(" ")
}

/// Replaces the buttons. Keeping the question open comes first, so that Enter does that.
fn confirmation(form: &FormContext<'_>) -> Markup {
    let action = form.fields.action();
    let (question, confirm) = match action {
        "decline" => ("sure-decline", "web-decline"),
        "reject" => ("web-reject-ask", "web-reject"),
        _ => return partial_confirmation(form),
    };
    let text = |id| form.locale.text(id, &[]);
    html! {
        fieldset {
            legend { (text(question)) }
            input type="hidden" name="confirmed" value=(action);
            p { input type="submit" name="action-keep" value=(text("web-keep-open")) class="primary" autofocus; }
            p { input type="submit" name={ "action-" (action) } value=(text(confirm)); }
        }
    }
}

/// Names the questions that would stay unanswered. Going back comes first, so that Enter does that.
fn partial_confirmation(form: &FormContext<'_>) -> Markup {
    let open = left_open(&form.view.inquiry, &form.fields);
    let text = |id| form.locale.text(id, &[]);
    let name = |question| {
        let questions = form.view.inquiry.questions();
        form.locale.name_among(question, questions)
    };
    html! {
        fieldset {
            legend { (text("form-left-open")) }
            ul {
                @for question in &open {
                    li { a href={ "#" (first_control(&form.view.inquiry, question)) } dir="auto" { (name(question)) } }
                }
            }
            input type="hidden" name=(LEFT_OPEN) value=(ids(&open));
            p { input type="submit" name="action-keep" value=(text("web-back")) class="primary" autofocus; }
            p { input type="submit" name="action-send" value=(text("form-send-anyway")); }
        }
    }
}

/// Send comes first, so that Enter sends. What does not answer is folded below it.
fn buttons(form: &FormContext<'_>) -> Markup {
    let text = |id| form.locale.text(id, &[]);
    let send = match form.view.inquiry.questions() {
        [] => return html! {},
        [_] => "web-send",
        _ => "send-answers",
    };
    // The choices send themselves, and own text has a button of its own.
    let has_send = form.steps == Steps::Two;
    let refusals = refusals(form);
    html! {
        @if has_send { p { input type="submit" name="action-send" value=(text(send)) class="primary"; } }
        @if !refusals.is_empty() {
            details class="refusals" {
                summary { (text("web-not-answering")) }
                @for (action, label, effect) in refusals {
                    @let effect_id = format!("{action}-effect");
                    p {
                        input type="submit" name={ "action-" (action) } value=(text(label))
                            aria-describedby=(effect_id);
                        "\n"
                        span class="hint" id=(effect_id) { (text(effect)) }
                    }
                }
            }
        }
    }
}

/// The ways not to answer: the action, its name, and what the agent is told. A link gets only those that
/// its holder may use.
fn refusals(form: &FormContext<'_>) -> Vec<(&'static str, &'static str, &'static str)> {
    let mut refusals = Vec::new();
    // One of several questions has a checkbox instead.
    if let [only] = form.view.inquiry.questions()
        && only.skippable
    {
        refusals.push(("skip", "web-skip", "web-skip-effect"));
    }
    refusals.push(("decline", "web-decline", "web-decline-effect"));
    refusals.push(("reject", "web-reject", "web-stop-effect"));
    refusals.retain(|(action, _, _)| form.access.allows(super::permission(action)));
    refusals
}
