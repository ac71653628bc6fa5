//! The list: its order, its size, clicks and key bindings.

use askback_core::id::InquiryId;

use super::*;
use crate::deadline::Deadline;

/// By deadline, then by age, whatever order they come in.
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
    let asks = inbox.take_inbox_requests();
    assert!(
        asks.iter()
            .any(|wish| matches!(wish, InboxRequest::FetchInquiry(id) if id.as_str() == "b")),
        "{asks:?}"
    );
    ends_elsewhere(&mut inbox, "b", 2);
    let told = shown(&inbox);
    assert!(told.contains("answered by ana in the browser"), "{told}");
    inbox.on_painted(Duration::from_secs(25));
    press(&mut inbox, &[Key::plain(KeyCode::Enter)], 30);
    press(&mut inbox, &[Key::plain(KeyCode::Enter)], 40);
    assert_eq!(names(&inbox), ["c"]);
    let mut over = single("a", 1);
    over.surface = Some("terminal".into());
    over.status = "answered".into();
    inbox.handle_event(now(later(over)));
    assert!(shown(&inbox).contains("Name a"), "the sent one is told of");
}

/// A question of the list has no leave menu, so its help names none.
#[test]
fn help_of_an_open_question_says_that_esc_goes_back() {
    let mut inbox = inbox();
    inbox.resize(Size {
        columns: 80,
        rows: 40,
    });
    add(&mut inbox, single("a", 1));
    press(&mut inbox, &[Key::plain(KeyCode::Enter)], 10);
    press(&mut inbox, &[Key::char('?')], 20);
    let help = shown(&inbox);
    let row = help.lines().find(|row| row.contains(" esc "));
    let words = row.and_then(|row| row.split("esc").nth(1)).map(str::trim);
    assert_eq!(words, Some("back"), "{help}");
    press(&mut inbox, &[Key::plain(KeyCode::Esc); 2], 30);
    assert_eq!(names(&inbox), ["a"]);
}

/// The list shows what the agent recommends, as the prompt does.
#[test]
fn recommended_choice_is_marked() {
    let mut inbox = inbox();
    let question = json!({"question": "Which one?", "options": ["First (Recommended)", "Second"]});
    add(&mut inbox, asked("a", 1, &question));
    let text = shown(&inbox);
    assert!(text.contains("First (Recommended)"), "{text}");
}

/// No row is wider than the terminal and none below it; the question stands beside the list
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

/// While nothing waits, the inbox names the agents of this computer and what connects the others.
#[test]
fn empty_inbox_names_the_agents_of_this_computer() {
    let mut inbox = inbox();
    let text = shown(&inbox);
    assert!(text.contains("askback ask --durable --data D"), "{text}");
    assert!(!text.contains("computer"), "{text}");
    inbox.agents_ready = vec!["claude-code".to_owned()];
    inbox.agents_rest = vec!["codex".to_owned(), "gemini".to_owned()];
    let text = shown(&inbox);
    for part in [
        "Set up on this computer: claude-code. Tell an agent",
        "Connect the agents on this computer: askback install (codex, gemini)",
    ] {
        assert!(text.contains(part), "{text}");
    }
    add(&mut inbox, single("a", 1));
    assert!(!shown(&inbox).contains("computer"), "{}", shown(&inbox));
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
            inbox.on_painted(Duration::from_secs(seconds));
        };
        click(&mut inbox, "Name b", 10);
        assert!(
            shown(&inbox).contains(">   builder • Name b"),
            "{}",
            shown(&inbox)
        );
        click(&mut inbox, "Name b", 20);
        assert!(shown(&inbox).contains("enter select"), "{}", shown(&inbox));
        click(&mut inbox, "Second", 30);
        click(&mut inbox, "Second", 40);
        let requests = format!("{:?}", inbox.take_inbox_requests());
        assert!(
            requests.contains("Answer") && requests.contains("Second"),
            "{requests}"
        );
    }
}

/// Keys of the configuration work in the list and in the question, and are shown.
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

/// A question without a header is not repeated below its row, and the row says how many
/// questions there are.
#[test]
fn row_does_not_repeat_the_question() {
    let mut inbox = inbox();
    let question = json!({"question": "Which one?", "options": ["First", "Second"]});
    let mut two = asked("a", 1, &question);
    let mut second = asked("b", 1, &question).questions.remove(0);
    second.id = askback_core::question::QuestionId::at(1);
    two.questions.push(second);
    add(&mut inbox, two);
    let list = shown(&inbox);
    assert_eq!(list.matches("Which one?").count(), 1, "{list}");
    assert!(list.contains("builder • Which one?  2 questions"), "{list}");
    // A row that has no room for it shows the beginning, and the whole question is below.
    let long = format!("Which one{}?", " of them".repeat(15));
    let mut inbox = super::inbox();
    add(
        &mut inbox,
        asked(
            "a",
            1,
            &json!({"question": long, "options": ["First", "Second"]}),
        ),
    );
    let list = shown(&inbox);
    assert!(list.contains("of them?"), "{list}");
}

/// Esc in an opened question goes back to the list and sends nothing; what the opened question
/// cannot skip, the list cannot either.
#[test]
fn esc_goes_back_to_the_list() {
    let mut inbox = inbox();
    add(&mut inbox, single("a", 1));
    let key = |code| Key {
        code,
        ..Key::char('x')
    };
    press(&mut inbox, &[key(KeyCode::Enter)], 10);
    let opened = shown(&inbox);
    press(&mut inbox, &[key(KeyCode::Esc)], 20);
    let list = shown(&inbox);
    assert!(!list.contains("Let the agent decide"), "{list}");
    assert_eq!(names(&inbox), ["a"]);
    press(&mut inbox, &[Key::char('s')], 30);
    let sent = inbox.take_inbox_requests();
    let skips = sent
        .iter()
        .any(|request| matches!(request, InboxRequest::SendReply(..)));
    assert_eq!(skips, opened.contains("s skip"), "{opened}");
}

/// The footer offers to skip only what can be skipped.
#[test]
fn footer_offers_skip_for_optional_questions_only() {
    let offers = |skippable: bool| {
        let mut inbox = inbox();
        inbox.resize(Size {
            columns: 160,
            rows: 24,
        });
        let mut inquiry = single("a", 1);
        inquiry.questions[0].optional = skippable;
        add(&mut inbox, inquiry);
        shown(&inbox).contains("s skip")
    };
    assert!(!offers(false));
    assert!(offers(true));
}

/// What a background question assumes is marked as an assumption, apart from why it is asked.
#[test]
fn assumption_is_marked() {
    let mut inbox = inbox();
    let mut inquiry = single("a", 1);
    inquiry.questions[0].context = Some("Needed for the schema\nI go on with SQLite.".to_owned());
    inquiry.assumption = Some("I go on with SQLite.".to_owned());
    add(&mut inbox, inquiry);
    let marked = "Until you answer, the agent assumes: I go on with SQLite.";
    let list = shown(&inbox);
    assert!(
        list.contains(marked) && list.contains("Needed for the schema\n"),
        "{list}"
    );
    press(&mut inbox, &[Key::plain(KeyCode::Enter)], 10);
    let opened = shown(&inbox);
    assert!(opened.contains(marked), "{opened}");
    assert_eq!(
        opened.matches("I go on with SQLite.").count(),
        1,
        "{opened}"
    );
}

/// Whether the agent waits is shown in the list and in the open question, and follows what it does.
#[test]
fn question_says_that_its_agent_is_not_waiting() {
    let mut inbox = inbox();
    let mut inquiry = single("a", 1);
    let asker = serde_json::json!({"client": "claude-code", "session": "s", "detached": true});
    inquiry.asker = serde_json::from_value(asker).ok();
    add(&mut inbox, inquiry.clone());
    let detached = |detached| {
        let mut inquiry = inquiry.clone();
        if let Some(asker) = &mut inquiry.asker {
            asker.detached = detached;
        }
        now(inquiry)
    };
    let words = "The agent is not waiting right now.";
    assert!(shown(&inbox).contains(words), "{}", shown(&inbox));
    press(&mut inbox, &[Key::plain(KeyCode::Enter)], 10);
    assert!(shown(&inbox).contains(words), "{}", shown(&inbox));
    inbox.handle_event(detached(false));
    assert!(!shown(&inbox).contains(words), "{}", shown(&inbox));
    press(&mut inbox, &[Key::plain(KeyCode::Esc)], 10);
    assert!(!shown(&inbox).contains(words), "{}", shown(&inbox));
    inbox.handle_event(detached(true));
    assert!(shown(&inbox).contains(words), "{}", shown(&inbox));
}

/// An empty inbox says so once, and the command that it suggests reaches the same server.
#[test]
fn empty_inbox_says_so_once_and_names_the_data_directory() {
    let screen = shown(&inbox());
    assert_eq!(
        screen.matches("No questions waiting").count(),
        1,
        "{screen}"
    );
    assert!(
        screen.contains("askback ask --durable --data D \"Deploy now?\""),
        "{screen}"
    );
}

/// One row for each question: at least 15 fit into 80x24, the focused one with its choices. Each says
/// who asks, what, and when.
#[test]
fn fifteen_questions_fit() {
    let mut inbox = inbox();
    for minute in 0..30 {
        let question = json!({"question": format!("Which of the {minute} regions should it run in first?"),
            "header": format!("Name {minute}"), "options": ["Europe", "Asia", "America", "Africa"]});
        add(
            &mut inbox,
            asked(&format!("inq_{minute:02}"), minute, &question),
        );
    }
    for _ in 0..30 {
        let screen = shown(&inbox);
        let rows: Vec<&str> = screen
            .lines()
            .filter(|line| line.contains("builder • Name "))
            .collect();
        assert!(rows.len() >= 15, "{screen}");
        for row in &rows {
            assert!(row.contains("regions should it run in"), "{row}");
            assert!(row.contains("  00:") || row.contains("  2027-"), "{row}");
        }
        assert!(screen.contains("1 ○ Europe   2 ○ Asia"), "{screen}");
        assert!(crate::inbox::view::shows_whole_question(&inbox), "{screen}");
        press(&mut inbox, &[Key::char('j')], 10);
    }
    // With few questions there is room for one choice on each row.
    let mut few = super::inbox();
    add(&mut few, single("a", 1));
    assert!(shown(&few).contains("1 ○ First\n"), "{}", shown(&few));
}

/// A long name or asker leaves the time in view.
#[test]
fn row_always_shows_the_time() {
    for columns in [50, 80, 120] {
        let mut inbox = inbox();
        inbox.resize(Size { columns, rows: 15 });
        let mut late = asked(
            "a",
            1,
            &json!({"question": "Which one? ".repeat(20), "options": ["First", "Second"]}),
        );
        late.source = Some("an agent with a long name ".repeat(4));
        late.expires_at = "2027-03-01T09:00:00Z".parse().ok();
        add(&mut inbox, late);
        let screen = shown(&inbox);
        let row = screen.lines().nth(2).unwrap_or_default();
        let row = row.split('│').next().unwrap_or_default().trim_end();
        assert!(row.contains("Closes at "), "{columns}: {screen}");
    }
}

/// However narrow the window and long the words of the language, the last row says how to leave and
/// how to get help.
#[test]
fn hints_always_say_how_to_leave_and_get_help() {
    for tag in Locale::tags() {
        let mut inbox = inbox();
        inbox.config.locale = Locale::choose(&[tag]);
        for columns in [50, 60, 80] {
            inbox.resize(Size { columns, rows: 15 });
            add(&mut inbox, single("a", 1));
            let screen = shown(&inbox);
            let last = screen.lines().last().unwrap_or_default();
            let hints: Vec<&str> = last.split(" • ").collect();
            let has = |key: &str| hints.iter().any(|hint| hint.contains(key));
            assert!(has("q ") && has("? "), "{tag} at {columns}: {last}");
        }
    }
}

/// Somebody hides a question, or shows it again.
fn snoozed(id: &str, until: Option<Duration>) -> InboxEvent {
    let minute = if id == "a" { 1 } else { 2 };
    let mut inquiry = single(id, minute);
    inquiry.snoozed_until = until.map(|until| jiff::Timestamp::UNIX_EPOCH + until);
    InboxEvent::Inquiry(Box::new(InquiryUpdate {
        snoozed_until: until,
        ..update(inquiry)
    }))
}

/// A question that was snoozed on any device is hidden until its time, and the head says how many are.
#[test]
fn snoozed_question_is_hidden_until_its_time() {
    let mut inbox = inbox();
    for (id, minute) in [("a", 1), ("b", 2)] {
        add(&mut inbox, single(id, minute));
    }
    let until = Duration::from_secs(100);
    inbox.handle_event(snoozed("a", Some(until)));
    assert_eq!(names(&inbox), ["b"]);
    assert!(shown(&inbox).contains("Snoozed (1)"), "{}", shown(&inbox));
    assert!(shown(&inbox).contains("1 question"), "{}", shown(&inbox));
    let left = inbox.next_tick(Duration::from_secs(40));
    assert_eq!(left, Some(Duration::from_mins(1)));
    inbox.tick(until);
    assert_eq!(names(&inbox), ["a", "b"]);
    assert!(!shown(&inbox).contains("Snoozed"), "{}", shown(&inbox));
    inbox.handle_event(snoozed("b", Some(Duration::from_secs(200))));
    assert_eq!(names(&inbox), ["a"]);
    inbox.handle_event(snoozed("b", None));
    assert_eq!(names(&inbox), ["a", "b"]);
}

/// A digit says until when. The focus moves on, and undo shows the question again.
#[test]
fn question_is_snoozed_until_a_chosen_time() {
    let mut inbox = inbox();
    for (id, minute) in [("a", 1), ("b", 2)] {
        add(&mut inbox, single(id, minute));
    }
    press(&mut inbox, &[Key::char('z')], 10);
    let asks = shown(&inbox);
    let times = "Snooze until: 1 In one hour • 2 This evening • 3 Tomorrow morning";
    assert!(asks.contains(times) && asks.contains("esc back"), "{asks}");
    press(&mut inbox, &[Key::char('9'), Key::plain(KeyCode::Esc)], 12);
    assert_eq!(inbox.take_inbox_requests(), []);
    press(&mut inbox, &[Key::char('z'), Key::char('1')], 14);
    let until = "2027-03-01T13:00:00Z".parse().ok();
    let id = InquiryId::new("a");
    let hides = InboxRequest::Snooze(id.clone(), until);
    assert_eq!(inbox.take_inbox_requests(), [hides]);
    assert!(shown(&inbox).contains("Snoozed until 2027-03-01"));
    assert!(shown(&inbox).contains("> "), "{}", shown(&inbox));
    inbox.handle_event(snoozed("a", Some(Duration::from_hours(1))));
    assert_eq!(names(&inbox), ["b"]);
    press(&mut inbox, &[Key::char('u')], 20);
    let shows = InboxRequest::Snooze(id, None);
    assert_eq!(inbox.take_inbox_requests(), [shows]);
}

/// All marked questions are snoozed at once.
#[test]
fn marked_questions_are_snoozed_together() {
    let mut inbox = inbox();
    for (id, minute) in [("a", 1), ("b", 2), ("c", 3)] {
        add(&mut inbox, single(id, minute));
    }
    press(&mut inbox, &[Key::char('x'), Key::char('x')], 10);
    press(&mut inbox, &[Key::char('z'), Key::char('3')], 12);
    let until = "2027-03-02T09:00:00Z".parse().ok();
    let hides = |id| InboxRequest::Snooze(InquiryId::new(id), until);
    assert_eq!(inbox.take_inbox_requests(), [hides("a"), hides("b")]);
    assert!(!shown(&inbox).contains("marked"), "{}", shown(&inbox));
}

/// A mark looks different from the tick of an answer, also without colour.
#[test]
fn mark_is_not_the_tick_of_an_answer() {
    let mut inbox = inbox();
    for (id, minute) in [("a", 1), ("b", 2), ("c", 3)] {
        add(&mut inbox, single(id, minute));
    }
    press(&mut inbox, &[Key::char('x'), Key::char('x')], 10);
    let all = shown(&inbox);
    assert_eq!(all.matches("  * builder").count(), 2, "{all}");
    assert!(!all.contains(Glyphs::LINES.done), "{all}");
}

/// Who opens a question with a text may type at once, and take back what was typed.
#[test]
fn text_that_is_typed_at_once_can_be_erased_at_once() {
    let mut inbox = inbox();
    let text = json!({"question": "Which name?", "input_type": "text"});
    add(&mut inbox, asked_in(Dialect::AskUser, "a", 1, &text));
    press(&mut inbox, &[Key::plain(KeyCode::Enter)], 10);
    let keys = [
        Key::char('z'),
        Key::char('z'),
        Key::plain(KeyCode::Backspace),
        Key::char('y'),
    ];
    for (key, at) in keys.into_iter().zip([10_060, 10_120, 10_180, 10_240]) {
        inbox.handle(&InputEvent::Key(key), Duration::from_millis(at));
    }
    let all = shown(&inbox);
    assert!(all.contains("zy") && !all.contains("zzy"), "{all}");
    assert!(!all.contains("Too soon"), "{all}");
}

/// Somebody snoozes a question elsewhere while it is being answered here: it stays.
#[test]
fn open_question_is_not_taken_away_by_a_snooze() {
    let mut inbox = inbox();
    add(&mut inbox, single("a", 1));
    press(&mut inbox, &[Key::plain(KeyCode::Enter)], 10);
    let until = Duration::from_secs(100);
    inbox.handle_event(snoozed("a", Some(until)));
    assert!(shown(&inbox).contains("Which one?"), "{}", shown(&inbox));
    press(&mut inbox, &[Key::char('2')], 20);
    let requests = inbox.take_inbox_requests();
    let sent = |request: &InboxRequest| matches!(request, InboxRequest::SendReply(..));
    assert!(requests.iter().any(sent), "{requests:?}");
}

/// A deadline that is moved moves in the list and in the open question, which ends by the server's word only.
#[test]
fn moved_deadline_reaches_the_list_and_the_open_question() {
    let deadline = |at: &str, ends: u64| {
        Some(Deadline {
            at: at.parse().expect("a time"),
            ends: Duration::from_secs(ends),
            total: Duration::from_mins(5),
        })
    };
    let mut inbox = inbox();
    let mut dated = single("a", 2);
    let near = deadline("2027-03-01T08:00:00Z", 300);
    dated.expires_at = near.map(|deadline| deadline.at);
    let deadline_is = |inquiry: &InquiryResponse, deadline| {
        InboxEvent::Inquiry(Box::new(InquiryUpdate {
            deadline,
            ..update(inquiry.clone())
        }))
    };
    inbox.handle_event(deadline_is(&dated, near));
    let mut other = single("b", 1);
    other.expires_at = "2027-03-01T09:00:00Z".parse().ok();
    add(&mut inbox, other);
    assert_eq!(names(&inbox), ["a", "b"]);
    press(&mut inbox, &[Key::plain(KeyCode::Enter)], 1);
    inbox.take_inbox_requests();
    inbox.tick(Duration::from_mins(5));
    assert!(shown(&inbox).contains("Time is up"), "{}", shown(&inbox));
    let id = dated.id.clone();
    let later = deadline("2027-03-01T10:00:00Z", 7500);
    let mut moved = super::later(dated.clone());
    moved.expires_at = later.map(|deadline| deadline.at);
    inbox.handle_event(deadline_is(&moved, later));
    inbox.tick(Duration::from_secs(301));
    assert!(!shown(&inbox).contains("Time is up"), "{}", shown(&inbox));
    assert!(shown(&inbox).contains("First"), "{}", shown(&inbox));
    // The same deadline again, from another message, is no news: a key has stopped it.
    press(&mut inbox, &[Key::plain(KeyCode::Down)], 310);
    let stopped = inbox.take_inbox_requests();
    assert!(stopped.contains(&InboxRequest::StopDeadline(id.clone())));
    moved.version += 1;
    inbox.handle_event(deadline_is(&moved, later));
    press(&mut inbox, &[Key::plain(KeyCode::Up)], 320);
    let stopped = inbox.take_inbox_requests();
    assert!(
        !stopped
            .iter()
            .any(|request| matches!(request, InboxRequest::StopDeadline(_)))
    );
    press(&mut inbox, &[Key::plain(KeyCode::Esc)], 330);
    press(&mut inbox, &[Key::plain(KeyCode::Esc)], 340);
    assert_eq!(names(&inbox), ["b", "a"]);
}
