//! In which language a page is shown: the one that was chosen on a page, else what the browser asks
//! for.

use askback_locale::Locale;
use axum::http::{HeaderMap, header};

use crate::auth::cookies;

/// The cookie that pages keep a chosen language in.
const COOKIE: &str = "askback_locale";

/// The language for a request.
pub(super) fn of(headers: &HeaderMap) -> Locale {
    Locale::choose(&wanted(headers))
}

/// The opening tag of a page in this language.
pub(super) fn opening(locale: Locale) -> String {
    let direction = if locale.is_rtl() { "rtl" } else { "ltr" };
    format!(r#"<html lang="{}" dir="{direction}">"#, locale.tag())
}

/// What the reader wants, in order of preference.
fn wanted(headers: &HeaderMap) -> Vec<&str> {
    let chosen = cookies(headers).find_map(|(name, tag)| (name == COOKIE).then_some(tag));
    let asked = headers
        .get(header::ACCEPT_LANGUAGE)
        .and_then(|value| value.to_str().ok());
    let mut asked: Vec<(&str, f32)> = asked
        .unwrap_or_default()
        .split(',')
        .filter_map(weighed)
        .collect();
    asked.sort_by(|(_, one), (_, other)| other.total_cmp(one));
    let asked = asked.into_iter().map(|(tag, _)| tag);
    chosen.into_iter().chain(asked).collect()
}

/// One entry of `Accept-Language` with its weight.
fn weighed(entry: &str) -> Option<(&str, f32)> {
    let (tag, weight) = entry.split_once(';').unwrap_or((entry, "q=1"));
    let weight = weight.trim().strip_prefix("q=")?.parse().ok()?;
    let tag = tag.trim();
    (!tag.is_empty() && weight > 0.0).then_some((tag, weight))
}
