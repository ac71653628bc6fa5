//! `question`: the answer is the next user message.

use super::*;

#[test]
fn question_asks_what_it_was_given() {
    let questions = |several: bool, own_text: bool| {
        json!([{
            "id": "q1", "header": "Next step", "text": "What should I do next?",
            "skippable": false, "kind": "choice", "several": several, "own_text": own_text,
            "choices": [
                choice("Run the tests", "All of them"),
                { "value": "Open a pull request", "label": "Open a pull request" },
                { "value": "Stop here", "label": "Stop here" },
            ],
        }])
    };
    check_in(
        Dialect::Question,
        &next_step(false),
        &questions(false, true),
    );
    check_in(Dialect::Question, &next_step(true), &questions(true, true));
    let mut closed = next_step(false);
    closed["custom"] = json!(false);
    check_in(Dialect::Question, &closed, &questions(false, false));
}

fn check_message(multiple: bool, answer: Value, message: &str) {
    let reply = render(
        Dialect::Question,
        &next_step(multiple),
        &answered(&json!({ "q1": answer })),
    );
    assert_eq!(reply.user_message.as_deref(), Some(message), "{answer}");
    assert_eq!((reply.is_error, reply.next), (false, Next::Resume));
    assert!(
        reply.content.contains("next user message"),
        "{}",
        reply.content
    );
    assert!(
        !reply.content.contains(message),
        "the answer is given once: {}",
        reply.content
    );
}

#[test]
fn question_answer_is_the_next_user_message() {
    check_message(false, json!("Run the tests"), "Run the tests");
    check_message(false, json!({ "values": ["Stop here"] }), "Stop here");
    check_message(false, json!("Explain it first"), "Explain it first");
    check_message(
        false,
        json!({ "values": ["Stop here"], "own": "Wait until Monday" }),
        "Wait until Monday",
    );
    check_message(true, json!("Stop here"), "Stop here");
    check_message(
        true,
        json!(["Open a pull request", "Run the tests"]),
        "Run the tests\nOpen a pull request",
    );
    check_message(
        true,
        json!({ "values": ["Run the tests", "Open a pull request"], "own": "and tell me" }),
        "Run the tests\nOpen a pull request\nand tell me",
    );
    check_message(
        true,
        json!({ "own": "Explain it first" }),
        "Explain it first",
    );
}

#[test]
fn question_message_holds_labels_and_typed_text_only() {
    let reply = render(
        Dialect::Question,
        &next_step(false),
        &answered(&json!({ "q1": "Run the tests" })),
    );
    assert!(
        !reply
            .user_message
            .expect("a message")
            .contains("All of them")
    );
}
