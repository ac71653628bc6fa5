//! Until when a question can be snoozed.

use super::times;

/// The same times as in the browser; in the evening, none for this evening.
#[test]
fn times_are_the_next_of_their_kind() {
    let found = |now: &str| -> Vec<String> {
        let now: jiff::Zoned = now.parse().expect("a time");
        let times = times(&now).into_iter();
        let local = times.map(|(id, at)| {
            let at = at.to_zoned(now.time_zone().clone());
            let name = id.strip_prefix("inbox-snooze-").unwrap_or(id);
            format!("{name} {}", at.strftime("%a %d %H:%M"))
        });
        local.collect()
    };
    assert_eq!(
        found("2027-03-01T16:59[Europe/Berlin]"),
        [
            "hour Mon 01 17:59",
            "evening Mon 01 18:00",
            "tomorrow Tue 02 09:00",
            "monday Mon 08 09:00"
        ]
    );
    // The clocks change in that night.
    assert_eq!(
        found("2027-03-27T23:30[Europe/Berlin]"),
        [
            "hour Sun 28 00:30",
            "tomorrow Sun 28 09:00",
            "monday Mon 29 09:00"
        ]
    );
}
