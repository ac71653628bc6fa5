//! Turns a base URL, as people write it, into the URL that requests go to.

use reqwest::Url;

use super::settings::{Protocol, ProviderSettingsError};

/// The URL of the protocol's endpoint below a base URL.
///
/// The base URL may end in `/v1`, in a slash, or in the endpoint's own path. Other paths are kept:
/// compatible servers have their own.
pub(super) fn endpoint_url(
    protocol: Protocol,
    base_url: Option<&str>,
) -> Result<Url, ProviderSettingsError> {
    let default = protocol.default_base_url();
    let invalid = || ProviderSettingsError::BaseUrl { example: default };
    let mut url = Url::parse(base_url.unwrap_or(default).trim()).map_err(|_| invalid())?;
    if !matches!(url.scheme(), "http" | "https") || url.host_str().is_none_or(str::is_empty) {
        return Err(invalid());
    }
    let base = url.path().trim_end_matches('/');
    let path = match protocol {
        Protocol::Anthropic => {
            let base = base.strip_suffix("/messages").unwrap_or(base);
            let base = base.strip_suffix("/v1").unwrap_or(base);
            format!("{base}/v1/messages")
        }
        Protocol::OpenAiChat => openai_path(base, "/chat/completions"),
        Protocol::OpenAiResponses => openai_path(base, "/responses"),
    };
    url.set_path(&path);
    Ok(url)
}

fn openai_path(base: &str, endpoint: &str) -> String {
    let base = base.strip_suffix(endpoint).unwrap_or(base);
    let base = if base.is_empty() { "/v1" } else { base };
    format!("{base}{endpoint}")
}

/// Whether a URL points to this machine.
pub(super) fn is_loopback(url: &Url) -> bool {
    let host = url.host_str().unwrap_or_default();
    let address = host.trim_start_matches('[').trim_end_matches(']');
    let parsed = address.parse::<std::net::IpAddr>();
    host == "localhost" || parsed.is_ok_and(|address| address.is_loopback())
}

#[cfg(test)]
#[path = "endpoint_url_tests.rs"]
mod tests;
