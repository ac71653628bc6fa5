//! Goal: only the same question, answered a short time ago, is taken for that of an interrupted call.

use askback_core::dialect::Dialect;
use serde_json::json;

use super::*;

fn arguments(text: &str) -> JsonObject {
    let arguments = json!({
        "questions": [{"question": text, "header": "H", "options": ["A", "B"]}],
        "background": false,
    });
    arguments.as_object().cloned().unwrap_or_default()
}

fn answered(text: &str) -> InquiryResponse {
    let mut input = arguments(text);
    input.remove(BACKGROUND);
    let parsed = Dialect::AskUserQuestion.parse(&Value::Object(input), ParseOptions::default());
    let parsed = parsed.expect("it is valid");
    let questions = parsed.inquiry.questions().iter();
    let questions: Vec<QuestionResponse> = questions.map(Into::into).collect();
    let inquiry = json!({
        "id": "inq_1", "conversation_id": "cnv_1", "status": "answered", "revision": 1,
        "dialect": "ask_user_question", "questions": questions,
        "asked_at": "2026-11-16T10:00:00Z", "resolved_at": "2026-11-16T10:01:00Z",
    });
    serde_json::from_value(inquiry).expect("it is an inquiry")
}

fn is_taken(tool: &Tool, text: &str, now: &str) -> bool {
    let mut unread = vec![answered("Deploy now?")];
    let now = now.parse().expect("a time");
    let taken = take_repeated(&mut unread, tool, &arguments(text), now);
    assert_eq!(taken.is_some(), unread.is_empty());
    taken.is_some()
}

#[test]
fn same_question_is_taken_while_it_is_recent() {
    let ask = Tool::Ask(Dialect::AskUserQuestion);
    assert!(is_taken(&ask, "Deploy now?", "2026-11-16T10:10:59Z"));
    assert!(!is_taken(&ask, "Deploy now?", "2026-11-16T10:11:00Z"));
    assert!(!is_taken(&ask, "Deploy later?", "2026-11-16T10:01:01Z"));
    assert!(!is_taken(
        &Tool::List,
        "Deploy now?",
        "2026-11-16T10:01:01Z"
    ));
    let other = Tool::Ask(Dialect::AskUserQuestionClaude);
    assert!(!is_taken(&other, "Deploy now?", "2026-11-16T10:01:01Z"));
}
