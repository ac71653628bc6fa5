//! Clients of two nodes among faults: agents that ask, people that answer, and followers of the feeds. They
//! write down what the nodes told them, so that it can be compared with what is true at the end.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use askback_client::{Client, FeedItem};
use askback_core::id::{ConversationId, InquiryId};
use askback_wire::conversation::ReadConversationParams;
use askback_wire::event::EventResponse;
use askback_wire::inquiry::NewInquiryParams;
use askback_wire::list::ListInquiriesParams;
use askback_wire::respond::AnswerParams;
use serde_json::json;
use tokio::sync::oneshot;
use tokio::task::JoinHandle;

use super::timeout::within;

/// Pause after looking for questions, so that those who answer leave the processors to the nodes.
const LOOK_DELAY: Duration = Duration::from_millis(5);
/// Pause after a request that failed.
const RETRY_DELAY: Duration = Duration::from_millis(20);
const WAIT: Duration = Duration::from_secs(5);
/// What the names of external agents begin with.
const AGENT: &str = "agent";

/// What the nodes told their clients.
#[derive(Debug, Default)]
pub(crate) struct ClientLog {
    is_asking_over: AtomicBool,
    /// The questions of external agents, by their key.
    asked: Mutex<BTreeMap<String, InquiryId>>,
    /// The answers that were accepted, with the node that accepted them.
    accepted: Mutex<Vec<(InquiryId, String)>>,
    /// The answers that agents got.
    received: Mutex<Vec<(InquiryId, String)>>,
}

/// How much happened.
#[derive(Debug)]
#[expect(dead_code, reason = "it is printed")]
pub(crate) struct Counts {
    asked: usize,
    accepted: usize,
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl ClientLog {
    pub(crate) fn stop_asking(&self) {
        self.is_asking_over.store(true, Ordering::SeqCst);
    }

    /// Both nodes say the same of every question, and it is what the clients were told.
    pub(crate) async fn check(&self, clients: &[Client; 2], feeds: &[Feed; 2]) -> Counts {
        assert_eq!(feeds[0], feeds[1], "both feeds are the same");
        check_feed(&feeds[0]);
        let asked = lock(&self.asked).clone();
        let mut results = BTreeMap::new();
        for id in asked.values() {
            let [first, second] = clients.each_ref().map(|client| client.inquiry(id));
            let result = first.await.expect("it is read").result;
            assert_eq!(result, second.await.expect("it is read").result);
            results.insert(id.clone(), result.expect("it has a result").content);
        }
        for (id, answer) in lock(&self.received).iter() {
            assert!(results[id].contains(answer), "{id}: {answer} was received");
        }
        let accepted = lock(&self.accepted);
        let mut answered = BTreeSet::new();
        for (id, answer) in accepted.iter() {
            assert!(answered.insert(id.clone()), "{id} was accepted twice");
            if let Some(result) = results.get(id) {
                assert!(
                    result.contains(answer),
                    "{id}: {answer} was accepted, not {result}"
                );
            }
        }
        Counts {
            asked: feeds[0]
                .iter()
                .filter(|(_, name, _)| name == "inquiry_asked")
                .count(),
            accepted: accepted.len(),
        }
    }
}

/// An agent asks one question after the other, each on one node, and waits for the answer on the other. A
/// request that fails is repeated.
pub(crate) async fn ask_repeatedly(clients: [Client; 2], agent: usize, log: Arc<ClientLog>) {
    let name = format!("{AGENT} {agent}");
    let mut number = 0;
    while !log.is_asking_over.load(Ordering::SeqCst) {
        let key = format!("Which of {name}, {number}?");
        let params = NewInquiryParams {
            dialect: Some("question".to_owned()),
            input: json!({"question": key, "options": ["Node 0", "Node 1"]}),
            source: Some(name.clone()),
            idempotency_key: Some(key.clone()),
            ..NewInquiryParams::default()
        };
        let mut attempt = number;
        let id = loop {
            if let Ok(asked) = clients[attempt % 2].ask(&params).await {
                break asked.id;
            }
            attempt += 1;
            tokio::time::sleep(RETRY_DELAY).await;
        };
        let known = lock(&log.asked).insert(key, id.clone());
        assert_eq!(known, None, "a key is used once");
        let result = loop {
            attempt += 1;
            let waited = clients[attempt % 2].wait_for_inquiry(&id, WAIT).await;
            match waited.map(|inquiry| inquiry.result) {
                Ok(Some(result)) => break result.content,
                Ok(None) => {}
                Err(_) => tokio::time::sleep(RETRY_DELAY).await,
            }
        };
        let labels = ["Node 0", "Node 1"];
        let given = labels.iter().find(|label| result.contains(**label));
        let given = given.unwrap_or_else(|| panic!("{id}: {result}"));
        lock(&log.received).push((id, (*given).to_owned()));
        number += 1;
    }
}

/// Answers everything that is pending, on one node, for ever. Another node does the same with other answers
/// to the questions of external agents.
pub(crate) async fn answer_repeatedly(client: Client, node: usize, log: Arc<ClientLog>) {
    let pending = ListInquiriesParams {
        status: Some("pending".into()),
        ..ListInquiriesParams::default()
    };
    loop {
        let Ok(page) = client.inquiries(&pending).await else {
            tokio::time::sleep(RETRY_DELAY).await;
            continue;
        };
        for inquiry in page.items {
            let text = &inquiry.questions[0].text;
            let is_external = text.contains(AGENT);
            let answer = if is_external {
                format!("Node {node}")
            } else {
                format!("to {text}")
            };
            let params = AnswerParams {
                answers: json!({"q1": answer}),
                ..AnswerParams::default()
            };
            // Refused if it was answered already. Without a reply it may have been accepted.
            if client.answer(&inquiry.id, &params).await.is_ok() {
                lock(&log.accepted).push((inquiry.id, answer));
            }
        }
        tokio::time::sleep(LOOK_DELAY).await;
    }
}

/// Those of the conversations that have not ended. `None` if the node does not reply.
pub(crate) async fn running_among(
    client: &Client,
    ids: &[ConversationId],
) -> Option<Vec<ConversationId>> {
    let mut running = Vec::new();
    for id in ids {
        let newest = ReadConversationParams {
            limit: Some(1),
            ..ReadConversationParams::default()
        };
        let found = client.conversation(id, &newest).await.ok()?;
        if found.conversation.state.name() != "idle" {
            running.push(id.clone());
        }
    }
    Some(running)
}

/// The durable events of a feed: position, name, and the inquiry that they are about.
pub(crate) type Feed = Vec<(u64, String, Option<InquiryId>)>;

/// Reads a feed from its begin, and reconnects as often as necessary.
pub(crate) struct Follower {
    /// The position at which to stop.
    end: oneshot::Sender<u64>,
    reading: JoinHandle<Feed>,
}

impl Follower {
    pub(crate) fn start(client: &Client) -> Follower {
        let (end, ended) = oneshot::channel();
        Follower {
            end,
            reading: tokio::spawn(follow(client.clone(), ended)),
        }
    }

    /// Asks a last question, and returns what both followers have seen up to it.
    pub(crate) async fn stop_at_end(client: &Client, followers: [Follower; 2]) -> [Feed; 2] {
        let last = NewInquiryParams {
            input: json!({"question": "Is this the end?", "options": ["Yes", "No"]}),
            ..NewInquiryParams::default()
        };
        let last = client.ask(&last).await.expect("it is asked").id;
        let mut feed = client.events(Some(0));
        let end = within("the last question is in the feed", async {
            loop {
                if let Ok(FeedItem::Event(event)) = feed.next().await
                    && let EventResponse::InquiryAsked(asked) = *event
                    && asked.inquiry.id == last
                {
                    return asked.sequence;
                }
            }
        })
        .await;
        let [first, second] = followers.map(async |follower| {
            // A follower that has ended has panicked.
            follower.end.send(end).ok();
            let seen = within("a feed shows everything", follower.reading).await;
            seen.expect("the feed is right")
        });
        [first.await, second.await]
    }
}

async fn follow(client: Client, mut end: oneshot::Receiver<u64>) -> Feed {
    let mut feed = client.events(Some(0));
    let mut seen = Feed::new();
    let mut until = u64::MAX;
    // A record has two events with the same number, a message and the question.
    while seen.last().is_none_or(|(sequence, kind, _)| {
        *sequence < until || (*sequence == until && *kind != "inquiry_asked")
    }) {
        let item = tokio::select! {
            biased;
            position = &mut end, if until == u64::MAX => {
                until = position.expect("the test goes on");
                continue;
            }
            item = feed.next() => item.expect("a feed reconnects"),
        };
        let FeedItem::Event(event) = item else {
            continue;
        };
        assert!(
            !matches!(*event, EventResponse::Reset(_)),
            "a feed is never reset"
        );
        let mut inquiry = None;
        if let EventResponse::InquiryAsked(event) | EventResponse::InquiryResolved(event) = &*event
        {
            inquiry = Some(event.inquiry.id.clone());
        }
        // The current state is repeated for a client that reconnects.
        if let Some(sequence) = event.sequence()
            && event.name() != "state_change"
        {
            seen.push((sequence, event.name().to_owned(), inquiry));
        }
    }
    seen
}

/// Events are in order, and every question is asked once and resolved at most once.
fn check_feed(feed: &Feed) {
    assert!(
        feed.is_sorted_by_key(|(sequence, ..)| *sequence),
        "a feed is in order"
    );
    let mut seen = BTreeSet::new();
    for (_, name, inquiry) in feed {
        if let Some(inquiry) = inquiry {
            let is_first = seen.insert((name.clone(), inquiry.clone()));
            assert!(is_first, "{inquiry}: {name} twice");
        }
    }
}
