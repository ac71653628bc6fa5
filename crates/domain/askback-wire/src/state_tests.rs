//! States have the documented names and fields, and unknown states are no error.

use askback_core::conversation::event::{AgentFailure, FailureKind};
use askback_core::conversation::state::{PendingInquiries, PendingInquiry, State};
use askback_core::dialect::{Dialect, ParseOptions};
use askback_core::id::{CallId, InquiryId};
use askback_core::text::{Lines, Text};
use serde_json::json;

use super::StateResponse;

fn pending(id: &str) -> PendingInquiry {
    let input = json!({"question": "Go on?", "options": [{"label": "Yes"}]});
    let parsed = Dialect::Question.parse(&input, ParseOptions::default());
    PendingInquiry {
        id: InquiryId::new(id),
        call: Some(CallId::new("call_1")),
        tool: None,
        revision: 1,
        inquiry: parsed.unwrap().inquiry,
        asked_at: "2026-01-01T00:00:00Z".parse().unwrap(),
        expires_at: None,
        reminded: false,
        held: None,
    }
}

#[test]
fn pending_state_has_the_questions_as_the_tool_sent_them() {
    let state = State::AwaitingUserResponse(PendingInquiries::External {
        pending: vec![pending("inq_1"), pending("inq_2")],
    });
    let response = StateResponse::from(&state);
    let json = serde_json::to_value(&response).unwrap();
    assert_eq!(
        json,
        json!({
            "type": "awaiting_user_response",
            "inquiry_id": "inq_1",
            "tool_use_id": "call_1",
            "questions": [{
                "question": "Go on?",
                "options": [{"label": "Yes"}],
                "multiple": false,
                "custom": true,
            }],
            "others": ["inq_2"],
        })
    );
    assert_eq!(
        serde_json::from_value::<StateResponse>(json).unwrap(),
        response
    );
    assert_eq!(
        serde_json::to_value(response.without_questions()).unwrap(),
        json!({
            "type": "awaiting_user_response",
            "inquiry_id": "inq_1",
            "tool_use_id": "call_1",
            "others": ["inq_2"],
        })
    );
}

#[test]
fn other_states_have_only_the_documented_fields() {
    let failure = AgentFailure {
        kind: FailureKind::TooManyRounds,
        message: Text::clean("Stop.", Lines::One).unwrap(),
    };
    let cases = [
        (State::Idle, json!({"type": "idle"})),
        (
            State::LlmRequesting {
                request: 7,
                attempt: 1,
                last_failure: None,
            },
            json!({"type": "llm_requesting", "attempt": 1}),
        ),
        // Why it is tried again, without advice.
        (
            State::LlmRequesting {
                request: 7,
                attempt: 2,
                last_failure: Some(AgentFailure {
                    kind: FailureKind::Network,
                    message: Text::clean(
                        "Cannot reach api.example.com (connection refused). Check the network.",
                        Lines::One,
                    )
                    .unwrap(),
                }),
            },
            json!({"type": "llm_requesting", "attempt": 2,
                "reason": "Cannot reach api.example.com (connection refused)", "attempts_max": 6}),
        ),
        (
            State::Error { failure },
            json!({"type": "error", "code": "too_many_rounds", "message": "Stop."}),
        ),
    ];
    for (state, json) in cases {
        let response = StateResponse::from(&state);
        assert_eq!(serde_json::to_value(&response).unwrap(), json);
        assert_eq!(response.name(), state.name());
    }
}

#[test]
fn state_of_a_newer_version_is_unknown_and_nothing_waits_in_it() {
    let json = json!({"type": "dreaming", "of": "sheep"});
    let state: StateResponse = serde_json::from_value(json).unwrap();
    assert_eq!(state, StateResponse::Unknown);
    assert_eq!(state.inquiry_id(), None);
}
