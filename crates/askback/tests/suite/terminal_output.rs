//! Snapshots at 60 columns of output that no prompt draws by itself: the lines left in the
//! scrollback, line mode, and no terminal.

use std::fs;

use insta::assert_snapshot;
use serde_json::json;

use super::support::pty::Pty;
use super::support::run_binary::file;
use super::support::server_process::{Directory, Server, TOKEN};

/// Replaces what follows `start` and differs between runs: ids, ports, times.
fn redacted(text: &str, start: &str, is_part: impl Fn(char) -> bool) -> String {
    let mut out = String::new();
    let mut rest = text;
    while let Some(at) = rest.find(start) {
        let behind = at + start.len();
        out.push_str(&rest[..behind]);
        out.push('*');
        rest = rest[behind..].trim_start_matches(&is_part);
    }
    out + rest
}

const QUESTIONS: [(&str, &str); 5] = [
    (
        "one",
        r#"{"questions": [{"question": "Which database?", "header": "Database",
            "options": ["PostgreSQL", "MongoDB"]}]}"#,
    ),
    (
        "several",
        r#"{"questions": [{"question": "Which features?", "header": "Features", "multiSelect": true,
            "options": ["TypeScript", "ESLint + Prettier", "Testing"]}]}"#,
    ),
    (
        "own",
        r#"{"questions": [{"question": "Which package manager?", "header": "Package Mgr",
            "options": ["npm", "pnpm"]}]}"#,
    ),
    (
        "batch",
        r#"{"questions": [{"question": "Which providers?", "header": "Providers",
            "options": ["Google", "GitHub"]}, {"question": "Which auth method?",
            "header": "Auth Method", "options": ["OAuth 2.0", "JWT"]}]}"#,
    ),
    (
        "rejected",
        r#"{"questions": [{"question": "Where is it stored?", "header": "Storage",
            "options": ["Disk", "Memory"]}]}"#,
    ),
];

#[test]
fn f15_resolved_lines() {
    let inputs = QUESTIONS.map(|(name, question)| file(name, question));
    let script = inputs.iter();
    let script = script.map(|input| format!("\"$ASKBACK\" ask --json {input} > /dev/null"));
    let mut script: Vec<String> = script.collect();
    let region = r#"{"questions": [{"question": "Which region?", "header": "Region",
        "options": ["eu", "us"]}]}"#;
    let region = file("f15_expired.json", region);
    let expires = format!("\"$ASKBACK\" ask --expires-in 1s --json {region} > /dev/null");
    script.extend([expires, "echo end".to_owned()]);
    let script = script.join("; ");
    let mut pty = Pty::shell(&script, &[]);
    for (shows, keys) in [
        ("Which database?", "1"),
        ("Which features?", "12\r"),
        ("Which package manager?", "3bun\r"),
        ("Which providers?", "s1"),
        ("Check your answers", "\x13"),
        ("Where is it stored?", "\x1b"),
        ("Leave this question?", "G\r"),
        ("Stop the agent?", "y"),
    ] {
        pty.shows(shows);
        pty.send(keys);
    }
    pty.shows("end");
    assert_eq!(pty.ends(), 0);
    let is_time = |ch: char| ch.is_ascii_digit() || ch == ':';
    assert_snapshot!(
        "f15",
        redacted(&pty.screen().join("\n"), "no answer by ", is_time)
    );
}

#[test]
fn f17_line_by_line() {
    let question = r#"{"questions": [
        {"question": "Which database should we use for this project?", "header": "Database", "options": [
            {"label": "PostgreSQL (Recommended)", "description": "Robust relational DB."},
            {"label": "MongoDB", "description": "Document DB."}]},
        {"question": "Which features should we enable?", "header": "Features", "multiSelect": true,
            "options": ["TypeScript", "Testing"]}]}"#;
    let input = file("f17.json", question);
    let script = format!("\"$ASKBACK\" ask --source builder --json {input} > /dev/null");
    let mut pty = Pty::shell(&script, &[("ACCESSIBLE", "1")]);
    for (shows, keys) in [
        ("Type 1 to 3, or ? for help:", "2\n"),
        ("separated by commas", "1, 2\n"),
        ("Check your answers", "\n"),
    ] {
        pty.shows(shows);
        pty.send(keys);
    }
    assert_eq!(pty.ends(), 0);
    assert_snapshot!("f17", pty.log().replace('\r', ""));
}

#[tokio::test]
async fn f18_nobody_there() {
    let directory = Directory::new();
    let server = Server::start(&directory, &json!({"steps": [{"say": "Hello"}]}));
    let path = directory.path().display();
    let (_, question) = QUESTIONS[0];
    fs::write(directory.path().join("question.json"), question).expect("it is written");
    let script = format!(
        "\"$ASKBACK\" ask --durable --source builder --json {path}/question.json \
         < /dev/null; echo \"exit $?\""
    );
    let data = format!("{path}/data");
    let mut pty = Pty::shell(
        &script,
        &[("ASKBACK_TOKEN", TOKEN), ("ASKBACK_DATA", &data)],
    );
    pty.shows("exit 3");
    pty.ends();
    server.kill();
    let said = redacted(&pty.log().replace('\r', ""), "inq_", char::is_alphanumeric);
    let is_port = |ch: char| ch.is_ascii_digit();
    assert_snapshot!("f18", redacted(&said, "127.0.0.1:", is_port));
}
