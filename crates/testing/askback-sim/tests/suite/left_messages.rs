//! Goal: messages of channels and people that are no longer configured are counted, cost nothing, and go on if the
//! configuration comes back.

use std::sync::atomic::Ordering;

use askback_channels::LeftMessages;

use super::support::channel_world::{CHANNEL, ChannelWorld, pass};
use super::support::fake_channel::{Call, FakeChannel, Method, Response};

async fn left(world: &ChannelWorld) -> Vec<LeftMessages> {
    let left = world.dispatcher().messages.left().await;
    left.expect("they are read")
}

fn of_phone(messages: u64) -> LeftMessages {
    LeftMessages {
        channel: CHANNEL.to_owned(),
        recipient: "zoe".to_owned(),
        messages,
    }
}

/// The channel gets another name. Its old messages are counted and left as they are, new questions arrive, and what has ended
/// is given up at the next start.
#[tokio::test(start_paused = true)]
async fn messages_of_a_renamed_channel_are_counted_and_given_up_when_their_questions_end() {
    let world = ChannelWorld::start(FakeChannel::responding(|_| Response::Done)).await;
    let ended = world.ask("First?").await;
    let open = world.ask("Second?").await;
    pass(5).await;
    assert_eq!(left(&world).await, []);
    world.run_as("other", "zoe").await;
    world.decline(&ended).await;
    world.ask("Third?").await;
    pass(60).await;
    let methods: Vec<Method> = world.channel.calls().iter().map(|it| it.method).collect();
    assert_eq!(methods, [Method::Send; 3]);
    assert_eq!(left(&world).await, [of_phone(2)]);
    world.run_as("other", "zoe").await;
    assert_eq!(left(&world).await, [of_phone(1)]);
    // The channel is back: the message of the question that waits is updated again.
    world.run().await;
    world.decline(&open).await;
    pass(5).await;
    let last = world.channel.done().pop().expect("there is one");
    assert_eq!((last.method, last.message.as_str()), (Method::Edit, "m2"));
}

/// A person gets another alias: their old message is counted, and given up when its question changes.
#[tokio::test(start_paused = true)]
async fn messages_of_a_renamed_person_do_not_hold_up_others() {
    let world = ChannelWorld::start(FakeChannel::responding(|_| Response::Done)).await;
    let asked = world.ask("First?").await;
    pass(5).await;
    world.run_as(CHANNEL, "zora").await;
    assert_eq!(left(&world).await, [of_phone(1)]);
    world.decline(&asked).await;
    world.ask("Second?").await;
    pass(60).await;
    assert_eq!(world.channel.calls().len(), 2);
    assert_eq!(left(&world).await, []);
}

/// A person who is missing in the configuration for a while, perhaps by a typing error, gets what waits and what has changed.
#[tokio::test(start_paused = true)]
async fn messages_wait_for_a_person_who_comes_back() {
    let (channel, is_down) = FakeChannel::with_outages();
    let world = ChannelWorld::start(channel).await;
    let sent = world.ask("First?").await;
    pass(5).await;
    is_down.store(true, Ordering::Relaxed);
    world.ask("Second?").await;
    pass(5).await;
    world.run_as(CHANNEL, "zoee").await;
    is_down.store(false, Ordering::Relaxed);
    world.move_deadline(&sent).await;
    pass(3600).await;
    let before = world.channel.done();
    assert_eq!(before.len(), 1, "{before:?}");
    world.run().await;
    pass(3600).await;
    let calls = world.channel.done().split_off(1);
    let is_edited = |call: &Call| call.method == Method::Edit && call.message == "m1";
    let is_sent = |call: &Call| call.method == Method::Send && call.text.contains("Second?");
    assert!(calls.iter().any(is_edited), "{calls:?}");
    assert!(calls.iter().any(is_sent), "{calls:?}");
}
