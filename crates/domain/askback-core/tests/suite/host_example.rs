//! `examples/host.rs` does what docs/library.md says of it, and is as short.

use std::fs;
use std::io::{Read as _, Write as _};
use std::path::Path;
use std::process::{Child, Command, Stdio};

use tempfile::TempDir;

/// Where the example keeps what it asks.
struct Directory(TempDir);

impl Directory {
    fn new() -> Directory {
        Directory(tempfile::tempdir().expect("it can be made"))
    }

    fn host(&self) -> Child {
        let test = std::env::current_exe().expect("it has a path");
        let programs = test.ancestors().nth(2).expect("it is in deps");
        Command::new(programs.join("examples/host"))
            .current_dir(self.0.path())
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("cargo build --package askback-core --examples makes it")
    }

    /// What the host prints when this is typed.
    fn said(&self, typed: &str) -> String {
        let mut host = self.host();
        let mut input = host.stdin.take().expect("it is piped");
        input.write_all(typed.as_bytes()).expect("it is read");
        drop(input);
        let output = host.wait_with_output().expect("it ends");
        assert!(output.status.success(), "{output:?}");
        String::from_utf8(output.stdout).expect("it is text")
    }
}

#[test]
fn host_asks_until_the_answer_is_valid() {
    let directory = Directory::new();
    let question = "Which database?\n  - PostgreSQL\n  - SQLite\n";
    let said = directory.said("\nSQLite\n");
    let rest = said.strip_prefix(question).expect("it asks");
    let (problem, rest) = rest.split_once(question).expect("it asks again");
    assert!(!problem.is_empty(), "it says why");
    assert!(
        rest.starts_with("tool result: ") && rest.contains("SQLite"),
        "{rest}"
    );
    assert!(!directory.0.path().join("pending-call.json").exists());
}

#[test]
fn killed_host_asks_the_same_when_it_starts_again() {
    let directory = Directory::new();
    let mut host = directory.host();
    let mut asked = [0; 15];
    let output = host.stdout.as_mut().expect("it is piped");
    output.read_exact(&mut asked).expect("it asks");
    host.kill().expect("it runs");
    host.wait().expect("it ends");
    assert_eq!(&asked, b"Which database?");
    let kept =
        fs::read_to_string(directory.0.path().join("pending-call.json")).expect("it is kept");
    assert!(kept.contains("Which database?"), "{kept}");
    assert!(directory.said("PostgreSQL\n").contains("tool result: "));
}

#[test]
fn host_has_the_lines_that_the_page_promises() {
    let example = Path::new(env!("CARGO_MANIFEST_DIR")).join("examples/host.rs");
    let text = fs::read_to_string(example).expect("it can be read");
    let code = text
        .lines()
        .map(str::trim)
        .filter(|line| !line.is_empty() && !line.starts_with("//"));
    assert!(code.count() <= 60);
}
