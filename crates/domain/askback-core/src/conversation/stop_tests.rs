//! Stopping: in every state, by the user or because the asker went away, with a result for every
//! open call and nothing left behind that could block what comes next.

use crate::conversation::command::{Command, Target};
use crate::conversation::event::{CallResult, FailureKind};
use crate::conversation::fixtures::{
    Fixture, answer, ask, cancel, check, external_ask, red, report, say, spawn, tool, withdraw,
};
use crate::conversation::job::Job;
use crate::conversation::policy::Policy;
use crate::dialect::Dialect;
use crate::outcome::Surface;

#[test]
fn nothing_going_on_cannot_be_stopped() {
    let failed = Fixture::agent()
        .says("Go")
        .after(|it| it.fail_llm(FailureKind::Refused));
    for fixture in [
        Fixture::agent(),
        failed,
        Fixture::external(),
        Fixture::sub_agent(),
    ] {
        check(&fixture, |_| cancel(), "refused: nothing_to_stop");
        check(&fixture, |_| withdraw(), "refused: nothing_to_stop");
    }
}

#[test]
fn cancel_gives_up_the_request() {
    check(
        &Fixture::agent().says("Go"),
        |_| cancel(),
        "
        turn_ended stopped
        > abort_request 1
        = idle
        ",
    );
}

#[test]
fn cancel_closes_every_call_of_a_waiting_round() {
    for dialect in [
        Dialect::AskUserQuestion,
        Dialect::AskUserQuestionClaude,
        Dialect::AskUser,
    ] {
        check(
            &Fixture::agent()
                .round(&[tool("first"), ask(dialect), tool("third"), ask(dialect)])
                .runs("done"),
            |_| cancel(),
            "
            inquiry_resolved inq1 cancelled by Terminal: error User cancelled the question
            call_finished call2 error User cancelled the question
            call_finished call3 error Not run: the turn was stopped before this ca…
            call_finished call4 error Not run: the turn was stopped before this ca…
            round_finished
            turn_ended stopped
            = idle
            ",
        );
    }
}

#[test]
fn cancelled_round_is_history_and_the_model_learns_it_on_the_next_turn() {
    let fixture = Fixture::agent()
        .round(&[ask(Dialect::AskUserQuestion), tool("read_file")])
        .after(|_| cancel())
        .says("Something else");
    assert_eq!(
        fixture.history(),
        [
            "user: Do it.",
            "assistant:  ask_user_question = error User cancelled the question \
             read_file = error Not run: the turn was stopped before this ca…",
            "user: Something else",
        ]
    );
    assert_eq!(fixture.conversation.state.name(), "llm_requesting");
}

#[test]
fn cancel_by_the_right_id_is_the_same_as_cancel() {
    let fixture = Fixture::agent().round(&[ask(Dialect::AskUser)]);
    let by_id = Command::Cancel {
        target: Some(fixture.inquiry().into()),
    };
    assert_eq!(fixture.decide(&by_id), fixture.decide(&cancel()));
}

#[test]
fn cancel_of_an_answered_question_does_not_stop_what_came_of_it() {
    let fixture = Fixture::agent()
        .round(&[ask(Dialect::AskUser)])
        .after(|it| answer(it.inquiry(), red()));
    for target in [fixture.asked(0).into(), Target::Pending] {
        let late = Command::Cancel {
            target: Some(target),
        };
        check(&fixture, |_| late, "refused: not_pending");
    }
}

#[test]
fn cancel_says_of_a_running_tool_that_it_may_have_taken_effect() {
    let fixture = Fixture::agent()
        .round(&[tool("first"), tool("second")])
        .after(Fixture::start_tool);
    check(
        &fixture,
        |_| cancel(),
        "
        call_finished call1 error This call was stopped by the user before it…
        call_finished call2 error Not run: the turn was stopped before this ca…
        round_finished
        turn_ended stopped
        > abort_tool call1
        = idle
        ",
    );
    let stopped = fixture.after(|_| cancel()).results().remove(0);
    assert!(stopped.content.contains("may have taken effect in part"));
}

#[test]
fn cancel_says_of_a_tool_that_did_not_start_that_it_was_not_run() {
    check(
        &Fixture::agent().round(&[tool("first"), tool("second")]),
        |_| cancel(),
        "
        call_finished call1 error Not run: the turn was stopped before this ca…
        call_finished call2 error Not run: the turn was stopped before this ca…
        round_finished
        turn_ended stopped
        > abort_tool call1
        = idle
        ",
    );
}

#[test]
fn late_reports_of_stopped_work_change_nothing() {
    let running = Fixture::agent()
        .round(&[tool("read_file")])
        .after(Fixture::start_tool);
    let late = [
        running.finish_tool("done"),
        running.start_tool(),
        Command::ToolInterrupted {
            call: running.call(),
        },
    ];
    let stopped = running.after(|_| cancel());
    for command in late {
        check(&stopped, |_| command, "refused: stale_report");
    }
}

#[test]
fn cancel_reaches_the_sub_agents_that_still_work_and_keeps_what_the_others_said() {
    let fixture = Fixture::agent()
        .round(&[spawn(&["a", "b", "c"]), tool("read_file")])
        .after(|it| report(it.child(1), CallResult::ok("found")));
    check(
        &fixture,
        |_| cancel(),
        r#"
        sub_agent_finished cnv1 error The sub-agent was stopped by the user before…
        sub_agent_finished cnv3 error The sub-agent was stopped by the user before…
        call_finished call1 error {"results":[{"name":"a","status":"failed","o…
        call_finished call2 error Not run: the turn was stopped before this ca…
        round_finished
        turn_ended stopped
        > stop_sub_agents cnv1 cnv3
        = idle
        "#,
    );
    let told = fixture.after(|_| cancel()).results().remove(0);
    assert!(told.content.contains(r#""status":"done","output":"found""#));
}

#[test]
fn stopped_sub_agent_tells_its_parent() {
    let working = Fixture::sub_agent().says("Look");
    check(
        &working,
        |_| cancel(),
        "
        turn_ended stopped
        > abort_request 1
        > report_to_parent cnv_parent call_parent error The sub-agent was stopped by the user before…
        = idle
        ",
    );
}

#[test]
fn withdrawal_is_never_called_the_users() {
    let asking = Policy {
        sub_agents_may_ask: true,
        ..Policy::default()
    };
    let started = Fixture::sub_agent_with(asking).says("Look");
    let queued = started.clone().calls(&[tool("read_file"), tool("last")]);
    let running = queued.clone().after(Fixture::start_tool);
    let asked = started.clone().calls(&[ask(Dialect::AskUser)]);
    let delegating = Fixture::agent().round(&[spawn(&["a", "b"])]);
    for fixture in [started, queued, running, asked, delegating] {
        let decision = fixture.decide(&withdraw()).unwrap();
        let said = format!("{:?} {:?}", decision.events, decision.jobs);
        assert!(!said.contains("by the user"), "{said}");
        assert!(!said.contains("User cancelled"), "{said}");
        assert_eq!(decision.after.state.name(), "idle");
    }
}

#[test]
fn withdrawal_closes_a_waiting_question() {
    check(
        &Fixture::agent()
            .round(&[ask(Dialect::Question)])
            .from(Surface::System),
        |_| withdraw(),
        "
        inquiry_resolved inq1 withdrawn by System: error The question was withdrawn before anyone ans…
        call_finished call1 error The question was withdrawn before anyone ans…
        round_finished
        turn_ended stopped
        = idle
        ",
    );
}

#[test]
fn withdrawal_gives_up_whatever_is_going_on() {
    check(
        &Fixture::agent().says("Go"),
        |_| withdraw(),
        "
        turn_ended stopped
        > abort_request 1
        = idle
        ",
    );
    check(
        &Fixture::agent()
            .round(&[tool("read_file")])
            .after(Fixture::start_tool),
        |_| withdraw(),
        "
        call_finished call1 error This call was stopped before it was done. It…
        round_finished
        turn_ended stopped
        > abort_tool call1
        = idle
        ",
    );
}

#[test]
fn external_cancel_stops_one_inquiry_or_all() {
    let fixture = Fixture::external()
        .after(|_| external_ask(Dialect::AskUser, None))
        .after(|_| external_ask(Dialect::Question, None));
    let one = Command::Cancel {
        target: Some(fixture.asked(1).into()),
    };
    check(
        &fixture,
        |_| one,
        "
        inquiry_resolved inq2 cancelled by Terminal: error User cancelled the question
        = awaiting_user_response
        ",
    );
    check(
        &fixture,
        |_| cancel(),
        "
        inquiry_resolved inq1 cancelled by Terminal: error User cancelled the question
        inquiry_resolved inq2 cancelled by Terminal: error User cancelled the question
        = idle
        ",
    );
    check(
        &fixture,
        |_| withdraw(),
        "
        inquiry_resolved inq1 withdrawn by Terminal: error The question was withdrawn before anyone ans…
        inquiry_resolved inq2 withdrawn by Terminal: error The question was withdrawn before anyone ans…
        = idle
        ",
    );
}

#[test]
fn conversation_goes_on_after_a_stop_in_any_state() {
    let thinking = Fixture::agent().says("Go");
    let running = thinking
        .clone()
        .calls(&[tool("read_file")])
        .after(Fixture::start_tool);
    let asked = thinking.clone().calls(&[ask(Dialect::AskUser)]);
    let delegating = thinking.clone().calls(&[spawn(&["Look"])]);
    for (fixture, stop) in [thinking, running, asked, delegating]
        .into_iter()
        .flat_map(|fixture| [(fixture.clone(), cancel()), (fixture, withdraw())])
    {
        let fixture = fixture.after(|_| stop).after(|_| say("Again"));
        let asked_to = fixture.jobs.last();
        assert!(matches!(asked_to, Some(Job::RequestLlm { request: 2, .. })));
        let fixture = fixture.after(|it| it.reply_with("Done.", &[]));
        assert_eq!(fixture.conversation.state.name(), "idle");
    }
}

/// A close withdraws all that waits in the same decision, and takes nothing after it.
#[test]
fn close_is_one_decision_and_the_last() {
    let asked = Fixture::external()
        .after(|_| external_ask(Dialect::AskUser, None))
        .after(|_| external_ask(Dialect::AskUser, None));
    check(
        &asked,
        |_| Command::Close,
        "
        inquiry_resolved inq1 withdrawn by Terminal: error The question was withdrawn before anyone ans…
        inquiry_resolved inq2 withdrawn by Terminal: error The question was withdrawn before anyone ans…
        closed
        > remove_conversation
        = closed
        ",
    );
    let closed = asked.after(|_| Command::Close);
    for command in [
        external_ask(Dialect::AskUser, None),
        cancel(),
        withdraw(),
        Command::Close,
    ] {
        check(&closed, |_| command.clone(), "refused: conversation_closed");
    }
    let said = Fixture::agent().after(|_| Command::Close);
    check(&said, |_| say("Hello"), "refused: conversation_closed");
}

/// Whatever an agent is at, a close stops it.
#[test]
fn close_stops_whatever_goes_on() {
    check(
        &Fixture::agent().says("Go"),
        |_| Command::Close,
        "
        turn_ended stopped
        closed
        > abort_request 1
        > remove_conversation
        = closed
        ",
    );
}
