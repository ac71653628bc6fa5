//! Rejecting and declining asks first, and can be undone.

use super::*;

/// A refusal needs a second key, for one and for all that are marked.
#[test]
fn refusals_are_confirmed() {
    let mut inbox = inbox();
    for (id, minute) in [("a", 1), ("b", 2), ("c", 3)] {
        add(&mut inbox, single(id, minute));
    }
    press(
        &mut inbox,
        &[Key::char('r'), Key::plain(KeyCode::Enter), Key::char('n')],
        10,
    );
    assert_eq!(inbox.take_inbox_requests(), []);
    press(
        &mut inbox,
        &[Key::char('x'), Key::char('x'), Key::char('d')],
        12,
    );
    let asks = shown(&inbox);
    assert!(asks.contains("2 marked") && asks.contains("(2)"), "{asks}");
    assert!(asks.contains("Name a, Name b"), "all are named: {asks}");
    press(&mut inbox, &[Key::char('y')], 14);
    let requests = inbox.take_inbox_requests();
    let [
        InboxRequest::SendReply(a, InquiryReply::Decline),
        InboxRequest::SendReply(b, InquiryReply::Decline),
    ] = requests.as_slice()
    else {
        panic!("{requests:?}");
    };
    assert_eq!((a.id.as_str(), b.id.as_str()), ("a", "b"));
    assert_eq!(names(&inbox), ["c"]);
    press(&mut inbox, &[Key::char('r'), Key::char('y')], 20);
    assert!(
        matches!(inbox.take_inbox_requests().as_slice(), [InboxRequest::SendReply(target, InquiryReply::Reject)] if target.id.as_str() == "c")
    );
}

/// Of many questions as many are named as fit, and how many more there are.
#[test]
fn confirmation_says_how_many_it_does_not_name() {
    let mut inbox = inbox();
    inbox.resize(Size {
        columns: 40,
        rows: 10,
    });
    for number in 0..40 {
        add(&mut inbox, single(&format!("q{number:02}"), number));
    }
    press(&mut inbox, &[Key::char('x'); 40], 10);
    press(&mut inbox, &[Key::char('r')], 60);
    let asks = shown(&inbox);
    let question = asks.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(question.contains("marked questions (40)?"), "{asks}");
    // The last name that is shown has no comma behind it.
    let text = asks.replace('\n', " ");
    let followed = (0..40).filter(|at| text.contains(&format!("Name q{at:02},")));
    let hidden = 40 - (followed.count() + 1);
    assert!(
        hidden > 0 && asks.contains(&format!("… +{hidden}")),
        "{hidden}: {asks}"
    );
    let cursor = inbox.view().cursor.row;
    let confirmed = asks.lines().nth(cursor).unwrap_or_default();
    assert!(
        confirmed.contains("They stop"),
        "the cursor is on what is confirmed: {asks}"
    );
}

/// What ends a question is not confirmed by what was typed before it was asked for.
#[test]
fn confirmation_is_seen_before_it_is_given() {
    let mut inbox = inbox();
    add(&mut inbox, single("a", 1));
    press(&mut inbox, &[Key::char('r')], 10);
    let soon = Duration::from_millis(10_100);
    inbox.handle(&InputEvent::Key(Key::char('y')), soon);
    assert_eq!(inbox.take_inbox_requests(), []);
    assert!(shown(&inbox).contains("Too soon"), "{}", shown(&inbox));
    press(&mut inbox, &[Key::char('y')], 12);
    assert!(matches!(
        inbox.take_inbox_requests().as_slice(),
        [InboxRequest::SendReply(_, InquiryReply::Reject)]
    ));
}

/// A reply of this kind to a question is kept from its agent until then.
fn set_held(inbox: &mut Inbox, mut inquiry: InquiryResponse, until: u64) {
    let held = json!({"until": "2027-03-01T00:00:05Z", "at": "2027-03-01T00:00:00Z",
        "outcome": {"type": "declined"}, "surface": "tui"});
    inquiry.held = Some(serde_json::from_value(held).expect("a held reply"));
    inbox.handle_event(InboxEvent::Inquiry(Box::new(InquiryUpdate {
        held_until: Some(Duration::from_secs(until)),
        ..update(later(inquiry))
    })));
}

fn taken_back(inbox: &mut Inbox) -> Vec<String> {
    let requests = inbox.take_inbox_requests().into_iter();
    let ids = requests.filter_map(|wish| match wish {
        InboxRequest::Undo(id) => Some(id.to_string()),
        InboxRequest::SendReply(..)
        | InboxRequest::SaveDraft(..)
        | InboxRequest::StopDeadline(_)
        | InboxRequest::Prompt(..)
        | InboxRequest::Snooze(..)
        | InboxRequest::FetchInquiry(_) => None,
    });
    ids.collect()
}

/// All that was declined with one key comes back with one key, and what was sent before it with the
/// next, each while its time lasts.
#[test]
fn what_was_sent_together_is_taken_back_together() {
    let mut inbox = inbox();
    for (id, minute) in [("a", 1), ("b", 2), ("c", 3), ("d", 4)] {
        add(&mut inbox, single(id, minute));
    }
    let keys = |keys: &str| keys.chars().map(Key::char).collect::<Vec<_>>();
    press(&mut inbox, &keys("dy"), 10);
    set_held(&mut inbox, single("a", 1), 20);
    press(&mut inbox, &keys("xxdy"), 11);
    set_held(&mut inbox, single("b", 2), 17);
    set_held(&mut inbox, single("c", 3), 17);
    let line = shown(&inbox);
    assert!(line.contains(" (2) — u: undo (5 s)"), "{line}");
    inbox.take_inbox_requests();
    press(&mut inbox, &keys("u"), 14);
    assert_eq!(taken_back(&mut inbox), ["b", "c"]);
    press(&mut inbox, &keys("u"), 15);
    assert_eq!(taken_back(&mut inbox), ["a"]);
    press(&mut inbox, &keys("u"), 16);
    assert!(taken_back(&mut inbox).is_empty());
}

#[test]
fn undo_before_any_answer_says_that_there_is_nothing_to_undo() {
    let mut inbox = inbox();
    add(&mut inbox, single("a", 1));
    press(&mut inbox, &[Key::char('u')], 10);
    let shown = shown(&inbox);
    assert!(shown.contains("There is nothing to undo"), "{shown}");
    assert_eq!(inbox.take_inbox_requests(), []);
}

/// A second `y` on a confirmation does not answer the yes/no question that has the focus.
#[test]
fn second_key_after_a_confirmation_answers_nothing() {
    for gap in [50, 150, 300] {
        let mut inbox = inbox();
        let deploy =
            json!({"question": "Deploy now?", "header": "Deploy", "options": ["Yes", "No"]});
        add(&mut inbox, single("a", 1));
        add(&mut inbox, asked("b", 2, &deploy));
        press(&mut inbox, &[Key::char('x'), Key::char('d')], 10);
        let mut now = Duration::from_secs(12);
        for _ in 0..2 {
            inbox.handle(&InputEvent::Key(Key::char('y')), now);
            inbox.on_painted(now);
            now += Duration::from_millis(gap);
        }
        inbox.tick(now + Duration::from_secs(1));
        let requests = inbox.take_inbox_requests();
        assert!(
            matches!(requests.as_slice(), [InboxRequest::SendReply(target, InquiryReply::Decline)] if target.id.as_str() == "a"),
            "{gap}: {requests:?}"
        );
    }
}

/// A notice, such as that another question expired, does not hide that the last reply can be undone.
#[test]
fn notice_and_undo_are_both_shown() {
    let mut inbox = inbox();
    for (id, minute) in [("a", 1), ("b", 2), ("c", 3)] {
        add(&mut inbox, single(id, minute));
    }
    press(&mut inbox, &[Key::char('d'), Key::char('y')], 10);
    set_held(&mut inbox, single("a", 1), 16);
    let mut expired = single("c", 3);
    expired.outcome = serde_json::from_value(json!({"type": "expired"})).ok();
    expired.status = "expired".into();
    inbox.handle_event(now(later(expired)));
    let screen = shown(&inbox);
    let last: Vec<&str> = screen.lines().rev().take(3).collect();
    assert!(last[2].contains("Name c"), "{screen}");
    assert!(
        last[1].contains("Name a") && last[1].contains("u: undo (6 s)"),
        "{screen}"
    );
    assert!(last[0].contains("q quit"), "{screen}");
}

/// Whichever says first that an answer is held, the feed, the reply to the request or a list after a reconnect, offers to
/// undo it, and says so once.
#[test]
fn answer_can_be_undone_whoever_says_that_it_is_held() {
    let mut inbox = inbox();
    add(&mut inbox, single("a", 1));
    press(&mut inbox, &[Key::char('2')], 10);
    assert!(!shown(&inbox).contains("undo"), "{}", shown(&inbox));
    set_held(&mut inbox, single("a", 1), 20);
    assert!(shown(&inbox).contains("u: undo"), "{}", shown(&inbox));
    press(&mut inbox, &[Key::char('u')], 12);
    assert_eq!(taken_back(&mut inbox), ["a"]);
    set_held(&mut inbox, single("a", 1), 20);
    assert!(!shown(&inbox).contains("u: undo"), "{}", shown(&inbox));
}
