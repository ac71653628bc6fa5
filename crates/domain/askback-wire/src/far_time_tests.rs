//! Goal: a well-formed time is never refused as malformed, however far away it is.

use jiff::Timestamp;
use serde_json::json;

use crate::inquiry::DeadlineParams;

fn read(time: &str) -> Option<Timestamp> {
    let params = serde_json::from_value::<DeadlineParams>(json!({ "expires_at": time }));
    params.ok()?.expires_at
}

#[test]
fn time_beyond_the_calendar_is_its_end() {
    for time in [
        "9999-12-31T23:59:59Z",
        "9999-12-31t23:59:59.999+00:00",
        "10000-01-01T00:00:00Z",
        "+010000-02-29T00:00:00-05:00",
        "123456789-01-01T00:00:00Z",
    ] {
        assert_eq!(read(time), Some(Timestamp::MAX), "{time}");
    }
}

#[test]
fn time_within_the_calendar_is_read_as_it_is() {
    for time in ["9999-01-01T00:00:00Z", "2027-03-27T09:30:00Z"] {
        assert_eq!(read(time), time.parse().ok(), "{time}");
    }
    let none = serde_json::from_value(json!({ "expires_at": null }));
    assert_eq!(none.ok(), Some(DeadlineParams::default()));
}

#[test]
fn text_that_is_no_time_is_refused() {
    for text in [
        "9999-12-31",
        "9999-13-01T00:00:00Z",
        "99999",
        "",
        "+-01-01T00:00:00Z",
        "10000-01-01T00:00:00",
        "soon",
    ] {
        assert_eq!(read(text), None, "{text}");
    }
}
