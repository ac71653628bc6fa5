//! Answers, declines and refusals.

use super::*;

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
    let fixture = Fixture::agent()
        .round(&[call])
        .after(|it| answer(it.inquiry(), json!({ "q1": ["Green", "Blue", "Red"] })));
    let [.., message] = &fixture.history()[..] else {
        panic!("a history");
    };
    assert_eq!(message, "user: Red\nBlue\nGreen");
}

#[test]
fn answer_names_the_waiting_inquiry_in_three_ways() {
    let fixture = asked(Dialect::AskUser);
    let targets = [
        fixture.inquiry().into(),
        revision(fixture.inquiry(), 1),
        Target::Pending,
    ];
    let decide = |target| {
        fixture.decide(&Command::Answer {
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
    let fixture = asked(Dialect::AskUser)
        .after(|it| answer(it.inquiry(), red()))
        .calls(&[ask(Dialect::AskUser)]);
    let gone = fixture.asked(0);
    let here = fixture.asked(1);
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
            Command::MoveDeadline { target, to: None },
        ];
        for command in commands {
            check(&fixture, |_| command, "refused: stale_inquiry");
        }
    }
}

#[test]
fn second_answer_is_refused_while_the_agent_goes_on() {
    let fixture = asked(Dialect::AskUser).after(|it| answer(it.inquiry(), red()));
    let answered = fixture.asked(0);
    for command in [
        answer(answered.clone(), red()),
        decline(answered.clone()),
        reject(answered.clone()),
        expire(answered.clone()),
        move_deadline(answered, None),
    ] {
        check(&fixture, |_| command, "refused: not_pending");
    }
}

#[test]
fn answer_without_a_waiting_question_is_refused() {
    for fixture in [
        Fixture::agent(),
        Fixture::agent().says("Go"),
        Fixture::agent().round(&[tool("read_file")]),
        Fixture::external(),
    ] {
        let command = Command::Answer {
            target: Target::Pending,
            answers: red(),
            notes: None,
        };
        check(&fixture, |_| command, "refused: not_pending");
    }
}

#[test]
fn answer_that_does_not_fit_leaves_the_question_waiting() {
    for dialect in Dialect::TOOLS {
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
    for dialect in Dialect::TOOLS {
        let fixture = asked(dialect).after(|it| Command::Answer {
            target: it.inquiry().into(),
            answers: red(),
            notes: Some(json!({ "q1": "A dark one." })),
        });
        let history = crate::conversation::history::history(&fixture.events);
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
    let fixture = Fixture::agent()
        .round(&[call])
        .after(|it| answer(it.inquiry(), answers.clone()));
    let result: Value = serde_json::from_str(&fixture.results()[0].content).unwrap();
    assert_eq!(result, json!({ "answers": answers }));
}

#[test]
fn resolution_and_call_have_the_same_result() {
    for dialect in Dialect::TOOLS {
        for end in [
            answer(InquiryId::new("x"), red()),
            decline(InquiryId::new("x")),
        ] {
            let fixture = asked(dialect).after(|it| retarget(end.clone(), it.inquiry()));
            let resolved = fixture.events.iter().find_map(|event| {
                let Event::InquiryResolved { result, .. } = event else {
                    return None;
                };
                Some(result.clone())
            });
            assert_eq!(resolved, fixture.results().pop());
        }
    }
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
fn declined_clarification_is_not_called_skipped() {
    let fixture = asked(Dialect::AskUser).after(|it| decline(it.inquiry()));
    let result: Value = serde_json::from_str(&fixture.results()[0].content).unwrap();
    assert_eq!(result["status"], "user_declined");
}

#[test]
fn decline_of_a_question_inserts_no_user_message() {
    let fixture = asked(Dialect::Question).after(|it| decline(it.inquiry()));
    assert_eq!(fixture.history().len(), 2);
    assert_eq!(fixture.conversation.state.name(), "llm_requesting");
}

#[test]
fn decline_lets_the_remaining_calls_run() {
    for dialect in LISTS_AND_FORMS {
        let fixture = Fixture::agent()
            .round(&[ask(dialect), tool("read_file")])
            .after(|it| decline(it.inquiry()));
        assert_eq!(fixture.conversation.state.name(), "tool_executing");
        assert_eq!(fixture.call(), fixture.made(1));
    }
}

#[test]
fn rejected_question_ends_the_turn_without_a_user_message() {
    for dialect in Dialect::TOOLS {
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
        &Fixture::agent().round(&[ask(Dialect::AskUser), tool("read_file")]),
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
    let fixture = Fixture::sub_agent_with(policy)
        .round(&[ask(Dialect::AskUser)])
        .after(|it| reject(it.inquiry()));
    let Some(Job::ReportToParent { result, .. }) = fixture.jobs.last() else {
        panic!("a report");
    };
    let told = CallResult::error("The sub-agent was stopped by the user before it was done.");
    assert_eq!(*result, told);
}
