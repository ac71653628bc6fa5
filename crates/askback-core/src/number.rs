//! Numbers as people type them and JSON carries them: whole ones exactly, others as doubles.

use std::cmp::Ordering;
use std::fmt;

use serde::{Deserialize, Serialize};

/// A finite number that is written back exactly as it was understood.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Number {
    /// A whole number, kept exactly.
    Whole(i64),
    /// Any other finite number.
    Real(f64),
}

/// The mark between the whole part and the decimals.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum DecimalMark {
    /// `3.5`
    #[default]
    Point,
    /// `3,5`
    Comma,
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

    /// A double, if it is finite; one without decimals becomes a whole number.
    pub fn from_f64(real: f64) -> Option<Number> {
        const EXACT: f64 = 9_007_199_254_740_992.0;
        if !real.is_finite() {
            return None;
        }
        if real.fract() == 0.0 && real.abs() <= EXACT {
            // The bound makes the cast exact; `as` would otherwise saturate.
            #[expect(
                clippy::cast_possible_truncation,
                reason = "bounded to ±2^53 and without fraction"
            )]
            return Some(Number::Whole(real as i64));
        }
        Some(Number::Real(real))
    }

    /// Reads what a person typed. Spaces and apostrophes may group digits.
    pub fn parse(typed: &str, mark: DecimalMark) -> Option<Number> {
        let compact: String = typed
            .trim()
            .chars()
            .filter(|ch| !matches!(ch, ' ' | '\u{A0}' | '\u{202F}' | '\'' | '’' | '_'))
            .map(|ch| if ch == '\u{2212}' { '-' } else { ch })
            .collect();
        let plain = match mark {
            DecimalMark::Point => compact,
            DecimalMark::Comma => {
                if compact.contains('.') {
                    return None;
                }
                compact.replace(',', ".")
            }
        };
        let digits_only = plain
            .bytes()
            .all(|b| b.is_ascii_digit() || matches!(b, b'.' | b'-' | b'+' | b'e' | b'E'));
        if !digits_only || !plain.bytes().any(|b| b.is_ascii_digit()) {
            return None;
        }
        if plain
            .bytes()
            .all(|b| b.is_ascii_digit() || matches!(b, b'-' | b'+'))
        {
            return plain.parse().ok().map(Number::Whole);
        }
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
