//! Keys in the list answer only what is shown whole.

use super::*;

/// A digit answers the focused question, and the next has the focus at once, but no key answers it
/// before it can have been seen.
#[test]
fn digit_answers_and_the_guard_closes_for_the_next() {
    let mut inbox = inbox();
    add(&mut inbox, single("a", 1));
    add(&mut inbox, single("b", 2));
    inbox.handle(&InputEvent::Key(Key::char('1')), Duration::from_millis(100));
    assert_eq!(inbox.take_inbox_requests(), []);
    press(&mut inbox, &[Key::char('2')], 10);
    let requests = inbox.take_inbox_requests();
    let [InboxRequest::SendReply(target, InquiryReply::Answer(answers))] = requests.as_slice()
    else {
        panic!("{requests:?}");
    };
    assert_eq!((target.id.as_str(), target.revision), ("a", 3));
    assert!(answers.to_json().to_string().contains("Second"));
    assert_eq!(names(&inbox), ["b"]);
    press(&mut inbox, &[Key::char('1')], 10);
    assert_eq!(
        inbox.take_inbox_requests(),
        [],
        "a second digit is not for the next one"
    );
    assert!(shown(&inbox).contains("Too soon: key ignored"));
    press(&mut inbox, &[Key::char('1')], 20);
    assert!(
        matches!(inbox.take_inbox_requests().as_slice(), [InboxRequest::SendReply(target, InquiryReply::Answer(_))] if target.id.as_str() == "b")
    );
    assert!(shown(&inbox).contains("No questions waiting"));
}

/// The digit of Other opens its field; one that takes several answers is not answered by a digit.
#[test]
fn digits_never_answer_by_halves() {
    let mut inbox = inbox();
    add(&mut inbox, single("a", 1));
    press(&mut inbox, &[Key::char('3')], 10);
    assert!(
        shown(&inbox).contains("Please specify"),
        "{}",
        shown(&inbox)
    );
    press(
        &mut inbox,
        &[Key::plain(KeyCode::Esc), Key::plain(KeyCode::Esc)],
        20,
    );
    assert!(
        inbox
            .take_inbox_requests()
            .iter()
            .all(|wish| matches!(wish, InboxRequest::SaveDraft(..)))
    );
    assert_eq!(names(&inbox), ["a"], "kept open");
    let several = json!({"question": "Which?", "header": "Name s", "multiSelect": true,
        "options": ["First", "Second"]});
    add(&mut inbox, asked("s", 0, &several));
    press(&mut inbox, &[Key::char('k'), Key::char('1')], 30);
    assert_eq!(inbox.take_inbox_requests(), []);
    assert!(shown(&inbox).contains("Press enter to open this question"));
}

/// `y` and `n` answer a question of yes or no from the list, once no letter has followed.
#[test]
fn yes_and_no_answer_from_the_list() {
    for (key, answer) in [('y', "yes"), ('n', "no"), ('N', "no")] {
        let mut inbox = inbox();
        add(&mut inbox, confirm("d"));
        press(&mut inbox, &[Key::char(key)], 10);
        assert_eq!(inbox.take_inbox_requests(), [], "{key}");
        assert!(shown(&inbox).contains("●"), "{}", shown(&inbox));
        tick(&mut inbox);
        assert_eq!(sent(&mut inbox), json!([answer]));
        add(&mut inbox, single("a", 2));
        press(&mut inbox, &[Key::char(key)], 20);
        assert_eq!(inbox.next_tick(Duration::from_secs(20)), None);
        assert_eq!(
            inbox.take_inbox_requests(),
            [],
            "it is no question of yes or no"
        );
    }
}

/// A word in the list that starts with such a letter opens its question and answers nothing.
#[test]
fn word_in_the_list_answers_nothing() {
    for word in ["not yet", "never", "yesterday"] {
        let mut inbox = inbox();
        add(&mut inbox, confirm("d"));
        type_word(&mut inbox, word);
        let mut requests = inbox.take_inbox_requests().into_iter();
        let is_draft = |request| matches!(request, InboxRequest::SaveDraft(..));
        assert!(requests.all(is_draft), "{word}");
        let wanted = format!("{word}: answer Yes or No");
        assert!(shown(&inbox).contains(&wanted), "{}", shown(&inbox));
    }
    let mut inbox = inbox();
    add(&mut inbox, confirm("d"));
    type_word(&mut inbox, "no");
    inbox.take_inbox_requests();
    inbox.handle(
        &InputEvent::Key(Key::plain(KeyCode::Enter)),
        Duration::from_secs(11),
    );
    assert_eq!(sent(&mut inbox), json!(["no"]));
}

/// A paste into the list answers nothing, and the list says what to do.
#[test]
fn paste_into_the_list_is_refused_with_a_notice() {
    let mut inbox = inbox();
    add(&mut inbox, confirm("d"));
    let paste = InputEvent::Paste("not yet\n".to_owned());
    inbox.handle(&paste, Duration::from_secs(10));
    assert_eq!(inbox.take_inbox_requests(), []);
    let wanted = "Press enter to open this question";
    assert!(shown(&inbox).contains(wanted), "{}", shown(&inbox));
}

/// Another key, or an answer from elsewhere, drops a letter that waits.
#[test]
fn waiting_letter_is_dropped() {
    let mut inbox = inbox();
    add(&mut inbox, confirm("d"));
    press(&mut inbox, &[Key::char('y'), Key::plain(KeyCode::Down)], 10);
    tick(&mut inbox);
    assert_eq!(inbox.take_inbox_requests(), []);
    press(&mut inbox, &[Key::char('y')], 20);
    let mut ended = confirm("d");
    ended.outcome = serde_json::from_value(json!({"type": "cancelled"})).ok();
    ended.status = "cancelled".into();
    inbox.handle_event(now(later(ended)));
    inbox.tick(Duration::from_secs(30));
    assert_eq!(inbox.take_inbox_requests(), []);
}

fn confirm(id: &str) -> InquiryResponse {
    let input = json!({"question": "Deploy?", "input_type": "confirm"});
    let parsed = Dialect::AskUser
        .parse(&input, ParseOptions::default())
        .expect("a question");
    let mut inquiry = single(id, 1);
    inquiry.questions = parsed.inquiry.questions().iter().map(Into::into).collect();
    inquiry
}

/// Types a word, as somebody does who types quickly.
fn type_word(inbox: &mut Inbox, word: &str) {
    let mut now = Duration::from_secs(10);
    for ch in word.chars() {
        inbox.handle(&InputEvent::Key(Key::char(ch)), now);
        inbox.on_painted(now);
        now += Duration::from_millis(120);
    }
}

/// Lets the time pass that the inbox wants to wait.
fn tick(inbox: &mut Inbox) {
    let now = inbox.list.now;
    if let Some(after) = inbox.next_tick(now) {
        inbox.tick(now + after);
    }
}

/// The values of the only reply.
fn sent(inbox: &mut Inbox) -> Value {
    let requests = inbox.take_inbox_requests();
    let [InboxRequest::SendReply(_, InquiryReply::Answer(answers))] = requests.as_slice() else {
        panic!("{requests:?}");
    };
    answers.to_json()["q1"]["values"].clone()
}

/// A question that cannot be read whole on the list is not answered from there; the key opens it.
#[test]
fn question_that_is_cut_off_is_opened_instead_of_answered() {
    let long = format!(
        "Shall I {}delete them all?",
        "look at the list and ".repeat(90)
    );
    let question = json!({"question": long, "header": "Name d", "options": ["Yes", "No"]});
    let short = json!({"question": "Deploy?", "header": "Name d", "options": ["Yes", "No"]});
    for (question, columns, rows) in [(&question, 80, 24), (&question, 120, 12), (&short, 15, 4)] {
        for key in ['y', 'n', '1'] {
            let mut inbox = inbox();
            inbox.resize(Size { columns, rows });
            add(&mut inbox, asked("d", 1, question));
            press(&mut inbox, &[Key::char(key)], 10);
            assert_eq!(inbox.take_inbox_requests(), [], "{key} at {columns}x{rows}");
            let is_open = matches!(inbox.overlay, Some(crate::inbox::Overlay::Prompt(..)));
            assert!(is_open, "{key} at {columns}x{rows}");
        }
    }
}

/// Enter that opens a question and is held down chooses nothing in it.
#[test]
fn held_enter_opens_and_answers_nothing() {
    let mut inbox = inbox();
    add(&mut inbox, single("a", 1));
    let enter = InputEvent::Key(Key::plain(KeyCode::Enter));
    let mut now = Duration::from_secs(10);
    inbox.handle(&enter, now);
    inbox.on_painted(now);
    now += Duration::from_millis(500);
    for _ in 0..100 {
        inbox.handle(&enter, now);
        inbox.on_painted(now);
        now += Duration::from_millis(33);
    }
    assert_eq!(inbox.take_inbox_requests(), []);
}

/// What was refused comes back, with the reason.
#[test]
fn refused_answer_comes_back() {
    let mut inbox = inbox();
    add(&mut inbox, single("a", 1));
    press(&mut inbox, &[Key::char('1')], 10);
    assert_eq!(names(&inbox), Vec::<String>::new());
    let id = askback_core::id::InquiryId::new("a");
    inbox.handle_event(InboxEvent::ReplyRefused(id, "It was changed".to_owned()));
    assert_eq!(names(&inbox), ["a"]);
    assert!(shown(&inbox).contains("It was changed"));
}

/// Esc, however often, neither answers nor leaves.
#[test]
fn esc_never_resolves() {
    let mut inbox = inbox();
    add(&mut inbox, single("a", 1));
    for round in 1..=5 {
        press(&mut inbox, &[Key::plain(KeyCode::Enter)], 10 * round);
        press(&mut inbox, &[Key::plain(KeyCode::Esc); 3], 10 * round + 2);
        assert!(
            shown(&inbox).contains(">   builder • Name a"),
            "{}",
            shown(&inbox)
        );
    }
    assert_eq!(
        (inbox.take_inbox_requests(), inbox.take_requests()),
        (vec![], vec![])
    );
    press(
        &mut inbox,
        &[Key::plain(KeyCode::Enter), Key::ctrl('c')],
        70,
    );
    assert_eq!(
        inbox.take_requests(),
        [],
        "ctrl+c leaves the question first"
    );
    press(&mut inbox, &[Key::char('q')], 80);
    assert_eq!(inbox.take_requests(), [ScreenRequest::Exit(0)]);
}

/// The list shows choices, so a digit chooses one, also if the draft has left the field of
/// Other open. The list says that there is a draft.
#[test]
fn digit_chooses_although_the_draft_has_an_open_field() {
    let mut inbox = inbox();
    add(&mut inbox, single("a", 1));
    let open = [Key::plain(KeyCode::Enter), Key::char('o')];
    press(&mut inbox, &open, 10);
    press(&mut inbox, &[Key::char('x')], 12);
    let draft = inbox
        .take_inbox_requests()
        .into_iter()
        .find_map(|request| match request {
            InboxRequest::SaveDraft(_, _, draft) if draft.has_content() => Some(draft),
            InboxRequest::SendReply(..)
            | InboxRequest::SaveDraft(..)
            | InboxRequest::StopDeadline(_)
            | InboxRequest::Prompt(..)
            | InboxRequest::Undo(_)
            | InboxRequest::Snooze(..)
            | InboxRequest::FetchInquiry(_) => None,
        });
    let mut inbox = super::inbox();
    inbox.handle_event(InboxEvent::Inquiry(Box::new(InquiryUpdate {
        draft,
        ..update(single("a", 1))
    })));
    inbox.on_painted(Duration::ZERO);
    assert!(
        shown(&inbox).contains("Name a  Which one?  draft"),
        "{}",
        shown(&inbox)
    );
    press(&mut inbox, &[Key::char('1')], 20);
    let requests = inbox.take_inbox_requests();
    let [InboxRequest::SendReply(_, InquiryReply::Answer(answers))] = requests.as_slice() else {
        panic!("{requests:?}");
    };
    assert!(answers.to_json().to_string().contains("First"));
}
