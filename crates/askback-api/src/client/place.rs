//! Where the server is, shared by all clones of a client: when the server's process ends, another
//! one takes over at another address, and everybody goes on there.

use std::sync::{Arc, PoisonError, RwLock};

use reqwest::Url;
use reqwest::header::HeaderValue;

use super::error::{ClientError, TransportError};
use super::token::Token;

/// An address with what opens it.
#[derive(Debug, Clone)]
pub(super) struct Address {
    pub(super) base: String,
    pub(super) authorization: Option<HeaderValue>,
}

impl Address {
    /// Checks an address such as `http://127.0.0.1:7777`.
    pub(super) fn new(
        base_url: &str,
        token: Option<&Token>,
    ) -> Result<(Address, Url), ClientError> {
        let base = base_url.trim_end_matches('/').to_owned();
        let url = Url::parse(&base).map_err(|_| TransportError::Address("not a URL"))?;
        if !matches!(url.scheme(), "http" | "https") {
            return Err(TransportError::Address("neither http nor https").into());
        }
        let authorization = token
            .map(|token| {
                let value = HeaderValue::from_str(&format!("Bearer {}", token.reveal()));
                let mut value = value.map_err(|_| TransportError::Address("not a token"))?;
                value.set_sensitive(true);
                Ok::<_, ClientError>(value)
            })
            .transpose()?;
        Ok((
            Address {
                base,
                authorization,
            },
            url,
        ))
    }
}

/// The address that is used now.
#[derive(Debug, Clone)]
pub(super) struct Place(Arc<RwLock<Address>>);

impl Place {
    pub(super) fn new(address: Address) -> Place {
        Place(Arc::new(RwLock::new(address)))
    }

    pub(super) fn now(&self) -> Address {
        self.0
            .read()
            .unwrap_or_else(PoisonError::into_inner)
            .clone()
    }

    pub(super) fn move_to(&self, address: Address) {
        *self.0.write().unwrap_or_else(PoisonError::into_inner) = address;
    }
}
