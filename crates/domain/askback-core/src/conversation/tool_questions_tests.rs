//! Questions of tools: a tool that runs goes on with the outcome, one that has returned is run again
//! with it, and no question is left when its tool is gone.

use serde_json::json;

use crate::conversation::command::{Command, Target};
use crate::conversation::fixtures::{
    Fixture, answer, cancel, check, decline, inquiry, red, reject, say, tool, withdraw,
};
use crate::conversation::job::Job;
use crate::conversation::state::{ReturnedTool, ToolQuestion};
use crate::dialect::Dialect;

fn asks(it: &Fixture, how: ToolQuestion) -> Command {
    Command::ToolAsked {
        call: it.call(),
        inquiry: inquiry(Dialect::AskUser),
        how,
    }
}

fn returned() -> ToolQuestion {
    ToolQuestion::Returned(Box::new(ReturnedTool {
        input: json!({"path": "a"}),
        state: json!({"step": 1}),
    }))
}

/// A tool has asked, with another call behind it.
fn asked(how: ToolQuestion) -> Fixture {
    let running = Fixture::agent()
        .round(&[tool("first"), tool("second")])
        .after(Fixture::start_tool);
    running.after(|it| asks(it, how))
}

#[test]
fn tool_that_runs_goes_on_with_the_outcome_and_gets_its_one_result() {
    let asked = asked(ToolQuestion::Running);
    check(
        &asked,
        |it| answer(it.inquiry(), red()),
        "
        inquiry_resolved inq1 answered by Terminal: ok {\"status\":\"user_responded\",\"question\":\"Which…
        = tool_executing
        ",
    );
    let answered = asked.after(|it| answer(it.inquiry(), red()));
    assert_eq!(answered.results(), []);
    check(
        &answered,
        |it| it.finish_tool("done"),
        "
        call_finished call1 ok done
        > run_tool call2 second
        = tool_executing
        ",
    );
}

#[test]
fn tool_that_has_returned_is_run_again_with_its_input_and_state() {
    let asked = asked(returned());
    let decision = asked.decide(&decline(asked.inquiry())).unwrap();
    let [Job::RunTool { input, resume, .. }] = decision.jobs.as_slice() else {
        panic!("{:?}", decision.jobs);
    };
    let resume = resume.clone().unwrap();
    assert_eq!(
        (input, resume.state),
        (&json!({"path": "a"}), json!({"step": 1}))
    );
    assert_eq!(resume.inquiry, asked.inquiry());
    let again = asked
        .after(|it| decline(it.inquiry()))
        .after(Fixture::start_tool);
    check(&again, Fixture::start_tool, "refused: stale_report");
}

/// The process is gone that waited, so an answer would reach nobody.
#[test]
fn crash_withdraws_the_question_of_a_tool_that_ran() {
    let interrupt = |it: &Fixture| Command::ToolInterrupted { call: it.call() };
    let after = asked(ToolQuestion::Running).after(interrupt);
    let result = &after.results()[0];
    assert!(
        result.content.contains("Its question was withdrawn"),
        "{result:?}"
    );
    let late = answer(after.asked(0), red());
    check(&after, |_| late, "refused: not_pending");
    check(&asked(returned()), interrupt, "refused: stale_report");
}

#[test]
fn end_of_the_call_withdraws_its_question() {
    check(
        &asked(ToolQuestion::Running),
        |it| it.finish_tool("done"),
        "
        inquiry_resolved inq1 withdrawn by Terminal: error The question was withdrawn before anyone ans…
        call_finished call1 ok done
        > run_tool call2 second
        = tool_executing
        ",
    );
}

#[test]
fn stopping_ends_the_question_and_the_turn() {
    for how in [ToolQuestion::Running, returned()] {
        for stop in [reject, |_| cancel(), |_| withdraw()] {
            let running = how == ToolQuestion::Running;
            let asked = asked(how.clone());
            let call = asked.call();
            let decision = asked.decide(&stop(asked.inquiry())).unwrap();
            assert_eq!(decision.after.state.name(), "idle");
            let aborted = decision.jobs == [Job::AbortTool { call }];
            assert_eq!(aborted, running, "{:?}", decision.jobs);
        }
    }
}

/// The asker does not wait for the answer any more, but the tool still runs.
#[test]
fn withdrawn_question_lets_the_tool_go_on() {
    for how in [ToolQuestion::Running, returned()] {
        let asked = asked(how);
        let withdraw = Command::Withdraw {
            target: Some(Target::from(asked.inquiry())),
        };
        let decision = asked.decide(&withdraw).unwrap();
        assert_eq!(decision.after.state.name(), "tool_executing");
    }
}

#[test]
fn question_of_a_tool_is_not_one_of_the_model() {
    let asked = asked(ToolQuestion::Running);
    assert!(asked.conversation.asked.is_empty(), "it does not count");
    check(&asked, |_| say("Red."), "refused: awaiting_user_response");
    check(
        &asked,
        |it| asks(it, ToolQuestion::Running),
        "refused: stale_report",
    );
    let sub_agent = Fixture::sub_agent().round(&[tool("first")]);
    let running = sub_agent.after(Fixture::start_tool);
    check(
        &running,
        |it| asks(it, ToolQuestion::Running),
        "refused: undeliverable",
    );
}
