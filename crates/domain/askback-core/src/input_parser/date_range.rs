//! The two days of a range in one text: `27 mar to 3 apr`, `2027-03-01..2027-03-05`, or with only a space between them.

use jiff::civil::Date;

use super::{DATE_LEN_MAX, InputParser};

/// What may stand between two days, in any of the languages: both sides must be days, so that nothing else is meant.
const BETWEEN: [&str; 27] = [
    "..",
    "…",
    "/",
    "-",
    "–",
    "—",
    "~",
    "〜",
    "～",
    "至",
    "到",
    "から",
    "부터",
    " to ",
    " until ",
    " till ",
    " through ",
    " bis ",
    " a ",
    " à ",
    " au ",
    " al ",
    " até ",
    " hasta ",
    " עד ",
    " إلى ",
    " ",
];
/// What may stand before the first day.
const BEFORE: [&str; 12] = [
    "from ", "von ", "vom ", "du ", "de ", "dal ", "da ", "desde ", "del ", "من ", "מ-", "从",
];
/// What may stand behind the last day.
const BEHIND: [&str; 2] = ["まで", "까지"];

impl InputParser {
    /// The first and the last day of a text that has two. `None` if it is one day, or could be split in several ways.
    pub fn date_range(&self, typed: &str) -> Option<(Date, Date)> {
        if typed.len() > DATE_LEN_MAX {
            return None;
        }
        let words: Vec<&str> = typed.split_whitespace().collect();
        let text = words.join(" ").to_lowercase();
        if self.date(&text).is_some() {
            return None;
        }
        let start = BEFORE.iter().find_map(|word| text.strip_prefix(word));
        let start = start.unwrap_or(&text);
        let bare = BEHIND.iter().find_map(|word| start.strip_suffix(word));
        let bare = bare.unwrap_or(start);
        let splits = BETWEEN.iter().flat_map(|between| {
            let places = bare.match_indices(between);
            places.map(|(at, it)| (&bare[..at], &bare[at + it.len()..]))
        });
        let ranges = splits.filter_map(|(start, end)| self.date(start).zip(self.date(end)));
        let mut ranges = ranges.collect::<Vec<_>>();
        ranges.sort_unstable();
        ranges.dedup();
        match ranges.as_slice() {
            [range] => Some(*range),
            _ => None,
        }
    }
}
