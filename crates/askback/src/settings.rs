//! Settings: flags override the environment, and the environment overrides the configuration file.

mod channels;
mod identity;
mod keys;
mod mcp;
mod terminal;
mod token;
mod toml_error;

use std::collections::BTreeMap;
use std::net::SocketAddr;
use std::num::NonZeroU32;
use std::path::{Path, PathBuf};
use std::str::FromStr;

use anyhow::{Context as _, bail};
use askback_agent::mcp_tools::McpServerAddress;
use askback_core::identity::NodeName;
use askback_server::{
    AgentLimits, Origin, ProxyIdentity, PublicUrl, Unaddressed, WebhookAllow, data_dir,
    trusted_file,
};
use askback_store::private_file;
use askback_wire::duration::HumanDuration;
use serde::Deserialize;

use crate::args::{SettingsArgs, UnaddressedArg};
use crate::open_store::StoreAddress;

pub(crate) use channels::{ChannelTables, FILE_NAME as CHANNELS_FILE, check_alias};
pub(crate) use keys::keymap;
pub(crate) use mcp::{ElicitationSetting, McpSettings};
pub(crate) use terminal::TerminalSettings;
pub(crate) use token::of_server as token_of_server;

/// The configuration file. An unknown key is an error.
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
    frame_origins: Vec<String>,
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
    node: Option<String>,
    unaddressed: Option<UnaddressedArg>,
    agent_pending_max: Option<NonZeroU32>,
    agent_asks_per_hour: Option<NonZeroU32>,
    identity_header: Option<String>,
    trusted_proxies: Vec<String>,
    locale: Option<String>,
    undo: Option<u32>,
    keys: toml::Table,
    mcp: McpSettings,
    mcp_servers: BTreeMap<String, McpServerTable>,
    terminal: terminal::TerminalTable,
    channels: BTreeMap<String, channels::ChannelTable>,
    recipients: BTreeMap<String, channels::RecipientTable>,
}

impl FileSettings {
    /// Whether it has something that nobody else may read.
    fn has_secrets(&self) -> bool {
        let has_password = |store: &String| store.contains("://") && store.contains('@');
        let is_secret = |table: &McpServerTable| table.token.is_some() || !table.env.is_empty();
        self.token.is_some()
            || self.api_key.is_some()
            || self.webhook_secret.is_some()
            || self.store.as_ref().is_some_and(has_password)
            || self.mcp_servers.values().any(is_secret)
            || self.channel_tables().has_secrets()
    }

    fn channel_tables(&self) -> ChannelTables {
        ChannelTables {
            channels: self.channels.clone(),
            recipients: self.recipients.clone(),
        }
    }
}

#[derive(Clone)]
pub(crate) struct Settings {
    /// The configuration file.
    pub(crate) config: Option<PathBuf>,
    pub(crate) listen: Option<SocketAddr>,
    pub(crate) data: PathBuf,
    /// `sqlite:PATH`, if the database is not in the data directory.
    pub(crate) store: Option<String>,
    /// None to use the generated token of the data directory.
    pub(crate) token: Option<String>,
    pub(crate) apps: Option<PathBuf>,
    hosts: Vec<String>,
    pub(crate) origins: Vec<Origin>,
    /// Sites that may show the page of a link in a frame.
    pub(crate) frame_origins: Vec<Origin>,
    pub(crate) public_url: Option<PublicUrl>,
    pub(crate) webhook_allow: Vec<WebhookAllow>,
    /// None to use the one in the data directory.
    pub(crate) webhook_secret: Option<String>,
    pub(crate) provider: Option<String>,
    pub(crate) model: Option<String>,
    pub(crate) base_url: Option<String>,
    pub(crate) api_key: Option<String>,
    /// How long ended conversations are kept; none for ever.
    pub(crate) keep: Option<HumanDuration>,
    /// The name of this node in the records of outcomes.
    pub(crate) node: Option<NodeName>,
    /// Which proxy vouches for people.
    pub(crate) identity: Option<ProxyIdentity>,
    /// Who sees questions that are for nobody in particular.
    pub(crate) unaddressed: Unaddressed,
    /// How much each agent may ask.
    pub(crate) agent_limits: AgentLimits,
    pub(crate) stream: bool,
    pub(crate) reply_timeout: Option<HumanDuration>,
    /// Of the apps.
    pub(crate) locale: String,
    /// MCP servers whose tools the built-in agent may call.
    pub(crate) mcp_servers: BTreeMap<String, McpServerAddress>,
    /// How agents over MCP are served.
    pub(crate) mcp: McpSettings,
    /// Those of the configuration file; [`Settings::channels`] adds those of the data directory.
    channels: ChannelTables,
}

impl Settings {
    pub(crate) fn gather(args: &SettingsArgs) -> anyhow::Result<Settings> {
        let file = read_file(args.config.as_deref())?;
        let channels = file.channel_tables();
        let data = data_dir_or_default(args.data.as_deref().or(file.data.as_deref()))?;
        let mut hosts = args.host.clone();
        hosts.extend(file.hosts);
        let public_url = args.public_url.as_ref().or(file.public_url.as_ref());
        Ok(Settings {
            config: args.config.clone(),
            listen: args.listen.or(file.listen),
            data,
            store: args.store.clone().or(file.store),
            token: token::chosen(args, file.token, file.token_file)?,
            apps: args.apps.clone().or(file.apps),
            hosts,
            origins: parsed(&args.allow_origin, &file.allow_origins)?,
            frame_origins: parsed(&args.frame_origin, &file.frame_origins)?,
            public_url: public_url.map(|url| url.parse()).transpose()?,
            webhook_allow: parsed(&args.webhook_allow, &file.webhook_allow)?,
            webhook_secret: variable("ASKBACK_WEBHOOK_SECRET").or(file.webhook_secret),
            provider: args.provider.clone().or(file.provider),
            model: args.model.clone().or(file.model),
            base_url: args.base_url.clone().or(file.base_url),
            api_key: variable("ASKBACK_API_KEY").or(file.api_key),
            keep: args.keep.or(file.keep),
            node: node_name(args.node.as_deref().or(file.node.as_deref()))?,
            identity: identity::of_proxy(
                args.identity_header
                    .as_ref()
                    .or(file.identity_header.as_ref()),
                args.trusted_proxy.iter().chain(&file.trusted_proxies),
            )?,
            agent_limits: AgentLimits {
                pending: args.agent_pending_max.or(file.agent_pending_max),
                per_hour: args.agent_asks_per_hour.or(file.agent_asks_per_hour),
            },
            unaddressed: args
                .unaddressed
                .or(file.unaddressed)
                .map(Unaddressed::from)
                .unwrap_or_default(),
            stream: file.stream.unwrap_or(true),
            reply_timeout: file.reply_timeout,
            locale: file.locale.unwrap_or_else(|| "en".to_owned()),
            mcp_servers: mcp_servers(file.mcp_servers)?,
            mcp: file.mcp,
            channels,
        })
    }

    /// The channels and recipients of the configuration file and of the data directory.
    pub(crate) fn channels(&self) -> anyhow::Result<ChannelTables> {
        self.channels.clone().with_data_dir(&self.data)
    }

    /// The same, with another text in the data directory.
    pub(crate) fn channels_with(&self, text: &str) -> anyhow::Result<ChannelTables> {
        self.channels.clone().with_text(text)
    }

    /// Whether the configuration file has a person or group of this alias.
    pub(crate) fn has_configured_recipient(&self, alias: &str) -> bool {
        self.channels.recipients.contains_key(alias)
    }

    /// The database: outside of the data directory, if the settings name one.
    pub(crate) fn store_address(&self) -> anyhow::Result<StoreAddress> {
        match &self.store {
            Some(store) => StoreAddress::parse(store),
            None => Ok(StoreAddress::Sqlite(data_dir::database(&self.data))),
        }
    }

    /// Host names that the server accepts in addition to those of this machine.
    pub(crate) fn hosts(&self) -> Vec<String> {
        let public = self.public_url.iter().map(|url| url.host().to_owned());
        self.hosts.iter().cloned().chain(public).collect()
    }
}

/// The values of flags and of the file.
fn parsed<T: FromStr>(given: &[String], configured: &[String]) -> Result<Vec<T>, T::Err> {
    let values = given.iter().chain(configured);
    values.map(|value| value.parse()).collect()
}

/// `ASKBACK_UNDO`.
pub(crate) fn undo_variable() -> anyhow::Result<Option<u32>> {
    let seconds = variable("ASKBACK_UNDO").map(|seconds| seconds.parse());
    let seconds = seconds.transpose();
    seconds.context("ASKBACK_UNDO must be a number of seconds; 0 turns undo off")
}

pub(crate) fn undo_seconds(config: Option<&Path>) -> anyhow::Result<Option<u32>> {
    Ok(read_file(config)?.undo)
}

/// An `[mcp_servers.NAME]` table of the configuration file.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
struct McpServerTable {
    command: Option<String>,
    args: Vec<String>,
    env: BTreeMap<String, String>,
    url: Option<String>,
    token: Option<String>,
}

fn mcp_servers(
    tables: BTreeMap<String, McpServerTable>,
) -> anyhow::Result<BTreeMap<String, McpServerAddress>> {
    let address = |(name, table): (String, McpServerTable)| {
        let address = match (table.command, table.url) {
            (Some(command), None) => McpServerAddress::Command {
                command,
                args: table.args,
                env: table.env,
            },
            (None, Some(url)) => McpServerAddress::Url {
                url,
                token: table.token,
            },
            _ => bail!("mcp_servers.{name} in the configuration file needs `command` or `url`"),
        };
        Ok((name, address))
    };
    tables.into_iter().map(address).collect()
}

/// The chosen name of this node, or the host name of this machine.
fn node_name(chosen: Option<&str>) -> anyhow::Result<Option<NodeName>> {
    let Some(chosen) = chosen else {
        return Ok(NodeName::clean(&askback_server::host_name()));
    };
    match NodeName::clean(chosen) {
        Some(name) => Ok(Some(name)),
        None => bail!("the name of the node is empty: choose one with --node NAME"),
    }
}

fn read_file(path: Option<&Path>) -> anyhow::Result<FileSettings> {
    let Some(path) = path else {
        return Ok(FileSettings::default());
    };
    let cannot = || format!("cannot read the configuration file {}", path.display());
    let metadata = std::fs::metadata(path).with_context(cannot)?;
    // The owner and the mode of a pipe say nothing about who has written it.
    if metadata.is_file() {
        trusted_file::check_trusted(path)?;
    }
    let text = std::fs::read_to_string(path).with_context(cannot)?;
    let settings: FileSettings = toml_error::read_toml(&text)
        .with_context(|| format!("{} is not a valid configuration file", path.display()))?;
    if metadata.is_file() && settings.has_secrets() {
        refuse_readable_by_others(path, &metadata)?;
    }
    Ok(settings)
}

/// Container runtimes mount what root owns with mode 0440, 0444 or 0644, where nobody else can read it: only a warning.
fn refuse_readable_by_others(path: &Path, metadata: &std::fs::Metadata) -> anyhow::Result<()> {
    let Some(mode) = mode_for_others(path, metadata) else {
        return Ok(());
    };
    let path = path.display();
    let advice = format!("run chmod 600 {path}, and replace the secrets in it");
    if !trusted_file::is_of_root(metadata) {
        bail!("other users can read {path} (mode {mode:o}), which has secrets: {advice}");
    }
    if mode & 0o004 != 0 {
        tracing::warn!("other users can read {path} (mode {mode:o}), which has secrets: {advice}");
    }
    Ok(())
}

/// The mode of a file if other users can read it: they must be able to enter its directory, too.
pub(crate) fn mode_for_others(path: &Path, metadata: &std::fs::Metadata) -> Option<u32> {
    let mode = private_file::shared_mode(metadata)?;
    let directory = path.canonicalize().ok()?.parent()?.metadata().ok()?;
    private_file::shared_mode(&directory).and(Some(mode))
}

pub(crate) fn data_dir_or_default(chosen: Option<&Path>) -> anyhow::Result<PathBuf> {
    if let Some(chosen) = chosen {
        return Ok(chosen.to_owned());
    }
    if let Some(home) = variable("XDG_DATA_HOME") {
        return Ok(PathBuf::from(home).join("askback"));
    }
    match variable("HOME") {
        Some(home) => Ok(PathBuf::from(home).join(".local/share/askback")),
        None => bail!("there is no home directory: choose a data directory with --data DIR"),
    }
}

/// An environment variable, if it is set and not empty.
pub(crate) fn variable(name: &str) -> Option<String> {
    std::env::var(name).ok().filter(|value| !value.is_empty())
}

#[cfg(test)]
#[path = "settings/documentation_tests.rs"]
mod documentation_tests;
