//! Durations in requests, flags and settings: `30s`, `5m`, `2h`, `1d` or a number of seconds.

use std::fmt;

use jiff::{SignedDuration, SpanRelativeTo};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::Value;

/// A duration of at most 1000 years, never negative, rounded to milliseconds.
///
/// Parsed from a JSON number of seconds, from digits (`"90"` is 90 seconds), or from what jiff calls a
/// friendly duration: `"250ms"`, `"30s"`, `"5m"`, `"2h"`, `"1d"`, `"1h 30m"`. A day has 24 hours.
/// Written in the largest unit that holds it as a whole number, which every version can read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct HumanDuration(SignedDuration);

/// The text or number is not a [`HumanDuration`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("not a duration: write 30s, 5m, 2h, 1d or a number of seconds")]
pub struct InvalidDuration;

/// Units for writing, largest first, in milliseconds.
const UNITS: [(&str, i64); 5] = [
    ("d", 86_400_000),
    ("h", 3_600_000),
    ("m", 60_000),
    ("s", 1_000),
    ("ms", 1),
];

/// More than any limit allows, and small enough never to overflow.
const MS_MAX: i64 = 1_000 * 366 * 86_400_000;

impl HumanDuration {
    /// Cannot exceed the limit, unlike a `u64`.
    pub fn from_secs(seconds: u32) -> HumanDuration {
        HumanDuration(SignedDuration::from_secs(i64::from(seconds)))
    }

    /// Values over 1000 years are clamped.
    pub fn from_millis(milliseconds: u64) -> HumanDuration {
        let ms = i64::try_from(milliseconds).unwrap_or(MS_MAX).min(MS_MAX);
        HumanDuration(SignedDuration::from_millis(ms))
    }

    /// For timestamps.
    pub fn duration(self) -> SignedDuration {
        self.0
    }

    /// For timers.
    pub fn std_duration(self) -> std::time::Duration {
        self.0.unsigned_abs()
    }

    fn from_ms(ms: i64) -> Result<HumanDuration, InvalidDuration> {
        if (0..=MS_MAX).contains(&ms) {
            Ok(HumanDuration(SignedDuration::from_millis(ms)))
        } else {
            Err(InvalidDuration)
        }
    }

    fn from_whole_seconds(seconds: i64) -> Result<HumanDuration, InvalidDuration> {
        HumanDuration::from_ms(seconds.checked_mul(1_000).ok_or(InvalidDuration)?)
    }

    fn from_seconds(seconds: f64) -> Result<HumanDuration, InvalidDuration> {
        let ms = (seconds * 1_000.0).round();
        #[expect(
            clippy::cast_precision_loss,
            reason = "the bound is far below the precision of f64"
        )]
        if !(0.0..=MS_MAX as f64).contains(&ms) {
            return Err(InvalidDuration);
        }
        #[expect(clippy::cast_possible_truncation, reason = "bounded and rounded above")]
        HumanDuration::from_ms(ms as i64)
    }
}

impl std::str::FromStr for HumanDuration {
    type Err = InvalidDuration;

    fn from_str(text: &str) -> Result<HumanDuration, InvalidDuration> {
        let text = text.trim();
        if let Ok(seconds) = text.parse() {
            return HumanDuration::from_whole_seconds(seconds);
        }
        let span: jiff::Span = text.parse().map_err(|_| InvalidDuration)?;
        let duration = span.to_duration(SpanRelativeTo::days_are_24_hours());
        let ms = duration.map_err(|_| InvalidDuration)?.as_millis();
        HumanDuration::from_ms(i64::try_from(ms).map_err(|_| InvalidDuration)?)
    }
}

impl fmt::Display for HumanDuration {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let ms = self.0.as_millis();
        let whole = |(_, unit): &&(&str, i64)| ms % i128::from(*unit) == 0;
        match UNITS.iter().find(whole) {
            Some((name, unit)) if ms != 0 => write!(f, "{}{name}", ms / i128::from(*unit)),
            _ => f.write_str("0s"),
        }
    }
}

impl Serialize for HumanDuration {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for HumanDuration {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<HumanDuration, D::Error> {
        let duration = match Value::deserialize(deserializer)? {
            Value::String(text) => text.parse(),
            Value::Number(seconds) => match seconds.as_i64() {
                Some(seconds) => HumanDuration::from_whole_seconds(seconds),
                None => HumanDuration::from_seconds(seconds.as_f64().unwrap_or(f64::NAN)),
            },
            Value::Null | Value::Bool(_) | Value::Array(_) | Value::Object(_) => {
                Err(InvalidDuration)
            }
        };
        duration.map_err(serde::de::Error::custom)
    }
}

impl utoipa::PartialSchema for HumanDuration {
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
                "A duration: `30s`, `5m`, `2h`, `1d`, or a number of seconds.",
            ))
            .into()
    }
}

impl utoipa::ToSchema for HumanDuration {
    /// The name in the published document, which generated clients use.
    fn name() -> std::borrow::Cow<'static, str> {
        "Span".into()
    }
}

#[cfg(test)]
#[path = "duration_tests.rs"]
mod tests;
