//! Faults in telling one end of a question from another.

use super::*;

#[test]
fn no_answer_never_means_three_things() {
    let checked = hurried().round(&[ask(Dialect::AskUserQuestion)]).later(59);
    let nothing = Command::Answer {
        target: Target::Pending,
        answers: json!({}),
        notes: None,
    };
    assert_eq!(checked.verdict(&nothing), "invalid_answer");
    let ends = [
        decline(Target::Pending),
        expire(checked.inquiry()),
        cancel(),
        withdraw(),
    ];
    let ended = ends.map(|end| {
        let is_expiry = matches!(end, Command::Expire { .. });
        checked.clone().later(i64::from(is_expiry)).after(&end)
    });
    let names = ended.each_ref().map(|checked| last_outcome(checked).name());
    assert_eq!(names, ["declined", "expired", "cancelled", "withdrawn"]);
    let mut texts = ended.map(|checked| checked.results()[0].content.clone());
    texts.sort();
    assert!(
        texts.windows(2).all(|pair| pair[0] != pair[1]),
        "each in its own words"
    );
}

#[test]
fn restart_never_looks_like_a_dismissal() {
    let mut checked = asked(Dialect::AskUserQuestion);
    let before = checked.events.len();
    checked.crash();
    assert_eq!(checked.events.len(), before, "a restart writes nothing");
    assert_eq!(checked.state(), "awaiting_user_response");
    // An asker that goes away is not the user either.
    let gone = checked.after(&withdraw());
    assert_eq!(last_outcome(&gone), Outcome::Withdrawn);
    assert!(!gone.results()[0].content.to_lowercase().contains("user"));
}

#[test]
fn answer_is_never_taken_for_a_question_its_sender_did_not_see() {
    let checked = asked(Dialect::AskUser);
    let other_revision = Target::Inquiry {
        id: checked.inquiry(),
        revision: Some(2),
    };
    assert_eq!(checked.verdict(&answer(other_revision)), "stale_inquiry");
    let external = CheckedConversation::external()
        .after(&external_ask(Dialect::AskUser, None))
        .after(&external_ask(Dialect::Question, None));
    assert_eq!(
        external.verdict(&answer(Target::Pending)),
        "several_pending"
    );
}

#[test]
fn calls_of_the_same_round_never_run_again_after_the_answer() {
    let mut checked = CheckedConversation::agent()
        .round(&[tool("first"), ask(Dialect::AskUserQuestion), tool("third")])
        .runs("one");
    checked.crash();
    let checked = checked.answers().runs("three");
    let runs = checked.jobs.iter().filter(|job| job.name() == "run_tool");
    assert_eq!(runs.count(), 2, "each tool once");
    assert_eq!(checked.state(), "llm_requesting");
}

#[test]
fn interrupted_work_never_destroys_a_waiting_question() {
    let checked = CheckedConversation::agent()
        .round(&[tool("first"), ask(Dialect::AskUserQuestion)])
        .runs("one");
    for call in checked.made_calls() {
        let repair = Command::ToolInterrupted { call };
        assert_eq!(checked.verdict(&repair), "stale_report");
    }
    for failure in [FailureKind::Network, FailureKind::Refused] {
        assert_eq!(checked.verdict(&fail(1, 1, failure)), "stale_report");
    }
    assert_eq!(checked.answers().state(), "llm_requesting");
}

#[test]
fn timer_that_fires_for_a_restored_question_too_early_never_persists_anything() {
    let mut checked = hurried().round(&[ask(Dialect::AskUser)]).later(30);
    let timer = expire(checked.inquiry());
    let before = checked.events.len();
    checked.crash();
    let refusal = checked.submit(&timer).map_err(|no| no.code());
    assert_eq!(refusal.err(), Some("not_expired"));
    assert_eq!(checked.events.len(), before);
    assert_eq!(checked.answers().state(), "llm_requesting");
}

#[test]
fn question_that_nobody_saw_never_reads_like_consent() {
    let unattended = Policy {
        unattended: true,
        ..Policy::default()
    };
    for dialect in Dialect::TOOLS {
        let checked =
            CheckedConversation::new(Kind::Parent, unattended.clone()).round(&[ask(dialect)]);
        let sub_agent = CheckedConversation::sub_agent().round(&[ask(dialect)]);
        for checked in [checked, sub_agent] {
            let [result] = &checked.results()[..] else {
                panic!("one result");
            };
            assert!(result.is_error);
            assert!(result.content.contains("The user never saw this question"));
            assert!(!result.content.contains("declined"));
        }
    }
}

/// Wish 4: the tool "succeeded" without the answer.
#[test]
fn external_agent_is_never_pointed_to_a_message_that_it_does_not_get() {
    let checked = CheckedConversation::external().after(&external_ask(Dialect::Question, None));
    let mut checked = checked;
    let decision = checked.submit(&Command::Answer {
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
    for dialect in Dialect::TOOLS {
        let checked = asked(dialect).later(years);
        assert!(!job_names(&checked.jobs).contains(&"expire_inquiry"));
        assert_eq!(checked.verdict(&expire(checked.inquiry())), "not_expired");
    }
}

/// Wish 15: parallel questions were lost or deadlocked.
#[test]
fn parallel_sub_agents_never_wait_for_each_other() {
    let mut checked = CheckedConversation::agent().round(&[spawn(3)]);
    let children = checked.children();
    for child in [2, 0, 1] {
        let report = Command::SubAgentFinished {
            child: children[child].clone(),
            result: CallResult::ok("done"),
        };
        assert!(checked.submit(&report).is_ok());
    }
    assert_eq!(checked.state(), "llm_requesting");
    let unknown = Command::SubAgentFinished {
        child: ConversationId::new("cnv_unknown"),
        result: CallResult::ok("done"),
    };
    assert_eq!(checked.verdict(&unknown), "stale_report");
}
