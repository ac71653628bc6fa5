//! Goal: a client that resumes after its last id misses nothing, even if the store fails in between.

use std::time::Duration;

use askback_core::conversation::command::{Command, NewDeadline, RespondentAction, Target};
use askback_core::conversation::event::ChangeKind;
use askback_core::dialect::{Dialect, ParseOptions};
use askback_core::inquiry::Inquiry;
use askback_core::outcome::{Actor, Surface};
use askback_core::text::{Lines, Text};
use askback_engine::CommitOptions;
use askback_store::SqliteOptions;
use askback_wire::event::{ChangeName, InquiryEvent};
use askback_wire::inquiry::InquiryResponse;
use axum::Router;
use axum::body::BodyDataStream;
use axum::http::Method;
use futures_util::StreamExt as _;
use jiff::{SignedDuration, Timestamp};
use serde_json::json;

use crate::openapi::tests::{idle_engine, idle_engine_with, respond, router_of};

async fn open(router: &Router, path: &str) -> BodyDataStream {
    let response = respond(router, &Method::GET, path).await;
    response.into_body().into_data_stream()
}

/// The text of a feed until it contains `until`, or ends.
async fn read(feed: &mut BodyDataStream, until: &str) -> String {
    let mut text = String::new();
    let reading = async {
        while !text.contains(until)
            && let Some(chunk) = feed.next().await
        {
            text.push_str(&String::from_utf8_lossy(&chunk.unwrap()));
        }
    };
    let read = tokio::time::timeout(Duration::from_mins(1), reading).await;
    read.expect("it comes, or the feed ends");
    text
}

/// An event for which the store could not be read used to be left out, and the next id skipped
/// it for good.
#[tokio::test]
async fn a_feed_ends_before_an_event_that_it_cannot_read() {
    let options = SqliteOptions::default();
    let (engine, _directory) = idle_engine_with(options.clone()).await;
    let asked = engine.ask(inquiry("Which?"), None, by(), CommitOptions::default());
    let id = asked.await.unwrap().conversation.settings.id.clone();
    let newest = engine.store().newest_sequence().await.unwrap();
    let router = router_of(engine.clone()).await;
    let path = format!("/conversations/{id}/events");
    let mut feed = open(&router, &path).await;
    read(&mut feed, &format!("id: {newest}\n")).await;
    options.faults.fail_reads(true);
    // Its message is that of the question, which has to be read.
    let decline = Command::Decline {
        target: Target::Pending,
    };
    engine.submit(&id, decline, by()).await.unwrap();
    let rest = read(&mut feed, "resolved").await;
    assert_eq!(rest, "", "nothing goes past the event");
    options.faults.fail_reads(false);
    let mut resumed = open(&router, &format!("{path}?after={newest}")).await;
    let frames = read(&mut resumed, "\"change\":\"resolved\"").await;
    assert!(frames.contains("\"change\":\"resolved\""), "{frames}");
}

/// What is no part of the record has no version, so the copy that comes last counts: it must not be an older one.
#[tokio::test]
async fn resumed_feed_shows_a_snooze_that_came_after_the_event() {
    let (engine, _directory) = idle_engine().await;
    let router = router_of(engine.clone()).await;
    let mut live = open(&router, "/events").await;
    let start = read(&mut live, "id: ").await;
    let asked = engine.ask(inquiry("Which?"), None, by(), CommitOptions::default());
    let asked = asked.await.unwrap();
    read(&mut live, "\"change\":\"asked\"").await;
    let until = Timestamp::now() + SignedDuration::from_hours(1);
    let id = &asked.record.inquiries[0].row.id;
    engine.snooze(id, Some(until)).await.unwrap();
    read(&mut live, "\"change\":\"snoozed\"").await;

    let start = start.trim().trim_start_matches("id: ");
    let mut resumed = open(&router, &format!("/events?after={start}")).await;
    let frames = read(&mut resumed, "\"change\":\"asked\"").await;
    assert!(frames.contains("\"snoozed_until\":"), "{frames}");
}

/// What is no part of the record cannot be read again from the feed, so a client must learn that it missed some.
#[tokio::test]
async fn a_feed_ends_before_a_notice_that_it_has_missed() {
    let (engine, _directory) = idle_engine().await;
    let router = router_of(engine.clone()).await;
    let asked = engine.ask(inquiry("Which?"), None, by(), CommitOptions::default());
    let asked = asked.await.unwrap();
    let mut feed = open(&router, "/events").await;
    read(&mut feed, "id: ").await;
    let id = &asked.record.inquiries[0].row.id;
    let first = Timestamp::now() + SignedDuration::from_hours(1);
    for seconds in 0..300 {
        let until = first + SignedDuration::from_secs(seconds);
        engine.snooze(id, Some(until)).await.unwrap();
    }
    assert_eq!(
        read(&mut feed, "snoozed").await,
        "",
        "not only the last ones"
    );
}

fn inquiry(question: &str) -> Inquiry {
    let input = json!({"question": question, "options": ["A", "B"]});
    let parsed = Dialect::Question.parse(&input, ParseOptions::default());
    parsed.expect("a question").inquiry
}

fn by() -> Actor {
    Actor::new(None, Surface::Http)
}

/// Bytes cost each listener, so the text of a question comes once for each change, whichever tool has asked it. Only what its
/// agent is told may repeat it.
#[tokio::test]
async fn listener_to_all_gets_a_question_once_for_each_change() {
    for dialect in Dialect::ALL {
        let (engine, _directory) = idle_engine().await;
        let router = router_of(engine.clone()).await;
        let mut feed = open(&router, "/events").await;
        read(&mut feed, "id: ").await;
        let options = CommitOptions::default();
        let asked = engine.ask(which_database(dialect), None, by(), options);
        let asked = asked.await.unwrap();
        let answer = Command::Answer {
            target: Target::Pending,
            answers: json!({"q1": "SQLite"}),
            notes: None,
        };
        let conversation = &asked.conversation.settings.id;
        engine.submit(conversation, answer, by()).await.unwrap();
        let received = read(&mut feed, "\"change\":\"resolved\"").await;

        let frames = received.split("\n\n").filter(|it| it.contains(WHICH));
        let frames: Vec<&str> = frames.collect();
        let names: Vec<_> = frames.iter().map(|it| it.lines().next()).collect();
        assert_eq!(names, [Some("event: inquiry"); 2], "{received}");
        let path = format!("/inquiries/{}", asked.record.inquiries[0].row.id);
        let response = respond(&router, &Method::GET, &path).await;
        let json = axum::body::to_bytes(response.into_body(), usize::MAX).await;
        let json = json.unwrap();
        let inquiry: InquiryResponse = serde_json::from_slice(&json).unwrap();
        let told = inquiry.result.unwrap().content.matches(WHICH).count();
        let times: Vec<_> = frames.iter().map(|it| it.matches(WHICH).count()).collect();
        assert_eq!(times, [1, 1 + told], "{received}");
        let (bytes, json) = (received.len(), json.len());
        assert!(
            bytes * 2 <= json * 5,
            "{bytes} bytes for an inquiry of {json}: {received}"
        );
    }
}

const WHICH: &str = "Which database should the service use?";

/// The same question, asked with any tool.
fn which_database(dialect: Dialect) -> Inquiry {
    let options = json!([
        {"label": "PostgreSQL", "description": "A server of its own"},
        {"label": "SQLite", "description": "One file"},
    ]);
    let input = match dialect {
        Dialect::AskUserQuestion | Dialect::AskUserQuestionClaude => json!({"questions": [
            {"question": WHICH, "header": "Database", "options": options, "multiSelect": false},
        ]}),
        Dialect::Question => json!({"question": WHICH, "options": options}),
        Dialect::AskUser => {
            json!({"question": WHICH, "input_type": "single_select", "options": options})
        }
        Dialect::Questions => json!({"questions": [{"text": WHICH, "choices": options}]}),
    };
    let parsed = dialect.parse(&input, ParseOptions::default());
    parsed.expect("a question").inquiry
}

/// Whatever the core does to an inquiry is told to those who listen. An event that is added to the core has to be added
/// here.
#[tokio::test]
async fn every_change_of_an_inquiry_is_told() {
    let (engine, _directory) = idle_engine().await;
    let router = router_of(engine.clone()).await;
    let mut all = open(&router, "/events").await;
    read(&mut all, "id: ").await;
    let deadline = NewDeadline::After(SignedDuration::from_hours(1));
    let options = CommitOptions::default();
    let asked = engine.ask(inquiry("Which?"), Some(deadline), by(), options);
    let asked = asked.await.unwrap();
    let (conversation, asked) = (&asked.conversation.settings.id, &asked.record.inquiries[0]);
    let (id, target) = (&asked.row.id, Target::Pending);
    let moved_to = Timestamp::now().round(jiff::Unit::Second).unwrap();
    let moved_to = moved_to + SignedDuration::from_hours(2);
    let commands = [
        Command::HandOn {
            target: target.clone(),
            to: Text::clean("ben", Lines::One).unwrap(),
            reason: None,
        },
        Command::MoveDeadline {
            target: target.clone(),
            to: Some(NewDeadline::At(moved_to)),
        },
        Command::Remind {
            inquiry: id.clone(),
            expires_at: moved_to,
        },
        Command::AnswerWithUndo {
            target: target.clone(),
            reply: RespondentAction::Decline,
            window: SignedDuration::from_secs(30),
        },
        Command::UndoAnswer {
            target: target.clone(),
        },
        Command::Decline { target },
    ];
    for command in commands {
        engine.submit(conversation, command, by()).await.unwrap();
    }
    let own = format!("/conversations/{conversation}/events?after=0");
    let mut own = open(&router, &own).await;
    let mut expected = ChangeKind::ALL.map(|change| ChangeName::from(change).to_string());
    expected.sort();
    for feed in [&mut all, &mut own] {
        let told = read(feed, "\"change\":\"resolved\"").await;
        let data = told.lines().filter_map(|line| line.strip_prefix("data: "));
        let data = data.filter_map(|data| serde_json::from_str::<InquiryEvent>(data).ok());
        let mut changes: Vec<String> = data.map(|event| event.change.to_string()).collect();
        changes.sort();
        assert_eq!(changes, expected, "{told}");
    }
}
