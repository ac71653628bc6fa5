//! How the calls of one assistant message are settled: strictly in order, each with one result,
//! and what cannot be asked is refused in words the model can act on.

use serde_json::{Value, json};

use crate::conversation::command::RawCall;
use crate::conversation::event::{CallResult, Event};
use crate::conversation::fixtures::{
    Fixture, answer, ask, check, decline, raw_call, red, reject, rules, spawn, tool,
};
use crate::conversation::policy::Policy;
use crate::dialect::Dialect;
use crate::limits;

#[test]
fn calls_run_one_after_the_other() {
    let calls = [tool("first"), tool("second")];
    check(
        &Fixture::agent().says("Go"),
        |it| it.reply_with("", &calls),
        "
        assistant_replied call1 first call2 second
        > run_tool call1 first
        = tool_executing
        ",
    );
    check(
        &Fixture::agent().round(&calls).after(Fixture::start_tool),
        |it| it.finish_tool("done"),
        "
        call_finished call1 ok done
        > run_tool call2 second
        = tool_executing
        ",
    );
    check(
        &Fixture::agent()
            .round(&calls)
            .runs("done")
            .after(Fixture::start_tool),
        |it| it.finish_tool("done too"),
        "
        call_finished call2 ok done too
        round_finished
        llm_requested 2/1
        > request_llm 2/1
        = llm_requesting
        ",
    );
}

#[test]
fn calls_after_a_question_wait_for_its_answer_and_then_run_in_order() {
    for dialect in [
        Dialect::AskUserQuestion,
        Dialect::AskUserQuestionClaude,
        Dialect::AskUser,
    ] {
        let calls = [tool("first"), ask(dialect), tool("third"), tool("fourth")];
        let asked = Fixture::agent().round(&calls).runs("done");
        assert_eq!(asked.conversation.state.name(), "awaiting_user_response");
        let fixture = asked
            .after(|it| answer(it.inquiry(), red()))
            .runs("three")
            .runs("four");
        let contents: Vec<String> = fixture.results().into_iter().map(|r| r.content).collect();
        assert_eq!(contents[0], "done");
        assert_eq!(contents[2..], ["three", "four"]);
        let settled: Vec<_> = (0..4).map(|nth| fixture.made(nth)).collect();
        let finished = fixture.events.iter().filter_map(|event| {
            let Event::CallFinished { call, .. } = event else {
                return None;
            };
            Some(call.clone())
        });
        assert_eq!(finished.collect::<Vec<_>>(), settled);
        assert_eq!(fixture.conversation.state.name(), "llm_requesting");
    }
}

#[test]
fn two_questions_in_one_message_are_asked_one_after_the_other() {
    let calls = [ask(Dialect::AskUser), ask(Dialect::AskUserQuestion)];
    check(
        &Fixture::agent().round(&calls),
        |it| answer(it.inquiry(), red()),
        r#"
        inquiry_resolved inq1 answered by Terminal: ok {"status":"user_responded","question":"Which…
        call_finished call1 ok {"status":"user_responded","question":"Which…
        inquiry_asked inq2 for call2
        = awaiting_user_response
        "#,
    );
}

#[test]
fn question_beside_other_calls_is_refused_and_they_still_run() {
    check(
        &Fixture::agent().says("Go"),
        |it| it.reply_with("", &[ask(Dialect::Question), tool("read_file")]),
        "
        assistant_replied call1 question call2 read_file
        call_finished call1 error question was not asked: it must be the only…
        > run_tool call2 read_file
        = tool_executing
        ",
    );
    check(
        &Fixture::agent()
            .round(&[tool("read_file"), ask(Dialect::Question)])
            .after(Fixture::start_tool),
        |it| it.finish_tool("done"),
        "
        call_finished call1 ok done
        call_finished call2 error question was not asked: it must be the only…
        round_finished
        llm_requested 2/1
        > request_llm 2/1
        = llm_requesting
        ",
    );
}

#[test]
fn question_beside_another_dialects_ask_leaves_that_one_waiting() {
    check(
        &Fixture::agent().says("Go"),
        |it| it.reply_with("", &[ask(Dialect::Question), ask(Dialect::AskUser)]),
        "
        assistant_replied call1 question call2 ask_user
        call_finished call1 error question was not asked: it must be the only…
        inquiry_asked inq1 for call2
        = awaiting_user_response
        ",
    );
}

#[test]
fn two_questions_that_must_be_alone_are_both_refused() {
    check(
        &Fixture::agent().says("Go"),
        |it| it.reply_with("", &[ask(Dialect::Question), ask(Dialect::Question)]),
        "
        assistant_replied call1 question call2 question
        call_finished call1 error question was not asked: it must be the only…
        call_finished call2 error question was not asked: it must be the only…
        round_finished
        llm_requested 2/1
        > request_llm 2/1
        = llm_requesting
        ",
    );
}

#[test]
fn refusal_of_a_question_that_is_not_alone_claims_nothing_about_other_calls() {
    let fixture = Fixture::agent().round(&[ask(Dialect::Question), ask(Dialect::Question)]);
    let refusal = CallResult::error(
        "question was not asked: it must be the only tool call of its message. The other calls \
         have their own results. Call question again, alone.",
    );
    assert_eq!(fixture.results(), [refusal.clone(), refusal]);
}

#[test]
fn question_may_stand_beside_others_where_the_policy_lets_it() {
    let policy = rules(Dialect::Question, |rules| rules.standalone = false);
    let fixture = Fixture::with(policy)
        .round(&[ask(Dialect::Question), tool("read_file")])
        .after(|it| answer(it.inquiry(), red()))
        .runs("done");
    assert_eq!(
        fixture.history(),
        [
            "user: Do it.",
            "assistant:  question = ok The user answered. Their answer is the next… \
             read_file = ok done",
            "user: Red",
        ]
    );
}

#[test]
fn sub_agent_is_told_that_it_cannot_ask_and_goes_on() {
    for dialect in Dialect::TOOLS {
        let fixture = Fixture::sub_agent().round(&[ask(dialect), tool("read_file")]);
        assert_eq!(fixture.conversation.state.name(), "tool_executing");
        let [refusal] = &fixture.results()[..] else {
            panic!("one result");
        };
        assert!(refusal.is_error);
        assert!(
            refusal
                .content
                .contains("only parent conversations can ask")
        );
        assert!(refusal.content.contains("never saw this question"));
        assert!(fixture.conversation.asked.is_empty());
    }
}

#[test]
fn sub_agent_may_ask_where_the_policy_lets_it() {
    let policy = Policy {
        sub_agents_may_ask: true,
        ..Policy::default()
    };
    let fixture = Fixture::sub_agent_with(policy).round(&[ask(Dialect::AskUser)]);
    assert_eq!(fixture.conversation.state.name(), "awaiting_user_response");
}

#[test]
fn sub_agent_cannot_start_sub_agents() {
    check(
        &Fixture::sub_agent().says("Go"),
        |it| it.reply_with("", &[spawn(&["Look"])]),
        "
        assistant_replied call1 spawn_agents
        call_finished call1 error spawn_agents is not available to sub-agents.…
        round_finished
        llm_requested 2/1
        > request_llm 2/1
        = llm_requesting
        ",
    );
}

#[test]
fn unattended_conversation_says_that_nobody_saw_the_question() {
    let policy = Policy {
        unattended: true,
        ..Policy::default()
    };
    for dialect in Dialect::TOOLS {
        let fixture = Fixture::with(policy.clone()).round(&[ask(dialect)]);
        assert_eq!(fixture.conversation.state.name(), "llm_requesting");
        let results = fixture.results();
        assert!(results[0].is_error);
        assert!(results[0].content.contains("nobody is there"));
    }
}

#[test]
fn dialect_that_is_switched_off_is_not_asked() {
    for dialect in Dialect::TOOLS {
        let policy = rules(dialect, |rules| rules.enabled = false);
        let fixture = Fixture::with(policy).round(&[ask(dialect)]);
        assert_eq!(fixture.conversation.state.name(), "llm_requesting");
        assert!(fixture.results()[0].content.contains("switched off"));
    }
}

/// Asks `ask_user` and has it answered, `times` over.
fn asked_often(mut fixture: Fixture, times: u32) -> Fixture {
    for _ in 0..times {
        fixture = fixture
            .calls(&[ask(Dialect::AskUser)])
            .after(|it| answer(it.inquiry(), red()));
    }
    fixture
}

#[test]
fn eleventh_clarification_is_refused_with_the_instruction_to_go_on() {
    let fixture = asked_often(Fixture::agent().says("Go"), 10);
    check(
        &fixture,
        |it| it.reply_with("", &[ask(Dialect::AskUser)]),
        "
        assistant_replied call11 ask_user
        call_finished call11 error The user never saw this question: ask_user h…
        round_finished
        llm_requested 12/1
        > request_llm 12/1
        = llm_requesting
        ",
    );
    let refused = fixture.calls(&[ask(Dialect::AskUser)]);
    let refusal = refused.results().pop().unwrap();
    assert!(
        refusal
            .content
            .contains("proceed with the information you have")
    );
    assert_eq!(refused.conversation.asked[&Dialect::AskUser], 10);
}

#[test]
fn limit_holds_over_turns_and_leaves_other_dialects_alone() {
    let fixture = asked_often(Fixture::agent().says("Go"), 10)
        .after(|it| it.reply_with("Done.", &[]))
        .says("More")
        .calls(&[ask(Dialect::AskUser)]);
    assert_eq!(fixture.conversation.state.name(), "llm_requesting");
    let fixture = fixture.calls(&[ask(Dialect::AskUserQuestion)]);
    assert_eq!(fixture.conversation.state.name(), "awaiting_user_response");
}

#[test]
fn refused_calls_do_not_use_up_the_limit() {
    let mut fixture = Fixture::agent().says("Go");
    for chars in 501..521 {
        // Never the same twice, which would be taken for an agent that is stuck.
        let broken = raw_call("ask_user", json!({ "question": "x".repeat(chars) }));
        fixture = fixture.calls(&[broken]);
    }
    let fixture = asked_often(fixture, 10);
    assert_eq!(fixture.conversation.asked[&Dialect::AskUser], 10);
}

#[test]
fn declined_questions_use_up_the_limit() {
    let mut fixture = Fixture::agent().says("Go");
    for _ in 0..10 {
        fixture = fixture
            .calls(&[ask(Dialect::AskUser)])
            .after(|it| decline(it.inquiry()));
    }
    let fixture = fixture.calls(&[ask(Dialect::AskUser)]);
    assert_eq!(fixture.conversation.state.name(), "llm_requesting");
}

#[test]
fn limit_is_a_setting_of_every_dialect_and_its_text_names_no_other_number() {
    for dialect in Dialect::TOOLS {
        let policy = rules(dialect, |rules| rules.per_conversation_max = Some(1));
        let fixture = Fixture::with(policy)
            .round(&[ask(dialect)])
            .after(|it| answer(it.inquiry(), red()))
            .calls(&[ask(dialect)]);
        let refusal = fixture.results().pop().unwrap();
        assert!(refusal.is_error);
        assert!(!refusal.content.contains("10"), "{}", refusal.content);
    }
}

#[test]
fn limit_can_be_taken_away() {
    let policy = rules(Dialect::AskUser, |rules| rules.per_conversation_max = None);
    let fixture = asked_often(Fixture::with(policy).says("Go"), 12);
    assert_eq!(fixture.conversation.asked[&Dialect::AskUser], 12);
}

#[test]
fn input_that_does_not_fit_is_refused_and_nothing_waits() {
    let three_of_two = json!({ "questions": [{ "question": "Which?", "options": ["one"] }] });
    check(
        &Fixture::agent().says("Go"),
        |it| {
            it.reply_with(
                "",
                &[
                    raw_call("ask_user_question", three_of_two),
                    tool("read_file"),
                ],
            )
        },
        "
        assistant_replied call1 ask_user_question call2 read_file
        call_finished call1 error ask_user_question was not called: the input…
        > run_tool call2 read_file
        = tool_executing
        ",
    );
}

#[test]
fn long_labels_are_cut_where_the_policy_says_so() {
    let call = raw_call(
        "ask_user_question",
        json!({ "questions": [{
            "question": "Which colour?",
            "header": "A header that is far too long",
            "options": ["Red", "Blue"],
        }] }),
    );
    let strict = Fixture::agent().round(std::slice::from_ref(&call));
    assert_eq!(strict.conversation.state.name(), "llm_requesting");
    let policy = Policy {
        clip_labels: true,
        ..Policy::default()
    };
    let lenient = Fixture::with(policy).round(&[call]);
    assert_eq!(lenient.conversation.state.name(), "awaiting_user_response");
}

/// The first one too many is told, and what is behind it is left out before anything is
/// decided, however many there are and whatever their ids.
#[test]
fn calls_beyond_the_limit_of_a_message_are_not_run() {
    let mut calls: Vec<RawCall> = Vec::new();
    calls.resize(3_000, tool("read_file"));
    calls[limits::CALLS_PER_ROUND_MAX] = ask(Dialect::AskUser);
    for call in &mut calls {
        "the_same".clone_into(&mut call.provider_id);
    }
    let mut fixture = Fixture::agent().round(&calls);
    for _ in 0..limits::CALLS_PER_ROUND_MAX {
        fixture = fixture.runs("done");
    }
    assert_eq!(fixture.conversation.state.name(), "llm_requesting");
    let results = fixture.results();
    assert_eq!(results.len(), limits::CALLS_PER_ROUND_MAX + 1);
    let refused = results.iter().filter(|result| result.is_error);
    let refused: Vec<&CallResult> = refused.collect();
    assert_eq!(refused.len(), 1);
    assert!(refused[0].content.contains("64 tool calls"));
    assert!(refused[0].content.contains("dropped"));
    assert!(fixture.conversation.asked.is_empty());
}

#[test]
fn several_questions_of_one_inquiry_are_answered_together() {
    let call = raw_call(
        "ask_user_question",
        json!({ "questions": [
            { "question": "Which colour?", "options": ["Red", "Blue"] },
            { "question": "Which extras?", "options": ["Bell", "Light"], "multiSelect": true },
        ] }),
    );
    let fixture = Fixture::agent().round(&[call]).after(|it| {
        answer(
            it.inquiry(),
            json!({ "Which extras?": ["Light", "Bell", "A basket"], "q1": "Green" }),
        )
    });
    let result: Value = serde_json::from_str(&fixture.results()[0].content).unwrap();
    assert_eq!(
        result,
        json!({ "answers": {
            "Which colour?": "Green",
            "Which extras?": "Bell, Light, A basket",
        } })
    );
}

#[test]
fn stopped_round_never_asks_the_questions_behind() {
    let fixture = Fixture::agent()
        .round(&[ask(Dialect::AskUser), ask(Dialect::AskUserQuestion)])
        .after(|it| reject(it.inquiry()));
    assert_eq!(fixture.conversation.state.name(), "idle");
    assert_eq!(fixture.conversation.asked.len(), 1);
}
