//! The server that a command talks to: one that was named, the one that runs for the data directory,
//! or one in this process. It is the same connection when that server goes and another one comes.

mod find_server;

use std::fmt;
use std::future::Future;
use std::net::{Ipv4Addr, SocketAddr};
use std::path::Path;
use std::pin::Pin;
use std::sync::{Arc, Mutex as SyncMutex, PoisonError};
use std::time::Duration;

use anyhow::{Context as _, bail};
use askback_client::{Client, Reconnect};
use askback_core::outcome::{Actor, Surface};
use askback_core::text::{Lines, Text};
use askback_server::DataDir;
use askback_wire::discovery::Discovery;
use askback_wire::server_process::ServerRole;
use askback_wire::token::Token;
use tokio::sync::Mutex;

use crate::args::ConnectArgs;
use crate::embedded_server::{EmbeddedServer, ServerPlan, listen};
use crate::provider;
use crate::settings::{Settings, variable};
use find_server::{Found, find_server};

/// A server to talk to.
pub(crate) struct Connection {
    /// The client. It reconnects by itself, with all of its feeds.
    pub(crate) client: Client,
    /// None for a server that was named: that one may come back, and no other will do.
    local: Option<Arc<LocalServer>>,
}

/// Which model a server in this process thinks with.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Model {
    /// The configured one, or else the scripted agent. A server without a model is asked to hand
    /// over.
    OrScripted,
    /// The configured one, or else none: its work waits for a server that has one.
    OrNone,
}

/// How long a command whose server is gone waits for the next one before it runs one itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Patience {
    /// It serves an agent and outlives most commands: chasing the servers of those would keep the
    /// agent waiting.
    None,
    /// Somebody sits there and wants to go on.
    Short,
    /// It only looks.
    Long,
}

impl Patience {
    fn duration(self) -> Duration {
        match self {
            Patience::None => Duration::ZERO,
            Patience::Short => Duration::from_secs(1),
            Patience::Long => Duration::from_secs(5),
        }
    }
}

impl Connection {
    /// Connects to the server that was named, to the one that runs, or to one in this process.
    pub(crate) async fn open(args: &ConnectArgs, model: Model) -> anyhow::Result<Connection> {
        Connection::open_with(args, model, Patience::Short).await
    }

    /// The same, saying how long the next server is waited for when this one is gone.
    pub(crate) async fn open_with(
        args: &ConnectArgs,
        model: Model,
        patience: Patience,
    ) -> anyhow::Result<Connection> {
        let settings = Settings::gather(&args.settings)?;
        if let Some(url) = &args.url {
            let token = settings.token.as_deref().map(Token::new);
            return Ok(Connection {
                client: Client::new(url, token)?.acting_as(&actor(Surface::Cli)),
                local: None,
            });
        }
        let local = LocalServer::find(settings, model, patience).await?;
        let local = Arc::new(local);
        let client = Client::discovered(&local.discovery())?;
        Ok(Connection {
            client: client
                .acting_as(&actor(Surface::Cli))
                .reconnecting_by(Arc::new(Reconnector(Arc::clone(&local)))),
            local: Some(local),
        })
    }

    /// The address that opens the pages of the server; it lets in whoever has it, unless the token
    /// was chosen: who chose it knows it.
    pub(crate) fn page(&self) -> String {
        let base = self.client.base_url();
        let base = base.trim_end_matches('/');
        match &self.local {
            Some(local) if local.settings.token.is_none() => {
                format!("{base}/?token={}", local.discovery().token.reveal())
            }
            Some(_) | None => format!("{base}/"),
        }
    }

    /// Whether the server ends with this process.
    pub(crate) async fn is_embedded(&self) -> bool {
        match &self.local {
            Some(local) => local.embedded.lock().await.server.is_some(),
            None => false,
        }
    }

    /// Ends the server, if it is in this process.
    pub(crate) async fn close(self) -> anyhow::Result<()> {
        let Some(local) = self.local else {
            return Ok(());
        };
        let mut embedded = local.embedded.lock().await;
        embedded.closed = true;
        match embedded.server.take() {
            Some(server) => server.stop().await,
            None => Ok(()),
        }
    }
}

/// The server of a data directory, wherever it runs.
struct LocalServer {
    settings: Settings,
    model: Model,
    patience: Patience,
    current: SyncMutex<Discovery>,
    embedded: Mutex<Embedded>,
}

/// What of it is in this process.
#[derive(Default)]
struct Embedded {
    server: Option<EmbeddedServer>,
    /// The command is at its end: no server is started any more.
    closed: bool,
}

impl fmt::Debug for LocalServer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let data = &self.settings.data;
        f.debug_struct("LocalServer")
            .field("data", data)
            .finish_non_exhaustive()
    }
}

impl LocalServer {
    async fn find(
        settings: Settings,
        model: Model,
        patience: Patience,
    ) -> anyhow::Result<LocalServer> {
        let (discovery, server) = find_or_embed(&settings, model, Duration::ZERO).await?;
        Ok(LocalServer {
            settings,
            model,
            patience,
            current: SyncMutex::new(discovery),
            embedded: Mutex::new(Embedded {
                server,
                closed: false,
            }),
        })
    }

    fn discovery(&self) -> Discovery {
        let current = self.current.lock();
        current.unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Where to go on. One of all that ask does the work.
    async fn go_on(&self, lost: &str) -> anyhow::Result<Discovery> {
        let mut embedded = self.embedded.lock().await;
        let current = self.discovery();
        let runs_here = embedded.server.as_ref();
        let runs_here = runs_here.is_some_and(|server| !server.is_stopping());
        if runs_here || current.base_url() != lost {
            return Ok(current);
        }
        if embedded.closed {
            bail!("the command is at its end");
        }
        if let Some(server) = embedded.server.take() {
            // It hands over: the data directory is free once it has stopped.
            server.stop().await?;
        }
        let patience = self.patience.duration();
        let (discovery, server) = find_or_embed(&self.settings, self.model, patience).await?;
        tracing::debug!(address = discovery.address, "found the server");
        embedded.server = server;
        *self.current.lock().unwrap_or_else(PoisonError::into_inner) = discovery.clone();
        Ok(discovery)
    }
}

/// What reconnects the client.
#[derive(Debug)]
struct Reconnector(Arc<LocalServer>);

impl Reconnect for Reconnector {
    fn reconnect<'a>(
        &'a self,
        lost: &'a str,
    ) -> Pin<Box<dyn Future<Output = Option<Discovery>> + Send + 'a>> {
        let (local, lost) = (Arc::clone(&self.0), lost.to_owned());
        // Whoever asks may stop waiting; a server that is being started must not stop half-way.
        let found = tokio::spawn(async move { local.go_on(&lost).await });
        Box::pin(async move {
            match found.await {
                Ok(Ok(discovery)) => Some(discovery),
                Ok(Err(error)) => {
                    tracing::debug!("{error:#}; trying again");
                    None
                }
                Err(error) => {
                    tracing::error!(%error, "looking for the server failed");
                    None
                }
            }
        })
    }
}

/// The server that runs, or one in this process at any address.
async fn find_or_embed(
    settings: &Settings,
    model: Model,
    patience: Duration,
) -> anyhow::Result<(Discovery, Option<EmbeddedServer>)> {
    let configured = settings.provider.is_some();
    let (wanted, role) = match model {
        Model::OrScripted if configured => (ServerRole::Embedded, ServerRole::Embedded),
        Model::OrScripted => (ServerRole::EmbeddedScripted, ServerRole::EmbeddedScripted),
        // What only looks takes nothing away from others.
        Model::OrNone if configured => (ServerRole::EmbeddedWithoutModel, ServerRole::Embedded),
        Model::OrNone => {
            let role = ServerRole::EmbeddedWithoutModel;
            (role, role)
        }
    };
    let directory = match find_server(&settings.data, wanted, patience).await? {
        Found::Running(discovery) => return Ok((discovery, None)),
        Found::Directory(directory) => directory,
    };
    let llm = match model {
        Model::OrScripted => provider::choose(settings)?,
        Model::OrNone => provider::named(settings)?,
    };
    let plan = ServerPlan {
        listener: listen(settings, SocketAddr::from((Ipv4Addr::LOCALHOST, 0))).await?,
        llm,
        role,
    };
    let server = EmbeddedServer::start(settings, directory, plan)
        .await
        .context("no server runs for this data directory, and none can be started")?;
    Ok((server.discovery.clone(), Some(server)))
}

/// Whether a command runs the server of a data directory beside its own work.
pub(crate) fn is_embedded_elsewhere(data: &Path) -> bool {
    let running = Discovery::of_running(data).ok().flatten();
    running.is_some_and(|running| running.role < ServerRole::Dedicated)
}

/// Takes a data directory for `askback serve`. Other commands hand it over; another `askback serve`
/// does not, unless it is about to stop.
pub(crate) async fn take_data_dir(data: &Path) -> anyhow::Result<DataDir> {
    match find_server(data, ServerRole::Dedicated, Duration::ZERO).await? {
        Found::Directory(directory) => Ok(directory),
        Found::Running(running) => bail!(
            "askback serve already runs for {}: {} (process {}); stop it, or name another data \
             directory with --data",
            data.display(),
            running.base_url(),
            running.pid
        ),
    }
}

/// Who acts here.
pub(crate) fn actor(surface: Surface) -> Actor {
    let name = variable("ASKBACK_USER").or_else(|| variable("USER"));
    Actor {
        name: name.and_then(|name| Text::clean(&name, Lines::One)),
        surface,
    }
}
