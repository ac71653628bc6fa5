//! In which language a page is shown: the one that was chosen on a page, else what the browser asks
//! for.

use axum::http::{HeaderMap, header};

use crate::auth::cookie;

/// The cookie that pages keep a chosen language in.
const COOKIE: &str = "askback_locale";

/// Languages that are read from right to left.
const RIGHT_TO_LEFT: &[&str] = &["ar", "ar-XB", "he"];

/// The languages there are, the first one for everybody else.
const TAGS: &[&str] = &[
    "en", "de", "fr", "es", "it", "pt-BR", "zh-CN", "ja", "ko", "ar", "he", "en-XA", "ar-XB",
];

/// The language for a request.
pub(super) fn of(headers: &HeaderMap) -> &'static str {
    wanted(headers)
        .iter()
        .find_map(|tag| known(tag))
        .unwrap_or(TAGS[0])
}

/// The direction of a language.
pub(super) fn direction(tag: &str) -> &'static str {
    if RIGHT_TO_LEFT.contains(&tag) {
        "rtl"
    } else {
        "ltr"
    }
}

fn known(tag: &str) -> Option<&'static str> {
    let same = |known: &&&str| known.eq_ignore_ascii_case(tag);
    let primary = tag.split('-').next().unwrap_or_default();
    let related = |known: &&&str| known.split('-').next() == Some(primary) && !known.contains("-X");
    TAGS.iter()
        .find(same)
        .or_else(|| TAGS.iter().find(related))
        .copied()
}

/// What the reader wants, in order of preference.
fn wanted(headers: &HeaderMap) -> Vec<&str> {
    let chosen = cookie(headers, COOKIE);
    let asked = headers
        .get(header::ACCEPT_LANGUAGE)
        .and_then(|value| value.to_str().ok());
    let mut asked: Vec<(&str, f32)> = asked
        .unwrap_or_default()
        .split(',')
        .filter_map(weighed)
        .collect();
    asked.sort_by(|(_, one), (_, other)| other.total_cmp(one));
    chosen
        .into_iter()
        .chain(asked.into_iter().map(|(tag, _)| tag))
        .collect()
}

/// One entry of `Accept-Language` with its weight.
fn weighed(entry: &str) -> Option<(&str, f32)> {
    let (tag, weight) = entry.split_once(';').unwrap_or((entry, "q=1"));
    let weight = weight.trim().strip_prefix("q=")?.parse().ok()?;
    let tag = tag.trim();
    (!tag.is_empty() && weight > 0.0).then_some((tag, weight))
}
