//! `askback backup` of a busy server: what was acknowledged before is in the copy, and can be answered there.

use std::path::Path;
use std::process::{Command, Output};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use askback_client::Client;
use askback_wire::inquiry::{InquiryResponse, NewInquiryParams};
use askback_wire::respond::AnswerParams;
use serde_json::json;

use super::support::server_process::{Directory, Server};

async fn ask(client: &Client, text: &str) -> InquiryResponse {
    let question = NewInquiryParams {
        input: json!({"question": text, "options": ["A", "B"]}),
        ..NewInquiryParams::default()
    };
    client.ask(&question).await.expect("it is asked")
}

fn answer() -> AnswerParams {
    AnswerParams {
        answers: json!({"q1": "B"}),
        ..AnswerParams::default()
    }
}

fn backup(directory: &Directory, file: &Path, args: &[&str]) -> Output {
    let output = Command::new(env!("CARGO_BIN_EXE_askback"))
        .arg("backup")
        .arg(file)
        .args(args)
        .env("ASKBACK_DATA", directory.path().join("data"))
        .output();
    output.expect("the command runs")
}

/// Asks and answers until it is told to stop.
async fn keep_busy(client: Client, stop: Arc<AtomicBool>) -> usize {
    let mut cycles = 0;
    while !stop.load(Ordering::Relaxed) {
        let asked = ask(&client, &format!("Busy {cycles}?")).await;
        client
            .answer(&asked.id, &answer())
            .await
            .expect("the answer is taken");
        cycles += 1;
    }
    cycles
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn copy_of_a_busy_store_has_what_was_acknowledged_before() {
    let directory = Directory::new();
    let server = Server::start_with(&directory, &[]);
    let stop = Arc::new(AtomicBool::new(false));
    let busy: Vec<_> = (0..4)
        .map(|_| tokio::spawn(keep_busy(server.client.clone(), Arc::clone(&stop))))
        .collect();
    let mut pending = Vec::new();
    for number in 0..20 {
        pending.push(ask(&server.client, &format!("Open {number}?")).await.id);
    }
    let answered = ask(&server.client, "Answered?").await.id;
    server
        .client
        .answer(&answered, &answer())
        .await
        .expect("the answer is taken");
    let restored = Directory::new();
    let data = restored.path().join("data");
    std::fs::create_dir(&data).expect("a data directory");
    let file = data.join("askback.db");
    let output = backup(&directory, &file, &[]);
    stop.store(true, Ordering::Relaxed);
    for task in busy {
        assert!(task.await.expect("no panic") > 0, "the store was not busy");
    }
    assert!(output.status.success(), "{output:?}");
    let shown = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(
        shown.contains(" pending)") && shown.trim_end().ends_with("Verified."),
        "{shown}"
    );
    assert!(is_private(&file));
    server.terminate();

    let restored = Server::start_with(&restored, &[]);
    for id in &pending {
        let taken = restored
            .client
            .answer(id, &answer())
            .await
            .expect("it is answered");
        assert!(taken.outcome.is_some());
    }
    let read = restored
        .client
        .inquiry(&answered)
        .await
        .expect("it is read");
    assert!(read.outcome.is_some(), "the answer is in the copy");
}

fn is_private(file: &Path) -> bool {
    use std::os::unix::fs::PermissionsExt as _;
    let metadata = std::fs::metadata(file).expect("the copy");
    metadata.permissions().mode() & 0o777 == 0o600
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn existing_file_is_replaced_only_on_request() {
    let directory = Directory::new();
    let server = Server::start_with(&directory, &[]);
    ask(&server.client, "Which?").await;
    let file = directory.path().join("copy.db");
    std::fs::write(&file, "mine").expect("it is written");
    let refused = backup(&directory, &file, &[]);
    assert_eq!(refused.status.code(), Some(2), "{refused:?}");
    assert_eq!(std::fs::read(&file).expect("the file"), b"mine");
    let replaced = backup(&directory, &file, &["--force"]);
    assert!(replaced.status.success(), "{replaced:?}");
    server.terminate();
    // What a backup leaves that is killed.
    for name in [".askback-backup.partial", ".askback-backup.partial-journal"] {
        std::fs::write(directory.path().join(name), "half a copy").expect("it is written");
    }
    // Without a server, too.
    let again = backup(&directory, &file, &["--force"]);
    assert!(again.status.success(), "{again:?}");
    let left: Vec<_> = std::fs::read_dir(directory.path())
        .expect("the directory")
        .filter_map(Result::ok)
        .filter(|entry| entry.file_name().to_string_lossy().contains("partial"))
        .collect();
    assert!(left.is_empty(), "{left:?}");
}

#[test]
fn what_is_no_database_is_refused() {
    let directory = Directory::new();
    let file = directory.path().join("copy.db");
    let missing = backup(&directory, &file, &[]);
    assert_eq!(missing.status.code(), Some(2), "{missing:?}");
    let data = directory.path().join("data");
    std::fs::create_dir(&data).expect("a data directory");
    std::fs::write(data.join("askback.db"), "not a database").expect("it is written");
    let foreign = backup(&directory, &file, &[]);
    assert_eq!(foreign.status.code(), Some(1), "{foreign:?}");
    assert!(!file.exists());
    let postgres = backup(&directory, &file, &["--store", "postgres://localhost/none"]);
    let error = String::from_utf8_lossy(&postgres.stderr).into_owned();
    assert!(error.contains("pg_dump"), "{error}");
}

/// A copy in the place of the database would destroy it, under whatever name, also with --force.
#[tokio::test]
async fn the_database_is_never_replaced_by_its_copy() {
    let directory = Directory::new();
    let server = Server::start_with(&directory, &[]);
    let asked = ask(&server.client, "Which?").await;
    let data = directory.path().join("data");
    let link = directory.path().join("link.db");
    std::os::unix::fs::symlink(data.join("askback.db"), &link).expect("a link");
    for file in [
        data.join("askback.db"),
        data.join("askback.db-wal"),
        data.join("../data/askback.db"),
        link,
    ] {
        let refused = backup(&directory, &file, &["--force"]);
        let error = String::from_utf8_lossy(&refused.stderr).into_owned();
        assert_eq!(refused.status.code(), Some(2), "{error}");
        assert!(error.contains("is the database itself"), "{error}");
    }
    let answered = server.client.answer(&asked.id, &answer()).await;
    answered.expect("the server goes on with its database");
    server.kill();
}
