//! Commits: atomic, and only on the expected version.

use std::sync::Arc;

use askback_core::text::Text;
use tokio::task::JoinSet;

use crate::sample::{
    QUEUE, ask, at, conversation, conversation_row, create, create_asking, inquiry, job, key,
    resolve, update, update_resolving,
};
use crate::{CaseResult, TestDatabase};
use askback_store::commit::{NewConversation, NewRecord};
use askback_store::rows::{ConversationRow, ConversationWithPending, InquiryRow, RecordRow};
use askback_store::store::{Store, StoreError};

/// A commit is read back unchanged by every query.
pub async fn a_commit_is_read_back_unchanged(database: &dyn TestDatabase) -> CaseResult {
    let store = database.open().await?;
    let mut commit = create_asking(1, Some(at(90)), 5);
    if let Some(record) = &mut commit.record {
        record.positions = 3;
    }
    let committed = store.commit(commit.clone()).await?;

    let id = conversation(1);
    let row = ConversationRow {
        id: id.clone(),
        driver: "external".to_owned(),
        app: Some("planner".to_owned()),
        parent: None,
        created_at: at(5),
        updated_at: at(5),
        snapshot: commit.snapshot,
    };
    let waiting = InquiryRow {
        id: inquiry(1),
        conversation: id.clone(),
        status: "pending".to_owned(),
        dialect: "ask_user".to_owned(),
        json: "{\"questions\":[\"Where to?\"]}".to_owned(),
        revision: 1,
        source: Text::name("the planner"),
        webhook: None,
        credential: Some("laptop".to_owned()),
        asked_at: at(5),
        expires_at: Some(at(90)),
        held: None,
        resolved_at: None,
        resolution: None,
        asker: None,
        snoozed_until: None,
        version: 1,
    };
    let record = RecordRow {
        last: committed.first_sequence + 2,
        conversation: id.clone(),
        body: "{\"number\":1}".to_owned(),
        at: at(5),
    };
    assert_eq!(conversation_row(&store, &id).await?, Some(row.clone()));
    assert_eq!(store.inquiry(&inquiry(1)).await?, Some(waiting.clone()));
    assert_eq!(store.records(Some(&id), 0, 10).await?, [record]);
    let loaded = ConversationWithPending {
        row,
        pending: vec![waiting],
        newest: committed.first_sequence + 2,
    };
    assert_eq!(store.load(&id).await?, Some(loaded));
    Ok(())
}

/// A conversation cannot be created twice, and one that does not exist cannot be changed.
pub async fn a_conversation_is_created_once(database: &dyn TestDatabase) -> CaseResult {
    let store = database.open().await?;
    let id = conversation(1);
    assert_eq!(store.load(&id).await?, None);
    assert_eq!(conversation_row(&store, &id).await?, None);
    assert_conflict(&*store, update(&id, 0, 1)).await;
    store.commit(create(&id, 2)).await?;
    assert_conflict(&*store, create(&id, 3)).await;
    Ok(())
}

/// A commit succeeds only on the version that it expects.
pub async fn an_old_version_is_a_conflict(database: &dyn TestDatabase) -> CaseResult {
    let store = database.open().await?;
    let id = conversation(1);
    store.commit(create(&id, 1)).await?;
    store.commit(update(&id, 1, 2)).await?;
    assert_conflict(&*store, update(&id, 1, 3)).await;
    assert_conflict(&*store, update(&id, 3, 3)).await;
    let row = conversation_row(&store, &id).await?;
    let times = row.map(|row| (row.snapshot.version, row.created_at, row.updated_at));
    assert_eq!(times, Some((2, at(1), at(2))));
    Ok(())
}

/// Of many concurrent commits on one version, one is written.
pub async fn one_of_many_concurrent_commits_wins(database: &dyn TestDatabase) -> CaseResult {
    let store = database.open().await?;
    let id = conversation(1);
    store.commit(create(&id, 1)).await?;
    let mut deciders = JoinSet::new();
    for _ in 0..32 {
        let (store, commit) = (Arc::clone(&store), update(&id, 1, 2));
        deciders.spawn(async move { store.commit(commit).await });
    }
    let outcomes = deciders.join_all().await;
    let won = outcomes.iter().filter(|outcome| outcome.is_ok()).count();
    let lost = outcomes
        .iter()
        .filter(|outcome| matches!(outcome, Err(StoreError::Conflict)))
        .count();
    assert_eq!((won, lost), (1, 31));
    assert_eq!(store.records(None, 0, 100).await?.len(), 2);
    Ok(())
}

/// A commit that is refused at its last step writes nothing and does not affect others.
pub async fn a_refused_commit_writes_nothing(database: &dyn TestDatabase) -> CaseResult {
    let store = database.open().await?;
    store.commit(create_asking(1, None, 1)).await?;
    store.commit(update_resolving(1, "answered", 2)).await?;
    let newest = store.newest_sequence().await?;

    let mut deciders = JoinSet::new();
    for number in 10..40_u128 {
        let mut commit = create(&conversation(number), 3);
        commit.jobs = vec![job("timer", 4)];
        commit.inquiries = vec![ask(&inquiry(number), None)];
        if number % 3 == 0 {
            // The inquiry of another conversation: refused after everything else was written.
            commit.keys = key(&format!("key {number}"), 1);
            commit.inquiries.push(resolve(&inquiry(1), "declined"));
        }
        let store = Arc::clone(&store);
        deciders.spawn(async move { (number, store.commit(commit).await) });
    }
    for (number, outcome) in deciders.join_all().await {
        let is_refused = matches!(outcome, Err(StoreError::Conflict));
        assert_eq!(is_refused, number % 3 == 0, "{outcome:?}");
        let row = conversation_row(&store, &conversation(number)).await?;
        assert_eq!(row.is_none(), is_refused);
        let asked = store.inquiry(&inquiry(number)).await?;
        assert_eq!(asked.is_none(), is_refused);
    }
    assert_eq!(store.newest_sequence().await?, newest + 20);
    assert_eq!(store.claim_jobs(QUEUE, at(9), 100).await?.jobs.len(), 20);
    // The key of the refused commit is unused.
    let mut again = create(&conversation(12), 5);
    again.keys = key("key 12", 2);
    store.commit(again).await?;
    Ok(())
}

/// A repeated request gets the ids of the first one, even if its version is old by now.
pub async fn a_repeated_key_writes_nothing(database: &dyn TestDatabase) -> CaseResult {
    let store = database.open().await?;
    let mut first = create_asking(1, None, 1);
    first.keys = key("the key", 1);
    store.commit(first.clone()).await?;
    let mut second = create_asking(2, None, 2);
    second.keys = key("the key", 1);
    for repeated in [first, second] {
        let outcome = store.commit(repeated).await;
        let Err(StoreError::Repeated {
            inquiry: about,
            conversation: of,
        }) = outcome
        else {
            panic!("the key was used before, but the commit gave {outcome:?}");
        };
        assert_eq!((about, of), (Some(inquiry(1)), conversation(1)));
    }
    let known = store.check_keys(&key("the key", 1)).await;
    assert!(matches!(known, Err(StoreError::Repeated { .. })));
    store.check_keys(&key("another key", 1)).await?;
    let found = store.inquiry_with_key("the key").await?;
    assert_eq!(found, Some(inquiry(1)));
    assert_eq!(store.inquiry_with_key("another key").await?, None);
    assert_eq!(store.newest_sequence().await?, 1);
    assert_eq!(conversation_row(&store, &conversation(2)).await?, None);

    let mut plain = update(&conversation(1), 1, 3);
    plain.keys = key("another key", 1);
    store.commit(plain.clone()).await?;
    let outcome = store.commit(plain).await;
    assert!(matches!(
        outcome,
        Err(StoreError::Repeated { inquiry: None, .. })
    ));
    Ok(())
}

/// A key belongs to one request: another one under the same key is refused and writes nothing.
pub async fn a_key_belongs_to_one_request(database: &dyn TestDatabase) -> CaseResult {
    let store = database.open().await?;
    let mut first = create_asking(1, None, 1);
    first.keys = key("the key", 1);
    store.commit(first).await?;
    let mut elsewhere = create_asking(2, None, 2);
    elsewhere.keys = key("the key", 2);
    let mut behind_another = update_resolving(1, "answered", 3);
    behind_another.keys = [key("a fresh key", 2), key("the key", 2)].concat();
    for other in [elsewhere, behind_another] {
        let outcome = store.commit(other).await;
        assert!(matches!(outcome, Err(StoreError::KeyReused)), "{outcome:?}");
    }
    let known = store.check_keys(&key("the key", 2)).await;
    assert!(matches!(known, Err(StoreError::KeyReused)), "{known:?}");
    store.check_keys(&key("a fresh key", 2)).await?;
    assert_eq!(store.newest_sequence().await?, 1);
    assert_eq!(conversation_row(&store, &conversation(2)).await?, None);
    let asked = store.inquiry(&inquiry(1)).await?;
    assert_eq!(asked.map(|row| row.status), Some("pending".to_owned()));
    Ok(())
}

/// Of many concurrent requests with one key, one is written.
pub async fn concurrent_requests_with_one_key_write_once(
    database: &dyn TestDatabase,
) -> CaseResult {
    let store = database.open().await?;
    let mut racers = JoinSet::new();
    for number in 1..=32_u8 {
        let mut commit = create_asking(number.into(), None, 1);
        commit.keys = key("the key", number % 2);
        let store = Arc::clone(&store);
        racers.spawn(async move { (number % 2, store.commit(commit).await) });
    }
    let outcomes = racers.join_all().await;
    let won = outcomes.iter().find(|(_, outcome)| outcome.is_ok());
    let won = won.map(|(request, _)| *request);
    for (request, outcome) in &outcomes {
        match outcome {
            Ok(_) | Err(StoreError::Repeated { .. }) => assert_eq!(Some(*request), won),
            Err(StoreError::KeyReused) => assert_ne!(Some(*request), won),
            Err(error) => panic!("{error}"),
        }
    }
    let all = outcomes.iter().filter(|(_, outcome)| outcome.is_ok());
    assert_eq!(all.count(), 1);
    assert_eq!(store.newest_sequence().await?, 1);
    Ok(())
}

/// Keys do not expire, neither by time nor by number.
pub async fn a_key_lives_as_long_as_its_conversation(database: &dyn TestDatabase) -> CaseResult {
    let store = database.open().await?;
    let mut first = create_asking(1, None, 1);
    first.keys = key("the key", 1);
    store.commit(first).await?;
    let years = 10 * 366 * 24 * 60 * 60;
    for number in 2..=50_u128 {
        let mut later = create_asking(number, None, years);
        later.keys = key(&format!("key {number}"), 1);
        store.commit(later).await?;
    }
    drop(store);
    let store = database.open().await?;
    let known = store.check_keys(&key("the key", 1)).await;
    assert!(matches!(known, Err(StoreError::Repeated { .. })));
    Ok(())
}

/// A child refers to its parent; a missing parent is a conflict.
pub async fn a_child_needs_its_parent(database: &dyn TestDatabase) -> CaseResult {
    let store = database.open().await?;
    let child = NewConversation {
        driver: "built_in".to_owned(),
        app: None,
        parent: Some(conversation(1)),
    };
    let mut commit = create(&conversation(2), 1);
    commit.create = Some(child);
    assert_conflict(&*store, commit.clone()).await;
    store.commit(create(&conversation(1), 2)).await?;
    store.commit(commit).await?;
    let row = conversation_row(&store, &conversation(2)).await?;
    let parent = row.map(|row| (row.driver, row.app, row.parent));
    let expected = ("built_in".to_owned(), None, Some(conversation(1)));
    assert_eq!(parent, Some(expected));
    Ok(())
}

/// A commit may change only the snapshot.
pub async fn a_commit_without_a_record_is_written(database: &dyn TestDatabase) -> CaseResult {
    let store = database.open().await?;
    let id = conversation(1);
    store.commit(create(&id, 1)).await?;
    let mut commit = update(&id, 1, 2);
    commit.record = None;
    let committed = store.commit(commit).await?;
    assert_eq!((committed.first_sequence, committed.jobs), (2, Vec::new()));
    assert_eq!(store.commit(update(&id, 2, 3)).await?.first_sequence, 2);
    Ok(())
}

/// Texts of any length and script are read back byte for byte.
pub async fn huge_and_unicode_texts_are_read_back(database: &dyn TestDatabase) -> CaseResult {
    let store = database.open().await?;
    let texts = [
        "x".repeat(8 << 20),
        "\"ßẞ الْعَرَبِيَّة 漢字 👩‍👩‍👧‍👦 \u{10ffff} e\u{301} \\u0041 ' ; -- %\"".to_owned(),
        String::new(),
    ];
    for (number, text) in (1_u128..).zip(texts) {
        let mut commit = create_asking(number, None, 1);
        commit.record = Some(NewRecord {
            positions: 1,
            body: text.clone(),
        });
        commit.snapshot.json.clone_from(&text);
        commit.snapshot.title = Some(text.clone());
        commit.keys = key(&text, 1);
        store.commit(commit).await?;
        let id = conversation(number);
        let row = conversation_row(&store, &id).await?;
        let read = row.map(|row| (row.snapshot.json == text, row.snapshot.title));
        assert!(read == Some((true, Some(text.clone()))));
        let records = store.records(Some(&id), 0, 9).await?;
        assert!(records.len() == 1 && records[0].body == text);
    }
    Ok(())
}

async fn assert_conflict(store: &dyn Store, commit: askback_store::commit::Commit) {
    let outcome = store.commit(commit).await;
    assert!(matches!(outcome, Err(StoreError::Conflict)), "{outcome:?}");
}
