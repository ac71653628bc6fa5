//! The address of the server, shared by all clones of a client. When its process ends, another process may
//! take over at another address, and all clones switch to it.

use std::sync::{Arc, PoisonError, RwLock};
use std::time::Duration;

use reqwest::Url;
use reqwest::header::HeaderValue;

use crate::error::{ClientError, TransportError};
use crate::server_proof::ServerProofLayer;
use askback_wire::discovery::Discovery;
use askback_wire::token::Token;

const CONNECT_TIMEOUT: Duration = Duration::from_secs(10);

/// A URL with its token and connection pool. Each address has a pool of its own, so that connections to one
/// server are never used for another.
#[derive(Debug, Clone)]
pub(crate) struct ServerAddress {
    pub(crate) base: String,
    pub(crate) authorization: Option<HeaderValue>,
    pub(crate) connections: reqwest::Client,
}

impl ServerAddress {
    /// A URL from the user, such as `http://127.0.0.1:7777`.
    pub(crate) fn new(base_url: &str, token: Option<&Token>) -> Result<ServerAddress, ClientError> {
        let (base, url) = checked(base_url)?;
        let mut builder = builder();
        if is_loopback(&url) {
            builder = builder.no_proxy();
        }
        ServerAddress::build(base, token, builder)
    }

    /// An address from a data directory. The server must prove on every connection that it knows the token.
    pub(crate) fn discovered(discovery: &Discovery) -> Result<ServerAddress, ClientError> {
        let (base, _) = checked(&discovery.base_url())?;
        let token = &discovery.token;
        let builder = builder()
            .no_proxy()
            .connector_layer(ServerProofLayer::new(&base, token));
        ServerAddress::build(base, Some(token), builder)
    }

    /// Whether address and token are the same. A restarted server may have the same address and another
    /// token.
    pub(crate) fn is(&self, discovery: &Discovery) -> bool {
        self.base == discovery.base_url().trim_end_matches('/')
            && self.authorization == authorization(&discovery.token).ok()
    }

    fn build(
        base: String,
        token: Option<&Token>,
        mut builder: reqwest::ClientBuilder,
    ) -> Result<ServerAddress, ClientError> {
        if base.starts_with("http:") {
            // Plain HTTP works on a machine without root certificates.
            builder = builder.tls_certs_only([]);
        }
        // TLS needs a crypto provider for the process. Fails if there is one already, which is fine.
        drop(rustls::crypto::ring::default_provider().install_default());
        Ok(ServerAddress {
            base,
            authorization: token.map(authorization).transpose()?,
            connections: builder.build()?,
        })
    }
}

/// Connections that are kept for later requests.
const IDLE_CONNECTIONS_MAX: usize = 8;

fn builder() -> reqwest::ClientBuilder {
    reqwest::Client::builder()
        .connect_timeout(CONNECT_TIMEOUT)
        // The MCP endpoint polls for each call that waits. The connections of calls that have ended would
        // stay open for a while.
        .pool_max_idle_per_host(IDLE_CONNECTIONS_MAX)
        // A redirect would send the token elsewhere.
        .redirect(reqwest::redirect::Policy::none())
}

fn checked(base_url: &str) -> Result<(String, Url), ClientError> {
    let base = base_url.trim_end_matches('/').to_owned();
    let url = Url::parse(&base).map_err(|_| TransportError::Address("not a URL"))?;
    if !matches!(url.scheme(), "http" | "https") {
        return Err(TransportError::Address("neither http nor https").into());
    }
    Ok((base, url))
}

fn authorization(token: &Token) -> Result<HeaderValue, ClientError> {
    let value = HeaderValue::from_str(&format!("Bearer {}", token.reveal()));
    let mut value = value.map_err(|_| TransportError::Address("not a token"))?;
    value.set_sensitive(true);
    Ok(value)
}

fn is_loopback(url: &Url) -> bool {
    let host = url.host_str().unwrap_or_default();
    let address = host.trim_start_matches('[').trim_end_matches(']');
    let address: Result<std::net::IpAddr, _> = address.parse();
    host == "localhost" || address.is_ok_and(|address| address.is_loopback())
}

/// The address in use now.
#[derive(Debug, Clone)]
pub(crate) struct CurrentServer(Arc<RwLock<ServerAddress>>);

impl CurrentServer {
    pub(crate) fn new(address: ServerAddress) -> CurrentServer {
        CurrentServer(Arc::new(RwLock::new(address)))
    }

    pub(crate) fn now(&self) -> ServerAddress {
        self.0
            .read()
            .unwrap_or_else(PoisonError::into_inner)
            .clone()
    }

    pub(crate) fn move_to(&self, address: ServerAddress) {
        *self.0.write().unwrap_or_else(PoisonError::into_inner) = address;
    }
}
