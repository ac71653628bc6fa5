//! `askback inbox` on a real terminal.

use askback_core::id::InquiryId;
use askback_wire::draft::{DraftParams, DraftResponse};
use askback_wire::inquiry::{InquiryStatus, NewInquiryParams};
use askback_wire::list::ListInquiriesParams;
use askback_wire::respond::WithdrawParams;
use serde_json::json;

use super::support::feed_gate::FeedGate;
use super::support::pty::{Pty, until};
use super::support::run_binary::askback;
use super::support::server_process::{Directory, Server, TOKEN};
use super::support::timeout::TEST_TIMEOUT;
use super::transient_read_errors::Failing;

const VARS: [(&str, &str); 2] = [("ASKBACK_ARM_MS", "0"), ("ASKBACK_TOKEN", TOKEN)];

fn data(directory: &Directory) -> String {
    let path = directory.path().join("data");
    path.to_str().expect("the path is text").to_owned()
}

async fn ask(server: &Server, source: &str, header: &str, expires_in: Option<&str>) {
    let question = json!({"question": format!("What about {header}?"), "header": header,
        "options": ["Yes", "No"]});
    let params = NewInquiryParams {
        input: json!({ "questions": [question] }),
        source: Some(source.to_owned()),
        expires_in: expires_in.map(|span| span.parse().expect("a span")),
        ..NewInquiryParams::default()
    };
    server.client.ask(&params).await.expect("it is asked");
}

/// Three questions of two agents, in the order of the server, answered one after the other; a new
/// one appears.
#[tokio::test]
async fn questions_are_answered_one_after_the_other() {
    let directory = Directory::new();
    let server = Server::start(&directory, &json!({"steps": [{"say": "Hello"}]}));
    ask(&server, "builder", "Oldest", None).await;
    ask(&server, "planner", "Younger", None).await;
    ask(&server, "builder", "Closing", Some("2h")).await;
    let pending = ListInquiriesParams {
        status: Some(InquiryStatus::Pending),
        ..ListInquiriesParams::default()
    };
    let listed = server.client.inquiries(&pending).await;
    let listed: Vec<String> = listed
        .expect("they are listed")
        .items
        .iter()
        .map(|one| one.questions[0].header.clone().unwrap_or_default())
        .collect();
    let args = ["inbox", "--undo", "0", "--data", &data(&directory)];
    let mut pty = Pty::with(&args, &VARS, (80, 24));
    pty.shows("3 questions waiting");
    let screen = pty.screen().join("\n");
    let place = |name: &str| {
        screen
            .find(&format!(" {name}  "))
            .expect("it is in the list")
    };
    assert!(place("Closing") < place("Oldest") && place("Oldest") < place("Younger"));
    assert_eq!(listed, ["Closing", "Oldest", "Younger"]);
    pty.send("g");
    pty.shows(">   builder • Closing");
    pty.send("1");
    pty.shows("✔ Closing: Yes");
    pty.shows(">   builder • Oldest");
    pty.send("2");
    pty.shows("✔ Oldest: No");
    pty.shows(">   planner • Younger");
    pty.send("\r");
    pty.shows("What about Younger?");
    pty.send("1");
    pty.shows("✔ Younger: Yes");
    pty.shows("New questions appear here automatically");
    ask(&server, "planner", "Another", None).await;
    pty.shows(">   planner • Another");
    pty.send("q");
    assert_eq!(pty.ends(), 0);
    assert!(
        pty.log().contains("\x1b[?1049l"),
        "the screen is given back"
    );
    let run = askback(
        &[
            "list",
            "--status",
            "answered",
            "--json",
            "--data",
            &data(&directory),
            "--token",
            TOKEN,
        ],
        "",
    );
    assert_eq!(run.out.lines().count(), 3, "{run:?}");
    server.kill();
}

/// Whoever has turned to another window hears of each question once, even where the newest one ends before the others;
/// with `--quiet`, only the title changes.
#[tokio::test]
async fn question_rings_once_unless_quiet() {
    let directory = Directory::new();
    let server = Server::start(&directory, &json!({"steps": [{"say": "Hello"}]}));
    let data = data(&directory);
    let args = ["inbox", "--data", &data];
    let mut pty = Pty::with(&args, &VARS, (80, 24));
    let mut quiet = Pty::with(&[&args[..], &["--quiet"]].concat(), &VARS, (80, 24));
    for pty in [&mut pty, &mut quiet] {
        pty.shows("No questions waiting");
        pty.send("\x1b[O");
    }
    ask(&server, "builder", "First", None).await;
    pty.writes("\x07\x1b]9;? First - builder\x1b\\");
    ask(&server, "planner", "Second", None).await;
    pty.writes("\x07\x1b]9;? Second - planner\x1b\\");
    // Each window has it before it is withdrawn.
    for pty in [&mut pty, &mut quiet] {
        pty.writes("\x1b]2;Inbox (2)\x07");
    }
    let all = ListInquiriesParams::default();
    let listed = server
        .client
        .inquiries(&all)
        .await
        .expect("they are listed");
    let mut listed = listed.items.into_iter();
    let second = listed.find(|one| one.questions[0].header.as_deref() == Some("Second"));
    let second = second.expect("it is listed").id;
    let plain = WithdrawParams::default();
    let withdrawn = server.client.withdraw_inquiry(&second, &plain).await;
    withdrawn.expect("it is withdrawn");
    for pty in [&mut pty, &mut quiet] {
        pty.shows("1 question waiting");
        pty.send("q");
        assert_eq!(pty.ends(), 0);
    }
    assert_eq!(pty.log().matches("\x1b]9;").count(), 2);
    assert!(!quiet.log().contains("\x1b]9;"));
    server.kill();
}

/// Without a terminal it is the list.
#[test]
fn inbox_without_a_terminal_lists() {
    let directory = Directory::new();
    let run = askback(&["inbox", "--data", &data(&directory)], "");
    assert_eq!((run.code, run.out.as_str()), (Some(0), ""));
    assert_eq!(run.err, "No questions are pending.\n");
}

/// An answer in line mode that the server does not take is said not to be sent, and the question can be answered
/// again with what was typed.
#[tokio::test]
async fn lines_say_that_an_answer_was_not_sent() {
    let directory = Directory::new();
    let server = Server::start(&directory, &json!({"steps": [{"say": "Hello"}]}));
    ask(&server, "builder", "First", None).await;
    let asked = InquiryId::new(listed(&server, "First").await);
    let failing = Failing::before(&server.address, "POST /inquiries/", (0, 1));
    let url = format!("http://{}", failing.address);
    let vars = [("ACCESSIBLE", "1"), ("ASKBACK_TOKEN", TOKEN)];
    let mut pty = Pty::with(&["inbox", "--url", &url], &vars, (80, 40));
    pty.shows("for the first, or ? for help:");
    pty.send("\n");
    pty.shows("What about First?");
    pty.send("2\n");
    pty.shows("Not sent: ");
    assert!(!pty.log().contains("Sent."), "{}", pty.log());
    pty.shows("1 question waiting.");
    pty.send("1\n");
    until("it is asked again", || {
        pty.log().matches("What about First?").count() == 2
    });
    assert!(pty.log().contains("so far: No."), "{}", pty.log());
    pty.send("2\n");
    until("it is sent", || pty.log().matches("Sent.").count() == 1);
    let done = server.client.wait_for_inquiry(&asked, TEST_TIMEOUT);
    assert!(done.await.expect("it is there").status.is_resolved());
}

/// In line mode, questions are asked one after the other, and events are printed between them; the
/// cursor never moves and nothing is erased.
#[tokio::test]
async fn lines_ask_one_after_the_other() {
    let directory = Directory::new();
    let server = Server::start(&directory, &json!({"steps": [{"say": "Hello"}]}));
    for header in ["First", "Second", "Third"] {
        ask(&server, "builder", header, None).await;
    }
    let vars = [("ACCESSIBLE", "1"), ("ASKBACK_TOKEN", TOKEN)];
    let args = ["inbox", "--data", &data(&directory)];
    let mut pty = Pty::with(&args, &vars, (80, 40));
    pty.shows("3. Third, from builder.");
    pty.shows("for the first, or ? for help:");
    ask(&server, "planner", "Fourth", None).await;
    pty.shows("1 new question.");
    pty.shows("4. Fourth, from planner.");
    pty.send("\n");
    pty.shows("What about First?");
    pty.send("2\n");
    pty.shows("Chosen: No. Sent.");
    pty.shows("Next: Second.");
    pty.shows("What about Second?");
    pty.send("/l\n");
    pty.shows("Next: Third.");
    pty.shows("What about Third?");
    // Somebody else is faster.
    let third = listed(&server, "Third").await;
    let run = askback(
        &[
            "answer",
            &third,
            "--choose",
            "Yes",
            "--data",
            &data(&directory),
            "--token",
            TOKEN,
        ],
        "",
    );
    assert_eq!(run.code, Some(0), "{run:?}");
    // No other question takes its place by itself.
    pty.shows("✔ Third: Yes — answered ");
    pty.shows("2 questions waiting.");
    pty.send("2\n");
    pty.shows("What about Fourth?");
    pty.send("/q\n");
    pty.shows("Leave this question?");
    pty.send("3\n");
    pty.shows("Stop the agent?");
    pty.send("yes\n");
    pty.shows("✘ Fourth: agent stopped");
    pty.shows("1 question waiting.");
    pty.send("q\n");
    assert_eq!(pty.ends(), 0);
    assert!(!pty.log().contains('\x1b'), "{}", pty.log());
    // The draft that is saved while its answer is sent comes too late, and is nobody else's.
    assert!(!pty.log().contains("different draft"), "{}", pty.log());
    server.kill();
}

async fn listed(server: &Server, header: &str) -> String {
    let all = ListInquiriesParams::default();
    let all = server.client.inquiries(&all).await;
    let all = all.expect("they are listed").items;
    let found = all
        .into_iter()
        .find(|one| one.questions[0].header.as_deref() == Some(header));
    found.expect("it is listed").id.to_string()
}

/// What is asked and answered before the feed opens is not missed, however long that takes.
#[tokio::test]
async fn slow_feed_misses_nothing() {
    let directory = Directory::new();
    let server = Server::start(&directory, &json!({"steps": [{"say": "Hello"}]}));
    ask(&server, "builder", "Gone", None).await;
    let gate = FeedGate::in_front_of(&server.address);
    let args = ["inbox", "--url", &gate.address];
    let mut pty = Pty::with(&args, &VARS, (80, 24));
    pty.shows(">   builder • Gone");
    gate.wait_for_feed_request();
    ask(&server, "builder", "Came", None).await;
    let gone = listed(&server, "Gone").await;
    let params = askback_wire::respond::DeclineParams::default();
    let declined = server
        .client
        .decline_inquiry(&InquiryId::new(gone), &params)
        .await;
    declined.expect("it is declined");
    gate.open();
    // First that it is no longer open, and how it ended as soon as that was read.
    pty.shows("Gone: decision left to the agent");
    pty.shows("    builder • Came");
    pty.send("\r");
    pty.shows(">   builder • Came");
    pty.shows("1 question waiting");
    assert!(!pty.screen().join("\n").contains("What about Gone?"));
    pty.send("q");
    assert_eq!(pty.ends(), 0);
    server.kill();
}

/// The reply to an answer says that it can be undone, and the reply to undo that it is open again: no feed is needed.
#[tokio::test]
async fn undo_is_offered_before_the_feed_opens() {
    let directory = Directory::new();
    let server = Server::start(&directory, &json!({"steps": [{"say": "Hello"}]}));
    ask(&server, "builder", "Database", None).await;
    let gate = FeedGate::in_front_of(&server.address);
    let args = ["inbox", "--undo", "60", "--url", &gate.address];
    let mut pty = Pty::with(&args, &VARS, (80, 24));
    pty.shows(">   builder • Database");
    gate.wait_for_feed_request();
    pty.send("1");
    pty.shows("✔ Database: Yes — u: undo (");
    pty.send("u");
    pty.shows("Undone. The question is open again");
    pty.shows(">   builder • Database");
    gate.open();
    pty.send("q");
    assert_eq!(pty.ends(), 0);
    server.kill();
}

/// Waits until a draft is stored for which this holds.
async fn draft_that(
    server: &Server,
    id: &InquiryId,
    holds: impl Fn(&DraftResponse) -> bool,
) -> DraftResponse {
    let stored = async {
        loop {
            let stored = server.client.draft(id).await.expect("it is read");
            if holds(&stored) {
                return stored;
            }
        }
    };
    let stored = tokio::time::timeout(TEST_TIMEOUT, stored).await;
    stored.expect("such a draft is stored")
}

fn says(text: &str) -> impl Fn(&DraftResponse) -> bool {
    move |stored| {
        let draft = stored.draft.as_ref();
        draft.is_some_and(|draft| draft.entries[0].typed == text)
    }
}

async fn save_elsewhere(server: &Server, stored: DraftResponse, text: &str) {
    let mut draft = stored.draft.expect("a draft");
    text.clone_into(&mut draft.entries[0].typed);
    let params = DraftParams {
        draft,
        revision: None,
        replaces: None,
    };
    let saved = server.client.put_draft(&stored.inquiry_id, &params).await;
    saved.expect("it is saved");
}

/// What another device saved while the prompt was open stays stored, and the prompt says so. A draft that was saved from here
/// without a reply is no conflict.
#[tokio::test]
async fn draft_of_another_device_is_not_overwritten() {
    let directory = Directory::new();
    let server = Server::start(&directory, &json!({"steps": [{"say": "Hello"}]}));
    let params = NewInquiryParams {
        input: json!({"question": "Which name?", "input_type": "text"}),
        ..NewInquiryParams::default()
    };
    let id = server.client.ask(&params).await.expect("it is asked").id;
    let args = ["inbox", "--data", &data(&directory)];
    let mut pty = Pty::with(&args, &VARS, (80, 24));
    pty.shows("Which name?");
    pty.send("\r");
    pty.shows("esc back");
    pty.send("A");
    let stored = draft_that(&server, &id, says("A")).await;
    save_elsewhere(&server, stored, "AB").await;
    let before = draft_that(&server, &id, says("AB")).await.saved_at;
    pty.send("B");
    draft_that(&server, &id, |stored| stored.saved_at != before).await;
    pty.send("C");
    let stored = draft_that(&server, &id, says("ABC")).await;
    save_elsewhere(&server, stored, "Phone").await;
    pty.send("D");
    pty.shows("Another window or device saved a different draft");
    pty.shows("ABCD");
    draft_that(&server, &id, says("Phone")).await;
    pty.kill();
    server.kill();
}

/// An answer in its undo window shows the time left; `u` restores the question, and the agent never sees
/// the first answer.
#[tokio::test]
async fn answer_is_undone_with_one_key() {
    let directory = Directory::new();
    let server = Server::start(&directory, &json!({"steps": [{"say": "Hello"}]}));
    ask(&server, "builder", "Database", None).await;
    ask(&server, "builder", "Region", None).await;
    let args = ["inbox", "--undo", "60", "--data", &data(&directory)];
    let mut pty = Pty::with(&args, &VARS, (80, 24));
    pty.shows(">   builder • Database");
    pty.send("1");
    pty.shows("✔ Database: Yes — u: undo (");
    pty.shows(">   builder • Region");
    let id = listed(&server, "Database").await;
    let id = InquiryId::new(id);
    let held = server.client.inquiry(&id).await.expect("it is there");
    assert!(held.held.is_some() && !held.status.is_resolved());
    pty.send("u");
    pty.shows("Undone. The question is open again");
    pty.shows(">   builder • Database");
    let open = server.client.inquiry(&id).await.expect("it is there");
    assert!(open.held.is_none() && !open.status.is_resolved());
    pty.send("q");
    assert_eq!(pty.ends(), 0);
    let args = ["inbox", "--undo", "1", "--data", &data(&directory)];
    let mut pty = Pty::with(&args, &VARS, (80, 24));
    pty.shows(">   builder • Database");
    pty.send("2");
    let done = server.client.wait_for_inquiry(&id, TEST_TIMEOUT);
    assert!(done.await.expect("it is there").status.is_resolved());
    pty.shows("✔ Database: No");
    pty.send("u");
    pty.shows("Too late to undo: the agent has the answer");
    pty.kill();
    server.kill();
}
