//! What a provider's reply or failure does: calls under ids of our own, retries with a growing
//! pause, and no report for a request that nobody waits for.

use std::collections::BTreeSet;

use jiff::SignedDuration;
use serde_json::json;

use crate::conversation::command::{Command, RawCall, RawReply};
use crate::conversation::event::{CallResult, Event, FailureKind};
use crate::conversation::fixtures::{
    Fixture, answer, ask, cancel, check, expire, failure, raw_call, red, rules, say, tool,
};
use crate::conversation::state::State;
use crate::dialect::Dialect;
use crate::limits;

#[test]
fn reply_without_calls_ends_the_turn() {
    check(
        &Fixture::agent().says("Hello"),
        |it| it.reply_with("Hi.", &[]),
        "
        assistant_replied \"Hi.\"
        turn_ended replied
        = idle
        ",
    );
}

#[test]
fn sub_agents_last_words_go_to_its_parent() {
    check(
        &Fixture::sub_agent().says("Look"),
        |it| it.reply_with("Found it.", &[]),
        "
        assistant_replied \"Found it.\"
        turn_ended replied
        > report_to_parent cnv_parent call_parent ok Found it.
        = idle
        ",
    );
}

#[test]
fn reply_with_a_tool_call_queues_the_tool() {
    check(
        &Fixture::agent().says("Hello"),
        |it| it.reply_with("Let me look.", &[tool("read_file")]),
        "
        assistant_replied \"Let me look.\" call1 read_file
        > run_tool call1 read_file
        = tool_executing
        ",
    );
}

#[test]
fn reply_with_a_question_parks_it_in_the_same_decision() {
    for dialect in Dialect::TOOLS {
        let line = format!("assistant_replied \"Well.\" call1 {}", dialect.name());
        check(
            &Fixture::agent().says("Hello"),
            |it| it.reply_with("Well.", &[ask(dialect)]),
            &format!("{line}\ninquiry_asked inq1 for call1\n= awaiting_user_response"),
        );
    }
}

#[test]
fn reply_nobody_waits_for_is_refused() {
    let cancelled = Fixture::agent().says("Hello").after(|_| cancel());
    let asked_anew = cancelled.clone().says("Again");
    let asked = Fixture::agent().round(&[ask(Dialect::AskUser)]);
    let queued = Fixture::agent().round(&[tool("read_file")]);
    for fixture in [cancelled, asked_anew, asked, queued, Fixture::agent()] {
        let late = Command::LlmReplied {
            request: 1,
            attempt: 1,
            reply: RawReply {
                text: "Hi.".to_owned(),
                ..RawReply::default()
            },
        };
        check(&fixture, |_| late, "refused: stale_report");
    }
}

#[test]
fn reply_to_a_request_that_was_not_made_is_refused() {
    let ahead = Command::LlmReplied {
        request: 2,
        attempt: 1,
        reply: RawReply {
            text: "Hi.".to_owned(),
            ..RawReply::default()
        },
    };
    check(
        &Fixture::agent().says("Hello"),
        |_| ahead,
        "refused: stale_report",
    );
}

#[test]
fn reply_to_an_attempt_that_was_given_up_is_refused() {
    let fixture = Fixture::agent().says("Hello");
    let late = fixture.reply_with("Hi.", &[]);
    let again = fixture.after(|it| it.fail_llm(FailureKind::Network));
    check(&again, |_| late, "refused: stale_report");
    assert_eq!(again.attempt(), 2);
    assert!(again.decide(&again.reply_with("Hi.", &[])).is_ok());
}

#[test]
fn passing_failure_is_tried_again_after_a_pause() {
    for kind in [
        FailureKind::Overloaded,
        FailureKind::Network,
        FailureKind::Malformed,
    ] {
        check(
            &Fixture::agent().says("Hello"),
            |it| it.fail_llm(kind),
            &format!(
                "
                llm_attempt_failed 1/1 {kind:?}
                llm_requested 1/2 in 1000ms
                > request_llm 1/2 in 1000ms
                = llm_requesting
                "
            ),
        );
    }
}

#[test]
fn lasting_failure_ends_the_turn_in_an_error() {
    check(
        &Fixture::agent().says("Hello"),
        |it| it.fail_llm(FailureKind::Refused),
        "
        llm_attempt_failed 1/1 Refused
        turn_ended failed Refused
        = error
        ",
    );
}

#[test]
fn failed_sub_agent_reports_to_its_parent() {
    check(
        &Fixture::sub_agent().says("Look"),
        |it| it.fail_llm(FailureKind::Refused),
        "
        llm_attempt_failed 1/1 Refused
        turn_ended failed Refused
        > report_to_parent cnv_parent call_parent error The sub-agent failed: The provider is not we…
        = error
        ",
    );
}

#[test]
fn pauses_double_up_to_the_last_attempt() {
    let mut fixture = Fixture::agent().says("Hello");
    let mut pauses = Vec::new();
    while let State::LlmRequesting { .. } = fixture.conversation.state {
        fixture = fixture.after(|it| it.fail_llm(FailureKind::Overloaded));
        if let Some(Event::LlmRequested { due, .. }) = fixture.events.last() {
            pauses.push(due.duration_since(fixture.now).as_secs());
        }
    }
    assert_eq!(pauses, [1, 2, 4, 8, 16]);
    assert_eq!(fixture.conversation.state.name(), "error");
}

#[test]
fn providers_wish_to_wait_is_honoured_within_bounds() {
    let fail = |it: &Fixture, seconds| {
        let Command::LlmFailed {
            request,
            attempt,
            failure,
            ..
        } = it.fail_llm(FailureKind::Overloaded)
        else {
            panic!("a failure");
        };
        Command::LlmFailed {
            request,
            attempt,
            failure,
            retry_after: Some(SignedDuration::from_secs(seconds)),
        }
    };
    let thinking = Fixture::agent().says("Hello");
    for (wish, pause) in [
        (30, 30_000),
        (0, 1_000),
        (-5, 1_000),
        (86_400, 600_000),
        (i64::MAX, 600_000),
    ] {
        check(
            &thinking,
            |it| fail(it, wish),
            &format!(
                "
                llm_attempt_failed 1/1 Overloaded
                llm_requested 1/2 in {pause}ms
                > request_llm 1/2 in {pause}ms
                = llm_requesting
                "
            ),
        );
    }
}

#[test]
fn failure_of_an_earlier_attempt_is_refused() {
    let retried = Fixture::agent()
        .says("Hello")
        .after(|it| it.fail_llm(FailureKind::Network));
    let late = |request, attempt| Command::LlmFailed {
        request,
        attempt,
        failure: failure(FailureKind::Refused),
        retry_after: None,
    };
    check(&retried, |_| late(1, 1), "refused: stale_report");
    check(&retried, |_| late(1, 3), "refused: stale_report");
    check(&retried, |_| late(2, 2), "refused: stale_report");
    check(&Fixture::agent(), |_| late(0, 0), "refused: stale_report");
}

#[test]
fn empty_reply_is_a_malformed_one_and_tried_again() {
    for text in ["", " \n"] {
        check(
            &Fixture::agent().says("Hello"),
            |it| it.reply_with(text, &[]),
            "
            llm_attempt_failed 1/1 Malformed
            llm_requested 1/2 in 1000ms
            > request_llm 1/2 in 1000ms
            = llm_requesting
            ",
        );
    }
}

#[test]
fn reply_to_a_later_attempt_counts() {
    check(
        &Fixture::agent()
            .says("Hello")
            .after(|it| it.fail_llm(FailureKind::Network)),
        |it| it.reply_with("Hi.", &[]),
        "
        assistant_replied \"Hi.\"
        turn_ended replied
        = idle
        ",
    );
}

#[test]
fn reasoning_is_kept_as_the_provider_sent_it() {
    let reasoning = json!([{ "type": "thinking", "signature": "abc=", "thinking": "\u{1b}[1m" }]);
    let fixture = Fixture::agent().says("Hello").after(|it| {
        let Command::LlmReplied {
            request,
            attempt,
            reply,
        } = it.reply_with("", &[ask(Dialect::AskUser)])
        else {
            panic!("a reply");
        };
        let reasoning = Some(reasoning.clone());
        Command::LlmReplied {
            request,
            attempt,
            reply: RawReply { reasoning, ..reply },
        }
    });
    let kept = fixture.events.iter().find_map(|event| {
        let Event::AssistantReplied { reply } = event else {
            return None;
        };
        reply.reasoning.clone()
    });
    assert_eq!(kept, Some(reasoning));
}

fn call_with_id(provider_id: &str) -> RawCall {
    RawCall {
        provider_id: provider_id.to_owned(),
        ..tool("read_file")
    }
}

#[test]
fn provider_ids_are_made_unique_within_a_round() {
    let ids = ["a", "a", "a-2", "", "", "a"];
    let calls: Vec<RawCall> = ids.into_iter().map(call_with_id).collect();
    let fixture = Fixture::agent().round(&calls);
    let round = fixture.conversation.state.round().unwrap();
    let given: Vec<&str> = round
        .calls()
        .iter()
        .map(|c| c.provider_id.as_str())
        .collect();
    assert_eq!(given[..3], ["a", "a-2", "a-2-2"]);
    let unique: BTreeSet<&str> = given.iter().copied().collect();
    assert_eq!(unique.len(), given.len(), "{given:?}");
    assert!(given.iter().all(|id| !id.is_empty()), "{given:?}");
}

#[test]
fn provider_id_of_an_earlier_round_names_a_new_call() {
    let fixture = Fixture::agent()
        .round(&[call_with_id("call_0")])
        .runs("one")
        .calls(&[call_with_id("call_0")]);
    assert_ne!(fixture.made(0), fixture.made(1));
    let first = fixture.made(0);
    check(
        &fixture,
        |_| Command::ToolStarted { call: first },
        "refused: stale_report",
    );
}

#[test]
fn agent_that_never_reports_is_stopped_and_goes_on_at_the_next_message() {
    let mut fixture = Fixture::agent().says("Hello");
    for _ in 0..limits::ROUNDS_PER_TURN_MAX {
        fixture = fixture.calls(&[tool("read_file")]).runs("done");
    }
    let last_call = limits::ROUNDS_PER_TURN_MAX + 1;
    let next_call = last_call + 1;
    check(
        &fixture,
        |it| it.reply_with("", &[tool("read_file"), ask(Dialect::AskUser)]),
        &format!(
            "
            assistant_replied call{last_call} read_file call{next_call} ask_user
            call_finished call{last_call} error The agent took too many rounds without repor…
            call_finished call{next_call} error Not run: the turn was stopped before this ca…
            round_finished
            turn_ended failed TooManyRounds
            = error
            "
        ),
    );
    check(
        &fixture,
        |it| it.reply_with("At last.", &[]),
        "
        assistant_replied \"At last.\"
        turn_ended replied
        = idle
        ",
    );
    let stopped = fixture.calls(&[tool("read_file")]);
    let resumed = stopped.after(|_| say("Go on."));
    assert_eq!(resumed.conversation.rounds, 0);
}

/// Calls a tool that fails, as often as it is let.
fn fails(fixture: Fixture, error: &str) -> Fixture {
    let fixture = fixture
        .calls(&[tool("read_file")])
        .after(Fixture::start_tool);
    fixture.after(|it| Command::ToolFinished {
        call: it.call(),
        result: CallResult::error(error),
    })
}

#[test]
fn agent_that_repeats_what_fails_is_stopped() {
    let mut fixture = Fixture::agent().says("Hello");
    for _ in 1..limits::SAME_FAILURES_MAX {
        fixture = fails(fixture, "No such file.");
        assert_eq!(fixture.conversation.state.name(), "llm_requesting");
    }
    let stopped = fails(fixture.clone(), "No such file.");
    let State::Error { failure } = &stopped.conversation.state else {
        panic!("{:?}", stopped.conversation.state);
    };
    assert_eq!(failure.kind, FailureKind::SameFailures);
    assert!(
        failure.message.to_string().contains("5 times"),
        "{failure:?}"
    );
    // A message is a new attempt.
    let resumed = fails(stopped.after(|_| say("Try again.")), "No such file.");
    assert_eq!(resumed.conversation.state.name(), "llm_requesting");
    // Another error says that something has changed.
    let other = fails(fails(fixture, "Permission denied."), "No such file.");
    assert_eq!(other.conversation.state.name(), "llm_requesting");
}

/// Polling, or failing between calls that succeed, is no repetition.
#[test]
fn success_between_failures_starts_the_count_anew() {
    let mut fixture = Fixture::agent().says("Hello");
    for _ in 0..3 * limits::SAME_FAILURES_MAX {
        fixture = fails(fixture, "Not ready.");
        fixture = fixture.calls(&[tool("wait")]).runs("done");
    }
    assert_eq!(fixture.conversation.state.name(), "llm_requesting");
}

/// A question that cannot be read is such a call, too, and so is a round of several.
#[test]
fn agent_that_repeats_a_malformed_question_is_stopped() {
    let calls = [
        raw_call("ask_user", json!({ "question": "" })),
        raw_call("ask_user", json!("{broken")),
    ];
    let mut fixture = Fixture::agent().says("Hello");
    for _ in 0..limits::SAME_FAILURES_MAX {
        assert_eq!(fixture.conversation.state.name(), "llm_requesting");
        fixture = fixture.calls(&calls);
    }
    assert_eq!(fixture.conversation.state.name(), "error");
}

/// A sub-agent that is stopped tells its parent why.
#[test]
fn sub_agent_that_repeats_what_fails_reports() {
    let broken = raw_call("spawn_agents", json!({}));
    let mut fixture = Fixture::sub_agent().says("Hello");
    for _ in 0..limits::SAME_FAILURES_MAX {
        fixture = fixture.calls(std::slice::from_ref(&broken));
    }
    let reports = fixture
        .jobs
        .iter()
        .any(|job| job.name() == "report_to_parent");
    assert!(reports, "{:?}", fixture.jobs);
}

/// Whoever answers watches the agent; a question that nobody answers leaves it alone.
#[test]
fn answer_lets_the_agent_take_new_rounds() {
    for dialect in Dialect::TOOLS {
        let policy = rules(dialect, |rules| rules.expires_after_ms = Some(60_000));
        let asked = Fixture::with(policy).round(&[ask(dialect)]);
        assert_eq!(asked.conversation.rounds, 1);
        let answered = asked.clone().after(|it| answer(it.inquiry(), red()));
        assert_eq!(answered.conversation.rounds, 0, "{dialect:?}");
        let later = asked.later(60);
        let expired = later.after(|it| expire(it.inquiry()));
        assert_eq!(expired.conversation.rounds, 1, "{dialect:?}");
    }
}

#[test]
fn input_that_is_not_json_is_handed_on_as_text() {
    check(
        &Fixture::agent().says("Hello"),
        |it| it.reply_with("", &[raw_call("ask_user", json!("{broken"))]),
        "
        assistant_replied call1 ask_user
        call_finished call1 error ask_user was not called: the input is not va…
        round_finished
        llm_requested 2/1
        > request_llm 2/1
        = llm_requesting
        ",
    );
}
