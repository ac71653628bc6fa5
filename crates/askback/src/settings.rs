//! Settings, gathered: flags go before the environment, the environment before the file.

mod keys;
mod terminal;
mod token;

use std::net::SocketAddr;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, bail};
use askback_core::dialect::Dialect;
use askback_server::{Origin, PublicUrl, WebhookAllow};
use askback_wire::duration::HumanDuration;
use serde::Deserialize;

use crate::args::SettingsArgs;

pub(crate) use keys::keymap;
pub(crate) use terminal::TerminalSettings;

/// What a configuration file may hold. Every key is optional; an unknown one is an error.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
struct FileSettings {
    listen: Option<SocketAddr>,
    data: Option<PathBuf>,
    store: Option<String>,
    token: Option<String>,
    token_file: Option<PathBuf>,
    apps: Option<PathBuf>,
    hosts: Vec<String>,
    allow_origins: Vec<String>,
    public_url: Option<String>,
    webhook_allow: Vec<String>,
    webhook_secret: Option<String>,
    provider: Option<String>,
    model: Option<String>,
    base_url: Option<String>,
    api_key: Option<String>,
    stream: Option<bool>,
    reply_timeout: Option<HumanDuration>,
    keep: Option<HumanDuration>,
    locale: Option<String>,
    undo: Option<u32>,
    keys: toml::Table,
    mcp: McpSettings,
    terminal: terminal::TerminalTable,
}

/// What a server is run with.
#[derive(Clone)]
pub(crate) struct Settings {
    /// Where the server listens.
    pub(crate) listen: Option<SocketAddr>,
    /// Where data is kept.
    pub(crate) data: PathBuf,
    /// The store, if it is not in the data directory.
    pub(crate) store: Option<String>,
    /// The secret that opens the server, if one was chosen.
    pub(crate) token: Option<String>,
    /// Where further apps lie.
    pub(crate) apps: Option<PathBuf>,
    /// Further names under which the server may be addressed.
    hosts: Vec<String>,
    /// Other sites whose pages may call the API with the token.
    pub(crate) origins: Vec<Origin>,
    /// The address under which others reach the server.
    pub(crate) public_url: Option<PublicUrl>,
    /// Private hosts that webhooks may call.
    pub(crate) webhook_allow: Vec<WebhookAllow>,
    /// What webhooks are signed with, if it is not in the data directory.
    pub(crate) webhook_secret: Option<String>,
    /// Who thinks.
    pub(crate) provider: Option<String>,
    /// The model.
    pub(crate) model: Option<String>,
    /// Where the provider is.
    pub(crate) base_url: Option<String>,
    /// The provider's key.
    pub(crate) api_key: Option<String>,
    /// How long conversations that ended are kept; for ever if not set.
    pub(crate) keep: Option<HumanDuration>,
    /// Whether replies of the provider are streamed.
    pub(crate) stream: bool,
    /// How long a request to the provider may take in all, if the file says.
    pub(crate) reply_timeout: Option<HumanDuration>,
    /// The language of the apps.
    pub(crate) locale: String,
}

impl Settings {
    /// Gathers the settings.
    pub(crate) fn gather(args: &SettingsArgs) -> anyhow::Result<Settings> {
        let file = read_file(args.config.as_deref())?;
        let data = match args.data.clone().or(file.data) {
            Some(data) => data,
            None => default_data_dir()?,
        };
        let mut hosts = args.host.clone();
        hosts.extend(file.hosts);
        let origins = args.allow_origin.iter().chain(&file.allow_origins);
        let origins = origins
            .map(|origin| origin.parse())
            .collect::<Result<_, _>>()?;
        let public_url = args.public_url.as_ref().or(file.public_url.as_ref());
        let webhook_allow = args.webhook_allow.iter().chain(&file.webhook_allow);
        let webhook_allow = webhook_allow
            .map(|allowed| allowed.parse())
            .collect::<Result<_, _>>()?;
        Ok(Settings {
            listen: args.listen.or(file.listen),
            data,
            store: args.store.clone().or(file.store),
            token: token::chosen(args, file.token, file.token_file)?,
            apps: args.apps.clone().or(file.apps),
            hosts,
            origins,
            public_url: public_url.map(|url| url.parse()).transpose()?,
            webhook_allow,
            webhook_secret: variable("ASKBACK_WEBHOOK_SECRET").or(file.webhook_secret),
            provider: args.provider.clone().or(file.provider),
            model: args.model.clone().or(file.model),
            base_url: args.base_url.clone().or(file.base_url),
            api_key: variable("ASKBACK_API_KEY").or(file.api_key),
            keep: args.keep.or(file.keep),
            stream: file.stream.unwrap_or(true),
            reply_timeout: file.reply_timeout,
            locale: file.locale.unwrap_or_else(|| "en".to_owned()),
        })
    }

    /// Names under which the server may be addressed beside those of this machine.
    pub(crate) fn hosts(&self) -> Vec<String> {
        let public = self.public_url.iter().map(|url| url.host().to_owned());
        self.hosts.iter().cloned().chain(public).collect()
    }
}

/// For how many seconds a reply in the inbox can be taken back, if the file says.
pub(crate) fn undo(config: Option<&Path>) -> anyhow::Result<Option<u32>> {
    Ok(read_file(config)?.undo)
}

/// What `askback mcp` is run with, as far as the file says.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(crate) struct McpSettings {
    /// The ask tools that the model sees.
    pub(crate) tools: Vec<Dialect>,
    /// How long a call waits for an answer.
    pub(crate) hold: Option<HumanDuration>,
}

/// The `[mcp]` table of the file.
pub(crate) fn mcp(config: Option<&Path>) -> anyhow::Result<McpSettings> {
    Ok(read_file(config)?.mcp)
}

fn read_file(path: Option<&Path>) -> anyhow::Result<FileSettings> {
    let Some(path) = path else {
        return Ok(FileSettings::default());
    };
    let text = std::fs::read_to_string(path)
        .with_context(|| format!("cannot read the configuration {}", path.display()))?;
    toml::from_str(&text).with_context(|| format!("{} is not right", path.display()))
}

/// Where data is kept unless it is said otherwise.
fn default_data_dir() -> anyhow::Result<PathBuf> {
    if let Some(home) = variable("XDG_DATA_HOME") {
        return Ok(PathBuf::from(home).join("askback"));
    }
    match variable("HOME") {
        Some(home) => Ok(PathBuf::from(home).join(".local/share/askback")),
        None => bail!("there is no home directory: say where to keep data with --data DIR"),
    }
}

/// An environment variable that is set to something.
pub(crate) fn variable(name: &str) -> Option<String> {
    std::env::var(name).ok().filter(|value| !value.is_empty())
}
