//! Goal: jobs of one kind delay no other kind, no other webhook receiver for longer than its turn, and never a timer. What is repeated anyway delays no
//! shutdown.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use askback_core::conversation::command::{Command, NewDeadline, RawReply, RespondentAction};
use askback_core::id::InquiryId;
use askback_core::outcome::Outcome;
use jiff::{SignedDuration, Timestamp};

use super::queue::Queue;
use crate::clock::{Clock, SystemClock};
use crate::commit::CommitOptions;
use crate::engine::{Engine, EngineParts};
use crate::fixtures::{
    HangingModel, TEST_TIMEOUT, TempStore, asked_inquiry, first_message, http_actor, parts,
    question, wait_until, with_timeout,
};
use crate::ports::{Llm, LlmFailure, LlmRequest, PortFuture, TokenSink, WebhookDelivery, Webhooks};

/// More than the limit of any kind of job.
const MANY: usize = 270;

async fn ask(engine: &Engine, seconds: Option<i64>, webhook: Option<&str>) -> InquiryId {
    let options = CommitOptions {
        webhook: webhook.map(str::to_owned),
        ..CommitOptions::default()
    };
    let after = seconds.map(SignedDuration::from_secs);
    let submitted = engine
        .ask(
            question(),
            after.map(NewDeadline::After),
            http_actor(),
            options,
        )
        .await;
    asked_inquiry(&submitted.unwrap())
}

async fn outcome(engine: &Engine, inquiry: &InquiryId) -> Outcome {
    let waited = engine.wait_for(inquiry, TEST_TIMEOUT).await;
    let ended = waited.unwrap().unwrap().resolution;
    ended.expect("it has its outcome").resolution.outcome
}

async fn submit(engine: &Engine, inquiry: &InquiryId, command: Command) {
    let row = engine.store().inquiry(inquiry).await.unwrap().unwrap();
    let submitted = engine
        .submit(&row.conversation, command, http_actor())
        .await;
    submitted.unwrap();
}

/// A deadline of one second and an undo window of one second both end, while the work goes on for ever.
async fn timers_fire(engine: &Engine) {
    let expires = ask(engine, Some(1), None).await;
    let held = ask(engine, None, None).await;
    let answer = Command::AnswerWithUndo {
        target: held.clone().into(),
        reply: RespondentAction::Decline,
        window: SignedDuration::from_secs(1),
    };
    submit(engine, &held, answer).await;
    assert_eq!(outcome(engine, &expires).await, Outcome::Expired);
    assert_eq!(outcome(engine, &held).await, Outcome::Declined);
}

#[tokio::test(flavor = "multi_thread")]
async fn slow_model_turns_delay_no_timer() {
    let temp_store = TempStore::new();
    let engine = Engine::start(parts(temp_store.store(), HangingModel::default()));
    let engine = engine.await.unwrap();
    for _ in 0..MANY {
        let begun = engine.create(
            first_message("Think."),
            http_actor(),
            CommitOptions::default(),
        );
        begun.await.unwrap();
    }
    let limiter = &engine.inner.limiter;
    wait_until("the limit of requests is used up", || {
        limiter.free(&Queue::Llm(None)) == 0
    })
    .await;
    with_timeout("timers fire", timers_fire(&engine)).await;
    assert_eq!(limiter.free(&Queue::Llm(None)), 0, "all of it went on");
}

/// Accepts every delivery, except to a host that hangs.
#[derive(Debug, Default, Clone)]
struct FakeWebhooks {
    /// The URLs to which deliveries were started.
    started: Arc<Mutex<Vec<String>>>,
}

impl FakeWebhooks {
    fn started(&self, url: &str) -> usize {
        let started = self.started.lock().unwrap();
        started.iter().filter(|it| *it == url).count()
    }
}

impl Webhooks for FakeWebhooks {
    fn deliver<'a>(&'a self, delivery: WebhookDelivery<'a>) -> PortFuture<'a, Result<(), String>> {
        let url = delivery.url;
        self.started.lock().unwrap().push(url.to_owned());
        let hangs = url.contains("hangs");
        Box::pin(async move {
            if hangs {
                return std::future::pending().await;
            }
            Ok(())
        })
    }
}

/// Replies at once.
struct ReplyingModel;

impl Llm for ReplyingModel {
    fn request<'a>(
        &'a self,
        _: LlmRequest,
        _: &'a dyn TokenSink,
    ) -> PortFuture<'a, Result<RawReply, LlmFailure>> {
        let reply = RawReply {
            text: "Done.".to_owned(),
            ..RawReply::default()
        };
        Box::pin(std::future::ready(Ok(reply)))
    }

    fn name(&self) -> Option<&str> {
        Some("brief")
    }

    fn can_continue(&self, name: Option<&str>) -> bool {
        name == self.name()
    }
}

const HANGS: &str = "https://hangs.example/hook";
const WORKS: &str = "https://works.example/hook";

#[tokio::test(flavor = "multi_thread")]
async fn hanging_webhooks_delay_only_their_host() {
    let temp_store = TempStore::new();
    let receivers = FakeWebhooks::default();
    let parts = EngineParts {
        webhooks: Arc::new(receivers.clone()),
        ..parts(temp_store.store(), ReplyingModel)
    };
    let engine = Engine::start(parts).await.unwrap();
    for _ in 0..MANY {
        let inquiry = ask(&engine, None, Some(HANGS)).await;
        let target = inquiry.clone().into();
        submit(&engine, &inquiry, Command::Decline { target }).await;
    }
    with_timeout("timers fire", timers_fire(&engine)).await;
    let inquiry = ask(&engine, None, Some(WORKS)).await;
    let target = inquiry.clone().into();
    submit(&engine, &inquiry, Command::Decline { target }).await;
    wait_until("another host is told", || receivers.started(WORKS) == 1).await;
    let turn = engine.create(first_message("Go."), http_actor(), CommitOptions::default());
    let id = turn.await.unwrap().conversation.settings.id.clone();
    with_timeout("the agent works", async {
        while engine.current_conversation(&id).await.unwrap().state.name() != "idle" {
            tokio::task::yield_now().await;
        }
    })
    .await;
    let hanging = receivers.started(HANGS);
    assert!((1..=8).contains(&hanging), "{hanging} at once to one host");
}

async fn decline(engine: &Engine, webhook: &str) {
    let inquiry = ask(engine, None, Some(webhook)).await;
    let target = inquiry.clone().into();
    submit(engine, &inquiry, Command::Decline { target }).await;
}

/// They would fill the limit of all webhooks, if each got the limit of one. Ports, because on the computer of a
/// developer all receivers are on one host.
#[tokio::test(flavor = "multi_thread")]
async fn many_hanging_ports_leave_room_for_another() {
    let temp_store = TempStore::new();
    let receivers = FakeWebhooks::default();
    let parts = EngineParts {
        webhooks: Arc::new(receivers.clone()),
        clock: Arc::new(EndlessPauses),
        ..parts(temp_store.store(), ReplyingModel)
    };
    let engine = Engine::start(parts).await.unwrap();
    for number in 0..64 * 5 {
        let port = 1 + number % 64;
        decline(&engine, &format!("http://127.0.0.1:{port}/hangs")).await;
    }
    let quick = "http://127.0.0.1:8000/works";
    decline(&engine, quick).await;
    wait_until("another port is told", || receivers.started(quick) == 1).await;
}

/// One thread, so that nothing ends while the worker looks for the next queue.
#[tokio::test]
async fn hosts_take_turns_when_all_webhooks_are_under_way() {
    let temp_store = TempStore::new();
    let receivers = FakeWebhooks::default();
    let parts = EngineParts {
        webhooks: Arc::new(receivers.clone()),
        ..parts(temp_store.store(), ReplyingModel)
    };
    let engine = Engine::start(parts).await.unwrap();
    let others = (0..).map(|host| Queue::Webhook(format!("other{host}")));
    let permit = |queue| engine.inner.limiter.try_acquire(&queue);
    let mut permits: Vec<_> = others.map_while(permit).collect();
    let urls = [
        "https://a.example/",
        "https://b.example/",
        "https://c.example/",
    ];
    for url in urls {
        for _ in 0..3 {
            decline(&engine, url).await;
        }
    }
    assert_eq!(*receivers.started.lock().unwrap(), [""; 0]);
    permits.pop();
    let started = || receivers.started.lock().unwrap().clone();
    wait_until("all are told", || started().len() == 9).await;
    assert_eq!(started(), [urls, urls, urls].concat());
}

/// A clock on which no pause ends.
struct EndlessPauses;

impl Clock for EndlessPauses {
    fn now(&self) -> Timestamp {
        SystemClock.now()
    }

    fn sleep_until(&self, at: Timestamp) -> PortFuture<'_, ()> {
        SystemClock.sleep_until(at)
    }

    fn sleep(&self, _: Duration) -> PortFuture<'_, ()> {
        Box::pin(std::future::pending())
    }

    fn seed(&self) -> u128 {
        SystemClock.seed()
    }
}

/// A receiver that hangs cannot keep a server from stopping. The next one delivers.
#[tokio::test(flavor = "multi_thread")]
async fn a_shutdown_waits_for_no_webhook() {
    let temp_store = TempStore::new();
    let store = temp_store.store();
    let receivers = FakeWebhooks::default();
    let start = async |store| {
        let parts = EngineParts {
            webhooks: Arc::new(receivers.clone()),
            clock: Arc::new(EndlessPauses),
            ..parts(store, ReplyingModel)
        };
        Engine::start(parts).await.unwrap()
    };
    let engine = start(Arc::clone(&store)).await;
    let inquiry = ask(&engine, None, Some(HANGS)).await;
    let target = inquiry.clone().into();
    submit(&engine, &inquiry, Command::Decline { target }).await;
    wait_until("it is being delivered", || receivers.started(HANGS) == 1).await;
    with_timeout("the engine stops", engine.shut_down()).await;
    drop(engine);
    drop(store);
    let _engine = start(temp_store.reopened().await).await;
    wait_until("it is delivered again", || receivers.started(HANGS) == 2).await;
}

/// Requests that wait for a server with another provider use up no permits.
#[tokio::test(flavor = "multi_thread")]
async fn requests_to_a_missing_provider_take_no_permits() {
    let temp_store = TempStore::new();
    let store = temp_store.store();
    let engine = Engine::start(parts(Arc::clone(&store), OtherProvider))
        .await
        .unwrap();
    for _ in 0..MANY {
        let begun = engine.create(first_message("Go."), http_actor(), CommitOptions::default());
        begun.await.unwrap();
    }
    // Requests that wait for a permit must not start while those before them are aborted.
    with_timeout("the engine stops", engine.shut_down()).await;
    drop(engine);
    drop(store);
    let store = temp_store.reopened().await;
    let engine = Engine::start(parts(store, ReplyingModel)).await.unwrap();
    let turn = engine.create(first_message("Go."), http_actor(), CommitOptions::default());
    let id = turn.await.unwrap().conversation.settings.id.clone();
    with_timeout("the agent works", async {
        while engine.current_conversation(&id).await.unwrap().state.name() != "idle" {
            tokio::task::yield_now().await;
        }
    })
    .await;
    let queue = Queue::Llm(Some("other".to_owned())).name();
    let waiting = engine.store().claim_jobs(&queue, engine.clock().now(), 999);
    let attempts: Vec<u32> = waiting
        .await
        .unwrap()
        .jobs
        .iter()
        .map(|job| job.attempt)
        .collect();
    assert_eq!(attempts, vec![1; MANY], "nobody has claimed them");
}

/// A provider that the second server does not have.
struct OtherProvider;

impl Llm for OtherProvider {
    fn request<'a>(
        &'a self,
        _: LlmRequest,
        _: &'a dyn TokenSink,
    ) -> PortFuture<'a, Result<RawReply, LlmFailure>> {
        Box::pin(std::future::pending())
    }

    fn name(&self) -> Option<&str> {
        Some("other")
    }
}
