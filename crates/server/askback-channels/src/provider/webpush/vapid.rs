//! Who we are for push services (RFC 8292): a signed token for each origin.
//!
//! A browser binds its subscription to the key that it was given. So a key is never replaced: each one that was
//! ever made is kept in the store, and a subscription says which one it was made with. Two nodes that make
//! a key at the same time both work.

use askback_store::{Store, StoreError};
use jiff::{SignedDuration, Timestamp};
use ring::rand::SystemRandom;
use ring::signature::{ECDSA_P256_SHA256_FIXED_SIGNING, EcdsaKeyPair, KeyPair as _};
use serde_json::json;

use crate::provider::base64url;
use crate::state::{ChannelState, vapid_key, vapid_keys};

/// Push services take at most a day.
const LIFETIME: SignedDuration = SignedDuration::from_hours(12);

/// The key that signs for us.
pub(crate) struct VapidKey {
    pair: EcdsaKeyPair,
    /// As browsers and push services write it.
    pub(crate) public: String,
}

impl VapidKey {
    fn from_pkcs8(document: &[u8]) -> Option<VapidKey> {
        let (algorithm, random) = (&ECDSA_P256_SHA256_FIXED_SIGNING, SystemRandom::new());
        let pair = EcdsaKeyPair::from_pkcs8(algorithm, document, &random).ok()?;
        let public = base64url::encode(pair.public_key().as_ref());
        Some(VapidKey { pair, public })
    }

    /// The key for new subscriptions. It is made at the first use. `None` if the system gives no random
    /// numbers.
    pub(crate) async fn current(store: &dyn Store) -> Result<Option<VapidKey>, StoreError> {
        if let Some(key) = first(store).await? {
            return Ok(Some(key));
        }
        let algorithm = &ECDSA_P256_SHA256_FIXED_SIGNING;
        let Ok(document) = EcdsaKeyPair::generate_pkcs8(algorithm, &SystemRandom::new()) else {
            return Ok(None);
        };
        let Some(key) = VapidKey::from_pkcs8(document.as_ref()) else {
            return Ok(None);
        };
        let value = base64url::encode(document.as_ref());
        let state = ChannelState(store);
        state.set(vapid_key(&key.public), &value).await?;
        // Another node may have made one at the same time: all take the first of them.
        first(store).await
    }

    /// The key that a subscription was made with.
    pub(crate) async fn named(
        store: &dyn Store,
        public: &str,
    ) -> Result<Option<VapidKey>, StoreError> {
        let stored = ChannelState(store).get(vapid_key(public)).await?;
        Ok(stored.and_then(|value| read(&value)))
    }

    /// The `Authorization` header for a push service.
    pub(crate) fn authorization(
        &self,
        origin: &str,
        contact: &str,
        now: Timestamp,
    ) -> Option<String> {
        let header = json!({ "typ": "JWT", "alg": "ES256" });
        let claims = json!({
            "aud": origin, "exp": (now + LIFETIME).as_second(), "sub": contact,
        });
        let [header, claims] =
            [header, claims].map(|part| base64url::encode(part.to_string().as_bytes()));
        let signed = format!("{header}.{claims}");
        let signature = self
            .pair
            .sign(&SystemRandom::new(), signed.as_bytes())
            .ok()?;
        let signature = base64url::encode(signature.as_ref());
        Some(format!("vapid t={signed}.{signature}, k={}", self.public))
    }
}

async fn first(store: &dyn Store) -> Result<Option<VapidKey>, StoreError> {
    let kept = ChannelState(store).list(vapid_keys()).await?;
    Ok(kept.iter().find_map(|kept| read(&kept.value)))
}

fn read(value: &str) -> Option<VapidKey> {
    VapidKey::from_pkcs8(&base64url::decode(value)?)
}
