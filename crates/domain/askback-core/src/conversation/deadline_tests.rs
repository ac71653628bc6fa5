//! Reminders come once and in time, and a respondent who is there is never cut off.

use jiff::{SignedDuration, Timestamp};

use crate::conversation::command::Command;
use crate::conversation::fixtures::{Fixture, answer, check, expire, external_ask, red};
use crate::dialect::Dialect;
use crate::id::InquiryId;

fn asked_for(seconds: i64) -> Fixture {
    let after = SignedDuration::from_secs(seconds);
    Fixture::external().after(|_| external_ask(Dialect::AskUser, Some(after)))
}

fn deadline(fixture: &Fixture) -> Option<Timestamp> {
    fixture.conversation.state.pending()[0].expires_at
}

fn remind(fixture: &Fixture) -> Command {
    Command::Remind {
        inquiry: fixture.inquiry(),
        expires_at: deadline(fixture).unwrap_or(fixture.now),
    }
}

fn keep_open(inquiry: InquiryId, at_least: Option<SignedDuration>) -> Command {
    Command::KeepOpen {
        target: inquiry.into(),
        at_least,
    }
}

/// A tenth of the time or a minute, whichever comes first, and at most half of it.
#[test]
fn reminder_is_armed_before_the_deadline() {
    let cases = [
        (86_400, 77_760_000),
        (3_600, 3_240_000),
        (600, 540_000),
        (300, 240_000),
        (60, 30_000),
        (1, 500),
    ];
    for (seconds, reminder) in cases {
        let after = SignedDuration::from_secs(seconds);
        check(
            &Fixture::external(),
            |_| external_ask(Dialect::AskUser, Some(after)),
            &format!(
                "
                inquiry_asked inq1 in {millis}ms
                > remind_inquiry inq1 in {reminder}ms
                > expire_inquiry inq1 in {millis}ms
                = awaiting_user_response
                ",
                millis = seconds * 1_000
            ),
        );
    }
}

#[test]
fn deadline_is_reminded_of_once() {
    let fixture = asked_for(60).later(30);
    check(
        &fixture,
        remind,
        "
        inquiry_reminded inq1 in 30000ms
        = awaiting_user_response
        ",
    );
    let reminded = fixture.after(remind);
    check(&reminded, remind, "refused: stale_report");
    let moved =
        reminded.after(|it| keep_open(it.inquiry(), Some(SignedDuration::from_secs(3_600))));
    assert!(moved.decide(&remind(&moved)).is_ok(), "a new deadline");
}

#[test]
fn nothing_is_reminded_of_that_has_no_deadline_ahead() {
    let fixture = asked_for(60);
    let inquiry = fixture.inquiry();
    let old = remind(&fixture);
    check(&fixture.clone().later(60), remind, "refused: stale_report");
    let open = fixture.clone().after(|it| keep_open(it.inquiry(), None));
    check(&open, |_| old.clone(), "refused: stale_report");
    let answered = fixture.after(|it| answer(it.inquiry(), red()));
    assert_ne!(
        answered.conversation.state.pending().first().map(|p| &p.id),
        Some(&inquiry)
    );
    check(&answered, |_| old, "refused: not_pending");
}

/// Any interaction keeps the question open.
#[test]
fn respondent_who_is_there_stops_the_deadline() {
    let fixture = asked_for(60).later(59);
    check(
        &fixture,
        |it| keep_open(it.inquiry(), None),
        "
        deadline_moved inq1 never by Terminal
        = awaiting_user_response
        ",
    );
    let open = fixture
        .after(|it| keep_open(it.inquiry(), None))
        .later(3_600);
    check(&open, |it| expire(it.inquiry()), "refused: not_expired");
}

#[test]
fn keeping_open_never_makes_the_time_shorter() {
    let fixture = asked_for(3_600);
    let before = deadline(&fixture);
    let soon = SignedDuration::from_secs(10);
    let kept = fixture
        .clone()
        .after(|it| keep_open(it.inquiry(), Some(soon)));
    assert_eq!(deadline(&kept), before);
    let late = SignedDuration::from_secs(7_200);
    let kept = fixture
        .clone()
        .after(|it| keep_open(it.inquiry(), Some(late)));
    assert_eq!(deadline(&kept), Some(fixture.now + late));
    let never = fixture.clone().after(|it| keep_open(it.inquiry(), None));
    let kept = never.after(|it| keep_open(it.inquiry(), Some(late)));
    assert_eq!(deadline(&kept), None, "what has no deadline gets none");
    check(
        &fixture,
        |it| keep_open(it.inquiry(), Some(SignedDuration::ZERO)),
        "refused: deadline_passed",
    );
}
