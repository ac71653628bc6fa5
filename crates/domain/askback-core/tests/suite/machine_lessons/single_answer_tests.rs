//! Faults by which an answer was lost, doubled or given to another question.

use super::*;

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
            let mut checked = asked.clone();
            let granted = [first, second].map(|end| checked.submit(end).is_ok());
            assert!(granted != [true, true]);
            checked.finish();
            let results = checked.events.iter().filter(|event| {
                matches!(event, Event::CallFinished { call: finished, .. } if *finished == call)
            });
            assert_eq!(results.count(), 1);
        }
    }
}

#[test]
fn question_among_other_calls_never_strands_the_conversation() {
    for dialect in Dialect::TOOLS {
        for place in 0..3 {
            let mut calls = vec![tool("first"), tool("second")];
            calls.insert(place, ask(dialect));
            let mut checked = CheckedConversation::agent().round(&calls);
            checked.finish();
            assert_eq!(checked.state(), "idle");
            assert_eq!(checked.results().len(), 3);
        }
    }
}

#[test]
fn decline_never_ends_the_turn() {
    for dialect in Dialect::TOOLS {
        let checked = asked(dialect);
        let declined = decline(checked.inquiry());
        let checked = checked.after(&declined);
        assert_eq!(checked.state(), "llm_requesting");
        let [
            HistoryEntry::User(_),
            HistoryEntry::Assistant { results, .. },
        ] = &history(&checked.events)[..]
        else {
            panic!("the agent is told");
        };
        assert!(!results[0].is_error, "a decline is a result");
    }
}

#[test]
fn message_while_a_question_waits_is_never_dropped_in_silence() {
    for dialect in Dialect::TOOLS {
        let mut checked = asked(dialect);
        let decided = checked.submit(&say("Red, please"));
        if let Err(rejection) = decided {
            assert_eq!(rejection.code(), "awaiting_user_response");
            assert!(rejection.to_string().contains("before you send a message"));
        } else {
            let heard = history(&checked.events);
            let Some(HistoryEntry::User(text)) = heard.last() else {
                panic!("the message is heard");
            };
            assert_eq!(text.as_str(), "Red, please");
        }
    }
}

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

#[test]
fn restart_never_invents_a_result_for_a_waiting_question() {
    for dialect in Dialect::TOOLS {
        let checked = asked(dialect);
        let restored = restarted(&checked);
        assert_eq!(restored, checked.conversation);
        assert_eq!(
            restored.state.pending(),
            checked.conversation.state.pending()
        );
        assert!(checked.results().is_empty());
        // What a restart may report about work in flight does not touch the question.
        let repair = Command::ToolInterrupted {
            call: checked.current_call(),
        };
        assert_eq!(checked.verdict(&repair), "stale_report");
    }
}

#[test]
fn late_operation_never_reaches_a_later_question() {
    let checked = asked(Dialect::AskUserQuestion)
        .answers()
        .calls(&[ask(Dialect::AskUserQuestion)]);
    let old = checked.inquiries()[0].clone();
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
        Command::MoveDeadline {
            target: old.clone().into(),
            to: None,
        },
        Command::KeepOpen {
            target: old.into(),
            at_least: None,
        },
    ] {
        assert_eq!(checked.verdict(&late), "stale_inquiry", "{late:?}");
    }
}

#[test]
fn edited_second_answer_never_replaces_the_first() {
    let checked = asked(Dialect::AskUserQuestion).answers();
    let edited = Command::Answer {
        target: checked.inquiries()[0].clone().into(),
        answers: json!({ "Which colour?": "Blue" }),
        notes: None,
    };
    assert_eq!(checked.verdict(&edited), "not_pending");
    assert!(checked.results()[0].content.contains("Red"));
}

#[test]
fn answer_result_and_next_step_are_never_parted() {
    let mut checked = asked(Dialect::AskUserQuestion);
    let decision = checked.submit(&answer(Target::Pending)).unwrap();
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

#[test]
fn command_whose_commit_was_not_heard_of_is_never_carried_out_twice() {
    let mut checked = CheckedConversation::agent();
    let message = say_as("msg_1", "Hello");
    assert!(checked.submit(&message).is_ok());
    assert_eq!(checked.verdict(&message), "duplicate_message");
    let reply = reply(1, "", &[ask(Dialect::AskUser), tool("read_file")]);
    assert!(checked.submit(&reply).is_ok());
    assert_eq!(checked.verdict(&reply), "stale_report");
    let answer = answer(checked.inquiry());
    assert!(checked.submit(&answer).is_ok());
    assert_eq!(checked.verdict(&answer), "not_pending");
    let call = checked.current_call();
    for report in [
        Command::ToolStarted { call: call.clone() },
        finish(call, "done"),
    ] {
        assert!(checked.submit(&report).is_ok());
        assert_eq!(checked.verdict(&report), "stale_report");
    }
    assert_eq!(checked.state(), "llm_requesting");
}

#[test]
fn provider_id_that_comes_again_never_makes_an_old_answer_count() {
    // Every sample call has the same provider id.
    let checked = asked(Dialect::AskUserQuestion)
        .answers()
        .calls(&[ask(Dialect::AskUserQuestion), ask(Dialect::AskUserQuestion)]);
    let calls = checked.made_calls();
    assert_eq!(calls.len(), 3);
    assert!(calls[0] != calls[1] && calls[1] != calls[2]);
    let old = answer(checked.inquiries()[0].clone());
    assert_eq!(checked.verdict(&old), "stale_inquiry");
    assert_eq!(
        checked.results().len(),
        1,
        "the new calls have no result yet"
    );
}

#[test]
fn dismissal_neither_runs_what_was_queued_nor_blocks_what_comes() {
    for dismiss in [reject(Target::Pending), cancel()] {
        let checked =
            CheckedConversation::agent().round(&[ask(Dialect::AskUser), tool("delete_file")]);
        let checked = checked.after(&dismiss);
        assert!(!job_names(&checked.jobs).contains(&"run_tool"));
        assert_eq!(checked.results().len(), 2, "nothing is left open");
        assert_eq!(checked.says("Go on").state(), "llm_requesting");
    }
}

#[test]
fn turn_is_never_over_while_a_question_waits() {
    for dialect in Dialect::TOOLS {
        let checked = asked(dialect);
        assert!(!event_names(&checked.events).contains(&"turn_ended".to_owned()));
        assert!(!event_names(&checked.events).contains(&"round_finished".to_owned()));
    }
}

#[test]
fn waiting_question_is_never_lost_over_a_restart() {
    for dialect in Dialect::TOOLS {
        let checked = asked(dialect);
        let snapshot = askback_testkit::stored::conversation(&checked.conversation).unwrap();
        assert_eq!(
            snapshot.state.pending(),
            restarted(&checked).state.pending()
        );
        let State::AwaitingUserResponse(_) = &snapshot.state else {
            panic!("still waiting");
        };
        assert_eq!(snapshot.state.pending()[0].inquiry.questions().len(), 1);
    }
}

#[test]
fn reasoning_of_the_provider_is_never_lost_on_resume() {
    let reasoning = json!([{ "type": "thinking", "thinking": "hm", "signature": "c2ln" }]);
    let checked = CheckedConversation::agent()
        .says("Go")
        .after(&Command::LlmReplied {
            request: 1,
            attempt: 1,
            reply: RawReply {
                text: String::new(),
                reasoning: Some(reasoning.clone()),
                calls: vec![ask(Dialect::AskUserQuestion)],
            },
        });
    let mut checked = checked;
    checked.crash();
    let checked = checked.answers();
    let [_, HistoryEntry::Assistant { reply, .. }] = &history(&checked.events)[..] else {
        panic!("the round is history");
    };
    assert_eq!(reply.reasoning, Some(reasoning));
}

#[test]
fn two_answers_at_once_never_resume_twice() {
    let mut checked = asked(Dialect::AskUserQuestion);
    let inquiry = checked.inquiry();
    checked.surface = Surface::Terminal;
    assert!(checked.submit(&answer(inquiry.clone())).is_ok());
    checked.surface = Surface::Web;
    assert!(checked.submit(&answer(inquiry)).is_err());
    assert!(checked.submit(&say("And?")).is_err());
    let requests = checked
        .jobs
        .iter()
        .filter(|job| job.name() == "request_llm");
    assert_eq!(requests.count(), 2, "the first and one resume");
}

#[test]
fn waiting_question_never_has_a_placeholder_for_a_result() {
    let checked = CheckedConversation::agent().round(&[ask(Dialect::Question)]);
    assert!(checked.results().is_empty());
    assert_eq!(history(&checked.events).len(), 1, "only the user's message");
}

#[test]
fn parking_that_was_not_stored_never_leaves_a_trace() {
    let checked = CheckedConversation::agent().says("Go");
    let reply = reply(1, "", &[ask(Dialect::AskUser)]);
    let lost = checked.decide(&reply).unwrap();
    assert_eq!(checked.state(), "llm_requesting");
    let again = checked.calls(&[ask(Dialect::AskUser)]);
    assert_eq!(again.conversation, lost.after, "the same on the second try");
}
