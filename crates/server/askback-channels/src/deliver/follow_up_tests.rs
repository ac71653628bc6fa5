//! When questions are escalated and reminded of, computed from the question and the configuration.

use askback_core::text::{Lines, Text};
use askback_engine::InquiryView;
use askback_locale::Locale;
use askback_store::InquiryRow;
use jiff::tz::TimeZone;
use jiff::{SignedDuration, Timestamp};

use super::{FollowUp, FollowUps};
use crate::fixtures::{at, question, zoe};
use crate::people::recipients::{Group, Recipient, Recipients};

fn person(escalate_to: Option<&str>, remind_after: Option<i64>) -> Recipient {
    Recipient {
        name: "Somebody".to_owned(),
        locale: Locale::choose(&["en"]),
        time_zone: TimeZone::UTC,
        quiet_hours: None,
        presence: false,
        channels: None,
        escalate_to: escalate_to.map(str::to_owned),
        remind_after: remind_after.map(SignedDuration::from_hours),
        identities: Vec::new(),
    }
}

/// Zoë's questions go to Ben, and those of Ben to the group of Carl and Dora.
fn recipients() -> Recipients {
    let people = [
        ("zoe", person(Some("ben"), Some(4))),
        ("ben", person(Some("ops"), None)),
        ("carl", person(None, None)),
        ("dora", person(None, None)),
    ];
    let people = people.map(|(alias, person)| (alias.to_owned(), person));
    let ops = Group::of(vec!["carl".to_owned(), "dora".to_owned()]);
    Recipients {
        people: people.into(),
        groups: [("ops".to_owned(), ops)].into(),
        ..Recipients::default()
    }
}

fn asked_at() -> Timestamp {
    at("2027-03-27T10:00:00Z")
}

fn asked(recipient: Option<&str>, expires_at: Option<&str>) -> InquiryView {
    let recipient = recipient.and_then(|alias| Text::clean(alias, Lines::One));
    let inquiry = question().addressed_to(recipient);
    let row = InquiryRow {
        id: askback_core::id::InquiryId::from(7),
        conversation: askback_core::id::ConversationId::from(8),
        status: "pending".to_owned(),
        dialect: inquiry.dialect().name().to_owned(),
        json: String::new(),
        revision: 1,
        source: None,
        webhook: None,
        credential: None,
        asked_at: asked_at(),
        expires_at: expires_at.map(at),
        held: None,
        resolved_at: None,
        resolution: None,
        asker: None,
        snoozed_until: None,
        version: 1,
    };
    InquiryView {
        row,
        inquiry,
        call: None,
        held: None,
        resolution: None,
    }
}

fn open(view: &InquiryView, state: &FollowUps) -> Vec<(String, FollowUp)> {
    let open = state.open(view, &recipients()).into_iter();
    let time = |at: Timestamp| at.strftime("%H:%M").to_string();
    open.map(|(at, what)| (time(at), what)).collect()
}

fn escalate(time: &str, alias: &str) -> (String, FollowUp) {
    (time.to_owned(), FollowUp::Escalate(alias.to_owned()))
}

#[test]
fn each_step_comes_when_half_of_the_time_that_is_left_is_over() {
    let view = asked(Some("zoe"), Some("2027-03-27T14:00:00Z"));
    let mut state = FollowUps::since(&view);
    let all = [
        escalate("12:00", "ben"),
        escalate("13:00", "carl"),
        escalate("13:00", "dora"),
    ];
    assert_eq!(open(&view, &state), all);
    state.escalated.push("ben".to_owned());
    assert_eq!(open(&view, &state), all[1..]);
}

/// A new deadline moves what is not done yet, and repeats nothing.
#[test]
fn another_deadline_moves_the_next_step() {
    let view = asked(Some("zoe"), Some("2027-03-27T18:00:00Z"));
    let mut state = FollowUps::since(&view);
    state.escalated.push("ben".to_owned());
    let later = [escalate("16:00", "carl"), escalate("16:00", "dora")];
    assert_eq!(open(&view, &state), later);
}

/// The time counts anew for the person who got it.
#[test]
fn the_clock_starts_again_when_it_is_handed_on() {
    let mut view = asked(Some("zoe"), Some("2027-03-27T14:00:00Z"));
    let handed_on_at = at("2027-03-27T12:00:00Z");
    let inquiry = view.inquiry.clone();
    let ben = Text::clean("ben", Lines::One).expect("it is text");
    view.inquiry = inquiry.hand_on_to(ben, zoe(), None, handed_on_at);
    let all = [escalate("13:00", "carl"), escalate("13:00", "dora")];
    assert_eq!(open(&view, &FollowUps::since(&view)), all);
}

#[test]
fn who_has_the_question_already_gets_no_second_one() {
    let everybody = asked(None, Some("2027-03-27T14:00:00Z"));
    assert_eq!(open(&everybody, &FollowUps::since(&everybody)), []);
    let nobody_else = asked(Some("carl"), Some("2027-03-27T14:00:00Z"));
    assert_eq!(open(&nobody_else, &FollowUps::since(&nobody_else)), []);
}

#[test]
fn a_question_without_a_deadline_is_reminded_of_three_times() {
    let view = asked(Some("zoe"), None);
    let mut state = FollowUps::since(&view);
    let remind = |time: &str| (time.to_owned(), FollowUp::Remind("zoe".to_owned()));
    assert_eq!(
        open(&view, &state),
        [remind("14:00"), remind("18:00"), remind("22:00")]
    );
    state.done = at("2027-03-27T18:00:00Z");
    assert_eq!(open(&view, &state), [remind("22:00")]);
    state.done = at("2027-03-28T18:00:00Z");
    assert_eq!(open(&view, &state), []);
}
