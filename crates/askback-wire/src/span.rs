//! A length of time as a person writes it: `30s`, `5m`, `2h`, or a number of seconds.

use std::fmt;

use jiff::SignedDuration;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// A length of time, never negative, to the millisecond.
///
/// Read from `"250ms"`, `"30s"`, `"5m"`, `"2h"`, `"1d"`, `"90"` or the JSON number of seconds;
/// written in the largest unit that holds it whole.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Span(SignedDuration);

/// A text that is no length of time.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("a length of time looks like 30s, 5m, 2h, 1d or a number of seconds")]
pub struct NotASpan;

/// The units, largest first, with their milliseconds.
const UNITS: [(&str, i64); 5] = [
    ("d", 86_400_000),
    ("h", 3_600_000),
    ("m", 60_000),
    ("s", 1_000),
    ("ms", 1),
];

/// Longer than any limit, and far from any overflow.
const MS_MAX: i64 = 1_000 * 366 * 86_400_000;

impl Span {
    /// So many seconds.
    pub fn from_secs(seconds: u32) -> Span {
        Span(SignedDuration::from_secs(i64::from(seconds)))
    }

    /// So many milliseconds, at most a year.
    pub fn from_millis(milliseconds: u64) -> Span {
        let ms = i64::try_from(milliseconds).unwrap_or(MS_MAX).min(MS_MAX);
        Span(SignedDuration::from_millis(ms))
    }

    /// The length as the domain takes it.
    pub fn duration(self) -> SignedDuration {
        self.0
    }

    /// The length as timers take it.
    pub fn std_duration(self) -> std::time::Duration {
        self.0.unsigned_abs()
    }

    fn from_ms(ms: i64) -> Result<Span, NotASpan> {
        if (0..=MS_MAX).contains(&ms) {
            Ok(Span(SignedDuration::from_millis(ms)))
        } else {
            Err(NotASpan)
        }
    }

    fn from_seconds(seconds: f64) -> Result<Span, NotASpan> {
        let ms = (seconds * 1_000.0).round();
        #[expect(
            clippy::cast_precision_loss,
            reason = "the bound is far below where doubles skip whole numbers"
        )]
        if !(0.0..=MS_MAX as f64).contains(&ms) {
            return Err(NotASpan);
        }
        #[expect(
            clippy::cast_possible_truncation,
            reason = "bounded above and without decimals"
        )]
        Span::from_ms(ms as i64)
    }
}

impl std::str::FromStr for Span {
    type Err = NotASpan;

    fn from_str(text: &str) -> Result<Span, NotASpan> {
        let text = text.trim();
        let digits = text.bytes().take_while(u8::is_ascii_digit).count();
        let (number, unit) = text.split_at(digits);
        let number: i64 = number.parse().map_err(|_| NotASpan)?;
        let unit = match unit.trim_start() {
            "" => "s",
            unit => unit,
        };
        let (_, ms) = UNITS
            .iter()
            .find(|(name, _)| *name == unit)
            .ok_or(NotASpan)?;
        Span::from_ms(number.checked_mul(*ms).ok_or(NotASpan)?)
    }
}

impl fmt::Display for Span {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let ms = self.0.as_millis();
        let whole = |(_, unit): &&(&str, i64)| ms % i128::from(*unit) == 0;
        match UNITS.iter().find(whole) {
            Some((name, unit)) if ms != 0 => write!(f, "{}{name}", ms / i128::from(*unit)),
            _ => f.write_str("0s"),
        }
    }
}

impl Serialize for Span {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Span {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Span, D::Error> {
        struct Visitor;

        impl serde::de::Visitor<'_> for Visitor {
            type Value = Span;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                write!(f, "{NotASpan}")
            }

            fn visit_str<E: serde::de::Error>(self, text: &str) -> Result<Span, E> {
                text.parse().map_err(E::custom)
            }

            fn visit_i64<E: serde::de::Error>(self, seconds: i64) -> Result<Span, E> {
                let ms = seconds.checked_mul(1_000).ok_or(NotASpan);
                ms.and_then(Span::from_ms).map_err(E::custom)
            }

            fn visit_u64<E: serde::de::Error>(self, seconds: u64) -> Result<Span, E> {
                let seconds = i64::try_from(seconds).map_err(|_| E::custom(NotASpan))?;
                self.visit_i64(seconds)
            }

            fn visit_f64<E: serde::de::Error>(self, seconds: f64) -> Result<Span, E> {
                Span::from_seconds(seconds).map_err(E::custom)
            }
        }

        deserializer.deserialize_any(Visitor)
    }
}

impl utoipa::PartialSchema for Span {
    fn schema() -> utoipa::openapi::RefOr<utoipa::openapi::schema::Schema> {
        use utoipa::openapi::schema::{ObjectBuilder, OneOfBuilder, Type};
        OneOfBuilder::new()
            .item(
                ObjectBuilder::new()
                    .schema_type(Type::String)
                    .pattern(Some("^[0-9]+ ?(ms|s|m|h|d)?$")),
            )
            .item(
                ObjectBuilder::new()
                    .schema_type(Type::Number)
                    .minimum(Some(0)),
            )
            .description(Some(
                "A length of time: `30s`, `5m`, `2h`, `1d`, or a number of seconds.",
            ))
            .into()
    }
}

impl utoipa::ToSchema for Span {}

#[cfg(test)]
#[path = "span_tests.rs"]
mod tests;
