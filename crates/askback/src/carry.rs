//! Carries a server inside of this process: takes the data directory, starts the engine, listens.
//!
//! `askback serve` does nothing else; every other command that needs a server and finds none carries
//! one for as long as it runs. Nothing lives in a process, so whoever comes next takes over.

use std::net::SocketAddr;
use std::path::PathBuf;
use std::sync::Arc;

use anyhow::{Context as _, bail};
use askback_agent::apps::{AppCatalog, DEFAULT_APP, Locale};
use askback_agent::tools::Toolbox;
use askback_api::app::AppResponse;
use askback_api::client::{self, Discovery};
use askback_engine::ports::Llm;
use askback_engine::{Engine, Parts, SystemClock};
use askback_server::{
    DataDir, Guard, HttpWebhooks, ServeOptions, Token, WebhookPolicy, WebhookSecrets,
};
use askback_store::{SqliteOptions, SqliteStore, Store};
use tokio::net::TcpListener;
use tokio::sync::oneshot;
use tokio::task::JoinHandle;

use crate::settings::Settings;

/// A server that runs in this process.
pub(crate) struct Carried {
    /// Where it is.
    pub(crate) address: String,
    /// The secret that opens it.
    pub(crate) token: Token,
    stop: oneshot::Sender<()>,
    served: JoinHandle<()>,
}

impl Carried {
    /// Starts a server. Fails if another process has the data directory.
    pub(crate) async fn start(
        settings: &Settings,
        llm: Arc<dyn Llm>,
        listen: SocketAddr,
    ) -> anyhow::Result<Carried> {
        if !listen.ip().is_loopback() && settings.token.is_none() {
            bail!(
                "{listen} can be reached from other machines: choose a token with --token, or \
                 listen on 127.0.0.1"
            );
        }
        let directory = DataDir::take(&settings.data)?;
        let token = directory.token(settings.token.as_deref())?;
        let catalog = apps(settings)?;
        let policy = Arc::new(WebhookPolicy::new(settings.webhook_allow.clone()));
        let engine = start_engine(settings, llm, (&directory, &policy), &catalog).await?;
        if let Some(keep) = settings.keep {
            engine.keep_for(keep.duration());
        }
        let guard = Guard {
            token: token.clone(),
            hosts: settings.hosts(),
            origins: settings.origins.clone(),
            public_url: settings.public_url.clone(),
            webhooks: policy,
        };
        let listener = TcpListener::bind(listen)
            .await
            .with_context(|| format!("cannot listen on {listen}"))?;
        let address = format!("http://{}", listener.local_addr()?);
        directory.announce(&Discovery {
            address: address.clone(),
            token: client::Token::new(token.reveal()),
            pid: std::process::id(),
            version: env!("CARGO_PKG_VERSION").to_owned(),
        })?;
        let router = askback_server::router(engine.clone(), listed(&catalog), guard);
        let (stop, stopped) = oneshot::channel::<()>();
        let served = tokio::spawn(async move {
            let stopped = async move {
                // A dropped sender stops the server as well: its owner is gone.
                let asked = stopped.await.is_ok();
                tracing::debug!(asked, "stopping");
            };
            askback_server::serve(listener, router, ServeOptions::default(), stopped).await;
            engine.shut_down().await;
            drop(directory);
        });
        Ok(Carried {
            address,
            token,
            stop,
            served,
        })
    }

    /// Stops the server: open requests end, running tools finish.
    pub(crate) async fn stop(self) -> anyhow::Result<()> {
        drop(self.stop);
        self.served.await.context("the server ended badly")
    }
}

fn apps(settings: &Settings) -> anyhow::Result<AppCatalog> {
    let locale = Locale::new(&settings.locale);
    Ok(match &settings.apps {
        Some(directory) => AppCatalog::load(directory, &locale)?,
        None => AppCatalog::embedded(&locale)?,
    })
}

fn listed(catalog: &AppCatalog) -> Vec<AppResponse> {
    let apps = catalog.list().map(|app| AppResponse {
        id: app.id.to_owned(),
        name: app.name.to_owned(),
        names: std::collections::BTreeMap::new(),
        description: app.about.map(str::to_owned),
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
) -> anyhow::Result<Engine> {
    let path = database(settings.store.as_deref(), directory)?;
    let store: Arc<dyn Store> = Arc::new(SqliteStore::open(&path, SqliteOptions::default())?);
    let secrets = WebhookSecrets::open(settings.webhook_secret.as_deref(), &settings.data)?;
    let parts = Parts {
        store,
        llm,
        tools: Arc::new(Toolbox::new()),
        apps: Arc::new(catalog.clone()),
        webhooks: Arc::new(HttpWebhooks::new(Arc::clone(policy), secrets)?),
        clock: Arc::new(SystemClock),
    };
    Ok(Engine::start(parts).await?)
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
