//! Goal: what channels store is enough, holds no secret, goes with its question, and what earlier versions stored works.

use std::sync::Arc;
use std::task::{Context, Poll, Waker};

use askback_channels::{
    Dispatcher, IncomingAction, Press, RangeDay, RecipientKind, StoredRecipient,
};
use askback_core::draft::Draft;
use askback_core::id::InquiryId;
use askback_core::inquiry::Inquiry;
use askback_core::text::Text;
use askback_store::{ChannelValue, DraftRow, Store, StoreFuture};
use jiff::Timestamp;
use serde_json::json;

use super::support::channel_world::{CHANNEL, ChannelWorld, pass};
use super::support::fake_channel::{Call, FakeChannel, Method, Response, down};

const WRITE: Press = Press::Write {
    question: 0,
    day: RangeDay::First,
};

async fn addresses(world: &ChannelWorld, inquiry: &InquiryId) -> Vec<String> {
    let rows = world.store().deliveries_of(inquiry).await;
    let rows = rows.expect("they are read").into_iter();
    rows.map(|row| row.target.address).collect()
}

fn sent_to(world: &ChannelWorld) -> Vec<String> {
    let done = world.channel.done().into_iter();
    done.map(|call| call.address).collect()
}

/// A secret address is looked up when something is sent. What is stored is the name of the account.
#[tokio::test(start_paused = true)]
async fn a_secret_address_is_not_stored() {
    let channel = FakeChannel::responding(|_| Response::Done).with_secret_addresses();
    let world = ChannelWorld::stopped(channel, &["ntfy:topic-a", "ntfy:topic-b"]).await;
    world.run().await;
    let asked = world.ask("Which?").await;
    pass(1).await;
    assert_eq!(addresses(&world, &asked).await, ["zoe", "zoe#2"]);
    assert_eq!(sent_to(&world), ["topic-a", "topic-b"]);
    world.decline(&asked).await;
    pass(1).await;
    assert_eq!(sent_to(&world)[2..], ["topic-a", "topic-b"]);
}

/// Writes a note into the stored draft, as a browser does.
fn add_note(store: &Arc<dyn Store>, inquiry: &Inquiry, id: &InquiryId) {
    let stored = at_once(store.draft(id));
    let draft = stored.as_ref().map(|row| serde_json::from_str(&row.json));
    let mut draft = draft.map_or_else(|| Draft::new(inquiry), |draft| draft.expect("a draft"));
    draft.entries[0].note = "From the browser".to_owned();
    let row = DraftRow {
        inquiry: id.clone(),
        json: serde_json::to_string(&draft).expect("it is written"),
        at: Timestamp::UNIX_EPOCH,
    };
    assert!(at_once(store.replace_draft(row, stored)), "it is stored");
}

/// What a call of the store in memory returns, which never waits.
fn at_once<T>(mut call: StoreFuture<'_, T>) -> T {
    let mut context = Context::from_waker(Waker::noop());
    let Poll::Ready(Ok(done)) = call.as_mut().poll(&mut context) else {
        panic!("the store in memory neither waits nor fails");
    };
    done
}

/// A press changes the draft that is stored, not the one that was stored a moment before: nothing that is written elsewhere at
/// the same time is lost.
#[tokio::test(start_paused = true)]
async fn a_press_keeps_what_is_written_elsewhere_at_the_same_time() {
    let options = json!(["Red", "Blue"]);
    let several = json!({ "question": "Which?", "input_type": "multi_select", "options": options });
    let mut readings = 0;
    loop {
        let world = ChannelWorld::start(FakeChannel::responding(|_| Response::Done)).await;
        let id = world.ask_with(&several).await;
        pass(1).await;
        let view = world.engine.inquiry(&id).await.expect("it is read");
        let inquiry = view.expect("it is there").inquiry;
        let (store, of) = (Arc::clone(world.store()), id.clone());
        let write = move || add_note(&store, &inquiry, &of);
        world.clock.call_at(Some((readings, Box::new(write))));
        let tick = Press::Tick {
            question: 0,
            choice: 0,
            ticked: true,
        };
        world.channel.press("m1", &id, tick);
        pass(1).await;
        if !world.clock.call_at(None) {
            break;
        }
        let stored = at_once(world.store().draft(&id)).expect("it is stored");
        let draft: Draft = serde_json::from_str(&stored.json).expect("it is a draft");
        let entry = &draft.entries[0];
        assert_eq!(entry.note, "From the browser", "at reading {readings}");
        let picked: Vec<&str> = entry.picked.iter().map(Text::as_str).collect();
        assert_eq!(picked, ["Red"], "at reading {readings}");
        readings += 1;
    }
    assert!(readings > 2, "the clock is read while a press is handled");
}

/// A code that was written in a group was seen by others: it links nobody any more.
#[tokio::test(start_paused = true)]
async fn a_code_that_was_written_in_a_group_does_not_work_any_more() {
    let world = ChannelWorld::start(FakeChannel::responding(|_| Response::Done)).await;
    for code in ["seen", "fresh"] {
        let added = world
            .dispatcher()
            .accounts
            .add_code(code, CHANNEL, "zoe")
            .await;
        added.expect("it is stored");
    }
    let code = "seen".to_owned();
    world
        .channel
        .act("m1", IncomingAction::LinkInGroup { code });
    pass(1).await;
    for (code, linked) in [("seen", 0), ("fresh", 1)] {
        let code = code.to_owned();
        world.channel.act("m1", IncomingAction::Link { code });
        pass(1).await;
        assert_eq!(world.values("link:").await.len(), linked);
    }
}

/// Whoever gets the alias of somebody who was removed does not get an account that is linked with an old code.
#[tokio::test(start_paused = true)]
async fn a_code_of_somebody_who_was_removed_links_nobody() {
    let world = ChannelWorld::start(FakeChannel::responding(|_| Response::Done)).await;
    let Dispatcher {
        people, accounts, ..
    } = world.dispatcher();
    let anna = || StoredRecipient {
        alias: "anna".to_owned(),
        kind: RecipientKind::Person {
            name: "Anna".to_owned(),
            identities: Vec::new(),
        },
    };
    people.put(anna()).await.expect("she is added");
    let added = accounts.add_code("old", CHANNEL, "anna").await;
    added.expect("it is stored");
    people.remove("anna").await.expect("she is removed");
    let code = "old".to_owned();
    world.channel.act("m1", IncomingAction::Link { code });
    pass(1).await;
    people.put(anna()).await.expect("another one is added");
    let is_reachable = accounts.is_reachable("anna").await;
    assert!(!is_reachable.expect("it is read"));
}

/// The same if the code is sent while somebody is removed: whatever has happened by then, no account is left.
#[tokio::test(start_paused = true)]
async fn a_code_that_is_sent_while_its_person_is_removed_links_nobody() {
    let mut readings = 0;
    loop {
        let world = ChannelWorld::start(FakeChannel::responding(|_| Response::Done)).await;
        let Dispatcher {
            people, accounts, ..
        } = world.dispatcher();
        let anna = |name: &str| StoredRecipient {
            alias: "anna".to_owned(),
            kind: RecipientKind::Person {
                name: name.to_owned(),
                identities: Vec::new(),
            },
        };
        people.put(anna("Anna")).await.expect("she is added");
        let added = accounts.add_code("old", CHANNEL, "anna").await;
        added.expect("it is stored");
        let (removed, other) = (Arc::clone(&people), anna("Another Anna"));
        let remove = move || {
            at_once(Box::pin(async move {
                removed.remove("anna").await?;
                let added = removed.put(other).await;
                added.expect("another one is added");
                Ok(())
            }));
        };
        world.clock.call_at(Some((readings, Box::new(remove))));
        let code = "old".to_owned();
        world.channel.act("m1", IncomingAction::Link { code });
        pass(1).await;
        if !world.clock.call_at(None) {
            break;
        }
        let linked = world.values("link:").await;
        assert_eq!(linked.len(), 0, "at reading {readings}");
        readings += 1;
    }
    assert!(readings > 0, "the clock is read while a code is redeemed");
}

/// A message exists twice after a crash. When its first copy is pressed, the edit of that copy fails: it is tried again,
/// until the copy says how the question ended, too. The other one is not edited again for it.
#[tokio::test(start_paused = true)]
async fn the_edit_of_a_copy_is_tried_again() {
    let mut failures = 3;
    let world = ChannelWorld::start(FakeChannel::responding(move |call: &Call| {
        match (call.method, call.message.as_str()) {
            (Method::Send, "m1") => Response::Hang,
            (Method::Edit, "m1") if failures > 0 => {
                failures -= 1;
                down()
            }
            (Method::Send | Method::Edit | Method::ThreadText, _) => Response::Done,
        }
    }))
    .await;
    let asked = world.ask("Which?").await;
    pass(1).await;
    world.run().await;
    pass(1).await;
    assert_eq!(world.channel.done()[0].message, "m2");
    let choice = Press::Choose {
        question: 0,
        choice: 0,
    };
    world.channel.press("m1", &asked, choice);
    pass(60).await;
    assert!(!world.is_pending(&asked).await);
    let edits = world.channel.done().split_off(1);
    let edited = |message: &str| {
        let mut edits = edits.iter().filter(|call| call.message == message);
        let last = edits.next_back().expect("it is edited");
        assert!(last.text.contains("✓"), "{}", last.text);
        edits.count() + 1
    };
    assert_eq!(edited("m1"), 1);
    edited("m2");
    let attempts = world.channel.calls().into_iter();
    let attempts = attempts.filter(|call| call.message == "m2" && call.text.contains("✓"));
    assert_eq!(attempts.count(), 1);
    assert_eq!(world.values("copy:").await, []);
}

/// Each prompt for a text goes with its question; ending a question reads what belongs to it, not the prompts of all
/// others.
#[tokio::test(start_paused = true)]
async fn prompts_go_with_their_question_without_reading_those_of_others() {
    let world = ChannelWorld::stopped(
        FakeChannel::responding(|_| Response::Done),
        &["telegram:42"],
    )
    .await;
    world.run().await;
    let input = json!({ "question": "What?", "input_type": "text" });
    let mut asked = Vec::new();
    for _ in 0..200 {
        let inquiry = world.ask_with(&input).await;
        world.channel.press("m1", &inquiry, WRITE);
        asked.push(inquiry);
    }
    pass(1).await;
    assert_eq!(world.values("prompt:").await.len(), 200);
    let before = world.database.channel_values_read();
    world.decline(&asked[0]).await;
    pass(1).await;
    let read = world.database.channel_values_read() - before;
    assert!(read < 20, "{read} values are read for one question");
    assert_eq!(world.values("prompt:").await.len(), 199);
    let text = "A text".to_owned();
    let prompt = format!("p-{}", asked[1]);
    let button = None;
    let reply = IncomingAction::Reply { text, button };
    world.channel.act(&prompt, reply);
    pass(1).await;
    assert!(!world.is_pending(&asked[1]).await);
}

/// When somebody was last at a surface goes with them, on stores that nodes share, too.
#[tokio::test(start_paused = true)]
async fn nothing_says_when_somebody_was_there_who_was_removed() {
    let world = ChannelWorld::start(FakeChannel::responding(|_| Response::Done)).await;
    let seen = |alias: &str| ChannelValue {
        key: format!("presence:seen;{alias};"),
        value: "\"2027-03-27T12:00:00Z\"".to_owned(),
        inquiry: None,
    };
    for alias in ["anna", "ann"] {
        let stored = world.store().set_channel_value(seen(alias)).await;
        stored.expect("it is stored");
    }
    let removed = world.dispatcher().people.remove("anna").await;
    removed.expect("she is removed");
    assert_eq!(world.values("presence:").await.len(), 1);
}
