//! Which addresses webhooks may have: those on the public internet, and those that the operator named.
//!
//! What an address itself says is checked when a question is asked. What its name leads to is checked
//! when it is connected to, by the resolver of the connection itself, so that a name cannot change
//! between the check and the call.

use std::net::IpAddr;
use std::str::FromStr;

use askback_wire::limits;
use reqwest::Url;

use super::ip_network::{IpNetwork, is_public};

/// Why a webhook is not called.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum WebhookRefusal {
    /// It is not an address that could be called.
    #[error("A webhook is an http or https address, such as https://example.com/hook.")]
    Malformed,
    /// It holds a user name or a password, which would end up in records.
    #[error(
        "A webhook address has no user name and no password: check the signature of what arrives \
         instead."
    )]
    Credentials,
    /// It is longer than is kept.
    #[error(
        "A webhook address has at most {} characters.",
        limits::WEBHOOK_CHARS_MAX
    )]
    TooLong,
    /// It leads into a private network or to this machine.
    #[error(
        "The webhook host {host} is private, local or reserved. The server calls it only if it was \
         started with --webhook-allow {host}."
    )]
    Private {
        /// The host, as it was understood.
        host: String,
    },
}

/// What the operator allows: a host name, an address, or a block of addresses.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum WebhookAllow {
    /// A name, whatever it leads to.
    Host(String),
    /// Addresses, whatever their name.
    Network(WebhookNetwork),
}

/// A block of addresses that was allowed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct WebhookNetwork(IpNetwork);

/// Neither a host nor a block of addresses.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error(
    "{0:?} cannot be allowed for webhooks: write a host name (hooks.internal), an address \
     (10.0.0.7) or a block (10.0.0.0/8), without scheme and port"
)]
pub struct WebhookAllowError(String);

impl FromStr for WebhookAllow {
    type Err = WebhookAllowError;

    fn from_str(text: &str) -> Result<WebhookAllow, WebhookAllowError> {
        let refused = || WebhookAllowError(text.to_owned());
        let text = text.trim();
        let (host, prefix) = match text.split_once('/') {
            Some((host, prefix)) => (host, Some(prefix.parse::<u8>().map_err(|_| refused())?)),
            None => (text, None),
        };
        let unbracketed = host
            .strip_prefix('[')
            .and_then(|host| host.strip_suffix(']'));
        if let Ok(address) = unbracketed.unwrap_or(host).parse::<IpAddr>() {
            let network = IpNetwork::new(address, prefix).ok_or_else(refused)?;
            return Ok(WebhookAllow::Network(WebhookNetwork(network)));
        }
        let plain = |c: char| c.is_alphanumeric() || matches!(c, '-' | '.' | '_');
        if prefix.is_some() || host.is_empty() || !host.chars().all(plain) {
            return Err(refused());
        }
        let url = Url::parse(&format!("http://{host}/")).map_err(|_| refused())?;
        match UrlHost::from_url(&url).ok_or_else(refused)? {
            UrlHost::Name(name) => Ok(WebhookAllow::Host(name)),
            // `127.1` and the like: an address that does not look like one.
            UrlHost::Address(_) => Err(refused()),
        }
    }
}

/// Where an address leads, as far as it says itself.
#[derive(Debug, Clone, PartialEq, Eq)]
enum UrlHost {
    Name(String),
    Address(IpAddr),
}

impl UrlHost {
    fn from_url(url: &Url) -> Option<UrlHost> {
        let host = url.host_str()?;
        let bare = host.trim_start_matches('[').trim_end_matches(']');
        Some(match bare.parse::<IpAddr>() {
            Ok(address) => UrlHost::Address(address),
            Err(_) => UrlHost::Name(canonical_name(host)),
        })
    }
}

/// A name as names are compared: in lower case, without the dot of the root.
fn canonical_name(name: &str) -> String {
    let name = name.to_ascii_lowercase();
    name.strip_suffix('.').unwrap_or(&name).to_owned()
}

/// Which addresses may be called.
#[derive(Debug, Clone, Default)]
pub struct WebhookPolicy {
    allowed: Vec<WebhookAllow>,
}

impl WebhookPolicy {
    /// Public addresses and these.
    pub fn new(allowed: Vec<WebhookAllow>) -> WebhookPolicy {
        WebhookPolicy { allowed }
    }

    /// The address of a webhook, if what it says itself is allowed. Whatever its name leads to is
    /// checked by [`WebhookPolicy::permits`].
    pub fn check(&self, url: &str) -> Result<Url, WebhookRefusal> {
        if url.chars().count() > limits::WEBHOOK_CHARS_MAX {
            return Err(WebhookRefusal::TooLong);
        }
        let authority = url
            .strip_prefix("https://")
            .or_else(|| url.strip_prefix("http://"));
        // The parser forgives what other programs read differently: none of it is taken.
        let odd = |c: char| c.is_whitespace() || c.is_control() || matches!(c, '\\' | '#');
        if authority.is_none_or(|rest| rest.starts_with('/')) || url.contains(odd) {
            return Err(WebhookRefusal::Malformed);
        }
        let parsed = Url::parse(url).map_err(|_| WebhookRefusal::Malformed)?;
        let authority = authority.and_then(|rest| rest.split(['/', '?']).next());
        if authority.is_some_and(|authority| authority.contains('@')) {
            return Err(WebhookRefusal::Credentials);
        }
        if authority.is_some_and(|authority| authority.contains('%')) {
            return Err(WebhookRefusal::Malformed);
        }
        let target = UrlHost::from_url(&parsed).ok_or(WebhookRefusal::Malformed)?;
        if parsed.port() == Some(0) {
            return Err(WebhookRefusal::Malformed);
        }
        let permitted = match &target {
            UrlHost::Address(address) => is_public(*address) || self.allows_address(*address),
            // Names that every system resolves to itself.
            UrlHost::Name(name) => {
                let local = name == "localhost" || name.ends_with(".localhost");
                !local || self.allows_host(name) || self.allows_loopback()
            }
        };
        if permitted {
            return Ok(parsed);
        }
        let host = match target {
            UrlHost::Name(name) => name,
            UrlHost::Address(address) => address.to_canonical().to_string(),
        };
        Err(WebhookRefusal::Private { host })
    }

    /// Whether the server may connect to this address, to which the name was resolved.
    pub(super) fn permits(&self, name: &str, address: IpAddr) -> bool {
        is_public(address)
            || self.allows_host(&canonical_name(name))
            || self.allows_address(address)
    }

    fn allows_host(&self, name: &str) -> bool {
        let mut allowed = self.allowed.iter();
        allowed.any(|allowed| matches!(allowed, WebhookAllow::Host(host) if host == name))
    }

    fn allows_address(&self, address: IpAddr) -> bool {
        self.allowed.iter().any(|allowed| match allowed {
            WebhookAllow::Network(network) => network.0.contains(address),
            WebhookAllow::Host(_) => false,
        })
    }

    fn allows_loopback(&self) -> bool {
        let loopback = ["127.0.0.1", "::1"].map(str::parse::<IpAddr>);
        loopback
            .into_iter()
            .flatten()
            .any(|address| self.allows_address(address))
    }
}

#[cfg(test)]
#[path = "policy_tests.rs"]
mod tests;
