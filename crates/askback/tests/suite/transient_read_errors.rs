//! A single failed request does not stop a chat from showing replies.

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::{Shutdown, SocketAddr, TcpListener, TcpStream};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use super::server_handover::serve;
use super::support::pty::Pty;
use super::support::server_process::{Directory, TOKEN};

/// A proxy that fails some requests.
pub(crate) struct Failing {
    pub(crate) address: SocketAddr,
    failed: Arc<AtomicUsize>,
}

impl Failing {
    /// Fails the requests that begin with `line`, but for the first `good` ones, `bad` times.
    pub(crate) fn before(server: &str, line: &'static str, (good, bad): (usize, usize)) -> Failing {
        let server: SocketAddr = server
            .trim_start_matches("http://")
            .parse()
            .expect("an address");
        let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
        let address = listener.local_addr().expect("an address");
        let (seen, failed) = (Arc::new(AtomicUsize::new(0)), Arc::default());
        let failing = Failing {
            address,
            failed: Arc::clone(&failed),
        };
        thread::spawn(move || {
            for stream in listener.incoming().map_while(Result::ok) {
                let (seen, failed) = (Arc::clone(&seen), Arc::clone(&failed));
                thread::spawn(move || {
                    let fails = |head: &str| {
                        let matches = head.starts_with(line);
                        let number = seen.fetch_add(usize::from(matches), Ordering::SeqCst);
                        let fails = matches && (good..good + bad).contains(&number);
                        failed.fetch_add(usize::from(fails), Ordering::SeqCst);
                        fails
                    };
                    drop(pass_on(&stream, server, fails));
                });
            }
        });
        failing
    }
}

/// One request for each connection, so that none is missed.
fn pass_on(
    client: &TcpStream,
    server: SocketAddr,
    fails: impl Fn(&str) -> bool,
) -> std::io::Result<()> {
    let mut lines = BufReader::new(client);
    let mut head = String::new();
    while !head.ends_with("\r\n\r\n") {
        if lines.read_line(&mut head)? == 0 {
            return Ok(());
        }
    }
    if fails(&head) {
        let reply =
            "HTTP/1.1 500 Internal Server Error\r\ncontent-length: 0\r\nconnection: close\r\n\r\n";
        return (&*client).write_all(reply.as_bytes());
    }
    let head = head.replace("\r\n\r\n", "\r\nconnection: close\r\n\r\n");
    let upstream = TcpStream::connect(server)?;
    (&upstream).write_all(head.as_bytes())?;
    let (mut to, from) = (upstream.try_clone()?, client.try_clone()?);
    let buffered = lines.buffer().to_vec();
    thread::spawn(move || {
        drop(to.write_all(&buffered));
        drop(std::io::copy(&mut (&from), &mut to));
    });
    let mut buffer = [0; 4096];
    loop {
        let read = (&upstream).read(&mut buffer)?;
        if read == 0 {
            return client.shutdown(Shutdown::Both);
        }
        (&*client).write_all(&buffer[..read])?;
    }
}

fn chat(failing: &Failing) -> Pty {
    let url = format!("http://{}", failing.address);
    let vars = [("ASKBACK_ARM_MS", "0"), ("ASKBACK_TOKEN", TOKEN)];
    Pty::with(&["chat", "--url", &url], &vars, (80, 24))
}

/// The chat continues if the name of the agent cannot be read after the first message.
#[test]
fn chat_shows_the_reply_if_apps_cannot_be_read() {
    let directory = Directory::new();
    let server = serve(&directory);
    // The first one is read before anything is said.
    let failing = Failing::before(&server.address, "GET /apps ", (1, 1));
    let mut chat = chat(&failing);
    chat.shows("Chat with General assistant");
    chat.send("hello\r");
    chat.shows("Heard you.");
    assert_eq!(failing.failed.load(Ordering::SeqCst), 1);
}

/// The chat continues if the feed cannot be opened at first.
#[test]
fn chat_shows_the_reply_if_the_feed_fails_at_first() {
    let directory = Directory::new();
    let server = serve(&directory);
    let failing = Failing::before(&server.address, "GET /conversations/cnv_", (0, 2));
    let mut chat = chat(&failing);
    chat.shows("Chat with General assistant");
    chat.send("hello\r");
    chat.shows("Heard you.");
    assert_eq!(failing.failed.load(Ordering::SeqCst), 2);
}
