use super::*;

/// F-T-7: the age of a question is short, and never negative if clocks differ.
#[test]
fn age_has_one_unit() {
    let then = Timestamp::from_second(1_000_000).expect("a time");
    let aged = |seconds: i64| {
        let now = Timestamp::from_second(1_000_000 + seconds).expect("a time");
        age(then, now)
    };
    assert_eq!(aged(-5), "0s");
    assert_eq!(aged(59), "59s");
    assert_eq!(aged(60), "1m");
    assert_eq!(aged(3_599), "59m");
    assert_eq!(aged(7_200), "2h");
    assert_eq!(aged(86_400 * 3), "3d");
}
