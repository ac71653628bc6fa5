//! Where a push service may be. The address comes from a browser, so it must not lead into our own network.

use std::net::{IpAddr, SocketAddr};

use reqwest::Url;
use reqwest::dns::{Addrs, Name, Resolve, Resolving};

use crate::provider::base_url::BaseUrl;
use crate::provider::ip_network::is_public;

/// The addresses of push services have a few hundred characters.
const CHARS_MAX: usize = 2048;

/// Why a subscription is refused.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum EndpointError {
    /// Not the address of a push service.
    #[error("The endpoint must be an https URL of a push service, as the browser gives it.")]
    Malformed,
    /// Leads to this machine or a network that is not public.
    #[error("The endpoint leads to an address that is private, local or reserved.")]
    Private,
    /// Not the keys of a browser.
    #[error("The keys p256dh and auth must be those that the browser gives, in base64url.")]
    Keys,
}

/// The endpoint as a URL, if we may send there. Names are checked once more when they are resolved.
pub(super) fn checked_endpoint(
    text: &str,
    test_service: Option<&BaseUrl>,
) -> Result<Url, EndpointError> {
    let url = Url::parse(text).map_err(|_| EndpointError::Malformed)?;
    let is_test = |base: &BaseUrl| text.starts_with(&format!("{}/", base.as_str()));
    if test_service.is_some_and(is_test) {
        return Ok(url);
    }
    let has_credentials = !url.username().is_empty() || url.password().is_some();
    if url.scheme() != "https" || has_credentials || text.len() > CHARS_MAX {
        return Err(EndpointError::Malformed);
    }
    let host = url.host_str().ok_or(EndpointError::Malformed)?;
    let bare = host.trim_start_matches('[').trim_end_matches(']');
    let is_allowed = match bare.parse::<IpAddr>() {
        Ok(address) => is_public(address),
        // A name without a dot is one of the own network.
        Err(_) => host.trim_end_matches('.').contains('.'),
    };
    if is_allowed {
        Ok(url)
    } else {
        Err(EndpointError::Private)
    }
}

/// Resolves names to the public ones of their addresses.
pub(super) struct PublicResolver;

impl Resolve for PublicResolver {
    fn resolve(&self, name: Name) -> Resolving {
        Box::pin(async move {
            let found = tokio::net::lookup_host((name.as_str(), 0)).await?;
            let public: Vec<SocketAddr> = found.filter(|found| is_public(found.ip())).collect();
            if public.is_empty() {
                return Err(EndpointError::Private.into());
            }
            Ok(Box::new(public.into_iter()) as Addrs)
        })
    }
}
