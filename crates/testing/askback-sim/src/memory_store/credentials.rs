//! Credentials. The engine does not use them, so their calls never fail here.

use askback_store::{CredentialRow, CredentialStore, StoreError, StoreFuture};
use jiff::Timestamp;

use super::MemoryStore;

impl CredentialStore for MemoryStore {
    fn add_credential(&self, credential: CredentialRow) -> StoreFuture<'_, ()> {
        let credentials = &mut self.database.tables().credentials;
        let is_known = |known: &CredentialRow| {
            known.name == credential.name || known.secret_hash == credential.secret_hash
        };
        let result = if credentials.iter().any(is_known) {
            Err(StoreError::Conflict)
        } else {
            credentials.push(credential);
            Ok(())
        };
        Box::pin(std::future::ready(result))
    }

    fn credentials(&self) -> StoreFuture<'_, Vec<CredentialRow>> {
        let mut credentials = self.database.tables().credentials.clone();
        credentials.sort_by(|one, other| one.name.cmp(&other.name));
        Box::pin(std::future::ready(Ok(credentials)))
    }

    fn touch_credential(&self, name: &str, at: Timestamp) -> StoreFuture<'_, bool> {
        let credentials = &mut self.database.tables().credentials;
        let known = credentials.iter_mut().find(|known| known.name == name);
        let touched = known.map(|known| known.last_used_at = Some(at)).is_some();
        Box::pin(std::future::ready(Ok(touched)))
    }

    fn revoke_credential(&self, name: &str) -> StoreFuture<'_, bool> {
        let tables = &mut self.database.tables();
        tables
            .sessions
            .retain(|session| session.credential.as_deref() != Some(name));
        let before = tables.credentials.len();
        tables.credentials.retain(|known| known.name != name);
        let revoked = tables.credentials.len() < before;
        Box::pin(std::future::ready(Ok(revoked)))
    }
}
