//! The two days of a range in one text: `2027-03-01..2027-03-05`, with a slash, or with a space.

use askback_core::input_parser::InputParser;

/// The days that stand beside `..` or a slash.
pub(crate) fn split_range(text: &str) -> Option<(&str, &str)> {
    let days = text
        .split_once("..")
        .or_else(|| text.split_once('/').filter(|(_, end)| !end.contains('/')));
    days.map(|(start, end)| (start.trim(), end.trim()))
}

/// The days of a text that has two, also if only a space is between them: a day can have spaces itself.
pub(crate) fn read_range<'a>(parser: &InputParser, text: &'a str) -> Option<(&'a str, &'a str)> {
    let text = text.trim();
    // One day, such as one that is written with slashes.
    if parser.date(text).is_some() {
        return None;
    }
    let spaces = text.match_indices(char::is_whitespace);
    let parts = spaces.map(|(at, _)| (text[..at].trim(), text[at..].trim()));
    let mut parts = split_range(text).into_iter().chain(parts);
    parts.find(|(start, end)| parser.date(start).is_some() && parser.date(end).is_some())
}
