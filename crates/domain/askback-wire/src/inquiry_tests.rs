//! The JSON of an inquiry is as documented, before and after its outcome, and converts to the core's type.

use askback_core::answer::Answers;
use askback_core::conversation::event::CallResult;
use askback_core::dialect::{Dialect, ParseOptions};
use askback_core::id::{ConversationId, InquiryId};
use askback_core::identity::{Identity, NodeName};
use askback_core::inquiry::Inquiry;
use askback_core::outcome::{Actor, Outcome, Resolution, Surface};
use askback_core::text::{Lines, Text};
use jiff::Timestamp;
use serde_json::{Value, json};

use super::{InquiryFlags, InquiryResponse, InquiryStatus, NewInquiryParams, UnknownInquiry};

fn inquiry(dialect: Dialect, input: &Value) -> Inquiry {
    let parsed = dialect.parse(input, ParseOptions::default());
    parsed.unwrap().inquiry
}

fn at(text: &str) -> Timestamp {
    text.parse().unwrap()
}

fn pending(inquiry: &Inquiry) -> InquiryResponse {
    let (id, conversation) = (InquiryId::new("inq_1"), ConversationId::new("cnv_1"));
    let asked_at = at("2026-01-01T00:00:00Z");
    InquiryResponse {
        version: 7,
        expires_at: Some(at("2026-01-01T01:00:00Z")),
        ..InquiryResponse::new(id, conversation, inquiry, asked_at)
    }
}

fn number_inquiry() -> Inquiry {
    inquiry(
        Dialect::AskUser,
        &json!({
            "question": "How many?",
            "input_type": "number",
            "validation": {"min": 1, "max": 9.5},
            "allow_skip": true,
        }),
    )
}

/// Not even one of which nothing but the outcome is left.
#[test]
fn inquiry_with_an_outcome_offers_nothing() {
    let tombstone = Inquiry::restore(Dialect::AskUser, None, Vec::new()).unwrap();
    for asked in [number_inquiry(), tombstone] {
        let resolution = Resolution {
            outcome: Outcome::Declined,
            by: Actor::new(None, Surface::Http),
            node: None,
            at: at("2026-01-01T00:10:00Z"),
        };
        let ended = pending(&asked).resolved(&asked, &resolution, &CallResult::ok("none"));
        assert_eq!(ended.flags, InquiryFlags::default());
    }
}

#[test]
fn pending_inquiry_reads_as_documented() {
    assert_eq!(
        serde_json::to_value(pending(&number_inquiry())).unwrap(),
        json!({
            "id": "inq_1",
            "conversation_id": "cnv_1",
            "status": "pending",
            "version": 7,
            "revision": 1,
            "dialect": "ask_user",
            "flags": {"takes_message": false, "can_skip": true},
            "questions": [{
                "id": "q1",
                "text": "How many?",
                "optional": true,
                "kind": "number",
                "min": 1,
                "max": 9.5,
            }],
            "asked_at": "2026-01-01T00:00:00Z",
            "expires_at": "2026-01-01T01:00:00Z",
        })
    );
}

#[test]
fn resolved_inquiry_says_who_what_and_where() {
    let inquiry = number_inquiry();
    let answers = Answers::from_json(&inquiry, &json!({"q1": 3}), None).unwrap();
    let resolution = Resolution {
        outcome: Outcome::Answered { answers },
        by: Actor {
            identity: Identity::new("telegram", "42"),
            message: Text::clean("1001", Lines::One),
            ..Actor::new(Text::clean("Zoë", Lines::One), Surface::Terminal)
        },
        node: NodeName::clean("node-2"),
        at: at("2026-01-01T00:10:00Z"),
    };
    let resolved = pending(&inquiry).resolved(&inquiry, &resolution, &CallResult::ok("three"));
    let json = serde_json::to_value(&resolved).unwrap();
    assert_eq!(json["status"], "answered");
    assert_eq!(json["answered_by"], "Zoë");
    assert_eq!(json["surface"], "terminal");
    assert_eq!(json["identity"], "telegram:42");
    assert_eq!(json["message_id"], "1001");
    assert_eq!(json["node"], "node-2");
    assert_eq!(json["resolved_at"], "2026-01-01T00:10:00Z");
    assert_eq!(
        json["result"],
        json!({"content": "three", "is_error": false, "next": "resume"})
    );
    assert_eq!(
        json["outcome"],
        json!({
            "type": "answered",
            "answers": [{"question": "q1", "value": 3, "given": "number", "number": 3, "display": "3"}],
        })
    );
    assert_eq!(
        serde_json::from_value::<InquiryResponse>(json).unwrap(),
        resolved
    );
}

#[test]
fn every_kind_of_question_converts_to_the_core_type() {
    let choices = json!([{"label": "A", "description": "first", "preview": "+a"}, {"label": "B"}]);
    let inquiries = [
        number_inquiry(),
        inquiry(
            Dialect::AskUserQuestion,
            &json!({"questions": [{"question": "Which?", "header": "H", "options": choices}]}),
        ),
        inquiry(
            Dialect::AskUser,
            &json!({"question": "Name?", "validation": {"pattern": "^a", "message": "no"}}),
        ),
        inquiry(
            Dialect::AskUser,
            &json!({"question": "When?", "input_type": "date", "validation": {"min": "2026-01-01"}}),
        ),
        inquiry(
            Dialect::AskUser,
            &json!({"question": "From when?", "input_type": "date_range", "context": "why"}),
        ),
    ];
    for inquiry in inquiries {
        assert_eq!(pending(&inquiry).to_inquiry().unwrap(), inquiry);
    }
}

/// Whatever contract a question came in, what a reply shows of it can be asked.
#[test]
fn questions_of_a_reply_can_be_asked_again() {
    let neutral = json!({"questions": [
        {"id": "db", "text": "Which?", "header": "H", "context": "why", "choices": [
            "A", {"label": "B", "value": "b", "description": "d", "preview": "+b", "recommended": true},
            {"label": "None", "exclusive": true}], "several": true, "own": true},
        {"text": "Go?", "kind": "confirm"},
        {"text": "Ship?", "kind": "confirm", "choices": ["Ship", "Hold"]},
        {"text": "How many?", "kind": "number", "min": 1, "max": 9, "step": 2, "integer": true, "message": "few"},
        {"text": "When?", "kind": "date", "min": "2026-01-01", "optional": true},
        {"text": "From when?", "kind": "date_range", "max": "2026-01-01"},
        {"text": "Name?", "placeholder": "p", "min_length": 1, "max_length": 9, "pattern": "^a"},
    ]});
    let claude = json!({"questions": [
        {"question": "Which?", "header": "H", "multiSelect": true, "options": [
            {"label": "A (Recommended)", "description": "d"}, {"label": "None of these", "description": "d"}]},
        {"question": "And?", "header": "I", "multiSelect": false, "options": [
            {"label": "A", "description": "d"}, {"label": "B", "description": "d"}]},
    ]});
    for asked in [
        number_inquiry(),
        inquiry(Dialect::Questions, &neutral),
        inquiry(Dialect::AskUserQuestionClaude, &claude),
    ] {
        let shown = serde_json::to_value(pending(&asked)).unwrap();
        let again = inquiry(
            Dialect::Questions,
            &json!({"questions": shown["questions"]}),
        );
        assert_eq!(again.questions(), asked.questions());
    }
}

#[test]
fn unknown_status_is_not_resolved() {
    let mut json = serde_json::to_value(pending(&number_inquiry())).unwrap();
    json["status"] = json!("postponed");
    json["a_new_field"] = json!(true);
    json["questions"][0]["kind"] = json!("drawing");
    let read: InquiryResponse = serde_json::from_value(json).unwrap();
    assert_eq!(read.status, InquiryStatus::Unknown("postponed".to_owned()));
    assert!(!read.status.is_resolved());
    assert_eq!(read.to_inquiry(), Err(UnknownInquiry));
    assert_eq!(serde_json::to_value(&read.status).unwrap(), "postponed");
    for word in InquiryStatus::VALUES {
        assert_eq!(InquiryStatus::from(*word).is_resolved(), *word != "pending");
    }
}

#[test]
fn asking_needs_no_more_than_an_input() {
    let params: NewInquiryParams =
        serde_json::from_value(json!({"input": {"question": "?"}, "expires_in": "5m"})).unwrap();
    assert_eq!(params.expires_in.unwrap().duration().as_secs(), 300);
    let least = NewInquiryParams {
        input: json!({}),
        ..NewInquiryParams::default()
    };
    assert_eq!(serde_json::to_value(least).unwrap(), json!({"input": {}}));
}
