//! A proxy that has signed people in.

use std::net::IpAddr;

use anyhow::{Context as _, bail};
use askback_server::ProxyIdentity;
use ipnet::IpNet;

/// None without a header. A header that everybody could send is refused.
pub(super) fn of_proxy<'a>(
    header: Option<&String>,
    proxies: impl Iterator<Item = &'a String>,
) -> anyhow::Result<Option<ProxyIdentity>> {
    let proxies: Vec<IpNet> = proxies
        .map(|proxy| block(proxy))
        .collect::<anyhow::Result<_>>()?;
    let Some(header) = header else {
        if proxies.is_empty() {
            return Ok(None);
        }
        bail!(
            "--trusted-proxy has no effect without --identity-header, the header with the name of the person"
        );
    };
    if proxies.is_empty() {
        bail!(
            "--identity-header needs --trusted-proxy, the address of the proxy: otherwise everybody could send {header} and be anybody"
        );
    }
    let header = header
        .parse()
        .with_context(|| format!("{header:?} is not the name of a header"))?;
    Ok(Some(ProxyIdentity { header, proxies }))
}

/// An address, or a block such as `10.0.0.0/8`.
fn block(text: &str) -> anyhow::Result<IpNet> {
    let (address, prefix) = match text.split_once('/') {
        Some((address, prefix)) => (address, Some(prefix.parse::<u8>())),
        None => (text, None),
    };
    let address = address.trim().parse::<IpAddr>();
    let block = match (address, prefix.transpose()) {
        (Ok(address), Ok(prefix)) => askback_channels::network(address, prefix),
        _ => None,
    };
    block.with_context(|| format!("{text:?} is not an address or a block such as 10.0.0.0/8"))
}

#[cfg(test)]
#[path = "identity_tests.rs"]
mod tests;
