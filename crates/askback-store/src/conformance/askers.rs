//! Agents that can come back: the same call is asked once until its outcome is delivered.

use crate::commit::{Commit, DeliveryStep, InquiryChange, NewAsker};
use crate::conformance::sample::{at, create_asking, inquiry, update_resolving};
use crate::conformance::{Backend, CaseResult};
use crate::filters::{AskerFilter, InquiryFilter};
use crate::rows::AskerRow;
use crate::store::{Store, StoreError};

/// While an inquiry is pending or its outcome undelivered, the same call returns the same inquiry.
pub async fn the_same_call_is_asked_once_until_delivered(backend: &dyn Backend) -> CaseResult {
    let store = backend.open().await?;
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
    assert!(
        store
            .set_delivery(&inquiry(1), DeliveryStep::Started, at(3))
            .await?
    );
    assert!(
        store
            .set_delivery(&inquiry(1), DeliveryStep::Done, at(4))
            .await?
    );
    store.commit(asked_by(2, "s1", "call")).await?;
    let first = store.inquiry(&inquiry(1)).await?.and_then(|row| row.asker);
    assert_eq!(first, Some(asker_row("s1", 1, Some(4))));
    Ok(())
}

/// Another call, session, project or client asks separately, unless the session continues an earlier one.
pub async fn other_agents_ask_separately(backend: &dyn Backend) -> CaseResult {
    let store = backend.open().await?;
    store.commit(asked_by(1, "s1", "call")).await?;
    store.commit(asked_by(2, "s1", "other call")).await?;
    store.commit(asked_by(3, "s2", "call")).await?;
    let mut elsewhere = asked_by(4, "s1", "call");
    with_asker(&mut elsewhere, |asker| asker.project = None);
    store.commit(elsewhere).await?;
    let mut other = asked_by(5, "s1", "call");
    with_asker(&mut other, |asker| "gemini".clone_into(&mut asker.client));
    store.commit(other).await?;
    let mut continued = asked_by(6, "s3", "call");
    with_asker(&mut continued, |asker| {
        asker.earlier_sessions = vec!["s0".to_owned(), "s2".to_owned()];
    });
    assert_eq!(refused(store.commit(continued).await), Some(inquiry(3)));
    assert_eq!(store.inquiry(&inquiry(6)).await?, None);
    Ok(())
}

/// Of many identical calls at once, one asks.
pub async fn concurrent_identical_calls_ask_once(backend: &dyn Backend) -> CaseResult {
    let store = backend.open().await?;
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
pub async fn undelivered_outcomes_are_listed(backend: &dyn Backend) -> CaseResult {
    let store = backend.open().await?;
    for (number, call) in [(1, "a"), (2, "b"), (3, "c")] {
        store.commit(asked_by(number, "s1", call)).await?;
    }
    store.commit(create_asking(4, None, 1)).await?;
    for number in [1, 2, 4] {
        store
            .commit(update_resolving(number, "answered", 2))
            .await?;
    }
    assert_eq!(listed(&*store, Some("pending")).await?, [inquiry(3)]);
    assert_eq!(listed(&*store, None).await?, [inquiry(2), inquiry(1)]);
    assert!(
        !store
            .set_delivery(&inquiry(3), DeliveryStep::Done, at(3))
            .await?
    );
    assert!(
        !store
            .set_delivery(&inquiry(4), DeliveryStep::Done, at(3))
            .await?
    );
    assert!(
        store
            .set_delivery(&inquiry(1), DeliveryStep::Done, at(3))
            .await?
    );
    assert_eq!(listed(&*store, None).await?, [inquiry(2)]);
    assert!(
        store
            .set_delivery(&inquiry(1), DeliveryStep::Failed, at(4))
            .await?
    );
    assert_eq!(listed(&*store, None).await?, [inquiry(2), inquiry(1)]);
    Ok(())
}

fn asked_by(number: u128, session: &str, call: &str) -> Commit {
    let mut commit = create_asking(number, None, 1);
    if let Some(InquiryChange::Ask(new)) = commit.inquiries.first_mut() {
        new.asker = Some(NewAsker {
            client: "claude-code".to_owned(),
            project: Some("/home/mia/webshop".to_owned()),
            session: session.to_owned(),
            earlier_sessions: Vec::new(),
            call: call.to_owned(),
        });
    }
    commit
}

fn with_asker(commit: &mut Commit, change: impl FnOnce(&mut NewAsker)) {
    if let Some(InquiryChange::Ask(new)) = commit.inquiries.first_mut() {
        new.asker.as_mut().map(change);
    }
}

fn asker_row(session: &str, attempts: u32, delivered: Option<i64>) -> AskerRow {
    AskerRow {
        client: "claude-code".to_owned(),
        project: Some("/home/mia/webshop".to_owned()),
        session: session.to_owned(),
        delivery_attempts: attempts,
        delivered_at: delivered.map(at),
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
        }),
        limit: 10,
        ..InquiryFilter::default()
    };
    let page = store.inquiries(filter).await?;
    Ok(page.items.into_iter().map(|row| row.id).collect())
}
