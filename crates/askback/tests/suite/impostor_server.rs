//! Another process listens at the address of a former server: it gets no token and is not trusted.

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::sync::{Arc, Mutex};
use std::thread;

use askback_client::Client;
use askback_wire::discovery::Discovery;
use askback_wire::server_process::ServerRole;
use askback_wire::token::Token;

use super::server_handover::{Background, data, question, serve};
use super::support::pty::Pty;
use super::support::run_binary::askback;
use super::support::server_process::{Directory, Server, TOKEN};

/// How the impostor replies.
#[derive(Debug, Clone, Copy)]
enum Says {
    /// A reply that a server could give, with a proof of its own making.
    Lies,
    /// What the server at this address says.
    WhatTheServerSays(SocketAddr),
}

/// An impostor at the address of a server, and everything it received.
struct Stranger {
    address: SocketAddr,
    heard: Arc<Mutex<Vec<u8>>>,
}

impl Stranger {
    /// Listens at an address, once that is free.
    fn at(address: &str, says: Says) -> Stranger {
        let address = address.trim_start_matches("http://");
        // A connection of the server that was killed may still hold its port.
        let listener = Mutex::new(None);
        super::support::pty::until("the port is free", || {
            let bound = TcpListener::bind(address).ok();
            *listener.lock().expect("the lock is sound") = bound;
            listener.lock().expect("the lock is sound").is_some()
        });
        let listener = listener.into_inner().expect("the lock is sound");
        let listener = listener.expect("the port is free");
        let heard: Arc<Mutex<Vec<u8>>> = Arc::default();
        let stranger = Stranger {
            address: listener.local_addr().expect("an address"),
            heard: Arc::clone(&heard),
        };
        thread::spawn(move || {
            for stream in listener.incoming().map_while(Result::ok) {
                let heard = Arc::clone(&heard);
                thread::spawn(move || drop(converse(&stream, &heard, says)));
            }
        });
        stranger
    }

    /// Nothing that it received opens the server.
    fn knows_nothing(&self) {
        let heard = self.heard.lock().expect("the lock is sound");
        let heard = String::from_utf8_lossy(&heard).to_ascii_lowercase();
        assert!(!heard.contains("authorization"), "{heard}");
        assert!(!heard.contains(&TOKEN.to_ascii_lowercase()), "{heard}");
    }

    fn was_asked(&self) -> bool {
        !self.heard.lock().expect("the lock is sound").is_empty()
    }
}

/// Takes requests and replies to them, keeping every byte.
fn converse(stream: &TcpStream, heard: &Mutex<Vec<u8>>, says: Says) -> std::io::Result<()> {
    let mut lines = BufReader::new(stream);
    loop {
        let mut request = String::new();
        while !request.ends_with("\r\n\r\n") {
            if lines.read_line(&mut request)? == 0 {
                return Ok(());
            }
        }
        heard
            .lock()
            .expect("the lock is sound")
            .extend_from_slice(request.as_bytes());
        let reply = match says {
            Says::Lies => {
                let body = format!(
                    "{{\"proof\":\"{}\",\"status\":\"ok\",\"version\":\"0\",\"items\":[]}}",
                    "0".repeat(64)
                );
                let length = body.len();
                format!("HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: {length}\r\n\r\n{body}")
                    .into_bytes()
            }
            Says::WhatTheServerSays(server) => {
                let mut server = TcpStream::connect(server)?;
                let request = request.replace("\r\n\r\n", "\r\nconnection: close\r\n\r\n");
                server.write_all(request.as_bytes())?;
                let mut reply = Vec::new();
                server.read_to_end(&mut reply)?;
                let reply = String::from_utf8_lossy(&reply).replace("connection: close\r\n", "");
                reply.into_bytes()
            }
        };
        (&*stream).write_all(&reply)?;
    }
}

/// A new command does not contact the address of a dead server, because its lock is free.
#[test]
fn address_of_a_dead_server_is_not_tried() {
    let directory = Directory::new();
    let server = serve(&directory);
    let left = Discovery::read(&data(&directory)).expect("readable");
    let address = server.address.clone();
    server.kill();
    assert_eq!(Discovery::read(&data(&directory)).expect("readable"), left);
    let stranger = Stranger::at(&address, Says::Lies);
    let path = data(&directory).display().to_string();
    let run = askback(&["list", "--data", &path], "");
    assert_eq!(run.code, Some(0), "{}", run.err);
    assert!(!stranger.was_asked(), "no byte is sent");
}

/// `watch` does not trust a new listener at the old address, and finds the next server.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn watch_does_not_reconnect_to_an_impostor() {
    let directory = Directory::new();
    let server = serve(&directory);
    let watch = Background::watch(&directory);
    server.client.ask(&question("One?")).await.expect("asked");
    assert_eq!(watch.questions(1), ["One?"]);
    let address = server.address.clone();
    server.kill();
    let stranger = Stranger::at(&address, Says::Lies);
    let server = serve(&directory);
    server.client.ask(&question("Two?")).await.expect("asked");
    assert_eq!(watch.questions(1), ["Two?"]);
    stranger.knows_nothing();
}

/// The inbox reconnects to the next server, not to an impostor.
#[test]
fn inbox_does_not_reconnect_to_an_impostor() {
    let directory = Directory::new();
    let server = serve(&directory);
    let path = data(&directory).display().to_string();
    let inbox = Pty::askback(&["inbox", "--data", &path]);
    let runtime = tokio::runtime::Runtime::new().expect("a runtime");
    let ask = |server: &Server, text: &str| {
        let asked = runtime.block_on(server.client.ask(&question(text)));
        asked.expect("asked");
    };
    ask(&server, "Before the stranger?");
    inbox.shows("Before the stranger?");
    let address = server.address.clone();
    server.kill();
    let stranger = Stranger::at(&address, Says::Lies);
    let server = serve(&directory);
    ask(&server, "Behind the stranger?");
    inbox.shows("Behind the stranger?");
    stranger.knows_nothing();
}

/// Neither does a chat in the middle of a conversation.
#[test]
fn chat_does_not_reconnect_to_an_impostor() {
    let directory = Directory::new();
    let server = serve(&directory);
    let path = data(&directory).display().to_string();
    let mut chat = Pty::askback(&["chat", "--data", &path]);
    chat.shows("Chat with");
    chat.send("hello\r");
    chat.shows("Heard you.");
    // The reply is shown while it streams. The chat takes the next message when it is complete.
    chat.shows("Chat with");
    let address = server.address.clone();
    server.kill();
    let stranger = Stranger::at(&address, Says::Lies);
    let server = serve(&directory);
    chat.shows("Reconnected");
    chat.send("are you there\r");
    super::support::pty::until("the message arrives at the server", || {
        let runtime = tokio::runtime::Runtime::new().expect("a runtime");
        runtime.block_on(said(&server, "are you there"))
    });
    stranger.knows_nothing();
}

async fn said(server: &Server, text: &str) -> bool {
    let all = askback_wire::list::ListConversationsParams::default();
    let all = server.client.conversations(&all).await.expect("listed");
    for conversation in all.items {
        let lines = server.transcript(&conversation.id).await;
        if lines.iter().any(|line| line.contains(text)) {
            return true;
        }
    }
    false
}

/// An impostor that relays the challenge to the real server gets a proof for another address.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn impostor_that_relays_the_challenge_is_rejected() {
    let directory = Directory::new();
    let server = serve(&directory);
    let real = server.address.trim_start_matches("http://");
    let real = real.parse().expect("an address");
    let stranger = Stranger::at("127.0.0.1:0", Says::WhatTheServerSays(real));
    let at = |address: String| Discovery {
        token: Token::new(TOKEN),
        pid: server.pid(),
        version: String::new(),
        role: ServerRole::Dedicated,
        address,
    };
    let client = Client::discovered(&at(server.address.clone())).expect("an address");
    client.check_connection().await.expect("the real one");
    let client = at(format!("http://{}", stranger.address));
    let client = Client::discovered(&client).expect("an address");
    let error = client.check_connection().await.expect_err("a stranger");
    assert!(error.to_string().contains("proof is wrong"), "{error}");
    assert!(stranger.was_asked());
    stranger.knows_nothing();
}
