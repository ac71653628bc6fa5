//! Without a terminal no prompt is drawn: the question stays pending, and output is plain text.

use std::fs;
use std::time::Duration;

use askback_wire::inquiry::InquiryStatus;
use serde_json::json;
use tokio::time::Instant;

use super::support::pty::Pty;
use super::support::run_binary::askback;
use super::support::server_process::{Directory, Server, TOKEN};
use super::support::timeout::clock_counts;

/// How the command is run: `{}` stands for it, `err` is where its standard error goes if that is not
/// the terminal.
const WAYS: [(&str, &str); 7] = [
    ("standard input is closed", "{} <&-"),
    ("standard input is a pipe", "echo | {}"),
    (
        "standard error is a pipe",
        "{ {}; code; } 2>&1 >/dev/null | cat > err; true",
    ),
    ("CI is set", "CI=1 {}"),
    ("no controlling terminal", "setsid -w {} < /dev/null 2> err"),
    (
        "no controlling terminal, but wanted",
        "echo | setsid -w {} --tty 2> err",
    ),
    (
        "everything is redirected",
        "{} < /dev/null > /dev/null 2> err",
    ),
];

/// Returns the exit code, the output, and how long it took.
fn run(directory: &Directory, way: &str) -> (String, String, Duration) {
    let path = directory.path().display();
    let ask = format!(
        "\"$ASKBACK\" ask --durable --source builder --data {path}/data --json {path}/question.json"
    );
    let script = way
        .replace("{}", &ask)
        .replace("err", &format!("{path}/err"));
    let script = if script.contains("code;") {
        script.replace("code;", &format!("echo $? > {path}/code;"))
    } else {
        format!("{script}; echo $? > {path}/code")
    };
    fs::write(directory.path().join("err"), "").expect("the file is written");
    let begun = Instant::now();
    let mut pty = Pty::shell(&script, &[("ASKBACK_TOKEN", TOKEN)]);
    pty.ends();
    let took = begun.elapsed();
    let read = |name: &str| fs::read_to_string(directory.path().join(name)).expect("it is there");
    (
        read("code").trim().to_owned(),
        pty.log() + &read("err"),
        took,
    )
}

#[tokio::test]
async fn without_a_terminal_the_question_stays_pending() {
    let directory = Directory::new();
    let server = Server::start(&directory, &json!({"steps": [{"say": "Hello"}]}));
    let path = directory.path().join("data");
    let path = path.to_str().expect("text");
    for (number, (what, way)) in WAYS.into_iter().enumerate() {
        let question = json!({"questions": [{"question": format!("Number {number}?"), "header": "Database",
            "options": ["PostgreSQL", "MongoDB"]}]});
        fs::write(directory.path().join("question.json"), question.to_string())
            .expect("it is written");
        let (code, said, took) = run(&directory, way);
        assert_eq!(code, "3", "{what}: {said}");
        assert!(!said.contains('\x1b'), "{what}: {said:?}");
        let list = askback(&["list", "--json", "--data", path, "--token", TOKEN], "");
        let all: Vec<serde_json::Value> = list
            .out
            .lines()
            .map(|line| serde_json::from_str(line).expect("JSON"))
            .collect();
        assert_eq!(all.len(), number + 1, "{what}: {list:?}");
        let found = all
            .iter()
            .find(|one| one["questions"][0]["text"] == format!("Number {number}?"));
        let found = found.unwrap_or_else(|| panic!("{what}: {list:?}"));
        assert_eq!(found["status"], json!(InquiryStatus::Pending), "{what}");
        let id = found["id"].as_str().expect("an id");
        assert!(said.contains(id), "{what}: {said}");
        let link = format!("{}/q/{id}", server.client.base_url().trim_end_matches('/'));
        assert!(said.contains(&link), "{what}: {said}");
        // A second is the promise.
        let is_quick = took < Duration::from_secs(1);
        assert!(is_quick || !clock_counts(), "{what}: {took:?}");
    }
    server.kill();
}

/// If only standard output is a pipe, the person is asked, and the pipe gets one line of JSON.
#[test]
fn piped_stdout_still_asks_at_the_terminal() {
    let directory = Directory::new();
    let path = directory.path().display();
    let question = json!({"questions": [{"question": "Which?", "header": "Database",
        "options": ["PostgreSQL", "MongoDB"]}]});
    fs::write(directory.path().join("question.json"), question.to_string()).expect("it is written");
    let script =
        format!("\"$ASKBACK\" ask --output json --json {path}/question.json | cat > {path}/out");
    let mut pty = Pty::shell(&script, &[]);
    pty.shows("enter select");
    pty.send("\x1b[B\r");
    assert_eq!(pty.ends(), 0);
    let out = fs::read_to_string(directory.path().join("out")).expect("it is written");
    assert_eq!(
        out,
        "{\"answers\":{\"q1\":{\"values\":[\"MongoDB\"]}},\"type\":\"answered\"}\n"
    );
    assert_eq!(pty.screen(), ["✔ Database: MongoDB"]);
}
