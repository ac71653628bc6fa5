//! The address of a provider.

use std::fmt;
use std::net::IpAddr;

use reqwest::Url;

/// The address of a provider, without a slash at its end. It is https, or http on this machine, which
/// is how tests and a proxy of one's own are reached.
#[derive(Clone, PartialEq, Eq)]
pub struct BaseUrl {
    url: String,
    is_loopback: bool,
}

/// Why an address is refused.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum BaseUrlError {
    /// Not an http or https URL, or one with a query, a fragment or credentials.
    #[error("must be an https URL without user name and query, such as https://ntfy.sh")]
    Malformed,
    /// A token would travel in the clear.
    #[error("must be https: plain http is taken only for this machine (127.0.0.1, localhost)")]
    Plain,
}

/// Whether a host is this machine.
pub(crate) fn is_loopback(host: &str) -> bool {
    match host.parse::<IpAddr>() {
        Ok(address) => address.is_loopback(),
        Err(_) => host == "localhost",
    }
}

impl fmt::Debug for BaseUrl {
    /// Only the host: the path may be a secret.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "BaseUrl({})", self.host())
    }
}

impl BaseUrl {
    /// Checks the address.
    pub fn parse(text: &str) -> Result<BaseUrl, BaseUrlError> {
        let url = Url::parse(text.trim()).map_err(|_| BaseUrlError::Malformed)?;
        let has_credentials = !url.username().is_empty() || url.password().is_some();
        if has_credentials || url.query().is_some() || url.fragment().is_some() {
            return Err(BaseUrlError::Malformed);
        }
        let host = url.host_str().ok_or(BaseUrlError::Malformed)?;
        let is_loopback = is_loopback(host.trim_start_matches('[').trim_end_matches(']'));
        match url.scheme() {
            "https" => {}
            "http" if is_loopback => {}
            "http" => return Err(BaseUrlError::Plain),
            _ => return Err(BaseUrlError::Malformed),
        }
        Ok(BaseUrl {
            url: url.as_str().trim_end_matches('/').to_owned(),
            is_loopback,
        })
    }

    /// The URL without a slash at its end.
    pub fn as_str(&self) -> &str {
        &self.url
    }

    /// Whether it is on this machine.
    pub fn is_loopback(&self) -> bool {
        self.is_loopback
    }

    /// The host alone, for texts.
    pub fn host(&self) -> &str {
        let rest = self.url.split_once("://").map_or("", |(_, rest)| rest);
        let authority = rest.split(['/', '?', '#']).next().unwrap_or_default();
        authority.rsplit('@').next().unwrap_or_default()
    }
}

#[cfg(test)]
#[path = "base_url_tests.rs"]
mod tests;
