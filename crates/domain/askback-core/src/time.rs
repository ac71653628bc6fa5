//! The one resolution of time: the millisecond.
//!
//! A time that comes in from outside is cut where it enters, so that what is decided, stored, waited
//! for and shown is the same time. Were one of them finer than another, a timer could come a moment
//! before its deadline.

use jiff::{SignedDuration, Timestamp};

/// The millisecond in which a time lies: the time itself, or less than a millisecond before it.
pub fn whole_millis(at: Timestamp) -> Timestamp {
    let millis = at.as_nanosecond().div_euclid(1_000_000);
    let millis = i64::try_from(millis).unwrap_or(i64::MAX);
    Timestamp::from_millisecond(millis).unwrap_or(at)
}

/// The first whole millisecond that is not before a time.
pub fn next_whole_millis(at: Timestamp) -> Timestamp {
    let whole = whole_millis(at);
    if whole == at {
        return at;
    }
    whole
        .checked_add(SignedDuration::from_millis(1))
        .unwrap_or(Timestamp::MAX)
}

#[cfg(test)]
#[path = "time_tests.rs"]
mod tests;
