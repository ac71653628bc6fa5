//! A credential is valid until it is revoked or expires, and only its secret proves it.

use askback_engine::Clock as _;
use askback_store::{CredentialRow, StoreError};
use jiff::SignedDuration;

use super::{Credentials, SECRET_PREFIX, SecretError};
use crate::test_store::TestStore;

struct Fixture {
    credentials: Credentials,
    store: TestStore,
}

fn fixture() -> Fixture {
    let store = TestStore::new();
    Fixture {
        credentials: Credentials::new(store.open(), store.clock()),
        store,
    }
}

impl Fixture {
    async fn add(&self, name: &str, lasts: Option<SignedDuration>) -> Result<String, SecretError> {
        let now = self.store.clock.now();
        let added = self.credentials.add(|secret_hash| CredentialRow {
            name: name.to_owned(),
            secret_hash,
            scope: "agent".to_owned(),
            person: None,
            created_at: now,
            last_used_at: None,
            expires_at: lasts.map(|lasts| now + lasts),
        });
        added.await
    }
}

#[tokio::test]
async fn valid_until_revoked() {
    let fixture = fixture();
    let (laptop, server) = (
        fixture.add("laptop", None).await.unwrap(),
        fixture.add("server", None).await.unwrap(),
    );
    assert!(laptop.starts_with(SECRET_PREFIX) && laptop != server);
    let credentials = &fixture.credentials;
    let found = credentials.find(&laptop).await.unwrap().unwrap();
    assert_eq!(found.row.name, "laptop");
    assert!(credentials.revoke("laptop").await.unwrap());
    // What waits for its end is told.
    credentials.wait_for_end(found).await;
    assert!(credentials.find(&laptop).await.unwrap().is_none());
    assert!(credentials.find(&server).await.unwrap().is_some());
    assert!(!credentials.revoke("laptop").await.unwrap());
}

#[tokio::test]
async fn valid_until_expired() {
    let fixture = fixture();
    let day = SignedDuration::from_hours(24);
    let secret = fixture.add("laptop", Some(day)).await.unwrap();
    let credentials = &fixture.credentials;
    let found = credentials.find(&secret).await.unwrap().unwrap();
    fixture.store.clock.advance(day);
    credentials.wait_for_end(found).await;
    assert!(credentials.find(&secret).await.unwrap().is_none());
    assert_eq!(credentials.list().await.unwrap(), []);
}

/// Neither a part of the secret nor its hash is a token, and the store does not have the secret.
#[tokio::test]
async fn only_the_secret_proves_it() {
    let fixture = fixture();
    let secret = fixture.add("laptop", None).await.unwrap();
    let credentials = &fixture.credentials;
    let row = credentials.list().await.unwrap().remove(0);
    let hash = askback_wire::server_process::hex(&row.secret_hash);
    assert!(!secret.contains(&hash));
    let wrong = [
        String::new(),
        SECRET_PREFIX.to_owned(),
        format!("{SECRET_PREFIX}{hash}"),
        secret[..secret.len() - 1].to_owned(),
        format!("{secret}0"),
    ];
    for offered in wrong {
        assert!(
            credentials.find(&offered).await.unwrap().is_none(),
            "{offered}"
        );
    }
}

#[tokio::test]
async fn name_is_given_once() {
    let fixture = fixture();
    fixture.add("laptop", None).await.unwrap();
    let again = fixture.add("laptop", None).await;
    assert!(
        matches!(again, Err(SecretError::Store(StoreError::Conflict))),
        "{again:?}"
    );
}

/// A token that is revoked by somebody who disconnects at once is worth nothing.
#[tokio::test]
async fn revoking_completes_after_a_disconnect() {
    let fixture = fixture();
    let secret = fixture.add("laptop", None).await.unwrap();
    let credentials = &fixture.credentials;
    let found = credentials.find(&secret).await.unwrap().unwrap();
    tokio::select! {
        biased;
        _ = credentials.revoke("laptop") => panic!("a write takes a moment"),
        () = std::future::ready(()) => {}
    }
    let limit = std::time::Duration::from_mins(1);
    let ended = tokio::time::timeout(limit, credentials.wait_for_end(found));
    ended.await.expect("it ends");
    assert!(credentials.find(&secret).await.unwrap().is_none());
}

/// The time of the last use is stored, so that an unused token can be found.
#[tokio::test]
async fn last_use_is_stored() {
    let fixture = fixture();
    let secret = fixture.add("laptop", None).await.unwrap();
    let credentials = &fixture.credentials;
    assert_eq!(credentials.list().await.unwrap()[0].last_used_at, None);
    credentials.find(&secret).await.unwrap().unwrap();
    // It is stored in the background.
    while credentials.list().await.unwrap()[0].last_used_at.is_none() {
        tokio::task::yield_now().await;
    }
    let used = credentials.list().await.unwrap()[0].last_used_at;
    assert_eq!(used, Some(fixture.store.clock.now()));
}
