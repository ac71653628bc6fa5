//! `askback demo` from the first key to its end, and killed in between.

use super::support::pty::{Pty, until};
use super::support::server_process::Directory;

fn demo(directory: &Directory) -> Pty {
    demo_with(directory, &[])
}

fn demo_with(directory: &Directory, flags: &[&str]) -> Pty {
    let data = directory.path().join("data");
    let data = data.to_str().expect("the path is text").to_owned();
    let vars = [("ASKBACK_ARM_MS", "0")];
    let args = [&["demo", "--data", &data][..], flags].concat();
    Pty::with(&args, &vars, (80, 24))
}

/// Whether the store holds a text yet.
fn stored(directory: &Directory, text: &str) -> bool {
    let files = std::fs::read_dir(directory.path().join("data"));
    files.into_iter().flatten().flatten().any(|file| {
        let bytes = std::fs::read(file.path()).unwrap_or_default();
        bytes
            .windows(text.len())
            .any(|window| window == text.as_bytes())
    })
}

/// The link for the browser scrolls away with the first questions. The menu of the chat prints it again.
#[test]
fn menu_of_the_chat_shows_the_link_again() {
    let directory = Directory::new();
    let mut pty = demo(&directory);
    pty.shows("Which database should the service use?");
    pty.send("\x1b");
    pty.shows("Leave this question?");
    pty.send("G\r");
    pty.shows("Stop the agent?");
    pty.send("y");
    pty.shows("Chat with General assistant");
    let links = |pty: &Pty| pty.log().matches("Open in a browser: http").count();
    let before = links(&pty);
    assert_eq!(before, 1, "{}", pty.log());
    pty.send("\x1b");
    pty.shows("Show the link for the browser");
    pty.send("G\r");
    until("the link is printed again", || links(&pty) == 2);
    pty.send("\x03");
    assert_eq!(pty.ends(), 130);
}

/// Every kind of question; then a kill with a half-typed answer, a restart, and the end.
#[test]
fn demo_reaches_its_end_and_resumes_after_a_kill() {
    let directory = Directory::new();
    let mut pty = demo(&directory);
    pty.shows("Which database should the service use?");
    pty.send("2");
    pty.shows("✔ Database: SQLite");
    pty.shows("What should the first version have?");
    pty.send("23\r");
    pty.shows("✔ Features: Search, Export");
    pty.shows("What should the service be called?");
    pty.send("3Half a loaf\r");
    pty.shows("✔ Name: Half a loaf (own answer)");
    pty.shows("When should the first version be ready?");
    pty.send("2030-01-31\r");
    pty.shows("2030-01-31. Next, three at once");
    pty.shows("Where should it run?");
    pty.send("1");
    pty.shows("Who may use it?");
    pty.send("3");
    pty.shows("Which languages should it support?");
    pty.send("1\r");
    pty.shows("Check your answers before they are sent");
    pty.send("\x13");
    pty.shows("✔ Languages: English");
    pty.shows("✔ spawn_agents: cost, risk");
    pty.shows("What is the password of your mailbox?");
    pty.send("\x1b");
    pty.shows("Leave this question?");
    pty.send("G\r");
    pty.shows("Stop the agent?");
    pty.send("y");
    pty.shows("✘ Password: agent stopped");
    pty.shows("Chat with General assistant");
    pty.send("go on\r");
    pty.shows("What would you let an agent do");
    pty.send("Mow the la");
    pty.shows("› Mow the la");
    until("the draft is stored", || stored(&directory, "Mow the la"));
    pty.kill();

    let mut again = demo(&directory);
    again.shows("Welcome back");
    again.shows("› Mow the la");
    again.send("wn\r");
    again.shows("And you said: Mow the lawn");
    again.shows("• Database: SQLite");
    again.shows("1. askback install");
    again.shows("Chat with General assistant");
    again.send("\x03");
    assert_eq!(again.ends(), 130);
    again.shows("Continue with askback demo");
}

/// The address that a demo prints: its port, and the page that it opens.
fn printed_link(pty: &Pty) -> (u16, String) {
    pty.shows("Which database should the service use?");
    let log = pty.log();
    let start = "Open in a browser: http://127.0.0.1:";
    let (_, link) = log.split_once(start).unwrap_or_else(|| panic!("{log}"));
    // A long link is wrapped.
    let link: String = link
        .split('\x1b')
        .next()
        .unwrap_or_default()
        .split("\r\n\r\n")
        .next()
        .unwrap_or_default()
        .split_whitespace()
        .collect();
    let (port, page) = link.split_once('/').expect("a path");
    (port.parse().expect("a port"), format!("/{page}"))
}

/// The printed link opens the conversation of the demo, not a new one.
#[test]
fn demo_link_opens_its_conversation() {
    let directory = Directory::new();
    let pty = demo(&directory);
    let (port, page) = printed_link(&pty);
    assert!(page.starts_with("/c/cnv_"), "{page}");
    assert!(page.contains("?token="), "{page}");
    let line = format!("Open in a browser: http://127.0.0.1:{port}{page}");
    assert!(line.len() <= 120, "it fits in a line: {line}");
    pty.kill();
}

/// An open browser tab goes on after a restart, because the port is the same.
#[test]
fn demo_keeps_its_port() {
    let directory = Directory::new();
    let first = demo(&directory);
    let (port, page) = printed_link(&first);
    first.kill();
    let again = demo(&directory);
    let resumed = printed_link(&again);
    assert_eq!(resumed, (port, page), "the same page of the same server");
    again.kill();
    // Another program has taken the port.
    let other = std::net::TcpListener::bind(("127.0.0.1", port)).expect("the port is free");
    let third = demo(&directory);
    let (elsewhere, _) = printed_link(&third);
    assert_ne!(elsewhere, port);
    third.kill();
    drop(other);
}

/// `--listen` names the address, and an address that is taken is an error.
#[test]
fn demo_listens_where_it_is_told() {
    let directory = Directory::new();
    let taken = std::net::TcpListener::bind("127.0.0.1:0").expect("a port");
    let address = taken.local_addr().expect("an address");
    let mut refused = demo_with(&directory, &["--listen", &address.to_string()]);
    refused.shows("another program uses this port");
    assert_eq!(refused.ends(), 1);
    drop(taken);
    let pty = demo_with(&directory, &["--listen", &address.to_string()]);
    assert_eq!(printed_link(&pty).0, address.port());
    let second = demo_with(&directory, &["--listen", "127.0.0.1:1"]);
    second.writes("--listen has no effect");
    second.kill();
    pty.kill();
}

/// The texts of the demo fit every surface. They name no key that only a terminal has without saying so.
#[test]
fn demo_speaks_of_no_key_that_a_browser_lacks() {
    let script = include_str!("../../../server/askback-agent/src/scripted/demo.json");
    let script: serde_json::Value = serde_json::from_str(script).expect("JSON");
    let mut said = Vec::new();
    collect_said(&script, &mut said);
    assert!(said.len() > 8, "{said:?}");
    for text in said {
        for word in ["arrow", "enter", "space", "tab ", "ctrl", "esc", " row "] {
            let rest = text.replace("(in the terminal, press esc first)", "");
            assert!(!rest.to_lowercase().contains(word), "{word}: {text}");
        }
    }
}

fn collect_said(value: &serde_json::Value, said: &mut Vec<String>) {
    match value {
        serde_json::Value::Object(fields) => {
            for (name, value) in fields {
                match value.as_str() {
                    Some(text) if name == "say" => said.push(text.to_owned()),
                    _ => collect_said(value, said),
                }
            }
        }
        serde_json::Value::Array(items) => items.iter().for_each(|item| collect_said(item, said)),
        serde_json::Value::Null
        | serde_json::Value::Bool(_)
        | serde_json::Value::Number(_)
        | serde_json::Value::String(_) => {}
    }
}
