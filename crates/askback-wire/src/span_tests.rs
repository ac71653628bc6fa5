//! Lengths of time are read as people write them and written back the shortest way.

use serde_json::json;

use super::Span;

#[test]
fn every_documented_form_is_read() {
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
    ];
    for (wire, written) in cases {
        let span: Span = serde_json::from_value(wire.clone()).unwrap();
        assert_eq!(span.to_string(), written, "{wire}");
        let again: Span = serde_json::from_value(serde_json::to_value(span).unwrap()).unwrap();
        assert_eq!(again, span, "{wire}");
    }
}

#[test]
fn nonsense_is_refused() {
    let cases = [
        json!(""),
        json!("s"),
        json!("-5s"),
        json!("5 years"),
        json!("1.5h"),
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
        let read = serde_json::from_value::<Span>(wire.clone());
        assert!(read.is_err(), "{wire}");
    }
}
