//! `askback serve`: the server.

use std::io::Write as _;
use std::net::SocketAddr;
use std::path::PathBuf;
use std::sync::Arc;

use anyhow::{Context as _, bail};
use askback_agent::apps::{AppCatalog, DEFAULT_APP, Locale};
use askback_agent::tools::Toolbox;
use askback_api::app::AppResponse;
use askback_api::client::Discovery;
use askback_engine::{Engine, Parts, SystemClock};
use askback_server::{DataDir, Guard, HttpWebhooks, Token};
use askback_store::{SqliteOptions, SqliteStore, Store};
use tokio::net::TcpListener;

use crate::args::{LogFormat, ServeArgs};
use crate::config::{FileConfig, default_data_dir};
use crate::failure::Failure;
use crate::{logging, provider};

/// Where the server listens unless it is said otherwise.
const LISTEN: &str = "127.0.0.1:7777";

pub(crate) fn run(args: ServeArgs) -> Result<(), Failure> {
    logging::start(args.log.unwrap_or(LogFormat::Pretty));
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .enable_all()
        .build()
        .context("cannot start the runtime")?;
    runtime.block_on(serve(args))?;
    Ok(())
}

async fn serve(args: ServeArgs) -> anyhow::Result<()> {
    let file = FileConfig::read(args.config.as_deref())?;
    let listen: SocketAddr = match args.listen.or(file.listen) {
        Some(listen) => listen,
        None => LISTEN.parse().context("the default address")?,
    };
    let configured = args.token.clone().or_else(|| file.token.clone());
    if !listen.ip().is_loopback() && configured.is_none() {
        bail!(
            "{listen} can be reached from other machines: choose a token with --token, or listen \
             on 127.0.0.1"
        );
    }
    let data = match args.data.clone().or_else(|| file.data.clone()) {
        Some(data) => data,
        None => default_data_dir()?,
    };
    let directory = DataDir::take(&data)?;
    let token = directory.token(configured.as_deref())?;
    let catalog = apps(&args, &file)?;
    let engine = start_engine(&args, &file, &directory, &token, &catalog).await?;
    let guard = Guard {
        token: token.clone(),
        hosts: args.host.iter().chain(&file.hosts).cloned().collect(),
    };
    let listener = TcpListener::bind(listen)
        .await
        .with_context(|| format!("cannot listen on {listen}"))?;
    let address = format!("http://{}", listener.local_addr()?);
    directory.announce(&Discovery {
        address: address.clone(),
        token: askback_api::client::Token::new(token.reveal()),
        pid: std::process::id(),
        version: env!("CARGO_PKG_VERSION").to_owned(),
    })?;
    say_where(&address, &token)?;
    let router = askback_server::router(engine.clone(), listed(&catalog), guard);
    askback_server::serve(listener, router, stop_signal()).await;
    engine.shut_down().await;
    drop(directory);
    Ok(())
}

/// The bare address comes first, for programs; the one that opens a browser session follows.
fn say_where(address: &str, token: &Token) -> anyhow::Result<()> {
    let mut out = std::io::stdout().lock();
    writeln!(out, "{address}")?;
    writeln!(out, "Open {address}/?token={}", token.reveal())?;
    out.flush()?;
    Ok(())
}

fn apps(args: &ServeArgs, file: &FileConfig) -> anyhow::Result<AppCatalog> {
    let locale = Locale::new(file.locale.as_deref().unwrap_or("en"));
    let catalog = match args.apps.as_ref().or(file.apps.as_ref()) {
        Some(directory) => AppCatalog::load(directory, &locale)?,
        None => AppCatalog::embedded(&locale)?,
    };
    Ok(catalog)
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
    args: &ServeArgs,
    file: &FileConfig,
    directory: &DataDir,
    token: &Token,
    catalog: &AppCatalog,
) -> anyhow::Result<Engine> {
    let path = database(args.store.as_deref().or(file.store.as_deref()), directory)?;
    let store = SqliteStore::open(&path, SqliteOptions::default())?;
    let store: Arc<dyn Store> = Arc::new(store);
    let parts = Parts {
        store,
        llm: provider::choose(args, file)?,
        tools: Arc::new(Toolbox::new()),
        apps: Arc::new(catalog.clone()),
        webhooks: Arc::new(HttpWebhooks::new(token.clone())?),
        clock: Arc::new(SystemClock),
    };
    Ok(Engine::start(parts).await?)
}

/// The database file: the one that `--store` names, or the one of the data directory.
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

/// Comes true when the process is asked to end.
async fn stop_signal() {
    use tokio::signal::unix::{SignalKind, signal};
    let (Ok(mut interrupt), Ok(mut terminate)) = (
        signal(SignalKind::interrupt()),
        signal(SignalKind::terminate()),
    ) else {
        tracing::warn!("signals cannot be heard; end the process to stop the server");
        return std::future::pending().await;
    };
    tokio::select! {
        _ = interrupt.recv() => {}
        _ = terminate.recv() => {}
    }
    tracing::info!("stopping");
}
