//! Goal: text and structured content each say all there is, and nothing that is no answer looks like one.

use serde_json::from_value;

use super::*;

fn inquiry(status: &str, outcome: &Value, content: &str) -> InquiryResponse {
    let inquiry = json!({
        "id": "inq_1", "conversation_id": "cnv_1", "status": status, "revision": 1,
        "dialect": "ask_user_question",
        "questions": [
            {"id": "q1", "text": "One?", "kind": "choice", "several": true, "own_text": true,
             "choices": [{"value": "a", "label": "A"}, {"value": "b", "label": "B"}]},
            {"id": "q2", "text": "Two?", "kind": "number"},
        ],
        "asked_at": "2026-11-16T10:00:00Z",
        "outcome": outcome,
        "result": {"content": content, "is_error": status == "rejected"},
    });
    match from_value(inquiry) {
        Ok(inquiry) => inquiry,
        Err(error) => panic!("{error}"),
    }
}

#[test]
fn answers_are_typed_and_what_was_not_answered_is_named() {
    let outcome = json!({"type": "answered", "answers": [
        {"question": "q1", "given": "chosen", "values": ["a"], "own": "mine", "note": "soon"},
        {"question": "q2", "given": "unanswered"},
    ]});
    let reply = Reply::resolved(&inquiry("answered", &outcome, "{…}"));
    assert_eq!(
        Value::Object(reply.fields),
        json!({
            "status": "answered", "question_id": "inq_1", "questions": ["One?", "Two?"],
            "answers": {"One?": ["a", "mine"]}, "unanswered": ["Two?"], "notes": {"One?": "soon"},
        })
    );
    assert_eq!(
        (reply.texts, reply.is_error),
        (vec!["{…}".to_owned()], false)
    );
}

#[test]
fn an_empty_answer_says_that_nothing_was_chosen() {
    let outcome = json!({"type": "answered", "answers": [
        {"question": "q1", "given": "skipped"},
        {"question": "q2", "given": "chosen", "values": []},
    ]});
    let reply = Reply::resolved(&inquiry("answered", &outcome, "-"));
    let message = reply.fields["message"].as_str().unwrap_or_default();
    assert!(message.contains("Nothing was chosen"), "{message}");
    assert_eq!(reply.fields["skipped"], json!(["One?"]));
    assert_eq!(reply.fields["unanswered"], json!(["Two?"]));
}

#[test]
fn no_outcome_but_an_answer_has_answers() {
    for status in ["declined", "expired", "rejected", "cancelled", "withdrawn"] {
        let content = "What the dialect says";
        let reply = Reply::resolved(&inquiry(status, &json!({"type": status}), content));
        assert_eq!(reply.fields["status"], status);
        assert_eq!(reply.fields.get("answers"), None, "{status}");
        let text = &reply.texts[0];
        assert!(text.starts_with(content), "{status}: {text}");
        assert_eq!(reply.fields["message"], json!(text), "{status}");
    }
}

#[test]
fn late_answers_name_their_question_and_say_if_they_came_before() {
    let outcome = json!({"type": "answered", "answers": [
        {"question": "q2", "given": "number", "number": 3, "display": "3"},
    ]});
    let mut late = inquiry("answered", &outcome, "three");
    let mut reply = Reply::plain(object([("status", json!("listed"))]));
    reply.add_late(&[late.clone()]);
    assert_eq!(
        reply.texts[1],
        "Late answer to your earlier question inq_1 (\"One? / Two?\"). Status: answered.\nthree"
    );
    assert_eq!(
        reply.fields["late_answers"][0]["answers"],
        json!({"Two?": 3})
    );
    late.asker = from_value(json!({"client": "c", "session": "s", "delivery_attempts": 1})).ok();
    reply.add_late(&[late]);
    assert!(reply.texts[2].contains("may have been delivered to you before"));
    assert_eq!(
        reply.fields["late_answers"][0]["may_have_been_delivered_before"],
        true
    );
}

#[test]
fn a_pending_question_says_the_same_twice_and_what_to_do() {
    let pending = inquiry("pending", &Value::Null, "");
    for (waits, says) in [(1, "wait_for_answer"), (WAITS_MAX, "end your turn")] {
        let reply = Reply::pending(&pending, waits, "http://127.0.0.1:1/");
        assert!(!reply.is_error);
        assert_eq!(
            reply.texts,
            [Value::Object(reply.fields.clone()).to_string()]
        );
        assert_eq!(reply.fields["status"], "pending");
        let hint = reply.fields["hint"].as_str().unwrap_or_default();
        assert!(hint.contains(says), "{hint}");
    }
}
