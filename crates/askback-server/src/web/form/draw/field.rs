//! The fields of one question, for each kind of answer.

use askback_core::question::{ChoiceKind, DateRules, Kind, NumberRules, Question};
use askback_core::text::Text;
use askback_locale::{Arg, Locale};

use super::super::data::NONE_YET;
use super::super::{Radios, Sheet};
use crate::web::html::Escaped;

/// One question with its fields: a group with a legend, so that every field has its question.
pub(super) fn question(sheet: &Sheet<'_>, question: &Question, place: Option<&str>) -> String {
    let id = &question.id;
    let locale = sheet.locale;
    let hint = hint(locale, question);
    // What is wrong with the whole answer is wrong with its only question.
    let alone = sheet.view.inquiry.questions().len() == 1;
    let error = sheet
        .errors
        .iter()
        .find(|error| error.question.as_ref().map_or(alone, |about| about == id))
        .map(|error| locale.problem(error, sheet.view.inquiry.questions()));
    let described = [
        hint.is_some().then(|| format!("{id}-hint")),
        question.context.is_some().then(|| format!("{id}-context")),
        error.is_some().then(|| format!("{id}-error")),
    ];
    let described: Vec<String> = described.into_iter().flatten().collect();
    let described = if described.is_empty() {
        String::new()
    } else {
        format!(" aria-describedby=\"{}\"", described.join(" "))
    };
    let invalid = if error.is_some() {
        " aria-invalid=\"true\""
    } else {
        ""
    };
    let context = question.context.as_ref().map(Text::as_str);
    let optional = optional(locale, question);
    let optional = if optional.is_empty() {
        optional
    } else {
        format!("<span class=\"hint\">{}</span>", Escaped(&optional))
    };
    format!(
        "<fieldset id=\"{id}\"{described}>\n<legend dir=\"auto\">{text}{optional}</legend>\n\
         {place}{context}{hint}{today}{error}{fields}{skip}{note}</fieldset>\n",
        text = Escaped(question.text.as_str()),
        place = paragraph("hint", None, place),
        context = paragraph("context", Some(&format!("{id}-context")), context),
        hint = paragraph("hint", Some(&format!("{id}-hint")), hint.as_deref()),
        today = paragraph("hint", None, today(sheet, question).as_deref()),
        error = paragraph("error", Some(&format!("{id}-error")), error.as_deref()),
        fields = fields(sheet, question, &format!("{described}{invalid}")),
        skip = skip(sheet, question),
        note = note(sheet, question),
    )
}

/// What is said behind a question that may be passed over.
fn optional(locale: Locale, question: &Question) -> String {
    if question.skippable {
        format!(" · {}", locale.text("optional", &[]))
    } else {
        String::new()
    }
}

fn paragraph(class: &str, id: Option<&str>, text: Option<&str>) -> String {
    let Some(text) = text else {
        return String::new();
    };
    let id = id.map_or_else(String::new, |id| format!(" id=\"{id}\""));
    format!(
        "<p class=\"{class}\"{id} dir=\"auto\">{}</p>\n",
        Escaped(text)
    )
}

fn fields(sheet: &Sheet<'_>, question: &Question, attributes: &str) -> String {
    let id = question.id.as_str();
    let text = question.text.as_str().to_owned() + &optional(sheet.locale, question);
    let holder = question.placeholder.as_ref().map_or("", Text::as_str);
    let holder = if holder.is_empty() {
        String::new()
    } else {
        format!(" placeholder=\"{}\"", Escaped(holder))
    };
    match &question.kind {
        Kind::Choice(kind) => choices(sheet, question, kind, attributes),
        Kind::Text(_) => format!(
            "<p class=\"field\"><textarea id=\"{id}-field\" name=\"{id}\" rows=\"3\" dir=\"auto\" \
             aria-label=\"{}\"{holder}{attributes}>\n{}</textarea></p>\n",
            Escaped(&text),
            Escaped(sheet.kept.one(id))
        ),
        Kind::Number(_) => {
            let label = format!(" inputmode=\"decimal\" aria-label=\"{}\"", Escaped(&text));
            let more = format!("{label}{holder}{attributes}");
            input(&format!("{id}-field"), id, sheet.kept.one(id), &more)
        }
        Kind::Date(_) => {
            let label = format!(" aria-label=\"{}\"", Escaped(&text));
            let more = format!("{label}{holder}{attributes}");
            input(&format!("{id}-field"), id, sheet.kept.one(id), &more)
        }
        Kind::DateRange(_) => {
            let end = |label: &str, name: String| {
                let label = sheet.locale.text(label, &[]);
                let field = input(&name, &name, sheet.kept.one(&name), attributes);
                format!("<label for=\"{name}\">{}</label>\n{field}", Escaped(&label))
            };
            let start = end("from", format!("{id}-start"));
            start + &end("to", format!("{id}-end"))
        }
    }
}

fn input(id: &str, name: &str, value: &str, more: &str) -> String {
    format!(
        "<p class=\"field\"><input type=\"text\" id=\"{id}\" name=\"{name}\" dir=\"auto\" \
         autocomplete=\"off\" value=\"{}\"{more}></p>\n",
        Escaped(value)
    )
}

fn choices(sheet: &Sheet<'_>, question: &Question, kind: &ChoiceKind, attributes: &str) -> String {
    let id = question.id.as_str();
    let locale = sheet.locale;
    let kept: Vec<&str> = sheet.kept.all(id).collect();
    let control = if kind.several { "checkbox" } else { "radio" };
    let recommended = locale.text("recommended", &[]);
    let preview = locale.text("web-preview", &[]);
    let choices = kind.choices.iter().zip(1..).map(|(choice, number)| {
        let value = choice.value.as_str();
        let checked = if kept.contains(&value) { " checked" } else { "" };
        let badge = if choice.recommended {
            format!(" <span class=\"badge\">{}</span>", Escaped(&recommended))
        } else {
            String::new()
        };
        let about = choice.description.as_ref().map(Text::as_str);
        let about_id = format!("{id}-{number}-about");
        let described = match about {
            Some(_) => format!(" aria-describedby=\"{about_id}\""),
            None => String::new(),
        };
        let shown = choice.preview.as_ref().map_or_else(String::new, |text| {
            format!(
                "<details><summary>{}</summary>\n<pre dir=\"auto\">{}</pre></details>\n",
                Escaped(&preview),
                Escaped(text.as_str())
            )
        });
        format!(
            "<div class=\"choice\"><input type=\"{control}\" id=\"{id}-{number}\" name=\"{id}\" \
             value=\"{}\"{checked}{described}>\n<label for=\"{id}-{number}\"><bdi>{}</bdi>{badge}</label>\n\
             {}{shown}</div>\n",
            Escaped(value),
            Escaped(choice.label.as_str()),
            paragraph("description", Some(&about_id), about),
        )
    });
    let own = if kind.own_text {
        own_text(sheet, id, control, attributes)
    } else {
        String::new()
    };
    let open = match (control, sheet.radios) {
        ("radio", Radios::FirstIsChecked) => none_yet(sheet, id),
        _ => String::new(),
    };
    [open].into_iter().chain(choices).chain([own]).collect()
}

/// A radio button for no answer, for browsers that would check the first choice themselves.
fn none_yet(sheet: &Sheet<'_>, id: &str) -> String {
    let answered = sheet.kept.all(id).any(|value| value != NONE_YET);
    let checked = if answered { "" } else { " checked" };
    format!(
        "<div class=\"choice\"><input type=\"radio\" id=\"{id}-none\" name=\"{id}\" value=\"{NONE_YET}\"{checked}>\n\
         <label for=\"{id}-none\">{}</label></div>\n",
        Escaped(&sheet.locale.text("answer-open", &[]))
    )
}

/// An answer of the respondent's own: a choice among the others, with the field below it.
fn own_text(sheet: &Sheet<'_>, id: &str, control: &str, attributes: &str) -> String {
    let checked = if sheet.kept.all(id).any(str::is_empty) {
        " checked"
    } else {
        ""
    };
    let other = sheet.locale.text("web-something-else", &[]);
    let label = sheet.locale.text("web-own-answer", &[]);
    format!(
        "<div class=\"choice\"><input type=\"{control}\" id=\"{id}-other\" name=\"{id}\" value=\"\"\
         {checked}>\n<label for=\"{id}-other\">{}</label>\n<p class=\"field\"><label for=\"{id}-own\">{}</label>\n\
         <textarea id=\"{id}-own\" name=\"{id}-own\" rows=\"2\" dir=\"auto\"{attributes}>\n{}</textarea></p></div>\n",
        Escaped(&other),
        Escaped(&label),
        Escaped(sheet.kept.one(&format!("{id}-own")))
    )
}

/// Passing over one of several questions; a single one has a button for it.
fn skip(sheet: &Sheet<'_>, question: &Question) -> String {
    if !question.skippable || sheet.view.inquiry.questions().len() < 2 {
        return String::new();
    }
    let id = question.id.as_str();
    let name = format!("{id}-skip");
    let checked = if sheet.kept.has(&name) {
        " checked"
    } else {
        ""
    };
    let label = sheet.locale.text("web-skip", &[]);
    format!(
        "<div class=\"choice\"><input type=\"checkbox\" id=\"{name}\" name=\"{name}\" value=\"1\"{checked}>\n\
         <label for=\"{name}\">{}</label></div>\n",
        Escaped(&label)
    )
}

fn note(sheet: &Sheet<'_>, question: &Question) -> String {
    let name = format!("{}-note", question.id);
    let kept = sheet.kept.one(&name);
    let open = if kept.is_empty() { "" } else { " open" };
    let add = sheet.locale.text("web-add-note", &[]);
    let label = sheet.locale.text("note", &[]);
    format!(
        "<details{open}><summary>{}</summary>\n<p class=\"field\"><label for=\"{name}\">{}</label>\n\
         <textarea id=\"{name}\" name=\"{name}\" rows=\"2\" dir=\"auto\">\n{}</textarea></p></details>\n",
        Escaped(&add),
        Escaped(&label),
        Escaped(kept)
    )
}

/// What fits, said before anything is typed.
fn hint(locale: Locale, question: &Question) -> Option<String> {
    match &question.kind {
        Kind::Choice(kind) => kind.several.then(|| locale.text("select-several", &[])),
        Kind::Text(_) => None,
        Kind::Number(rules) => Some(number_hint(locale, rules)),
        Kind::Date(rules) | Kind::DateRange(rules) => Some(date_hint(locale, rules)),
    }
}

/// Which day “today” is: without scripts nobody knows the day where the form is filled in.
fn today(sheet: &Sheet<'_>, question: &Question) -> Option<String> {
    match &question.kind {
        Kind::Date(_) | Kind::DateRange(_) => {
            let date = sheet.locale.date_long(sheet.today);
            Some(sheet.locale.text("web-today-is", &[("date", date.into())]))
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
