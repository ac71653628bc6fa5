//! A deadline that is moved reaches every prompt of the terminal: frames and lines, inbox and `askback answer`.

use askback_wire::duration::HumanDuration;
use askback_wire::inquiry::{DeadlineParams, InquiryResponse, KeepOpenParams};

use super::deadlines::{code, question, serve};
use super::support::pty::Pty;
use super::support::server_process::{Directory, Server, TOKEN};

const DAY: u32 = 24 * 60 * 60;
/// So near that it is shown.
const NEAR: u32 = 50;

fn pty(directory: &Directory, args: &[&str]) -> Pty {
    let data = directory.path().join("data");
    let data = data.to_str().expect("the path is text");
    let args = [args, &["--data", data]].concat();
    let vars = [("ASKBACK_ARM_MS", "0"), ("ASKBACK_TOKEN", TOKEN)];
    Pty::with(&args, &vars, (100, 30))
}

async fn move_deadline(server: &Server, asked: &InquiryResponse, seconds: u32) {
    let params = DeadlineParams {
        expires_in: Some(HumanDuration::from_secs(seconds)),
        ..DeadlineParams::default()
    };
    let moved = server.client.move_deadline(&asked.id, &params).await;
    moved.expect("the deadline is moved");
}

#[tokio::test]
async fn moved_deadline_reaches_the_frames_of_an_open_question() {
    let directory = Directory::new();
    let server = serve(&directory);
    for command in ["inbox", "answer"] {
        let asked = server.client.ask(&question(Some(DAY))).await.unwrap();
        let mut pty = if command == "inbox" {
            let mut pty = pty(&directory, &["inbox"]);
            pty.shows("1 question waiting");
            pty.send("\r");
            pty
        } else {
            pty(&directory, &["answer", asked.id.as_str()])
        };
        pty.shows("> 1 ○ A");
        move_deadline(&server, &asked, NEAR).await;
        pty.shows("closes in 0:");
        move_deadline(&server, &asked, DAY).await;
        pty.hides("closes in 0:");
        pty.send("2");
        let found = server
            .client
            .wait_for_inquiry(&asked.id, std::time::Duration::from_secs(30));
        assert_eq!(
            found.await.unwrap().status.to_string(),
            "answered",
            "{command}"
        );
        pty.kill();
    }
    server.kill();
}

#[tokio::test]
async fn moved_deadline_is_said_in_lines() {
    let directory = Directory::new();
    let server = serve(&directory);
    for command in ["inbox", "answer"] {
        let asked = server.client.ask(&question(Some(DAY))).await.unwrap();
        let mut pty = if command == "inbox" {
            pty(&directory, &["inbox", "--lines"])
        } else {
            pty(&directory, &["answer", asked.id.as_str(), "--lines"])
        };
        if command == "inbox" {
            pty.shows("Type a number to answer");
            pty.send("1\n");
        }
        pty.shows("1. A.");
        move_deadline(&server, &asked, NEAR).await;
        pty.shows("This question closes at");
        pty.kill();
        let open = askback_wire::respond::WithdrawParams::default();
        server
            .client
            .withdraw_inquiry(&asked.id, &open)
            .await
            .unwrap();
    }
    server.kill();
}

/// To set the deadline that a question has is no change: nobody is told, and the question is as new as before.
#[tokio::test]
async fn deadline_that_stays_is_not_moved() {
    let directory = Directory::new();
    let server = serve(&directory);
    let asked = server.client.ask(&question(Some(DAY))).await.unwrap();
    let same = DeadlineParams {
        expires_at: asked.expires_at,
        ..DeadlineParams::default()
    };
    let moved = server.client.move_deadline(&asked.id, &same).await.unwrap();
    assert_eq!(moved, asked);
    let none = DeadlineParams::default();
    let without = server.client.move_deadline(&asked.id, &none).await.unwrap();
    assert!(without.version > asked.version && without.expires_at.is_none());
    let again = server.client.move_deadline(&asked.id, &none).await.unwrap();
    assert_eq!(again, without);
    move_deadline(&server, &asked, DAY).await;
    let kept = KeepOpenParams {
        expires_in: Some(HumanDuration::from_secs(NEAR)),
        ..KeepOpenParams::default()
    };
    let before = server.client.inquiry(&asked.id).await.unwrap();
    let after = server.client.keep_open(&asked.id, &kept).await.unwrap();
    assert_eq!(after, before);
    let other = DeadlineParams {
        revision: Some(before.revision + 1),
        expires_at: before.expires_at,
        ..DeadlineParams::default()
    };
    let refused = server.client.move_deadline(&asked.id, &other).await;
    assert_eq!(code(refused), "stale_inquiry");
}
