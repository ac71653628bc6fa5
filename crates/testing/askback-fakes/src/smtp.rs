//! A mail server that keeps what it gets.

use std::collections::VecDeque;
use std::io;
use std::sync::{Arc, Mutex};

use tokio::io::{AsyncBufReadExt as _, AsyncWriteExt as _, BufReader};
use tokio::net::{TcpListener, TcpStream};
use tokio::task::JoinHandle;

use crate::lock::lock;

/// A mail as it arrived.
#[derive(Debug, Clone)]
pub struct Mail {
    /// The command `RCPT TO`.
    pub to: String,
    /// Headers and body.
    pub source: String,
}

#[derive(Default)]
struct Shared {
    mails: Mutex<Vec<Mail>>,
    /// Responses to the next recipients.
    planned: Mutex<VecDeque<&'static str>>,
}

/// A running fake. It stops when it is dropped.
pub struct FakeSmtp {
    /// Where it listens on this machine.
    pub port: u16,
    shared: Arc<Shared>,
    accepting: JoinHandle<()>,
}

impl Drop for FakeSmtp {
    fn drop(&mut self) {
        self.accepting.abort();
    }
}

impl FakeSmtp {
    /// Starts it on a free port.
    pub async fn start() -> io::Result<FakeSmtp> {
        let listener = TcpListener::bind(("127.0.0.1", 0)).await?;
        let port = listener.local_addr()?.port();
        let shared = Arc::new(Shared::default());
        let serving = Arc::clone(&shared);
        let accepting = tokio::spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                let shared = Arc::clone(&serving);
                tokio::spawn(async move { serve(stream, &shared).await });
            }
        });
        Ok(FakeSmtp {
            port,
            shared,
            accepting,
        })
    }

    /// The next recipient gets this response; an empty one closes the connection.
    pub fn plan(&self, response: &'static str) {
        lock(&self.shared.planned).push_back(response);
    }

    /// What has arrived, in order.
    pub fn mails(&self) -> Vec<Mail> {
        lock(&self.shared.mails).clone()
    }
}

async fn serve(stream: TcpStream, shared: &Shared) -> Option<()> {
    let mut stream = BufReader::new(stream);
    stream.write_all(b"220 fake\r\n").await.ok()?;
    let mut to = String::new();
    loop {
        let line = read_line(&mut stream).await?;
        let command = line
            .split([' ', ':'])
            .next()
            .unwrap_or_default()
            .to_uppercase();
        let response = match command.as_str() {
            "EHLO" => "250-fake\r\n250 8BITMIME",
            "MAIL" | "NOOP" | "RSET" => "250 OK",
            "RCPT" => {
                to.clone_from(&line);
                lock(&shared.planned).pop_front().unwrap_or("250 OK")
            }
            "DATA" => {
                stream.write_all(b"354 go on\r\n").await.ok()?;
                let mut source = String::new();
                loop {
                    let line = read_line(&mut stream).await?;
                    if line == "." {
                        break;
                    }
                    source.push_str(line.strip_prefix('.').unwrap_or(&line));
                    source.push('\n');
                }
                let mail = Mail {
                    to: to.clone(),
                    source,
                };
                lock(&shared.mails).push(mail);
                "250 taken"
            }
            "QUIT" => "221 bye",
            _ => "502 unknown",
        };
        if response.is_empty() {
            return None;
        }
        stream
            .write_all(format!("{response}\r\n").as_bytes())
            .await
            .ok()?;
    }
}

async fn read_line(stream: &mut BufReader<TcpStream>) -> Option<String> {
    let mut line = String::new();
    let read = stream.read_line(&mut line).await.ok()?;
    (read > 0).then(|| line.trim_end_matches(['\r', '\n']).to_owned())
}
