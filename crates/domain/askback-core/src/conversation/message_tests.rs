//! What a message of the user does in every state, and that a repeated or unreadable one does
//! nothing.

use crate::conversation::event::FailureKind;
use crate::conversation::fixtures::{
    Fixture, answer, ask, check, external_ask, red, rules, say, say_as, spawn, tool,
};
use crate::dialect::Dialect;
use crate::limits;
use crate::outcome::Surface;

#[test]
fn message_starts_a_turn() {
    check(
        &Fixture::agent(),
        |_| say_as("msg_a", "Hello"),
        "
        message_received msg1 sent as msg_a \"Hello\"
        llm_requested 1/1
        > request_llm 1/1
        = llm_requesting
        ",
    );
}

#[test]
fn message_without_an_id_gets_one() {
    check(
        &Fixture::agent(),
        |_| say("Hello"),
        "
        message_received msg1 \"Hello\"
        llm_requested 1/1
        > request_llm 1/1
        = llm_requesting
        ",
    );
}

#[test]
fn message_after_an_error_tries_again_with_a_new_request() {
    check(
        &Fixture::agent()
            .says("Hello")
            .after(|it| it.fail_llm(FailureKind::Refused)),
        |_| say("Again"),
        "
        message_received msg2 \"Again\"
        llm_requested 2/1
        > request_llm 2/1
        = llm_requesting
        ",
    );
}

#[test]
fn message_while_the_agent_works_is_refused() {
    let thinking = Fixture::agent().says("Hello");
    let queued = thinking.clone().calls(&[tool("read_file")]);
    let running = queued.clone().after(Fixture::start_tool);
    let delegating = thinking.clone().calls(&[spawn(&["Look"])]);
    for busy in [thinking, queued, running, delegating] {
        check(&busy, |_| say("And?"), "refused: busy");
    }
}

#[test]
fn message_while_a_question_waits_is_refused_unless_the_dialect_takes_it() {
    for dialect in [
        Dialect::AskUserQuestion,
        Dialect::AskUserQuestionClaude,
        Dialect::AskUser,
    ] {
        check(
            &Fixture::agent().round(&[ask(dialect)]),
            |_| say("Red, please"),
            "refused: awaiting_user_response",
        );
    }
}

#[test]
fn message_answers_a_waiting_question_without_another_message() {
    check(
        &Fixture::agent()
            .round(&[ask(Dialect::Question)])
            .from(Surface::Web),
        |_| say_as("msg_a", "Green, if you have it"),
        "
        inquiry_resolved inq1 superseded by Web: ok The user wrote a message instead of picking…
        call_finished call1 ok The user wrote a message instead of picking…
        message_received msg2 sent as msg_a \"Green, if you have it\" answers inq1
        round_finished
        llm_requested 2/1
        > request_llm 2/1
        = llm_requesting
        ",
    );
}

#[test]
fn message_that_answers_follows_its_round_in_the_history() {
    let policy = rules(Dialect::AskUserQuestion, |rules| {
        rules.message_answers = true;
    });
    let fixture = Fixture::with(policy)
        .round(&[ask(Dialect::AskUserQuestion), tool("read_file")])
        .says("Green")
        .runs("done");
    assert_eq!(
        fixture.history(),
        [
            "user: Do it.",
            "assistant:  ask_user_question = ok The user wrote a message instead of picking… \
             read_file = ok done",
            "user: Green",
        ]
    );
}

#[test]
fn repeated_message_is_refused_in_every_state_it_led_to() {
    let sent = Fixture::agent().after(|_| say_as("msg_a", "Hello"));
    let asked = sent.clone().calls(&[ask(Dialect::Question)]);
    let done = sent.clone().after(|it| it.reply_with("Hi.", &[]));
    for fixture in [sent, asked, done] {
        check(
            &fixture,
            |_| say_as("msg_a", "Hello"),
            "refused: duplicate_message",
        );
    }
}

#[test]
fn repeated_message_is_refused_after_later_messages_and_answers() {
    let fixture = Fixture::agent()
        .after(|_| say_as("msg_a", "Hello"))
        .calls(&[ask(Dialect::Question)])
        .after(|it| answer(it.inquiry(), red()))
        .after(|it| it.reply_with("Hi.", &[]))
        .after(|_| say_as("msg_b", "Bye"))
        .after(|it| it.reply_with("Bye.", &[]));
    check(
        &fixture,
        |_| say_as("msg_a", "Hello"),
        "refused: duplicate_message",
    );
}

#[test]
fn message_that_was_refused_may_be_sent_again() {
    let busy = Fixture::agent().says("Hello");
    check(&busy, |_| say_as("msg_a", "And?"), "refused: busy");
    check(
        &busy.after(|it| it.reply_with("Hi.", &[])),
        |_| say_as("msg_a", "And?"),
        "
        message_received msg2 sent as msg_a \"And?\"
        llm_requested 2/1
        > request_llm 2/1
        = llm_requesting
        ",
    );
}

#[test]
fn remembered_messages_are_bounded() {
    let mut fixture = Fixture::agent();
    for turn in 0..=limits::MESSAGES_REMEMBERED_MAX {
        fixture = fixture
            .after(|_| say_as(&format!("msg_{turn}x"), "Hello"))
            .after(|it| it.reply_with("Hi.", &[]));
    }
    let remembered = fixture.conversation.recent_messages.len();
    assert_eq!(remembered, limits::MESSAGES_REMEMBERED_MAX);
}

#[test]
fn message_needs_readable_text_of_bounded_length() {
    let longest = "x".repeat(limits::MESSAGE_CHARS_MAX);
    let too_long = format!("{longest}x");
    for text in ["", " \n\t ", "\u{200B}", &too_long] {
        check(&Fixture::agent(), |_| say(text), "refused: invalid_message");
    }
    assert!(Fixture::agent().decide(&say(&longest)).is_ok());
}

#[test]
fn message_cannot_be_sent_to_somebody_elses_agent() {
    let idle = Fixture::external();
    let waiting = idle
        .clone()
        .after(|_| external_ask(Dialect::Question, None));
    for fixture in [idle, waiting] {
        check(&fixture, |_| say("Red"), "refused: wrong_driver");
    }
}

/// A sender's id is its own affair: it never becomes the id of a message.
#[test]
fn senders_cannot_name_messages() {
    let sent = Fixture::agent();
    check(
        &sent,
        |_| say_as("evt_5", "Hello"),
        "\
        message_received msg1 sent as evt_5 \"Hello\"
        llm_requested 1/1
        > request_llm 1/1
        = llm_requesting",
    );
}
