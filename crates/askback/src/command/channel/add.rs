//! `askback channel add`: writes the token and the tables of a channel into the data directory.

use std::io::{BufRead as _, IsTerminal as _, Write as _};
use std::path::Path;

use anyhow::Context as _;
use askback_store::private_file;

use crate::args::AddChannelArgs;
use crate::failure::Failure;
use crate::settings::{CHANNELS_FILE, Settings, variable};

pub(crate) fn run(args: &AddChannelArgs) -> Result<(), Failure> {
    if args.kind != "telegram" {
        let said = format!("There is no channel {:?}. Available: telegram.", args.kind);
        return Err(Failure::Refused(said));
    }
    let settings = Settings::gather(&args.connect.settings)?;
    let (name, alias) = ("telegram", alias(args));
    if settings.channels()?.channels.contains_key(name) {
        let said = format!(
            "The channel {name} is set up already. Change it in {}.",
            settings.data.join(CHANNELS_FILE).display()
        );
        return Err(Failure::Refused(said));
    }
    let token = read_token()?;
    std::fs::create_dir_all(&settings.data).context("cannot create the data directory")?;
    let token_file = settings.data.join(format!("{name}.token"));
    let token_file = std::path::absolute(&token_file).context("the data directory has no path")?;
    write_private(&token_file, &format!("{token}\n"), false)?;
    let channel = format!(
        "[channels.{name}]\ntoken_file = {}\n",
        quoted(&token_file.to_string_lossy())
    );
    let base_url = args.api_url.as_ref();
    let base_url = base_url.map(|url| format!("base_url = {}\n", quoted(url)));
    let recipient = if settings.channels()?.recipients.is_empty() {
        let shown = args.name.clone().unwrap_or_else(|| alias.clone());
        format!("\n[recipients.{alias}]\nname = {}\n", quoted(&shown))
    } else {
        String::new()
    };
    let tables = [channel, base_url.unwrap_or_default(), recipient].concat();
    let file = settings.data.join(CHANNELS_FILE);
    write_private(&file, &format!("{tables}\n"), true)?;
    let mut out = std::io::stdout().lock();
    writeln!(
        out,
        "Wrote {} and {}.",
        file.display(),
        token_file.display()
    )?;
    writeln!(
        out,
        "Next: restart the server, then run: askback channel link {name}"
    )?;
    Ok(())
}

/// The alias of the person: as given, or made from the user name.
fn alias(args: &AddChannelArgs) -> String {
    let user = args.recipient.clone().or_else(|| variable("USER"));
    let user = user.unwrap_or_else(|| "me".to_owned()).to_lowercase();
    let plain = user
        .chars()
        .filter(|char| char.is_ascii_alphanumeric() || *char == '-');
    let plain: String = plain.take(40).collect();
    if plain.is_empty() {
        "me".to_owned()
    } else {
        plain
    }
}

fn read_token() -> Result<String, Failure> {
    let stdin = std::io::stdin();
    if stdin.is_terminal() {
        let mut out = std::io::stderr().lock();
        writeln!(
            out,
            "Create a bot with @BotFather in Telegram (/newbot). It gives you a token."
        )?;
        write!(out, "Token: ")?;
        out.flush()?;
    }
    let mut line = String::new();
    stdin.lock().read_line(&mut line)?;
    let token = line.trim();
    let parts = token.split_once(':');
    let is_token = parts.is_some_and(|(id, secret)| {
        !id.is_empty() && id.bytes().all(|byte| byte.is_ascii_digit()) && secret.len() >= 8
    });
    if !is_token || token.contains(char::is_whitespace) {
        let said =
            "This is no token of a bot: it looks like 123456:ABC-DEF…, as @BotFather gives it.";
        return Err(Failure::Refused(said.to_owned()));
    }
    Ok(token.to_owned())
}

/// Writes a file that only its owner can read.
fn write_private(path: &Path, text: &str, append: bool) -> Result<(), Failure> {
    let failed = || format!("cannot write {}", path.display());
    let before = match std::fs::read_to_string(path) {
        Ok(before) if append => format!("{before}\n"),
        Ok(_) | Err(_) => String::new(),
    };
    let mut file = private_file::open_or_create(path).with_context(failed)?;
    file.set_len(0).with_context(failed)?;
    file.write_all(format!("{before}{text}").as_bytes())
        .with_context(failed)?;
    private_file::restrict_to_owner(path).with_context(failed)?;
    Ok(())
}

/// A TOML string. Those of JSON are a part of them.
fn quoted(text: &str) -> String {
    serde_json::Value::String(text.to_owned()).to_string()
}
