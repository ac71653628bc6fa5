//! An answer can be taken back for a while. It is never lost, never doubled, and its asker does not
//! hear of it before.

use jiff::{SignedDuration, Timestamp};

use crate::conversation::command::{Command, NewDeadline, RespondentAction};
use crate::conversation::event::Event;
use crate::conversation::fixtures::{Fixture, answer, ask, check, expire, external_ask, red, say};
use crate::conversation::state::HeldAnswer;
use crate::dialect::Dialect;
use crate::id::InquiryId;
use crate::identity::NodeName;
use crate::outcome::Surface;

fn asked() -> Fixture {
    Fixture::agent().round(&[ask(Dialect::AskUser)])
}

fn with_undo(seconds: i64, reply: RespondentAction) -> impl Fn(&Fixture) -> Command {
    move |it| Command::AnswerWithUndo {
        target: it.inquiry().into(),
        reply: reply.clone(),
        window: SignedDuration::from_secs(seconds),
    }
}

fn red_reply() -> RespondentAction {
    RespondentAction::Answer {
        answers: red(),
        notes: None,
    }
}

fn held() -> Fixture {
    asked().after(with_undo(5, red_reply()))
}

fn what_is_held(fixture: &Fixture) -> &HeldAnswer {
    fixture.conversation.state.pending()[0]
        .held
        .as_ref()
        .unwrap()
}

fn release(fixture: &Fixture) -> Command {
    release_until(fixture.inquiry(), what_is_held(fixture).until)
}

fn release_until(inquiry: InquiryId, until: Timestamp) -> Command {
    Command::CommitHeldAnswer { inquiry, until }
}

fn take_back(fixture: &Fixture) -> Command {
    Command::UndoAnswer {
        target: fixture.inquiry().into(),
    }
}

#[test]
fn held_answer_waits_and_tells_the_agent_nothing() {
    check(
        &asked(),
        with_undo(5, red_reply()),
        "
        answer_held inq1 answered by Terminal in 5000ms
        > release_answer inq1 in 5000ms
        = awaiting_user_response
        ",
    );
}

/// Who answered and when is what counts, not the timer that ends the waiting.
#[test]
fn released_answer_is_that_of_its_respondent() {
    let fixture = held().later(3_600).from(Surface::System).on("node-2");
    let decision = fixture.decide(&release(&fixture)).unwrap();
    let resolved = decision.events.iter().find_map(|event| {
        let crate::conversation::event::Event::InquiryResolved { resolution, .. } = event else {
            return None;
        };
        Some(resolution)
    });
    assert_eq!(resolved, Some(&what_is_held(&fixture).resolution));
    assert_eq!(resolved.unwrap().by.surface, Surface::Terminal);
    assert_eq!(resolved.unwrap().node, NodeName::clean("node-1"));
    assert_eq!(decision.after.state.name(), "llm_requesting");
}

#[test]
fn answer_that_becomes_a_message_is_said_by_its_respondent() {
    let fixture = Fixture::agent()
        .round(&[ask(Dialect::Question)])
        .after(with_undo(5, red_reply()))
        .from(Surface::System);
    let decision = fixture.decide(&release(&fixture)).unwrap();
    let said = decision.events.iter().find_map(|event| {
        let crate::conversation::event::Event::MessageReceived { by, .. } = event else {
            return None;
        };
        Some(by.surface)
    });
    assert_eq!(said, Some(Surface::Terminal));
}

#[test]
fn question_waits_as_before_when_the_answer_is_taken_back() {
    let before = asked();
    let fixture = held();
    check(
        &fixture,
        take_back,
        "
        answer_taken_back inq1 by Terminal
        = awaiting_user_response
        ",
    );
    let after = fixture.clone().after(take_back);
    assert_eq!(after.conversation.state, before.conversation.state);
    check(&after, take_back, "refused: nothing_held");
    // The timer of the answer that was taken back comes to nothing.
    check(&after, |_| release(&fixture), "refused: stale_report");
}

/// The timer of an answer that was taken back does not cut the time of the next one short.
#[test]
fn old_timer_does_not_release_a_newer_answer() {
    let first = held();
    let timer = release(&first);
    let second = first
        .after(take_back)
        .later(3)
        .after(with_undo(5, RespondentAction::Decline));
    check(&second, |_| timer.clone(), "refused: stale_report");
    let released = second.after(release);
    assert!(released.conversation.state.pending().is_empty());
}

/// A clock that was put back must not keep an answer for ever.
#[test]
fn release_does_not_ask_the_clock() {
    let fixture = held().later(-3_600);
    assert!(fixture.decide(&release(&fixture)).is_ok());
}

#[test]
fn answered_question_takes_no_other_answer() {
    let fixture = held().from(Surface::Web);
    let refused = "refused: held";
    check(
        &fixture,
        |it| answer(it.inquiry(), serde_json::json!({ "Which colour?": "Blue" })),
        refused,
    );
    check(&fixture, with_undo(5, RespondentAction::Reject), refused);
    let target = || fixture.inquiry().into();
    check(&fixture, |_| Command::Decline { target: target() }, refused);
    check(&fixture, |_| Command::Reject { target: target() }, refused);
    let messages_answer = Fixture::agent()
        .round(&[ask(Dialect::Question)])
        .after(with_undo(5, red_reply()));
    check(&messages_answer, |_| say("Blue, then."), refused);
}

/// A deadline that passes while the answer can be taken back must not lose it, nor cut that time
/// short because a clock was set.
#[test]
fn deadline_lets_a_held_answer_take_effect() {
    let minute = SignedDuration::from_secs(60);
    let fixture = Fixture::external()
        .after(|_| external_ask(Dialect::AskUser, Some(minute)))
        .later(58)
        .after(with_undo(5, red_reply()));
    let until = what_is_held(&fixture).until;
    let end = fixture.now + SignedDuration::from_secs(2);
    assert_eq!(until, end, "no longer than it can be taken back");
    let expired = fixture.later(2).from(Surface::System);
    check(&expired, |it| expire(it.inquiry()), "refused: held");
    let ended = expired.clone().after(release);
    let outcome = ended.events.iter().rev().find_map(|event| {
        let crate::conversation::event::Event::InquiryResolved { resolution, .. } = event else {
            return None;
        };
        Some(resolution.outcome.name())
    });
    assert_eq!(outcome, Some("answered"));
    let late = release_until(expired.inquiry(), until);
    check(&ended, |_| late, "refused: not_pending");
}

/// A deadline that is moved to before the end of the undo window ends the window: the answer was given
/// in time and takes effect, instead of expiring after an undo that comes too late.
#[test]
fn moved_deadline_ends_the_undo_window() {
    let fixture = Fixture::external()
        .after(|_| external_ask(Dialect::AskUser, Some(SignedDuration::from_hours(1))))
        .after(with_undo(30, red_reply()));
    let answered = what_is_held(&fixture).resolution.clone();
    let old_timer = release(&fixture);
    let move_to = |seconds: i64| {
        move |it: &Fixture| Command::MoveDeadline {
            target: it.inquiry().into(),
            to: Some(NewDeadline::After(SignedDuration::from_secs(seconds))),
        }
    };
    check(
        &fixture,
        move_to(10),
        "
        deadline_moved inq1 in 10000ms by Terminal
        answer_held inq1 answered by Terminal in 10000ms
        > remind_inquiry inq1 in 5000ms
        > expire_inquiry inq1 in 10000ms
        > release_answer inq1 in 10000ms
        = awaiting_user_response
        ",
    );
    let shortened = fixture.clone().after(move_to(10));
    assert_eq!(what_is_held(&shortened).resolution, answered);
    let at_deadline = shortened.later(10).from(Surface::System);
    check(&at_deadline, |_| old_timer, "refused: stale_report");
    let too_late = take_back(&at_deadline);
    let ended = at_deadline.after(release);
    check(&ended, |_| too_late, "refused: not_pending");
    // A later deadline gives no more time to undo than was promised.
    let later = fixture.clone().after(move_to(7_200));
    assert_eq!(what_is_held(&later).until, what_is_held(&fixture).until);
}

/// What is taken back is not sent, even if the deadline has passed by then: the question expires.
#[test]
fn answer_taken_back_behind_the_deadline_is_gone() {
    let minute = SignedDuration::from_secs(60);
    let fixture = Fixture::external()
        .after(|_| external_ask(Dialect::AskUser, Some(minute)))
        .later(58)
        .after(with_undo(5, red_reply()))
        .later(7_200)
        .after(take_back);
    check(
        &fixture,
        |it| answer(it.inquiry(), red()),
        "refused: not_pending",
    );
    let ended = fixture.after(|it| expire(it.inquiry()));
    assert_eq!(ended.conversation.state.name(), "idle");
}

#[test]
fn nobody_is_reminded_of_a_question_that_is_answered() {
    let minute = SignedDuration::from_secs(60);
    let fixture = Fixture::external()
        .after(|_| external_ask(Dialect::AskUser, Some(minute)))
        .later(30)
        .after(with_undo(5, red_reply()));
    let remind = |it: &Fixture| Command::Remind {
        inquiry: it.inquiry(),
        expires_at: it.conversation.state.pending()[0].expires_at.unwrap(),
    };
    check(&fixture, remind, "refused: held");
    let reopened = fixture.after(take_back);
    assert!(
        reopened.decide(&remind(&reopened)).is_ok(),
        "it waits again"
    );
}

/// Whoever stops the agent wants no answer to reach it.
#[test]
fn stop_goes_before_a_held_answer() {
    let fixture = held();
    let stopped = fixture.after(|_| Command::Cancel { target: None });
    assert_eq!(stopped.conversation.state.name(), "idle");
    let outcomes: Vec<_> = stopped
        .events
        .iter()
        .filter(|event| matches!(event, Event::InquiryResolved { .. }))
        .collect();
    assert_eq!(outcomes.len(), 1, "one outcome");
}

#[test]
fn time_to_take_back_is_bounded() {
    for seconds in [-1, 0, 61, 3_600] {
        check(
            &asked(),
            with_undo(seconds, red_reply()),
            "refused: invalid_undo_window",
        );
    }
    for seconds in [1, 60] {
        assert!(
            asked()
                .decide(&with_undo(seconds, red_reply())(&asked()))
                .is_ok()
        );
    }
}

#[test]
fn answer_that_does_not_fit_is_refused_at_once() {
    let misfit = RespondentAction::Answer {
        answers: serde_json::json!({}),
        notes: None,
    };
    check(&asked(), with_undo(5, misfit), "refused: invalid_answer");
}
