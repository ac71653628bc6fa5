//! `askback audit` over the real binary: every outcome once and in order while others are committed, on both
//! stores, and files that can be continued and verified.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::LazyLock;

use askback_core::id::InquiryId;
use askback_store_testing::PostgresServer;
use askback_wire::inquiry::{HandOnParams, NewInquiryParams};
use askback_wire::respond::AnswerParams;
use serde_json::{Value, json};

use super::support::raw_http::{bearer, body, get_json, raw, request};
use super::support::server_process::{Directory, Server};

/// Ends with this process.
static POSTGRES: LazyLock<PostgresServer> =
    LazyLock::new(|| PostgresServer::start().expect("PostgreSQL starts"));

/// A server on one of the two stores.
fn server(directory: &Directory, store: Option<&str>) -> Server {
    let mut args = vec!["--node", "node-1"];
    args.extend(store.into_iter().flat_map(|url| ["--store", url]));
    Server::start_with(directory, &args)
}

async fn answer_one(client: &askback_client::Client, text: &str) -> InquiryId {
    let question = NewInquiryParams {
        input: json!({"question": text, "options": ["A", "B"]}),
        source: Some("CI".to_owned()),
        ..NewInquiryParams::default()
    };
    let asked = client.ask(&question).await.expect("it is asked");
    let params = AnswerParams {
        answers: json!({"q1": "B"}),
        ..AnswerParams::default()
    };
    let answered = client.answer(&asked.id, &params).await;
    answered.expect("the answer is taken").id
}

fn audit(directory: &Directory, args: &[&str]) -> Output {
    let output = Command::new(env!("CARGO_BIN_EXE_askback"))
        .arg("audit")
        .args(args)
        .env("ASKBACK_DATA", directory.path().join("data"))
        .env_remove("ASKBACK_URL")
        .output();
    output.expect("the command runs")
}

/// Exports to a file, which must succeed.
fn export(directory: &Directory, file: &Path, args: &[&str]) {
    let file = file.to_str().expect("a path");
    let output = audit(directory, &[args, &["--output", file]].concat());
    assert!(output.status.success(), "{output:?}");
}

fn entries(file: &Path) -> Vec<Value> {
    let text = std::fs::read_to_string(file).expect("the export");
    let lines = text.lines();
    lines
        .map(|line| serde_json::from_str(line).expect("JSON"))
        .collect()
}

fn verified(directory: &Directory, files: &[&Path]) -> Output {
    let mut args = vec!["verify"];
    args.extend(files.iter().map(|file| file.to_str().expect("a path")));
    audit(directory, &args)
}

fn file(directory: &Directory, name: &str) -> PathBuf {
    directory.path().join(name)
}

async fn check_entry_and_resume(store: Option<&str>) {
    let directory = Directory::new();
    let server = server(&directory, store);
    let first = answer_one(&server.client, "Which?").await;
    let log = file(&directory, "audit.jsonl");
    export(&directory, &log, &[]);
    let [entry] = &entries(&log)[..] else {
        panic!("one outcome: {:?}", entries(&log));
    };
    assert_eq!(entry["inquiry_id"], json!(first));
    assert_eq!(entry["kind"], "outcome");
    assert_eq!(entry["outcome"], "answered");
    assert_eq!(entry["surface"], "http");
    assert_eq!(entry["node"], "node-1");
    assert_eq!(entry["source"], "CI");
    // sha256sum of "Which?\nA\nB\n".
    let expected = "04ec3859f18bfd1f8ae3a2e122b1f216fa58b72cd8a6ccbf2d43da1c5c7589e4";
    assert_eq!(entry["questions_sha256"], expected);
    assert!(entry.get("answer").is_none(), "answers only on request");
    assert!(!entry.to_string().contains("\"B\""));

    let second = answer_one(&server.client, "And?").await;
    export(&directory, &log, &[]);
    export(&directory, &log, &[]);
    let resumed = entries(&log);
    assert_eq!(resumed.len(), 2, "an export without news adds nothing");
    assert_eq!(resumed[1]["inquiry_id"], json!(second));
    assert_eq!(resumed[1]["previous"], resumed[0]["hash"]);
    let whole = file(&directory, "whole.jsonl");
    export(&directory, &whole, &[]);
    assert_eq!(entries(&whole), resumed, "in parts or at once is the same");

    answer_one(&server.client, "More?").await;
    let next = file(&directory, "next.jsonl");
    let log_name = log.to_str().expect("a path");
    export(
        &directory,
        &next,
        &["--continue", log_name, "--with-answers"],
    );
    assert_eq!(entries(&next).len(), 1);
    assert_eq!(
        entries(&next)[0]["answer"]["answers"][0]["values"],
        json!(["B"])
    );
    let both = verified(&directory, &[&log, &next]);
    assert!(both.status.success(), "{both:?}");
    let shown = String::from_utf8_lossy(&both.stdout).into_owned();
    assert!(shown.starts_with("OK: 3 entries"), "{shown}");
    assert!(shown.contains(entries(&next)[0]["hash"].as_str().expect("a hash")));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn outcomes_are_exported_and_continued_on_sqlite() {
    check_entry_and_resume(None).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn outcomes_are_exported_and_continued_on_postgresql() {
    let url = POSTGRES.create_database().expect("a database");
    check_entry_and_resume(Some(&url)).await;
}

/// Exports run while questions are answered. Together they have every outcome once, in the order of the feed.
async fn check_concurrent(store: Option<&str>) {
    const EACH: usize = 40;
    let directory = Directory::new();
    let server = server(&directory, store);
    let mut tasks = Vec::new();
    for worker in 0..4 {
        let client = server.client.clone();
        tasks.push(tokio::spawn(async move {
            let mut answered = Vec::new();
            for number in 0..EACH {
                answered.push(answer_one(&client, &format!("{worker}.{number}?")).await);
            }
            answered
        }));
    }
    let log = file(&directory, "audit.jsonl");
    let mut exports = 0;
    while !tasks.iter().all(tokio::task::JoinHandle::is_finished) {
        export(&directory, &log, &[]);
        exports += 1;
    }
    assert!(exports > 1, "nothing was answered meanwhile");
    export(&directory, &log, &[]);
    let mut answered = Vec::new();
    for task in tasks {
        answered.extend(task.await.expect("no panic").iter().map(|id| json!(id)));
    }
    let exported = entries(&log);
    let mut ids: Vec<Value> = exported.iter().map(|it| it["inquiry_id"].clone()).collect();
    ids.sort_by_key(Value::to_string);
    answered.sort_by_key(Value::to_string);
    assert_eq!(ids, answered);
    let sequences: Vec<u64> = exported
        .iter()
        .filter_map(|it| it["sequence"].as_u64())
        .collect();
    assert!(sequences.is_sorted(), "{sequences:?}");
    let checked = verified(&directory, &[&log]);
    assert!(checked.status.success(), "{checked:?}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn exports_during_commits_miss_nothing_on_sqlite() {
    check_concurrent(None).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn exports_during_commits_miss_nothing_on_postgresql() {
    let url = POSTGRES.create_database().expect("a database");
    check_concurrent(Some(&url)).await;
}

/// A changed line is named, and nothing is appended to a file whose last line is not as it was written.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn tampering_is_named_and_not_continued() {
    let directory = Directory::new();
    let server = server(&directory, None);
    for number in 0..3 {
        answer_one(&server.client, &format!("{number}?")).await;
    }
    let log = file(&directory, "audit.jsonl");
    export(&directory, &log, &[]);
    let text = std::fs::read_to_string(&log).expect("the export");
    let changed: Vec<String> = text
        .lines()
        .map(|line| line.replace("node-1", "node-2"))
        .collect();
    let original: Vec<&str> = text.lines().collect();
    std::fs::write(
        &log,
        format!("{}\n{}\n{}\n", original[0], changed[1], original[2]),
    )
    .expect("it is written");
    let checked = verified(&directory, &[&log]);
    assert_eq!(checked.status.code(), Some(1));
    let error = String::from_utf8_lossy(&checked.stderr).into_owned();
    assert!(
        error.contains("line 2: the line was changed or inserted"),
        "{error}"
    );
    std::fs::write(&log, format!("{}\n{}\n", original[0], changed[1])).expect("it is written");
    let log_name = log.to_str().expect("a path");
    let refused = audit(&directory, &["--output", log_name]);
    assert_eq!(refused.status.code(), Some(1), "{refused:?}");
}

/// Of a deleted conversation, the questions that were open and the deletion itself stay.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn deletion_leaves_entries() {
    let directory = Directory::new();
    let server = server(&directory, None);
    let question = NewInquiryParams {
        input: json!({"question": "Open?", "options": ["A", "B"]}),
        ..NewInquiryParams::default()
    };
    let asked = server.client.ask(&question).await.expect("it is asked");
    server
        .client
        .delete_conversation(&asked.conversation_id)
        .await
        .expect("it is deleted");
    let log = file(&directory, "audit.jsonl");
    export(&directory, &log, &["--with-answers"]);
    let kinds: Vec<(Value, Value)> = entries(&log)
        .iter()
        .map(|entry| (entry["kind"].clone(), entry["outcome"].clone()))
        .collect();
    let expected = [
        (json!("outcome"), json!("withdrawn")),
        (json!("conversation_deleted"), Value::Null),
    ];
    assert_eq!(kinds, expected);
}

/// A file without entries would not say what its first one is linked to, so none is written; the next export can
/// still be linked to the file before.
#[tokio::test]
async fn export_without_entries_leaves_no_file() {
    let directory = Directory::new();
    let server = server(&directory, None);
    answer_one(&server.client, "Which?").await;
    let (old, new) = (file(&directory, "old.jsonl"), file(&directory, "new.jsonl"));
    export(&directory, &old, &[]);
    let continued = ["--continue", old.to_str().expect("a path")];
    export(&directory, &new, &continued);
    assert!(!new.exists(), "there was nothing new");
    answer_one(&server.client, "And?").await;
    export(&directory, &new, &continued);
    assert_eq!(entries(&new).len(), 1);
    assert!(verified(&directory, &[&old, &new]).status.success());
    server.kill();
}

/// A database that was restored uses sequence numbers again. An export must not go on as if nothing had
/// happened: it would leave out what was decided since.
#[tokio::test]
async fn restored_database_is_not_continued() {
    let directory = Directory::new();
    let server = server(&directory, None);
    answer_one(&server.client, "First?").await;
    let copy = file(&directory, "copy.db");
    let backed_up = Command::new(env!("CARGO_BIN_EXE_askback"))
        .arg("backup")
        .arg(&copy)
        .env("ASKBACK_DATA", directory.path().join("data"))
        .output();
    assert!(backed_up.expect("it runs").status.success());
    answer_one(&server.client, "Undone by the restore?").await;
    let log = file(&directory, "audit.jsonl");
    export(&directory, &log, &[]);
    server.kill();
    let data = directory.path().join("data");
    for ending in ["-wal", "-shm"] {
        // SQLite may have removed them already.
        drop(std::fs::remove_file(
            data.join(format!("askback.db{ending}")),
        ));
    }
    std::fs::copy(&copy, data.join("askback.db")).expect("it is restored");
    let server = self::server(&directory, None);
    for text in ["Instead?", "And then?"] {
        answer_one(&server.client, text).await;
    }
    let refused = audit(&directory, &["--output", log.to_str().expect("a path")]);
    let error = String::from_utf8_lossy(&refused.stderr).into_owned();
    assert!(
        !refused.status.success() && error.contains("restored"),
        "{error}"
    );
    server.kill();
}

/// Every hand-on has an entry of its own, in order: who, from whom, to whom, why and when. It is no answer, so it is there
/// without `--with-answers`.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn hand_ons_are_exported() {
    let directory = Directory::new();
    let config = file(&directory, "askback.toml");
    let people = "[recipients.zoe]\nname = 'Zoë'\n[recipients.ben]\nname = 'Ben'\n";
    std::fs::write(&config, people).expect("it is written");
    let config = config.to_str().expect("a path");
    let server = Server::start_with(&directory, &["--config", config]);
    let question = NewInquiryParams {
        input: json!({"question": "Which?", "options": ["A", "B"]}),
        ..NewInquiryParams::default()
    };
    let asked = server.client.ask(&question).await.expect("it is asked");
    let mut times = Vec::new();
    for (to, reason) in [("zoe", None), ("ben", Some("He knows it.")), ("zoe", None)] {
        let params = HandOnParams {
            recipient: to.to_owned(),
            reason: reason.map(str::to_owned),
            revision: None,
        };
        let handed_on = server.client.hand_on(&asked.id, &params).await;
        let how = handed_on.expect("it is handed on").handed_on;
        times.push(how.expect("it says how").at);
    }
    let log = file(&directory, "audit.jsonl");
    export(&directory, &log, &[]);
    let entries = entries(&log);
    let known = |entry: &Value| {
        let fields = ["kind", "inquiry_id", "from", "to", "reason", "surface"];
        fields.map(|field| entry[field].clone())
    };
    let expected = [
        (Value::Null, "zoe", Value::Null),
        (json!("zoe"), "ben", json!("He knows it.")),
        (json!("ben"), "zoe", Value::Null),
    ];
    assert_eq!(entries.len(), expected.len(), "{entries:?}");
    for ((entry, (from, to, reason)), at) in entries.iter().zip(expected).zip(times) {
        let to = json!(to);
        let expected = [
            json!("handed_on"),
            json!(asked.id),
            from,
            to,
            reason,
            json!("http"),
        ];
        assert_eq!(known(entry), expected);
        assert_eq!(entry["recorded_at"], json!(at));
    }
    let verified = verified(&directory, &[&log]);
    assert!(verified.status.success(), "{verified:?}");
}

#[tokio::test]
async fn pages_are_followed_as_those_of_other_lists() {
    let directory = Directory::new();
    let server = server(&directory, None);
    let id = answer_one(&server.client, "Which?").await;
    let page = get_json(&server, "/audit");
    let entries = page["items"].as_array().expect("a list");
    assert_eq!(entries.len(), 1);
    assert_eq!(entries[0]["inquiry_id"], id.as_str());
    let next = page["next"].as_str().expect("a cursor");
    let rest = get_json(&server, &format!("/audit?cursor={next}"));
    assert_eq!((&rest["items"], &rest["next"]), (&json!([]), &Value::Null));
    let headers = [("Host", "localhost"), ("Authorization", &bearer())];
    let (status, reply) = raw(&server, &request("GET /audit?cursor=x", &headers));
    let refused: Value = serde_json::from_str(body(&reply)).expect("JSON");
    assert_eq!((status, &refused["code"]), (400, &json!("invalid_query")));
}
