//! Numbers as people type them and JSON carries them: whole ones exactly, others as doubles.

use std::cmp::Ordering;
use std::fmt;

use serde::{Deserialize, Serialize};

/// A finite number that is written back exactly as it was understood.
///
/// Doubles from 2^52 up have no decimals, so whatever is beyond the whole numbers is no number here:
/// it could not be told from its neighbours.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Number {
    /// A whole number, kept exactly.
    Whole(i64),
    /// A number with decimals.
    Real(f64),
}

/// The mark between the whole part and the decimals.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, serde::Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum DecimalMark {
    /// `3.5`
    #[default]
    Point,
    /// `3,5`
    Comma,
}

/// What a person typed, as a number.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum TypedNumber {
    /// It can be read in one way only.
    One(Number),
    /// `1.500` with a decimal comma, or `1,500` with a decimal point: the mark may group digits, or
    /// stand before decimals as in other languages.
    Either {
        /// Read as a mark that groups digits.
        grouped: Number,
        /// Read as a decimal mark.
        decimal: Number,
    },
}

impl TypedNumber {
    /// Reads what a person typed. The other mark may group digits by threes, as in `1.234.567` or
    /// `1.234,5` with a decimal comma. A point that cannot group digits stands before decimals in every language,
    /// because programs write it so: `3.5`. A comma does so only where that is the custom. Digits of other scripts
    /// count as ASCII digits.
    pub fn parse(typed: &str, mark: DecimalMark) -> Option<TypedNumber> {
        let typed: String = typed.chars().map(|ch| plain_char(ch, mark)).collect();
        if let Some(number) = Number::parse(&typed, mark) {
            return Some(TypedNumber::One(number));
        }
        let grouped = without_group_marks(&typed, mark)
            .and_then(|without_marks| Number::parse(&without_marks, mark));
        match (grouped, Number::parse(&typed, mark.other())) {
            (Some(grouped), Some(decimal)) => Some(TypedNumber::Either { grouped, decimal }),
            (Some(number), None) => Some(TypedNumber::One(number)),
            (None, Some(number)) if mark == DecimalMark::Comma => Some(TypedNumber::One(number)),
            (None, _) => None,
        }
    }
}

impl DecimalMark {
    fn char(self) -> char {
        match self {
            DecimalMark::Point => '.',
            DecimalMark::Comma => ',',
        }
    }

    fn other(self) -> DecimalMark {
        match self {
            DecimalMark::Point => DecimalMark::Comma,
            DecimalMark::Comma => DecimalMark::Point,
        }
    }
}

/// `1234,5` of `1.234,5`; `None` if the mark does not group the digits by threes.
fn without_group_marks(typed: &str, mark: DecimalMark) -> Option<String> {
    let typed = typed.trim();
    let start = typed.find(|ch: char| ch.is_ascii_digit())?;
    let (sign, unsigned) = typed.split_at(start);
    let whole_len = unsigned.find([mark.char(), 'e', 'E']);
    let (whole, rest) = unsigned.split_at(whole_len.unwrap_or(unsigned.len()));
    let groups: Vec<&str> = whole.split(mark.other().char()).collect();
    let [first, others @ ..] = groups.as_slice() else {
        return None;
    };
    let is_group =
        |group: &&str| group.len() == 3 && group.bytes().all(|byte| byte.is_ascii_digit());
    let is_grouped = (1..=3).contains(&first.len())
        && !first.starts_with('0')
        && !others.is_empty()
        && others.iter().all(is_group);
    is_grouped.then(|| format!("{sign}{}{rest}", groups.concat()))
}

fn plain_char(ch: char, mark: DecimalMark) -> char {
    match ch {
        '٫' => mark.char(),
        '٬' => mark.other().char(),
        '．' => '.',
        '，' => ',',
        '－' => '-',
        _ => ascii_digit(ch).unwrap_or(ch),
    }
}

/// The ASCII digit for a digit of another script.
pub fn ascii_digit(ch: char) -> Option<char> {
    const ZEROS: [char; 3] = ['٠', '۰', '０'];
    let value = ZEROS.iter().find_map(|zero| {
        let value = u32::from(ch).checked_sub(u32::from(*zero))?;
        (value < 10).then_some(value)
    });
    char::from_digit(value?, 10)
}

impl Number {
    /// The number of a JSON value, if it is one that can be kept exactly.
    pub fn from_json(value: &serde_json::Number) -> Option<Number> {
        if let Some(whole) = value.as_i64() {
            return Some(Number::Whole(whole));
        }
        if value.is_u64() {
            return None;
        }
        value.as_f64().and_then(Number::from_f64)
    }

    /// A double, if it is finite; one without decimals becomes a whole number, if it fits.
    pub fn from_f64(real: f64) -> Option<Number> {
        const WHOLE_END: f64 = 9_223_372_036_854_775_808.0;
        if !real.is_finite() {
            return None;
        }
        if real.fract() != 0.0 {
            return Some(Number::Real(real));
        }
        // The bounds make the cast exact; `as` would otherwise saturate.
        #[expect(
            clippy::cast_possible_truncation,
            reason = "bounded to the range of i64 and without fraction"
        )]
        (real.abs() < WHOLE_END).then_some(Number::Whole(real as i64))
    }

    /// Reads what a person typed. Spaces and apostrophes may group digits by threes.
    pub fn parse(typed: &str, mark: DecimalMark) -> Option<Number> {
        let typed = typed.trim();
        let (sign, unsigned) = match typed.strip_prefix(['-', '\u{2212}']) {
            Some(unsigned) => ("-", unsigned.trim_start()),
            None => ("", typed.strip_prefix('+').unwrap_or(typed)),
        };
        let mark = mark.char();
        let whole_len = unsigned.find([mark, 'e', 'E']).unwrap_or(unsigned.len());
        let (whole, decimals) = unsigned.split_at(whole_len);
        let whole = ungroup(whole)?;
        if decimals.is_empty() {
            return format!("{sign}{whole}").parse().ok().map(Number::Whole);
        }
        if mark != '.' && decimals.contains('.') {
            return None;
        }
        let plain = format!("{sign}{whole}{}", decimals.replacen(mark, ".", 1));
        plain.parse().ok().and_then(Number::from_f64)
    }

    /// As a double, for arithmetic on steps.
    #[expect(
        clippy::cast_precision_loss,
        reason = "steps beyond 2^53 are not checked to the unit"
    )]
    pub fn as_f64(self) -> f64 {
        match self {
            Number::Whole(whole) => whole as f64,
            Number::Real(real) => real,
        }
    }

    /// Whether it has no decimals.
    pub fn is_whole(self) -> bool {
        matches!(self, Number::Whole(_)) || self.as_f64().fract() == 0.0
    }
}

/// The digits without the marks that group them by threes; `None` if they are something else.
fn ungroup(whole: &str) -> Option<String> {
    let is_mark = |ch| matches!(ch, ' ' | '\u{A0}' | '\u{202F}' | '\'' | '’' | '_');
    if !whole.chars().all(|ch| ch.is_ascii_digit() || is_mark(ch)) {
        return None;
    }
    let groups: Vec<&str> = whole.split(is_mark).collect();
    let grouped = match groups.as_slice() {
        [_] => true,
        [first, rest @ ..] => {
            (1..=3).contains(&first.len()) && rest.iter().all(|group| group.len() == 3)
        }
        [] => false,
    };
    grouped.then(|| groups.concat())
}

impl PartialOrd for Number {
    fn partial_cmp(&self, other: &Number) -> Option<Ordering> {
        match (self, other) {
            (Number::Whole(a), Number::Whole(b)) => Some(a.cmp(b)),
            _ => self.as_f64().partial_cmp(&other.as_f64()),
        }
    }
}

impl fmt::Display for Number {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Number::Whole(whole) => whole.fmt(f),
            Number::Real(real) => real.fmt(f),
        }
    }
}

#[cfg(test)]
#[path = "number_tests.rs"]
mod tests;
