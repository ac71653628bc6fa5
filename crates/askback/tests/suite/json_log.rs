//! Goal: `askback serve --log json` prints JSON objects and nothing else, on both outputs, whether it starts or not, and
//! no token.

use std::io::{BufRead as _, BufReader, Read as _};
use std::process::{Child, ChildStdout, Stdio};

use serde_json::Value;

use super::support::run_binary::command;
use super::support::server_process::Directory;

/// A server that logs JSON.
pub(crate) struct JsonServer {
    child: Child,
    stdout: BufReader<ChildStdout>,
    /// Its first line.
    pub(crate) started: Value,
}

fn object(line: &str) -> Value {
    let value: Value = serde_json::from_str(line).unwrap_or_else(|_| panic!("JSON: {line:?}"));
    assert!(value.is_object(), "{line}");
    value
}

impl JsonServer {
    pub(crate) fn start(directory: &Directory, args: &[&str]) -> JsonServer {
        let mut child = command(&[
            "serve",
            "--log",
            "json",
            "--listen",
            "127.0.0.1:0",
            "--data",
        ])
        .arg(directory.path().join("data"))
        .args(args)
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the server starts");
        let mut stdout = BufReader::new(child.stdout.take().expect("it is a pipe"));
        let mut line = String::new();
        stdout.read_line(&mut line).expect("it is read");
        JsonServer {
            started: object(&line),
            child,
            stdout,
        }
    }

    /// Stops it; returns what it has logged.
    pub(crate) fn stop(mut self) -> Vec<Value> {
        let pid = self.child.id().to_string();
        let sent = std::process::Command::new("kill").arg(&pid).status();
        assert!(sent.expect("kill runs").success());
        let (mut out, mut err) = (String::new(), String::new());
        self.stdout.read_to_string(&mut out).expect("it is read");
        let mut stderr = self.child.stderr.take().expect("it is a pipe");
        stderr.read_to_string(&mut err).expect("it is read");
        assert!(self.child.wait().expect("it ends").success());
        assert_eq!(out, "", "one line says that it listens");
        err.lines().map(object).collect()
    }
}

#[test]
fn server_that_starts_prints_json_alone() {
    let directory = Directory::new();
    let server = JsonServer::start(&directory, &[]);
    let fields = server.started["fields"].clone();
    assert_eq!(server.started["level"], "INFO");
    assert_eq!(fields["message"], "listening");
    let address = fields["address"].as_str().expect("an address").to_owned();
    assert!(address.starts_with("http://127.0.0.1:"), "{fields}");
    assert_eq!(fields["openapi"], format!("{address}/openapi.json"));
    let file = fields["token_file"].as_str().expect("a file").to_owned();
    let token = std::fs::read_to_string(file).expect("the token is there");
    let log = server.stop();
    assert!(
        log.iter()
            .any(|event| event["fields"]["message"] == "stopping"),
        "{log:?}"
    );
    assert!(!fields.to_string().contains(token.trim()));
}

#[test]
fn server_that_cannot_start_prints_json_alone() {
    let directory = Directory::new();
    let data = directory.path().join("data").display().to_string();
    let failed = command(&["serve", "--log", "json", "--data", &data])
        .args(["--listen", "127.0.0.1:0", "--store", "nowhere"])
        .output()
        .expect("it runs");
    assert_eq!(failed.status.code(), Some(1));
    assert_eq!(String::from_utf8_lossy(&failed.stdout), "");
    let log = String::from_utf8_lossy(&failed.stderr);
    let events: Vec<Value> = log.lines().map(object).collect();
    let last = events.last().expect("an error");
    assert_eq!(last["level"], "ERROR");
    let message = last["fields"]["message"].to_string();
    assert!(message.contains("--store takes"), "{message}");
}
