//! The server that a command uses: the one at `--url`, the one that runs for the data directory, or one
//! in this process. The connection stays usable when that server ends and another one takes its place.

mod find_server;

use std::fmt;
use std::future::Future;
use std::io::Write as _;
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
use tokio::net::TcpListener;
use tokio::runtime::Runtime;
use tokio::sync::Mutex;

use crate::args::{ConnectArgs, SettingsArgs};
use crate::embedded_server::{EmbeddedServer, ServerStart, listen};
use crate::failure::Failure;
use crate::settings::{Settings, variable};
use crate::{last_port, output, provider, runtime};
use find_server::{ServerSearch, find_server};

pub(crate) struct Connection {
    /// Reconnects by itself, with all of its feeds.
    pub(crate) client: Client,
    /// None with `--url`: no other server replaces that one.
    local: Option<Arc<LocalServer>>,
}

/// What a server in this process uses if no model provider is configured.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum FallbackModel {
    /// The scripted demo agent. A running server without a model is asked to hand over.
    Scripted,
    /// Nothing: model requests wait for a server that has a provider.
    None,
}

/// Where a server in this process listens.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ListenAt {
    AnyPort,
    /// The port of the last time if it is free, so that an open browser tab goes on working.
    LastPort,
    /// An address that the user named.
    Address(SocketAddr),
}

impl ListenAt {
    /// Binds the address. The data directory must be locked.
    async fn bind(self, settings: &Settings) -> anyhow::Result<TcpListener> {
        let any = SocketAddr::from((Ipv4Addr::LOCALHOST, 0));
        match self {
            ListenAt::AnyPort => listen(settings, any).await,
            ListenAt::Address(address) => listen(settings, address).await,
            ListenAt::LastPort => {
                let last = last_port::read(&settings.data).unwrap_or(0);
                let again = SocketAddr::from((Ipv4Addr::LOCALHOST, last));
                let listener = match listen(settings, again).await {
                    Ok(listener) => listener,
                    Err(_) => listen(settings, any).await?,
                };
                if let Err(error) = last_port::write(&settings.data, listener.local_addr()?.port())
                {
                    tracing::debug!(%error, "cannot keep the port for the next time");
                }
                Ok(listener)
            }
        }
    }
}

/// How long a command that lost its server waits for another one before it runs one itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct TakeoverDelay(Duration);

impl TakeoverDelay {
    /// For `askback mcp`: it outlives most commands, and its agent should not wait for theirs.
    pub(crate) const NONE: TakeoverDelay = TakeoverDelay(Duration::ZERO);
    /// A person is waiting.
    pub(crate) const SHORT: TakeoverDelay = TakeoverDelay(Duration::from_secs(1));
    /// Only events are shown; a restarting server may take its time.
    pub(crate) const LONG: TakeoverDelay = TakeoverDelay(Duration::from_secs(5));
}

/// Does something with the server that the flags choose, and closes the connection.
pub(crate) fn with_server<T, E>(
    connect: &ConnectArgs,
    action: impl AsyncFnOnce(&Connection) -> Result<T, E>,
) -> Result<T, Failure>
where
    Failure: From<E>,
{
    let done = runtime::block_on(async {
        let connection = Connection::open(connect, FallbackModel::None).await?;
        let done = action(&connection).await;
        connection.close().await?;
        Ok(done)
    })?;
    Ok(done?)
}

/// The same for a command that shows something at the terminal meanwhile.
pub(crate) fn with_server_and_runtime<T>(
    connect: &ConnectArgs,
    action: impl FnOnce(&Runtime, &Connection) -> Result<T, Failure>,
) -> Result<T, Failure> {
    let runtime = runtime::start()?;
    let connection = runtime.block_on(Connection::open(connect, FallbackModel::None))?;
    let done = action(&runtime, &connection);
    runtime.block_on(connection.close())?;
    done
}

impl Connection {
    pub(crate) async fn open(
        args: &ConnectArgs,
        fallback: FallbackModel,
    ) -> anyhow::Result<Connection> {
        Connection::open_with(args, fallback, TakeoverDelay::SHORT).await
    }

    pub(crate) async fn open_with(
        args: &ConnectArgs,
        fallback: FallbackModel,
        delay: TakeoverDelay,
    ) -> anyhow::Result<Connection> {
        let settings = Settings::gather(&args.settings)?;
        if let Some(url) = &args.url {
            let token = settings.token.as_deref().map(Token::new);
            return Ok(Connection {
                client: Client::new(url, token)?.acting_as(&actor(Surface::Cli)),
                local: None,
            });
        }
        let listen_at = match fallback {
            FallbackModel::Scripted => ListenAt::LastPort,
            FallbackModel::None => ListenAt::AnyPort,
        };
        let connection = Connection::open_local(settings, fallback, delay, listen_at).await?;
        connection.warn_of_unused_flags(&args.settings).await;
        Ok(connection)
    }

    /// Says that flags for a new server change nothing about the one that runs already.
    pub(crate) async fn warn_of_unused_flags(&self, args: &SettingsArgs) {
        let unused = args.new_server_flags();
        if unused.is_empty() || self.is_embedded().await {
            return;
        }
        let (flags, running) = (unused.join(", "), self.client.base_url());
        let has = if unused.len() == 1 { "has" } else { "have" };
        let text = format!(
            "askback: {flags} {has} no effect: a server with its own settings runs at {running}. To change \
             them, restart it, or choose another data directory with --data."
        );
        // Without standard error there is nobody to warn.
        drop(writeln!(output::stderr(), "{text}"));
    }

    /// Connects to the server of the data directory, wherever it runs.
    pub(crate) async fn open_local(
        settings: Settings,
        fallback: FallbackModel,
        delay: TakeoverDelay,
        listen_at: ListenAt,
    ) -> anyhow::Result<Connection> {
        let found = find_or_embed(&settings, fallback, listen_at, TakeoverDelay::NONE);
        let (discovery, server) = found.await?;
        let client = Client::discovered(&discovery)?;
        let closed = false;
        let local = Arc::new(LocalServer {
            settings,
            fallback,
            delay,
            listen_at,
            current: SyncMutex::new(discovery),
            embedded: Mutex::new(Embedded { server, closed }),
        });
        Ok(Connection {
            client: client
                .acting_as(&actor(Surface::Cli))
                .reconnecting_by(Arc::new(Reconnector(Arc::clone(&local)))),
            local: Some(local),
        })
    }

    /// The address of a page to open in a browser. It includes a generated token, so that it signs in, unless
    /// a browser is signed in to this server already. A server in this process may have a new port, for
    /// which no browser has a cookie. A token that the user chose is not printed.
    pub(crate) async fn browser_url(&self, path: &str) -> String {
        let base = self.client.base_url();
        let base = base.trim_end_matches('/');
        let is_signed_in = !self.is_embedded().await && self.has_browser_session().await;
        match &self.local {
            Some(local) if local.settings.token.is_none() && !is_signed_in => {
                format!("{base}{path}?token={}", local.discovery().token.reveal())
            }
            Some(_) | None => format!("{base}{path}"),
        }
    }

    async fn has_browser_session(&self) -> bool {
        let sessions = self.client.sessions().await;
        sessions.is_ok_and(|list| !list.items.is_empty())
    }

    /// Whether a program that embeds the server has started it with the demo script in place of a model.
    pub(crate) fn has_demo_script(&self) -> bool {
        let local = self.local.as_ref();
        local.is_some_and(|local| local.discovery().role == ServerRole::EmbeddedScripted)
    }

    /// Whether the server ends with this process.
    pub(crate) async fn is_embedded(&self) -> bool {
        match &self.local {
            Some(local) => local.embedded.lock().await.server.is_some(),
            None => false,
        }
    }

    /// Stops the server, if it runs in this process.
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
    fallback: FallbackModel,
    delay: TakeoverDelay,
    listen_at: ListenAt,
    current: SyncMutex<Discovery>,
    embedded: Mutex<Embedded>,
}

struct Embedded {
    server: Option<EmbeddedServer>,
    /// The command is exiting: no further server is started.
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
    fn discovery(&self) -> Discovery {
        let current = self.current.lock();
        current.unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// The server to use after the one at `lost`. Concurrent callers wait for the first one.
    async fn find_next(&self, lost: &str) -> anyhow::Result<Discovery> {
        let mut embedded = self.embedded.lock().await;
        let current = self.discovery();
        let runs_here = embedded.server.as_ref();
        let runs_here = runs_here.is_some_and(|server| !server.is_stopping());
        if runs_here || current.base_url() != lost {
            return Ok(current);
        }
        if embedded.closed {
            bail!("the command is exiting");
        }
        if let Some(server) = embedded.server.take() {
            // It is handing over, and frees the data directory when it has stopped.
            server.stop().await?;
        }
        let found = find_or_embed(&self.settings, self.fallback, self.listen_at, self.delay);
        let (discovery, server) = found.await?;
        tracing::debug!(address = discovery.address, "found the server");
        embedded.server = server;
        *self.current.lock().unwrap_or_else(PoisonError::into_inner) = discovery.clone();
        Ok(discovery)
    }
}

#[derive(Debug)]
struct Reconnector(Arc<LocalServer>);

impl Reconnect for Reconnector {
    fn reconnect<'a>(
        &'a self,
        lost: &'a str,
    ) -> Pin<Box<dyn Future<Output = Option<Discovery>> + Send + 'a>> {
        let (local, lost) = (Arc::clone(&self.0), lost.to_owned());
        // A task of its own: if the caller gives up, a server that is starting still finishes.
        let found = tokio::spawn(async move { local.find_next(&lost).await });
        Box::pin(async move {
            match found.await {
                Ok(Ok(discovery)) => Some(discovery),
                Ok(Err(error)) => {
                    tracing::debug!("{error:#}; retrying");
                    None
                }
                Err(error) => {
                    tracing::error!(%error, "the search for the server panicked");
                    None
                }
            }
        })
    }
}

/// Returns the running server, or starts one in this process.
async fn find_or_embed(
    settings: &Settings,
    fallback: FallbackModel,
    listen_at: ListenAt,
    delay: TakeoverDelay,
) -> anyhow::Result<(Discovery, Option<EmbeddedServer>)> {
    let configured = settings.provider.is_some();
    let (wanted, role) = match fallback {
        FallbackModel::Scripted if configured => (ServerRole::Embedded, ServerRole::Embedded),
        FallbackModel::Scripted => (ServerRole::EmbeddedScripted, ServerRole::EmbeddedScripted),
        // Such a command never takes the server away from another process.
        FallbackModel::None if configured => {
            (ServerRole::EmbeddedWithoutModel, ServerRole::Embedded)
        }
        FallbackModel::None => {
            let role = ServerRole::EmbeddedWithoutModel;
            (role, role)
        }
    };
    let directory = match find_server(&settings.data, wanted, delay.0).await? {
        ServerSearch::Running(discovery) => return Ok((discovery, None)),
        ServerSearch::Free(directory) => directory,
    };
    let llm = match fallback {
        FallbackModel::Scripted => provider::or_scripted_checked(settings)?,
        FallbackModel::None => provider::or_none(settings)?,
    };
    let start = ServerStart {
        listener: listen_at.bind(settings).await?,
        phone: None,
        llm,
        role,
    };
    let server = EmbeddedServer::start(settings, directory, start)
        .await
        .context("no server runs for this data directory, and starting one failed")?;
    Ok((server.discovery.clone(), Some(server)))
}

/// Whether a command other than `askback serve` runs the server of a data directory.
pub(crate) fn embedded_server_runs(data: &Path) -> bool {
    let running = Discovery::of_running(data).ok().flatten();
    running.is_some_and(|running| running.role < ServerRole::Dedicated)
}

/// Locks a data directory for `askback serve`. Other commands hand it over; another `askback serve`
/// does not.
pub(crate) async fn take_data_dir(data: &Path) -> anyhow::Result<DataDir> {
    match find_server(data, ServerRole::Dedicated, Duration::ZERO).await? {
        ServerSearch::Free(directory) => Ok(directory),
        ServerSearch::Running(running) => bail!(
            "askback serve already runs for {} at {} (process {}); stop it, or choose another data \
             directory with --data",
            data.display(),
            running.base_url(),
            running.pid
        ),
    }
}

/// Who is recorded as answering: the user of this machine, or `ASKBACK_USER`.
pub(crate) fn actor(surface: Surface) -> Actor {
    let name = variable("ASKBACK_USER").or_else(|| variable("USER"));
    Actor::new(
        name.and_then(|name| Text::clean(&name, Lines::One)),
        surface,
    )
}
