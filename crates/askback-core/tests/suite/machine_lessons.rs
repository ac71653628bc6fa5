//! Bugs that other systems shipped and that this machine must not have: one test for each, named
//! for what must not happen again and tagged with its number in the list of lessons.

use askback_core::conversation::command::{Command, RawReply, Target};
use askback_core::conversation::event::{CallResult, Event, FailureKind};
use askback_core::conversation::history::{Entry, history};
use askback_core::conversation::job::Job;
use askback_core::conversation::policy::{AskRules, Policy};
use askback_core::conversation::state::State;
use askback_core::conversation::{Conversation, Driver, Parent, Settings};
use askback_core::dialect::Dialect;
use askback_core::id::ConversationId;
use askback_core::outcome::{Outcome, Surface, Undelivered};
use serde_json::json;

use super::machine::samples::{
    answer, ask, cancel, decline, expire, external_ask, fail, finish, red, reject, reply, reply_to,
    say, say_as, spawn, tool, withdraw,
};
use super::machine::{Kind, Thread};

fn asked(dialect: Dialect) -> Thread {
    Thread::agent().round(&[ask(dialect)])
}

/// A conversation whose questions end unanswered after a minute.
fn hurried() -> Thread {
    let rules = |dialect| AskRules {
        expires_after_ms: Some(60_000),
        ..AskRules::of(dialect)
    };
    let policy = Policy {
        asks: Dialect::ALL.map(|dialect| (dialect, rules(dialect))).into(),
        ..Policy::default()
    };
    Thread::new(Kind::Parent, policy)
}

fn job_names(jobs: &[Job]) -> Vec<&'static str> {
    jobs.iter().map(Job::name).collect()
}

fn event_names(events: &[Event]) -> Vec<&'static str> {
    events.iter().map(Event::name).collect()
}

/// How the last inquiry ended.
fn last_outcome(thread: &Thread) -> Outcome {
    let resolved = thread.events.iter().rev().find_map(|event| {
        let Event::InquiryResolved { resolution, .. } = event else {
            return None;
        };
        Some(resolution.outcome.clone())
    });
    resolved.unwrap()
}

/// A process that died: all that is left are the stored events.
fn restarted(thread: &Thread) -> Conversation {
    let stored = serde_json::to_string(&thread.events).unwrap();
    let events: Vec<Event> = serde_json::from_str(&stored).unwrap();
    Conversation::replay(&events).unwrap()
}

/// L-T1
#[test]
fn one_call_never_gets_two_results() {
    // Every way to end a question, tried twice and in every order.
    let asked = asked(Dialect::AskUserQuestion);
    let inquiry = asked.inquiry();
    let call = asked.current_call();
    let ends = [
        answer(inquiry.clone()),
        decline(inquiry.clone()),
        reject(inquiry.clone()),
        Command::Cancel {
            target: Some(inquiry.into()),
        },
        finish(call.clone(), "Red"),
        Command::ToolInterrupted { call: call.clone() },
    ];
    for first in &ends {
        for second in &ends {
            let mut thread = asked.clone();
            let granted = [first, second].map(|end| thread.submit(end).is_ok());
            assert!(granted != [true, true]);
            thread.finish();
            let results = thread.events.iter().filter(|event| {
                matches!(event, Event::CallFinished { call: finished, .. } if *finished == call)
            });
            assert_eq!(results.count(), 1);
        }
    }
}

/// L-T3
#[test]
fn question_among_other_calls_never_strands_the_conversation() {
    for dialect in Dialect::ALL {
        for place in 0..3 {
            let mut calls = vec![tool("first"), tool("second")];
            calls.insert(place, ask(dialect));
            let mut thread = Thread::agent().round(&calls);
            thread.finish();
            assert_eq!(thread.state(), "idle");
            assert_eq!(thread.results().len(), 3);
        }
    }
}

/// L-T5
#[test]
fn decline_never_ends_the_turn() {
    for dialect in Dialect::ALL {
        let thread = asked(dialect);
        let declined = decline(thread.inquiry());
        let thread = thread.after(&declined);
        assert_eq!(thread.state(), "llm_requesting");
        let [Entry::User(_), Entry::Assistant { results, .. }] = &history(&thread.events)[..]
        else {
            panic!("the agent is told");
        };
        assert!(!results[0].is_error, "a decline is a result");
    }
}

/// L-T6
#[test]
fn message_while_a_question_waits_is_never_dropped_in_silence() {
    for dialect in Dialect::ALL {
        let mut thread = asked(dialect);
        let decided = thread.submit(&say("Red, please"));
        if let Err(rejection) = decided {
            assert_eq!(rejection.code(), "awaiting_user_response");
            assert!(rejection.to_string().contains("before you send a message"));
        } else {
            let heard = history(&thread.events);
            let Some(Entry::User(text)) = heard.last() else {
                panic!("the message is heard");
            };
            assert_eq!(text.as_str(), "Red, please");
        }
    }
}

/// L-T7
#[test]
fn answer_at_the_wrong_time_is_never_called_a_wrong_answer() {
    let late = asked(Dialect::AskUser).answers();
    let late_answer = answer(late.inquiries()[0].clone());
    assert_eq!(late.verdict(&late_answer), "not_pending");
    let next = late.calls(&[ask(Dialect::AskUser)]);
    assert_eq!(next.verdict(&late_answer), "stale_inquiry");
    let wrong = Command::Answer {
        target: Target::Pending,
        answers: json!({ "Which colour?": ["Red", "Blue"] }),
        notes: None,
    };
    assert_eq!(next.verdict(&wrong), "invalid_answer");
}

/// L-T14
#[test]
fn restart_never_invents_a_result_for_a_waiting_question() {
    for dialect in Dialect::ALL {
        let thread = asked(dialect);
        let restored = restarted(&thread);
        assert_eq!(restored, thread.conversation);
        assert_eq!(restored.state.parked(), thread.conversation.state.parked());
        assert!(thread.results().is_empty());
        // What a restart may report about work in flight does not touch the question.
        let repair = Command::ToolInterrupted {
            call: thread.current_call(),
        };
        assert_eq!(thread.verdict(&repair), "stale_report");
    }
}

/// L-T20
#[test]
fn late_operation_never_reaches_a_later_question() {
    let thread = asked(Dialect::AskUserQuestion)
        .answers()
        .calls(&[ask(Dialect::AskUserQuestion)]);
    let old = thread.inquiries()[0].clone();
    for late in [
        answer(old.clone()),
        decline(old.clone()),
        reject(old.clone()),
        expire(old.clone()),
        Command::Cancel {
            target: Some(old.clone().into()),
        },
        Command::Withdraw {
            target: Some(old.clone().into()),
        },
        Command::MarkUndeliverable {
            inquiry: old.clone(),
            reason: Undelivered::NobodyThere,
        },
        Command::MoveDeadline {
            target: old.clone().into(),
            expires_at: None,
        },
        Command::KeepOpen {
            target: old.into(),
            at_least: None,
        },
    ] {
        assert_eq!(thread.verdict(&late), "stale_inquiry", "{}", late.name());
    }
}

/// L-T21
#[test]
fn edited_second_answer_never_replaces_the_first() {
    let thread = asked(Dialect::AskUserQuestion).answers();
    let edited = Command::Answer {
        target: thread.inquiries()[0].clone().into(),
        answers: json!({ "Which colour?": "Blue" }),
        notes: None,
    };
    assert_eq!(thread.verdict(&edited), "not_pending");
    assert!(thread.results()[0].content.contains("Red"));
}

/// L-T22
#[test]
fn answer_result_and_next_step_are_never_parted() {
    let mut thread = asked(Dialect::AskUserQuestion);
    let decision = thread.submit(&answer(Target::Pending)).unwrap();
    assert_eq!(
        event_names(&decision.events),
        [
            "inquiry_resolved",
            "call_finished",
            "round_finished",
            "llm_requested"
        ]
    );
    assert_eq!(job_names(&decision.jobs), ["request_llm"]);
}

/// L-T23
#[test]
fn command_whose_commit_was_not_heard_of_is_never_carried_out_twice() {
    let mut thread = Thread::agent();
    let message = say_as("msg_1", "Hello");
    assert!(thread.submit(&message).is_ok());
    assert_eq!(thread.verdict(&message), "duplicate_message");
    let reply = reply(1, "", &[ask(Dialect::AskUser), tool("read_file")]);
    assert!(thread.submit(&reply).is_ok());
    assert_eq!(thread.verdict(&reply), "stale_report");
    let answer = answer(thread.inquiry());
    assert!(thread.submit(&answer).is_ok());
    assert_eq!(thread.verdict(&answer), "not_pending");
    let call = thread.current_call();
    for report in [
        Command::ToolStarted { call: call.clone() },
        finish(call, "done"),
    ] {
        assert!(thread.submit(&report).is_ok());
        assert_eq!(thread.verdict(&report), "stale_report");
    }
    assert_eq!(thread.state(), "llm_requesting");
}

/// L-T24
#[test]
fn provider_id_that_comes_again_never_makes_an_old_answer_count() {
    // Every sample call has the same provider id.
    let thread = asked(Dialect::AskUserQuestion)
        .answers()
        .calls(&[ask(Dialect::AskUserQuestion), ask(Dialect::AskUserQuestion)]);
    let calls = thread.made_calls();
    assert_eq!(calls.len(), 3);
    assert!(calls[0] != calls[1] && calls[1] != calls[2]);
    let old = answer(thread.inquiries()[0].clone());
    assert_eq!(thread.verdict(&old), "stale_inquiry");
    assert_eq!(
        thread.results().len(),
        1,
        "the new calls have no result yet"
    );
}

/// L-T25
#[test]
fn dismissal_neither_runs_what_was_queued_nor_blocks_what_comes() {
    for dismiss in [reject(Target::Pending), cancel()] {
        let thread = Thread::agent().round(&[ask(Dialect::AskUser), tool("delete_file")]);
        let thread = thread.after(&dismiss);
        assert!(!job_names(&thread.jobs).contains(&"run_tool"));
        assert_eq!(thread.results().len(), 2, "nothing is left open");
        assert_eq!(thread.says("Go on").state(), "llm_requesting");
    }
}

/// L-T29
#[test]
fn turn_is_never_over_while_a_question_waits() {
    for dialect in Dialect::ALL {
        let thread = asked(dialect);
        assert!(!event_names(&thread.events).contains(&"turn_ended"));
        assert!(!event_names(&thread.events).contains(&"round_finished"));
    }
}

/// L-T30
#[test]
fn waiting_question_is_never_lost_over_a_restart() {
    for dialect in Dialect::ALL {
        let thread = asked(dialect);
        let stored = serde_json::to_string(&thread.conversation).unwrap();
        let snapshot: Conversation = serde_json::from_str(&stored).unwrap();
        assert_eq!(snapshot, restarted(&thread));
        let State::AwaitingUserResponse(_) = &snapshot.state else {
            panic!("still waiting");
        };
        assert_eq!(snapshot.state.parked()[0].inquiry.questions().len(), 1);
    }
}

/// L-T31
#[test]
fn reasoning_of_the_provider_is_never_lost_on_resume() {
    let reasoning = json!([{ "type": "thinking", "thinking": "hm", "signature": "c2ln" }]);
    let thread = Thread::agent().says("Go").after(&Command::LlmReplied {
        request: 1,
        attempt: 1,
        reply: RawReply {
            text: String::new(),
            reasoning: Some(reasoning.clone()),
            calls: vec![ask(Dialect::AskUserQuestion)],
        },
    });
    let mut thread = thread;
    thread.crash();
    let thread = thread.answers();
    let [_, Entry::Assistant { reply, .. }] = &history(&thread.events)[..] else {
        panic!("the round is history");
    };
    assert_eq!(reply.reasoning, Some(reasoning));
}

/// L-T32
#[test]
fn two_answers_at_once_never_resume_twice() {
    let mut thread = asked(Dialect::AskUserQuestion);
    let inquiry = thread.inquiry();
    thread.surface = Surface::Terminal;
    assert!(thread.submit(&answer(inquiry.clone())).is_ok());
    thread.surface = Surface::Web;
    assert!(thread.submit(&answer(inquiry)).is_err());
    assert!(thread.submit(&say("And?")).is_err());
    let requests = thread.jobs.iter().filter(|job| job.name() == "request_llm");
    assert_eq!(requests.count(), 2, "the first and one resume");
}

/// L-T33
#[test]
fn waiting_question_never_has_a_placeholder_for_a_result() {
    let thread = Thread::agent().round(&[ask(Dialect::Question)]);
    assert!(thread.results().is_empty());
    assert_eq!(history(&thread.events).len(), 1, "only the user's message");
}

/// L-T35
#[test]
fn parking_that_was_not_stored_never_leaves_a_trace() {
    let thread = Thread::agent().says("Go");
    let reply = reply(1, "", &[ask(Dialect::AskUser)]);
    let lost = thread.decide(&reply).unwrap();
    assert_eq!(thread.state(), "llm_requesting");
    let again = thread.calls(&[ask(Dialect::AskUser)]);
    assert_eq!(again.conversation, lost.after, "the same on the second try");
}

/// A sub-agent's conversation for the first child of `parent`.
fn child_of(parent: &Thread, policy: Policy) -> Thread {
    Thread::of(Settings {
        id: parent.children()[0].clone(),
        driver: Driver::BuiltIn,
        parent: Some(Parent {
            conversation: parent.conversation.settings.id.clone(),
            call: parent.current_call(),
        }),
        policy,
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
        assert!(thread.conversation.state.parked().is_empty());
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
        assert_eq!(thread.conversation.state.parked().len(), 1);
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
    assert_eq!(thread.conversation.rounds, 1);
}

/// L-T52
#[test]
fn timer_never_answers_after_the_user_has() {
    let thread = hurried().round(&[ask(Dialect::Question)]).later(61);
    let timer = expire(thread.inquiry());
    for taken_over in [answer(Target::Pending), say("I will tell you."), cancel()] {
        let thread = thread.clone().after(&taken_over);
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

/// L-P2
#[test]
fn no_answer_never_means_three_things() {
    let thread = hurried().round(&[ask(Dialect::AskUserQuestion)]).later(60);
    let nothing = Command::Answer {
        target: Target::Pending,
        answers: json!({}),
        notes: None,
    };
    assert_eq!(thread.verdict(&nothing), "invalid_answer");
    let ends = [
        decline(Target::Pending),
        expire(thread.inquiry()),
        cancel(),
        withdraw(),
        Command::MarkUndeliverable {
            inquiry: thread.inquiry(),
            reason: Undelivered::NobodyThere,
        },
    ];
    let ended = ends.map(|end| thread.clone().after(&end));
    let names = ended.each_ref().map(|thread| last_outcome(thread).name());
    assert_eq!(
        names,
        [
            "declined",
            "expired",
            "cancelled",
            "withdrawn",
            "undeliverable"
        ]
    );
    let mut texts = ended.map(|thread| thread.results()[0].content.clone());
    texts.sort();
    assert!(
        texts.windows(2).all(|pair| pair[0] != pair[1]),
        "each in its own words"
    );
}

/// L-P3
#[test]
fn restart_never_looks_like_a_dismissal() {
    let mut thread = asked(Dialect::AskUserQuestion);
    let before = thread.events.len();
    thread.crash();
    assert_eq!(thread.events.len(), before, "a restart writes nothing");
    assert_eq!(thread.state(), "awaiting_user_response");
    // An asker that goes away is not the user either.
    let gone = thread.after(&withdraw());
    assert_eq!(last_outcome(&gone), Outcome::Withdrawn);
    assert!(!gone.results()[0].content.to_lowercase().contains("user"));
}

/// L-P10
#[test]
fn answer_is_never_taken_for_a_question_its_sender_did_not_see() {
    let thread = asked(Dialect::AskUser);
    let other_revision = Target::Inquiry {
        id: thread.inquiry(),
        revision: Some(2),
    };
    assert_eq!(thread.verdict(&answer(other_revision)), "stale_inquiry");
    let external = Thread::external()
        .after(&external_ask(Dialect::AskUser, None))
        .after(&external_ask(Dialect::Question, None));
    assert_eq!(
        external.verdict(&answer(Target::Pending)),
        "several_pending"
    );
}

/// L-P11
#[test]
fn calls_of_the_same_round_never_run_again_after_the_answer() {
    let mut thread = Thread::agent()
        .round(&[tool("first"), ask(Dialect::AskUserQuestion), tool("third")])
        .runs("one");
    thread.crash();
    let thread = thread.answers().runs("three");
    let runs = thread.jobs.iter().filter(|job| job.name() == "run_tool");
    assert_eq!(runs.count(), 2, "each tool once");
    assert_eq!(thread.state(), "llm_requesting");
}

/// L-P12
#[test]
fn interrupted_work_never_destroys_a_waiting_question() {
    let thread = Thread::agent()
        .round(&[tool("first"), ask(Dialect::AskUserQuestion)])
        .runs("one");
    for call in thread.made_calls() {
        let repair = Command::ToolInterrupted { call };
        assert_eq!(thread.verdict(&repair), "stale_report");
    }
    for failure in [FailureKind::Network, FailureKind::Refused] {
        assert_eq!(thread.verdict(&fail(1, 1, failure)), "stale_report");
    }
    assert_eq!(thread.answers().state(), "llm_requesting");
}

/// L-P13
#[test]
fn timer_that_fires_for_a_restored_question_too_early_never_persists_anything() {
    let mut thread = hurried().round(&[ask(Dialect::AskUser)]).later(30);
    let timer = expire(thread.inquiry());
    let before = thread.events.len();
    thread.crash();
    let refusal = thread.submit(&timer).map_err(|no| no.code());
    assert_eq!(refusal.err(), Some("not_expired"));
    assert_eq!(thread.events.len(), before);
    assert_eq!(thread.answers().state(), "llm_requesting");
}

/// L-P15
#[test]
fn question_that_nobody_saw_never_reads_like_consent() {
    let unattended = Policy {
        unattended: true,
        ..Policy::default()
    };
    for dialect in Dialect::ALL {
        let thread = Thread::new(Kind::Parent, unattended.clone()).round(&[ask(dialect)]);
        let sub_agent = Thread::sub_agent().round(&[ask(dialect)]);
        for thread in [thread, sub_agent] {
            let [result] = &thread.results()[..] else {
                panic!("one result");
            };
            assert!(result.is_error);
            assert!(result.content.contains("The user never saw this question"));
            assert!(!result.content.contains("declined"));
        }
    }
}

/// L-P19
#[test]
fn unavailable_user_is_never_unavailable_for_good() {
    let thread = asked(Dialect::AskUserQuestion);
    let away = Command::MarkUndeliverable {
        inquiry: thread.inquiry(),
        reason: Undelivered::NobodyThere,
    };
    let thread = thread.after(&away);
    let done = reply(2, "I could not ask.", &[]);
    let thread = thread.after(&done).round(&[ask(Dialect::AskUserQuestion)]);
    assert_eq!(thread.state(), "awaiting_user_response");
}

/// Wish 4: the tool "succeeded" without the answer.
#[test]
fn external_agent_is_never_pointed_to_a_message_that_it_does_not_get() {
    let thread = Thread::external().after(&external_ask(Dialect::Question, None));
    let mut thread = thread;
    let decision = thread.submit(&Command::Answer {
        target: Target::Pending,
        answers: red(),
        notes: None,
    });
    let [Event::InquiryResolved { result, .. }] = &decision.unwrap().events[..] else {
        panic!("an outcome and nothing else");
    };
    assert_eq!(*result, CallResult::ok("Red"));
}

/// Wish 1: silence became an answer.
#[test]
fn silence_never_becomes_an_answer() {
    let years = 10 * 365 * 24 * 3_600;
    for dialect in Dialect::ALL {
        let thread = asked(dialect).later(years);
        assert!(!job_names(&thread.jobs).contains(&"expire_inquiry"));
        assert_eq!(thread.verdict(&expire(thread.inquiry())), "not_expired");
    }
}

/// Wish 15: parallel questions were lost or deadlocked.
#[test]
fn parallel_sub_agents_never_wait_for_each_other() {
    let mut thread = Thread::agent().round(&[spawn(3)]);
    let children = thread.children();
    for child in [2, 0, 1] {
        let report = Command::SubAgentFinished {
            child: children[child].clone(),
            result: CallResult::ok("done"),
        };
        assert!(thread.submit(&report).is_ok());
    }
    assert_eq!(thread.state(), "llm_requesting");
    let unknown = Command::SubAgentFinished {
        child: ConversationId::new("cnv_unknown"),
        result: CallResult::ok("done"),
    };
    assert_eq!(thread.verdict(&unknown), "stale_report");
}
