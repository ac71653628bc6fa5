//! What a date means that a person is typing.

use askback_macros::skip_none;
use jiff::civil::Date;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// Asks which day a text means. Nothing is stored.
#[skip_none]
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct TypedDateParams {
    /// What the person typed: `tomorrow`, `27 mar`, `next friday`, or both days of a range, `27 mar to 3 apr`.
    pub text: String,
    /// The language of the person, for parsing and for `problem`. English if missing.
    pub locale: Option<String>,
    /// The date where the person is. By default that of the server.
    pub today: Option<Date>,
}

/// The day that an answer with this text would store.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct TypedDateResponse {
    /// Null if the text is not a date. The first day of a range.
    pub date: Option<Date>,
    /// The last day, if the text is a range of days.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub end: Option<Date>,
    /// Why the text is not a date, in the language of the person. Null if it is one.
    pub problem: Option<String>,
}

// Leaves out the text: it is a part of an answer.
askback_core::debug_only!(TypedDateParams: locale, today);
