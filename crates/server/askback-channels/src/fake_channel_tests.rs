//! A channel without a network, for the tests of everything that uses channels.

use parking_lot::Mutex;
use std::collections::VecDeque;
use std::sync::Arc;

use askback_core::identity::Identity;
use askback_core::outcome::Surface;
use serde_json::json;
use tokio::sync::mpsc;

use crate::card::Card;
use crate::contract::button::{Button, Press};
use crate::contract::channel::{
    Address, Attention, Channel, ChannelFuture, MessageId, ReceiveError, Rendered, SendError,
};
use crate::contract::feedback::{Feedback, PressResult};
use crate::contract::incoming::{Incoming, IncomingAction, IncomingHandler};
use crate::fake_handler::{FakeHandler, feedback};
use crate::fixtures::{open_card, question};

/// What the fake was asked to do.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Call {
    Send(Address, Rendered, Attention),
    Edit(Address, MessageId, Rendered),
    ThreadText(Address, MessageId, String),
}

/// Records calls, fails as told, and passes on what a test plays.
pub(crate) struct FakeChannel {
    calls: Mutex<Vec<Call>>,
    failures: Mutex<VecDeque<SendError>>,
    people: tokio::sync::Mutex<mpsc::UnboundedReceiver<Incoming>>,
    told: mpsc::UnboundedSender<Feedback>,
}

/// The people at the other end.
pub(crate) struct FakePeople {
    pub(crate) act: mpsc::UnboundedSender<Incoming>,
    pub(crate) told: mpsc::UnboundedReceiver<Feedback>,
}

impl FakeChannel {
    pub(crate) fn new() -> (Arc<FakeChannel>, FakePeople) {
        let (act, people) = mpsc::unbounded_channel();
        let (tell, told) = mpsc::unbounded_channel();
        let channel = FakeChannel {
            calls: Mutex::default(),
            failures: Mutex::default(),
            people: tokio::sync::Mutex::new(people),
            told: tell,
        };
        (Arc::new(channel), FakePeople { act, told })
    }

    pub(crate) fn calls(&self) -> Vec<Call> {
        let calls = self.calls.lock();
        calls.clone()
    }

    /// The next call fails in this way.
    pub(crate) fn fail(&self, error: SendError) {
        let mut failures = self.failures.lock();
        failures.push_back(error);
    }

    fn record(&self, call: Call) -> Result<MessageId, SendError> {
        let mut failures = self.failures.lock();
        if let Some(error) = failures.pop_front() {
            return Err(error);
        }
        let mut calls = self.calls.lock();
        calls.push(call);
        Ok(MessageId(format!("m{}", calls.len())))
    }
}

impl Channel for FakeChannel {
    fn surface(&self) -> Surface {
        Surface::Telegram
    }

    fn render(&self, card: &Card) -> Rendered {
        Rendered::notice(json!({ "text": card.text(4096), "answerable": card.is_answerable() }))
    }

    fn send<'a>(
        &'a self,
        to: &'a Address,
        message: &'a Rendered,
        attention: Attention,
    ) -> ChannelFuture<'a, Result<MessageId, SendError>> {
        let call = Call::Send(to.clone(), message.clone(), attention);
        Box::pin(std::future::ready(self.record(call)))
    }

    fn edit<'a>(
        &'a self,
        to: &'a Address,
        id: &'a MessageId,
        message: &'a Rendered,
    ) -> ChannelFuture<'a, Result<(), SendError>> {
        let call = Call::Edit(to.clone(), id.clone(), message.clone());
        Box::pin(std::future::ready(self.record(call).map(drop)))
    }

    fn send_thread_text<'a>(
        &'a self,
        to: &'a Address,
        id: &'a MessageId,
        text: &'a str,
        _attention: Attention,
    ) -> ChannelFuture<'a, Result<(), SendError>> {
        let call = Call::ThreadText(to.clone(), id.clone(), text.to_owned());
        Box::pin(std::future::ready(self.record(call).map(drop)))
    }

    fn receive(&self, handler: Arc<dyn IncomingHandler>) -> ChannelFuture<'_, ReceiveError> {
        Box::pin(async move {
            let mut people = self.people.lock().await;
            while let Some(incoming) = people.recv().await {
                match handler.handle(incoming).await {
                    Ok(feedback) => drop(self.told.send(feedback)),
                    Err(error) => return ReceiveError::temporary(error.to_string()),
                }
            }
            std::future::pending().await
        })
    }

    fn check(&self) -> ChannelFuture<'_, Result<String, SendError>> {
        Box::pin(std::future::ready(Ok("fake".to_owned())))
    }
}

fn press(user: &str) -> Incoming {
    let button = Button {
        inquiry: open_card(question()).inquiry,
        revision: 1,
        press: Press::Send { shown: None },
    };
    Incoming {
        identity: Identity::new("telegram", user).expect("it is an identity"),
        address: Address(user.to_owned()),
        message: Some(MessageId("m1".to_owned())),
        action: IncomingAction::Press {
            data: button.encode(),
        },
    }
}

/// The trait can be used as an object, and passes what people do to the handler.
#[tokio::test]
async fn a_channel_shows_cards_and_passes_presses_on() {
    let (fake, mut people) = FakeChannel::new();
    let channel: Arc<dyn Channel> = Arc::clone(&fake) as Arc<dyn Channel>;
    let to = Address("42".to_owned());
    let message = channel.render(&open_card(question()));
    fake.fail(SendError::temporary("down"));
    let failed = channel.send(&to, &message, Attention::Notify).await;
    assert_eq!(failed, Err(SendError::temporary("down")));
    let sent = channel.send(&to, &message, Attention::Notify).await;
    let id = sent.expect("it is sent now");
    channel
        .edit(&to, &id, &message)
        .await
        .expect("it is edited");
    let edit = Call::Edit(to.clone(), id, message.clone());
    assert_eq!(
        fake.calls(),
        [Call::Send(to, message, Attention::Notify), edit]
    );

    people.act.send(press("42")).expect("the fake listens");
    people.act.send(press("666")).expect("the fake listens");
    let handler = FakeHandler::new();
    handler.reply(Ok(feedback(PressResult::Accepted, "")));
    handler.reply(Ok(feedback(PressResult::NotAllowed, "")));
    let receiving = tokio::spawn(async move { channel.receive(handler).await });
    let told = people.told.recv().await.expect("an answer");
    assert!(told.result == PressResult::Accepted && !told.is_alert());
    let told = people.told.recv().await.expect("an answer");
    assert!(told.result == PressResult::NotAllowed && told.is_alert());
    receiving.abort();
}

/// The hash is stored, so it must not depend on the process; and an address is in no log.
#[test]
fn equal_messages_have_equal_hashes_and_addresses_are_hidden() {
    let message = Rendered::notice(json!({ "text": "Which?" }));
    assert_eq!(message.hash(), "18fb6d09be224ea9dcc414e12dc3ff41");
    assert_ne!(
        message.hash(),
        Rendered::notice(json!({ "text": "Who?" })).hash()
    );
    assert_eq!(format!("{:?}", Address("42".to_owned())), "Address { .. }");
}
