//! A server in this process: the engine on a data directory, and HTTP in front of it.
//!
//! `askback serve` does nothing else; every other command that needs a server and finds none runs
//! one for as long as it runs itself, and hands over when a process with more right to the data
//! directory asks for it. How servers are found is the business of [`crate::connect`].

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use anyhow::{Context as _, bail};
use askback_agent::apps::{AppCatalog, AppLanguage, DEFAULT_APP};
use askback_agent::tools::ToolRegistry;
use askback_engine::ports::Llm;
use askback_engine::{Engine, EngineParts, SystemClock};
use askback_server::{
    DataDir, Guard, HttpWebhooks, ServeOptions, ServerControl, WebhookPolicy, WebhookSecrets,
};
use askback_store::{SqliteOptions, SqliteStore, Store};
use askback_wire::app::AppResponse;
use askback_wire::discovery::Discovery;
use askback_wire::server_process::ServerRole;
use tokio::net::TcpListener;
use tokio::task::JoinHandle;

use crate::settings::Settings;

/// A server that runs in this process.
pub(crate) struct EmbeddedServer {
    /// What it tells others about itself.
    pub(crate) discovery: Discovery,
    control: ServerControl,
    served: JoinHandle<()>,
}

/// What a server is run with, beside the settings.
pub(crate) struct ServerPlan {
    pub(crate) llm: Arc<dyn Llm>,
    pub(crate) listener: TcpListener,
    pub(crate) role: ServerRole,
}

impl EmbeddedServer {
    /// Starts a server on a data directory that is ours.
    pub(crate) async fn start(
        settings: &Settings,
        directory: DataDir,
        plan: ServerPlan,
    ) -> anyhow::Result<EmbeddedServer> {
        let listener = plan.listener;
        let token = directory.token(settings.token.as_deref())?;
        let catalog = apps(settings)?;
        let address = reachable(listener.local_addr()?);
        let policy = Arc::new(WebhookPolicy::new(settings.webhook_allow.clone()));
        let (engine, store) =
            start_engine(settings, plan.llm, (&directory, &policy), &catalog).await?;
        if let Some(keep) = settings.keep {
            engine.start_retention(keep.duration());
        }
        let mut hosts = settings.hosts();
        // An address in figures cannot be made to point here by a foreign page.
        hosts.push(address.ip().to_string());
        let guard = Guard {
            token: token.clone(),
            hosts,
            origins: settings.origins.clone(),
            public_url: settings.public_url.clone(),
            webhooks: policy,
        };
        let discovery = Discovery {
            address: format!("http://{address}"),
            token: askback_wire::token::Token::new(token.reveal()),
            pid: std::process::id(),
            version: env!("CARGO_PKG_VERSION").to_owned(),
            role: plan.role,
        };
        let control = ServerControl::new(&discovery.address, plan.role);
        let router =
            askback_server::router(engine.clone(), listed(&catalog), guard, control.clone());
        directory.announce(&discovery)?;
        let stop = control.clone();
        let served = tokio::spawn(async move {
            let stopped = async {
                tokio::select! {
                    () = stop.stopping() => tracing::debug!("stopping"),
                    () = removed(&directory) => {
                        tracing::error!("stopping: the data directory was removed or replaced");
                        stop.stop();
                    }
                }
                directory.withdraw();
            };
            askback_server::serve(listener, router, ServeOptions::default(), stopped).await;
            engine.shut_down().await;
            drop(engine);
            close(store).await;
            // Only now may another process take the directory.
            drop(directory);
        });
        Ok(EmbeddedServer {
            discovery,
            control,
            served,
        })
    }

    /// Whether it stops or has stopped, by our will or for a process that takes over.
    pub(crate) fn is_stopping(&self) -> bool {
        self.control.is_stopping() || self.served.is_finished()
    }

    /// Comes true when it was told to stop, or stops because its data directory is gone.
    pub(crate) async fn stopping(&self) {
        self.control.stopping().await;
    }

    /// Stops the server: feeds end, short requests are answered, running tools finish. The data
    /// directory is free afterwards.
    pub(crate) async fn stop(self) -> anyhow::Result<()> {
        self.control.stop();
        self.served.await.context("the server ended badly")
    }
}

/// Listens at an address. One that other machines reach needs a token that somebody chose.
pub(crate) async fn listen(
    settings: &Settings,
    address: SocketAddr,
) -> anyhow::Result<TcpListener> {
    if !address.ip().is_loopback() && settings.token.is_none() {
        bail!(
            "{address} can be reached from other machines: choose a token with --token-file, or \
             listen on 127.0.0.1"
        );
    }
    TcpListener::bind(address)
        .await
        .with_context(|| format!("cannot listen on {address}"))
}

/// How often it is looked whether the data directory is still there.
const REMOVED_POLL: Duration = Duration::from_secs(2);

/// Comes true when the data directory is gone: what is written from then on would be lost.
async fn removed(directory: &DataDir) {
    while directory.is_in_place() {
        tokio::time::sleep(REMOVED_POLL).await;
    }
}

/// How often it is looked whether the store is in use.
const CLOSE_POLL: Duration = Duration::from_millis(5);

/// Closes the database, once nothing else uses it any more.
async fn close(store: Arc<SqliteStore>) {
    while Arc::strong_count(&store) > 1 {
        tokio::time::sleep(CLOSE_POLL).await;
    }
    if tokio::task::spawn_blocking(move || drop(store))
        .await
        .is_err()
    {
        tracing::error!("the database was not closed in order");
    }
}

/// Where this machine reaches a listener: one that listens on every address is reached on loopback.
fn reachable(mut address: SocketAddr) -> SocketAddr {
    match address.ip() {
        IpAddr::V4(ip) if ip.is_unspecified() => address.set_ip(Ipv4Addr::LOCALHOST.into()),
        IpAddr::V6(ip) if ip.is_unspecified() => address.set_ip(Ipv6Addr::LOCALHOST.into()),
        IpAddr::V4(_) | IpAddr::V6(_) => {}
    }
    address
}

fn apps(settings: &Settings) -> anyhow::Result<AppCatalog> {
    let language = AppLanguage::new(&settings.locale);
    Ok(match &settings.apps {
        Some(directory) => AppCatalog::load(directory, &language)?,
        None => AppCatalog::embedded(&language)?,
    })
}

fn listed(catalog: &AppCatalog) -> Vec<AppResponse> {
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

async fn start_engine(
    settings: &Settings,
    llm: Arc<dyn Llm>,
    (directory, policy): (&DataDir, &Arc<WebhookPolicy>),
    catalog: &AppCatalog,
) -> anyhow::Result<(Engine, Arc<SqliteStore>)> {
    let path = database(settings.store.as_deref(), directory)?;
    let store = Arc::new(SqliteStore::open(&path, SqliteOptions::default())?);
    let secrets = WebhookSecrets::open(settings.webhook_secret.as_deref(), &settings.data)?;
    let parts = EngineParts {
        store: Arc::clone(&store) as Arc<dyn Store>,
        llm,
        tools: Arc::new(ToolRegistry::new()),
        apps: Arc::new(catalog.clone()),
        webhooks: Arc::new(HttpWebhooks::new(Arc::clone(policy), secrets)?),
        clock: Arc::new(SystemClock),
    };
    Ok((Engine::start(parts).await?, store))
}

/// The database file: the one that the store names, or the one of the data directory.
fn database(store: Option<&str>, directory: &DataDir) -> anyhow::Result<PathBuf> {
    match store {
        None => Ok(directory.database()),
        Some(store) => match store.strip_prefix("sqlite:") {
            Some(path) if !path.is_empty() => Ok(PathBuf::from(path)),
            _ => {
                bail!("--store takes sqlite:PATH; leave it out to keep data in the data directory")
            }
        },
    }
}
