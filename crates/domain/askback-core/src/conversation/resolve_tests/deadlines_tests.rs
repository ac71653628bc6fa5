//! Deadlines, and questions that nobody can answer.

use super::*;
use crate::conversation::command::RespondentAction;
use crate::conversation::fixtures::say;
use crate::conversation::rejection::Rejection;

#[test]
fn question_without_a_deadline_never_expires() {
    for dialect in Dialect::TOOLS {
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
        &Fixture::with(policy).says("Go"),
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
    let fixture = asked_for_a_minute(Dialect::AskUserQuestion).from(Surface::System);
    check(
        &fixture.clone().later(59),
        |it| expire(it.inquiry()),
        "refused: not_expired",
    );
    check(
        &fixture.later(60),
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
    for dialect in Dialect::TOOLS {
        let fixture = asked_for_a_minute(dialect)
            .later(60)
            .after(|it| expire(it.inquiry()));
        let result = fixture.results().pop().unwrap();
        for word in ["Red", "Blue", "judgement", "judgment", "best"] {
            assert!(!result.content.contains(word), "{}", result.content);
        }
        assert_eq!(fixture.history().len(), 2, "no message was invented");
    }
}

/// The deadline counts, not when its timer happens to run.
#[test]
fn nothing_is_accepted_behind_a_deadline_whose_timer_has_not_fired() {
    let fixture = asked_for_a_minute(Dialect::Question);
    let in_time = fixture.clone().later(59);
    assert!(in_time.decide(&answer(in_time.inquiry(), red())).is_ok());
    let later = fixture.now + minute() * 120;
    for seconds in [60, 61, 5_400] {
        let late = fixture.clone().later(seconds);
        let target = || Target::from(late.inquiry());
        let too_late = [
            answer(late.inquiry(), red()),
            say("Red, I think."),
            Command::Decline { target: target() },
            Command::Reject { target: target() },
            Command::AnswerWithUndo {
                target: target(),
                reply: RespondentAction::Decline,
                window: SignedDuration::from_secs(5),
            },
            move_deadline(late.inquiry(), Some(later)),
            move_deadline(late.inquiry(), None),
            Command::KeepOpen {
                target: target(),
                at_least: None,
            },
        ];
        for command in too_late {
            let expired = Rejection::Expired {
                inquiry: late.inquiry(),
                at: fixture.now + minute(),
            };
            assert_eq!(late.decide(&command), Err(expired), "{command:?}");
        }
        assert!(late.decide(&expire(late.inquiry())).is_ok());
    }
}

#[test]
fn refusal_says_when_the_question_expired() {
    let late = asked_for_a_minute(Dialect::AskUser).later(61);
    let refused = late.decide(&answer(late.inquiry(), red())).unwrap_err();
    let at = late.conversation.state.pending()[0].expires_at.unwrap();
    assert!(refused.to_string().contains(&at.to_string()), "{refused}");
    assert_eq!(refused.code(), "not_pending");
}

/// Whoever stops the agent answers nothing, so no deadline keeps them from it.
#[test]
fn stop_behind_a_deadline_stops_the_agent() {
    let late = asked_for_a_minute(Dialect::AskUser).later(61);
    let stopped = late.after(|_| Command::Cancel { target: None });
    assert_eq!(stopped.conversation.state.name(), "idle");
}

/// Whatever is finer than a millisecond is cut where it enters, so that the deadline, its
/// timer and the clock speak of the same times.
#[test]
fn deadlines_are_whole_milliseconds() {
    let fine = SignedDuration::new(60, 123_456_789);
    let whole = SignedDuration::from_millis(60_123);
    let fixture = Fixture::external().after(|_| external_ask(Dialect::AskUser, Some(fine)));
    let deadline = |fixture: &Fixture| fixture.conversation.state.pending()[0].expires_at;
    assert_eq!(deadline(&fixture), Some(fixture.now + whole));
    let moved = fixture
        .clone()
        .after(|it| move_deadline(it.inquiry(), Some(it.now + fine)));
    assert_eq!(deadline(&moved), Some(fixture.now + whole));
    for job in &moved.jobs {
        if let Job::ExpireInquiry { at, .. } = job {
            assert_eq!(*at, fixture.now + whole);
        }
    }
    let less = SignedDuration::from_micros(900);
    check(
        &Fixture::external(),
        |_| external_ask(Dialect::AskUser, Some(less)),
        "refused: deadline_passed",
    );
}

#[test]
fn timer_of_a_moved_deadline_is_refused() {
    let fixture = asked_for_a_minute(Dialect::AskUser);
    let at = fixture.now + minute() * 2;
    check(
        &fixture,
        |it| move_deadline(it.inquiry(), Some(at)),
        "
        deadline_moved inq1 in 120000ms by Terminal
        > remind_inquiry inq1 in 60000ms
        > expire_inquiry inq1 in 120000ms
        = awaiting_user_response
        ",
    );
    let moved = fixture.after(|it| move_deadline(it.inquiry(), Some(at)));
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
            .pending()
            .is_empty()
    );
}

#[test]
fn deadline_can_be_taken_away() {
    let fixture = asked_for_a_minute(Dialect::AskUser);
    check(
        &fixture,
        |it| move_deadline(it.inquiry(), None),
        "
        deadline_moved inq1 never by Terminal
        = awaiting_user_response
        ",
    );
    let open = fixture.after(|it| move_deadline(it.inquiry(), None));
    check(
        &open.later(61),
        |it| expire(it.inquiry()),
        "refused: not_expired",
    );
}

#[test]
fn deadline_can_be_given_to_a_question_that_had_none() {
    let fixture = asked(Dialect::Question);
    let at = fixture.now + minute();
    let fixture = fixture
        .after(|it| move_deadline(it.inquiry(), Some(at)))
        .later(60)
        .after(|it| expire(it.inquiry()));
    assert_eq!(fixture.conversation.state.name(), "llm_requesting");
}

#[test]
fn deadline_cannot_be_moved_into_the_past() {
    let fixture = asked_for_a_minute(Dialect::AskUser);
    for at in [fixture.now, fixture.now - minute()] {
        check(
            &fixture,
            |it| move_deadline(it.inquiry(), Some(at)),
            "refused: deadline_passed",
        );
    }
}

#[test]
fn deadline_that_is_no_time_at_all_is_none() {
    for (milliseconds, dialect) in [0, -1, i64::MIN, i64::MAX]
        .into_iter()
        .flat_map(|ms| Dialect::TOOLS.map(|dialect| (ms, dialect)))
    {
        let policy = rules(dialect, |rules| {
            rules.expires_after_ms = Some(milliseconds);
        });
        let agent = Fixture::with(policy.clone()).round(&[ask(dialect)]);
        let external = Fixture::external_with(policy).after(|_| external_ask(dialect, None));
        for fixture in [agent, external] {
            assert_eq!(fixture.conversation.state.pending()[0].expires_at, None);
            assert!(
                !fixture
                    .jobs
                    .iter()
                    .any(|job| job.name() == "expire_inquiry")
            );
        }
    }
}
