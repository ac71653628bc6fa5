//! The address under which others reach the server: behind a proxy, or from a phone in the same
//! network.

use std::str::FromStr;

use axum::http::Uri;

/// An http or https address without a query.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PublicUrl {
    base: String,
    host: String,
}

/// Not an address that links could begin with.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0:?} is not an address for links: write one such as https://ask.example")]
pub struct PublicUrlError(String);

impl FromStr for PublicUrl {
    type Err = PublicUrlError;

    fn from_str(text: &str) -> Result<PublicUrl, PublicUrlError> {
        let refused = || PublicUrlError(text.to_owned());
        let base = text.trim().trim_end_matches('/');
        let uri: Uri = base.parse().map_err(|_| refused())?;
        let known = matches!(uri.scheme_str(), Some("http" | "https"));
        let authority = uri.authority().ok_or_else(refused)?;
        // Pages name their files from the root, so the server has the address to itself.
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
    /// The address, without a slash at its end.
    pub fn as_str(&self) -> &str {
        &self.base
    }

    /// The name of the host, without its port.
    pub fn host(&self) -> &str {
        &self.host
    }
}

#[cfg(test)]
#[path = "public_url_tests.rs"]
mod tests;
