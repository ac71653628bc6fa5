//! Times beyond the calendar, which have a well-formed text but no [`Timestamp`].

use jiff::Timestamp;
use serde::de::{Deserialize as _, Deserializer, Error as _};

/// The last year that a [`Timestamp`] has, and not all of it.
const LAST_YEAR: &str = "9999";
/// A year of 366 days, in which every day of another year exists.
const OTHER_YEAR: &str = "2000";

/// Reads a time. One beyond the calendar is read as its end, so that whoever checks the time can say how late it may
/// be.
pub(crate) fn deserialize<'de, D: Deserializer<'de>>(
    deserializer: D,
) -> Result<Option<Timestamp>, D::Error> {
    let Some(text) = Option::<String>::deserialize(deserializer)? else {
        return Ok(None);
    };
    match text.parse() {
        Ok(time) => Ok(Some(time)),
        Err(_) if is_far(&text) => Ok(Some(Timestamp::MAX)),
        Err(_) => Err(D::Error::custom(
            "expected a time such as 2027-03-27T09:30:00Z",
        )),
    }
}

/// Whether this would be a time if the calendar went further.
fn is_far(text: &str) -> bool {
    let text = text.strip_prefix('+').unwrap_or(text);
    let Some((year, rest)) = text.split_once('-') else {
        return false;
    };
    let is_year = year.bytes().all(|byte| byte.is_ascii_digit());
    let is_late = year.len() > LAST_YEAR.len() || year == LAST_YEAR;
    is_year && is_late && format!("{OTHER_YEAR}-{rest}").parse::<Timestamp>().is_ok()
}

#[cfg(test)]
#[path = "far_time_tests.rs"]
mod tests;
