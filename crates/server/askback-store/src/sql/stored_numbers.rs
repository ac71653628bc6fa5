//! Times and deadlines as the numbers that every store writes.

use askback_core::time::whole_millis;
use jiff::Timestamp;

/// No deadline. SQLite stores 0 without a payload, and it sorts after all deadlines.
const NO_DEADLINE: i64 = 0;

/// Subtracted from stored deadlines. Larger than any timestamp, so that they are negative.
const DEADLINE_OFFSET: i64 = 1 << 60;

/// Microseconds since 1970, rounded down to the millisecond, the resolution of time everywhere in
/// askback.
pub fn stored_micros(at: Timestamp) -> i64 {
    whole_millis(at).as_microsecond()
}

/// One index sorts all deadlines, and inquiries without one last.
pub fn stored_deadline(at: Option<Timestamp>) -> i64 {
    at.map_or(NO_DEADLINE, |at| stored_micros(at) - DEADLINE_OFFSET)
}

/// The deadline of a stored number. Fails if the number is not one of a deadline.
pub fn deadline(stored: i64) -> Result<Option<Timestamp>, jiff::Error> {
    if stored == NO_DEADLINE {
        return Ok(None);
    }
    let micros = stored.saturating_add(DEADLINE_OFFSET);
    Timestamp::from_microsecond(micros).map(Some)
}
