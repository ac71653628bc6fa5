//! The inbox: in order, live, and no key answers what could not be seen.

use std::time::Duration;

use askback_core::dialect::{Dialect, ParseOptions};
use askback_locale::Locale;
use askback_wire::inquiry::InquiryResponse;
use askback_wire::question::QuestionResponse;
use serde_json::{Value, json};

use super::{Inbox, InboxConfig, InboxEvent, InboxRequest};
use crate::reply::Reply;
use askback_terminal::app::{Screen as _, ScreenRequest};
use askback_terminal::glyphs::Glyphs;
use askback_terminal::key::{InputEvent, Key, KeyCode};
use askback_terminal::row::{Row, ScreenBuffer, Size};

fn inbox() -> Inbox {
    let mut inbox = Inbox::new(InboxConfig {
        locale: Locale::choose(&["en"]),
        glyphs: Glyphs::LINES,
        today: jiff::civil::date(2027, 3, 1),
        typeahead_window: crate::TYPEAHEAD_WINDOW,
        keymap: crate::keymap::Keymap::default(),
        border: crate::prompt::Border::Rail,
    });
    inbox.resize(Size {
        columns: 80,
        rows: 24,
    });
    inbox
}

/// A question with these options, asked at this minute.
fn asked(id: &str, minute: u32, question: &Value) -> InquiryResponse {
    let input = json!({ "questions": [question] });
    let parsed = Dialect::AskUserQuestion
        .parse(&input, ParseOptions::default())
        .expect("a question");
    let questions = parsed.inquiry.questions().iter();
    let questions: Vec<QuestionResponse> = questions.map(Into::into).collect();
    serde_json::from_value(json!({
        "id": id, "conversation_id": format!("cnv_{id}"), "status": "pending", "revision": 3,
        "dialect": "ask_user_question", "asked_at": format!("2027-03-01T00:{minute:02}:00Z"),
        "source": "builder", "questions": questions,
    }))
    .expect("an inquiry")
}

pub(super) fn single(id: &str, minute: u32) -> InquiryResponse {
    let header = format!("Name {id}");
    asked(
        id,
        minute,
        &json!({"question": "Which one?", "header": header, "options": ["First", "Second"]}),
    )
}

fn add(inbox: &mut Inbox, inquiry: InquiryResponse) {
    inbox.handle_event(InboxEvent::Asked(Box::new(inquiry), None, None));
    inbox.painted(Duration::ZERO);
}

/// Presses keys as somebody does who looks at what each of them leads to.
fn press(inbox: &mut Inbox, keys: &[Key], seconds: u64) {
    let mut now = Duration::from_secs(seconds);
    for key in keys {
        inbox.handle(&InputEvent::Key(*key), now);
        inbox.painted(now);
        now += Duration::from_millis(400);
    }
}

fn shown(inbox: &Inbox) -> String {
    let frame = inbox.view();
    assert_eq!(frame.buffer, ScreenBuffer::Alternate);
    let rows: Vec<String> = frame.rows.iter().map(Row::text).collect();
    rows.join("\n")
}

/// The names in the order of the list.
fn names(inbox: &Inbox) -> Vec<String> {
    let all = shown(inbox);
    let found = all.lines().filter_map(|line| line.split("Name ").nth(1));
    found
        .filter_map(|rest| rest.split(' ').next())
        .map(str::to_owned)
        .collect()
}

/// X06: by deadline, then by age, whatever order they come in.
#[test]
fn list_is_ordered_by_deadline_then_age() {
    let mut inbox = inbox();
    add(&mut inbox, single("young", 9));
    add(&mut inbox, single("old", 1));
    let mut late = single("late", 5);
    late.expires_at = "2027-03-01T09:00:00Z".parse().ok();
    add(&mut inbox, late);
    let mut soon = single("soon", 6);
    soon.expires_at = "2027-03-01T08:00:00Z".parse().ok();
    add(&mut inbox, soon);
    assert_eq!(names(&inbox), ["soon", "late", "old", "young"]);
    assert!(shown(&inbox).contains("4 questions waiting"));
}

/// A digit answers the focused question, and the next has the focus at once, but no key answers it
/// before it can have been seen (T13).
#[test]
fn digit_answers_and_the_next_is_armed_anew() {
    let mut inbox = inbox();
    add(&mut inbox, single("a", 1));
    add(&mut inbox, single("b", 2));
    inbox.handle(&InputEvent::Key(Key::char('1')), Duration::from_millis(100));
    assert_eq!(inbox.requests(), []);
    press(&mut inbox, &[Key::char('2')], 10);
    let requests = inbox.requests();
    let [InboxRequest::SendReply(target, Reply::Answer(answers))] = requests.as_slice() else {
        panic!("{requests:?}");
    };
    assert_eq!((target.id.as_str(), target.revision), ("a", 3));
    assert!(answers.to_json().to_string().contains("Second"));
    assert_eq!(names(&inbox), ["b"]);
    press(&mut inbox, &[Key::char('1')], 10);
    assert_eq!(
        inbox.requests(),
        [],
        "a second digit is not for the next one"
    );
    assert!(shown(&inbox).contains("Too soon: key ignored"));
    press(&mut inbox, &[Key::char('1')], 20);
    assert!(
        matches!(inbox.requests().as_slice(), [InboxRequest::SendReply(target, Reply::Answer(_))] if target.id.as_str() == "b")
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
            .requests()
            .iter()
            .all(|wish| matches!(wish, InboxRequest::SaveDraft(..)))
    );
    assert_eq!(names(&inbox), ["a"], "kept open");
    let several = json!({"question": "Which?", "header": "Name s", "multiSelect": true,
        "options": ["First", "Second"]});
    add(&mut inbox, asked("s", 0, &several));
    press(&mut inbox, &[Key::char('k'), Key::char('1')], 30);
    assert_eq!(inbox.requests(), []);
    assert!(shown(&inbox).contains("Press enter to open this question"));
}

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
    assert_eq!(inbox.requests(), []);
    press(
        &mut inbox,
        &[Key::char('x'), Key::char('x'), Key::char('d')],
        12,
    );
    let asks = shown(&inbox);
    assert!(asks.contains("2 marked") && asks.contains("(2)"), "{asks}");
    assert!(asks.contains("Name a, Name b"), "all are named: {asks}");
    press(&mut inbox, &[Key::char('y')], 14);
    let requests = inbox.requests();
    let [
        InboxRequest::SendReply(a, Reply::Decline),
        InboxRequest::SendReply(b, Reply::Decline),
    ] = requests.as_slice()
    else {
        panic!("{requests:?}");
    };
    assert_eq!((a.id.as_str(), b.id.as_str()), ("a", "b"));
    assert_eq!(names(&inbox), ["c"]);
    press(&mut inbox, &[Key::char('r'), Key::char('y')], 20);
    assert!(
        matches!(inbox.requests().as_slice(), [InboxRequest::SendReply(target, Reply::Reject)] if target.id.as_str() == "c")
    );
}

/// T14: esc, however often, neither answers nor leaves.
#[test]
fn esc_never_resolves() {
    let mut inbox = inbox();
    add(&mut inbox, single("a", 1));
    for round in 1..=5 {
        press(&mut inbox, &[Key::plain(KeyCode::Enter)], 10 * round);
        press(&mut inbox, &[Key::plain(KeyCode::Esc); 3], 10 * round + 2);
        assert!(shown(&inbox).contains(">   Name a"), "{}", shown(&inbox));
    }
    assert_eq!((inbox.requests(), inbox.take_requests()), (vec![], vec![]));
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

/// Somebody answers a question in the browser.
fn ends_elsewhere(inbox: &mut Inbox, id: &str, minute: u32) {
    let mut ended = single(id, minute);
    let outcome = json!({"type": "answered", "answers": [
        {"question": "q1", "given": "chosen", "values": ["First"]}]});
    ended.outcome = serde_json::from_value(outcome).ok();
    ended.surface = Some("web".into());
    ended.answered_by = Some("ana".to_owned());
    inbox.handle_event(InboxEvent::Resolved(Box::new(ended)));
}

/// T33: a question that ends elsewhere and nobody looks at goes, and the line says who ended it.
#[test]
fn question_that_ends_elsewhere_goes() {
    let mut inbox = inbox();
    add(&mut inbox, single("a", 1));
    add(&mut inbox, single("b", 2));
    ends_elsewhere(&mut inbox, "b", 2);
    assert_eq!(names(&inbox)[0], "a");
    assert!(shown(&inbox).contains("✔ Name b: First — answered by ana in the browser"));
}

/// F-W-3, A4: the focused question stays where it is when it ends elsewhere, and no key meant for it
/// reaches the next one.
#[test]
fn focused_question_that_ends_elsewhere_stays_until_the_user_moves_on() {
    let mut inbox = inbox();
    add(&mut inbox, single("a", 1));
    add(&mut inbox, single("b", 2));
    ends_elsewhere(&mut inbox, "a", 1);
    inbox.painted(Duration::from_secs(5));
    let list = shown(&inbox);
    assert!(list.contains(">   Name a"), "{list}");
    assert!(list.contains("answered by ana in the browser"), "{list}");
    assert!(list.contains("1 question waiting"), "{list}");
    for (key, seconds) in "12y3sdrx".chars().zip(10..) {
        press(&mut inbox, &[Key::char(key)], seconds);
        assert_eq!(inbox.requests(), [], "{key}");
        assert!(shown(&inbox).contains(">   Name a"), "{key}");
    }
    press(&mut inbox, &[Key::plain(KeyCode::Enter)], 30);
    assert!(shown(&inbox).contains(">   Name b"), "{}", shown(&inbox));
    assert_eq!(names(&inbox), ["b"]);
}

/// F-T-17, A10: whoever was typing sees who was faster and keeps the text; nothing they go on typing
/// reaches another question.
#[test]
fn open_question_that_ends_elsewhere_keeps_the_text() {
    let mut inbox = inbox();
    add(&mut inbox, single("a", 1));
    add(&mut inbox, single("b", 2));
    press(
        &mut inbox,
        &[Key::plain(KeyCode::Enter), Key::char('o')],
        10,
    );
    let text: Vec<Key> = "third".chars().map(Key::char).collect();
    press(&mut inbox, &text, 12);
    inbox.requests();
    ends_elsewhere(&mut inbox, "a", 1);
    inbox.painted(Duration::from_secs(16));
    let more: Vec<Key> = "r1y quick".chars().map(Key::char).collect();
    press(&mut inbox, &more, 17);
    let screen = shown(&inbox);
    assert!(
        screen.contains("answered by ana in the browser"),
        "{screen}"
    );
    assert!(screen.contains("Not sent: third"), "{screen}");
    assert_eq!((inbox.requests(), inbox.take_requests()), (vec![], vec![]));
    press(&mut inbox, &[Key::plain(KeyCode::Enter)], 30);
    assert!(shown(&inbox).contains(">   Name a"), "{}", shown(&inbox));
    assert_eq!(inbox.requests(), []);
}

/// F-T-1: `y` and `n` answer a question of yes or no from the list.
#[test]
fn yes_and_no_answer_from_the_list() {
    for (key, answer) in [('y', "Yes"), ('n', "No"), ('N', "No")] {
        let mut inbox = inbox();
        let question = json!({"question": "Deploy?", "header": "Name d", "options": ["Yes", "No"]});
        add(&mut inbox, asked("d", 1, &question));
        press(&mut inbox, &[Key::char(key)], 10);
        let requests = inbox.requests();
        let [InboxRequest::SendReply(_, Reply::Answer(answers))] = requests.as_slice() else {
            panic!("{key}: {requests:?}");
        };
        assert_eq!(answers.to_json()["q1"]["values"], json!([answer]));
        add(&mut inbox, single("a", 2));
        press(&mut inbox, &[Key::char(key)], 20);
        assert_eq!(inbox.requests(), [], "it is no question of yes or no");
    }
}

/// A1: a question that cannot be read whole on the list is not answered from there; the key opens it.
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
            assert_eq!(inbox.requests(), [], "{key} at {columns}x{rows}");
            let is_open = matches!(inbox.over, Some(super::Overlay::Prompt(..)));
            assert!(is_open, "{key} at {columns}x{rows}");
        }
    }
}

/// A9: of many questions as many are named as fit, and how many more there are.
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

/// F-T-2: what ends a question is not confirmed by what was typed before it was asked for.
#[test]
fn confirmation_is_seen_before_it_is_given() {
    let mut inbox = inbox();
    add(&mut inbox, single("a", 1));
    press(&mut inbox, &[Key::char('r')], 10);
    let soon = Duration::from_millis(10_100);
    inbox.handle(&InputEvent::Key(Key::char('y')), soon);
    assert_eq!(inbox.requests(), []);
    assert!(shown(&inbox).contains("Too soon"), "{}", shown(&inbox));
    press(&mut inbox, &[Key::char('y')], 12);
    assert!(matches!(
        inbox.requests().as_slice(),
        [InboxRequest::SendReply(_, Reply::Reject)]
    ));
}

/// L-P17: enter that opens a question and is held down chooses nothing in it.
#[test]
fn held_enter_opens_and_answers_nothing() {
    let mut inbox = inbox();
    add(&mut inbox, single("a", 1));
    let enter = InputEvent::Key(Key::plain(KeyCode::Enter));
    let mut now = Duration::from_secs(10);
    inbox.handle(&enter, now);
    inbox.painted(now);
    now += Duration::from_millis(500);
    for _ in 0..100 {
        inbox.handle(&enter, now);
        inbox.painted(now);
        now += Duration::from_millis(33);
    }
    assert_eq!(inbox.requests(), []);
}

/// What was refused comes back, with the reason.
#[test]
fn refused_answer_comes_back() {
    let mut inbox = inbox();
    add(&mut inbox, single("a", 1));
    press(&mut inbox, &[Key::char('1')], 10);
    assert_eq!(names(&inbox), Vec::<String>::new());
    let id = askback_core::id::InquiryId::new("a");
    inbox.handle_event(InboxEvent::ReplyRejected(id, "It was changed".to_owned()));
    assert_eq!(names(&inbox), ["a"]);
    assert!(shown(&inbox).contains("It was changed"));
}

/// T02: no row is wider than the terminal and none below it; the question stands beside the list
/// where there is room.
#[test]
fn every_size_is_filled_and_not_exceeded() {
    for (columns, rows) in [(120, 40), (100, 24), (80, 24), (60, 20), (40, 10), (20, 6)] {
        let mut inbox = inbox();
        inbox.resize(Size { columns, rows });
        let fits = |inbox: &Inbox, what: &str| {
            let frame = inbox.view();
            assert_eq!(frame.rows.len(), rows, "{what}");
            assert!(frame.cursor.row < rows, "{what}");
            for row in &frame.rows {
                assert!(
                    row.width() <= columns,
                    "{what} at {columns}: {:?}",
                    row.text()
                );
            }
        };
        fits(&inbox, "empty");
        let long = "long words ".repeat(30);
        for minute in 0..12 {
            let question = json!({"question": long, "header": format!("Name {minute}"),
                "options": ["First of a few", "日本語の長い選択肢です", "Third"]});
            add(
                &mut inbox,
                asked(&format!("inq_{minute}"), minute, &question),
            );
        }
        for _ in 0..12 {
            fits(&inbox, "list");
            let focused = shown(&inbox)
                .lines()
                .filter(|line| line.starts_with("> "))
                .count();
            assert_eq!(
                focused, 1,
                "the focused question is in view at {columns}x{rows}"
            );
            press(&mut inbox, &[Key::char('j')], 10);
        }
        press(&mut inbox, &[Key::char('?')], 10);
        fits(&inbox, "help");
        press(&mut inbox, &[Key::char('q'), Key::char('r')], 10);
        fits(&inbox, "confirmation");
        press(
            &mut inbox,
            &[Key::char('n'), Key::plain(KeyCode::Enter)],
            10,
        );
        fits(&inbox, "question");
    }
}

/// What ended before the feed stood is let go when the list is read again; what is being sent is not.
#[test]
fn list_that_is_read_again_lets_go_of_what_ended() {
    let mut inbox = inbox();
    for (minute, id) in (1..).zip(["a", "b", "c"]) {
        add(&mut inbox, single(id, minute));
    }
    press(&mut inbox, &[Key::char('1')], 10);
    press(&mut inbox, &[Key::plain(KeyCode::Enter)], 20);
    assert!(shown(&inbox).contains("Which one?"));
    let listed = [askback_core::id::InquiryId::new("c")];
    inbox.handle_event(InboxEvent::PendingIds(listed.into_iter().collect()));
    assert!(shown(&inbox).contains("This question is no longer open"));
    let asks = inbox.requests();
    assert!(
        asks.iter()
            .any(|wish| matches!(wish, InboxRequest::FetchInquiry(id) if id.as_str() == "b")),
        "{asks:?}"
    );
    ends_elsewhere(&mut inbox, "b", 2);
    let told = shown(&inbox);
    assert!(told.contains("answered by ana in the browser"), "{told}");
    inbox.painted(Duration::from_secs(25));
    press(&mut inbox, &[Key::plain(KeyCode::Enter)], 30);
    press(&mut inbox, &[Key::plain(KeyCode::Enter)], 40);
    assert_eq!(names(&inbox), ["c"]);
    let mut over = single("a", 1);
    over.surface = Some("terminal".into());
    over.status = "answered".into();
    inbox.handle_event(InboxEvent::Resolved(Box::new(over)));
    assert!(shown(&inbox).contains("Name a"), "the sent one is told of");
}

/// T10: keys of the configuration work in the list and in the question, and are shown.
#[test]
fn bound_keys_work_and_show() {
    use crate::keymap::KeySection;
    let mut inbox = inbox();
    let keymap = &mut inbox.config.keymap;
    keymap
        .bind(KeySection::Inbox, "mark", &["m"])
        .expect("known");
    keymap
        .bind(KeySection::Inbox, "leave", &["Q"])
        .expect("known");
    keymap
        .bind(KeySection::Question, "note", &["w"])
        .expect("known");
    add(&mut inbox, single("a", 1));
    press(&mut inbox, &[Key::char('x'), Key::char('q')], 10);
    assert!(!shown(&inbox).contains("1 marked") && inbox.take_requests().is_empty());
    press(&mut inbox, &[Key::char('m')], 12);
    let list = shown(&inbox);
    assert!(
        list.contains("1 marked") && list.contains("Q quit"),
        "{list}"
    );
    press(&mut inbox, &[Key::char('?')], 13);
    let help = shown(&inbox);
    let row = |keys: &str, words: &str| {
        let mut lines = help.lines();
        lines.any(|line| line.trim_start().starts_with(keys) && line.ends_with(words))
    };
    assert!(row("m ", " mark") && row("Q ctrl+c ", " quit"), "{help}");
    assert!(row("enter o ", " open") && row("1-9 ", " answer"), "{help}");
    press(
        &mut inbox,
        &[Key::plain(KeyCode::Esc), Key::plain(KeyCode::Enter)],
        14,
    );
    assert!(shown(&inbox).contains("w note"), "{}", shown(&inbox));
}

/// A click moves the focus, a click on what has it opens the question, and clicks in it choose.
#[test]
fn clicks_focus_open_and_choose() {
    for columns in [80, 110] {
        let mut inbox = inbox();
        inbox.resize(Size { columns, rows: 24 });
        add(&mut inbox, single("a", 1));
        add(&mut inbox, single("b", 2));
        let click = |inbox: &mut Inbox, text: &str, seconds: u64| {
            let all = shown(inbox);
            let row = all.lines().position(|line| line.contains(text));
            let row = row.unwrap_or_else(|| panic!("{text} is not in\n{all}"));
            let at = askback_terminal::row::Cursor { row, column: 12 };
            inbox.handle(&InputEvent::Click(at), Duration::from_secs(seconds));
            inbox.painted(Duration::from_secs(seconds));
        };
        click(&mut inbox, "Name b", 10);
        assert!(shown(&inbox).contains(">   Name b"), "{}", shown(&inbox));
        click(&mut inbox, "Name b", 20);
        assert!(shown(&inbox).contains("enter select"), "{}", shown(&inbox));
        click(&mut inbox, "Second", 30);
        click(&mut inbox, "Second", 40);
        let requests = format!("{:?}", inbox.requests());
        assert!(
            requests.contains("Answer") && requests.contains("Second"),
            "{requests}"
        );
    }
}

/// A reply of this kind to a question is kept from its agent until then.
fn hold(inbox: &mut Inbox, mut inquiry: InquiryResponse, until: u64) {
    let held = json!({"until": "2027-03-01T00:00:05Z", "at": "2027-03-01T00:00:00Z",
        "outcome": {"type": "declined"}, "surface": "tui"});
    inquiry.held = Some(serde_json::from_value(held).expect("a held reply"));
    inbox.handle_event(InboxEvent::ReplyHeld(
        Box::new(inquiry),
        Duration::from_secs(until),
    ));
}

fn taken_back(inbox: &mut Inbox) -> Vec<String> {
    let requests = inbox.requests().into_iter();
    let ids = requests.filter_map(|wish| match wish {
        InboxRequest::Undo(id) => Some(id.to_string()),
        InboxRequest::SendReply(..)
        | InboxRequest::SaveDraft(..)
        | InboxRequest::StopDeadline(_)
        | InboxRequest::CreateLink(_)
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
    hold(&mut inbox, single("a", 1), 20);
    press(&mut inbox, &keys("xxdy"), 11);
    hold(&mut inbox, single("b", 2), 17);
    hold(&mut inbox, single("c", 3), 17);
    let line = shown(&inbox);
    assert!(line.contains(" (2) — u: undo (5 s)"), "{line}");
    inbox.requests();
    press(&mut inbox, &keys("u"), 14);
    assert_eq!(taken_back(&mut inbox), ["b", "c"]);
    press(&mut inbox, &keys("u"), 15);
    assert_eq!(taken_back(&mut inbox), ["a"]);
    press(&mut inbox, &keys("u"), 16);
    assert!(taken_back(&mut inbox).is_empty());
}
