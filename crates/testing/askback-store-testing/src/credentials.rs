//! Credentials survive a restart, and one that was revoked stays revoked.

use crate::sample::at;
use crate::{CaseResult, TestDatabase};
use askback_store::credential_store::CredentialRow;
use askback_store::session_store::SessionRow;
use askback_store::store::StoreError;

fn credential(name: &str, number: u8) -> CredentialRow {
    CredentialRow {
        name: name.to_owned(),
        secret_hash: [number; 32],
        scope: "respondent".to_owned(),
        person: (number % 2 == 1).then(|| "anna".to_owned()),
        created_at: at(1),
        last_used_at: (number > 2).then(|| at(4)),
        expires_at: (number > 1).then(|| at(900)),
    }
}

/// Credentials are read back unchanged, by name, even after a restart.
pub async fn credentials_survive_a_restart(database: &dyn TestDatabase) -> CaseResult {
    let store = database.open().await?;
    assert_eq!(store.credentials().await?, []);
    for row in [credential("b", 1), credential("c", 2), credential("a", 3)] {
        store.add_credential(row).await?;
    }
    assert!(store.touch_credential("b", at(7)).await?);
    assert!(!store.touch_credential("d", at(7)).await?);
    drop(store);
    let store = database.open().await?;
    let used = CredentialRow {
        last_used_at: Some(at(7)),
        ..credential("b", 1)
    };
    let expected = [credential("a", 3), used, credential("c", 2)];
    assert_eq!(store.credentials().await?, expected);
    Ok(())
}

/// A second credential with the same name or hash is refused, and the first stays unchanged.
pub async fn a_credential_is_added_once(database: &dyn TestDatabase) -> CaseResult {
    let store = database.open().await?;
    store.add_credential(credential("a", 1)).await?;
    for row in [credential("a", 2), credential("b", 1)] {
        let refused = store.add_credential(row).await;
        assert!(matches!(refused, Err(StoreError::Conflict)), "{refused:?}");
    }
    assert_eq!(store.credentials().await?, [credential("a", 1)]);
    Ok(())
}

/// With a credential, its sessions end, and no others.
pub async fn sessions_end_with_their_credential(database: &dyn TestDatabase) -> CaseResult {
    let store = database.open().await?;
    for (name, number) in [("a", 1), ("b", 2)] {
        store.add_credential(credential(name, number)).await?;
    }
    for (number, of) in [(1, Some("a")), (2, Some("b")), (3, None)] {
        let session = SessionRow {
            id: format!("ses_{number}"),
            secret_hash: [number; 32],
            token_id: [7; 16],
            user_agent: None,
            credential: of.map(str::to_owned),
            person: None,
            created_at: at(1),
            last_used_at: at(9 - i64::from(number)),
            expires_at: at(100),
        };
        store.add_session(session).await?;
    }
    assert!(store.revoke_credential("a").await?);
    assert!(!store.revoke_credential("a").await?);
    drop(store);
    let store = database.open().await?;
    assert_eq!(store.credentials().await?, [credential("b", 2)]);
    let left = store.sessions().await?.into_iter();
    let left: Vec<String> = left.map(|session| session.id).collect();
    assert_eq!(left, ["ses_2", "ses_3"]);
    Ok(())
}
