//! The URL of the server for others: behind a proxy, or from a phone in the same network.

use std::str::FromStr;

use axum::http::Uri;

/// An http or https URL without path and query.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PublicUrl {
    base: String,
    host: String,
}

/// Links cannot start with this.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0:?} is not a public URL: write scheme and host, such as https://ask.example")]
pub struct PublicUrlError(String);

impl FromStr for PublicUrl {
    type Err = PublicUrlError;

    fn from_str(text: &str) -> Result<PublicUrl, PublicUrlError> {
        let refused = || PublicUrlError(text.to_owned());
        let base = text.trim().trim_end_matches('/');
        let uri: Uri = base.parse().map_err(|_| refused())?;
        let known = matches!(uri.scheme_str(), Some("http" | "https"));
        let authority = uri.authority().ok_or_else(refused)?;
        // Pages refer to their files from the root, so the URL has no path.
        let alone = uri.path() == "/" && uri.query().is_none();
        if !known || !alone || authority.as_str().contains('@') || base.contains('#') {
            return Err(refused());
        }
        let host = uri.host().unwrap_or_default();
        Ok(PublicUrl {
            host: host.trim_matches(['[', ']']).to_owned(),
            base: base.to_owned(),
        })
    }
}

impl PublicUrl {
    /// The URL without a trailing slash.
    pub fn as_str(&self) -> &str {
        &self.base
    }

    /// The host name without the port.
    pub fn host(&self) -> &str {
        &self.host
    }
}

#[cfg(test)]
#[path = "public_url_tests.rs"]
mod tests;
