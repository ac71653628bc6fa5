//! Agents that can come back: the same call of a session is asked once until its outcome is about to be delivered.

use askback_core::text::Text;

use crate::sample::{at, create_asking, inquiry, update_resolving};
use crate::{CaseResult, TestDatabase};
use askback_store::commit::{
    Commit, DeliveryRecord, DeliveryStep, InquiryChange, NewAsker, SessionTakeover,
};
use askback_store::filters::{AskerFilter, AskerSessionFilter, InquiryFilter};
use askback_store::rows::AskerRow;
use askback_store::store::{Store, StoreError};

/// While an inquiry is pending, or no delivery of its outcome was started, the same call returns the same inquiry. A
/// delivery that was started may have arrived; one that has failed has not.
pub async fn the_same_call_is_asked_once_until_delivered(
    database: &dyn TestDatabase,
) -> CaseResult {
    let store = database.open().await?;
    store.commit(asked_by(1, "s1", "call")).await?;
    assert_eq!(
        refused(store.commit(asked_by(2, "s1", "call")).await),
        Some(inquiry(1))
    );
    store.commit(update_resolving(1, "answered", 2)).await?;
    assert_eq!(
        refused(store.commit(asked_by(2, "s1", "call")).await),
        Some(inquiry(1))
    );
    record(&*store, 1, STARTED, at(3)).await?;
    record(&*store, 1, DeliveryStep::Failed, at(3)).await?;
    assert_eq!(
        refused(store.commit(asked_by(2, "s1", "call")).await),
        Some(inquiry(1))
    );
    record(&*store, 1, STARTED, at(3)).await?;
    store.commit(asked_by(2, "s1", "call")).await?;
    record(&*store, 1, DeliveryStep::Done, at(4)).await?;
    let first = store.inquiry(&inquiry(1)).await?.and_then(|row| row.asker);
    assert_eq!(first, Some(asker_row("s1", 1, Some(4))));
    assert_eq!(
        refused(store.commit(asked_by(3, "s1", "call")).await),
        Some(inquiry(2))
    );
    Ok(())
}

/// Another call, session, project or client asks separately.
pub async fn other_agents_ask_separately(database: &dyn TestDatabase) -> CaseResult {
    let store = database.open().await?;
    store.commit(asked_by(1, "s1", "call")).await?;
    store.commit(asked_by(2, "s1", "other call")).await?;
    store.commit(asked_by(3, "s2", "call")).await?;
    let mut elsewhere = asked_by(4, "s1", "call");
    with_asker(&mut elsewhere, |asker| asker.project = None);
    store.commit(elsewhere).await?;
    let mut other = asked_by(5, "s1", "call");
    with_asker(&mut other, |asker| {
        asker.client = Text::name_or_mark("gemini");
    });
    store.commit(other).await?;
    Ok(())
}

/// Of many that start to deliver the same outcome at once, one may; a second delivery is possible for
/// whoever knows that the first one was started.
pub async fn one_of_many_deliveries_starts(database: &dyn TestDatabase) -> CaseResult {
    let store = database.open().await?;
    store.commit(asked_by(1, "s1", "call")).await?;
    store.commit(update_resolving(1, "answered", 2)).await?;
    let claim = |attempts| DeliveryStep::Started {
        expected_attempts: Some(attempts),
    };
    let claims = (0..20).map(|_| {
        let store = std::sync::Arc::clone(&store);
        tokio::spawn(async move { store.set_delivery(&inquiry(1), claim(0), at(3)).await })
    });
    let mut records = Vec::new();
    for claim in claims.collect::<Vec<_>>() {
        records.extend(claim.await.map_err(|_| StoreError::Conflict)?);
    }
    let count = |record| records.iter().filter(|one| **one == record).count();
    assert_eq!(count(DeliveryRecord::Recorded), 1);
    assert_eq!(count(DeliveryRecord::Superseded), 19);
    record(&*store, 1, claim(1), at(4)).await?;
    let asker = store.inquiry(&inquiry(1)).await?.and_then(|row| row.asker);
    assert_eq!(asker, Some(asker_row("s1", 2, None)));
    let unknown = store.set_delivery(&inquiry(9), claim(0), at(4)).await?;
    assert_eq!(unknown, DeliveryRecord::NothingToDeliver);
    Ok(())
}

/// What an ended session has not got passes to one other session. A call of that one asks anew, unless it
/// resumes the ended one.
pub async fn one_of_many_sessions_takes_over(database: &dyn TestDatabase) -> CaseResult {
    let store = database.open().await?;
    for (number, session) in [(1, "s1"), (2, "s1"), (3, "s2"), (4, "t1")] {
        let call = format!("call {number}");
        store.commit(asked_by(number, session, &call)).await?;
    }
    store.commit(update_resolving(1, "answered", 2)).await?;
    record(&*store, 1, DeliveryStep::Done, at(3)).await?;
    let mut elsewhere = asked_by(5, "s1", "call");
    with_asker(&mut elsewhere, |asker| asker.project = None);
    store.commit(elsewhere).await?;
    assert_eq!(sessions(&*store, "", None).await?, ["s1", "s2", "t1"]);
    assert_eq!(sessions(&*store, "s", None).await?, ["s1", "s2"]);
    assert_eq!(sessions(&*store, "s", Some("s1")).await?, ["s2"]);
    let takeover = |to: &str| SessionTakeover {
        client: "claude-code".to_owned(),
        project: Some("/home/mia/webshop".to_owned()),
        from: vec!["s1".to_owned(), "s2".to_owned(), "unknown".to_owned()],
        to: Text::name_or_mark(to),
        resumes: false,
    };
    assert_eq!(store.take_over(takeover("n1")).await?, 2);
    assert_eq!(store.take_over(takeover("n2")).await?, 0);
    let session = async |number| {
        let row = store.inquiry(&inquiry(number)).await?;
        let asker = row.and_then(|row| row.asker);
        Ok::<_, StoreError>(asker.map(|asker| asker.session))
    };
    for (number, owner) in [(1, "s1"), (2, "n1"), (3, "n1"), (4, "t1"), (5, "s1")] {
        assert_eq!(session(number).await?.as_deref(), Some(owner), "{number}");
    }
    let taken = store.inquiry(&inquiry(3)).await?.and_then(|row| row.asker);
    let expected = AskerRow {
        taken_over: true,
        detached: true,
        ..asker_row("n1", 0, None)
    };
    assert_eq!(taken, Some(expected));
    store.commit(asked_by(6, "n1", "call 3")).await?;
    let resumed = SessionTakeover {
        from: vec!["t1".to_owned()],
        resumes: true,
        ..takeover("n1")
    };
    assert_eq!(store.take_over(resumed).await?, 1);
    let same = store.commit(asked_by(7, "n1", "call 4")).await;
    assert_eq!(refused(same), Some(inquiry(4)));
    Ok(())
}

/// Of many identical calls at once, one asks.
pub async fn concurrent_identical_calls_ask_once(database: &dyn TestDatabase) -> CaseResult {
    let store = database.open().await?;
    let calls = (1..=20).map(|number| {
        let store = std::sync::Arc::clone(&store);
        tokio::spawn(async move { store.commit(asked_by(number, "s1", "call")).await.is_ok() })
    });
    let mut asked = 0;
    for call in calls.collect::<Vec<_>>() {
        asked += usize::from(call.await.unwrap_or_default());
    }
    assert_eq!(asked, 1);
    Ok(())
}

/// Pending inquiries and undelivered outcomes are listed for their agent only; after a failed delivery
/// an outcome is undelivered again, and a pending inquiry cannot be delivered.
pub async fn undelivered_outcomes_are_listed(database: &dyn TestDatabase) -> CaseResult {
    let store = database.open().await?;
    for (number, call) in [(1, "a"), (2, "b"), (3, "c")] {
        store.commit(asked_by(number, "s1", call)).await?;
    }
    store.commit(create_asking(4, None, 1)).await?;
    store.commit(asked_by(5, "s2", "d")).await?;
    for number in [1, 2, 4] {
        store
            .commit(update_resolving(number, "answered", 2))
            .await?;
    }
    assert_eq!(listed(&*store, Some("pending")).await?, [inquiry(3)]);
    assert_eq!(listed(&*store, None).await?, [inquiry(2), inquiry(1)]);
    let pending = store
        .set_delivery(&inquiry(3), DeliveryStep::Done, at(3))
        .await?;
    assert_eq!(pending, DeliveryRecord::NothingToDeliver);
    let pending = store
        .set_delivery(&inquiry(4), DeliveryStep::Done, at(3))
        .await?;
    assert_eq!(pending, DeliveryRecord::NothingToDeliver);
    record(&*store, 1, DeliveryStep::Done, at(3)).await?;
    assert_eq!(listed(&*store, None).await?, [inquiry(2)]);
    record(&*store, 1, DeliveryStep::Failed, at(4)).await?;
    assert_eq!(listed(&*store, None).await?, [inquiry(2), inquiry(1)]);
    Ok(())
}

/// Whether the agent waits is known only while the inquiry is pending, and only if it has said so.
pub async fn agent_says_that_it_stopped_waiting(database: &dyn TestDatabase) -> CaseResult {
    let store = database.open().await?;
    store.commit(asked_by(1, "s1", "call")).await?;
    let detached = async || {
        let row = store.inquiry(&inquiry(1)).await?;
        Ok::<_, StoreError>(row.and_then(|row| row.asker).map(|asker| asker.detached))
    };
    assert_eq!(detached().await?, Some(false));
    record(&*store, 1, DeliveryStep::Detached, at(2)).await?;
    assert_eq!(detached().await?, Some(true));
    record(&*store, 1, DeliveryStep::Attached, at(2)).await?;
    assert_eq!(detached().await?, Some(false));
    store.commit(update_resolving(1, "answered", 2)).await?;
    let late = store.set_delivery(&inquiry(1), DeliveryStep::Detached, at(3));
    assert_eq!(late.await?, DeliveryRecord::NothingToDeliver);
    Ok(())
}

const STARTED: DeliveryStep = DeliveryStep::Started {
    expected_attempts: None,
};

async fn record(
    store: &dyn Store,
    number: u128,
    step: DeliveryStep,
    at: jiff::Timestamp,
) -> CaseResult {
    let recorded = store.set_delivery(&inquiry(number), step, at).await?;
    assert_eq!(recorded, DeliveryRecord::Recorded);
    Ok(())
}

async fn sessions(
    store: &dyn Store,
    prefix: &str,
    after: Option<&str>,
) -> Result<Vec<String>, StoreError> {
    let filter = AskerSessionFilter {
        client: "claude-code".to_owned(),
        project: Some("/home/mia/webshop".to_owned()),
        prefix: prefix.to_owned(),
        after: after.map(str::to_owned),
        limit: 10,
    };
    store.asker_sessions(filter).await
}

fn asked_by(number: u128, session: &str, call: &str) -> Commit {
    let mut commit = create_asking(number, None, 1);
    if let Some(InquiryChange::Ask { asker, .. }) = commit.inquiries.first_mut() {
        *asker = Some(NewAsker {
            client: Text::name_or_mark("claude-code"),
            project: Text::name("/home/mia/webshop"),
            session: Text::name_or_mark(session),
            call: call.to_owned(),
        });
    }
    commit
}

fn with_asker(commit: &mut Commit, change: impl FnOnce(&mut NewAsker)) {
    if let Some(InquiryChange::Ask { asker, .. }) = commit.inquiries.first_mut() {
        asker.as_mut().map(change);
    }
}

fn asker_row(session: &str, attempts: u32, delivered: Option<i64>) -> AskerRow {
    AskerRow {
        client: Text::name_or_mark("claude-code"),
        project: Text::name("/home/mia/webshop"),
        session: Text::name_or_mark(session),
        delivery_attempts: attempts,
        delivered_at: delivered.map(at),
        taken_over: false,
        detached: false,
    }
}

fn refused<T>(committed: Result<T, StoreError>) -> Option<askback_core::id::InquiryId> {
    match committed {
        Err(StoreError::AlreadyAsked { inquiry }) => Some(inquiry),
        _ => None,
    }
}

async fn listed(
    store: &dyn Store,
    status: Option<&str>,
) -> Result<Vec<askback_core::id::InquiryId>, StoreError> {
    let filter = InquiryFilter {
        status: status.map(str::to_owned),
        asker: Some(AskerFilter {
            client: "claude-code".to_owned(),
            project: Some("/home/mia/webshop".to_owned()),
            session: Some("s1".to_owned()),
        }),
        limit: 10,
        ..InquiryFilter::default()
    };
    let page = store.inquiries(filter).await?;
    Ok(page.items.into_iter().map(|row| row.id).collect())
}
