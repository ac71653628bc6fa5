//! Which URLs webhooks may have: hosts on the public internet, and hosts that the operator allowed.
//!
//! The URL is checked when a question is asked. Resolved addresses are checked by the resolver of each
//! connection, so that a DNS record cannot change between check and use.

use std::net::IpAddr;
use std::str::FromStr;

use askback_wire::limits;
use ipnet::IpNet;
use reqwest::Url;

use askback_channels::{is_public, network};

/// Why a webhook URL is refused.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum WebhookRefusal {
    /// Not an http or https URL.
    #[error("The webhook must be an http or https URL, such as https://example.com/hook.")]
    Malformed,
    /// Contains a user name or a password, which would be stored.
    #[error(
        "The webhook URL must not contain a user name or a password. Check the signature of \
         deliveries instead."
    )]
    Credentials,
    /// Too long to store.
    #[error(
        "The webhook URL must have at most {} characters.",
        limits::WEBHOOK_CHARS_MAX
    )]
    TooLong,
    /// Leads to a private network or to this machine.
    #[error(
        "The webhook host {host} is private, local or reserved. The server calls it only if it was \
         started with --webhook-allow {host}."
    )]
    Private {
        /// The normalised host.
        host: String,
    },
}

/// An exception by the operator: a host name, an IP address, or a block of addresses.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum WebhookAllow {
    /// A name, regardless of its addresses.
    Host(String),
    /// Addresses, regardless of their name.
    Network(IpNet),
}

/// Not a valid [`WebhookAllow`].
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
            let network = network(address, prefix).ok_or_else(refused)?;
            return Ok(WebhookAllow::Network(network));
        }
        let plain = |c: char| c.is_alphanumeric() || matches!(c, '-' | '.' | '_');
        if prefix.is_some() || host.is_empty() || !host.chars().all(plain) {
            return Err(refused());
        }
        let url = Url::parse(&format!("http://{host}/")).map_err(|_| refused())?;
        match UrlHost::from_url(&url).ok_or_else(refused)? {
            UrlHost::Name(name) => Ok(WebhookAllow::Host(name)),
            // Unusual notations of an address, such as `127.1`.
            UrlHost::Address(_) => Err(refused()),
        }
    }
}

/// The host of a URL.
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

/// Lower case, without a trailing dot.
fn canonical_name(name: &str) -> String {
    let name = name.to_ascii_lowercase();
    name.strip_suffix('.').unwrap_or(&name).to_owned()
}

/// The rules for webhook URLs.
#[derive(Debug, Clone, Default)]
pub struct WebhookPolicy {
    allowed: Vec<WebhookAllow>,
}

impl WebhookPolicy {
    /// Permits public addresses and these exceptions.
    pub fn new(allowed: Vec<WebhookAllow>) -> WebhookPolicy {
        WebhookPolicy { allowed }
    }

    /// Parses the URL of a webhook and checks its host. Resolved addresses are checked by
    /// [`WebhookPolicy::permits`].
    pub fn check(&self, url: &str) -> Result<Url, WebhookRefusal> {
        if url.chars().count() > limits::WEBHOOK_CHARS_MAX {
            return Err(WebhookRefusal::TooLong);
        }
        let authority = url
            .strip_prefix("https://")
            .or_else(|| url.strip_prefix("http://"));
        // The parser accepts these, but other programs parse them differently.
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
            // Every system resolves these names to itself.
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
            WebhookAllow::Network(network) => network.contains(&address.to_canonical()),
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
