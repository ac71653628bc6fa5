//! Browser sessions survive a restart, and a session that has ended stays ended.

use crate::sample::at;
use crate::{CaseResult, TestDatabase};
use askback_store::session_store::SessionRow;
use askback_store::store::StoreError;

fn session(number: u8, last_used: i64) -> SessionRow {
    SessionRow {
        id: format!("ses_{number}"),
        secret_hash: [number; 32],
        token_id: [7; 16],
        user_agent: (number % 2 == 1).then(|| format!("Browser {number} 🦊")),
        credential: number.is_multiple_of(2).then(|| "phone".to_owned()),
        person: number.is_multiple_of(2).then(|| "anna".to_owned()),
        created_at: at(1),
        last_used_at: at(last_used),
        expires_at: at(last_used + 100),
    }
}

/// Sessions are read back unchanged, most recently used first, even after a restart.
pub async fn sessions_survive_a_restart(database: &dyn TestDatabase) -> CaseResult {
    let store = database.open().await?;
    assert_eq!(store.sessions().await?, []);
    for row in [session(1, 5), session(2, 9), session(3, 7)] {
        store.add_session(row).await?;
    }
    drop(store);
    let store = database.open().await?;
    assert_eq!(
        store.sessions().await?,
        [session(2, 9), session(3, 7), session(1, 5)]
    );
    Ok(())
}

/// A second session with the same id or hash is refused, and the first stays unchanged.
pub async fn a_session_is_added_once(database: &dyn TestDatabase) -> CaseResult {
    let store = database.open().await?;
    store.add_session(session(1, 5)).await?;
    let same_id = SessionRow {
        secret_hash: [9; 32],
        ..session(1, 6)
    };
    let same_hash = SessionRow {
        id: "ses_other".to_owned(),
        ..session(1, 6)
    };
    for row in [same_id, same_hash] {
        let refused = store.add_session(row).await;
        assert!(matches!(refused, Err(StoreError::Conflict)), "{refused:?}");
    }
    assert_eq!(store.sessions().await?, [session(1, 5)]);
    Ok(())
}

/// Using a session updates its times, and does nothing after its end.
pub async fn an_ended_session_stays_ended(database: &dyn TestDatabase) -> CaseResult {
    let store = database.open().await?;
    store.add_session(session(1, 5)).await?;
    store.add_session(session(2, 6)).await?;
    assert!(store.touch_session("ses_1", at(20), at(120)).await?);
    assert_eq!(store.sessions().await?, [session(1, 20), session(2, 6)]);
    assert!(store.end_session("ses_1").await?);
    assert!(!store.end_session("ses_1").await?);
    assert!(!store.touch_session("ses_1", at(30), at(130)).await?);
    assert_eq!(store.sessions().await?, [session(2, 6)]);
    assert_eq!(store.end_all_sessions().await?, 1);
    assert_eq!(store.end_all_sessions().await?, 0);
    drop(store);
    let store = database.open().await?;
    assert_eq!(store.sessions().await?, []);
    Ok(())
}

/// Only expired sessions are removed.
pub async fn expired_sessions_are_removed(database: &dyn TestDatabase) -> CaseResult {
    let store = database.open().await?;
    for row in [session(1, 5), session(2, 6), session(3, 7)] {
        store.add_session(row).await?;
    }
    assert_eq!(store.remove_expired_sessions(at(104)).await?, 0);
    assert_eq!(store.remove_expired_sessions(at(106)).await?, 2);
    assert_eq!(store.sessions().await?, [session(3, 7)]);
    Ok(())
}
