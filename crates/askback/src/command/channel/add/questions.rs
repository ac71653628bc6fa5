//! What each kind of channel has to know.

use askback_server::Token;

use super::channels_file::{quoted, quoted_list};
use super::prompter::Prompter;
use crate::args::AddChannelArgs;
use crate::failure::{Failure, refuse};

pub(super) const KINDS: [&str; 5] = ["telegram", "slack", "ntfy", "email", "command"];

/// What a person has said about a new channel.
#[derive(Default)]
pub(super) struct NewChannel {
    /// Settings and their values in TOML.
    pub(super) settings: Vec<(&'static str, String)>,
    /// Secrets, each by the setting that names its file.
    pub(super) secrets: Vec<(&'static str, String)>,
    /// The account of the person, unless it is linked with a code.
    pub(super) identity: Option<String>,
    /// What the person has to do elsewhere.
    pub(super) to_do: Option<String>,
}

pub(super) fn ask_for(
    args: &AddChannelArgs,
    alias: &str,
    prompter: &mut Prompter,
) -> Result<NewChannel, Failure> {
    let is_command = args.kind == "command";
    if !is_command && !args.run.is_empty() {
        return refuse("Only a channel of the kind command takes a program.");
    }
    let mut new = match args.kind.as_str() {
        "telegram" => telegram(prompter)?,
        "slack" => slack(prompter)?,
        "ntfy" => ntfy(prompter)?,
        "email" => email(prompter)?,
        _ => command(args, alias)?,
    };
    if let Some(url) = &args.api_url {
        new.settings.push(("base_url", quoted(url)));
    }
    Ok(new)
}

fn telegram(prompter: &mut Prompter) -> Result<NewChannel, Failure> {
    prompter
        .explain("Create a bot with @BotFather in Telegram (/newbot). It gives you a token.")?;
    let token = prompter.ask("Token", |token| {
        let parts = token.split_once(':');
        let is_token = parts.is_some_and(|(id, secret)| {
            !id.is_empty() && id.bytes().all(|byte| byte.is_ascii_digit()) && secret.len() >= 8
        });
        let is_one_word = !token.contains(char::is_whitespace);
        let problem = "it looks like 123456:ABC-DEF…, as @BotFather gives it";
        (!is_token || !is_one_word).then_some(problem)
    })?;
    Ok(NewChannel {
        secrets: vec![("token_file", token)],
        ..NewChannel::default()
    })
}

fn slack(prompter: &mut Prompter) -> Result<NewChannel, Failure> {
    prompter.explain(
        "Create an app at https://api.slack.com/apps from the manifest in docs/channels.md, and install it.",
    )?;
    let bot = prompter.ask("Token of the bot", |token| {
        (!token.starts_with("xoxb-")).then_some("it begins with xoxb- (Install App)")
    })?;
    let app = prompter.ask("Token of the app", |token| {
        let problem = "it begins with xapp- (Basic Information, App-Level Tokens)";
        (!token.starts_with("xapp-")).then_some(problem)
    })?;
    let member = prompter.ask("Your member id, or nothing to link later", |id| {
        let is_id = id.is_empty() || id.starts_with(['U', 'W']) && !id.contains(' ');
        (!is_id).then_some("it looks like U012AB3CD (Profile, Copy member ID)")
    })?;
    Ok(NewChannel {
        secrets: vec![("bot_token_file", bot), ("app_token_file", app)],
        identity: (!member.is_empty()).then(|| format!("slack:{member}")),
        ..NewChannel::default()
    })
}

fn ntfy(prompter: &mut Prompter) -> Result<NewChannel, Failure> {
    prompter
        .explain("Everybody who knows the topic sees your questions, so nobody should guess it.")?;
    let topic = prompter.ask("Topic, or nothing for a new one", |topic| {
        let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'-' || byte == b'_';
        let is_topic = topic.len() <= 64 && topic.bytes().all(is_plain);
        (!is_topic).then_some("it has up to 64 letters, digits, - and _")
    })?;
    let topic = if topic.is_empty() {
        let random = Token::random().map_err(anyhow::Error::from)?;
        format!("askback-{}", &random.reveal()[..16])
    } else {
        topic
    };
    let token = prompter.ask("Access token, or nothing if the server needs none", |_| {
        None
    })?;
    let secrets = if token.is_empty() {
        Vec::new()
    } else {
        vec![("token_file", token)]
    };
    Ok(NewChannel {
        secrets,
        identity: Some(format!("ntfy:{topic}")),
        to_do: Some(format!(
            "Subscribe to the topic {topic} in the ntfy app on your phone."
        )),
        ..NewChannel::default()
    })
}

fn email(prompter: &mut Prompter) -> Result<NewChannel, Failure> {
    let server = prompter.ask(
        "Mail server, such as smtp.example.com or smtp.example.com:587",
        |server| {
            let port = server.split_once(':').map(|(_, port)| port.parse::<u16>());
            let is_server = !server.is_empty() && port.is_none_or(|port| port.is_ok());
            (!is_server).then_some("write a host, or HOST:PORT")
        },
    )?;
    let (host, port) = server.split_once(':').unwrap_or((&server, ""));
    let is_address = |text: &str| {
        let problem = "write a mail address, such as askback@example.com";
        (!text.contains('@')).then_some(problem)
    };
    let from = prompter.ask("Sender", is_address)?;
    let user = prompter.ask("User name, or nothing if the server needs none", |_| None)?;
    let mut secrets = Vec::new();
    let mut settings = vec![("host", quoted(host)), ("from", quoted(&from))];
    if !port.is_empty() {
        settings.push(("port", port.to_owned()));
        settings.push(("security", quoted(security_of(host, port))));
    }
    if !user.is_empty() {
        settings.push(("username", quoted(&user)));
        let password = prompter.ask("Password", |password| {
            password.is_empty().then_some("the user name needs one")
        })?;
        secrets.push(("password_file", password));
    }
    let own = prompter.ask("Your own mail address", is_address)?;
    Ok(NewChannel {
        settings,
        secrets,
        identity: Some(format!("email:{own}")),
        to_do: None,
    })
}

/// How a server is spoken to, as its port says.
fn security_of(host: &str, port: &str) -> &'static str {
    match port {
        "587" => "starttls",
        "465" => "tls",
        _ if host == "localhost" || host == "127.0.0.1" => "none",
        _ => "tls",
    }
}

fn command(args: &AddChannelArgs, alias: &str) -> Result<NewChannel, Failure> {
    if args.run.is_empty() {
        return refuse(
            "Write the program and its arguments behind --, such as: \
                    askback channel add command -- notify-send -- '{title}' '{text}'",
        );
    }
    Ok(NewChannel {
        settings: vec![("run", quoted_list(&args.run))],
        identity: Some(format!("command:{alias}")),
        ..NewChannel::default()
    })
}
