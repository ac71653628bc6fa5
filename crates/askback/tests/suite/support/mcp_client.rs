//! A scripted MCP client on the standard streams of `askback mcp`.

use std::cell::Cell;
use std::io::{BufReader, Write as _};
use std::path::PathBuf;
use std::process::{Child, ChildStdin, Stdio};

use askback_client::Client;
use askback_wire::discovery::Discovery;
use serde_json::{Value, json};

use super::run_binary::{askback, command};
use super::server_process::Directory;
use super::timeout::{Lines, within};

/// Which protocol the client speaks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Era {
    /// With `initialize`.
    Old,
    /// Without: every request says who calls.
    New,
}

/// An agent with its `askback mcp`, which is killed with the test.
pub(crate) struct Agent {
    child: Child,
    stdin: Option<ChildStdin>,
    lines: Lines,
    era: Era,
    name: &'static str,
    capabilities: Value,
    next: Cell<i64>,
}

/// The data directory of the agents of a test.
pub(crate) fn data(directory: &Directory) -> PathBuf {
    directory.path().join("data")
}

impl Agent {
    /// An agent that works in the test's directory.
    pub(crate) fn start(directory: &Directory, era: Era, args: &[&str]) -> Agent {
        Agent::named(directory, "test-agent", era, args)
    }

    /// The same with another client name.
    pub(crate) fn named(
        directory: &Directory,
        name: &'static str,
        era: Era,
        args: &[&str],
    ) -> Agent {
        Agent::with_capabilities(directory, (name, era), args, json!({}))
    }

    /// The same for a client that can do more.
    pub(crate) fn with_capabilities(
        directory: &Directory,
        (name, era): (&'static str, Era),
        args: &[&str],
        capabilities: Value,
    ) -> Agent {
        Agent::spawn(directory, (name, era), args, (capabilities, None))
    }

    /// An agent whose client names its session, as Claude Code does.
    pub(crate) fn in_session(directory: &Directory, session: &str, args: &[&str]) -> Agent {
        Agent::named_in_session(directory, "test-agent", session, args)
    }

    /// The same with another client name.
    pub(crate) fn named_in_session(
        directory: &Directory,
        name: &'static str,
        session: &str,
        args: &[&str],
    ) -> Agent {
        let state = (json!({}), Some(session));
        Agent::spawn(directory, (name, Era::New), args, state)
    }

    fn spawn(
        directory: &Directory,
        (name, era): (&'static str, Era),
        args: &[&str],
        (capabilities, session): (Value, Option<&str>),
    ) -> Agent {
        let mut command = command(&["mcp", "--data"]);
        command.env_remove("CLAUDE_CODE_SESSION_ID");
        if let Some(session) = session {
            command.env("CLAUDE_CODE_SESSION_ID", session);
        }
        let mut child = command
            .arg(data(directory))
            .args(args)
            .current_dir(directory.path())
            .env_remove("CLAUDE_PROJECT_DIR")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .expect("the binary starts");
        let out = BufReader::new(child.stdout.take().expect("standard output is a pipe"));
        let mut agent = Agent {
            stdin: child.stdin.take(),
            child,
            lines: Lines::of(out),
            era,
            name,
            capabilities,
            next: Cell::new(1),
        };
        agent.open();
        agent
    }

    fn open(&mut self) {
        if self.era == Era::New {
            let id = self.request("server/discover", json!({}));
            let found = self.response(id);
            let about = &found["result"]["_meta"]["io.modelcontextprotocol/serverInfo"];
            assert_eq!(about["name"], "askback", "{found}");
            return;
        }
        let id = self.request(
            "initialize",
            json!({
                "protocolVersion": "2025-06-18",
                "capabilities": self.capabilities,
                "clientInfo": {"name": self.name, "version": "1"},
            }),
        );
        let begun = self.response(id);
        assert_eq!(begun["result"]["serverInfo"]["name"], "askback", "{begun}");
        self.write(&json!({"jsonrpc": "2.0", "method": "notifications/initialized"}));
    }

    /// Sends a message as it is.
    pub(crate) fn write(&mut self, message: &Value) {
        self.write_line(&message.to_string());
    }

    /// Sends a line as it is.
    pub(crate) fn write_line(&mut self, line: &str) {
        let stdin = self.stdin.as_mut().expect("it is open");
        writeln!(stdin, "{line}").expect("it is read");
        stdin.flush().expect("it is read");
    }

    /// Sends a request; returns its id.
    pub(crate) fn request(&mut self, method: &str, mut params: Value) -> i64 {
        let id = self.next.replace(self.next.get() + 1);
        if self.era == Era::New {
            params["_meta"]["io.modelcontextprotocol/protocolVersion"] = json!("2026-07-28");
            params["_meta"]["io.modelcontextprotocol/clientInfo"] =
                json!({"name": self.name, "version": "1"});
            params["_meta"]["io.modelcontextprotocol/clientCapabilities"] =
                self.capabilities.clone();
        }
        self.write(&json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params}));
        id
    }

    /// The next message, whatever it is.
    pub(crate) fn message(&self) -> Value {
        let line = self.lines.next().expect("askback goes on");
        serde_json::from_str(&line).expect("a line is JSON")
    }

    /// The response to a request; other messages before it are skipped.
    pub(crate) fn response(&self, id: i64) -> Value {
        loop {
            let message = self.message();
            if message["id"] == id {
                return message;
            }
        }
    }

    /// Begins a tool call.
    pub(crate) fn begin(&mut self, tool: &str, arguments: &Value) -> i64 {
        self.request("tools/call", json!({"name": tool, "arguments": arguments}))
    }

    /// Calls a tool and gives its result.
    pub(crate) fn call(&mut self, tool: &str, arguments: &Value) -> Value {
        let id = self.begin(tool, arguments);
        self.result(id)
    }

    /// The result of a call.
    pub(crate) fn result(&self, id: i64) -> Value {
        let response = self.response(id);
        assert!(response["result"].is_object(), "{response}");
        response["result"].clone()
    }

    /// Cancels a call, as a client does after its time-out.
    pub(crate) fn give_up(&mut self, id: i64) {
        self.write(&json!({
            "jsonrpc": "2.0",
            "method": "notifications/cancelled",
            "params": {"requestId": id, "reason": "timed out"},
        }));
    }

    /// Sends SIGKILL.
    pub(crate) fn kill(mut self) {
        self.child.kill().expect("it can be killed");
        self.child.wait().expect("it is gone");
    }

    /// Closes its input, as an ending agent does; returns the exit code.
    pub(crate) fn leave(mut self) -> Option<i32> {
        drop(self.stdin.take());
        self.child.wait().expect("it ends").code()
    }
}

impl Drop for Agent {
    fn drop(&mut self) {
        drop(self.child.kill());
        drop(self.child.wait());
    }
}

/// A client of the server that the agents of a test use.
pub(crate) async fn server_of(directory: &Directory) -> Client {
    within("a server runs", async {
        loop {
            let found = Discovery::read(&data(directory)).expect("it can be read");
            if let Some(found) = found
                && let Ok(client) = Client::discovered(&found)
                && client.health().await.is_ok()
            {
                return client;
            }
            tokio::time::sleep(std::time::Duration::from_millis(20)).await;
        }
    })
    .await
}

/// The ids of the questions that are open.
pub(crate) async fn open(client: &Client) -> Vec<String> {
    let pending = askback_wire::list::ListInquiriesParams {
        status: Some(askback_wire::inquiry::InquiryStatus::Pending),
        limit: Some(200),
        ..askback_wire::list::ListInquiriesParams::default()
    };
    let page = client.inquiries(&pending).await.expect("they are listed");
    page.items
        .iter()
        .map(|inquiry| inquiry.id.to_string())
        .collect()
}

/// The id of the only question, once it is open.
pub(crate) async fn only_open(client: &Client) -> String {
    within("one question is open", async {
        loop {
            if let [only] = open(client).await.as_slice() {
                return only.clone();
            }
            tokio::time::sleep(std::time::Duration::from_millis(20)).await;
        }
    })
    .await
}

/// Runs `askback answer` on a question.
pub(crate) fn answer(directory: &Directory, id: &str, how: &[&str]) {
    let data = data(directory);
    let mut args = vec!["answer", id, "--data", data.to_str().expect("a path")];
    args.extend(how);
    let run = askback(&args, "");
    assert_eq!(run.code, Some(0), "{run:?}");
}

/// A question with two choices.
pub(crate) fn question(text: &str) -> Value {
    json!({"questions": [{
        "question": text,
        "header": "Choice",
        "options": [{"label": "PostgreSQL"}, {"label": "SQLite"}],
    }]})
}
