//! Questions of somebody else's agent.

use super::*;
use crate::dialect::ParseOptions;

fn external(dialects: &[Dialect]) -> Fixture {
    dialects
        .iter()
        .fold(Fixture::external(), |fixture, dialect| {
            fixture.after(|_| external_ask(*dialect, None))
        })
}

#[test]
fn external_agent_asks() {
    check(
        &Fixture::external(),
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
    for fixture in [
        Fixture::agent(),
        asked(Dialect::AskUser),
        Fixture::sub_agent(),
    ] {
        check(
            &fixture,
            |_| external_ask(Dialect::AskUser, None),
            "refused: wrong_driver",
        );
    }
}

#[test]
fn external_inquiries_are_answered_in_any_order() {
    let fixture = external(&[Dialect::AskUser, Dialect::AskUserQuestion, Dialect::AskUser]);
    check(
        &fixture,
        |it| answer(it.asked(1), red()),
        r#"
        inquiry_resolved inq2 answered by Terminal: ok {"answers":{"Which colour?":"Red"}}
        = awaiting_user_response
        "#,
    );
    let fixture = fixture
        .after(|it| answer(it.asked(1), red()))
        .after(|it| decline(it.asked(2)))
        .after(|it| answer(it.asked(0), red()));
    assert_eq!(fixture.conversation.state.name(), "idle");
}

#[test]
fn last_external_outcome_leaves_the_conversation_idle() {
    for (when, outcome) in [
        (answer(InquiryId::new("x"), red()), "answered"),
        (decline(InquiryId::new("x")), "declined"),
    ] {
        let fixture = external(&[Dialect::AskUserQuestion]);
        let fixture = fixture.after(|it| retarget(when, it.inquiry()));
        let Some(Event::InquiryResolved { resolution, .. }) = fixture.events.last() else {
            panic!("an outcome");
        };
        assert_eq!(resolution.outcome.name(), outcome);
        assert_eq!(fixture.conversation.state.name(), "idle");
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
    for fixture in [one_left, none_left] {
        let answered = fixture.asked(0);
        for command in [
            answer(answered.clone(), red()),
            decline(answered.clone()),
            expire(answered.clone()),
        ] {
            check(&fixture, |_| command, "refused: not_pending");
        }
    }
}

#[test]
fn wrong_revision_of_an_external_inquiry_is_stale() {
    let fixture = external(&[Dialect::AskUser, Dialect::AskUser]);
    let target = revision(fixture.inquiry(), 7);
    check(
        &fixture,
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
        inquiry_resolved inq1 declined by Terminal: ok {"status":"user_declined","question":"Which…
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
    let fixture = Fixture::external()
        .after(|_| external_ask(Dialect::AskUser, Some(minute())))
        .after(|_| external_ask(Dialect::AskUser, Some(minute() * 2)))
        .later(60);
    check(&fixture, |it| expire(it.asked(1)), "refused: not_expired");
    check(
        &fixture,
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
            &Fixture::external(),
            |_| external_ask(Dialect::AskUser, after),
            "refused: deadline_passed",
        );
    }
}

#[test]
fn external_deadline_beyond_the_calendar_is_none() {
    let after = Some(SignedDuration::from_secs(i64::MAX));
    check(
        &Fixture::external(),
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
        &Fixture::external_with(policy.clone()),
        |_| external_ask(Dialect::AskUser, None),
        "
        inquiry_asked inq1 in 1000ms
        > remind_inquiry inq1 in 500ms
        > expire_inquiry inq1 in 1000ms
        = awaiting_user_response
        ",
    );
    check(
        &Fixture::external_with(policy),
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
    for policy in [unattended, disabled] {
        check(
            &Fixture::external_with(policy),
            |_| external_ask(Dialect::AskUser, None),
            "refused: undeliverable",
        );
    }
}

#[test]
fn external_agent_may_ask_more_often_than_the_built_in_one() {
    let mut fixture = Fixture::external();
    for _ in 0..=limits::ASK_USER_PER_CONVERSATION {
        fixture = fixture
            .after(|_| external_ask(Dialect::AskUser, None))
            .after(|it| answer(it.inquiry(), red()));
    }
    assert_eq!(fixture.conversation.state.name(), "idle");
}

#[test]
fn external_inquiries_that_wait_are_bounded() {
    let many = vec![Dialect::Question; limits::EXTERNAL_PENDING_MAX];
    let fixture = external(&many);
    check(
        &fixture,
        |_| external_ask(Dialect::Question, None),
        "refused: too_many_pending",
    );
    let fixture = fixture.after(|it| decline(it.asked(50)));
    assert!(
        fixture
            .decide(&external_ask(Dialect::Question, None))
            .is_ok()
    );
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

/// Large questions are refused before there are as many as small ones.
#[test]
fn external_inquiries_that_wait_are_bounded_by_bytes() {
    let preview = "x".repeat(limits::PREVIEW_CHARS_MAX);
    let option = |label: &str| json!({"label": label, "description": "-", "preview": preview});
    let question = |text: &str| json!({"question": text, "header": text, "options": [option("A"), option("B")]});
    let questions = ["1?", "2?", "3?", "4?"].map(question);
    let input = json!({"questions": questions});
    let parsed = Dialect::AskUserQuestion.parse(&input, ParseOptions::default());
    let inquiry = parsed.unwrap().inquiry;
    let fit = limits::EXTERNAL_PENDING_BYTES_MAX / inquiry.bytes();
    assert!(fit < limits::EXTERNAL_PENDING_MAX);
    let ask = || Command::Ask {
        inquiry: inquiry.clone(),
        deadline: None,
    };
    let mut fixture = Fixture::external();
    let mut asked = 0;
    while fixture.decide(&ask()).is_ok() {
        fixture = fixture.after(|_| ask());
        asked += 1;
    }
    assert_eq!(asked, fit);
}
