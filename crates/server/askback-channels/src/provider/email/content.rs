//! What a mail says, as plain text and as HTML.

use serde_json::{Value, json};

use crate::card::Card;
use crate::card::clip::clip_graphemes;
use crate::contract::button::Press;
use crate::contract::channel::Rendered;

const SUBJECT_UNITS_MAX: usize = 150;
/// A mail has room for the whole question; more is at the link.
const TEXT_UNITS_MAX: usize = 60_000;

/// The mail without its address.
pub(super) fn mail(card: &Card) -> Rendered {
    let text = card.whole_text(TEXT_UNITS_MAX);
    let links = links(card);
    Rendered::notice(json!({
        "inquiry": card.inquiry.as_str(),
        "revision": card.revision,
        "subject": subject(&card.title()),
        "text": plain_text(&text, &links),
        "html": html(card, &text, &links),
    }))
}

/// One line.
pub(super) fn subject(text: &str) -> String {
    let words: Vec<&str> = text.split_whitespace().collect();
    clip_graphemes(&words.join(" "), SUBJECT_UNITS_MAX)
}

/// What can be opened: a page for each choice that asks whether to send it, and the whole question. Opening a
/// page answers nothing, since mail programs and scanners open every link.
fn links(card: &Card) -> Vec<(String, String)> {
    let mut links = Vec::new();
    if let (Some(press), [question]) = (&card.press_links, card.questions.questions())
        && question.takes_one_choice()
        && card.is_answerable()
    {
        for (choice, shown) in question.choices().iter().enumerate() {
            let question = 0;
            let button = card.button(Press::Choose { question, choice });
            let label = format!("{}. {}", choice + 1, card.label(shown));
            links.push((label, press.url(&button)));
        }
    }
    if let Some(link) = &card.link {
        let open = card.reader.locale.text("channel-answer-at-link", &[]);
        links.push((open, link.clone()));
    }
    links
}

fn plain_text(text: &str, links: &[(String, String)]) -> String {
    let links = links
        .iter()
        .map(|(label, url)| format!("\n\n{label}\n{url}"));
    format!("{text}{}\n", links.collect::<String>())
}

fn html(card: &Card, text: &str, links: &[(String, String)]) -> Value {
    let locale = card.reader.locale;
    let direction = if locale.is_rtl() { "rtl" } else { "ltr" };
    let links = links.iter().map(|(label, url)| {
        let (label, url) = (escaped(label), escaped(url));
        format!("<p><a href=\"{url}\">{label}</a></p>")
    });
    let links: String = links.collect();
    let (language, text) = (escaped(locale.tag()), escaped(text));
    Value::from(format!(
        "<!doctype html><html lang=\"{language}\" dir=\"{direction}\"><body>\
         <div style=\"white-space: pre-wrap; font-family: sans-serif\">{text}</div>{links}</body></html>"
    ))
}

/// Text in HTML, also within a quoted attribute.
fn escaped(text: &str) -> String {
    text.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
        .replace('"', "&quot;")
        .replace('\'', "&#39;")
}
