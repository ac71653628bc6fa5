//! The examples of docs/webhooks.md accept what the server sends, and nothing else.

use std::fs;
use std::process::Command;

use serde_json::json;

use super::support::server_process::Directory;
use super::support::webhook_signature::is_genuine;
use super::webhooks::{Receiver, answer, ask, header, secret, serve};

const DOCUMENT: &str = include_str!("../../../../docs/webhooks.md");

/// The code of the documentation in one language.
fn example(language: &str) -> &'static str {
    let fence = format!("```{language}\n");
    let (_, rest) = DOCUMENT.split_once(&fence).expect("an example");
    rest.split_once("```").expect("it ends").0
}

/// A delivery to verify: expected verdict, secret, header, body and description.
type Case = (bool, String, String, String, &'static str);

/// What a real server sent, before and during a rotation, and the same with something wrong.
async fn cases() -> Vec<Case> {
    let directory = Directory::new();
    let server = serve(&directory);
    let receiver = Receiver::start(&[200]).await;
    let old = secret(&directory, &[]);
    let new = secret(&directory, &["rotate"]);
    let asked = ask(&server, &receiver, None).await;
    answer(&server, &asked).await;
    let (head, body) = receiver.deliveries(1).await.remove(0);
    let sent = header(&head, "askback-signature")
        .expect("it is signed")
        .to_owned();
    let (time, signatures) = sent.split_once(',').expect("a time first");
    let early = format!("t=1{},{signatures}", "0".repeat(9));
    let case = |genuine, secret: &str, header: &str, body: &str, what| {
        (
            genuine,
            secret.to_owned(),
            header.to_owned(),
            body.to_owned(),
            what,
        )
    };
    vec![
        case(true, &new, &sent, &body, "with the new secret"),
        case(true, &old, &sent, &body, "with the old secret"),
        case(false, "whsec_other", &sent, &body, "another secret"),
        case(false, &new, &sent, &format!("{body} "), "another body"),
        case(false, &new, &early, &body, "another time"),
        case(false, &new, signatures, &body, "no time"),
        case(false, &new, &format!("{time},{sent}"), &body, "two times"),
        case(false, &new, time, &body, "no signature"),
        case(
            false,
            &new,
            &format!("{time},v1="),
            &body,
            "an empty signature",
        ),
        case(
            false,
            &new,
            &format!("{time},v1=zz"),
            &body,
            "no hexadecimal",
        ),
        case(false, &new, "", &body, "an empty header"),
        case(false, &new, ",=,t,v1", &body, "nonsense"),
    ]
}

/// Runs an example with the cases as JSON on its standard input; it prints one verdict a line.
async fn verdicts_of(interpreter: &str, name: &str, program: String) {
    let skipped = std::env::var("ASKBACK_TEST_SKIP").unwrap_or_default();
    if skipped.split(',').any(|skip| skip == interpreter) {
        eprintln!("skipped: the example for {interpreter}");
        return;
    }
    let cases = cases().await;
    let directory = Directory::new();
    let (file, input) = (
        directory.path().join(name),
        directory.path().join("cases.json"),
    );
    fs::write(&file, program).expect("it is written");
    let rows = cases.iter().map(|it| json!([it.1, it.2, it.3]));
    fs::write(&input, json!(rows.collect::<Vec<_>>()).to_string()).expect("it is written");
    let run = Command::new(interpreter).arg(&file).arg(&input).output();
    let run = run.unwrap_or_else(|error| {
        panic!(
            "{interpreter} cannot be run ({error}); ASKBACK_TEST_SKIP={interpreter} skips this test"
        )
    });
    let complaint = String::from_utf8_lossy(&run.stderr).into_owned();
    let printed = String::from_utf8(run.stdout).expect("text");
    let found: Vec<&str> = printed.lines().collect();
    let names = |genuine: bool| if genuine { "true" } else { "false" };
    let whats = cases.iter().map(|it| it.4);
    let found: Vec<(&str, &str)> = whats.zip(found).collect();
    let expected: Vec<(&str, &str)> = cases.iter().map(|it| (it.4, names(it.0))).collect();
    assert_eq!(found, expected, "{complaint}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn python_example_checks_signatures() {
    let driver = "
import json, sys

for secret, header, body in json.load(open(sys.argv[1])):
    print(str(is_genuine(secret, header, body.encode())).lower())
";
    verdicts_of(
        "python3",
        "check.py",
        format!("{}{driver}", example("python")),
    )
    .await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn javascript_example_checks_signatures() {
    let driver = "
import { readFileSync } from 'node:fs';

for (const [secret, header, body] of JSON.parse(readFileSync(process.argv[2], 'utf8')))
  console.log(isGenuine(secret, header, Buffer.from(body)));
";
    verdicts_of(
        "node",
        "check.mjs",
        format!("{}{driver}", example("javascript")),
    )
    .await;
}

/// The Rust example is compiled into these tests, to the letter.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn rust_example_checks_signatures() {
    let compiled = include_str!("support/webhook_signature.rs");
    let (_, compiled) = compiled.split_once("\n\n").expect("code");
    assert_eq!(compiled, example("rust"));
    for (genuine, secret, header, body, what) in cases().await {
        assert_eq!(
            is_genuine(&secret, &header, body.as_bytes(), 300),
            genuine,
            "{what}"
        );
    }
}
