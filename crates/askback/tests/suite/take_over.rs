//! A client that runs for long carries on when its server dies: with the next one, or with its own.

use std::io::BufReader;
use std::process::{Child, Stdio};

use askback_api::client::Discovery;
use askback_api::inquiry::NewInquiryParams;
use serde_json::{Value, json};

use super::binary::command;
use super::patience::{Lines, within};
use super::server::{Directory, Server};

/// `askback watch`, ended with the test.
struct Watch {
    child: Child,
    lines: Lines,
}

impl Watch {
    fn start(directory: &Directory, args: &[&str]) -> Watch {
        let mut child = command(&["watch", "--provider", "scripted", "--data"])
            .arg(directory.path().join("data"))
            .args(args)
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .expect("watch starts");
        let out = BufReader::new(child.stdout.take().expect("standard output is a pipe"));
        Watch {
            child,
            lines: Lines::of(out),
        }
    }

    /// The texts of the next questions that were asked.
    fn questions(&self, count: usize) -> Vec<String> {
        let mut asked = Vec::new();
        while asked.len() < count {
            let line = self.lines.next().expect("watch goes on");
            let line: Value = serde_json::from_str(&line).expect("a line of JSON");
            if line["event"] == "inquiry_asked" {
                let text = &line["data"]["questions"][0]["text"];
                asked.push(text.as_str().expect("a text").to_owned());
            }
        }
        asked
    }
}

impl Drop for Watch {
    fn drop(&mut self) {
        drop(self.child.kill());
        drop(self.child.wait());
    }
}

fn question(text: &str) -> NewInquiryParams {
    NewInquiryParams {
        input: json!({"question": text, "options": ["A", "B"]}),
        ..NewInquiryParams::default()
    }
}

fn serve(directory: &Directory) -> Server {
    Server::start(directory, &json!({"steps": [{"say": "-"}]}))
}

/// The server dies under `watch` and a new one is started: what is asked there is seen.
#[tokio::test]
async fn watch_goes_on_with_the_next_server() {
    let directory = Directory::new();
    let server = serve(&directory);
    server.client.ask(&question("One?")).await.expect("asked");
    let watch = Watch::start(&directory, &["--after", "0"]);
    assert_eq!(watch.questions(1), ["One?"]);
    server.kill();
    // Whoever is first carries the server: the new one, or `watch` itself.
    let client = within("somebody carries the server", async {
        loop {
            let found = Discovery::read(&directory.path().join("data")).expect("it can be read");
            if let Some(found) = found
                && let Ok(client) = found.client()
                && client.health().await.is_ok()
            {
                return client;
            }
        }
    })
    .await;
    client.ask(&question("Two?")).await.expect("asked");
    assert_eq!(watch.questions(1), ["Two?"]);
}
