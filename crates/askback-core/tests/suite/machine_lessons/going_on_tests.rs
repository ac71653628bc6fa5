//! Faults by which a conversation did not go on, or went on by itself.

use super::*;

/// A sub-agent's conversation for the first child of `parent`.
fn child_of(parent: &Thread, policy: Policy) -> Thread {
    Thread::of(ConversationSettings {
        id: parent.children()[0].clone(),
        driver: Driver::BuiltIn,
        parent: Some(Parent {
            conversation: parent.conversation.settings.id.clone(),
            call: parent.current_call(),
        }),
        policy,
        provider: None,
    })
}

/// What the last job of a sub-agent tells its parent.
fn reported(child: &Thread) -> Command {
    let Some(Job::ReportToParent { result, .. }) = child.jobs.last() else {
        panic!("a sub-agent reports at the end of its turn");
    };
    Command::SubAgentFinished {
        child: child.conversation.settings.id.clone(),
        result: result.clone(),
    }
}

/// L-T36
#[test]
fn parent_never_waits_for_a_sub_agent_that_waits_for_nobody() {
    // By default a sub-agent cannot wait for a user at all.
    let parent = Thread::agent().round(&[spawn(1)]);
    let child = child_of(&parent, Policy::default()).round(&[ask(Dialect::AskUser)]);
    assert_eq!(child.state(), "llm_requesting");
    // Where it may, its question waits in the open, and stopping the parent closes it.
    let asking = Policy {
        sub_agents_may_ask: true,
        ..Policy::default()
    };
    let child = child_of(&parent, asking).round(&[ask(Dialect::AskUser)]);
    assert_eq!(child.state(), "awaiting_user_response");
    let stopped = parent.clone().after(&cancel());
    let stop = Job::StopSubAgents {
        children: parent.children(),
    };
    assert!(stopped.jobs.contains(&stop));
    let child = child.after(&withdraw());
    assert_eq!(last_outcome(&child), Outcome::Withdrawn);
    assert_eq!(stopped.verdict(&reported(&child)), "stale_report");
    // However a sub-agent ends, its parent goes on.
    let parent = parent.after(&reported(&child));
    assert_eq!(parent.state(), "llm_requesting");
}

/// L-T37
#[test]
fn user_can_always_send_after_an_answer_has_run_its_course() {
    for dialect in Dialect::ALL {
        let thread = asked(dialect).answers();
        let done = reply(thread.conversation.requests, "Done.", &[]);
        let thread = thread.after(&done).says("And now?");
        assert_eq!(thread.state(), "llm_requesting");
    }
}

/// L-T41
#[test]
fn malformed_call_of_a_provider_never_becomes_an_empty_answer() {
    let mut thread = Thread::agent().says("Go");
    for attempt in 1..6 {
        assert_eq!(
            thread.conversation.state,
            State::LlmRequesting {
                request: 1,
                attempt
            }
        );
        thread = thread.after(&reply_to((1, attempt), "", &[]));
    }
    let thread = thread.after(&reply_to((1, 6), " ", &[]));
    assert_eq!(thread.state(), "error");
    assert_eq!(history(&thread.events).len(), 1, "nothing was said");
}

/// L-T42
#[test]
fn counters_never_grow_with_what_was_asked() {
    let mut thread = Thread::external();
    for nth in 0..40 {
        let dialect = Dialect::ALL[nth % 3];
        thread = thread.after(&external_ask(dialect, None)).answers();
    }
    assert_eq!(thread.conversation.asked.len(), 3, "one for each dialect");
    assert_eq!(thread.state(), "idle");
    let stored = serde_json::to_string(&thread.conversation).unwrap();
    assert!(stored.len() < 1_000, "{} bytes", stored.len());
}

/// L-T44
#[test]
fn conversations_never_share_anything() {
    let one = asked(Dialect::AskUser);
    let mut other = asked(Dialect::AskUser);
    let before = other.conversation.clone();
    let one = one.answers();
    assert_eq!(other.conversation, before);
    // The same ids on purpose: even then an answer reaches only its own conversation.
    assert_eq!(one.inquiries(), other.inquiries());
    assert!(other.submit(&decline(one.inquiries()[0].clone())).is_ok());
    assert!(matches!(last_outcome(&one), Outcome::Answered { .. }));
    assert_eq!(last_outcome(&other), Outcome::Declined);
}

/// L-T44b
#[test]
fn answered_question_never_leaves_its_run_open() {
    for dialect in Dialect::ALL {
        let thread = asked(dialect).answers();
        assert!(thread.conversation.state.pending().is_empty());
        assert!(thread.conversation.state.round().is_none());
        let done = reply(2, "Done.", &[]);
        let thread = thread.after(&done);
        assert_eq!(thread.state(), "idle");
        let ended = event_names(&thread.events);
        let ended = ended.iter().filter(|name| **name == "turn_ended");
        assert_eq!(ended.count(), 1, "one turn, over the question");
    }
}

/// L-T48
#[test]
fn cancel_never_leaves_anything_running() {
    let thinking = Thread::agent().says("Go");
    let running = thinking.clone().calls(&[tool("build")]).starts();
    let delegating = thinking.clone().calls(&[spawn(2)]);
    let waiting = thinking.clone().calls(&[ask(Dialect::AskUser)]);
    for (mut thread, job) in [
        (thinking, Some("abort_request")),
        (running, Some("abort_tool")),
        (delegating, Some("stop_sub_agents")),
        (waiting, None),
    ] {
        let decision = thread.submit(&cancel()).unwrap();
        assert_eq!(job_names(&decision.jobs), Vec::from_iter(job));
        assert_eq!(thread.state(), "idle");
        assert!(event_names(&decision.events).ends_with(&["turn_ended"]));
    }
}

/// L-T49
#[test]
fn question_that_was_stopped_never_blocks_the_next_run() {
    for stop in [cancel(), withdraw(), reject(Target::Pending)] {
        let thread = asked(Dialect::AskUserQuestion).after(&stop);
        let thread = thread.round(&[ask(Dialect::AskUserQuestion)]);
        assert_eq!(thread.conversation.state.pending().len(), 1);
        assert_eq!(thread.answers().state(), "llm_requesting");
    }
}

/// L-T50
#[test]
fn words_before_a_question_are_never_held_back() {
    let mut thread = Thread::agent().says("Go");
    let decision = thread.submit(&reply(1, "I found two ways.", &[ask(Dialect::AskUser)]));
    let decision = decision.unwrap();
    let [
        Event::AssistantReplied { reply },
        Event::InquiryAsked { .. },
    ] = &decision.events[..]
    else {
        panic!("the words come first, and with the question");
    };
    assert!(
        reply
            .text
            .as_ref()
            .is_some_and(|text| text.as_str() == "I found two ways.")
    );
}

/// L-T51
#[test]
fn time_that_the_user_takes_never_counts_against_the_agent() {
    let week = 7 * 24 * 3_600;
    let thread = Thread::agent()
        .round(&[ask(Dialect::AskUser), tool("read_file")])
        .later(week)
        .answers();
    let now = thread.now;
    let thread = thread.runs("done");
    let State::LlmRequesting { attempt, .. } = thread.conversation.state else {
        panic!("the agent goes on");
    };
    assert_eq!(attempt, 1);
    let Some(Job::RequestLlm { due, .. }) = thread.jobs.last() else {
        panic!("a request");
    };
    assert_eq!(*due, now, "at once");
    assert_eq!(
        thread.conversation.rounds, 0,
        "rounds count from the answer"
    );
}

/// L-T52
#[test]
fn timer_never_answers_after_the_user_has() {
    let thread = hurried().round(&[ask(Dialect::Question)]).later(59);
    let timer = expire(thread.inquiry());
    for taken_over in [answer(Target::Pending), say("I will tell you."), cancel()] {
        let thread = thread.clone().after(&taken_over).later(2);
        assert_eq!(thread.verdict(&timer), "not_pending");
        // Nor does it touch what is asked next.
        let thread = match thread.state() {
            "idle" => thread.says("Go"),
            _ => thread,
        };
        let thread = thread.calls(&[ask(Dialect::Question)]);
        assert_eq!(thread.verdict(&timer), "stale_inquiry");
    }
}

/// L-P1
#[test]
fn second_question_never_takes_the_place_of_the_first() {
    let calls = [ask(Dialect::AskUserQuestion), ask(Dialect::AskUserQuestion)];
    let thread = Thread::agent().round(&calls).answers();
    let made = thread.made_calls();
    assert_eq!(
        thread.current_call(),
        made[1],
        "the second waits on its own"
    );
    let thread = thread.answers();
    let finished = thread.events.iter().filter_map(|event| {
        let Event::CallFinished { call, .. } = event else {
            return None;
        };
        Some(call.clone())
    });
    assert_eq!(finished.collect::<Vec<_>>(), made);
    // An external agent may have both open at once.
    let external = Thread::external()
        .after(&external_ask(Dialect::AskUserQuestion, None))
        .after(&external_ask(Dialect::AskUserQuestion, None));
    let [first, second] = &external.inquiries()[..] else {
        panic!("two");
    };
    let external = external.after(&answer(second.clone()));
    assert_eq!(external.inquiry(), *first);
}
