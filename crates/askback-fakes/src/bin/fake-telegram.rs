//! A Telegram on this machine, for trying the channel without an account: shows what the bot writes, and takes
//! presses and replies from the terminal.
//!
//! `cargo run -p askback-fakes --bin fake-telegram [-- --port 8081]`

use std::collections::BTreeMap;
use std::io::{self, Write as _};

use askback_fakes::{FakeMessage, FakeTelegram, HELP, Player};
use tokio::io::{AsyncBufReadExt as _, BufReader};

/// Looks like a token, and is none.
const TOKEN: &str = "123456:fake-token";
const PORT: u16 = 8081;
const ACCOUNT: i64 = 1001;

fn say(text: &str) -> io::Result<()> {
    let mut out = io::stdout().lock();
    writeln!(out, "{}", text.trim_end())?;
    out.flush()
}

fn port() -> Result<u16, String> {
    let args: Vec<String> = std::env::args().skip(1).collect();
    match args.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        [] => Ok(PORT),
        ["--port", port] => port.parse().map_err(|_| format!("{port} is no port")),
        _ => Err("Usage: fake-telegram [--port PORT]".to_owned()),
    }
}

/// Shows what is new since the last call: messages, edits, and what was told about presses.
#[derive(Default)]
struct Screen {
    shown: BTreeMap<i64, FakeMessage>,
    told: usize,
}

impl Screen {
    fn update(&mut self, fake: &FakeTelegram, player: &Player) -> io::Result<()> {
        for message in fake.messages() {
            if self.shown.get(&message.id) != Some(&message) {
                say(&player.picture(&message))?;
                self.shown.insert(message.id, message);
            }
        }
        let acknowledged = fake.acknowledged();
        for told in acknowledged.iter().skip(self.told) {
            let text = told["text"].as_str().unwrap_or_default();
            let kind = if told["show_alert"] == true {
                "alert"
            } else {
                "note"
            };
            if !text.is_empty() {
                say(&format!("({kind}) {text}"))?;
            }
        }
        self.told = acknowledged.len();
        Ok(())
    }
}

#[tokio::main]
async fn main() -> io::Result<()> {
    let port = match port() {
        Ok(port) => port,
        Err(why) => return Err(io::Error::other(why)),
    };
    let fake = FakeTelegram::start_at(port, TOKEN).await?;
    say(&format!(
        "A Telegram that is none. Your account is {ACCOUNT}.\n\n  Token:    {TOKEN}\n  API URL:  {}\n\n{HELP}",
        fake.base_url()
    ))?;
    let mut player = Player::new(fake.clone(), ACCOUNT);
    let mut screen = Screen::default();
    let mut changes = fake.changes();
    let mut lines = BufReader::new(tokio::io::stdin()).lines();
    loop {
        tokio::select! {
            event = changes.changed() => {
                event.map_err(io::Error::other)?;
                screen.update(&fake, &player)?;
            }
            line = lines.next_line() => match line?.as_deref().map(str::trim) {
                None | Some("quit") => return Ok(()),
                Some(line) => match player.play(line) {
                    Ok(text) if text.is_empty() => {}
                    Ok(text) | Err(text) => say(&text)?,
                },
            },
        }
    }
}
