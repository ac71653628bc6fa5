//! Faults by which a conversation did not go on, or went on by itself.

use super::*;

/// A sub-agent's conversation for the first child of `parent`.
fn child_of(parent: &CheckedConversation, policy: Policy) -> CheckedConversation {
    CheckedConversation::of(ConversationSettings {
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
fn reported(child: &CheckedConversation) -> Command {
    let Some(Job::ReportToParent { result, .. }) = child.jobs.last() else {
        panic!("a sub-agent reports at the end of its turn");
    };
    Command::SubAgentFinished {
        child: child.conversation.settings.id.clone(),
        result: result.clone(),
    }
}

#[test]
fn parent_never_waits_for_a_sub_agent_that_waits_for_nobody() {
    // By default a sub-agent cannot wait for a user at all.
    let parent = CheckedConversation::agent().round(&[spawn(1)]);
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

#[test]
fn user_can_always_send_after_an_answer_has_run_its_course() {
    for dialect in Dialect::TOOLS {
        let checked = asked(dialect).answers();
        let done = reply(checked.conversation.requests, "Done.", &[]);
        let checked = checked.after(&done).says("And now?");
        assert_eq!(checked.state(), "llm_requesting");
    }
}

#[test]
fn malformed_call_of_a_provider_never_becomes_an_empty_answer() {
    let mut checked = CheckedConversation::agent().says("Go");
    for attempt in 1..6 {
        assert!(checked.conversation.state.is_attempt(1, attempt));
        checked = checked.after(&reply_to(1, attempt, "", &[]));
    }
    let checked = checked.after(&reply_to(1, 6, " ", &[]));
    assert_eq!(checked.state(), "error");
    assert_eq!(history(&checked.events).len(), 1, "nothing was said");
}

#[test]
fn counters_never_grow_with_what_was_asked() {
    let mut checked = CheckedConversation::external();
    for nth in 0..40 {
        let dialect = Dialect::TOOLS[nth % 3];
        checked = checked.after(&external_ask(dialect, None)).answers();
    }
    assert_eq!(checked.conversation.asked.len(), 3, "one for each dialect");
    assert_eq!(checked.state(), "idle");
    let stored = format!("{:?}", checked.conversation);
    assert!(stored.len() < 1_000, "{} bytes", stored.len());
}

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

#[test]
fn answered_question_never_leaves_its_run_open() {
    for dialect in Dialect::TOOLS {
        let checked = asked(dialect).answers();
        assert!(checked.conversation.state.pending().is_empty());
        assert!(checked.conversation.state.round().is_none());
        let done = reply(2, "Done.", &[]);
        let checked = checked.after(&done);
        assert_eq!(checked.state(), "idle");
        let ended = event_names(&checked.events);
        let ended = ended.iter().filter(|name| **name == "turn_ended");
        assert_eq!(ended.count(), 1, "one turn, over the question");
    }
}

#[test]
fn cancel_never_leaves_anything_running() {
    let thinking = CheckedConversation::agent().says("Go");
    let running = thinking.clone().calls(&[tool("build")]).starts();
    let delegating = thinking.clone().calls(&[spawn(2)]);
    let waiting = thinking.clone().calls(&[ask(Dialect::AskUser)]);
    for (mut checked, job) in [
        (thinking, Some("abort_request")),
        (running, Some("abort_tool")),
        (delegating, Some("stop_sub_agents")),
        (waiting, None),
    ] {
        let decision = checked.submit(&cancel()).unwrap();
        assert_eq!(job_names(&decision.jobs), Vec::from_iter(job));
        assert_eq!(checked.state(), "idle");
        assert!(event_names(&decision.events).ends_with(&["turn_ended".to_owned()]));
    }
}

#[test]
fn question_that_was_stopped_never_blocks_the_next_run() {
    for stop in [cancel(), withdraw(), reject(Target::Pending)] {
        let checked = asked(Dialect::AskUserQuestion).after(&stop);
        let checked = checked.round(&[ask(Dialect::AskUserQuestion)]);
        assert_eq!(checked.conversation.state.pending().len(), 1);
        assert_eq!(checked.answers().state(), "llm_requesting");
    }
}

#[test]
fn words_before_a_question_are_never_held_back() {
    let mut checked = CheckedConversation::agent().says("Go");
    let decision = checked.submit(&reply(1, "I found two ways.", &[ask(Dialect::AskUser)]));
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

#[test]
fn time_that_the_user_takes_never_counts_against_the_agent() {
    let week = 7 * 24 * 3_600;
    let checked = CheckedConversation::agent()
        .round(&[ask(Dialect::AskUser), tool("read_file")])
        .later(week)
        .answers();
    let now = checked.now;
    let checked = checked.runs("done");
    let State::LlmRequesting { attempt, .. } = checked.conversation.state else {
        panic!("the agent goes on");
    };
    assert_eq!(attempt, 1);
    let Some(Job::RequestLlm { due, .. }) = checked.jobs.last() else {
        panic!("a request");
    };
    assert_eq!(*due, now, "at once");
    assert_eq!(
        checked.conversation.rounds, 0,
        "rounds count from the answer"
    );
}

#[test]
fn timer_never_answers_after_the_user_has() {
    let checked = hurried().round(&[ask(Dialect::Question)]).later(59);
    let timer = expire(checked.inquiry());
    for taken_over in [answer(Target::Pending), say("I will tell you."), cancel()] {
        let checked = checked.clone().after(&taken_over).later(2);
        assert_eq!(checked.verdict(&timer), "not_pending");
        // Nor does it touch what is asked next.
        let checked = match checked.state() {
            "idle" => checked.says("Go"),
            _ => checked,
        };
        let checked = checked.calls(&[ask(Dialect::Question)]);
        assert_eq!(checked.verdict(&timer), "stale_inquiry");
    }
}

#[test]
fn second_question_never_takes_the_place_of_the_first() {
    let calls = [ask(Dialect::AskUserQuestion), ask(Dialect::AskUserQuestion)];
    let checked = CheckedConversation::agent().round(&calls).answers();
    let made = checked.made_calls();
    assert_eq!(
        checked.current_call(),
        made[1],
        "the second waits on its own"
    );
    let checked = checked.answers();
    let finished = checked.events.iter().filter_map(|event| {
        let Event::CallFinished { call, .. } = event else {
            return None;
        };
        Some(call.clone())
    });
    assert_eq!(finished.collect::<Vec<_>>(), made);
    // An external agent may have both open at once.
    let external = CheckedConversation::external()
        .after(&external_ask(Dialect::AskUserQuestion, None))
        .after(&external_ask(Dialect::AskUserQuestion, None));
    let [first, second] = &external.inquiries()[..] else {
        panic!("two");
    };
    let external = external.after(&answer(second.clone()));
    assert_eq!(external.inquiry(), *first);
}
