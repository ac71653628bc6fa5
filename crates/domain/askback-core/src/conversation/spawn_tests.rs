//! Sub-agents: started together, collected in the order of the call, and never waited for in vain.

use serde_json::{Value, json};

use crate::conversation::event::{CallResult, Event};
use crate::conversation::fixtures::{
    Fixture, answer, ask, cancel, check, raw_call, red, report, spawn, tool,
};
use crate::conversation::job::Job;
use crate::dialect::Dialect;
use crate::id::ConversationId;
use crate::limits;

#[test]
fn call_starts_its_sub_agents_together() {
    check(
        &Fixture::agent().says("Go"),
        |it| it.reply_with("", &[spawn(&["a", "b"]), tool("read_file")]),
        "
        assistant_replied call1 spawn_agents call2 read_file
        sub_agents_started call1 cnv1=a cnv2=b
        > start_sub_agents call1 2
        = awaiting_sub_agents
        ",
    );
}

#[test]
fn job_and_event_name_the_same_sub_agents() {
    let fixture = Fixture::agent().round(&[spawn(&["a", "b"])]);
    let Some(Event::SubAgentsStarted { children, .. }) = fixture.events.last() else {
        panic!("sub-agents");
    };
    let job = Job::StartSubAgents {
        call: fixture.made(0),
        children: children.clone(),
    };
    assert_eq!(fixture.jobs.last(), Some(&job));
}

#[test]
fn reports_are_collected_in_the_order_of_the_call() {
    let fixture = Fixture::agent().round(&[spawn(&["a", "b"]), tool("read_file")]);
    check(
        &fixture,
        |it| report(it.child(1), CallResult::ok("second")),
        "
        sub_agent_finished cnv2 ok second
        = awaiting_sub_agents
        ",
    );
    let fixture = fixture.after(|it| report(it.child(1), CallResult::ok("second")));
    check(
        &fixture,
        |it| report(it.child(0), CallResult::ok("first")),
        r#"
        sub_agent_finished cnv1 ok first
        call_finished call1 ok {"results":[{"name":"a","status":"done","out…
        > run_tool call2 read_file
        = tool_executing
        "#,
    );
    let fixture = fixture.after(|it| report(it.child(0), CallResult::ok("first")));
    let result: Value = serde_json::from_str(&fixture.results()[0].content).unwrap();
    assert_eq!(
        result,
        json!({ "results": [
            { "name": "a", "status": "done", "output": "first" },
            { "name": "b", "status": "done", "output": "second" },
        ] })
    );
}

#[test]
fn one_failing_sub_agent_does_not_hide_the_others() {
    let fixture = Fixture::agent()
        .round(&[spawn(&["a", "b"])])
        .after(|it| {
            report(
                it.child(0),
                CallResult::error("The sub-agent failed: no key"),
            )
        })
        .after(|it| report(it.child(1), CallResult::ok("found")));
    let [result] = &fixture.results()[..] else {
        panic!("one result");
    };
    assert!(!result.is_error);
    let result: Value = serde_json::from_str(&result.content).unwrap();
    assert_eq!(result["results"][0]["status"], "failed");
    assert_eq!(result["results"][1]["output"], "found");
    assert_eq!(fixture.conversation.state.name(), "llm_requesting");
}

#[test]
fn reports_nobody_waits_for_are_refused() {
    let fixture = Fixture::agent()
        .round(&[spawn(&["a", "b"])])
        .after(|it| report(it.child(0), CallResult::ok("first")));
    let again = report(fixture.child(0), CallResult::ok("once more"));
    check(&fixture, |_| again.clone(), "refused: stale_report");
    let unknown = ConversationId::new("cnv_unknown");
    check(
        &fixture,
        |_| report(unknown, CallResult::ok("hello")),
        "refused: stale_report",
    );
    let stopped = fixture.clone().after(|_| cancel());
    let late = report(fixture.child(1), CallResult::ok("second"));
    check(&stopped, |_| late.clone(), "refused: stale_report");
    let next = stopped.round(&[spawn(&["c"])]);
    check(&next, |_| late, "refused: stale_report");
}

#[test]
fn bad_input_starts_nobody_and_the_round_goes_on() {
    let nine: Vec<Value> = (0..9)
        .map(|nth| json!({ "task": format!("task {nth}") }))
        .collect();
    for input in [
        json!({}),
        json!({ "agents": [] }),
        json!({ "agents": [{ "name": "a" }] }),
        json!({ "agents": [{ "task": "" }] }),
        json!({ "agents": nine }),
        json!(null),
        json!("{broken"),
    ] {
        let calls = [raw_call("spawn_agents", input), tool("read_file")];
        let fixture = Fixture::agent().round(&calls);
        assert_eq!(fixture.conversation.state.name(), "tool_executing");
        assert!(fixture.results()[0].is_error);
        assert!(
            !fixture
                .jobs
                .iter()
                .any(|job| job.name() == "start_sub_agents")
        );
    }
}

#[test]
fn sub_agents_without_a_name_are_numbered() {
    let call = raw_call(
        "spawn_agents",
        json!({ "agents": ["Look here", "Look there"] }),
    );
    check(
        &Fixture::agent().says("Go"),
        |it| it.reply_with("", &[call]),
        "
        assistant_replied call1 spawn_agents
        sub_agents_started call1 cnv1=agent 1 cnv2=agent 2
        > start_sub_agents call1 2
        = awaiting_sub_agents
        ",
    );
}

#[test]
fn endless_report_neither_breaks_the_result_nor_crowds_out_the_others() {
    let endless = "\"".repeat(limits::RESULT_CHARS_MAX * 2);
    let mut fixture = Fixture::agent().round(&[spawn(&["a", "b", "c", "d", "e", "f", "g", "h"])]);
    for nth in 0..7 {
        fixture = fixture.after(|it| report(it.child(nth), CallResult::ok(endless.clone())));
    }
    let fixture = fixture.after(|it| report(it.child(7), CallResult::ok("the last word")));
    let [result] = &fixture.results()[..] else {
        panic!("one result");
    };
    let parsed: Value = serde_json::from_str(&result.content).unwrap();
    assert_eq!(parsed["results"].as_array().map(Vec::len), Some(8));
    assert_eq!(parsed["results"][7]["output"], "the last word");
    let cut = parsed["results"][0]["output"].as_str().unwrap();
    assert!(cut.ends_with("[cut: the result was longer]"));
    assert!(result.content.chars().count() < 3 * limits::RESULT_CHARS_MAX);
}

#[test]
fn one_long_report_alone_is_kept_whole() {
    let long = "x".repeat(limits::RESULT_CHARS_MAX);
    let fixture = Fixture::agent()
        .round(&[spawn(&["a"])])
        .after(|it| report(it.child(0), CallResult::ok(long.clone())));
    let result: Value = serde_json::from_str(&fixture.results()[0].content).unwrap();
    assert_eq!(result["results"][0]["output"], json!(long));
}

#[test]
fn question_after_sub_agents_waits_for_them() {
    let fixture = Fixture::agent().round(&[spawn(&["a"]), ask(Dialect::AskUser), spawn(&["b"])]);
    assert!(fixture.conversation.state.pending().is_empty());
    let fixture = fixture.after(|it| report(it.child(0), CallResult::ok("done")));
    assert_eq!(fixture.conversation.state.name(), "awaiting_user_response");
    let fixture = fixture.after(|it| answer(it.inquiry(), red()));
    assert_eq!(fixture.conversation.state.name(), "awaiting_sub_agents");
    let fixture = fixture.after(|it| report(it.child(1), CallResult::ok("done")));
    assert_eq!(fixture.conversation.state.name(), "llm_requesting");
}
