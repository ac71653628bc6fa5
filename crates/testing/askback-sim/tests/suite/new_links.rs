//! Goal: whoever opens a link that has ended gets a new one where they got the old one, once in an hour, while the
//! question waits.

use std::sync::atomic::Ordering;

use askback_channels::{NewLink, PersonCode};
use askback_core::id::InquiryId;

use super::support::channel_world::{ChannelWorld, pass};
use super::support::fake_channel::{FakeChannel, Method, Response};

const WEEK: u64 = 7 * 24 * 3600;

async fn request(world: &ChannelWorld, inquiry: &InquiryId, alias: &str) -> NewLink {
    let view = world.engine.inquiry(inquiry).await.expect("it is read");
    let view = view.expect("it is there");
    let person = PersonCode::new(alias);
    let links = world.dispatcher().personal_links;
    let sent = links.renew(&view, person).await;
    let is_offered = links.can_renew(&view, person).await;
    let sent = sent.expect("it is stored");
    assert_eq!(is_offered.expect("it is read"), sent != NewLink::NoMessage);
    sent
}

fn texts(world: &ChannelWorld) -> Vec<String> {
    let mut calls = world.channel.done();
    calls.retain(|call| call.method == Method::ThreadText);
    calls.into_iter().map(|call| call.text).collect()
}

#[tokio::test(start_paused = true)]
async fn a_new_link_is_sent_once_in_an_hour_while_the_question_waits() {
    let world = ChannelWorld::start(FakeChannel::responding(|_| Response::Done)).await;
    let asked = world.ask("Which?").await;
    pass(WEEK + 60).await;
    assert_eq!(request(&world, &asked, "ben").await, NewLink::NoMessage);
    assert_eq!(request(&world, &asked, "zoe").await, NewLink::Planned);
    assert_eq!(request(&world, &asked, "zoe").await, NewLink::SentRecently);
    pass(5).await;
    let sent = texts(&world);
    let since = sent[0].strip_prefix("The new link: link:zoe:");
    let since: u64 = since.expect("it has the link").parse().expect("a time");
    assert!(since > WEEK && sent.len() == 1, "{sent:?}");
    pass(3600).await;
    assert_eq!(request(&world, &asked, "zoe").await, NewLink::Planned);
    pass(5).await;
    assert_eq!(texts(&world).len(), 2);
    world.decline(&asked).await;
    pass(7200).await;
    assert_eq!(request(&world, &asked, "zoe").await, NewLink::NoMessage);
    assert_eq!(world.values("new-link:").await, []);
}

/// The channel is down while a new link and then another text are planned for the same message: both arrive.
#[tokio::test(start_paused = true)]
async fn a_reminder_does_not_replace_a_new_link() {
    let (channel, is_down) = FakeChannel::with_outages();
    let world = ChannelWorld::start(channel).await;
    let asked = world.ask("Which?").await;
    world.move_deadline(&asked).await;
    pass(24 * 3600 - 90).await;
    is_down.store(true, Ordering::Relaxed);
    assert_eq!(request(&world, &asked, "zoe").await, NewLink::Planned);
    // A minute before the deadline, a reminder is planned.
    pass(40).await;
    is_down.store(false, Ordering::Relaxed);
    pass(45).await;
    let sent = texts(&world);
    let has = |start: &str| sent.iter().any(|text| text.starts_with(start));
    assert!(has("The new link:") && sent.len() == 2, "{sent:?}");
}
