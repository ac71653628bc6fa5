//! The flags that set up a server, and which of them a command shows.

use std::net::SocketAddr;
use std::num::NonZeroU32;
use std::path::PathBuf;

use askback_server::Unaddressed;
use askback_wire::duration::HumanDuration;
use clap::{Arg, Args as ClapArgs, ValueEnum};
use serde::Deserialize;

use crate::settings::variable;

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

pub(super) fn hide_server_settings(arg: Arg) -> Arg {
    hide_server_settings_but(&CONNECT_FLAGS, arg)
}

pub(super) fn hide_server_settings_of_demo(arg: Arg) -> Arg {
    hide_server_settings_but(&DEMO_FLAGS, arg)
}

fn hide_server_settings_but(shown: &[&str], arg: Arg) -> Arg {
    let is_server_setting = arg.get_help_heading() == Some("Server");
    let is_shown = shown.contains(&arg.get_id().as_str());
    let is_hidden = arg.is_hide_set() || (is_server_setting && !is_shown);
    arg.hide(is_hidden)
}

pub(super) fn show_model_settings(arg: Arg) -> Arg {
    let is_shown = MODEL_FLAGS.contains(&arg.get_id().as_str());
    let is_hidden = arg.is_hide_set() && !is_shown;
    arg.hide(is_hidden)
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

/// An address with a port. A port alone could mean this computer or the whole network.
fn listen_address(text: &str) -> Result<SocketAddr, String> {
    text.parse().map_err(|_| {
        let port = text.trim_start_matches(':').parse::<u16>().unwrap_or(7777);
        format!("write an address and a port, such as 127.0.0.1:{port}")
    })
}
