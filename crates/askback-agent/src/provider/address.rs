//! Where requests go, from base URLs as people write them.

use reqwest::Url;

use super::settings::{SettingsError, Wire};

/// The address of the endpoint below a base URL.
///
/// Base URLs come with and without `/v1`, with and without a slash at the end, and sometimes as the
/// endpoint itself. The path of a server that is not Anthropic's or `OpenAI`'s own is kept.
pub(super) fn endpoint(wire: Wire, base_url: Option<&str>) -> Result<Url, SettingsError> {
    let default = wire.default_base_url();
    let wrong = || SettingsError::BaseUrl { example: default };
    let mut url = Url::parse(base_url.unwrap_or(default).trim()).map_err(|_| wrong())?;
    if !matches!(url.scheme(), "http" | "https") || url.host_str().is_none_or(str::is_empty) {
        return Err(wrong());
    }
    let base = url.path().trim_end_matches('/');
    let path = match wire {
        Wire::Anthropic => {
            let base = base.strip_suffix("/messages").unwrap_or(base);
            let base = base.strip_suffix("/v1").unwrap_or(base);
            format!("{base}/v1/messages")
        }
        Wire::OpenAi => {
            let base = base.strip_suffix("/chat/completions").unwrap_or(base);
            let base = if base.is_empty() { "/v1" } else { base };
            format!("{base}/chat/completions")
        }
    };
    url.set_path(&path);
    Ok(url)
}

/// Whether an address is on this machine.
pub(super) fn is_loopback(url: &Url) -> bool {
    let host = url.host_str().unwrap_or_default();
    let address = host.trim_start_matches('[').trim_end_matches(']');
    let parsed = address.parse::<std::net::IpAddr>();
    host == "localhost" || parsed.is_ok_and(|address| address.is_loopback())
}

#[cfg(test)]
#[path = "address_tests.rs"]
mod tests;
