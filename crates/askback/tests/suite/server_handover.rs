//! One server per data directory: commands find it, share it, hand it over and replace it.

use std::io::BufReader;
use std::path::PathBuf;
use std::process::{Child, Stdio};

use askback_client::Client;
use askback_wire::discovery::Discovery;
use askback_wire::inquiry::NewInquiryParams;
use askback_wire::list::{ListConversationsParams, ListInquiriesParams};
use askback_wire::server_process::ServerRole;
use serde_json::{Value, json};

use super::support::pty::{Pty, until};
use super::support::run_binary::{Run, askback, command, fails, file};
use super::support::server_process::{Directory, Server, TOKEN};
use super::support::timeout::{Lines, in_background, within};

/// A command in the background, killed with the test.
pub(super) struct Background {
    child: Child,
    pub(super) lines: Lines,
}

impl Background {
    pub(super) fn start(directory: &Directory, args: &[&str]) -> Background {
        let mut child = command(args)
            .arg("--data")
            .arg(data(directory))
            .env_remove("ASKBACK_TOKEN")
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .expect("it starts");
        let out = BufReader::new(child.stdout.take().expect("standard output is a pipe"));
        Background {
            child,
            lines: Lines::of(out),
        }
    }

    pub(super) fn watch(directory: &Directory) -> Background {
        Background::start(directory, &["watch", "--after", "0"])
    }

    /// The texts of the next questions that `askback watch` tells of.
    pub(super) fn questions(&self, count: usize) -> Vec<String> {
        let mut asked = Vec::new();
        while asked.len() < count {
            let line = self.lines.next().expect("watch goes on");
            let line: Value = serde_json::from_str(&line).expect("a line of JSON");
            if line["event"] == "inquiry" && line["data"]["change"] == "asked" {
                let text = &line["data"]["inquiry"]["questions"][0]["text"];
                asked.push(text.as_str().expect("a text").to_owned());
            }
        }
        asked
    }

    fn exit_code(mut self) -> Option<i32> {
        self.child.wait().expect("it ends").code()
    }
}

impl Drop for Background {
    fn drop(&mut self) {
        drop(self.child.kill());
        drop(self.child.wait());
    }
}

pub(super) fn data(directory: &Directory) -> PathBuf {
    directory.path().join("data")
}

pub(super) fn serve(directory: &Directory) -> Server {
    Server::start(
        directory,
        &json!({"steps": [{"say": "Heard you."}], "repeat_from": 1}),
    )
}

pub(super) fn question(text: &str) -> NewInquiryParams {
    NewInquiryParams {
        input: json!({"question": text, "options": ["A", "B"]}),
        ..NewInquiryParams::default()
    }
}

/// The server that runs for the directory, once it has this role.
fn running(directory: &Directory, role: ServerRole) -> Discovery {
    let found = || {
        let found = Discovery::of_running(&data(directory)).expect("it can be read");
        found.filter(|found| found.role == role)
    };
    until("a server of the role runs", || found().is_some());
    found().expect("it was found")
}

/// `serve` can be restarted any number of times under an open `watch`, which misses nothing, even
/// if it runs the server itself meanwhile.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn serve_restarts_under_an_open_watch() {
    let directory = Directory::new();
    let mut server = serve(&directory);
    let watch = Background::watch(&directory);
    for round in 0..5 {
        let before = format!("Before {round}?");
        server.client.ask(&question(&before)).await.expect("asked");
        assert_eq!(watch.questions(1), [before]);
        let unseen = format!("Just before {round}?");
        server.client.ask(&question(&unseen)).await.expect("asked");
        if round % 2 == 0 {
            server.terminate();
        } else {
            server.kill();
        }
        if round == 3 {
            running(&directory, ServerRole::EmbeddedWithoutModel);
        }
        server = serve(&directory);
        running(&directory, ServerRole::Dedicated);
        let after = format!("After {round}?");
        server.client.ask(&question(&after)).await.expect("asked");
        assert_eq!(watch.questions(2), [unseen, after]);
    }
}

/// A second `serve` is refused and names the first; it waits for one that is stopping.
#[test]
fn second_serve_is_refused_and_the_next_waits() {
    let directory = Directory::new();
    let server = serve(&directory);
    let path = data(&directory);
    let path = path.to_str().expect("a text");
    let args = ["serve", "--listen", "127.0.0.1:0", "--data", path];
    let said = fails(&args, "", 1);
    for expected in [&server.address, &server.pid().to_string(), path] {
        assert!(said.contains(expected), "{expected}: {said}");
    }
    let stopping = in_background(move || server.terminate());
    let next = serve(&directory);
    stopping.get().expect("it stops");
    drop(next);
}

/// Ten processes at once on an empty directory share one server, one after the other or together.
#[test]
fn ten_processes_at_once_share_one_server() {
    let directory = Directory::new();
    let path = data(&directory).display().to_string();
    let run = |index: usize| {
        let path = path.clone();
        let question = format!("{{\"question\": \"Which {index}?\", \"options\": [\"A\", \"B\"]}}");
        in_background(move || -> Run {
            if index.is_multiple_of(2) {
                askback(&["ask", "--durable", "--data", &path], question)
            } else {
                askback(&["list", "--data", &path], "")
            }
        })
    };
    let runs: Vec<_> = (0..10).map(run).collect();
    for (index, run) in runs.into_iter().enumerate() {
        let run = run.get().expect("it ends");
        // Without a terminal the question stays open.
        let expected = if index.is_multiple_of(2) { 3 } else { 0 };
        assert_eq!(run.code, Some(expected), "{index}: {}", run.err);
    }
    let listed = askback(&["list", "--data", &path], "").out;
    for index in [0, 2, 4, 6, 8] {
        assert!(listed.contains(&format!("Which {index}?")), "{listed}");
    }
    assert_eq!(listed.lines().count(), 5, "{listed}");
}

/// The process with the server is killed: the others continue and get their answers.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn killed_embedded_server_is_replaced_by_the_others() {
    let directory = Directory::new();
    let input = |name: &str| {
        let question = format!("{{\"question\": \"{name}?\", \"options\": [\"A\", \"B\"]}}");
        let path = directory.path().join(name);
        std::fs::write(&path, question).expect("it is written");
        path.to_str().expect("the path is text").to_owned()
    };
    let ask = |name: &str| {
        Background::start(
            &directory,
            &[
                "ask",
                "--durable",
                "--wait",
                "--output",
                "json",
                "--json",
                &input(name),
            ],
        )
    };
    let first = ask("first");
    let embedded = running(&directory, ServerRole::EmbeddedWithoutModel);
    assert_eq!(embedded.pid, first.child.id());
    let others = [ask("second"), ask("third")];
    let client = Client::discovered(&embedded).expect("an address");
    let pending = ListInquiriesParams::default();
    let all = within("all are asked", async {
        loop {
            let page = client.inquiries(&pending).await.expect("listed");
            if page.items.len() == 3 {
                return page.items;
            }
        }
    });
    let all = all.await;
    drop(first);
    let path = data(&directory).display().to_string();
    for inquiry in &all {
        let args = [
            "answer",
            inquiry.id.as_str(),
            "--choose",
            "B",
            "--data",
            &path,
        ];
        let run = askback(&args, "");
        assert_eq!(run.code, Some(0), "{}", run.err);
    }
    for other in others {
        let line = other.lines.next().expect("the outcome");
        assert!(line.contains("\"type\":\"answered\""), "{line}");
        assert_eq!(other.exit_code(), Some(0));
    }
}

/// A prompt that runs the server hands it over to `serve` and keeps its draft.
#[test]
fn prompt_hands_its_server_over_and_keeps_its_draft() {
    let directory = Directory::new();
    let text = r#"{"question": "What should it be called?", "options": ["Alpha", "Beta"]}"#;
    let input = file("hand_over_prompt.json", text);
    let path = data(&directory).display().to_string();
    let mut pty = Pty::askback(&["ask", "--durable", "--data", &path, "--json", &input]);
    pty.shows("enter select");
    pty.send("3half of");
    pty.shows("half of");
    running(&directory, ServerRole::EmbeddedWithoutModel);
    let server = serve(&directory);
    running(&directory, ServerRole::Dedicated);
    pty.send(" it");
    pty.shows("half of it");
    pty.send("\r");
    assert_eq!(pty.ends(), 0);
    pty.shows("half of it");
    drop(server);
}

/// A chat needs a model and takes the server over from a command that has none; `serve` takes
/// it over from the chat.
#[test]
fn server_role_decides_the_handover() {
    let directory = Directory::new();
    let watch = Background::watch(&directory);
    let embedded = running(&directory, ServerRole::EmbeddedWithoutModel);
    assert_eq!(embedded.pid, watch.child.id());
    let path = data(&directory).display().to_string();
    let mut chat = Pty::askback(&["chat", "--data", &path]);
    chat.shows("Chat with");
    running(&directory, ServerRole::EmbeddedScripted);
    let server = serve(&directory);
    let found = running(&directory, ServerRole::Dedicated);
    assert_eq!(found.pid, server.pid());
    assert_eq!(found.token.reveal(), TOKEN);
    chat.send("hello\r");
    chat.shows("Heard you.");
    let runtime = tokio::runtime::Runtime::new().expect("a runtime");
    let all = ListConversationsParams::default();
    let all = runtime.block_on(server.client.conversations(&all));
    let all = all.expect("listed").items;
    assert_eq!(all.len(), 1, "the chat goes on with serve");
}

/// A `serve` that cannot listen does not ask for a handover.
#[test]
fn serve_with_a_busy_port_requests_no_handover() {
    let directory = Directory::new();
    let watch = Background::watch(&directory);
    let before = running(&directory, ServerRole::EmbeddedWithoutModel);
    let taken = std::net::TcpListener::bind("127.0.0.1:0").expect("a port");
    let address = taken.local_addr().expect("an address").to_string();
    let path = data(&directory).display().to_string();
    let said = fails(&["serve", "--listen", &address, "--data", &path], "", 1);
    assert!(
        said.contains(&format!("cannot listen on {address}")),
        "{said}"
    );
    let after = running(&directory, ServerRole::EmbeddedWithoutModel);
    assert_eq!(
        (after.pid, after.address),
        (watch.child.id(), before.address)
    );
}

/// A server whose data directory was removed stops instead of acknowledging what would be lost.
#[test]
fn serve_stops_when_its_data_directory_is_removed() {
    let directory = Directory::new();
    let server = serve(&directory);
    std::fs::remove_dir_all(data(&directory)).expect("removed");
    let code = in_background(move || server.exit_code());
    assert_eq!(code.get(), Some(Some(1)));
    let log = std::fs::read_to_string(directory.path().join("server.log"));
    assert!(log.expect("a log").contains("was removed or replaced"));
}

/// `watch` follows a server that restarts with another token.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn watch_follows_a_server_that_has_a_new_token() {
    let directory = Directory::new();
    let first = Background::start(&directory, &["serve", "--listen", "127.0.0.1:0"]);
    let address = first.lines.next().expect("an address");
    let address = address.trim_start_matches("http://");
    let watch = Background::watch(&directory);
    let ask = async |text: &str| {
        let client = Client::discovered(&running(&directory, ServerRole::Dedicated));
        let asked = client.expect("an address").ask(&question(text)).await;
        asked.expect("asked");
    };
    ask("One?").await;
    assert_eq!(watch.questions(1), ["One?"]);
    drop(first);
    std::fs::write(data(&directory).join("token"), TOKEN).expect("written");
    let second = Background::start(&directory, &["serve", "--listen", address]);
    second.lines.next().expect("it listens at the same address");
    ask("Two?").await;
    assert_eq!(watch.questions(1), ["Two?"]);
}
