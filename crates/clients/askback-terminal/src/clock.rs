//! All access to the clock.

use std::time::{Duration, Instant};

use jiff::tz::TimeZone;
use jiff::{Timestamp, Zoned};

/// Time since the program started. Changes of the system time do not affect it.
pub type MonotonicTime = Duration;

/// Reads the monotonic clock and the system time.
#[derive(Debug, Clone, Copy)]
pub struct Clock {
    begin: Instant,
}

impl Clock {
    /// A clock whose monotonic time starts at zero.
    #[expect(clippy::disallowed_methods, reason = "this is the home of the clock")]
    pub fn start() -> Clock {
        Clock {
            begin: Instant::now(),
        }
    }

    /// Time since [`Clock::start`].
    pub fn now(&self) -> MonotonicTime {
        self.begin.elapsed()
    }

    /// The system time.
    pub fn wall(&self) -> Timestamp {
        Timestamp::now()
    }
}

/// Today in the time zone of this machine.
pub fn today() -> jiff::civil::Date {
    local_time().date()
}

/// The system time in the time zone of this machine.
pub fn local_time() -> Zoned {
    Timestamp::now().to_zoned(zone())
}

/// `HH:MM` in the time zone of this machine.
pub fn time_of_day(at: Timestamp) -> String {
    let time = at.to_zoned(zone()).time();
    format!("{:02}:{:02}", time.hour(), time.minute())
}

/// `YYYY-MM-DD HH:MM` in the time zone of this machine.
pub fn date_and_time(at: Timestamp) -> String {
    let date = at.to_zoned(zone()).date();
    format!("{date} {}", time_of_day(at))
}

/// The time zone of this machine. It is read from `/etc/localtime`, because looking up its name
/// reads the whole zone database, which takes longer than everything else before the first frame.
fn zone() -> TimeZone {
    let own = std::env::var_os("TZ").is_none();
    let rules = own.then(|| std::fs::read("/etc/localtime").ok()).flatten();
    let zone = rules.and_then(|rules| TimeZone::tzif("local", &rules).ok());
    zone.unwrap_or_else(TimeZone::system)
}
