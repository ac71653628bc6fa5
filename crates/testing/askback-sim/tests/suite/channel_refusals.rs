//! Goal: what a provider refuses for good is counted and tried once more when something has changed, never in a loop.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use askback_channels::{IncomingAction, SendError, Undelivered};
use askback_core::text::Text;

use super::support::channel_world::{CHANNEL, ChannelWorld, pass};
use super::support::fake_channel::{Call, FakeChannel, Method, Response};

const BLOCKED: &str = "Forbidden: bot was blocked by the user";

/// A world whose person blocks the bot while the flag is set.
async fn with_block() -> (ChannelWorld, Arc<AtomicBool>) {
    let blocks = Arc::new(AtomicBool::new(true));
    let is_blocked = Arc::clone(&blocks);
    let channel = FakeChannel::responding(move |_: &Call| {
        if is_blocked.load(Ordering::Relaxed) {
            Response::Fail(SendError::permanent(BLOCKED))
        } else {
            Response::Done
        }
    });
    (ChannelWorld::start(channel).await, blocks)
}

async fn undelivered(world: &ChannelWorld) -> Vec<Undelivered> {
    let found = world.dispatcher().messages.undelivered(CHANNEL).await;
    found.expect("they are read")
}

/// Somebody has blocked the bot. The questions are counted, and nothing is sent again until they write to it; then each is
/// sent once.
#[tokio::test(start_paused = true)]
async fn refused_questions_are_counted_and_sent_after_the_person_writes() {
    let (world, blocks) = with_block().await;
    let first = world.ask("First?").await;
    world.ask("Second?").await;
    pass(3600).await;
    assert_eq!(world.channel.calls().len(), 2);
    let expected = Undelivered {
        recipient: "zoe".to_owned(),
        reason: Text::name_or_mark(BLOCKED),
        questions: 2,
    };
    assert_eq!(undelivered(&world).await, [expected]);
    // Still blocked: one attempt for each question, and no more.
    world.channel.act("m9", IncomingAction::Help);
    pass(3600).await;
    assert_eq!(world.channel.calls().len(), 4);
    blocks.store(false, Ordering::Relaxed);
    world.channel.act("m9", IncomingAction::Help);
    pass(5).await;
    let done = world.channel.done();
    let texts: Vec<bool> = done.iter().map(|it| it.text.contains("First")).collect();
    assert_eq!(texts, [true, false]);
    assert_eq!(undelivered(&world).await, []);
    // It follows the question from now on.
    world.decline(&first).await;
    pass(5).await;
    let done = world.channel.done();
    assert_eq!(done.last().expect("there is one").method, Method::Edit);
}

/// A start of the server tries each refused message once.
#[tokio::test(start_paused = true)]
async fn refused_questions_are_sent_after_a_restart() {
    let (world, blocks) = with_block().await;
    world.ask("Which?").await;
    pass(60).await;
    world.run().await;
    pass(3600).await;
    assert_eq!(world.channel.calls().len(), 2);
    assert_eq!(undelivered(&world).await.len(), 1);
    blocks.store(false, Ordering::Relaxed);
    world.run().await;
    pass(5).await;
    assert_eq!(world.channel.done().len(), 1);
    assert_eq!(undelivered(&world).await, []);
}

/// What was refused for a question that has ended is neither counted nor sent.
#[tokio::test(start_paused = true)]
async fn refused_questions_that_have_ended_are_forgotten() {
    let (world, blocks) = with_block().await;
    let asked = world.ask("Which?").await;
    pass(5).await;
    world.decline(&asked).await;
    pass(5).await;
    assert_eq!(undelivered(&world).await, []);
    blocks.store(false, Ordering::Relaxed);
    world.channel.act("m9", IncomingAction::Help);
    world.run().await;
    pass(60).await;
    assert_eq!(world.channel.calls().len(), 1);
    assert_eq!(world.values("refused:").await, []);
}

/// The person blocks the bot after the question has arrived: the message is edited once they are back, and the question
/// does not count as not delivered.
#[tokio::test(start_paused = true)]
async fn a_refused_edit_is_made_later() {
    let (world, blocks) = with_block().await;
    blocks.store(false, Ordering::Relaxed);
    let asked = world.ask("Which?").await;
    pass(5).await;
    blocks.store(true, Ordering::Relaxed);
    world.move_deadline(&asked).await;
    pass(60).await;
    assert_eq!(world.channel.calls().len(), 2);
    assert_eq!(undelivered(&world).await, []);
    blocks.store(false, Ordering::Relaxed);
    world.channel.act("m1", IncomingAction::Help);
    pass(5).await;
    let methods: Vec<Method> = world.channel.done().iter().map(|it| it.method).collect();
    assert_eq!(methods, [Method::Send, Method::Edit]);
}
