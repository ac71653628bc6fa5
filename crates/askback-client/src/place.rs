//! Where the server is, shared by all clones of a client: when the server's process ends, another
//! one takes over at another address, and everybody goes on there.

use std::sync::{Arc, PoisonError, RwLock};
use std::time::Duration;

use reqwest::Url;
use reqwest::header::HeaderValue;

use crate::error::{ClientError, TransportError};
use crate::prove::ProveLayer;
use askback_wire::discovery::Discovery;
use askback_wire::token::Token;

/// How long a connection may take to come about.
const CONNECT_MAX: Duration = Duration::from_secs(10);

/// An address with what opens it. Its connections are its own, so that none that was made to one
/// server is used for another.
#[derive(Debug, Clone)]
pub(crate) struct Address {
    pub(crate) base: String,
    pub(crate) authorization: Option<HeaderValue>,
    pub(crate) connections: reqwest::Client,
}

impl Address {
    /// An address that somebody named, such as `http://127.0.0.1:7777`.
    pub(crate) fn named(base_url: &str, token: Option<&Token>) -> Result<Address, ClientError> {
        let (base, url) = checked(base_url)?;
        let mut builder = builder();
        if is_loopback(&url) {
            builder = builder.no_proxy();
        }
        Address::new(base, token, builder)
    }

    /// An address that was found in a data directory: whoever listens there proves on every
    /// connection that it knows the token, before it gets anything.
    pub(crate) fn found(discovery: &Discovery) -> Result<Address, ClientError> {
        let (base, _) = checked(&discovery.base_url())?;
        let token = &discovery.token;
        let builder = builder()
            .no_proxy()
            .connector_layer(ProveLayer::new(&base, token));
        Address::new(base, Some(token), builder)
    }

    /// Whether this is where a server was found, with its token: one that is started again may have the
    /// same address and another token.
    pub(crate) fn is(&self, discovery: &Discovery) -> bool {
        self.base == discovery.base_url().trim_end_matches('/')
            && self.authorization == authorization(&discovery.token).ok()
    }

    fn new(
        base: String,
        token: Option<&Token>,
        builder: reqwest::ClientBuilder,
    ) -> Result<Address, ClientError> {
        // TLS needs a crypto provider for the process; one that is installed already stays.
        drop(rustls::crypto::ring::default_provider().install_default());
        Ok(Address {
            base,
            authorization: token.map(authorization).transpose()?,
            connections: builder.build()?,
        })
    }
}

fn builder() -> reqwest::ClientBuilder {
    reqwest::Client::builder()
        .connect_timeout(CONNECT_MAX)
        // A redirect would carry the token to somebody else.
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

/// The address that is used now.
#[derive(Debug, Clone)]
pub(crate) struct Place(Arc<RwLock<Address>>);

impl Place {
    pub(crate) fn new(address: Address) -> Place {
        Place(Arc::new(RwLock::new(address)))
    }

    pub(crate) fn now(&self) -> Address {
        self.0
            .read()
            .unwrap_or_else(PoisonError::into_inner)
            .clone()
    }

    pub(crate) fn move_to(&self, address: Address) {
        *self.0.write().unwrap_or_else(PoisonError::into_inner) = address;
    }
}
