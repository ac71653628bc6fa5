//! How inquiries are asked from outside and get their one outcome: by an answer, a decline, a
//! refusal, a deadline or the news that nobody can answer.

use jiff::{SignedDuration, Timestamp};
use serde_json::{Value, json};

use crate::conversation::command::{Command, Target};
use crate::conversation::event::{CallResult, Event};
use crate::conversation::job::Job;
use crate::conversation::policy::Policy;
use crate::conversation::scene::{
    Scene, answer, ask, check, decline, expire, external_ask, raw_call, red, reject, revision,
    rules, tool,
};
use crate::dialect::Dialect;
use crate::id::InquiryId;
use crate::limits;
use crate::outcome::{Surface, Undelivered};

const LISTS_AND_FORMS: [Dialect; 3] = [
    Dialect::AskUserQuestion,
    Dialect::AskUserQuestionClaude,
    Dialect::AskUser,
];

fn asked(dialect: Dialect) -> Scene {
    Scene::agent().round(&[ask(dialect)])
}

fn minute() -> SignedDuration {
    SignedDuration::from_mins(1)
}

/// A question that ends unanswered after a minute.
fn asked_for_a_minute(dialect: Dialect) -> Scene {
    let policy = rules(dialect, |rules| rules.expires_after_ms = Some(60_000));
    Scene::with(policy).round(&[ask(dialect)])
}

fn move_deadline(inquiry: InquiryId, expires_at: Option<Timestamp>) -> Command {
    Command::MoveDeadline {
        target: inquiry.into(),
        expires_at,
    }
}

fn undeliverable(inquiry: InquiryId) -> Command {
    Command::MarkUndeliverable {
        inquiry,
        reason: Undelivered::NobodyThere,
    }
}

// Answers

#[test]
fn answer_resumes_the_agent_with_the_result() {
    check(
        &asked(Dialect::AskUserQuestion).from(Surface::Web),
        |it| answer(it.inquiry(), red()),
        r#"
        inquiry_resolved inq1 answered by Web: ok {"answers":{"Which colour?":"Red"}}
        call_finished call1 ok {"answers":{"Which colour?":"Red"}}
        round_finished
        llm_requested 2/1
        > request_llm 2/1
        = llm_requesting
        "#,
    );
}

#[test]
fn answer_to_a_question_becomes_the_next_user_message() {
    check(
        &asked(Dialect::Question),
        |it| answer(it.inquiry(), red()),
        r#"
        inquiry_resolved inq1 answered by Terminal: ok The user answered. Their answer is the next…
        call_finished call1 ok The user answered. Their answer is the next…
        message_received msg2 "Red" answers inq1
        round_finished
        llm_requested 2/1
        > request_llm 2/1
        = llm_requesting
        "#,
    );
}

#[test]
fn answers_of_several_choices_are_lines_of_the_message_own_text_last() {
    let call = raw_call(
        "question",
        json!({ "question": "Which?", "options": ["Red", "Blue"], "multiple": true }),
    );
    let scene = Scene::agent()
        .round(&[call])
        .after(|it| answer(it.inquiry(), json!({ "q1": ["Green", "Blue", "Red"] })));
    let [.., message] = &scene.history()[..] else {
        panic!("a history");
    };
    assert_eq!(message, "user: Red\nBlue\nGreen");
}

#[test]
fn answer_names_the_waiting_inquiry_in_three_ways() {
    let scene = asked(Dialect::AskUser);
    let targets = [
        scene.inquiry().into(),
        revision(scene.inquiry(), 1),
        Target::Pending,
    ];
    let decide = |target| {
        scene.decide(&Command::Answer {
            target,
            answers: red(),
            notes: None,
        })
    };
    let [first, second, third] = targets.map(decide);
    assert!(first.is_ok());
    assert_eq!(first, second);
    assert_eq!(second, third);
}

#[test]
fn answer_to_another_inquiry_or_revision_is_stale() {
    let scene = asked(Dialect::AskUser)
        .after(|it| answer(it.inquiry(), red()))
        .calls(&[ask(Dialect::AskUser)]);
    let gone = scene.asked(0);
    let here = scene.asked(1);
    let targets: [Target; 4] = [
        gone.into(),
        InquiryId::new("inq_never_seen").into(),
        revision(here.clone(), 0),
        revision(here, 2),
    ];
    for target in targets {
        let commands = [
            Command::Answer {
                target: target.clone(),
                answers: red(),
                notes: None,
            },
            Command::Decline {
                target: target.clone(),
            },
            Command::Reject {
                target: target.clone(),
            },
            Command::Cancel {
                target: Some(target.clone()),
            },
            Command::Withdraw {
                target: Some(target.clone()),
            },
            Command::MoveDeadline {
                target,
                expires_at: None,
            },
        ];
        for command in commands {
            check(&scene, |_| command, "refused: stale_inquiry");
        }
    }
}

#[test]
fn second_answer_is_refused_while_the_agent_goes_on() {
    let scene = asked(Dialect::AskUser).after(|it| answer(it.inquiry(), red()));
    let answered = scene.asked(0);
    for command in [
        answer(answered.clone(), red()),
        decline(answered.clone()),
        reject(answered.clone()),
        expire(answered.clone()),
        undeliverable(answered.clone()),
        move_deadline(answered, None),
    ] {
        check(&scene, |_| command, "refused: not_pending");
    }
}

#[test]
fn answer_without_a_waiting_question_is_refused() {
    for scene in [
        Scene::agent(),
        Scene::agent().says("Go"),
        Scene::agent().round(&[tool("read_file")]),
        Scene::external(),
    ] {
        let command = Command::Answer {
            target: Target::Pending,
            answers: red(),
            notes: None,
        };
        check(&scene, |_| command, "refused: not_pending");
    }
}

#[test]
fn answer_that_does_not_fit_leaves_the_question_waiting() {
    for dialect in Dialect::ALL {
        for answers in [
            json!({}),
            json!(null),
            json!([]),
            json!({ "Which colour?": null }),
            json!({ "Which colour?": "" }),
            json!({ "Which colour?": [] }),
            json!({ "Which shape?": "Red" }),
            json!({ "Which colour?": ["Red", "Blue"] }),
        ] {
            check(
                &asked(dialect),
                |it| answer(it.inquiry(), answers),
                "refused: invalid_answer",
            );
        }
    }
}

#[test]
fn note_beside_an_answer_reaches_the_model() {
    for dialect in Dialect::ALL {
        let scene = asked(dialect).after(|it| Command::Answer {
            target: it.inquiry().into(),
            answers: red(),
            notes: Some(json!({ "q1": "A dark one." })),
        });
        let history = super::super::history::history(&scene.events);
        assert!(
            format!("{history:?}").contains("A dark one."),
            "{dialect:?}"
        );
    }
}

#[test]
fn longest_possible_answer_reaches_the_model_uncut() {
    // Quotes double in JSON, so this is far longer than a tool result that is kept.
    let text = |nth: usize| format!("{nth}{}", "\"".repeat(limits::TEXT_CHARS_MAX - 1));
    let questions: Vec<Value> = (0..4)
        .map(|nth| json!({ "question": text(nth), "options": ["Red", "Blue"] }))
        .collect();
    let own = |nth: usize| format!("{nth}{}", "\"".repeat(limits::OWN_TEXT_CHARS_MAX - 1));
    let call = raw_call("ask_user_question", json!({ "questions": questions }));
    let answers: Value = (0..4).map(|nth| (text(nth), json!(own(nth)))).collect();
    let scene = Scene::agent()
        .round(&[call])
        .after(|it| answer(it.inquiry(), answers.clone()));
    let result: Value = serde_json::from_str(&scene.results()[0].content).unwrap();
    assert_eq!(result, json!({ "answers": answers }));
}

#[test]
fn resolution_and_call_have_the_same_result() {
    for dialect in Dialect::ALL {
        for end in [
            answer(InquiryId::new("x"), red()),
            decline(InquiryId::new("x")),
        ] {
            let scene = asked(dialect).after(|it| retarget(end.clone(), it.inquiry()));
            let resolved = scene.events.iter().find_map(|event| {
                let Event::InquiryResolved { result, .. } = event else {
                    return None;
                };
                Some(result.clone())
            });
            assert_eq!(resolved, scene.results().pop());
        }
    }
}

fn retarget(command: Command, inquiry: InquiryId) -> Command {
    if let Command::Answer { answers, notes, .. } = command {
        let target = inquiry.into();
        return Command::Answer {
            target,
            answers,
            notes,
        };
    }
    decline(inquiry)
}

// Declines and refusals

#[test]
fn decline_lets_the_agent_go_on_and_says_that_nothing_was_chosen() {
    for dialect in [Dialect::AskUserQuestion, Dialect::AskUserQuestionClaude] {
        check(
            &asked(dialect),
            |it| decline(it.inquiry()),
            "
            inquiry_resolved inq1 declined by Terminal: ok The user declined to answer and wants you to…
            call_finished call1 ok The user declined to answer and wants you to…
            round_finished
            llm_requested 2/1
            > request_llm 2/1
            = llm_requesting
            ",
        );
    }
}

#[test]
fn declined_clarification_is_skipped() {
    let scene = asked(Dialect::AskUser).after(|it| decline(it.inquiry()));
    let result: Value = serde_json::from_str(&scene.results()[0].content).unwrap();
    assert_eq!(result["status"], "user_skipped");
}

#[test]
fn decline_of_a_question_inserts_no_user_message() {
    let scene = asked(Dialect::Question).after(|it| decline(it.inquiry()));
    assert_eq!(scene.history().len(), 2);
    assert_eq!(scene.conversation.state.name(), "llm_requesting");
}

#[test]
fn decline_lets_the_remaining_calls_run() {
    for dialect in LISTS_AND_FORMS {
        let scene = Scene::agent()
            .round(&[ask(dialect), tool("read_file")])
            .after(|it| decline(it.inquiry()));
        assert_eq!(scene.conversation.state.name(), "tool_executing");
        assert_eq!(scene.call(), scene.made(1));
    }
}

#[test]
fn rejected_question_ends_the_turn_without_a_user_message() {
    for dialect in Dialect::ALL {
        check(
            &asked(dialect),
            |it| reject(it.inquiry()),
            "
            inquiry_resolved inq1 rejected by Terminal: error User rejected the question
            call_finished call1 error User rejected the question
            round_finished
            turn_ended stopped
            = idle
            ",
        );
    }
}

#[test]
fn rejection_closes_the_remaining_calls() {
    check(
        &Scene::agent().round(&[ask(Dialect::AskUser), tool("read_file")]),
        |it| reject(it.inquiry()),
        "
        inquiry_resolved inq1 rejected by Terminal: error User rejected the question
        call_finished call1 error User rejected the question
        call_finished call2 error Not run: the turn was stopped before this ca…
        round_finished
        turn_ended stopped
        = idle
        ",
    );
}

#[test]
fn rejected_sub_agent_reports_to_its_parent() {
    let policy = Policy {
        sub_agents_may_ask: true,
        ..Policy::default()
    };
    let scene = Scene::sub_agent_with(policy)
        .round(&[ask(Dialect::AskUser)])
        .after(|it| reject(it.inquiry()));
    let Some(Job::ReportToParent { result, .. }) = scene.jobs.last() else {
        panic!("a report");
    };
    let told = CallResult::error("The sub-agent was stopped by the user before it was done.");
    assert_eq!(*result, told);
}

// Deadlines

#[test]
fn question_without_a_deadline_never_expires() {
    for dialect in Dialect::ALL {
        check(
            &asked(dialect).later(1_000_000_000),
            |it| expire(it.inquiry()),
            "refused: not_expired",
        );
    }
}

#[test]
fn question_with_a_deadline_arms_a_timer() {
    let policy = rules(Dialect::AskUser, |rules| {
        rules.expires_after_ms = Some(60_000);
    });
    check(
        &Scene::with(policy).says("Go"),
        |it| it.reply_with("", &[ask(Dialect::AskUser)]),
        "
        assistant_replied call1 ask_user
        inquiry_asked inq1 for call1 in 60000ms
        > remind_inquiry inq1 in 30000ms
        > expire_inquiry inq1 in 60000ms
        = awaiting_user_response
        ",
    );
}

#[test]
fn deadline_that_passed_resumes_the_agent_without_a_choice() {
    let scene = asked_for_a_minute(Dialect::AskUserQuestion).from(Surface::System);
    check(
        &scene.clone().later(59),
        |it| expire(it.inquiry()),
        "refused: not_expired",
    );
    check(
        &scene.later(60),
        |it| expire(it.inquiry()),
        "
        inquiry_resolved inq1 expired by System: ok Nobody answered before the deadline passed.…
        call_finished call1 ok Nobody answered before the deadline passed.…
        round_finished
        llm_requested 2/1
        > request_llm 2/1
        = llm_requesting
        ",
    );
}

#[test]
fn expiry_says_nothing_that_reads_like_a_choice() {
    for dialect in Dialect::ALL {
        let scene = asked_for_a_minute(dialect)
            .later(60)
            .after(|it| expire(it.inquiry()));
        let result = scene.results().pop().unwrap();
        for word in ["Red", "Blue", "judgement", "judgment", "best"] {
            assert!(!result.content.contains(word), "{}", result.content);
        }
        assert_eq!(scene.history().len(), 2, "no message was invented");
    }
}

#[test]
fn answer_wins_over_a_timer_that_has_not_fired() {
    let scene = asked_for_a_minute(Dialect::AskUser).later(61);
    let answered = scene.after(|it| answer(it.inquiry(), red()));
    let inquiry = answered.asked(0);
    check(&answered, |_| expire(inquiry), "refused: not_pending");
}

#[test]
fn timer_of_a_moved_deadline_is_refused() {
    let scene = asked_for_a_minute(Dialect::AskUser);
    let at = scene.now + minute() * 2;
    check(
        &scene,
        |it| move_deadline(it.inquiry(), Some(at)),
        "
        deadline_moved inq1 in 120000ms by Terminal
        > remind_inquiry inq1 in 60000ms
        > expire_inquiry inq1 in 120000ms
        = awaiting_user_response
        ",
    );
    let moved = scene.after(|it| move_deadline(it.inquiry(), Some(at)));
    check(
        &moved.clone().later(60),
        |it| expire(it.inquiry()),
        "refused: not_expired",
    );
    assert!(
        moved
            .later(120)
            .after(|it| expire(it.inquiry()))
            .conversation
            .state
            .parked()
            .is_empty()
    );
}

#[test]
fn deadline_can_be_taken_away() {
    let scene = asked_for_a_minute(Dialect::AskUser);
    check(
        &scene,
        |it| move_deadline(it.inquiry(), None),
        "
        deadline_moved inq1 never by Terminal
        = awaiting_user_response
        ",
    );
    let open = scene.after(|it| move_deadline(it.inquiry(), None));
    check(
        &open.later(61),
        |it| expire(it.inquiry()),
        "refused: not_expired",
    );
}

#[test]
fn deadline_can_be_given_to_a_question_that_had_none() {
    let scene = asked(Dialect::Question);
    let at = scene.now + minute();
    let scene = scene
        .after(|it| move_deadline(it.inquiry(), Some(at)))
        .later(60)
        .after(|it| expire(it.inquiry()));
    assert_eq!(scene.conversation.state.name(), "llm_requesting");
}

#[test]
fn deadline_cannot_be_moved_into_the_past() {
    let scene = asked_for_a_minute(Dialect::AskUser);
    for at in [scene.now, scene.now - minute()] {
        check(
            &scene,
            |it| move_deadline(it.inquiry(), Some(at)),
            "refused: deadline_passed",
        );
    }
}

#[test]
fn deadline_that_is_no_time_at_all_is_none() {
    for (milliseconds, dialect) in [0, -1, i64::MIN, i64::MAX]
        .into_iter()
        .flat_map(|ms| Dialect::ALL.map(|dialect| (ms, dialect)))
    {
        let policy = rules(dialect, |rules| {
            rules.expires_after_ms = Some(milliseconds);
        });
        let agent = Scene::with(policy.clone()).round(&[ask(dialect)]);
        let external = Scene::external_with(policy).after(|_| external_ask(dialect, None));
        for scene in [agent, external] {
            assert_eq!(scene.conversation.state.parked()[0].expires_at, None);
            assert!(!scene.jobs.iter().any(|job| job.name() == "expire_inquiry"));
        }
    }
}

// Nobody there

#[test]
fn undeliverable_question_resumes_the_agent_and_says_that_nobody_saw_it() {
    check(
        &asked(Dialect::AskUserQuestion).from(Surface::System),
        |it| undeliverable(it.inquiry()),
        "
        inquiry_resolved inq1 undeliverable by System: error The user never saw this question: nobody is…
        call_finished call1 error The user never saw this question: nobody is…
        round_finished
        llm_requested 2/1
        > request_llm 2/1
        = llm_requesting
        ",
    );
}

#[test]
fn undeliverable_question_does_not_keep_the_next_one_from_being_asked() {
    let scene = asked(Dialect::AskUserQuestion)
        .after(|it| undeliverable(it.inquiry()))
        .calls(&[ask(Dialect::AskUserQuestion)]);
    assert_eq!(scene.conversation.state.name(), "awaiting_user_response");
}

// Somebody else's agent

fn external(dialects: &[Dialect]) -> Scene {
    dialects.iter().fold(Scene::external(), |scene, dialect| {
        scene.after(|_| external_ask(*dialect, None))
    })
}

#[test]
fn external_agent_asks() {
    check(
        &Scene::external(),
        |_| external_ask(Dialect::AskUser, Some(minute())),
        "
        inquiry_asked inq1 in 60000ms
        > remind_inquiry inq1 in 30000ms
        > expire_inquiry inq1 in 60000ms
        = awaiting_user_response
        ",
    );
}

#[test]
fn built_in_agent_asks_by_tool_call_only() {
    for scene in [Scene::agent(), asked(Dialect::AskUser), Scene::sub_agent()] {
        check(
            &scene,
            |_| external_ask(Dialect::AskUser, None),
            "refused: wrong_driver",
        );
    }
}

#[test]
fn external_inquiries_are_answered_in_any_order() {
    let scene = external(&[Dialect::AskUser, Dialect::AskUserQuestion, Dialect::AskUser]);
    check(
        &scene,
        |it| answer(it.asked(1), red()),
        r#"
        inquiry_resolved inq2 answered by Terminal: ok {"answers":{"Which colour?":"Red"}}
        = awaiting_user_response
        "#,
    );
    let scene = scene
        .after(|it| answer(it.asked(1), red()))
        .after(|it| decline(it.asked(2)))
        .after(|it| answer(it.asked(0), red()));
    assert_eq!(scene.conversation.state.name(), "idle");
}

#[test]
fn last_external_outcome_leaves_the_conversation_idle() {
    for (when, outcome) in [
        (answer(InquiryId::new("x"), red()), "answered"),
        (decline(InquiryId::new("x")), "declined"),
    ] {
        let scene = external(&[Dialect::AskUserQuestion]);
        let scene = scene.after(|it| retarget(when, it.inquiry()));
        let Some(Event::InquiryResolved { resolution, .. }) = scene.events.last() else {
            panic!("an outcome");
        };
        assert_eq!(resolution.outcome.name(), outcome);
        assert_eq!(scene.conversation.state.name(), "idle");
    }
}

#[test]
fn refused_external_question_leaves_the_others_waiting() {
    check(
        &external(&[Dialect::AskUser, Dialect::Question]),
        |it| reject(it.asked(0)),
        "
        inquiry_resolved inq1 rejected by Terminal: error User rejected the question
        = awaiting_user_response
        ",
    );
}

#[test]
fn answered_external_inquiry_is_not_pending_whether_or_not_others_wait() {
    let both = external(&[Dialect::AskUser, Dialect::AskUser]);
    let one_left = both.after(|it| answer(it.asked(0), red()));
    let none_left = one_left.clone().after(|it| answer(it.asked(1), red()));
    for scene in [one_left, none_left] {
        let answered = scene.asked(0);
        for command in [
            answer(answered.clone(), red()),
            decline(answered.clone()),
            expire(answered.clone()),
        ] {
            check(&scene, |_| command, "refused: not_pending");
        }
    }
}

#[test]
fn wrong_revision_of_an_external_inquiry_is_stale() {
    let scene = external(&[Dialect::AskUser, Dialect::AskUser]);
    let target = revision(scene.inquiry(), 7);
    check(
        &scene,
        |_| Command::Decline { target },
        "refused: stale_inquiry",
    );
}

#[test]
fn command_without_an_id_is_refused_when_several_external_inquiries_wait() {
    let pending = || Command::Decline {
        target: Target::Pending,
    };
    check(
        &external(&[Dialect::AskUser, Dialect::AskUser]),
        |_| pending(),
        "refused: several_pending",
    );
    check(
        &external(&[Dialect::AskUser]),
        |_| pending(),
        r#"
        inquiry_resolved inq1 declined by Terminal: ok {"status":"user_skipped","question":"Which c…
        = idle
        "#,
    );
}

#[test]
fn external_agent_reads_the_answer_itself_where_there_is_no_next_message() {
    check(
        &external(&[Dialect::Question]),
        |it| answer(it.inquiry(), red()),
        "
        inquiry_resolved inq1 answered by Terminal: ok Red
        = idle
        ",
    );
}

#[test]
fn external_deadlines_pass_one_by_one() {
    let scene = Scene::external()
        .after(|_| external_ask(Dialect::AskUser, Some(minute())))
        .after(|_| external_ask(Dialect::AskUser, Some(minute() * 2)))
        .later(60);
    check(&scene, |it| expire(it.asked(1)), "refused: not_expired");
    check(
        &scene,
        |it| expire(it.asked(0)),
        r#"
        inquiry_resolved inq1 expired by Terminal: ok {"status":"no_answer","question":"Which colo…
        = awaiting_user_response
        "#,
    );
}

#[test]
fn external_deadline_must_lie_in_the_future() {
    for seconds in [0, -1, i64::MIN] {
        let after = Some(SignedDuration::from_secs(seconds));
        check(
            &Scene::external(),
            |_| external_ask(Dialect::AskUser, after),
            "refused: deadline_passed",
        );
    }
}

#[test]
fn external_deadline_beyond_the_calendar_is_none() {
    let after = Some(SignedDuration::from_secs(i64::MAX));
    check(
        &Scene::external(),
        |_| external_ask(Dialect::AskUser, after),
        "
        inquiry_asked inq1
        = awaiting_user_response
        ",
    );
}

#[test]
fn external_deadline_of_the_asker_goes_before_that_of_the_policy() {
    let policy = rules(Dialect::AskUser, |rules| {
        rules.expires_after_ms = Some(1_000);
    });
    check(
        &Scene::external_with(policy.clone()),
        |_| external_ask(Dialect::AskUser, None),
        "
        inquiry_asked inq1 in 1000ms
        > remind_inquiry inq1 in 500ms
        > expire_inquiry inq1 in 1000ms
        = awaiting_user_response
        ",
    );
    check(
        &Scene::external_with(policy),
        |_| external_ask(Dialect::AskUser, Some(minute())),
        "
        inquiry_asked inq1 in 60000ms
        > remind_inquiry inq1 in 30000ms
        > expire_inquiry inq1 in 60000ms
        = awaiting_user_response
        ",
    );
}

#[test]
fn external_agent_is_told_at_once_that_nobody_can_answer() {
    let unattended = Policy {
        unattended: true,
        ..Policy::default()
    };
    let disabled = rules(Dialect::AskUser, |rules| rules.enabled = false);
    let exhausted = rules(Dialect::AskUser, |rules| {
        rules.per_conversation_max = Some(0);
    });
    for policy in [unattended, disabled, exhausted] {
        check(
            &Scene::external_with(policy),
            |_| external_ask(Dialect::AskUser, None),
            "refused: undeliverable",
        );
    }
}

#[test]
fn external_agent_may_ask_ten_clarifications() {
    let mut scene = Scene::external();
    for _ in 0..10 {
        scene = scene
            .after(|_| external_ask(Dialect::AskUser, None))
            .after(|it| answer(it.inquiry(), red()));
    }
    check(
        &scene,
        |_| external_ask(Dialect::AskUser, None),
        "refused: undeliverable",
    );
}

#[test]
fn external_inquiries_that_wait_are_bounded() {
    let many = vec![Dialect::Question; limits::EXTERNAL_PENDING_MAX];
    let scene = external(&many);
    check(
        &scene,
        |_| external_ask(Dialect::Question, None),
        "refused: too_many_pending",
    );
    let scene = scene.after(|it| decline(it.asked(50)));
    assert!(scene.decide(&external_ask(Dialect::Question, None)).is_ok());
}

#[test]
fn inquiries_of_two_conversations_have_nothing_to_do_with_each_other() {
    let other = external(&[Dialect::AskUser, Dialect::AskUser]);
    let foreign = other.asked(1);
    check(
        &external(&[Dialect::AskUser]),
        |_| answer(foreign, red()),
        "refused: not_pending",
    );
}
