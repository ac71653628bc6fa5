//! Deliveries through channels.

use std::time::Duration;

use crate::sample::{at, inquiry};
use crate::{CaseResult, TestDatabase};
use askback_store::channel_store::{
    ChannelDelivery, ChannelValue, DeliveryPlan, DeliveryProgress, DeliveryUpdate, NewDelivery,
    OpenDeliveries,
};

fn delivery(number: u128, address: &str) -> NewDelivery {
    NewDelivery {
        inquiry: inquiry(number),
        channel: "telegram".to_owned(),
        recipient: "zoe".to_owned(),
        address: address.to_owned(),
    }
}

fn plan(new: Vec<NewDelivery>, second: i64) -> DeliveryPlan {
    DeliveryPlan {
        new,
        ..DeliveryPlan::due(at(second))
    }
}

fn value(key: &str, value: &str) -> ChannelValue {
    ChannelValue {
        key: key.to_owned(),
        value: value.to_owned(),
        inquiry: None,
    }
}

fn sent(row: &ChannelDelivery, external_id: &str) -> DeliveryUpdate {
    DeliveryUpdate {
        number: row.number,
        version: row.version,
        progress: DeliveryProgress::Sent,
        attempts: 0,
        due_at: None,
        external_id: Some(external_id.to_owned()),
        shown_hash: Some("h".to_owned()),
    }
}

/// What channels keep is set and removed together with the cursor.
pub async fn a_plan_sets_and_removes_values(database: &dyn TestDatabase) -> CaseResult {
    let store = database.open().await?;
    store.set_channel_value(value("old", "1")).await?;
    let mut first = plan(Vec::new(), 1);
    first.set(value("a", "1"));
    first.set(value("b", "2"));
    first.values.insert("old".to_owned(), None);
    store.plan_deliveries(first).await?;
    let mut second = plan(Vec::new(), 2);
    second.set(value("a", "3"));
    second.values.insert("b".to_owned(), None);
    second.cursor = Some(4);
    store.plan_deliveries(second).await?;
    drop(store);
    let store = database.open().await?;
    for (key, kept) in [("a", Some("3")), ("b", None), ("old", None)] {
        let stored = store.channel_values(key).await?;
        let expected = kept.map(|kept| value(key, kept));
        assert_eq!(stored, Vec::from_iter(expected), "{key}");
    }
    assert_eq!(store.delivery_cursor().await?, Some(4));
    Ok(())
}

/// What belongs to an inquiry is removed with it, and nothing else.
pub async fn values_are_removed_with_their_inquiry(database: &dyn TestDatabase) -> CaseResult {
    let store = database.open().await?;
    let of = |number, key: &str| ChannelValue {
        inquiry: Some(inquiry(number)),
        ..value(key, "1")
    };
    store.set_channel_value(of(1, "a")).await?;
    let mut first = plan(Vec::new(), 1);
    first.set(of(1, "b"));
    first.set(of(2, "c"));
    first.set(value("d", "1"));
    store.plan_deliveries(first).await?;
    let mut second = plan(Vec::new(), 2);
    second.set(of(1, "e"));
    second.end(&inquiry(1));
    store.plan_deliveries(second).await?;
    drop(store);
    let store = database.open().await?;
    let mut left = store.channel_values("").await?;
    left.retain(|value| value.key.len() == 1);
    assert_eq!(left, [of(2, "c"), value("d", "1")]);
    Ok(())
}

/// Planning the same part of the feed again after a crash adds nothing, and all survives a restart.
pub async fn a_plan_adds_each_delivery_once(database: &dyn TestDatabase) -> CaseResult {
    let store = database.open().await?;
    assert_eq!(store.delivery_cursor().await?, None);
    let both = vec![delivery(1, "a"), delivery(1, "b")];
    for cursor in [7, 9] {
        let mut plan = plan(both.clone(), 1);
        plan.cursor = Some(cursor);
        store.plan_deliveries(plan).await?;
    }
    drop(store);
    let store = database.open().await?;
    assert_eq!(store.delivery_cursor().await?, Some(9));
    let rows = store.deliveries_of(&inquiry(1)).await?;
    let targets: Vec<NewDelivery> = rows.iter().map(|row| row.target.clone()).collect();
    assert_eq!(targets, both);
    assert!(rows.iter().all(|row| row.progress == DeliveryProgress::Due));
    assert_eq!(store.due_deliveries("telegram", at(1), 9).await?.rows, rows);
    assert_eq!(store.due_deliveries("slack", at(1), 9).await?.rows, []);
    let early = store.due_deliveries("telegram", at(0), 9).await?;
    assert_eq!((early.rows.len(), early.next), (0, Some(at(1))));
    Ok(())
}

/// A change of the inquiry makes its messages due again, but not those that are over.
pub async fn a_change_makes_deliveries_due(database: &dyn TestDatabase) -> CaseResult {
    let store = database.open().await?;
    let new = vec![delivery(1, "a"), delivery(1, "b"), delivery(2, "a")];
    store.plan_deliveries(plan(new, 1)).await?;
    let rows = store.due_deliveries("telegram", at(1), 9).await?.rows;
    for row in &rows {
        store.update_delivery(sent(row, "m")).await?;
    }
    let retired = DeliveryUpdate {
        progress: DeliveryProgress::Retired,
        ..sent(&rows[1], "m")
    };
    store.update_delivery(retired).await?;
    let none = store.due_deliveries("telegram", at(9), 9).await?;
    assert_eq!((none.rows.len(), none.next), (0, None));
    let mut change = plan(Vec::new(), 5);
    change.changed = vec![inquiry(1)];
    store.plan_deliveries(change).await?;
    let due = store.due_deliveries("telegram", at(5), 9).await?.rows;
    assert_eq!(due.len(), 1);
    assert_eq!(due[0].number, rows[0].number);
    assert_eq!(due[0].external_id.as_deref(), Some("m"));
    assert_eq!(due[0].shown_hash.as_deref(), Some("h"));
    Ok(())
}

/// The inquiry changes while its message is being edited: the message is edited once more.
pub async fn a_change_during_a_delivery_is_not_lost(database: &dyn TestDatabase) -> CaseResult {
    let store = database.open().await?;
    store
        .plan_deliveries(plan(vec![delivery(1, "a")], 1))
        .await?;
    let rows = store.due_deliveries("telegram", at(1), 9).await?.rows;
    let mut change = plan(Vec::new(), 2);
    change.changed = vec![inquiry(1)];
    store.plan_deliveries(change).await?;
    store.update_delivery(sent(&rows[0], "m")).await?;
    let due = store.due_deliveries("telegram", at(2), 9).await?.rows;
    assert_eq!(due.len(), 1);
    assert_eq!(due[0].progress, DeliveryProgress::Sent);
    store.update_delivery(sent(&due[0], "m")).await?;
    let due = store.due_deliveries("telegram", at(9), 9).await?.rows;
    assert_eq!(due, []);
    Ok(())
}

/// What waits for an address waits in order, and other addresses do not wait.
pub async fn delays_keep_the_order(database: &dyn TestDatabase) -> CaseResult {
    let store = database.open().await?;
    let new = (1..=3).map(|number| delivery(number, "a"));
    let new = new.chain([delivery(4, "b")]).collect();
    store.plan_deliveries(plan(new, 1)).await?;
    store
        .delay_deliveries("telegram", Some("a"), at(30))
        .await?;
    let inquiries = |rows: &[ChannelDelivery]| -> Vec<_> {
        rows.iter().map(|row| row.target.inquiry.clone()).collect()
    };
    let due = store.due_deliveries("telegram", at(2), 9).await?;
    assert_eq!(inquiries(&due.rows), [inquiry(4)]);
    assert_eq!(due.next, Some(at(30)));
    store.delay_deliveries("telegram", None, at(30)).await?;
    // A delay never brings a delivery forward.
    store.delay_deliveries("telegram", None, at(20)).await?;
    let due = store.due_deliveries("telegram", at(30), 9).await?;
    let all = [inquiry(1), inquiry(2), inquiry(3), inquiry(4)];
    assert_eq!(inquiries(&due.rows), all);
    Ok(())
}

/// A message leads to its delivery until that is pruned; only ended ones are.
pub async fn messages_are_found_and_ended_ones_pruned(database: &dyn TestDatabase) -> CaseResult {
    let store = database.open().await?;
    let new = vec![delivery(1, "a"), delivery(2, "a")];
    store.plan_deliveries(plan(new, 1)).await?;
    let rows = store.due_deliveries("telegram", at(1), 9).await?.rows;
    store.update_delivery(sent(&rows[0], "m1")).await?;
    let retired = DeliveryUpdate {
        progress: DeliveryProgress::Retired,
        ..sent(&rows[1], "m2")
    };
    store.update_delivery(retired).await?;
    let found = store.delivery_of_message("telegram", "a", "m2").await?;
    assert_eq!(found.map(|row| row.target.inquiry), Some(inquiry(2)));
    assert_eq!(
        store.delivery_of_message("telegram", "b", "m2").await?,
        None
    );
    assert_eq!(store.prune_deliveries(at(1), 9).await?, 0);
    assert_eq!(store.prune_deliveries(at(2), 9).await?, 1);
    assert_eq!(
        store.delivery_of_message("telegram", "a", "m2").await?,
        None
    );
    assert_eq!(store.deliveries_of(&inquiry(1)).await?.len(), 1);
    Ok(())
}

/// What is neither retired nor failed is counted by channel and recipient.
pub async fn open_deliveries_are_counted(database: &dyn TestDatabase) -> CaseResult {
    let store = database.open().await?;
    let of = |number, recipient: &str, channel: &str| NewDelivery {
        recipient: recipient.to_owned(),
        channel: channel.to_owned(),
        ..delivery(number, recipient)
    };
    let new = vec![
        of(1, "zoe", "telegram"),
        of(1, "zoe", "ntfy"),
        of(1, "ben", "telegram"),
        of(2, "zoe", "telegram"),
        of(3, "zoe", "telegram"),
        of(4, "zoe", "telegram"),
    ];
    store.plan_deliveries(plan(new, 1)).await?;
    let ended = [
        (1, DeliveryProgress::Sent),
        (3, DeliveryProgress::Retired),
        (4, DeliveryProgress::Failed),
    ];
    for (number, progress) in ended {
        let rows = store.deliveries_of(&inquiry(number)).await?;
        let update = sent(&rows[0], "m");
        store
            .update_delivery(DeliveryUpdate { progress, ..update })
            .await?;
    }
    let count = |channel: &str, recipient: &str, count| OpenDeliveries {
        channel: channel.to_owned(),
        recipient: recipient.to_owned(),
        count,
    };
    let expected = [
        count("ntfy", "zoe", 1),
        count("telegram", "ben", 1),
        count("telegram", "zoe", 2),
    ];
    assert_eq!(store.open_deliveries().await?, expected);
    Ok(())
}

/// Values survive a restart, and one of several callers takes one.
pub async fn values_are_kept_and_taken_once(database: &dyn TestDatabase) -> CaseResult {
    let store = database.open().await?;
    for (key, kept) in [
        ("link:b", "2"),
        ("link:a", "1"),
        ("linkage", "3"),
        ("link:a", "4"),
    ] {
        store.set_channel_value(value(key, kept)).await?;
    }
    drop(store);
    let store = database.open().await?;
    let links = store.channel_values("link:").await?;
    assert_eq!(links, [value("link:a", "4"), value("link:b", "2")]);
    let (first, second) = tokio::join!(
        store.take_channel_value("link:a"),
        store.take_channel_value("link:a")
    );
    let taken: Vec<String> = [first?, second?].into_iter().flatten().collect();
    assert_eq!(taken, ["4"]);
    assert_eq!(store.take_channel_value("link:c").await?, None);
    assert!(store.lease_channels("one", Duration::from_mins(1)).await?);
    assert!(store.lease_channels("one", Duration::from_mins(1)).await?);
    Ok(())
}
