//! The programs of docs/your-own-agent.md ask, wait and print the answers.

use std::cell::RefCell;
use std::fs;
use std::process::{Command, Stdio};

use serde_json::{Value, json};

use super::support::pty::until;
use super::support::raw_http::{bearer, get_json, post_json};
use super::support::server_process::{Directory, Server};

const DOCUMENT: &str = include_str!("../../../../docs/your-own-agent.md");

/// Runs the program of one language, and answers what it asks.
fn answers_of(interpreter: &str, language: &str, name: &str) -> Option<String> {
    let skipped = std::env::var("ASKBACK_TEST_SKIP").unwrap_or_default();
    if skipped.split(',').any(|skip| skip == interpreter) {
        eprintln!("skipped: the example for {interpreter}");
        return None;
    }
    let (_, rest) = DOCUMENT
        .split_once(&format!("```{language}\n"))
        .expect("an example");
    let program = rest.split_once("```").expect("it ends").0;
    let lines = program.lines().filter(|line| !line.trim().is_empty());
    assert!(lines.count() <= 20, "{language} is too long");
    let directory = Directory::new();
    let server = Server::start_with(&directory, &[]);
    let file = directory.path().join(name);
    fs::write(&file, program).expect("it is written");
    let token = bearer();
    let spawned = Command::new(interpreter)
        .arg(&file)
        .env("ASKBACK_URL", &server.address)
        .env("ASKBACK_TOKEN", token.trim_start_matches("Bearer "))
        .stdout(Stdio::piped())
        .spawn();
    let program = spawned.unwrap_or_else(|error| {
        panic!(
            "{interpreter} cannot be run ({error}); ASKBACK_TEST_SKIP={interpreter} skips this test"
        )
    });
    let program = RefCell::new(program);
    let find = || get_json(&server, "/inquiries?key=deploy-42")["items"][0].clone();
    until("a question, or the end of the program", || {
        !find().is_null()
            || program
                .borrow_mut()
                .try_wait()
                .is_ok_and(|end| end.is_some())
    });
    let inquiry = find();
    let path = format!(
        "/inquiries/{}/answer",
        inquiry["id"].as_str().expect("a question")
    );
    let answers = json!({"answers": {"db": "SQLite", "go": true}});
    let (status, reply) = post_json(&server, &path, &[], &answers);
    assert_eq!(status, 200, "{reply}");
    let output = program.into_inner().wait_with_output().expect("it ends");
    assert!(output.status.success());
    Some(String::from_utf8(output.stdout).expect("text"))
}

fn check(interpreter: &str, language: &str, name: &str) {
    let Some(printed) = answers_of(interpreter, language, name) else {
        return;
    };
    let printed: Value = serde_json::from_str(&printed).expect("JSON");
    assert_eq!(printed, json!({"db": "SQLite", "go": true}));
}

#[test]
fn python_asks_and_waits() {
    check("python3", "python", "agent.py");
}

#[test]
fn javascript_asks_and_waits() {
    check("node", "javascript", "agent.mjs");
}

#[test]
fn curl_asks_and_waits() {
    if let Some(printed) = answers_of("sh", "sh", "agent.sh") {
        let printed: Value = serde_json::from_str(&printed).expect("JSON");
        assert_eq!(printed["status"], "answered");
        assert_eq!(printed["outcome"]["answers"][0]["value"], "SQLite");
    }
}
