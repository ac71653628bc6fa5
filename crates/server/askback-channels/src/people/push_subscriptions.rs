//! Browsers that subscribe to Web Push, and stop.

use std::sync::Arc;
use std::time::Duration;

use askback_core::identity::Identity;
use askback_engine::Engine;
use askback_store::StoreError;
use askback_wire::server_process::hex;
use jiff::Timestamp;
use sha2::{Digest as _, Sha256};
use tokio::sync::Notify;

use crate::config::CurrentConfig;
use crate::dispatcher::follow_from;
use crate::people::account::{Accounts, BrowserSubscription, LinkedAccount, account_at};
use crate::provider::webpush::{EndpointError, VapidKey, WEBPUSH};

/// More than a group of people has browsers. A subscription that its browser has forgotten ends by itself.
const SUBSCRIPTIONS_MAX: usize = 100;
/// How soon a node that sends nothing learns that a browser has subscribed at another one.
const SUBSCRIBED_ELSEWHERE: Duration = Duration::from_secs(30);

/// What a browser gives when it subscribes.
pub struct NewSubscription {
    /// The alias of the recipient whose questions it shows.
    pub recipient: String,
    /// The address at its push service.
    pub endpoint: String,
    /// Its public key, in base64url.
    pub p256dh: String,
    /// The secret that it shares with us, in base64url.
    pub auth: String,
    /// The session of the browser. The subscription ends with it.
    pub session: Option<String>,
    /// The credential of the caller. The subscription ends with it.
    pub credential: Option<String>,
    /// When the credential expires.
    pub expires_at: Option<Timestamp>,
}

/// What has ended, and the subscriptions with it.
#[derive(Debug, Clone, Copy)]
pub enum EndedAccess<'a> {
    /// A session of a browser, by its id.
    Session(&'a str),
    /// All sessions.
    AllSessions,
}

/// Why a subscription is refused.
#[derive(Debug, thiserror::Error)]
pub enum SubscriptionError {
    /// The operator has turned Web Push off.
    #[error("Web Push is turned off: see [channels.webpush] in the configuration.")]
    Off,
    /// What the browser gave cannot be used.
    #[error(transparent)]
    Endpoint(#[from] EndpointError),
    /// Too many browsers.
    #[error(
        "{SUBSCRIPTIONS_MAX} browsers are subscribed already. Turn notifications off in another one."
    )]
    TooMany,
    /// The system gives no random numbers for a key.
    #[error("The system gives no random numbers for a key.")]
    NoKey,
    /// It is not known whether it was stored.
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// The browsers that get notifications.
#[derive(Clone)]
pub struct PushSubscriptions {
    engine: Engine,
    config: Arc<CurrentConfig>,
    accounts: Accounts,
    /// A browser has subscribed.
    subscribed: Arc<Notify>,
}

impl PushSubscriptions {
    pub(crate) fn new(
        engine: Engine,
        config: Arc<CurrentConfig>,
        accounts: Accounts,
    ) -> PushSubscriptions {
        PushSubscriptions {
            engine,
            config,
            accounts,
            subscribed: Arc::default(),
        }
    }

    /// Completes when a browser is subscribed. Only another node of a shared store can do that unnoticed.
    pub(crate) async fn first(&self) {
        let (store, clock) = (self.engine.store(), self.engine.clock());
        loop {
            match self.accounts.linked().await {
                Ok(accounts) if accounts.iter().any(|it| it.channel == WEBPUSH) => return,
                Ok(_) if !store.is_shared() => return self.subscribed.notified().await,
                Ok(_) => {}
                Err(error) => tracing::warn!(%error, "cannot read the subscriptions; will retry"),
            }
            tokio::select! {
                () = self.subscribed.notified() => return,
                () = clock.sleep(SUBSCRIBED_ELSEWHERE) => {}
            }
        }
    }

    /// The key that browsers subscribe with. It is made at the first use.
    pub async fn key(&self) -> Result<String, SubscriptionError> {
        if self.config.get().webpush.is_none() {
            return Err(SubscriptionError::Off);
        }
        let key = VapidKey::current(self.engine.store().as_ref()).await?;
        Ok(key.ok_or(SubscriptionError::NoKey)?.public)
    }

    /// Subscribes a browser to the questions of a recipient, from the next one on. Repeating it changes nothing;
    /// another recipient takes the place of the one before.
    pub async fn subscribe(&self, new: NewSubscription) -> Result<(), SubscriptionError> {
        let config = self.config.get();
        let webpush = config.webpush.as_ref().ok_or(SubscriptionError::Off)?;
        let id = subscription_id(&new.endpoint);
        let identity = Identity::new(WEBPUSH, &id).ok_or(EndpointError::Malformed)?;
        let subscription = BrowserSubscription {
            vapid: self.key().await?,
            token: config.token_fingerprint(),
            endpoint: new.endpoint,
            p256dh: new.p256dh,
            auth: new.auth,
            session: new.session,
            credential: new.credential,
            expires_at: new.expires_at,
        };
        webpush.check_subscription(&subscription)?;
        let accounts = self.accounts.linked().await?;
        let others = accounts.iter().filter(|account| account.address != id);
        let others = others.filter(|account| account.channel == WEBPUSH);
        if others.count() >= SUBSCRIPTIONS_MAX {
            return Err(SubscriptionError::TooMany);
        }
        if accounts.is_empty() && !config.has_configured_channels() {
            // Nobody followed the feed until now: what was asked before is not sent late.
            let newest = self.engine.store().newest_sequence().await?;
            follow_from(&self.engine, newest).await?;
        }
        let account = LinkedAccount {
            channel: WEBPUSH.to_owned(),
            recipient: new.recipient,
            identity: identity.to_string(),
            address: id,
            subscription: Some(subscription),
        };
        self.accounts.put(&account).await?;
        // Its credential may have been revoked before it was there to be ended with it.
        self.end_of_revoked().await?;
        self.subscribed.notify_one();
        Ok(())
    }

    /// Sends nothing more to a browser. One that is not subscribed is no error.
    pub async fn unsubscribe(&self, endpoint: &str) -> Result<(), StoreError> {
        let key = account_at(WEBPUSH, &subscription_id(endpoint));
        self.accounts.unlink(key).await
    }

    /// Sends nothing more to browsers whose credential was revoked. Every start does it too: a server may have
    /// ended between the revocation and this.
    pub async fn end_of_revoked(&self) -> Result<(), StoreError> {
        // Read first: a browser that subscribes meanwhile has a credential that is not read yet.
        let mut accounts = self.accounts.linked().await?;
        accounts.retain(|account| account.credential().is_some());
        if accounts.is_empty() {
            return Ok(());
        }
        let credentials = self.engine.store().credentials().await?;
        for account in accounts {
            let mut names = credentials.iter().map(|row| row.name.as_str());
            if !names.any(|name| account.credential() == Some(name)) {
                self.accounts.unlink(account.key()).await?;
            }
        }
        Ok(())
    }

    /// Sends nothing more to browsers that have lost access.
    pub async fn end(&self, ended: EndedAccess<'_>) -> Result<(), StoreError> {
        for account in self.accounts.linked().await? {
            let Some(subscription) = &account.subscription else {
                continue;
            };
            let has_ended = match ended {
                EndedAccess::Session(id) => subscription.session.as_deref() == Some(id),
                EndedAccess::AllSessions => subscription.session.is_some(),
            };
            if has_ended {
                self.accounts.unlink(account.key()).await?;
            }
        }
        Ok(())
    }
}

/// Short, and without the address: it is in deliveries.
fn subscription_id(endpoint: &str) -> String {
    hex(&Sha256::digest(endpoint.as_bytes())[..16])
}
