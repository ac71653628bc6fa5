//! Command-line arguments. Doc comments here are the text of `--help`.

mod access;
mod ask;
mod audit;
mod channel;
mod commands;
mod distribution;
pub(crate) mod given_answers;
mod hand_on;
mod hook;
mod install;
mod maintenance;
mod overview;
mod person;
mod screens;
mod token;
mod tools;
mod webhooks;

use std::net::SocketAddr;
use std::num::NonZeroU32;
use std::path::{Path, PathBuf};

use askback_core::dialect::Dialect;
use askback_server::Unaddressed;
use askback_wire::duration::HumanDuration;
use clap::builder::{PossibleValuesParser, TypedValueParser};
use clap::parser::ValueSource;
use clap::{
    Arg, ArgMatches, Args as ClapArgs, CommandFactory as _, FromArgMatches, Parser, ValueEnum,
};

use serde::Deserialize;

use given_answers::GivenAnswers;

use crate::settings::{ElicitationSetting, variable};

pub(crate) use access::{
    LinkArgs, PhoneArgs, SessionsAction, SessionsArgs, WebhookSecretAction, WebhookSecretArgs,
};
pub(crate) use ask::{AskArgs, AskOutput};
pub(crate) use audit::{AuditAction, AuditArgs, AuditExportArgs};
pub(crate) use channel::{AddChannelArgs, ChannelAction, ChannelArgs, LinkChannelArgs};
pub(crate) use commands::Command;
pub(crate) use distribution::{CompletionsArgs, ManArgs, ShellArg, UpdateArgs};
pub(crate) use hand_on::HandOnArgs;
pub(crate) use hook::{HookArgs, HookClient};
pub(crate) use install::InstallArgs;
pub(crate) use maintenance::{BackupArgs, MigrateArgs};
pub(crate) use person::{PersonAction, PersonAddArgs, PersonArgs, PersonForgetArgs};
pub(crate) use screens::{
    BidiArg, ChatArgs, DemoArgs, InboxArgs, KeysArgs, Switch, TerminalArgs, ThemeArg, UndoArgs,
};
pub(crate) use token::{TokenAction, TokenArgs, TokenCreateArgs, TokenRevokeArgs};
pub(crate) use tools::{CheckArgs, RenderArgs, SchemaArgs};
pub(crate) use webhooks::{WebhooksAction, WebhooksArgs, WebhooksRetryArgs};

/// Lets AI agents ask you questions, and keeps the questions until you answer.
#[derive(Debug, Parser)]
#[command(
    name = "askback",
    version = env!("ASKBACK_VERSION"),
    propagate_version = true,
    arg_required_else_help = true
)]
pub(crate) struct Args {
    #[command(subcommand)]
    pub(crate) command: Command,
}

impl Args {
    /// Parses the arguments of this process.
    pub(crate) fn read() -> Result<Args, clap::Error> {
        let command = Args::command();
        let overview = overview::text(&command);
        let matches = command.override_help(overview).try_get_matches()?;
        Args::from_arg_matches(&matches)
    }
}

#[derive(Debug, ClapArgs)]
#[command(after_help = "\
Examples:
  askback serve
  askback serve --phone
  askback serve --listen 127.0.0.1:8099 --data ./data   # port 0 takes a free one
  ANTHROPIC_API_KEY=… askback serve --provider anthropic --model MODEL")]
pub(crate) struct ServeArgs {
    /// Also listen on the address of this computer in its network, and print a QR code that signs a phone in.
    ///
    /// Others in the network reach the server, too, but cannot use it without the code or the token. Over HTTP, they could read
    /// along: use it in networks that you trust, or see docs/web.md for HTTPS.
    #[arg(long)]
    pub(crate) phone: bool,
    /// Log format [default: pretty].
    #[arg(long, value_name = "FORMAT")]
    pub(crate) log: Option<LogFormat>,
    /// Serve the fixtures of the MCP conformance suite in place of askback's tools.
    #[cfg(feature = "conformance")]
    #[arg(long, hide = true, requires = "data")]
    pub(crate) conformance: bool,
    #[command(flatten)]
    pub(crate) settings: SettingsArgs,
}

// Settings of the server. A command that finds a running server uses it as it is.
#[derive(Debug, Clone, ClapArgs)]
#[command(next_help_heading = "Server")]
pub(crate) struct SettingsArgs {
    /// Address that `askback serve` [default: 127.0.0.1:7777] and `askback demo` listen on.
    #[arg(long, env = "ASKBACK_LISTEN", value_name = "ADDRESS", value_parser = listen_address)]
    pub(crate) listen: Option<SocketAddr>,
    /// Data directory [default: ~/.local/share/askback].
    #[arg(long, env = "ASKBACK_DATA", value_name = "DIR")]
    pub(crate) data: Option<PathBuf>,
    /// Database outside of the data directory: sqlite:PATH, or the URL of a PostgreSQL database, which
    /// several nodes can share. Put a URL with a password into the environment variable or the
    /// configuration file.
    #[arg(
        long,
        env = "ASKBACK_STORE",
        value_name = "STORE",
        hide_env_values = true,
        hide_short_help = true
    )]
    pub(crate) store: Option<String>,
    /// Access token of the server; by default one is generated and kept in the data directory. Other
    /// users can see this flag in the process list: prefer --token-file or the environment variable.
    #[arg(
        long,
        env = "ASKBACK_TOKEN",
        value_name = "TOKEN",
        hide_env_values = true,
        hide_short_help = true
    )]
    pub(crate) token: Option<String>,
    /// File with the access token of the server. Only you may be able to read it.
    #[arg(long, env = "ASKBACK_TOKEN_FILE", value_name = "FILE")]
    pub(crate) token_file: Option<PathBuf>,
    /// Directory with apps of your own.
    #[arg(long, env = "ASKBACK_APPS", value_name = "DIR")]
    pub(crate) apps: Option<PathBuf>,
    /// Additional host name that the server accepts; can be repeated.
    #[arg(
        long,
        env = "ASKBACK_HOSTS",
        value_name = "NAME",
        value_delimiter = ','
    )]
    pub(crate) host: Vec<String>,
    /// Origin whose pages may call the API with the token, such as `https://app.example`; can be
    /// repeated. `null` is every page without an origin, such as a file.
    #[arg(long, value_name = "ORIGIN", hide_short_help = true)]
    pub(crate) allow_origin: Vec<String>,
    /// Origin whose pages may show the page of a link to a question in a frame; can be repeated.
    #[arg(long, value_name = "ORIGIN", hide_short_help = true)]
    pub(crate) frame_origin: Vec<String>,
    /// Address under which others reach the server, used in links, such as `https://ask.example`.
    #[arg(long, env = "ASKBACK_PUBLIC_URL", value_name = "URL")]
    pub(crate) public_url: Option<String>,
    /// Private or local host that webhooks may call: a name, an address or a CIDR block such as
    /// 10.0.0.0/8; can be repeated. Public addresses are always allowed.
    #[arg(
        long,
        env = "ASKBACK_WEBHOOK_ALLOW",
        value_name = "HOST|CIDR",
        value_delimiter = ',',
        hide_short_help = true
    )]
    pub(crate) webhook_allow: Vec<String>,
    /// Model provider: anthropic, openai, openai-responses, scripted or scripted:FILE.
    #[arg(long, env = "ASKBACK_PROVIDER", value_name = "PROVIDER")]
    pub(crate) provider: Option<String>,
    /// Model name, as the provider spells it.
    #[arg(long, env = "ASKBACK_MODEL", value_name = "MODEL")]
    pub(crate) model: Option<String>,
    /// Base URL of the provider's API, if it is not the usual one.
    #[arg(long, env = "ASKBACK_BASE_URL", value_name = "URL")]
    pub(crate) base_url: Option<String>,
    /// Delete conversations this long after they ended, such as 30d; by default they are kept.
    #[arg(long, env = "ASKBACK_KEEP", value_name = "TIME")]
    pub(crate) keep: Option<HumanDuration>,
    /// Name of this server in the records of outcomes [default: the host name].
    #[arg(
        long,
        env = "ASKBACK_NODE",
        value_name = "NAME",
        hide_short_help = true
    )]
    pub(crate) node: Option<String>,
    /// Who sees questions that are for nobody in particular: every person, or administrators only [default: everybody].
    #[arg(
        long,
        env = "ASKBACK_UNADDRESSED",
        value_name = "WHO",
        value_enum,
        hide_short_help = true
    )]
    pub(crate) unaddressed: Option<UnaddressedArg>,
    /// Questions that each agent with a token of its own may have pending at once [default: no limit].
    #[arg(
        long,
        env = "ASKBACK_AGENT_PENDING_MAX",
        value_name = "COUNT",
        hide_short_help = true
    )]
    pub(crate) agent_pending_max: Option<NonZeroU32>,
    /// Questions that each agent with a token of its own may ask in an hour [default: no limit].
    #[arg(
        long,
        env = "ASKBACK_AGENT_ASKS_PER_HOUR",
        value_name = "COUNT",
        hide_short_help = true
    )]
    pub(crate) agent_asks_per_hour: Option<NonZeroU32>,
    /// Header in which a proxy names the person it has signed in, such as X-Forwarded-User. Needs --trusted-proxy.
    #[arg(
        long,
        env = "ASKBACK_IDENTITY_HEADER",
        value_name = "HEADER",
        hide_short_help = true
    )]
    pub(crate) identity_header: Option<String>,
    /// Address or CIDR block of the proxy whose --identity-header counts; can be repeated.
    #[arg(
        long,
        env = "ASKBACK_TRUSTED_PROXY",
        value_name = "ADDRESS|CIDR",
        value_delimiter = ',',
        hide_short_help = true
    )]
    pub(crate) trusted_proxy: Vec<String>,
    /// Configuration file (TOML).
    #[arg(long, env = "ASKBACK_CONFIG", value_name = "FILE")]
    pub(crate) config: Option<PathBuf>,
}

impl SettingsArgs {
    /// The address of the flag. One from the environment may be meant for another command.
    pub(crate) fn listen_flag(&self) -> Option<SocketAddr> {
        let named = variable("ASKBACK_LISTEN").and_then(|address| address.parse().ok());
        self.listen.filter(|listen| Some(*listen) != named)
    }

    /// The given flags that matter only when a server is started. A setting that comes from the
    /// environment does not count: it may be meant for another command.
    pub(crate) fn new_server_flags(&self) -> Vec<&'static str> {
        let flag = |flag, value: Option<&str>, name| {
            let is_given = value.is_some() && value != variable(name).as_deref();
            is_given.then_some(flag)
        };
        let flags = [
            flag("--provider", self.provider.as_deref(), "ASKBACK_PROVIDER"),
            flag("--model", self.model.as_deref(), "ASKBACK_MODEL"),
            flag("--base-url", self.base_url.as_deref(), "ASKBACK_BASE_URL"),
            flag(
                "--public-url",
                self.public_url.as_deref(),
                "ASKBACK_PUBLIC_URL",
            ),
            flag("--node", self.node.as_deref(), "ASKBACK_NODE"),
            flag("--store", self.store.as_deref(), "ASKBACK_STORE"),
            self.listen_flag().map(|_| "--listen"),
            (!self.host.is_empty()).then_some("--host"),
            (!self.allow_origin.is_empty()).then_some("--allow-origin"),
            (!self.frame_origin.is_empty()).then_some("--frame-origin"),
        ];
        flags.into_iter().flatten().collect()
    }
}

/// The flags that say which server a command uses. The other settings matter only if the command must run one itself; help
/// shows them at `askback serve`.
const CONNECT_FLAGS: [&str; 4] = ["url", "data", "token_file", "config"];

/// What says where the server of a demo is.
const DEMO_FLAGS: [&str; 3] = ["listen", "data", "config"];

/// The settings of the built-in agent, which `askback chat` shows, too.
const MODEL_FLAGS: [&str; 4] = ["provider", "model", "base_url", "apps"];

fn hide_server_settings(arg: Arg) -> Arg {
    hide_server_settings_but(&CONNECT_FLAGS, arg)
}

pub(crate) fn hide_server_settings_of_demo(arg: Arg) -> Arg {
    hide_server_settings_but(&DEMO_FLAGS, arg)
}

fn hide_server_settings_but(shown: &[&str], arg: Arg) -> Arg {
    let is_server_setting = arg.get_help_heading() == Some("Server");
    let is_shown = shown.contains(&arg.get_id().as_str());
    let is_hidden = arg.is_hide_set() || (is_server_setting && !is_shown);
    arg.hide(is_hidden)
}

pub(crate) fn show_model_settings(arg: Arg) -> Arg {
    let is_shown = MODEL_FLAGS.contains(&arg.get_id().as_str());
    let is_hidden = arg.is_hide_set() && !is_shown;
    arg.hide(is_hidden)
}

// Which server to use: the one at --url, the one that runs for the data directory, or one in this
// process.
#[derive(Debug, Clone)]
pub(crate) struct ConnectArgs {
    pub(crate) url: Option<String>,
    pub(crate) settings: SettingsArgs,
}

#[derive(ClapArgs)]
#[command(next_help_heading = "Server", mut_args(hide_server_settings))]
struct ConnectFlags {
    /// Address of a running server; give its token with --token-file.
    #[arg(long, env = "ASKBACK_URL", value_name = "URL")]
    url: Option<String>,
    #[command(flatten)]
    settings: SettingsArgs,
}

impl ClapArgs for ConnectArgs {
    fn augment_args(command: clap::Command) -> clap::Command {
        ConnectFlags::augment_args(command)
    }

    fn augment_args_for_update(command: clap::Command) -> clap::Command {
        ConnectFlags::augment_args_for_update(command)
    }
}

impl FromArgMatches for ConnectArgs {
    /// A data directory on the command line comes before an address from the environment.
    fn from_arg_matches(matches: &ArgMatches) -> Result<ConnectArgs, clap::Error> {
        let ConnectFlags { url, settings } = ConnectFlags::from_arg_matches(matches)?;
        let has_data_flag = matches.value_source("data") == Some(ValueSource::CommandLine);
        let has_url_flag = matches.value_source("url") == Some(ValueSource::CommandLine);
        let url = url.filter(|_| has_url_flag || !has_data_flag);
        Ok(ConnectArgs { url, settings })
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        *self = ConnectArgs::from_arg_matches(matches)?;
        Ok(())
    }
}

impl ConnectArgs {
    /// The flags with which another command reaches the same server, with a space before each; empty
    /// if no flag was given.
    pub(crate) fn server_flags(&self) -> String {
        let data = self.settings.data.as_deref().and_then(Path::to_str);
        given_flags(&[
            ("--url", "ASKBACK_URL", self.url.as_deref()),
            ("--data", "ASKBACK_DATA", data),
        ])
    }

    /// The flags with which another command continues with the same model, as [`Self::server_flags`].
    pub(crate) fn model_flags(&self) -> String {
        let settings = &self.settings;
        let config = settings.config.as_deref().and_then(Path::to_str);
        given_flags(&[
            (
                "--provider",
                "ASKBACK_PROVIDER",
                settings.provider.as_deref(),
            ),
            ("--model", "ASKBACK_MODEL", settings.model.as_deref()),
            (
                "--base-url",
                "ASKBACK_BASE_URL",
                settings.base_url.as_deref(),
            ),
            ("--config", "ASKBACK_CONFIG", config),
        ])
    }
}

/// The flags that have a value, with a space before each. A value from the environment is left out: it
/// reaches another command by itself.
fn given_flags(flags: &[(&str, &str, Option<&str>)]) -> String {
    let is_given = |value: &str, name| variable(name).as_deref() != Some(value);
    let mut given = String::new();
    for (flag, name, value) in flags {
        if let Some(value) = value.filter(|value| is_given(value, name)) {
            given.push(' ');
            given.push_str(flag);
            given.push(' ');
            given.push_str(&shell_quoted(value));
        }
    }
    given
}

/// The value as one word of a POSIX shell.
pub(crate) fn shell_quoted(value: &str) -> String {
    let is_plain = |char: char| char.is_ascii_alphanumeric() || "-_./:,=+%@".contains(char);
    if !value.is_empty() && value.chars().all(is_plain) {
        return value.to_owned();
    }
    format!("'{}'", value.replace('\'', r"'\''"))
}

const STATUSES: [&str; 10] = [
    "pending",
    "answered",
    "declined",
    "cancelled",
    "rejected",
    "superseded",
    "expired",
    "withdrawn",
    "undeliverable",
    "all",
];

#[derive(Debug, ClapArgs)]
#[command(after_help = "\
Examples:
  askback list
  askback list --json | jq -r .id
  askback list --status answered --since 7d     # who decided what, and where")]
pub(crate) struct ListArgs {
    /// Questions with this status, or all.
    #[arg(long, default_value = "pending", value_parser = STATUSES)]
    pub(crate) status: String,
    /// Only questions that ended, or were asked if they are pending, within this time, such as 7d.
    #[arg(long, value_name = "TIME")]
    pub(crate) since: Option<HumanDuration>,
    /// Only questions with these words: in the question, the answer, or the names of agent, project and people.
    #[arg(long, value_name = "WORDS")]
    pub(crate) search: Option<String>,
    /// Print one JSON object per line.
    #[arg(long)]
    pub(crate) json: bool,
    #[command(flatten)]
    pub(crate) connect: ConnectArgs,
}

#[derive(Debug, ClapArgs)]
#[command(after_help = "\
Examples:
  askback answer inq_01…           # shows the question
  askback answer inq_01… --choose PostgreSQL
  askback answer inq_01… --choose Search --choose Export --note 'CSV only'
  askback answer inq_01… --text 'Direct message'
  echo '{\"q1\": \"PostgreSQL\", \"q2\": [\"Search\"]}' | askback answer inq_01… --json -
  askback answer inq_01… --choose Yes --partial
  askback answer inq_01… --decline

An id can be shortened to the first ten characters after inq_ or more, if only one question matches.")]
#[expect(clippy::struct_excessive_bools, reason = "each is a flag of its own")]
pub(crate) struct AnswerArgs {
    /// Id of the question, from `askback list`.
    pub(crate) id: String,
    #[command(flatten)]
    pub(crate) given: GivenAnswers,
    /// A note for the agent, in addition to the answer.
    #[arg(long, value_name = "TEXT")]
    pub(crate) note: Option<String>,
    /// File with answers by question id, as JSON; `-` reads standard input.
    #[arg(long, value_name = "FILE", conflicts_with_all = ["choose", "text"])]
    pub(crate) json: Option<PathBuf>,
    /// Leave the other questions unanswered.
    #[arg(long)]
    pub(crate) partial: bool,
    /// Send the answers to several questions without showing them first and asking.
    #[arg(long, conflicts_with_all = ["decline", "cancel"])]
    pub(crate) yes: bool,
    /// Skip the question. Only a lone optional question can be skipped here; for one of several, use --json.
    #[arg(long, conflicts_with_all = ["choose", "text", "json", "partial", "decline", "cancel"])]
    pub(crate) skip: bool,
    /// Let the agent decide: it continues without an answer.
    #[arg(
        long,
        visible_alias = "let-agent-decide",
        conflicts_with_all = ["choose", "text", "json", "cancel", "partial"]
    )]
    pub(crate) decline: bool,
    /// Stop the agent: it gets no answer.
    #[arg(
        long,
        visible_alias = "stop-agent",
        conflicts_with_all = ["choose", "text", "json", "partial"]
    )]
    pub(crate) cancel: bool,
    /// If the question is shown here: seconds in which the answer can be undone, up to 60; 0 turns undo off
    /// [default: 5; `ASKBACK_UNDO`, or `undo` in the configuration].
    #[arg(
        long,
        value_name = "SECONDS",
        conflicts_with_all = ["choose", "text", "json", "skip", "decline", "cancel"]
    )]
    pub(crate) undo: Option<u32>,
    #[command(flatten)]
    pub(crate) terminal: TerminalArgs,
    #[command(flatten)]
    pub(crate) connect: ConnectArgs,
}

impl AnswerArgs {
    /// Whether nothing says what to send.
    pub(crate) fn is_without_answer(&self) -> bool {
        let is_empty = self.given.is_empty() && self.json.is_none();
        let has_options = self.note.is_some() || self.partial;
        is_empty && !has_options && !self.skip && !self.decline && !self.cancel
    }
}

#[derive(Debug, ClapArgs)]
#[command(after_help = "\
Examples:
  askback watch
  askback watch --after 0 | jq -r .event")]
pub(crate) struct WatchArgs {
    /// Only events of this conversation.
    #[arg(long, value_name = "ID")]
    pub(crate) conversation: Option<String>,
    /// Start after this sequence number; 0 replays everything. By default only new events.
    #[arg(long, value_name = "SEQUENCE")]
    pub(crate) after: Option<u64>,
    /// Print JSON at a terminal, too.
    #[arg(long)]
    pub(crate) json: bool,
    /// Include token events, which carry replies while they are generated.
    #[arg(long)]
    pub(crate) tokens: bool,
    #[command(flatten)]
    pub(crate) connect: ConnectArgs,
}

#[derive(Debug, ClapArgs)]
#[command(
    after_help = "\
Examples:
  askback doctor
  askback doctor --provider openai --base-url http://127.0.0.1:8080/v1 --model MODEL
  askback doctor --offline
  askback doctor --limits",
    mut_args(show_model_settings)
)]
pub(crate) struct DoctorArgs {
    /// Skip the request to the provider.
    #[arg(long)]
    pub(crate) offline: bool,
    /// If an agent starts a program that has gone, put this one into its settings instead.
    #[arg(long)]
    pub(crate) repair: bool,
    /// Also print the limits of questions, answers and requests.
    #[arg(long)]
    pub(crate) limits: bool,
    #[command(flatten)]
    pub(crate) connect: ConnectArgs,
}

#[derive(Debug, ClapArgs)]
#[command(after_help = "\
Examples:
  claude mcp add --scope user askback -- askback mcp
  askback mcp --tools ask_user_question,ask_user
  askback mcp --hold 55s
  askback mcp --elicitation off
  askback mcp --url https://ask.example --token-file ./token")]
pub(crate) struct McpArgs {
    /// Ask tools to offer to the model [default: `ask_user_question`].
    #[arg(
        long,
        value_name = "TOOLS",
        value_delimiter = ',',
        value_parser = one_of(&Dialect::TOOLS, Dialect::name)
    )]
    pub(crate) tools: Vec<Dialect>,
    /// How long a call waits for an answer before it returns as pending; by default as long as this
    /// agent is known to wait.
    #[arg(long, value_name = "TIME")]
    pub(crate) hold: Option<HumanDuration>,
    /// Whether dialogs of the agent's own client show questions, too [default: auto].
    #[arg(long, value_name = "WHEN", value_enum)]
    pub(crate) elicitation: Option<ElicitationSetting>,
    /// Project of the agent, shown with its questions [default: the current directory].
    #[arg(long, value_name = "NAME")]
    pub(crate) project: Option<String>,
    /// Person or group whom the agent asks [default: everybody].
    #[arg(long, value_name = "ALIAS")]
    pub(crate) to: Option<String>,
    #[command(flatten)]
    pub(crate) connect: ConnectArgs,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum LogFormat {
    /// One JSON object per line.
    Json,
    /// For people.
    Pretty,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum UnaddressedArg {
    /// Every person, and administrators.
    Everybody,
    /// Administrators.
    Administrators,
}

impl From<UnaddressedArg> for Unaddressed {
    fn from(arg: UnaddressedArg) -> Unaddressed {
        match arg {
            UnaddressedArg::Everybody => Unaddressed::Everybody,
            UnaddressedArg::Administrators => Unaddressed::Administrators,
        }
    }
}

// A list of the server: tokens, people, sessions, channels or webhooks. A doc comment would be the help of each command.
#[derive(Debug, ClapArgs)]
pub(crate) struct ServerListArgs {
    /// Print one JSON object per line.
    #[arg(long)]
    pub(crate) json: bool,
    #[command(flatten)]
    pub(crate) connect: ConnectArgs,
}

/// Parses the name of one of these values.
fn one_of<T: Copy + Send + Sync + 'static>(
    all: &'static [T],
    name: fn(T) -> &'static str,
) -> impl TypedValueParser<Value = T> {
    let names = PossibleValuesParser::new(all.iter().map(|value| name(*value)));
    names.try_map(move |given| {
        let mut values = all.iter().copied();
        values.find(|value| name(*value) == given).ok_or("unknown")
    })
}

/// An address with a port. A port alone could mean this computer or the whole network.
fn listen_address(text: &str) -> Result<SocketAddr, String> {
    text.parse().map_err(|_| {
        let port = text.trim_start_matches(':').parse::<u16>().unwrap_or(7777);
        format!("write an address and a port, such as 127.0.0.1:{port}")
    })
}

#[cfg(test)]
#[path = "args/reference_tests.rs"]
mod reference_tests;
