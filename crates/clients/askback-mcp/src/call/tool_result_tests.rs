//! Goal: text and structured content are each complete, and only an answer looks like an answer.

use serde_json::from_value;

use super::*;

fn inquiry(status: &str, outcome: &Value, content: &str) -> InquiryResponse {
    let inquiry = json!({
        "id": "inq_1", "conversation_id": "cnv_1", "status": status, "revision": 1,
        "dialect": "ask_user_question",
        "questions": [
            {"id": "q1", "text": "One?", "kind": "choice", "several": true, "own": true,
             "choices": [{"value": "a", "label": "A"}, {"value": "b", "label": "B"}]},
            {"id": "q2", "text": "Two?", "kind": "number"},
        ],
        "asked_at": "2026-11-16T10:00:00Z",
        "outcome": outcome,
        "result": {"content": content, "is_error": status == "rejected", "next": "resume"},
    });
    match from_value(inquiry) {
        Ok(inquiry) => inquiry,
        Err(error) => panic!("{error}"),
    }
}

fn now() -> Timestamp {
    let now = "2026-11-16T10:16:00Z".parse();
    now.unwrap_or_default()
}

#[test]
fn answers_are_typed_and_unanswered_questions_are_named() {
    let outcome = json!({"type": "answered", "answers": [
        {"question": "q1", "value": ["a", "mine"], "given": "chosen", "values": ["a"], "own": "mine", "note": "soon"},
        {"question": "q2", "given": "unanswered"},
    ]});
    let result = ToolResult::resolved(&inquiry("answered", &outcome, "{…}"));
    assert_eq!(
        Value::Object(result.fields),
        json!({
            "status": "answered", "question_id": "inq_1", "questions": ["One?", "Two?"],
            "answers": {"One?": ["a", "mine"]}, "unanswered": ["Two?"], "notes": {"One?": "soon"},
            "given_by": "the user, through askback",
        })
    );
    let texts = vec!["{…}".to_owned(), GIVEN_BY_USER.to_owned()];
    assert_eq!((result.texts, result.is_error), (texts, false));
}

#[test]
fn empty_answer_says_that_nothing_was_chosen() {
    let outcome = json!({"type": "answered", "answers": [
        {"question": "q1", "given": "skipped"},
        {"question": "q2", "given": "chosen", "values": []},
    ]});
    let result = ToolResult::resolved(&inquiry("answered", &outcome, "-"));
    let message = result.fields["message"].as_str().unwrap_or_default();
    assert!(message.contains("Nothing was chosen"), "{message}");
    assert_eq!(result.fields["skipped"], json!(["One?"]));
    assert_eq!(result.fields["unanswered"], json!(["Two?"]));
}

#[test]
fn only_an_answered_question_has_answers() {
    for status in ["declined", "expired", "rejected", "cancelled", "withdrawn"] {
        let content = "The dialect's text";
        let result = ToolResult::resolved(&inquiry(status, &json!({"type": status}), content));
        assert_eq!(result.fields["status"], status);
        assert_eq!(result.fields.get("answers"), None, "{status}");
        let text = &result.texts[0];
        assert!(text.starts_with(content), "{status}: {text}");
        assert_eq!(result.fields["message"], json!(text), "{status}");
    }
}

#[test]
fn late_answers_name_their_question_and_say_if_delivered_before() {
    let outcome = json!({"type": "answered", "answers": [
        {"question": "q2", "value": 3, "given": "number", "number": 3, "display": "3"},
    ]});
    let mut late = inquiry("answered", &outcome, "three");
    let mut result = ToolResult::from_fields(json_object([("status", json!("listed"))]));
    late.resolved_at = "2026-11-16T10:05:00.25Z".parse().ok();
    late.answered_by = Some("Ada".to_owned());
    result.add_late_answers(&[late.clone()], now());
    assert_eq!(
        result.texts[1],
        "Late answer to your earlier question inq_1 (\"One? / Two?\"). Given by Ada at \
         2026-11-16T10:05:00Z, 10 minutes ago. Status: answered.\nthree"
    );
    assert_eq!(
        result.fields["late_answers"][0]["answers"],
        json!({"Two?": 3})
    );
    late.asker = from_value(json!({"client": "c", "session": "s", "delivery_attempts": 1})).ok();
    result.add_late_answers(&[late], now());
    assert!(result.texts[2].contains("may have been delivered to you before"));
    assert_eq!(
        result.fields["late_answers"][0]["may_have_been_delivered_before"],
        true
    );
}

#[test]
fn pending_result_says_what_to_do_in_text_and_in_fields() {
    let pending = inquiry("pending", &Value::Null, "");
    for (pending_count, expected) in [
        (1, "wait_for_answer"),
        (PENDING_RESULTS_MAX, "end your turn"),
    ] {
        let result = ToolResult::pending(&pending, pending_count, SessionScope::Agent);
        assert!(!result.is_error);
        assert_eq!(
            result.texts,
            [Value::Object(result.fields.clone()).to_string()]
        );
        assert_eq!(result.fields["status"], "pending");
        let hint = result.fields["hint"].as_str().unwrap_or_default();
        assert!(hint.contains(expected), "{hint}");
    }
}

/// A stop of a question in the background is an error result, as of one that was waited for.
#[test]
fn late_stop_is_an_error() {
    let stopped = inquiry("rejected", &json!({"type": "rejected"}), "Stopped");
    let declined = inquiry("declined", &json!({"type": "declined"}), "Declined");
    let listed = || ToolResult::from_fields(json_object([("status", json!("listed"))]));
    let mut result = listed();
    result.add_late_answers(std::slice::from_ref(&declined), now());
    assert!(!result.is_error);
    let mut result = listed();
    result.add_late_answers(&[declined, stopped], now());
    assert!(result.is_error);
}

/// A client may show the model only the text: an old answer says there what it is.
#[test]
fn old_answer_says_its_age_and_whose_it_was() {
    let outcome = json!({"type": "answered", "answers": [
        {"question": "q2", "value": 3, "given": "number", "number": 3, "display": "3"},
    ]});
    let mut old = inquiry("answered", &outcome, "three");
    old.resolved_at = "2026-11-16T08:00:00Z".parse().ok();
    let mut result = ToolResult::resolved(&old);
    result.add_age(&old, now());
    assert_eq!(
        result.texts[2],
        "This is not new. Given at 2026-11-16T08:00:00Z, 2 hours ago."
    );
    assert_eq!(result.fields["remarks"], json!([result.texts[2]]));
    old.asker = from_value(json!({
        "client": "opencode", "session": "s", "taken_over": true,
        "delivered_at": "2026-11-16T08:00:01Z",
    }))
    .ok();
    let mut result = ToolResult::resolved(&old);
    result.add_age(&old, now());
    assert_eq!(
        result.texts[2],
        "This is not new. Given at 2026-11-16T08:00:00Z, 2 hours ago. An earlier session asked this \
         question, not you. It was delivered to you before."
    );
    result.add_late_answers(&[old], now());
    assert!(
        result.texts[3].starts_with(
            "Not an answer to a question of yours: an earlier session of opencode asked inq_1"
        ),
        "{}",
        result.texts[3]
    );
}

/// Some clients join the texts of a result without anything between.
#[test]
fn further_texts_begin_on_a_line_of_their_own() {
    let declined = inquiry("declined", &json!({"type": "declined"}), "Declined");
    let mut result = ToolResult::resolved(&declined);
    result.add_late_answers(&[declined], now());
    let response = serde_json::to_value(result.into_response()).unwrap_or_default();
    let text = |index: usize| response["content"][index]["text"].as_str().unwrap_or("");
    assert_eq!(text(0), "Declined");
    assert!(text(1).starts_with("\nLate answer"), "{response}");
}

#[test]
fn labels_of_the_question_dialect_stand_on_lines_of_their_own() {
    let outcome = json!({"type": "answered", "answers": [
        {"question": "q1", "value": ["a", "b", "mine"], "given": "chosen", "values": ["a", "b"], "own": "mine", "display": "A, B, mine"},
    ]});
    let mut answered = inquiry("answered", &outcome, "");
    answered.flags.takes_message = true;
    let result = ToolResult::resolved(&answered);
    assert_eq!(result.texts[0], "The user answered:\nA\nB\nmine");
}
