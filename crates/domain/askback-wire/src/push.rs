//! Web Push: notifications in browsers that have subscribed.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// What a page needs to subscribe its browser.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct PushSettingsResponse {
    /// The public key of the server, in base64url: `applicationServerKey`.
    pub key: String,
    /// The people for whom a browser can subscribe.
    pub recipients: Vec<PushRecipientResponse>,
}

/// A person for whom a browser can subscribe.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct PushRecipientResponse {
    /// The alias.
    pub alias: String,
    /// The name. Empty if the configuration names nobody.
    pub name: String,
}

/// A subscription as the browser gives it (`PushSubscription.toJSON()`), and for whom it is.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct PushSubscriptionParams {
    /// The address at the push service of the browser.
    pub endpoint: String,
    /// The keys of the browser.
    pub keys: PushSubscriptionKeys,
    /// The alias of the recipient. May be missing if there is only one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub recipient: Option<String>,
}

/// The keys of a browser, in base64url.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct PushSubscriptionKeys {
    /// Its public key.
    pub p256dh: String,
    /// The secret that it shares with the server.
    pub auth: String,
}

/// Which subscription ends.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct PushUnsubscribeParams {
    /// The address at the push service of the browser.
    pub endpoint: String,
}

/// For whom a browser is subscribed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct PushSubscriptionResponse {
    /// The alias of the recipient.
    pub recipient: String,
}
