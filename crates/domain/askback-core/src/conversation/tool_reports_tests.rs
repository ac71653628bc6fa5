//! Reports of tools: begun once, finished once, and a tool that was cut off by a crash is told
//! apart from one that never began.

use crate::conversation::command::Command;
use crate::conversation::event::CallResult;
use crate::conversation::fixtures::{Fixture, answer, ask, check, red, spawn, tool};
use crate::dialect::Dialect;
use crate::id::CallId;
use crate::limits;

fn interrupt(call: CallId) -> Command {
    Command::ToolInterrupted { call }
}

fn finish(call: CallId, result: CallResult) -> Command {
    Command::ToolFinished { call, result }
}

fn queued() -> Fixture {
    Fixture::agent().round(&[tool("first"), tool("second")])
}

#[test]
fn tool_is_begun_once() {
    let queued = queued();
    check(
        &queued,
        Fixture::start_tool,
        "
        call_started call1
        = tool_executing
        ",
    );
    check(
        &queued.after(Fixture::start_tool),
        Fixture::start_tool,
        "refused: stale_report",
    );
}

#[test]
fn tool_that_did_not_begin_is_neither_finished_nor_interrupted() {
    check(
        &queued(),
        |it| it.finish_tool("done"),
        "refused: stale_report",
    );
    check(
        &queued(),
        |it| interrupt(it.call()),
        "refused: stale_report",
    );
}

#[test]
fn interrupted_tool_is_never_run_again() {
    let fixture = queued().after(Fixture::start_tool);
    let call = fixture.call();
    check(
        &fixture,
        |it| interrupt(it.call()),
        "
        call_finished call1 error Interrupted: the process stopped while this…
        > run_tool call2 second
        = tool_executing
        ",
    );
    let fixture = fixture.after(|it| interrupt(it.call()));
    for late in [
        Command::ToolStarted { call: call.clone() },
        interrupt(call.clone()),
        finish(call, CallResult::ok("done")),
    ] {
        check(&fixture, |_| late, "refused: stale_report");
    }
    let runs = fixture.jobs.iter().filter(|job| job.name() == "run_tool");
    assert_eq!(runs.count(), 2, "one for each call");
}

#[test]
fn call_whose_turn_has_not_come_cannot_report() {
    let fixture = queued().after(Fixture::start_tool);
    let second = fixture.made(1);
    for early in [
        Command::ToolStarted {
            call: second.clone(),
        },
        finish(second.clone(), CallResult::ok("done")),
        interrupt(second),
    ] {
        check(&fixture, |_| early, "refused: stale_report");
    }
}

#[test]
fn tool_finishes_once() {
    let fixture = queued().after(Fixture::start_tool);
    let again = fixture.finish_tool("done");
    check(
        &fixture.after(|_| again.clone()),
        |_| again.clone(),
        "refused: stale_report",
    );
}

#[test]
fn asking_and_delegating_calls_take_no_tool_reports() {
    for fixture in [
        Fixture::agent().round(&[ask(Dialect::AskUser)]),
        Fixture::agent().round(&[spawn(&["Look"])]),
    ] {
        for command in [
            fixture.start_tool(),
            fixture.finish_tool("Red"),
            interrupt(fixture.call()),
        ] {
            check(&fixture, |_| command, "refused: stale_report");
        }
    }
}

#[test]
fn failed_tool_is_an_error_result_and_the_round_goes_on() {
    check(
        &queued().after(Fixture::start_tool),
        |it| finish(it.call(), CallResult::error("no such file")),
        "
        call_finished call1 error no such file
        > run_tool call2 second
        = tool_executing
        ",
    );
}

#[test]
fn result_of_a_tool_is_never_empty_and_never_endless() {
    let result = |output: &str| {
        let fixture = queued().runs(output);
        fixture.results().remove(0)
    };
    assert_eq!(result(""), CallResult::ok("[no output]"));
    assert_eq!(result(" \n"), CallResult::ok("[no output]"));
    let longest = "ä".repeat(limits::RESULT_CHARS_MAX);
    assert_eq!(result(&longest), CallResult::ok(longest.clone()));
    let cut = format!("{longest}\n[cut: the result was longer]");
    assert_eq!(result(&format!("{longest}ä")), CallResult::ok(cut));
}

#[test]
fn tools_before_a_question_are_not_run_again_after_it() {
    let fixture = Fixture::agent()
        .round(&[tool("first"), ask(Dialect::AskUser), tool("third")])
        .runs("done")
        .after(|it| answer(it.inquiry(), red()))
        .runs("done too");
    let runs = fixture.jobs.iter().filter(|job| job.name() == "run_tool");
    assert_eq!(runs.count(), 2);
    assert_eq!(fixture.conversation.state.name(), "llm_requesting");
}
