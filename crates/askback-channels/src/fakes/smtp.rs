//! A mail server that keeps what it gets.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, PoisonError};

use tokio::io::{AsyncBufReadExt as _, AsyncWriteExt as _, BufReader};
use tokio::net::{TcpListener, TcpStream};
use tokio::task::JoinHandle;

/// A mail as it arrived.
#[derive(Debug, Clone)]
pub(crate) struct Mail {
    pub(crate) to: String,
    pub(crate) source: String,
}

#[derive(Default)]
struct Shared {
    mails: Mutex<Vec<Mail>>,
    /// Responses to the next recipients.
    planned: Mutex<VecDeque<&'static str>>,
}

/// A running fake. It stops when it is dropped.
pub(crate) struct FakeSmtp {
    pub(crate) port: u16,
    shared: Arc<Shared>,
    accepting: JoinHandle<()>,
}

impl Drop for FakeSmtp {
    fn drop(&mut self) {
        self.accepting.abort();
    }
}

impl FakeSmtp {
    pub(crate) async fn start() -> FakeSmtp {
        let listener = TcpListener::bind(("127.0.0.1", 0)).await;
        let listener = listener.expect("a port is free");
        let port = listener.local_addr().expect("it is bound").port();
        let shared = Arc::new(Shared::default());
        let serving = Arc::clone(&shared);
        let accepting = tokio::spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                let shared = Arc::clone(&serving);
                tokio::spawn(async move { serve(stream, &shared).await });
            }
        });
        FakeSmtp {
            port,
            shared,
            accepting,
        }
    }

    /// The next recipient gets this response; an empty one closes the connection.
    pub(crate) fn plan(&self, response: &'static str) {
        let mut planned = self
            .shared
            .planned
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        planned.push_back(response);
    }

    pub(crate) fn mails(&self) -> Vec<Mail> {
        let mails = self
            .shared
            .mails
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        mails.clone()
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
                let mut planned = shared
                    .planned
                    .lock()
                    .unwrap_or_else(PoisonError::into_inner);
                planned.pop_front().unwrap_or("250 OK")
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
                let mut mails = shared.mails.lock().unwrap_or_else(PoisonError::into_inner);
                mails.push(mail);
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
