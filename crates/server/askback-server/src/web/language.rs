//! The language of a page: the one chosen in the web app, or the browser's preference.

use askback_locale::Locale;
use axum::http::{HeaderMap, header};

use crate::session::cookies;

/// Set by the web app when its user chooses a language.
const COOKIE: &str = "askback_locale";

pub(super) fn of(headers: &HeaderMap) -> Locale {
    Locale::choose(&preferred(headers))
}

/// Language tags, the preferred one first.
fn preferred(headers: &HeaderMap) -> Vec<&str> {
    let chosen = cookies(headers).find_map(|(name, tag)| (name == COOKIE).then_some(tag));
    let asked = headers
        .get(header::ACCEPT_LANGUAGE)
        .and_then(|value| value.to_str().ok());
    let mut asked: Vec<(&str, f32)> = asked
        .unwrap_or_default()
        .split(',')
        .filter_map(with_weight)
        .collect();
    asked.sort_by(|(_, one), (_, other)| other.total_cmp(one));
    let asked = asked.into_iter().map(|(tag, _)| tag);
    chosen.into_iter().chain(asked).collect()
}

/// One entry of `Accept-Language`, such as `de;q=0.5`.
fn with_weight(entry: &str) -> Option<(&str, f32)> {
    let (tag, weight) = entry.split_once(';').unwrap_or((entry, "q=1"));
    let weight = weight.trim().strip_prefix("q=")?.parse().ok()?;
    let tag = tag.trim();
    (!tag.is_empty() && weight > 0.0).then_some((tag, weight))
}
