//! Credentials: what programs and people send in place of the server's token. Only hashes of secrets are stored.

use jiff::Timestamp;

use crate::store::StoreFuture;

/// One credential.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CredentialRow {
    /// Unique; not a secret. What an agent asks is asked under this name.
    pub name: String,
    /// The hash of the secret.
    pub secret_hash: [u8; 32],
    /// The name of what it permits.
    pub scope: String,
    /// The alias of the person it is for.
    pub person: Option<String>,
    /// When it was made.
    pub created_at: Timestamp,
    /// When it was last used. Not exact: uses in quick succession are written once.
    pub last_used_at: Option<Timestamp>,
    /// When it ends; absent if it never does.
    pub expires_at: Option<Timestamp>,
}

/// The credentials in a store. Each change is on disk when the call returns.
pub trait CredentialStore: Send + Sync + 'static {
    /// Adds a credential. Fails with [`Conflict`](crate::StoreError::Conflict) if the name or the hash exists.
    fn add_credential(&self, credential: CredentialRow) -> StoreFuture<'_, ()>;

    /// All credentials, including expired ones, by name.
    fn credentials(&self) -> StoreFuture<'_, Vec<CredentialRow>>;

    /// Records that a credential was used. False if there is none: this never restores it.
    fn touch_credential(&self, name: &str, at: Timestamp) -> StoreFuture<'_, bool>;

    /// Removes a credential, and the sessions that it signed in. False if there was none.
    fn revoke_credential(&self, name: &str) -> StoreFuture<'_, bool>;
}
