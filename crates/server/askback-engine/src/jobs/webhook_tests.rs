//! Goal: a webhook that cannot be delivered is listed without its URL, given up after a while, and tried again on request.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};

use askback_core::conversation::command::Command;
use jiff::SignedDuration;

use super::ATTEMPTS;
use crate::clock::Clock;
use crate::commit::CommitOptions;
use crate::engine::{Engine, EngineParts};
use crate::fixtures::{
    AdjustableClock, HangingModel, TempStore, asked_inquiry, http_actor, parts, question,
    wait_until,
};
use crate::ports::{PortFuture, WebhookDelivery, Webhooks};

#[derive(Debug, Default)]
struct FailingWebhooks {
    attempts: AtomicU32,
    accepts: AtomicBool,
}

impl Webhooks for Arc<FailingWebhooks> {
    fn deliver<'a>(&'a self, _: WebhookDelivery<'a>) -> PortFuture<'a, Result<(), String>> {
        self.attempts.fetch_add(1, Ordering::SeqCst);
        let accepts = self.accepts.load(Ordering::SeqCst);
        let result = accepts.then_some(()).ok_or_else(|| "status 500".to_owned());
        Box::pin(std::future::ready(result))
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn webhook_is_given_up_and_tried_again_on_request() {
    let temp_store = TempStore::new();
    let webhooks = Arc::new(FailingWebhooks::default());
    let clock = Arc::new(AdjustableClock::default());
    let engine = Engine::start(EngineParts {
        webhooks: Arc::new(Arc::clone(&webhooks)),
        clock: Arc::clone(&clock) as Arc<dyn Clock>,
        ..parts(temp_store.store(), HangingModel::default())
    });
    let engine = engine.await.unwrap();
    let options = CommitOptions {
        webhook: Some("https://hooks.example:8443/secret?key=1".to_owned()),
        ..CommitOptions::default()
    };
    let asked = engine
        .ask(question(), None, http_actor(), options)
        .await
        .unwrap();
    let id = asked_inquiry(&asked);
    let decline = Command::Decline {
        target: id.clone().into(),
    };
    let conversation = &asked.conversation.settings.id;
    engine
        .submit(conversation, decline, http_actor())
        .await
        .unwrap();
    for attempt in 1..=ATTEMPTS {
        let counted = engine
            .metrics()
            .webhooks
            .get_or_create_owned(&[("result", "failed".into())]);
        wait_until("it was tried", || counted.get() >= u64::from(attempt)).await;
        clock.set(SignedDuration::from_hours(2));
    }
    let given_up = engine
        .metrics()
        .webhooks
        .get_or_create_owned(&[("result", "given_up".into())]);
    wait_until("it was given up", || given_up.get() == 1).await;
    let mut listed = engine.webhooks().list(0, 9).await.unwrap();
    while listed
        .first()
        .is_none_or(|webhook| webhook.next_attempt_at.is_some())
    {
        tokio::task::yield_now().await;
        listed = engine.webhooks().list(0, 9).await.unwrap();
    }
    let webhook = &listed[0];
    assert_eq!((listed.len(), &webhook.inquiry), (1, &id));
    assert_eq!(webhook.host, "hooks.example:8443");
    assert_eq!(webhook.attempts, ATTEMPTS);
    assert_eq!(webhook.last_error.as_deref(), Some("status 500"));
    webhooks.accepts.store(true, Ordering::SeqCst);
    assert!(!engine.webhooks().retry(webhook.id + 1).await.unwrap());
    assert!(engine.webhooks().retry(webhook.id).await.unwrap());
    let tried = || webhooks.attempts.load(Ordering::SeqCst) == ATTEMPTS + 1;
    wait_until("it was tried again", tried).await;
    while !engine.webhooks().list(0, 9).await.unwrap().is_empty() {
        tokio::task::yield_now().await;
    }
}
