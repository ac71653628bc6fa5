//! The fields of one question.

use askback_core::question::{ChoiceKind, DateRules, Kind, NumberRules, Question};
use askback_core::text::Text;
use askback_locale::{Arg, Locale};
use maud::{Markup, html};

use super::super::draft_fields::field_name;
use super::super::form_data::{CHOOSE, UNANSWERED};
use super::super::{FormContext, RadioDefault, Steps};

/// What every field of a question says to assistive technology.
struct Aria {
    described_by: Option<String>,
    invalid: Option<&'static str>,
}

/// A `fieldset` whose legend is the question, so that screen readers name it with every field.
pub(super) fn question(
    form: &FormContext<'_>,
    question: &Question,
    position: Option<&str>,
) -> Markup {
    let id = field_name(&form.view.inquiry, question);
    let locale = form.locale;
    let hint = hint(locale, question);
    let context = form.view.inquiry.context_of(question);
    let assumption = form.view.inquiry.assumption().map(|text| {
        let args = [("assumption", text.as_str().into())];
        locale.text("assumption-marked", &args)
    });
    // An error that names no question is shown at the only question.
    let is_only = form.view.inquiry.questions().len() == 1;
    let error = form
        .errors
        .iter()
        .find(|error| {
            error
                .question
                .as_ref()
                .map_or(is_only, |about| *about == question.id)
        })
        .map(|error| locale.problem(error, form.view.inquiry.questions()));
    let described_by = [
        hint.is_some().then(|| format!("{id}-hint")),
        context.is_some().then(|| format!("{id}-context")),
        assumption.is_some().then(|| format!("{id}-assumption")),
        error.is_some().then(|| format!("{id}-error")),
    ];
    let described_by: Vec<String> = described_by.into_iter().flatten().collect();
    let aria = Aria {
        described_by: (!described_by.is_empty()).then(|| described_by.join(" ")),
        invalid: error.is_some().then_some("true"),
    };
    // One of several has a box to skip it, which says the same.
    let optional = if is_only {
        optional(locale, question)
    } else {
        String::new()
    };
    html! {
        fieldset id=(id) aria-describedby=[&aria.described_by] {
            legend dir="auto" {
                @if is_only { h1 dir="auto" { (question.text) } } @else { (question.text) }
                @if !optional.is_empty() { span class="hint" { (optional) } }
            }
            (paragraph("hint", None, position))
            (paragraph("context", Some(format!("{id}-context")), context))
            (paragraph("assumption", Some(format!("{id}-assumption")), assumption.as_deref()))
            (paragraph("hint", Some(format!("{id}-hint")), hint.as_deref()))
            (paragraph("hint", None, today(form, question).as_deref()))
            (paragraph("error", Some(format!("{id}-error")), error.as_deref()))
            (fields(form, &id, question, &aria))
            div class="extras" {
                (skip(form, &id, question))
                (note(form, &id))
            }
        }
    }
}

/// Follows the text of a question that may be skipped.
fn optional(locale: Locale, question: &Question) -> String {
    if question.skippable {
        format!(" · {}", locale.text("optional", &[]))
    } else {
        String::new()
    }
}

fn paragraph(class: &str, id: Option<String>, text: Option<&str>) -> Markup {
    html! {
        @if let Some(text) = text { p class=(class) id=[id] dir="auto" { (text) } }
    }
}

fn fields(form: &FormContext<'_>, id: &str, question: &Question, aria: &Aria) -> Markup {
    let label = question.text.as_str().to_owned() + &optional(form.locale, question);
    let placeholder = question.placeholder.as_ref();
    match &question.kind {
        Kind::Choice(kind) if form.steps == Steps::One => choice_buttons(form, id, kind, aria),
        Kind::Choice(kind) => choices(form, id, kind, aria),
        Kind::Text(_) => html! {
            p class="field" {
                textarea id={ (id) "-field" } name=(id) rows="3" dir="auto" aria-label=(label)
                    placeholder=[placeholder] aria-describedby=[&aria.described_by]
                    aria-invalid=[aria.invalid] { "\n" (form.fields.first(id)) }
            }
        },
        Kind::Number(_) | Kind::Date(_) => html! {
            p class="field" {
                input type="text" id={ (id) "-field" } name=(id) dir="auto" autocomplete="off"
                    value=(form.fields.first(id))
                    inputmode=[matches!(question.kind, Kind::Number(_)).then_some("decimal")]
                    aria-label=(label) placeholder=[placeholder]
                    aria-describedby=[&aria.described_by] aria-invalid=[aria.invalid];
            }
        },
        Kind::DateRange(_) => html! {
            @for (label, name) in [("from", format!("{id}-start")), ("to", format!("{id}-end"))] {
                label for=(name) { (form.locale.text(label, &[])) }
                p class="field" {
                    input type="text" id=(name) name=(name) dir="auto" autocomplete="off"
                        value=(form.fields.first(&name))
                        aria-describedby=[&aria.described_by] aria-invalid=[aria.invalid];
                }
            }
        },
    }
}

fn choices(form: &FormContext<'_>, id: &str, kind: &ChoiceKind, aria: &Aria) -> Markup {
    let locale = form.locale;
    let sent: Vec<&str> = form.fields.all(id).collect();
    let control = if kind.several { "checkbox" } else { "radio" };
    html! {
        @if !kind.several && form.radio_default == RadioDefault::First { (unanswered(form, id)) }
        @for (choice, number) in kind.choices.iter().zip(1..) {
            @let choice_id = format!("{id}-{number}");
            @let about = choice.description.as_ref().map(Text::as_str);
            @let about_id = format!("{choice_id}-about");
            div class="choice" {
                input type=(control) id=(choice_id) name=(id) value=(choice.value)
                    checked[sent.contains(&choice.value.as_str())]
                    aria-describedby=[about.map(|_| &about_id)];
                "\n"
                label for=(choice_id) {
                    bdi { (choice.label) }
                    @if choice.recommended { " " span class="badge" { (locale.text("recommended", &[])) } }
                }
                (paragraph("description", Some(about_id), about))
                (preview(locale, choice.preview.as_ref()))
            }
        }
        @if kind.own_text { (own_text(form, id, control, aria)) }
    }
}

/// Choices that are sent as soon as they are pressed. One that a draft has selected is marked.
fn choice_buttons(form: &FormContext<'_>, id: &str, kind: &ChoiceKind, aria: &Aria) -> Markup {
    let locale = form.locale;
    let sent: Vec<&str> = form.fields.all(id).collect();
    let own = form.fields.first(&format!("{id}-own"));
    html! {
        @for (choice, number) in kind.choices.iter().zip(1..) {
            @let choice_id = format!("{id}-{number}");
            @let pressed = sent.contains(&choice.value.as_str()).then_some("true");
            div class="choice button" {
                button type="submit" id=(choice_id) name={ "action-" (CHOOSE) (number) }
                    value=(choice.label) aria-pressed=[pressed] {
                    bdi { (choice.label) }
                    @if choice.recommended { " " span class="badge" { (locale.text("recommended", &[])) } }
                    @if let Some(about) = &choice.description {
                        " " span class="description" dir="auto" { (about) }
                    }
                }
                (preview(locale, choice.preview.as_ref()))
            }
        }
        @if kind.own_text {
            details class="choice own" open[!own.is_empty()] {
                summary { (locale.text("other", &[])) }
                (own_field(form, id, aria))
                p { input type="submit" name="action-send" value=(locale.text("web-send", &[])) class="primary"; }
            }
        }
    }
}

fn preview(locale: Locale, preview: Option<&Text>) -> Markup {
    html! {
        @if let Some(preview) = preview {
            details class="preview" {
                summary { (locale.text("web-preview", &[])) }
                pre dir="auto" { (preview) }
            }
        }
    }
}

/// A radio button for “no answer”, for browsers that check the first button by themselves.
fn unanswered(form: &FormContext<'_>, id: &str) -> Markup {
    let is_answered = form.fields.all(id).any(|value| value != UNANSWERED);
    let control = format!("{id}-none");
    html! {
        div class="choice" {
            input type="radio" id=(control) name=(id) value=(UNANSWERED) checked[!is_answered];
            "\n"
            label for=(control) { (form.locale.text("answer-open", &[])) }
        }
    }
}

/// One more choice, with a text field for the respondent's own answer.
fn own_text(form: &FormContext<'_>, id: &str, control: &str, aria: &Aria) -> Markup {
    let other = format!("{id}-other");
    html! {
        // The style sheet hides the field while the choice is not taken and the field is empty. The
        // placeholder lets it tell an empty field.
        div class="choice own" {
            input type=(control) id=(other) name=(id) value=""
                checked[form.fields.all(id).any(str::is_empty)];
            "\n"
            label for=(other) { (form.locale.text("other", &[])) }
            (own_field(form, id, aria))
        }
    }
}

fn own_field(form: &FormContext<'_>, id: &str, aria: &Aria) -> Markup {
    let own = format!("{id}-own");
    html! {
        p class="field" {
            label for=(own) { (form.locale.text("web-own-answer", &[])) }
            "\n"
            textarea id=(own) name=(own) rows="2" dir="auto" placeholder=" "
                aria-describedby=[&aria.described_by] aria-invalid=[aria.invalid] {
                "\n" (form.fields.first(&own))
            }
        }
    }
}

/// A checkbox to skip one of several questions. A single question has a button instead.
fn skip(form: &FormContext<'_>, id: &str, question: &Question) -> Markup {
    let name = format!("{id}-skip");
    html! {
        @if question.skippable && form.view.inquiry.questions().len() > 1 {
            div class="choice" {
                input type="checkbox" id=(name) name=(name) value="1" checked[form.fields.has(&name)];
                "\n"
                label for=(name) { (form.locale.text("web-skip", &[])) }
            }
        }
    }
}

fn note(form: &FormContext<'_>, id: &str) -> Markup {
    let name = format!("{id}-note");
    let note = form.fields.first(&name);
    html! {
        details open[!note.is_empty()] {
            summary { (form.locale.text("web-add-note", &[])) }
            p class="field" {
                label for=(name) { (form.locale.text("note", &[])) }
                "\n"
                textarea id=(name) name=(name) rows="2" dir="auto" { "\n" (note) }
            }
        }
    }
}

/// What a valid answer looks like.
fn hint(locale: Locale, question: &Question) -> Option<String> {
    match &question.kind {
        Kind::Choice(kind) => kind.several.then(|| locale.text("select-several", &[])),
        Kind::Text(_) => None,
        Kind::Number(rules) => Some(number_hint(locale, rules)),
        Kind::Date(rules) | Kind::DateRange(rules) => Some(date_hint(locale, rules)),
    }
}

/// The date that “today” means here: the server's, since a form without scripts cannot send its own.
fn today(form: &FormContext<'_>, question: &Question) -> Option<String> {
    match &question.kind {
        Kind::Date(_) | Kind::DateRange(_) => {
            let date = form.locale.date_long(form.today);
            Some(form.locale.text("web-today-is", &[("date", date.into())]))
        }
        Kind::Choice(_) | Kind::Text(_) | Kind::Number(_) => None,
    }
}

fn number_hint(locale: Locale, rules: &NumberRules) -> String {
    let (min, max) = (
        rules.min.map(|min| locale.number(min)),
        rules.max.map(|max| locale.number(max)),
    );
    let end = match (&min, &max) {
        (Some(_), Some(_)) => "-range",
        (Some(_), None) => "-min",
        (None, Some(_)) => "-max",
        (None, None) if rules.integer => "",
        (None, None) => "-any",
    };
    let whole = if rules.integer { "-whole" } else { "" };
    locale.text(
        &format!("number{whole}{end}"),
        &bounds(min.as_deref(), max.as_deref()),
    )
}

fn date_hint(locale: Locale, rules: &DateRules) -> String {
    let (min, max) = (
        rules.min.map(|min| min.to_string()),
        rules.max.map(|max| max.to_string()),
    );
    let id = match (&min, &max) {
        (Some(_), Some(_)) => "date-between",
        (Some(_), None) => "date-min",
        (None, Some(_)) => "date-max",
        (None, None) => return locale.text("date-any", &[("example", "2027-03-27".into())]),
    };
    locale.text(id, &bounds(min.as_deref(), max.as_deref()))
}

fn bounds<'a>(min: Option<&'a str>, max: Option<&'a str>) -> Vec<(&'static str, Arg<'a>)> {
    let min = min.map(|min| ("min", Arg::from(min)));
    let max = max.map(|max| ("max", Arg::from(max)));
    min.into_iter().chain(max).collect()
}
