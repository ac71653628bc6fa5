//! Every documented spelling of a duration is accepted, and written back in one form.

use serde_json::json;

use super::HumanDuration;

#[test]
fn accepts_every_documented_spelling() {
    let cases = [
        (json!("250ms"), "250ms"),
        (json!("30s"), "30s"),
        (json!(" 5m "), "5m"),
        (json!("2 h"), "2h"),
        (json!("1d"), "1d"),
        (json!("90"), "90s"),
        (json!(120), "2m"),
        (json!(1.5), "1500ms"),
        (json!(0), "0s"),
        (json!("1h 30m"), "90m"),
        (json!("1h30m"), "90m"),
        (json!("1.5h"), "90m"),
        (json!("2 weeks"), "14d"),
        (json!("PT5M"), "5m"),
    ];
    for (wire, written) in cases {
        let duration: HumanDuration = serde_json::from_value(wire.clone()).unwrap();
        assert_eq!(duration.to_string(), written, "{wire}");
        let again: HumanDuration =
            serde_json::from_value(serde_json::to_value(duration).unwrap()).unwrap();
        assert_eq!(again, duration, "{wire}");
    }
}

#[test]
fn refuses_what_is_not_a_duration() {
    let cases = [
        json!(""),
        json!("s"),
        json!("-5s"),
        json!("5 years"),
        json!("1 month"),
        json!("5m ago"),
        json!("9223372036854775807"),
        json!("99999999999999999999s"),
        json!("9999999999999d"),
        json!(-1),
        json!(-0.5),
        json!(1e300),
        json!(u64::MAX),
        json!(null),
        json!({}),
    ];
    for wire in cases {
        let read = serde_json::from_value::<HumanDuration>(wire.clone());
        assert!(read.is_err(), "{wire}");
    }
}
