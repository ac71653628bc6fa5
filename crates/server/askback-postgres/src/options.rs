//! Where the database is and how to use it, from a URL.

use std::num::NonZero;
use std::path::PathBuf;
use std::str::FromStr;
use std::time::Duration;

use percent_encoding::percent_decode_str;
use tokio_postgres::Config;
use tokio_postgres::config::{Host, SslMode};

use askback_store::store::StoreError;

const LEASE: Duration = Duration::from_secs(15);
const PATIENCE: Duration = Duration::from_secs(5);
const LEASE_MIN: Duration = Duration::from_secs(2);
const READERS: NonZero<usize> = NonZero::new(8).unwrap();
const CONNECT_TIMEOUT: Duration = Duration::from_secs(5);
const KEEPALIVE: Duration = Duration::from_secs(10);
/// How long the network may leave sent data unacknowledged before a connection counts as broken.
const USER_TIMEOUT: Duration = Duration::from_secs(10);

/// Options of [`PostgresStore::open`](crate::PostgresStore::open). They do not implement `Debug`,
/// because they contain the password.
#[derive(Clone)]
pub struct PostgresOptions {
    pub(super) config: Config,
    /// For `LISTEN`, if it needs another address than everything else.
    pub(super) listen_config: Config,
    pub(super) root_certificate: Option<PathBuf>,
    pub(super) prepare: Prepare,
    pub(super) readers: NonZero<usize>,
    pub(super) lease: Duration,
    /// How long to try to reach the database before callers of a commit get an error.
    pub(super) patience: Duration,
    pub(super) node: NodeIdentity,
}

/// What a node tells the others about itself.
#[derive(Debug, Clone, Default)]
pub struct NodeIdentity {
    /// For people; the host name if there is none.
    pub name: Option<String>,
    /// Identifies the token of its server without revealing it.
    pub token_id: Option<[u8; 16]>,
}

/// Whether statements are prepared once for each connection.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Prepare {
    Once,
    /// Parsed each time, for poolers that give every transaction another connection.
    Never,
}

impl PostgresOptions {
    /// Parses a `postgres://` URL. The error names the parameter that is wrong, never the password.
    pub fn parse(url: &str) -> Result<PostgresOptions, StoreError> {
        let (address, query) = url.split_once('?').unwrap_or((url, ""));
        let mut parameters = Parameters::default();
        for pair in query.split('&').filter(|pair| !pair.is_empty()) {
            parameters.read(pair)?;
        }
        let own = parameters.left.join("&");
        let url = if own.is_empty() {
            address.to_owned()
        } else {
            format!("{address}?{own}")
        };
        let mut config =
            Config::from_str(&url).map_err(|error| invalid(&parse_reason(&error, &url)))?;
        if config.get_hosts().is_empty() {
            return Err(invalid("it names no host"));
        }
        let is_host = |host: &Host| match host {
            Host::Tcp(name) => !name.contains(|c: char| c == '@' || c.is_whitespace()),
            Host::Unix(_) => true,
        };
        if !config.get_hosts().iter().all(is_host) {
            return Err(invalid(
                "a user name or password with @, :, /, %, # or a space must have them percent-encoded, such as \
                 %40 for @",
            ));
        }
        let is_local = config.get_hosts().iter().all(is_local);
        config
            .ssl_mode(ssl_mode(parameters.ssl_mode.as_deref(), is_local)?)
            .connect_timeout(CONNECT_TIMEOUT)
            .keepalives_idle(KEEPALIVE)
            .keepalives_interval(KEEPALIVE)
            .tcp_user_timeout(USER_TIMEOUT);
        if config.get_application_name().is_none() {
            config.application_name("askback");
        }
        Ok(PostgresOptions {
            listen_config: parameters.listen_config(&config)?,
            config,
            root_certificate: parameters.root_certificate,
            prepare: parameters.prepare.unwrap_or(Prepare::Once),
            readers: parameters.pool.unwrap_or(READERS),
            lease: parameters.lease.unwrap_or(LEASE),
            patience: PATIENCE,
            node: NodeIdentity::default(),
        })
    }

    /// The same options for this node.
    #[must_use]
    pub fn with_node(mut self, node: NodeIdentity) -> PostgresOptions {
        self.node = node;
        self
    }

    /// The host and the name of the database, for people. It contains no password.
    pub fn address(&self) -> String {
        let hosts = self.config.get_hosts().iter().map(|host| match host {
            Host::Tcp(name) => name.clone(),
            Host::Unix(path) => path.display().to_string(),
        });
        let hosts: Vec<_> = hosts.collect();
        let ports = self.config.get_ports();
        let port = ports.first().map(|port| format!(":{port}"));
        let database = self.config.get_dbname().or(self.config.get_user());
        format!(
            "{}{}/{}",
            hosts.join(","),
            port.unwrap_or_default(),
            database.unwrap_or_default()
        )
    }
}

/// The parameters that only askback knows; the others are left to the driver.
#[derive(Default)]
struct Parameters {
    left: Vec<String>,
    ssl_mode: Option<String>,
    root_certificate: Option<PathBuf>,
    prepare: Option<Prepare>,
    pool: Option<NonZero<usize>>,
    lease: Option<Duration>,
    listen_host: Option<String>,
    listen_port: Option<u16>,
}

impl Parameters {
    fn read(&mut self, pair: &str) -> Result<(), StoreError> {
        let (name, value) = pair.split_once('=').unwrap_or((pair, ""));
        let value = percent_decode_str(value)
            .decode_utf8()
            .map_err(|_| invalid(&format!("the value of {name} is not UTF-8")))?;
        match name {
            "sslmode" => self.ssl_mode = Some(value.into_owned()),
            "sslrootcert" => self.root_certificate = Some(PathBuf::from(value.as_ref())),
            "prepare" => {
                self.prepare = Some(match value.as_ref() {
                    "on" => Prepare::Once,
                    "off" => Prepare::Never,
                    _ => return Err(invalid("prepare takes on or off")),
                });
            }
            "pool" => {
                let pool = value.parse().ok();
                self.pool = Some(pool.ok_or_else(|| invalid("pool takes a number from 1"))?);
            }
            "lease" => self.lease = Some(lease(&value)?),
            "listen_host" => self.listen_host = Some(value.into_owned()),
            "listen_port" => {
                let port = value.parse().ok();
                self.listen_port =
                    Some(port.ok_or_else(|| invalid("listen_port takes the number of a port"))?);
            }
            _ => self.left.push(pair.to_owned()),
        }
        Ok(())
    }

    fn listen_config(&self, config: &Config) -> Result<Config, StoreError> {
        if self.listen_host.is_none() && self.listen_port.is_none() {
            return Ok(config.clone());
        }
        let mut listen = Config::new();
        let host = match (&self.listen_host, config.get_hosts()) {
            (Some(host), _) if host.starts_with('/') => Host::Unix(PathBuf::from(host)),
            (Some(host), _) => Host::Tcp(host.clone()),
            (None, [only]) => only.clone(),
            (None, _) => return Err(invalid("listen_port with several hosts needs listen_host")),
        };
        match host {
            Host::Tcp(name) => listen.host(name),
            Host::Unix(path) => listen.host_path(path),
        };
        let port = self.listen_port.or(config.get_ports().first().copied());
        listen.port(port.unwrap_or(5432));
        if let Some(user) = config.get_user() {
            listen.user(user);
        }
        if let Some(password) = config.get_password() {
            listen.password(password);
        }
        if let Some(database) = config.get_dbname() {
            listen.dbname(database);
        }
        listen
            .application_name("askback")
            .ssl_mode(config.get_ssl_mode())
            .connect_timeout(CONNECT_TIMEOUT)
            .keepalives_idle(KEEPALIVE)
            .keepalives_interval(KEEPALIVE)
            .tcp_user_timeout(USER_TIMEOUT);
        Ok(listen)
    }
}

fn lease(value: &str) -> Result<Duration, StoreError> {
    let seconds = value.strip_suffix('s').unwrap_or(value).parse().ok();
    let lease = seconds.map(Duration::from_secs);
    lease
        .filter(|lease| *lease >= LEASE_MIN)
        .ok_or_else(|| invalid("lease takes a number of seconds from 2, such as 15s"))
}

/// Other machines are reached with TLS unless the URL says otherwise: the password and all questions
/// travel over this connection.
fn ssl_mode(given: Option<&str>, is_local: bool) -> Result<SslMode, StoreError> {
    match given {
        None if is_local => Ok(SslMode::Disable),
        None | Some("require" | "verify-full") => Ok(SslMode::Require),
        Some("disable") => Ok(SslMode::Disable),
        Some(_) => Err(invalid(
            "sslmode takes disable, require or verify-full (the last two are the same: the \
             certificate is always checked)",
        )),
    }
}

fn is_local(host: &Host) -> bool {
    match host {
        Host::Tcp(name) => {
            let ip = name.parse::<std::net::IpAddr>();
            name == "localhost" || ip.is_ok_and(|ip| ip.is_loopback())
        }
        Host::Unix(_) => true,
    }
}

/// The reason without anything that the URL contains except names of parameters.
fn parse_reason(error: &tokio_postgres::Error, url: &str) -> String {
    let cause = std::error::Error::source(error).map(ToString::to_string);
    let cause = cause.unwrap_or_default();
    let names_parameter = ["unknown option", "invalid value"];
    if names_parameter.iter().any(|start| cause.starts_with(start)) && !url.contains('\'') {
        return cause;
    }
    "write postgres://USER:PASSWORD@HOST:PORT/DATABASE, with %40 for @ in the password".to_owned()
}

fn invalid(why: &str) -> StoreError {
    StoreError::Unavailable(format!("the PostgreSQL URL is not valid: {why}"))
}

#[cfg(test)]
#[path = "options_tests.rs"]
mod tests;
