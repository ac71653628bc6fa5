//! What a provider is sent: whole rounds only, every call with its result, messages in the order
//! in which the model can read them.

use serde_json::json;

use super::{HistoryEntry, history};
use crate::conversation::command::{Command, RawReply};
use crate::conversation::event::FailureKind;
use crate::conversation::fixtures::{Fixture, answer, ask, cancel, red, tool};
use crate::dialect::Dialect;

#[test]
fn history_of_nothing_is_empty() {
    assert_eq!(history(&Fixture::agent().events), []);
}

#[test]
fn open_round_is_left_out() {
    let calls = [tool("first"), ask(Dialect::AskUser), tool("third")];
    let queued = Fixture::agent().round(&calls);
    let asked = queued.clone().runs("done");
    let answered = asked.clone().after(|it| answer(it.inquiry(), red()));
    for open in [queued, asked, answered] {
        assert_eq!(open.history(), ["user: Do it."]);
    }
}

#[test]
fn round_enters_with_its_last_result() {
    let fixture = Fixture::agent()
        .round(&[tool("first"), tool("second")])
        .runs("one")
        .runs("two");
    assert_eq!(
        fixture.history(),
        ["user: Do it.", "assistant:  first = ok one second = ok two"]
    );
}

#[test]
fn reply_enters_as_it_was_with_its_reasoning() {
    let reasoning = json!({ "signature": "abc" });
    let fixture = Fixture::agent()
        .says("Hello")
        .after(|it| Command::LlmReplied {
            request: it.conversation.requests,
            attempt: 1,
            reply: RawReply {
                text: "Which?".to_owned(),
                reasoning: Some(reasoning.clone()),
                calls: vec![ask(Dialect::AskUserQuestion)],
            },
        })
        .after(|it| answer(it.inquiry(), red()));
    let [_, HistoryEntry::Assistant { reply, results }] = &history(&fixture.events)[..] else {
        panic!("a message and a round");
    };
    assert_eq!(
        reply.text.as_ref().map(ToString::to_string).as_deref(),
        Some("Which?")
    );
    assert_eq!(reply.reasoning, Some(reasoning));
    assert_eq!(reply.calls[0].provider_id, "p_ask_user_question");
    assert_eq!(results.len(), 1);
}

#[test]
fn failed_attempts_leave_no_trace() {
    let fixture = Fixture::agent()
        .says("Hello")
        .after(|it| it.fail_llm(FailureKind::Network))
        .after(|it| it.reply_with("", &[]))
        .after(|it| it.reply_with("Hi.", &[]));
    assert_eq!(fixture.history(), ["user: Hello", "assistant: Hi."]);
}

#[test]
fn answers_as_messages_follow_their_round_and_come_before_what_is_said_next() {
    let fixture = Fixture::agent()
        .round(&[ask(Dialect::Question)])
        .after(|it| answer(it.inquiry(), red()))
        .calls(&[ask(Dialect::Question)])
        .says("Neither")
        .after(|_| cancel())
        .says("Stop there");
    assert_eq!(
        fixture.history(),
        [
            "user: Do it.",
            "assistant:  question = ok The user answered. Their answer is the next…",
            "user: Red",
            "assistant:  question = ok The user wrote a message instead of picking…",
            "user: Neither",
            "user: Stop there",
        ]
    );
}
