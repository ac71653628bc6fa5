//! A question can be handed on as long as it waits, and only its present recipient can answer it in a channel.

use crate::conversation::command::{Command, RespondentAction, Target};
use crate::conversation::fixtures::{Fixture, answer, check, expire, external_ask, red};
use crate::dialect::Dialect;
use crate::text::{Lines, Text};
use jiff::SignedDuration;

fn asked() -> Fixture {
    let after = SignedDuration::from_secs(60);
    Fixture::external().after(|_| external_ask(Dialect::AskUser, Some(after)))
}

fn hand_on(to: &'static str, reason: Option<&'static str>) -> impl Fn(&Fixture) -> Command {
    move |fixture| Command::HandOn {
        target: fixture.inquiry().into(),
        to: Text::clean(to, Lines::One).unwrap(),
        reason: reason.and_then(|reason| Text::clean(reason, Lines::One)),
    }
}

fn answer_in_a_channel(fixture: &Fixture, hand_ons: u32) -> Command {
    Command::Answer {
        target: Target::Delivered {
            id: fixture.inquiry(),
            revision: 1,
            hand_ons,
        },
        answers: red(),
        notes: None,
    }
}

#[test]
fn question_goes_from_one_recipient_to_the_next() {
    let fixture = asked();
    check(
        &fixture,
        hand_on("ben", Some("He knows the database.")),
        "
        inquiry_handed_on inq1 to ben by Terminal: He knows the database.
        = awaiting_user_response
        ",
    );
    let first = fixture.after(hand_on("ben", None));
    check(
        &first,
        hand_on("zoe", None),
        "
        inquiry_handed_on inq1 from ben to zoe by Terminal
        = awaiting_user_response
        ",
    );
    let second = first.after(hand_on("zoe", Some("No time.")));
    let inquiry = &second.conversation.state.pending()[0].inquiry;
    let last = inquiry.handed_on().unwrap();
    assert_eq!(inquiry.recipient().map(Text::as_str), Some("zoe"));
    assert_eq!(last.from.as_ref().map(Text::as_str), Some("ben"));
    assert_eq!((last.count, inquiry.hand_ons()), (2, 2));
    assert_eq!(last.reason.as_ref().map(Text::as_str), Some("No time."));
}

#[test]
fn same_recipient_an_answer_or_an_end_refuse_it() {
    let fixture = asked();
    let handed_on = fixture.clone().after(hand_on("ben", None));
    check(
        &handed_on,
        hand_on("ben", Some("Again.")),
        "refused: same_recipient",
    );
    let held = fixture.clone().after(|it| Command::AnswerWithUndo {
        target: it.inquiry().into(),
        reply: RespondentAction::Decline,
        window: SignedDuration::from_secs(5),
    });
    check(&held, hand_on("ben", None), "refused: held");
    check(
        &fixture.clone().later(60),
        hand_on("ben", None),
        "refused: not_pending",
    );
    let inquiry = fixture.inquiry();
    let ended = fixture.after(|it| answer(it.inquiry(), red()));
    let late = |_: &Fixture| Command::HandOn {
        target: inquiry.clone().into(),
        to: Text::ours("ben"),
        reason: None,
    };
    check(&ended, late, "refused: not_pending");
}

/// An answer that was on its way when the question was handed on is refused; the token still answers.
#[test]
fn only_the_present_recipient_answers_in_a_channel() {
    let before = asked();
    let after = before.clone().after(hand_on("ben", None));
    check(
        &after,
        |it| answer_in_a_channel(it, 0),
        "refused: stale_inquiry",
    );
    for fixture in [(before, 0), (after.clone(), 1)] {
        let answered = fixture.0.after(|it| answer_in_a_channel(it, fixture.1));
        assert!(answered.conversation.state.pending().is_empty());
    }
    let answered = after.clone().after(|it| answer(it.inquiry(), red()));
    assert!(answered.conversation.state.pending().is_empty());
    let expired = after.later(60).after(|it| expire(it.inquiry()));
    assert!(expired.conversation.state.pending().is_empty());
}
