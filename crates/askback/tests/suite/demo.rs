//! `askback demo` from the first key to its end, and killed in between.

use super::support::pty::{Pty, until};
use super::support::server_process::Directory;

fn demo(directory: &Directory) -> Pty {
    let data = directory.path().join("data");
    let data = data.to_str().expect("the path is text").to_owned();
    let vars = [("ASKBACK_ARM_MS", "0")];
    Pty::with(&["demo", "--data", &data], &vars, (80, 24))
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

/// T18, T08: every kind of question; then a kill with a half-typed answer, a restart, and the end.
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
    again.shows("Chat with General assistant");
    again.send("\x03");
    assert_eq!(again.ends(), 130);
    again.shows("Continue with askback demo");
}

/// The printed link opens the web pages.
#[test]
fn demo_prints_a_browser_link() {
    let directory = Directory::new();
    let pty = demo(&directory);
    pty.shows("Which database should the service use?");
    let log = pty.log();
    assert!(
        log.contains("Open in a browser: http://127.0.0.1:"),
        "{log}"
    );
    assert!(log.contains("/?token="), "{log}");
    pty.kill();
}
