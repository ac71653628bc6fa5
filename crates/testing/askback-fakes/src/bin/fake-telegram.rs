//! A Telegram on this machine, for trying the channel without an account: shows what the bot writes, and takes
//! presses and replies from the terminal.
//!
//! `cargo run -p askback-fakes --bin fake-telegram [-- --port 8081]`

use std::collections::BTreeMap;
use std::io::{self, Write as _};
use std::process::ExitCode;

use askback_fakes::{FakeMessage, FakeTelegram, HELP, Player};
use tokio::io::{AsyncBufReadExt as _, BufReader};

/// Looks like a token, and is none.
const TOKEN: &str = "123456:fake-token";
const PORT: u16 = 8081;
const ACCOUNT: i64 = 1001;

#[expect(clippy::disallowed_methods, reason = "a tool for tests")]
fn say(text: &str) -> io::Result<()> {
    let mut out = io::stdout().lock();
    writeln!(out, "{}", text.trim_end())?;
    out.flush()
}

const USAGE: &str = "Usage: fake-telegram [--port PORT]";

/// The port from the arguments; none to show how to use it.
fn port() -> Result<Option<u16>, String> {
    let args: Vec<String> = std::env::args().skip(1).collect();
    match args.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        [] => Ok(Some(PORT)),
        ["--port", port] => match port.parse() {
            Ok(port) => Ok(Some(port)),
            Err(_) => Err(format!("{port} is not a port")),
        },
        ["--help" | "-h"] => Ok(None),
        _ => Err(USAGE.to_owned()),
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

#[expect(clippy::disallowed_methods, reason = "a tool for tests")]
#[tokio::main]
async fn main() -> ExitCode {
    let done = match port() {
        Ok(Some(port)) => run(port).await.map_err(|error| error.to_string()),
        Ok(None) => say(&format!("{USAGE}\n\n{HELP}")).map_err(|error| error.to_string()),
        Err(why) => Err(why),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(why) => {
            // Without standard error, the exit code is all there is.
            drop(writeln!(io::stderr(), "{why}"));
            ExitCode::FAILURE
        }
    }
}

async fn run(port: u16) -> io::Result<()> {
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
