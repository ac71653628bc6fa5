//! Goal: a provider that is down, slow or asks to wait loses no question, keeps their order, and is not asked too often.

use std::time::Duration;

use askback_channels::{IncomingAction, ReceiveError, SendError};
use askback_core::text::Text;

use super::support::channel_world::{ChannelWorld, pass};
use super::support::fake_channel::{Call, FakeChannel, Method, Response, down};

const HOUR: Duration = Duration::from_hours(1);

/// Down for an hour, in which a hundred questions are asked. All stay pending, arrive once and in order soon
/// after, and the provider was asked about twice a minute.
#[tokio::test(start_paused = true)]
async fn an_hour_of_outage_loses_and_reorders_nothing() {
    let world = ChannelWorld::start(FakeChannel::responding(|call: &Call| {
        if call.at < HOUR {
            down()
        } else {
            Response::Done
        }
    }))
    .await;
    let mut asked = Vec::new();
    for number in 0..100 {
        asked.push(world.ask(&format!("Question {number:03}?")).await);
        pass(35).await;
    }
    let failed = world.channel.calls();
    assert!(failed.iter().all(|call| !call.is_done));
    assert!(failed.len() < 150, "{} attempts", failed.len());
    for inquiry in &asked {
        assert!(world.is_pending(inquiry).await);
        let rows = world.store().deliveries_of(inquiry).await;
        assert_eq!(rows.expect("they are read").len(), 1);
    }
    pass(200).await;
    let done = world.channel.done();
    assert_eq!(done.len(), asked.len());
    for (number, call) in done.iter().enumerate() {
        let question = format!("Question {number:03}?");
        assert!(call.text.contains(&question), "{number}: {}", call.text);
    }
    assert!(
        done[99].at < HOUR + Duration::from_secs(70),
        "{:?}",
        done[99]
    );
}

/// A server accepts questions as soon as its channels are started, and they may begin to follow the feed much later. What
/// was asked before there were channels is not sent.
#[tokio::test(start_paused = true)]
async fn what_is_asked_before_channels_follow_the_feed_is_sent() {
    let channel = FakeChannel::responding(|_| Response::Done);
    let world = ChannelWorld::stopped(channel, &["telegram:42"]).await;
    world.ask("Before?").await;
    world.begin().await;
    world.ask("At once?").await;
    pass(5).await;
    let sent = world.channel.done();
    let texts: Vec<&str> = sent.iter().map(|call| call.text.as_str()).collect();
    assert!(
        matches!(texts[..], [text] if text.contains("At once?")),
        "{texts:?}"
    );
}

/// The provider asks to wait. Neither the message itself, nor a new question, nor the edit of an older message
/// is sent before.
#[tokio::test(start_paused = true)]
async fn nothing_is_sent_while_the_provider_asks_to_wait() {
    let pause = Duration::from_mins(2);
    let mut is_asked_to_wait = false;
    let world = ChannelWorld::start(FakeChannel::responding(move |call: &Call| {
        if call.text.contains("Second") && !is_asked_to_wait {
            is_asked_to_wait = true;
            return Response::Fail(SendError::RetryAfter(pause));
        }
        Response::Done
    }))
    .await;
    let first = world.ask("First?").await;
    pass(5).await;
    world.ask("Second?").await;
    pass(5).await;
    let calls = world.channel.calls();
    let refused_at = calls.last().expect("there are calls").at;
    assert_eq!((calls.len(), calls[1].is_done), (2, false));
    world.ask("Third?").await;
    world.decline(&first).await;
    pass(240).await;
    let later = world.channel.calls().split_off(2);
    assert!(
        later.iter().all(|call| call.at >= refused_at + pause),
        "{later:#?}"
    );
    let sent = later.iter().filter(|call| call.method == Method::Send);
    let sent: Vec<bool> = sent.map(|call| call.text.contains("Second")).collect();
    assert_eq!(sent, [true, false]);
    let edited = later.iter().filter(|call| call.method == Method::Edit);
    assert_eq!(edited.count(), 1);
}

/// A request without a response ends after half a minute, and is made again.
#[tokio::test(start_paused = true)]
async fn a_request_without_a_response_is_made_again() {
    let mut calls = 0;
    let world = ChannelWorld::start(FakeChannel::responding(move |_| {
        calls += 1;
        if calls == 1 {
            Response::Hang
        } else {
            Response::Done
        }
    }))
    .await;
    let asked = world.ask("Which?").await;
    pass(40).await;
    assert_eq!(world.channel.calls().len(), 2);
    assert_eq!(world.channel.done().len(), 1);
    assert!(world.is_pending(&asked).await);
}

/// Somebody whose messages take long waits alone, however many of them wait. Nobody gets a message twice.
#[tokio::test(start_paused = true)]
async fn a_slow_address_delays_no_other() {
    let slow = |call: &Call| {
        if call.address == "42" {
            Response::Hang
        } else {
            Response::Done
        }
    };
    let accounts = ["telegram:42", "telegram:43"];
    let world = ChannelWorld::stopped(FakeChannel::responding(slow), &accounts).await;
    world.run().await;
    for number in 0..150 {
        world.ask(&format!("Question {number:03}?")).await;
        pass(1).await;
        let sent = world.channel.done();
        assert_eq!(sent.len(), number + 1);
        let last = sent.last().expect("it is sent");
        let question = format!("Question {number:03}?");
        assert!(last.text.contains(&question), "{}", last.text);
    }
}

/// A server that stops does not wait for a slow provider. What was on its way is sent again by the next one.
#[tokio::test(start_paused = true)]
async fn a_stop_waits_for_no_message() {
    let mut calls = 0;
    let world = ChannelWorld::start(FakeChannel::responding(move |_| {
        calls += 1;
        if calls == 1 {
            Response::Hang
        } else {
            Response::Done
        }
    }))
    .await;
    world.ask("Which?").await;
    pass(1).await;
    let before = tokio::time::Instant::now();
    world.run().await;
    assert!(before.elapsed() < Duration::from_secs(2), "it waited");
    pass(1).await;
    assert_eq!(world.channel.done().len(), 1);
}

/// One message that the provider cannot take does not keep the others from a person for ever.
#[tokio::test(start_paused = true)]
async fn a_message_that_always_fails_holds_the_others_back_for_a_while_only() {
    let world = ChannelWorld::start(FakeChannel::responding(|call: &Call| {
        if call.text.contains("Broken") {
            down()
        } else {
            Response::Done
        }
    }))
    .await;
    let broken = world.ask("Broken?").await;
    world.ask("Second?").await;
    world.ask("Third?").await;
    pass(150).await;
    let done = world.channel.done();
    let texts: Vec<bool> = done
        .iter()
        .map(|call| call.text.contains("Second"))
        .collect();
    assert_eq!(texts, [true, false]);
    assert!(world.is_pending(&broken).await);
    world.ask("Fourth?").await;
    pass(70).await;
    assert_eq!(world.channel.done().len(), 3);
}

/// Who is refused, because another process receives with the same credentials, waits before the next attempt;
/// who only lost a connection tries again soon.
#[tokio::test(start_paused = true)]
async fn receiving_begins_again_after_each_failure() {
    let world = ChannelWorld::start(FakeChannel::responding(|_| Response::Done)).await;
    let begun = |count: usize| {
        let received = world.channel.received();
        assert_eq!(received.len(), count, "{received:?}");
    };
    begun(1);
    let lost = ReceiveError::temporary("the socket was closed");
    world.channel.fail_receiving(lost);
    pass(3).await;
    begun(2);
    let refused = ReceiveError::refused("too many sockets");
    world.channel.fail_receiving(refused);
    pass(20).await;
    begun(2);
    pass(15).await;
    begun(3);
}

/// Somebody else receives with the same bot. It is reported although messages are sent, until something is received.
#[tokio::test(start_paused = true)]
async fn an_error_of_receiving_stays_reported_while_messages_are_sent() {
    let world = ChannelWorld::start(FakeChannel::responding(|_| Response::Done)).await;
    let reported = || {
        let statuses = world.dispatcher().statuses().into_iter();
        let mut errors = statuses.map(|(_, _, status)| status.receive_error);
        errors.next().flatten().map(|(_, error)| error)
    };
    let why = Text::name_or_mark("another program receives");
    let refused = ReceiveError::Refused(why.clone());
    world.channel.fail_receiving(refused);
    pass(1).await;
    world.ask("Which?").await;
    pass(5).await;
    assert_eq!(world.channel.done().len(), 1);
    assert_eq!(reported(), Some(why));
    pass(40).await;
    world.channel.act("m1", IncomingAction::Help);
    pass(1).await;
    assert_eq!(reported(), None);
}
