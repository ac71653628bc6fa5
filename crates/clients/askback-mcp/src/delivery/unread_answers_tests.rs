//! Goal: an answer that was perhaps not read is offered again, except to a call that asks the same.

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

fn is_dropped(tool: &Tool, text: &str) -> bool {
    let mut unread = vec![answered("Deploy now?")];
    drop_repeated(&mut unread, tool, &arguments(text));
    unread.is_empty()
}

#[test]
fn answer_is_dropped_when_the_same_question_is_asked_again() {
    let ask = Tool::Ask(Dialect::AskUserQuestion);
    assert!(is_dropped(&ask, "Deploy now?"));
    assert!(!is_dropped(&ask, "Deploy later?"));
    assert!(!is_dropped(&Tool::List, "Deploy now?"));
    let other = Tool::Ask(Dialect::AskUserQuestionClaude);
    assert!(!is_dropped(&other, "Deploy now?"));
}
