//! Deleting and pruning.

use crate::sample::{
    QUEUE, at, conversation, conversation_row, create, create_asking, inquiry, job, key, removal,
    update, update_closing, update_resolving,
};
use crate::{CaseResult, TestDatabase};
use askback_store::commit::{ConversationRemoval, NewConversation, RemovalStep};
use askback_store::filters::{ConversationFilter, InquiryFilter};
use askback_store::rows::{DraftRow, InquiryRow};
use askback_store::store::{Store, StoreError};

/// Removes records, inquiries, jobs and drafts of a closed conversation, except what others wait for, and
/// nothing of its children, which are closed by themselves.
pub async fn removal_deletes_the_content_of_a_closed_conversation(
    database: &dyn TestDatabase,
) -> CaseResult {
    let store = database.open().await?;
    for number in [1, 2] {
        let mut commit = create_asking(number, None, 1);
        commit.jobs = vec![job("timer", 1)];
        commit.keys = key(&format!("key {number}"), 1);
        store.commit(commit).await?;
        let draft = DraftRow {
            inquiry: inquiry(number),
            json: "{}".to_owned(),
            at: at(2),
        };
        store.put_draft(draft).await?;
    }
    let mut child = create_asking(3, None, 1);
    child.create = Some(NewConversation {
        driver: "built_in".to_owned(),
        app: None,
        parent: Some(conversation(1)),
    });
    store.commit(child).await?;
    assert_eq!(store.claim_jobs(QUEUE, at(2), 1).await?.jobs.len(), 1);

    let step = store.remove_content(removal(1)).await?;
    assert_eq!(step, RemovalStep::NOTHING, "it is not closed");
    let mut closing = update_closing(1, 3);
    closing.jobs = vec![job("webhook", 50), job("remove", 3)];
    store.commit(closing).await?;
    let step = store.remove_content(removal(1)).await?;
    assert!(step.rows > 0 && step.is_complete, "{step:?}");
    let step = store.remove_content(removal(1)).await?;
    assert_eq!(step, RemovalStep::NOTHING, "once");
    assert!(store.inquiry(&inquiry(3)).await?.is_some(), "of a child");
    assert_eq!(store.draft(&inquiry(1)).await?, None);
    let all = store
        .inquiries(InquiryFilter {
            limit: 9,
            ..InquiryFilter::default()
        })
        .await?;
    assert_eq!(all.items.len(), 2, "tombstones are in no list");
    let records = store.records(Some(&conversation(1)), 0, 9).await?;
    let records: Vec<_> = records.into_iter().map(|record| record.body).collect();
    assert_eq!(
        records,
        ["[\"closed\"]"],
        "later listeners see how it ended"
    );
    let claimed = store.claim_jobs(QUEUE, at(89), 9).await?.jobs;
    let left: Vec<_> = claimed
        .into_iter()
        .map(|job| (job.conversation, job.kind))
        .collect();
    let expected = [(conversation(2), "timer"), (conversation(1), "webhook")];
    assert_eq!(left, expected.map(|(id, kind)| (id, kind.to_owned())));
    assert!(store.draft(&inquiry(2)).await?.is_some());
    Ok(())
}

/// A transaction removes at most as many rows as allowed: the newest records, then the inquiries, and the job that
/// continues the removal at the end.
pub async fn removal_is_limited(database: &dyn TestDatabase) -> CaseResult {
    let store = database.open().await?;
    store.commit(create_asking(1, None, 1)).await?;
    for version in 1..=3 {
        store.commit(update(&conversation(1), version, 2)).await?;
    }
    let mut closing = update_closing(1, 5);
    closing.expected_version = Some(4);
    closing.snapshot.version = 5;
    closing.jobs = vec![job("remove", 5)];
    store.commit(closing).await?;
    let kept = store.records(Some(&conversation(1)), 0, 9).await?;
    let mut steps = Vec::new();
    let mut left = Vec::new();
    loop {
        let removal = ConversationRemoval {
            rows_max: 2,
            ..removal(1)
        };
        let step = store.remove_content(removal).await?;
        steps.push(step.rows);
        left.push(store.records(Some(&conversation(1)), 0, 9).await?.len());
        if step.is_complete {
            break;
        }
        let first = store.records(Some(&conversation(1)), 0, 1).await?;
        assert!(left.last() == Some(&1) || first == kept[..1], "{first:?}");
        let jobs = store.claim_jobs(QUEUE, at(6), 9).await?.jobs;
        assert_eq!(
            jobs.len(),
            usize::from(steps.len() == 1),
            "it stays, and is claimed once"
        );
    }
    assert_eq!((steps, left), (vec![2, 2, 2], vec![3, 1, 1]));
    assert_eq!(store.job_queues().await?, [""; 0]);
    Ok(())
}

/// A closed conversation is in no list and can still be loaded, its keys stay used, and an inquiry that
/// was pending has its outcome but no questions, even after a restart.
pub async fn closing_leaves_a_tombstone(database: &dyn TestDatabase) -> CaseResult {
    let store = database.open().await?;
    for number in [1, 2] {
        let mut commit = create_asking(number, Some(at(90)), 1);
        commit.keys = key(&format!("key {number}"), 1);
        store.commit(commit).await?;
    }
    store.commit(update_closing(1, 3)).await?;
    store.remove_content(removal(1)).await?;
    drop(store);
    let store = database.open().await?;
    let tombstone = InquiryRow {
        asker: None,
        id: inquiry(1),
        conversation: conversation(1),
        status: "withdrawn".to_owned(),
        dialect: "ask_user".to_owned(),
        json: String::new(),
        revision: 1,
        source: None,
        webhook: None,
        credential: Some("laptop".to_owned()),
        asked_at: at(1),
        expires_at: None,
        held: None,
        resolved_at: Some(at(3)),
        resolution: Some("{\"outcome\":\"withdrawn\"}".to_owned()),
        snoozed_until: None,
        version: 2,
    };
    assert_eq!(store.inquiry(&inquiry(1)).await?, Some(tombstone));
    assert_eq!(left(&*store).await?, 1);
    let loaded = store.load(&conversation(1)).await?;
    let row = loaded.map(|loaded| {
        let snapshot = loaded.row.snapshot;
        (snapshot.state, snapshot.title, loaded.pending)
    });
    let stays = ("closed".to_owned(), None, Vec::new());
    assert_eq!(row, Some(stays), "its row stays");
    let known = store.check_keys(&key("key 1", 1)).await;
    let about =
        matches!(&known, Err(StoreError::Repeated { inquiry: Some(id), .. }) if *id == inquiry(1));
    assert!(about, "{known:?}");
    assert_eq!(
        store.prune(at(4), 9).await?,
        1,
        "with the others, in its time"
    );
    assert_eq!(store.inquiry(&inquiry(1)).await?, None);
    store.check_keys(&key("key 1", 1)).await?;
    Ok(())
}

/// A closed conversation cannot get children.
pub async fn a_closed_parent_refuses_children(database: &dyn TestDatabase) -> CaseResult {
    let store = database.open().await?;
    store.commit(create_asking(1, None, 1)).await?;
    store.commit(update_closing(1, 2)).await?;
    let mut child = create(&conversation(2), 3);
    child.create = Some(NewConversation {
        driver: "built_in".to_owned(),
        app: None,
        parent: Some(conversation(1)),
    });
    let refused = store.commit(child).await;
    assert!(matches!(refused, Err(StoreError::Conflict)), "{refused:?}");
    Ok(())
}

/// Children leave closing records of their own, and everything goes with the row of the parent.
pub async fn a_closed_child_is_pruned_with_its_parent(database: &dyn TestDatabase) -> CaseResult {
    let store = database.open().await?;
    store.commit(create_asking(1, None, 1)).await?;
    let mut child = create_asking(2, None, 1);
    child.create = Some(NewConversation {
        driver: "built_in".to_owned(),
        app: None,
        parent: Some(conversation(1)),
    });
    store.commit(child).await?;
    for (number, second) in [(1, 3), (2, 90)] {
        store.commit(update_closing(number, second)).await?;
        assert!(store.remove_content(removal(number)).await?.is_complete);
    }
    let records = store.records(None, 0, 9).await?;
    let closed = records.into_iter().map(|it| (it.conversation, it.body));
    let expected = [1, 2].map(|it| (conversation(it), "[\"closed\"]".to_owned()));
    assert_eq!(closed.collect::<Vec<_>>(), expected);
    assert_eq!(store.prune(at(4), 9).await?, 1);
    assert_eq!(store.records(None, 0, 9).await?, []);
    assert_eq!(conversation_row(&store, &conversation(2)).await?, None);
    Ok(())
}

/// Old conversations have ended, except those with pending inquiries or jobs, and sub-agents.
pub async fn active_conversations_have_not_ended(database: &dyn TestDatabase) -> CaseResult {
    let store = database.open().await?;
    store.commit(create(&conversation(1), 10)).await?;
    let mut failed = create(&conversation(2), 10);
    "error".clone_into(&mut failed.snapshot.state);
    store.commit(failed).await?;
    store.commit(create_asking(3, None, 9)).await?;
    store.commit(update_resolving(3, "answered", 10)).await?;
    // Not ended: too recent, idle with a pending inquiry, busy, with a job, a sub-agent, closed.
    store.commit(create(&conversation(4), 20)).await?;
    let mut waiting = create_asking(5, None, 10);
    "idle".clone_into(&mut waiting.snapshot.state);
    store.commit(waiting).await?;
    let mut busy = create(&conversation(6), 10);
    "llm_requesting".clone_into(&mut busy.snapshot.state);
    store.commit(busy).await?;
    let mut working = create(&conversation(7), 10);
    working.jobs = vec![job("webhook", 10)];
    store.commit(working).await?;
    let mut child = create(&conversation(9), 10);
    child.create = Some(NewConversation {
        driver: "built_in".to_owned(),
        app: None,
        parent: Some(conversation(4)),
    });
    store.commit(child).await?;
    store.commit(create_asking(10, None, 9)).await?;
    store.commit(update_closing(10, 10)).await?;

    assert_eq!(store.ended_conversations(at(10), 99).await?, []);
    let ended = store.ended_conversations(at(20), 99).await?;
    let mut ended: Vec<_> = ended.into_iter().map(|it| (it.id, it.version)).collect();
    ended.sort();
    let expected = [(1, 1), (2, 1), (3, 2)];
    assert_eq!(
        ended,
        expected.map(|(id, version)| (conversation(id), version))
    );
    assert_eq!(store.prune(at(20), 99).await?, 1, "only the closed one");
    Ok(())
}

/// Lists and prunes at most the limit, the oldest first.
pub async fn pruning_is_limited(database: &dyn TestDatabase) -> CaseResult {
    let store = database.open().await?;
    for number in 1..=5_u128 {
        let second = 100 - i64::try_from(number).unwrap_or(0);
        store.commit(create(&conversation(number), second)).await?;
        store.commit(create_asking(number + 10, None, 1)).await?;
        store.commit(update_closing(number + 10, second)).await?;
    }
    let oldest = store.ended_conversations(at(500), 2).await?;
    let oldest: Vec<_> = oldest.into_iter().map(|ended| ended.id).collect();
    assert_eq!(oldest, [conversation(5), conversation(4)]);
    assert_eq!(store.prune(at(500), 2).await?, 2);
    for number in 11..=15 {
        let row = conversation_row(&store, &conversation(number)).await?;
        assert_eq!(row.is_some(), number < 14, "{number}");
    }
    assert_eq!(store.prune(at(500), 9).await?, 3);
    assert_eq!(left(&*store).await?, 5, "the others are not closed");
    Ok(())
}

async fn left(store: &dyn Store) -> Result<usize, askback_store::store::StoreError> {
    let filter = ConversationFilter {
        limit: 99,
        ..ConversationFilter::default()
    };
    Ok(store.conversations(filter).await?.items.len())
}
