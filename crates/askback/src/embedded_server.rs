//! A server in this process: the engine on a data directory, and HTTP in front of it.
//!
//! `askback serve` does nothing else. Any other command that needs a server and finds none runs one
//! until it exits, or until it hands over to a process with a higher role. [`crate::connect`] finds
//! servers.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};
use std::sync::Arc;
use std::time::Duration;

use anyhow::{Context as _, anyhow, bail};
use askback_agent::apps::{AppCatalog, AppLanguage, DEFAULT_APP};
use askback_agent::mcp_tools::McpTools;
use askback_channels::{ChannelsConfig, Dispatcher, PressKey, PressUrls, WEBPUSH};
use askback_client::Client;
use askback_core::outcome::Surface;
use askback_engine::ports::Llm;
use askback_engine::{Clock, Engine, EngineParts, SharedClock, SystemClock, start_retention};
use askback_mcp::McpHttpService;
use askback_postgres::NodeIdentity;
use askback_server::{
    DataDir, Guard, HttpWebhooks, McpEndpoint, RecipientNames, ServeOptions, ServerControl, Token,
    WebhookPolicy, WebhookSecrets,
};
use askback_store::{Store, StoreError};
use askback_wire::app::AppResponse;
use askback_wire::discovery::Discovery;
use askback_wire::server_process::ServerRole;
use tokio::net::TcpListener;
use tokio::task::JoinHandle;

use crate::agent_settings::{AgentClient, Environment};
use crate::connect::actor;
use crate::open_store::{close_store, open_store};
use crate::settings::Settings;

pub(crate) struct EmbeddedServer {
    /// What other processes read to connect to it.
    pub(crate) discovery: Discovery,
    control: ServerControl,
    /// Fails if the server stopped because its files were taken away.
    task: JoinHandle<anyhow::Result<()>>,
}

/// What a server needs in addition to its settings.
pub(crate) struct ServerStart {
    pub(crate) llm: Arc<dyn Llm>,
    pub(crate) listener: TcpListener,
    /// Where a phone reaches the server, beside `listener`.
    pub(crate) phone: Option<TcpListener>,
    pub(crate) role: ServerRole,
}

impl EmbeddedServer {
    #[expect(
        clippy::too_many_lines,
        reason = "each step needs what the one before made"
    )]
    pub(crate) async fn start(
        settings: &Settings,
        directory: DataDir,
        start: ServerStart,
    ) -> anyhow::Result<EmbeddedServer> {
        let (listener, phone) = (start.listener, start.phone);
        let token = directory.token(settings.token.as_deref())?;
        let catalog = load_apps(settings)?;
        let address = reachable(listener.local_addr()?);
        let policy = Arc::new(WebhookPolicy::new(settings.webhook_allow.clone()));
        let recipient_names = RecipientNames::default();
        let start_engine = EngineStart {
            llm: start.llm,
            role: start.role,
            directory: &directory,
            token: &token,
            catalog: &catalog,
            webhook_policy: Arc::clone(&policy),
            recipient_names: recipient_names.clone(),
        };
        let (engine, store) = start_engine.start(settings).await?;
        warn_of_other_tokens(store.as_ref()).await;
        if let Some(keep) = settings.keep {
            start_retention(&engine, keep.duration());
        }
        let mut hosts = settings.hosts();
        // A numeric address is safe: DNS rebinding needs a name.
        hosts.push(address.ip().to_string());
        let phone_address = phone.as_ref().map(TcpListener::local_addr).transpose()?;
        hosts.extend(phone_address.map(|address| address.ip().to_string()));
        let guard = Guard {
            token: token.clone(),
            hosts,
            origins: settings.origins.clone(),
            frame_origins: settings.frame_origins.clone(),
            unaddressed: settings.unaddressed,
            agent_limits: settings.agent_limits,
            identity: settings.identity.clone(),
            public_url: settings.public_url.clone(),
            webhooks: policy,
        };
        let discovery = Discovery {
            address: format!("http://{address}"),
            token: askback_wire::token::Token::new(token.reveal()),
            pid: std::process::id(),
            version: env!("CARGO_PKG_VERSION").to_owned(),
            role: start.role,
        };
        let control = ServerControl::new(&discovery.address, start.role);
        let channels = start_channels(settings, &engine, start.role, &guard).await?;
        let router = askback_server::router(askback_server::ServerParts {
            engine: engine.clone(),
            apps: app_list(&catalog),
            guard,
            control: control.clone(),
            mcp: Some(mcp_endpoint(settings, &discovery, control.clone())?),
            channels: channels.clone(),
            recipient_names,
            has_model: settings.provider.is_some(),
            local_agents: || AgentClient::local(&Environment::read()),
        });
        directory.announce(&discovery)?;
        let stop = control.clone();
        let task = tokio::spawn(async move {
            let mut lost = Ok(());
            let stopped = async {
                lost = run_until_stopped(&stop, &directory, store.as_ref()).await;
                directory.withdraw();
            };
            let options = ServeOptions::default();
            // Neither outlives its server: a router holds the engine, which is about to be shut down.
            match phone {
                Some(phone) => {
                    let here = askback_server::serve(listener, router.clone(), options, stopped);
                    let network = askback_server::serve(phone, router, options, stop.stopping());
                    tokio::join!(here, network);
                }
                None => askback_server::serve(listener, router, options, stopped).await,
            }
            channels.stop().await;
            drop(channels);
            engine.shut_down().await;
            drop(engine);
            close_store(store).await;
            // Unlocks the directory for other processes.
            drop(directory);
            lost
        });
        Ok(EmbeddedServer {
            discovery,
            control,
            task,
        })
    }

    /// Whether it is stopping or has stopped, for whatever reason.
    pub(crate) fn is_stopping(&self) -> bool {
        self.control.is_stopping() || self.task.is_finished()
    }

    /// Completes when the server is told to stop, or its files are taken away.
    pub(crate) async fn stopping(&self) {
        self.control.stopping().await;
    }

    /// Stops the server: feeds end, open requests are answered, running tools finish. Afterwards the
    /// data directory is unlocked. Fails if the server has stopped because its files were taken away.
    pub(crate) async fn stop(self) -> anyhow::Result<()> {
        self.control.stop();
        self.task.await.context("the server task panicked")?
    }
}

/// Starts the channels of the settings. Links in their messages start with the public URL.
async fn start_channels(
    settings: &Settings,
    engine: &Engine,
    role: ServerRole,
    guard: &Guard,
) -> anyhow::Result<Dispatcher> {
    let tables = settings.channels()?;
    let (token, public_url) = (guard.token.clone(), guard.public_url.clone());
    let press_urls = PressUrls {
        base_url: public_url.as_ref().map(|url| url.as_str().to_owned()),
        key: PressKey::derive(token.reveal().as_bytes()),
    };
    let mut channels = tables.channels()?;
    let mut webpush = None;
    if let Some((configured, channel)) = tables.webpush(Arc::clone(engine.store()))? {
        channels.insert(WEBPUSH.to_owned(), configured);
        webpush = Some(channel);
    }
    let config = ChannelsConfig {
        press_urls: Some(press_urls),
        channels,
        webpush,
        recipients: Arc::new(tables.recipients()?),
        new_person: tables.new_person()?,
        link: Arc::new(move |inquiry, revision, asked_at, reader| {
            let url = public_url.as_ref()?;
            let shown = (inquiry, revision, asked_at);
            Some(askback_server::channel_link(&token, url, shown, reader))
        }),
    };
    if guard.public_url.is_none() && role == ServerRole::Dedicated {
        warn_of_missing_links(&config);
    }
    Ok(Dispatcher::start(engine.clone(), config).await?)
}

/// Nothing else would say it: messages arrive, and people cannot answer.
fn warn_of_missing_links(config: &ChannelsConfig) {
    let channels = config.channels_that_need_links();
    if !channels.is_empty() {
        tracing::warn!(
            channels = channels.join(", "),
            "messages of these channels need links, and the server has no public URL: people cannot answer there. Set \
             `public_url`, or start the server with --public-url URL"
        );
    }
}

/// The MCP endpoint of a server. It is a client of the same server, like every other surface, and
/// stops with it.
fn mcp_endpoint(
    settings: &Settings,
    discovery: &Discovery,
    control: ServerControl,
) -> anyhow::Result<McpEndpoint> {
    let client = Client::discovered(discovery)?.acting_as(&actor(Surface::Mcp));
    let sessions = settings.data.join("agents").join("http");
    #[cfg(feature = "conformance")]
    let service = if settings.mcp.conformance {
        McpHttpService::conformance(client, &sessions)
    } else {
        McpHttpService::new(client, settings.mcp.options(), &sessions)
    };
    #[cfg(not(feature = "conformance"))]
    let service = McpHttpService::new(client, settings.mcp.options(), &sessions);
    let endpoint = McpEndpoint::new(service.clone());
    tokio::spawn(async move {
        control.stopping().await;
        service.stop().await;
    });
    Ok(endpoint)
}

/// Binds an address. One that other machines can reach requires a token chosen by the user.
pub(crate) async fn listen(
    settings: &Settings,
    address: SocketAddr,
) -> anyhow::Result<TcpListener> {
    if !address.ip().is_loopback() && settings.token.is_none() {
        bail!(
            "other machines can reach {address}: set a token with --token-file, or listen on 127.0.0.1"
        );
    }
    TcpListener::bind(address).await.map_err(|error| {
        if error.kind() == std::io::ErrorKind::AddrInUse {
            return anyhow!(
                "cannot listen on {address}: another program uses this port. Choose another one with \
                 --listen, such as --listen 127.0.0.1:0 for any free port."
            );
        }
        anyhow!("cannot listen on {address}: {error}. Choose another address with --listen.")
    })
}

/// Binds the address of this computer in its network, at a port. Nothing is sent to find it out.
pub(crate) async fn listen_for_phone(port: u16) -> anyhow::Result<TcpListener> {
    let probe = std::net::UdpSocket::bind((Ipv4Addr::UNSPECIFIED, 0));
    let routed = probe.and_then(|probe| {
        // Any address of another network says which of ours leads there.
        probe.connect((Ipv4Addr::new(192, 0, 2, 1), 9))?;
        probe.local_addr()
    });
    let ip = routed.ok().map(|address| address.ip());
    let Some(ip) = ip.filter(|ip| !ip.is_loopback() && !ip.is_unspecified()) else {
        bail!("this computer is in no network that a phone could use. Connect it, and try again.");
    };
    let bound = TcpListener::bind((ip, port)).await;
    bound.with_context(|| format!("cannot listen on {ip}:{port} for a phone"))
}

/// Completes when the server has to stop. Fails if the reason is that its files were taken away.
async fn run_until_stopped(
    control: &ServerControl,
    directory: &DataDir,
    store: &dyn Store,
) -> anyhow::Result<()> {
    tokio::select! {
        () = control.stopping() => {
            tracing::debug!("stopping");
            Ok(())
        }
        why = files_taken_away(directory, store) => {
            tracing::error!("stopping: {why}");
            control.stop();
            Err(anyhow!(why))
        }
    }
}

const FILES_POLL_INTERVAL: Duration = Duration::from_secs(2);

/// Completes when the data directory or the database is removed or replaced: what is written from then on would be
/// lost. Returns what to say about it. A store looks at its files at every commit, too.
async fn files_taken_away(directory: &DataDir, store: &dyn Store) -> String {
    loop {
        if !directory.is_in_place() {
            let directory = directory.path().display();
            return format!(
                "the data directory {directory} was removed or replaced: start the server again"
            );
        }
        if let Err(StoreError::Replaced(why)) = store.check_in_place() {
            return why;
        }
        tokio::time::sleep(FILES_POLL_INTERVAL).await;
    }
}

/// The address under which this machine reaches a listener: loopback, if it listens on all addresses.
fn reachable(mut address: SocketAddr) -> SocketAddr {
    match address.ip() {
        IpAddr::V4(ip) if ip.is_unspecified() => address.set_ip(Ipv4Addr::LOCALHOST.into()),
        IpAddr::V6(ip) if ip.is_unspecified() => address.set_ip(Ipv6Addr::LOCALHOST.into()),
        IpAddr::V4(_) | IpAddr::V6(_) => {}
    }
    address
}

fn load_apps(settings: &Settings) -> anyhow::Result<AppCatalog> {
    let language = AppLanguage::new(&settings.locale);
    Ok(match &settings.apps {
        Some(directory) => AppCatalog::load(directory, &language)?,
        None => AppCatalog::embedded(&language)?,
    })
}

fn app_list(catalog: &AppCatalog) -> Vec<AppResponse> {
    let apps = catalog.list().map(|app| AppResponse {
        id: app.id.to_owned(),
        name: app.name.to_owned(),
        names: std::collections::BTreeMap::new(),
        description: app.description.map(str::to_owned),
        tools: app.tools.to_vec(),
        model: None,
        default: app.id == DEFAULT_APP,
    });
    apps.collect()
}

/// What the engine needs beside the settings.
struct EngineStart<'a> {
    llm: Arc<dyn Llm>,
    role: ServerRole,
    directory: &'a DataDir,
    token: &'a Token,
    catalog: &'a AppCatalog,
    webhook_policy: Arc<WebhookPolicy>,
    recipient_names: RecipientNames,
}

impl EngineStart<'_> {
    async fn start(self, settings: &Settings) -> anyhow::Result<(Engine, Arc<dyn Store>)> {
        let node = NodeIdentity {
            name: settings.node.as_ref().map(ToString::to_string),
            token_id: Some(self.token.id()),
        };
        let store = open_store(settings.store.as_deref(), self.directory, node).await?;
        let secrets = WebhookSecrets::open(settings.webhook_secret.as_deref(), &settings.data)?;
        let clock: Arc<dyn Clock> = match store.clock_offset() {
            Some(offset) => Arc::new(SharedClock(offset)),
            None => Arc::new(SystemClock),
        };
        let parts = EngineParts {
            store: Arc::clone(&store),
            llm: self.llm,
            tools: Arc::new(start_tools(settings, self.role).await),
            apps: Arc::new(self.catalog.clone()),
            webhooks: Arc::new(HttpWebhooks::new(
                self.webhook_policy,
                secrets,
                self.recipient_names,
            )),
            clock,
            node: settings.node.clone(),
        };
        Ok((Engine::start(parts).await?, store))
    }
}

/// Nothing else would say it: requests to a node with another token are refused, one by one.
async fn warn_of_other_tokens(store: &dyn Store) {
    match store.nodes_with_other_tokens().await {
        Ok(nodes) if nodes.is_empty() => {}
        Ok(nodes) => tracing::warn!(
            nodes = nodes.join(", "),
            "other nodes on this database have another token: links and sign-ins of theirs are not valid here, nor \
             ours there; start all nodes with the same --token-file"
        ),
        Err(error) => tracing::debug!(%error, "cannot compare the tokens of nodes"),
    }
}

/// The tools of the configured MCP servers. Without a model, nothing calls them.
async fn start_tools(settings: &Settings, role: ServerRole) -> McpTools {
    let mcp_tools = match role {
        ServerRole::EmbeddedWithoutModel => return McpTools::elsewhere(),
        ServerRole::EmbeddedScripted | ServerRole::Embedded | ServerRole::Dedicated => {
            McpTools::start(settings.mcp_servers.clone())
        }
    };
    // A command does its own work first. The tools are there soon.
    if role == ServerRole::Dedicated {
        mcp_tools.first_attempts().await;
    }
    mcp_tools
}
