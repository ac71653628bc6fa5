//! Runs `askback serve` and talks to it through the client.

use std::fs;
use std::io::BufReader;
use std::path::Path;
use std::process::{Child, Command, Stdio};

use askback_client::{Client, EventStream, FeedItem};
use askback_core::id::ConversationId;
use askback_wire::conversation::{
    ConversationDetailResponse, ConversationResponse, NewConversationParams, ReadConversationParams,
};
use askback_wire::event::{EventResponse, StateChangeEvent};
use askback_wire::respond::RespondParams;
use askback_wire::token::Token;
use serde_json::Value;
use tempfile::TempDir;

use super::run_binary::command;
use super::timeout::{Lines, within};

pub(crate) const TOKEN: &str = "a-token-for-tests-only";

/// Removed with the test.
pub(crate) struct Directory(TempDir);

impl Directory {
    pub(crate) fn new() -> Directory {
        let made = tempfile::tempdir_in(env!("CARGO_TARGET_TMPDIR"));
        Directory(made.expect("the directory can be made"))
    }

    pub(crate) fn path(&self) -> &Path {
        self.0.path()
    }
}

/// Killed with the test.
pub(crate) struct Server {
    child: Child,
    pub(crate) address: String,
    pub(crate) client: Client,
}

impl Server {
    /// Starts a server on a data directory, playing a script.
    pub(crate) fn start(directory: &Directory, script: &Value) -> Server {
        let path = directory.path().join("script.json");
        fs::write(&path, script.to_string()).expect("the script can be written");
        let provider = format!("scripted:{}", path.display());
        Server::start_with(directory, &["--provider", &provider])
    }

    /// Starts a server on a data directory with further arguments.
    pub(crate) fn start_with(directory: &Directory, args: &[&str]) -> Server {
        let started = Server::try_start_at(directory, "127.0.0.1:0", args, &[]);
        started.unwrap_or_else(|log| panic!("no server: {log}"))
    }

    /// Starts a server at an address, with further variables in its environment. If it does not start,
    /// returns its log.
    pub(crate) fn try_start_at(
        directory: &Directory,
        address: &str,
        args: &[&str],
        env: &[(&str, &str)],
    ) -> Result<Server, String> {
        let log = fs::OpenOptions::new()
            .create(true)
            .append(true)
            .open(directory.path().join("server.log"))
            .expect("the log can be written");
        let data = directory.path().join("data");
        let mut child = command(&["serve", "--listen", address, "--token", TOKEN, "--data"])
            .arg(&data)
            .args(args)
            .env("ASKBACK_LOG", "debug")
            .envs(env.iter().copied())
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(log)
            .spawn()
            .expect("the server starts");
        let out = BufReader::new(child.stdout.take().expect("standard output is a pipe"));
        let Some(address) = Lines::of(out).next() else {
            drop(child.kill());
            drop(child.wait());
            let log = fs::read_to_string(directory.path().join("server.log"));
            return Err(log.unwrap_or_default());
        };
        let client = Client::new(&address, Some(Token::new(TOKEN)))
            .unwrap_or_else(|error| panic!("{address:?}: {error}"));
        Ok(Server {
            child,
            address,
            client,
        })
    }

    /// The server's process.
    pub(crate) fn pid(&self) -> u32 {
        self.child.id()
    }

    /// Sends SIGKILL.
    pub(crate) fn kill(mut self) {
        self.child.kill().expect("the server can be killed");
        self.child.wait().expect("the server is gone");
    }

    /// Stops the process where it is (SIGSTOP).
    pub(crate) fn pause(&self) {
        self.signal("-STOP");
    }

    /// Lets the process go on.
    pub(crate) fn resume(&self) {
        self.signal("-CONT");
    }

    fn signal(&self, signal: &str) {
        let pid = self.pid().to_string();
        let sent = Command::new("kill").args([signal, &pid]).status();
        assert!(sent.expect("a signal is sent").success());
    }

    /// Sends SIGTERM and waits for the exit.
    pub(crate) fn terminate(mut self) {
        self.signal("-TERM");
        let ended = self.child.wait().expect("the server is gone");
        assert!(ended.success(), "{ended}");
    }

    /// Waits until the server exits by itself; returns its exit code.
    pub(crate) fn exit_code(mut self) -> Option<i32> {
        self.child.wait().expect("the server ends").code()
    }

    /// Starts a conversation with a message.
    pub(crate) async fn begin(&self, message: &str) -> ConversationId {
        let params = NewConversationParams {
            message: Some(message.to_owned()),
            ..NewConversationParams::default()
        };
        self.client
            .create_conversation(&params)
            .await
            .expect("it begins")
            .id
    }

    /// Waits until the conversation is in the state of this name.
    pub(crate) async fn reaches(&self, id: &ConversationId, state: &str) -> ConversationResponse {
        let mut events = self.client.conversation_events(id, None);
        let reached = async {
            while next_state(&mut events).await.state.name() != state {}
            self.read(id).await.conversation
        };
        within(&format!("{id} is {state}"), reached).await
    }

    /// The conversation with its messages.
    pub(crate) async fn read(&self, id: &ConversationId) -> ConversationDetailResponse {
        let all = ReadConversationParams {
            limit: Some(200),
            ..ReadConversationParams::default()
        };
        self.client
            .conversation(id, &all)
            .await
            .expect("it can be read")
    }

    /// Answers the pending question.
    pub(crate) async fn respond(&self, id: &ConversationId, answers: Value) {
        let params = RespondParams {
            answers,
            ..RespondParams::default()
        };
        self.client
            .respond(id, &params)
            .await
            .expect("the answer is taken");
    }

    /// The messages, one line per block, for comparison.
    pub(crate) async fn transcript(&self, id: &ConversationId) -> Vec<String> {
        let messages = self.read(id).await.messages;
        let blocks = messages.iter().flat_map(|message| {
            let role = message.role.to_string();
            message.blocks.iter().map(move |block| {
                let status = block.status.as_ref().map(|status| format!(" [{status}]"));
                format!("{role}: {}{}", block.text, status.unwrap_or_default())
            })
        });
        blocks.collect()
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        // It may have been killed by the test already.
        drop(self.child.kill());
        drop(self.child.wait());
    }
}

/// The next item of a feed.
pub(crate) async fn next_item(events: &mut EventStream) -> FeedItem {
    let item = within("the feed goes on", events.next()).await;
    item.expect("the feed is open")
}

/// The next change of state of a feed. A connection that is lost fails the test.
pub(crate) async fn next_state(events: &mut EventStream) -> StateChangeEvent {
    loop {
        match next_item(events).await {
            FeedItem::Event(event) => {
                if let EventResponse::StateChange(change) = *event {
                    return change;
                }
            }
            FeedItem::Disconnected(error) => panic!("the feed is lost: {error}"),
            FeedItem::Reconnected => {}
        }
    }
}
