//! However a question ends, each message about it says so, in each channel.

use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};

use askback_core::id::InquiryId;
use askback_wire::inquiry::{DeadlineParams, InquiryStatus, UndoParams};
use askback_wire::message::MessageParams;
use askback_wire::respond::{AnswerParams, CancelParams, DeclineParams, WithdrawParams};
use serde_json::{Value, json};

use super::channel_links::links_of;
use super::support::channel_server::ChannelServer;
use super::support::server_process::Directory;
use super::support::telegram_chat::database;
use super::support::timeout::comes_to_hold;

/// A program that keeps what it is told last.
const PROGRAM: &str = "#!/bin/sh\ncat > \"$0.new\"\nmv \"$0.new\" \"$0.last\"\n";

/// A server whose questions reach one person through every channel with messages that can change, and by mail.
struct Everywhere {
    run: ChannelServer,
    program: PathBuf,
    /// Removed with the test.
    _directory: Directory,
}

impl Everywhere {
    async fn start() -> Everywhere {
        let directory = Directory::new();
        let program = directory.path().join("keep.sh");
        fs::write(&program, PROGRAM).expect("it can be written");
        let mode = fs::Permissions::from_mode(0o755);
        fs::set_permissions(&program, mode).expect("it can be run");
        let script = directory.path().join("script.json");
        let input = json!({ "question": "Which way?", "options": ["Left", "Right"] });
        let steps =
            json!([{ "calls": [{ "tool": "question", "input": input }] }, { "say": "Good." }]);
        fs::write(&script, json!({ "steps": steps }).to_string()).expect("it can be written");
        let settings = format!(
            "[channels.desk]\nkind = 'command'\nrun = ['{}']\n\
             [recipients.zoe]\nname = 'Zoë'\nlanguage = 'en'\ntime_zone = 'UTC'\nidentities = ['telegram:42', \
             'slack:U42', 'ntfy:a-topic', 'email:zoe@example.org', 'command:zoe']\n",
            program.display()
        );
        let provider = format!("scripted:{}", script.display());
        let run = ChannelServer::start_with(&settings, &["--provider", &provider]).await;
        Everywhere {
            run,
            program,
            _directory: directory,
        }
    }

    /// What the message about the question shows now in each channel, and whether it has buttons for the choices. Empty
    /// where nothing has arrived.
    fn shown(&self) -> [(&'static str, String, bool); 4] {
        let telegram = self.run.telegram.messages();
        let telegram = telegram.iter().rfind(|it| it.text().contains("Which"));
        let slack = self.run.slack.messages();
        let slack = slack
            .iter()
            .rfind(|it| it.body["blocks"].to_string().contains("Which"));
        let ntfy = self.run.ntfy.requests();
        let mut ntfy = ntfy.iter().map(askback_fakes::Request::json);
        let ntfy = ntfy.rfind(|it| it["message"].to_string().contains("Which"));
        let ntfy = ntfy.unwrap_or_default();
        let desk = last_told(&self.program);
        let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
        [
            (
                "telegram",
                telegram.map_or_else(String::new, |it| it.text().to_owned()),
                telegram.is_some_and(|it| it.buttons().len() > 1),
            ),
            (
                "slack",
                slack.map_or_else(String::new, |it| it.body["blocks"].to_string()),
                slack.is_some_and(|it| it.buttons().len() > 1),
            ),
            (
                "ntfy",
                text(&ntfy["message"]),
                ntfy["actions"].as_array().is_some_and(|it| it.len() > 1),
            ),
            ("command", text(&desk["text"]), desk["event"] == "asked"),
        ]
    }

    /// Waits until every channel shows all of these, and can or cannot be answered.
    async fn shows(&self, texts: &[&str], is_open: bool) {
        let mut missing = Vec::new();
        let all_show = comes_to_hold(|| {
            let shown = self.shown().into_iter();
            let differs = |(_, text, open): &(&str, String, bool)| {
                *open != is_open || texts.iter().any(|part| !text.contains(part))
            };
            missing = shown.filter(differs).collect();
            missing.is_empty()
        })
        .await;
        assert!(
            all_show,
            "{texts:?}, open: {is_open}: {missing:#?}\n{}",
            self.run.log()
        );
    }

    /// Asks, and waits until all messages are there.
    async fn ask(&self) -> InquiryId {
        let mails = self.run.smtp.mails().len();
        let asked = self.run.ask(database(), None).await;
        self.arrived("Which database?", mails).await;
        asked.id
    }

    async fn arrived(&self, question: &str, mails: usize) {
        self.shows(&[question], true).await;
        let smtp = &self.run.smtp;
        self.run
            .until("the mail arrives", || smtp.mails().len() > mails)
            .await;
    }

    /// What the page behind the link of the last mail about a question shows, in small letters.
    fn page_of_the_mail(&self) -> String {
        let mails = self.run.smtp.mails();
        let links = mails.iter().flat_map(|mail| links_of(&mail.source));
        let mut links = links.filter(|link| !link.contains("/press/"));
        let link = links.next_back().expect("there is a link to the question");
        self.run.send("GET", &link, "").1.to_lowercase()
    }
}

/// The message that the program got last.
fn last_told(program: &Path) -> Value {
    let text = fs::read_to_string(format!("{}.last", program.display()));
    serde_json::from_str(&text.unwrap_or_default()).unwrap_or_default()
}

/// Withdrawn, stopped, left to the agent, answered elsewhere: every message says which, and has no controls left. A
/// mail cannot change; the page behind its link says it.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn each_message_says_how_the_question_ended() {
    let everywhere = Everywhere::start().await;
    let client = &everywhere.run.server.client;

    let id = everywhere.ask().await;
    let withdrawn = client
        .withdraw_inquiry(&id, &WithdrawParams::default())
        .await;
    withdrawn.expect("it is withdrawn");
    everywhere
        .shows(&["Which database?", "Withdrawn by the agent"], false)
        .await;
    let page = everywhere.page_of_the_mail();
    assert!(page.contains("withdrawn by the agent"), "{page}");

    let id = everywhere.ask().await;
    let cancelled = client.cancel_inquiry(&id, &CancelParams::default()).await;
    cancelled.expect("it is stopped");
    everywhere.shows(&["Agent stopped by"], false).await;
    let page = everywhere.page_of_the_mail();
    assert!(page.contains("agent stopped"), "{page}");

    let id = everywhere.ask().await;
    let declined = client.decline_inquiry(&id, &DeclineParams::default()).await;
    declined.expect("it is declined");
    everywhere
        .shows(&["Decision left to the agent"], false)
        .await;
    let page = everywhere.page_of_the_mail();
    assert!(page.contains("decision left to the agent"), "{page}");
}

/// A message in the conversation takes the place of an answer, and every message about the question says so.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn each_message_says_that_a_message_was_written_instead() {
    let everywhere = Everywhere::start().await;
    let server = &everywhere.run.server;
    let conversation = server.begin("Go.").await;
    everywhere.arrived("Which way?", 0).await;
    let instead = MessageParams {
        text: "Neither. Stay here.".to_owned(),
        message_id: None,
    };
    let sent = server.client.send_message(&conversation, &instead).await;
    sent.expect("it answers");
    everywhere
        .shows(&["Which way?", "Answered with a message"], false)
        .await;
    let page = everywhere.page_of_the_mail();
    assert!(page.contains("answered with a message"), "{page}");
    // What was written belongs to the conversation.
    for (channel, text, _) in everywhere.shown() {
        assert!(!text.contains("Stay here"), "{channel}: {text}");
    }
}

/// A deadline that has passed. It is set when all messages are there.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn each_message_says_that_nobody_answered_in_time() {
    let everywhere = Everywhere::start().await;
    let client = &everywhere.run.server.client;
    let id = everywhere.ask().await;
    let soon = DeadlineParams {
        expires_in: "1s".parse().ok(),
        ..DeadlineParams::default()
    };
    let moved = client.move_deadline(&id, &soon).await;
    moved.expect("it gets a deadline");
    everywhere.shows(&["No answer by"], false).await;
    let ended = client.inquiry(&id).await.expect("it is read");
    assert_eq!(ended.status, InquiryStatus::Expired);
    let page = everywhere.page_of_the_mail();
    assert!(page.contains("no answer by"), "{page}");
}

/// An answer that is taken back within its undo window. Every message shows the answer, and then the open question
/// again.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn each_message_shows_an_answer_and_that_it_was_taken_back() {
    let everywhere = Everywhere::start().await;
    let client = &everywhere.run.server.client;
    let id = everywhere.ask().await;
    let answer = AnswerParams {
        answers: json!({ "q1": "SQLite" }),
        undo_seconds: Some(60),
        ..AnswerParams::default()
    };
    client.answer(&id, &answer).await.expect("it is held");
    everywhere.shows(&["✓ Database: SQLite"], false).await;
    let undone = client.undo(&id, &UndoParams::default()).await;
    undone.expect("it is taken back");
    everywhere.shows(&["Which database?"], true).await;
    for (channel, text, _) in everywhere.shown() {
        assert!(!text.contains('✓'), "{channel}: {text}");
    }
    let page = everywhere.page_of_the_mail();
    assert!(page.contains("value=\"sqlite\""), "{page}");
}
