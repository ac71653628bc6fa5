use super::*;

/// The age of a question is short, and never negative if clocks differ.
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

/// Who decided what, where and when is on the line of a question that was answered.
#[test]
fn answered_question_shows_who_decided_what() {
    let inquiry = serde_json::from_value(serde_json::json!({
        "id": "inq_1", "conversation_id": "cnv_1", "status": "answered", "revision": 1, "dialect": "ask_user_question",
        "takes_message": false, "can_skip": false,
        "questions": [{"id": "q1", "text": "Which database?", "optional": false, "kind": "choice", "several": false,
            "own": true, "choices": [{"value": "PostgreSQL", "label": "PostgreSQL"}, {"value": "SQLite", "label": "SQLite"}]}],
        "asker": {"client": "claude-code", "project": "shop", "session": "s1"},
        "asked_at": "2027-03-01T00:00:00Z", "resolved_at": "2027-03-01T02:00:00Z",
        "outcome": {"type": "answered", "answers": [{"question": "q1", "value": "SQLite", "given": "chosen", "values": ["SQLite"]}]},
        "answered_by": "ana", "surface": "web",
    }));
    let inquiry: InquiryResponse = inquiry.expect("an inquiry");
    let now = "2027-03-01T02:05:00Z".parse().expect("a time");
    assert_eq!(
        line(&inquiry, now),
        "inq_1  answered  5m  claude-code in shop: Which database? = SQLite  (ana in the browser)"
    );
}
