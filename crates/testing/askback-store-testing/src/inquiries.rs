//! Inquiries: one outcome each.

use std::sync::Arc;

use tokio::task::JoinSet;

use askback_core::id::{ConversationId, InquiryId};

use crate::sample::{
    ask, at, conversation, conversation_row, create, create_asking, inquiry, pending, resolve,
    update, update_resolving,
};
use crate::{CaseResult, TestDatabase};
use askback_store::commit::InquiryChange;
use askback_store::rows::InquiryRow;
use askback_store::store::{Store, StoreError};

/// A second outcome is refused, even on the right version.
pub async fn an_inquiry_has_one_outcome(database: &dyn TestDatabase) -> CaseResult {
    let store = database.open().await?;
    store.commit(create_asking(1, Some(at(60)), 1)).await?;
    store.commit(update_resolving(1, "answered", 2)).await?;
    let resolved = store.inquiry(&inquiry(1)).await?;
    let outcome = |row: InquiryRow| (row.status, row.resolved_at, row.resolution, row.expires_at);
    let expected = (
        "answered".to_owned(),
        Some(at(2)),
        Some("{\"outcome\":\"answered\"}".to_owned()),
        Some(at(60)),
    );
    assert_eq!(resolved.clone().map(outcome), Some(expected));

    let mut second = update(&conversation(1), 2, 3);
    second.inquiries = vec![resolve(&inquiry(1), "declined")];
    assert_conflict(&*store, second).await;
    let mut again = update(&conversation(1), 2, 3);
    again.inquiries = vec![ask(&inquiry(1), None)];
    assert_conflict(&*store, again).await;
    let mut unknown = update(&conversation(1), 2, 3);
    unknown.inquiries = vec![resolve(&inquiry(9), "declined")];
    assert_conflict(&*store, unknown).await;
    assert_eq!(store.inquiry(&inquiry(1)).await?, resolved);
    Ok(())
}

/// The version of an inquiry is that of the last commit that changed it. Commits about others leave it alone.
pub async fn an_inquiry_has_a_version_of_its_own(database: &dyn TestDatabase) -> CaseResult {
    let store = database.open().await?;
    let id = inquiry(1);
    let other = inquiry(2);
    store.commit(create_asking(1, None, 1)).await?;
    let changes = [
        ask(&other, None),
        InquiryChange::MoveDeadline {
            id: id.clone(),
            expires_at: Some(at(60)),
        },
        InquiryChange::HandOn {
            id: id.clone(),
            json: "{}".to_owned(),
        },
        InquiryChange::SetHeld {
            id: id.clone(),
            json: Some("{}".to_owned()),
        },
        resolve(&other, "answered"),
        resolve(&id, "answered"),
    ];
    let mut seen = Vec::new();
    for (version, change) in (1..).zip(changes) {
        let mut commit = update(&conversation(1), version, 2);
        commit.inquiries = vec![change];
        store.commit(commit).await?;
        seen.push(store.inquiry(&id).await?.map(|row| row.version));
    }
    assert_eq!(seen, [1, 3, 4, 5, 5, 7].map(Some));
    Ok(())
}

/// Of fifty concurrent outcomes, one is written.
pub async fn concurrent_answers_give_one_outcome(database: &dyn TestDatabase) -> CaseResult {
    let store = database.open().await?;
    store.commit(create_asking(1, None, 1)).await?;
    let mut respondents = JoinSet::new();
    for number in 0..50 {
        let (store, status) = (Arc::clone(&store), format!("answered {number}"));
        respondents.spawn(async move {
            let outcome = store.commit(update_resolving(1, &status, 2)).await;
            outcome.map(|_| status)
        });
    }
    let mut won = Vec::new();
    for outcome in respondents.join_all().await {
        match outcome {
            Ok(status) => won.push(status),
            Err(error) => assert!(matches!(error, StoreError::Conflict), "{error}"),
        }
    }
    let row = store.inquiry(&inquiry(1)).await?;
    assert_eq!(row.map(|row| vec![row.status]), Some(won));
    Ok(())
}

/// A conversation is loaded with its pending inquiries, oldest first, and no others.
pub async fn only_pending_inquiries_are_loaded(database: &dyn TestDatabase) -> CaseResult {
    let store = database.open().await?;
    let id = conversation(1);
    let mut commit = create(&id, 1);
    // Sorted by age, not by deadline.
    commit.inquiries = vec![
        ask(&inquiry(3), None),
        ask(&inquiry(1), Some(at(50))),
        ask(&inquiry(2), Some(at(40))),
    ];
    store.commit(commit).await?;
    store.commit(create_asking(9, None, 1)).await?;
    let mut commit = update(&id, 1, 2);
    commit.inquiries = vec![resolve(&inquiry(1), "declined")];
    store.commit(commit).await?;
    let loaded = store.load(&id).await?;
    let waiting = loaded.map(|loaded| ids(&loaded.pending));
    assert_eq!(waiting, Some(vec![inquiry(3), inquiry(2)]));
    Ok(())
}

/// A deadline can be changed and removed while the inquiry is pending, and not afterwards.
pub async fn a_deadline_moves_only_while_pending(database: &dyn TestDatabase) -> CaseResult {
    let store = database.open().await?;
    let move_to = |version, expires_at| {
        let mut commit = update(&conversation(1), version, 2);
        commit.inquiries = vec![InquiryChange::MoveDeadline {
            id: inquiry(1),
            expires_at,
        }];
        commit
    };
    store.commit(create_asking(1, None, 1)).await?;
    for (version, deadline) in [(1, Some(at(30))), (2, Some(at(20))), (3, None)] {
        store.commit(move_to(version, deadline)).await?;
        let row = store.inquiry(&inquiry(1)).await?;
        assert_eq!(row.map(|row| row.expires_at), Some(deadline));
    }
    let mut commit = update(&conversation(1), 4, 3);
    commit.inquiries = vec![resolve(&inquiry(1), "expired")];
    store.commit(commit).await?;
    assert_conflict(&*store, move_to(5, Some(at(40)))).await;
    Ok(())
}

/// An inquiry that is handed on is written anew while it is pending, and not afterwards.
pub async fn an_inquiry_is_handed_on_only_while_pending(database: &dyn TestDatabase) -> CaseResult {
    let store = database.open().await?;
    let hand_on = |version, json: &str| {
        let mut commit = update(&conversation(1), version, 2);
        commit.inquiries = vec![InquiryChange::HandOn {
            id: inquiry(1),
            json: json.to_owned(),
        }];
        commit
    };
    store.commit(create_asking(1, None, 1)).await?;
    for (version, json) in [
        (1, "{\"recipient\":\"ben\"}"),
        (2, "{\"recipient\":\"zoe\"}"),
    ] {
        store.commit(hand_on(version, json)).await?;
        let row = store.inquiry(&inquiry(1)).await?;
        let row = row.map(|row| (row.status, row.json));
        assert_eq!(row, Some(("pending".to_owned(), json.to_owned())));
    }
    let mut commit = update(&conversation(1), 3, 3);
    commit.inquiries = vec![resolve(&inquiry(1), "answered")];
    store.commit(commit).await?;
    assert_conflict(&*store, hand_on(4, "{}")).await;
    Ok(())
}

/// An answer can be held and undone while the inquiry is pending, and not afterwards.
pub async fn an_outcome_clears_the_held_answer(database: &dyn TestDatabase) -> CaseResult {
    let store = database.open().await?;
    let set_held = |version, json: Option<&str>| {
        let mut commit = update(&conversation(1), version, 2);
        commit.inquiries = vec![InquiryChange::SetHeld {
            id: inquiry(1),
            json: json.map(str::to_owned),
        }];
        commit
    };
    store.commit(create_asking(1, None, 1)).await?;
    for (version, held) in [(1, Some("\"a\"")), (2, None), (3, Some("\"b\""))] {
        store.commit(set_held(version, held)).await?;
        let row = store.inquiry(&inquiry(1)).await?;
        let row = row.map(|row| (row.status, row.held));
        assert_eq!(row, Some(("pending".to_owned(), held.map(str::to_owned))));
    }
    let mut commit = update(&conversation(1), 4, 3);
    commit.inquiries = vec![resolve(&inquiry(1), "answered")];
    store.commit(commit).await?;
    let row = store.inquiry(&inquiry(1)).await?;
    assert_eq!(row.map(|row| row.held), Some(None));
    assert_conflict(&*store, set_held(5, Some("\"c\""))).await;
    Ok(())
}

/// A commit cannot change the inquiry of another conversation.
pub async fn an_inquiry_belongs_to_its_conversation(database: &dyn TestDatabase) -> CaseResult {
    let store = database.open().await?;
    store.commit(create_asking(1, None, 1)).await?;
    store.commit(create(&conversation(2), 1)).await?;
    let mut commit = update(&conversation(2), 1, 2);
    commit.inquiries = vec![resolve(&inquiry(1), "cancelled")];
    assert_conflict(&*store, commit).await;
    assert_eq!(store.inquiries(pending(9, None)).await?.items.len(), 1);
    Ok(())
}

/// Ids that askback did not make are read back unchanged.
pub async fn foreign_ids_are_stored_unchanged(database: &dyn TestDatabase) -> CaseResult {
    let store = database.open().await?;
    let ours = conversation(7).to_string();
    let names = [
        "x".to_owned(),
        ours.to_uppercase(),
        format!("{ours}0"),
        ours.replacen("cnv_0", "cnv_8", 1),
        ours.replacen('0', "o", 1),
        ours.replace("cnv_", "inq_"),
        "früh ☕".to_owned(),
        ours,
    ];
    for name in &names {
        let (id, asked) = (ConversationId::new(name), InquiryId::new(name));
        let mut commit = create(&id, 1);
        commit.inquiries = vec![ask(&asked, None)];
        store.commit(commit).await?;
        let row = conversation_row(&store, &id).await?;
        assert_eq!(row.map(|row| row.id), Some(id.clone()));
        let row = store.inquiry(&asked).await?;
        let found = row.map(|row| (row.id, row.conversation));
        assert_eq!(found, Some((asked, id)));
    }
    assert_eq!(
        store.inquiries(pending(99, None)).await?.items.len(),
        names.len()
    );
    Ok(())
}

fn ids(rows: &[InquiryRow]) -> Vec<InquiryId> {
    rows.iter().map(|row| row.id.clone()).collect()
}

async fn assert_conflict(store: &dyn Store, commit: askback_store::commit::Commit) {
    let outcome = store.commit(commit).await;
    assert!(matches!(outcome, Err(StoreError::Conflict)), "{outcome:?}");
}

/// A conversation is found by each inquiry that is pending in it, and by no other.
pub async fn a_conversation_is_found_by_what_is_pending_in_it(
    database: &dyn TestDatabase,
) -> CaseResult {
    let store = database.open().await?;
    let mut commit = create(&conversation(1), 1);
    commit.inquiries = [1, 2, 3].map(|number| ask(&inquiry(number), None)).into();
    store.commit(commit).await?;
    store.commit(create_asking(4, None, 1)).await?;
    let mut commit = update(&conversation(1), 1, 2);
    commit.inquiries = vec![resolve(&inquiry(2), "answered")];
    store.commit(commit).await?;

    let loaded = store.load(&conversation(1)).await?;
    assert!(loaded.is_some());
    for number in [1, 3] {
        assert_eq!(store.load_by_pending(&inquiry(number)).await?, loaded);
    }
    for number in [2, 9] {
        assert_eq!(store.load_by_pending(&inquiry(number)).await?, None);
    }
    Ok(())
}

/// Reads at the same time give each caller what it asked for, though a store may do them together.
pub async fn concurrent_reads_get_their_own_rows(database: &dyn TestDatabase) -> CaseResult {
    const CONVERSATIONS: u128 = 60;
    let store = database.open().await?;
    // Every third conversation has none, one or two pending inquiries.
    let asked = |number: u128| (0..number % 3).map(move |at| number * 10 + at);
    for number in 0..CONVERSATIONS {
        let mut commit = create(&conversation(number), 1);
        commit.inquiries = asked(number).map(|it| ask(&inquiry(it), None)).collect();
        store.commit(commit).await?;
    }
    let mut reads = JoinSet::new();
    for number in 0..=CONVERSATIONS {
        let store = Arc::clone(&store);
        reads.spawn(async move {
            let id = conversation(number);
            let expected: Vec<_> = asked(number).map(inquiry).collect();
            let is_there = number < CONVERSATIONS;
            let loads = [
                store.load(&id).await?,
                store.load_with_oldest_pending(&id).await?,
            ];
            for loaded in loads {
                assert_eq!(loaded.is_some(), is_there, "{number}");
                let Some(loaded) = loaded else { continue };
                let pending: Vec<_> = loaded.pending.into_iter().map(|row| row.id).collect();
                assert_eq!((loaded.row.id, pending), (id.clone(), expected.clone()));
            }
            for inquiry in expected.iter().filter(|_| is_there) {
                let row = store.inquiry(inquiry).await?;
                assert_eq!(row.map(|row| row.id).as_ref(), Some(inquiry));
                let loaded = store.load_by_pending(inquiry).await?;
                assert_eq!(loaded.map(|loaded| loaded.row.id), Some(id.clone()));
            }
            Ok::<_, StoreError>(())
        });
    }
    while let Some(read) = reads.join_next().await {
        read.map_err(|error| StoreError::Unavailable(error.to_string()))??;
    }
    Ok(())
}
