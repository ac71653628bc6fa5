//! The one home of the clock.

use std::time::{Duration, Instant};

use jiff::Timestamp;
use jiff::tz::TimeZone;

/// Time since the program began, which no setting of the wall clock moves.
pub type MonotonicTime = Duration;

/// The clocks of the machine.
#[derive(Debug, Clone, Copy)]
pub struct Clock {
    begin: Instant,
}

impl Clock {
    /// Begins to count.
    #[expect(clippy::disallowed_methods, reason = "this is the home of the clock")]
    pub fn start() -> Clock {
        Clock {
            begin: Instant::now(),
        }
    }

    /// How long ago it began.
    pub fn now(&self) -> MonotonicTime {
        self.begin.elapsed()
    }

    /// The time of day.
    pub fn wall(&self) -> Timestamp {
        Timestamp::now()
    }
}

/// Today, where the terminal is.
pub fn today() -> jiff::civil::Date {
    Timestamp::now().to_zoned(zone()).date()
}

/// Hours and minutes of a time, where the terminal is.
pub fn time_of_day(at: Timestamp) -> String {
    let time = at.to_zoned(zone()).time();
    format!("{:02}:{:02}", time.hour(), time.minute())
}

/// The day and the time of day of a time, where the terminal is.
pub fn date_and_time(at: Timestamp) -> String {
    let date = at.to_zoned(zone()).date();
    format!("{date} {}", time_of_day(at))
}

/// The zone of this machine. Its rules are read from the one file that has them: asking for its name
/// walks the whole database of zones, which takes longer than all else before the first frame.
fn zone() -> TimeZone {
    let own = std::env::var_os("TZ").is_none();
    let rules = own.then(|| std::fs::read("/etc/localtime").ok()).flatten();
    let zone = rules.and_then(|rules| TimeZone::tzif("local", &rules).ok());
    zone.unwrap_or_else(TimeZone::system)
}
