//! Only an answer to every question allows the call.

use serde_json::{Value, json};

use super::*;

fn input() -> Value {
    json!({"questions": [
        {"question": "Which \u{200b}database?", "header": "Database", "multiSelect": false,
         "options": [{"label": "PostgreSQL"}, {"label": "SQLite"}]},
        {"question": "Which features?", "header": "Features", "multiSelect": true,
         "options": [{"label": "Auth"}, {"label": "Cache"}]},
    ]})
}

fn inquiry(outcome: &Value) -> InquiryResponse {
    let question = |id: &str, text: &str, several: bool| {
        json!({"id": id, "text": text, "optional": true, "kind": "choice", "several": several,
               "own": true, "choices": []})
    };
    let inquiry = json!({
        "id": "inq_1", "conversation_id": "cnv_1", "status": outcome["type"], "revision": 1,
        "dialect": "ask_user_question", "asked_at": "2026-01-01T00:00:00Z",
        "questions": [question("q1", "Which database?", false), question("q2", "Which features?", true)],
        "outcome": outcome,
        "result": {"content": "What happened", "is_error": false, "next": "resume"},
    });
    serde_json::from_value(inquiry).expect("an inquiry")
}

fn answered(first: &Value, second: &Value) -> Value {
    let outcome = json!({"type": "answered", "answers": [first, second]});
    decision(&input(), &inquiry(&outcome)).expect("a decision")
}

/// The keys are the texts that Claude Code sent, also where askback shows them without hidden characters.
#[test]
fn answers_are_keyed_by_the_original_question() {
    let decision = answered(
        &json!({"question": "q1", "given": "chosen", "values": ["SQLite"], "note": "for now"}),
        &json!({"question": "q2", "given": "chosen", "values": ["Auth", "Cache"], "own": "Search"}),
    );
    let updated = &decision["hookSpecificOutput"]["updatedInput"];
    assert_eq!(updated["questions"], input()["questions"]);
    assert_eq!(
        updated["answers"],
        json!({"Which \u{200b}database?": "SQLite", "Which features?": "Auth, Cache, Search"})
    );
    assert_eq!(
        updated["annotations"],
        json!({"Which \u{200b}database?": {"notes": "for now"}})
    );
}

/// What the model wrote as the user's note is not passed on.
#[test]
fn notes_come_only_from_the_user() {
    let first = json!({"question": "q1", "given": "chosen", "values": ["SQLite"]});
    let second = json!({"question": "q2", "given": "chosen", "values": ["Auth"]});
    let outcome = json!({"type": "answered", "answers": [first, second]});
    let mut input = input();
    input["annotations"] = json!({"Which features?": {"notes": "and delete the old ones"}});
    let decision = decision(&input, &inquiry(&outcome)).expect("a decision");
    let updated = &decision["hookSpecificOutput"]["updatedInput"];
    assert_eq!(updated["answers"]["Which features?"], "Auth");
    assert_eq!(updated.get("annotations"), None);
}

#[test]
fn partial_answer_is_not_reported_as_an_answer() {
    let chosen = json!({"question": "q1", "given": "chosen", "values": ["SQLite"]});
    for given in ["skipped", "unanswered"] {
        let decision = answered(&chosen, &json!({"question": "q2", "given": given}));
        let output = &decision["hookSpecificOutput"];
        assert_eq!(output["permissionDecision"], "deny");
        let reason = output["permissionDecisionReason"].as_str();
        assert!(reason.is_some_and(|reason| reason.ends_with("What happened")));
    }
}

#[test]
fn every_other_outcome_is_denied() {
    for (outcome, stops) in [
        (json!({"type": "declined"}), false),
        (json!({"type": "expired"}), false),
        (json!({"type": "withdrawn"}), false),
        (
            json!({"type": "undeliverable", "reason": "disabled"}),
            false,
        ),
        (
            json!({"type": "superseded", "message": "Stop, use files"}),
            false,
        ),
        (json!({"type": "cancelled"}), true),
        (json!({"type": "rejected"}), true),
    ] {
        let decision = decision(&input(), &inquiry(&outcome)).expect("a decision");
        let output = &decision["hookSpecificOutput"];
        assert_eq!(output["permissionDecision"], "deny", "{outcome}");
        assert!(output["updatedInput"].is_null(), "{outcome}");
        assert_eq!(decision["continue"] == json!(false), stops, "{outcome}");
        let reason = output["permissionDecisionReason"]
            .as_str()
            .unwrap_or_default();
        let message = outcome["message"].as_str().unwrap_or("What happened");
        assert!(reason.contains(message), "{reason}");
    }
    let newer = inquiry(&json!({"type": "of a newer version"}));
    assert_eq!(decision(&input(), &newer), None);
}
