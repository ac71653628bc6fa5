//! What can be seen from outside: the feed, webhooks, messages, lists, the audit.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use askback_client::{Client, FeedItem};
use askback_core::id::{ConversationId, InquiryId};
use askback_fakes::{FakeHttp, FakeResponse, FakeTelegram};
use askback_wire::audit::{AuditEntryResponse, AuditParams};
use askback_wire::conversation::ReadConversationParams;
use askback_wire::event::{ChangeName, EventResponse};
use askback_wire::inquiry::InquiryResponse;
use askback_wire::list::ListInquiriesParams;
use askback_wire::message::Role;
use askback_wire::webhook::WebhookBody;
use serde_json::{Value, json};
use tokio::sync::watch;
use tokio::task::JoinHandle;

use super::super::support::timeout::within;
use super::cluster::Cluster;
use super::history::{Card, Ending, FeedEvent, Transcript, Webhook};

/// Pause before a listener connects again.
const RECONNECT_DELAY: Duration = Duration::from_millis(50);
/// One delivery in so many gets no response, and comes again.
const UNANSWERED_DELIVERIES: usize = 9;

/// When a listener leaves and comes back, besides when its connection breaks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Leaving {
    Never,
    AfterEvents(usize),
}

/// Reads the feed of a node from the beginning, and comes back with the last id as often as necessary.
pub(crate) struct Listener {
    listening: JoinHandle<Vec<FeedEvent>>,
}

impl Listener {
    /// Listens until the inquiry that `last` names is in the feed.
    pub(crate) fn start(
        client: &Client,
        leaving: Leaving,
        last: &watch::Receiver<Option<InquiryId>>,
    ) -> Listener {
        let listening = listen(client.clone(), leaving, last.clone());
        Listener {
            listening: tokio::spawn(listening),
        }
    }

    pub(crate) async fn end(self) -> Vec<FeedEvent> {
        let seen = within("a feed shows the last question", self.listening).await;
        seen.expect("a listener does not panic")
    }
}

async fn listen(
    client: Client,
    leaving: Leaving,
    mut last: watch::Receiver<Option<InquiryId>>,
) -> Vec<FeedEvent> {
    let mut seen: Vec<FeedEvent> = Vec::new();
    let mut position = 0;
    loop {
        let mut feed = client.events(Some(position));
        let mut left = leaving;
        while left != Leaving::AfterEvents(0) {
            let item = tokio::select! {
                item = feed.next() => item.expect("a feed can be opened"),
                // The last question may have been seen before it was named.
                _ = last.changed() => {
                    if is_there(&seen, last.borrow().as_ref()) {
                        return seen;
                    }
                    continue;
                }
            };
            let event = match item {
                FeedItem::Event(event) => event,
                FeedItem::Reconnected => continue,
                FeedItem::Disconnected(_) => break,
            };
            assert!(
                !matches!(*event, EventResponse::Reset(_)),
                "a feed is never reset"
            );
            seen.extend(feed_event(&event));
            // A stored event may be several events of the feed. What follows it was seen if a later one comes.
            position = event.sequence().map_or(position, |it| it - 1);
            if is_there(&seen, last.borrow().as_ref()) {
                return seen;
            }
            if let Leaving::AfterEvents(count) = &mut left {
                *count -= 1;
            }
        }
        // What came after this position comes again.
        seen.retain(|event| event.sequence <= position);
        tokio::time::sleep(RECONNECT_DELAY).await;
    }
}

fn is_there(seen: &[FeedEvent], last: Option<&InquiryId>) -> bool {
    let newest = seen.iter().rev();
    newest.take(4).any(|event| Some(&event.inquiry) == last)
}

fn feed_event(event: &EventResponse) -> Option<FeedEvent> {
    let EventResponse::Inquiry(content) = event else {
        return None;
    };
    let inquiry = &content.inquiry;
    let is_resolved = content.change == ChangeName::Resolved;
    let undone_by = content.undone_by.as_ref();
    Some(FeedEvent {
        sequence: content.sequence?,
        name: content.change.to_string(),
        inquiry: inquiry.id.clone(),
        conversation: inquiry.conversation_id.clone(),
        question: inquiry.questions.first().map(|it| it.text.clone()),
        ending: Ending::of(inquiry).filter(|_| is_resolved),
        undone_by: undone_by.and_then(|it| it.name.clone()),
    })
}

/// A receiver of webhooks that sometimes does not respond.
pub(crate) async fn receive_webhooks() -> FakeHttp {
    let count = Arc::new(AtomicUsize::new(0));
    let receiver = FakeHttp::start(move |_| {
        let number = count.fetch_add(1, Ordering::SeqCst) + 1;
        if number.is_multiple_of(UNANSWERED_DELIVERIES) {
            FakeResponse::Drop
        } else {
            FakeResponse::json(200, &json!({}))
        }
    });
    receiver.await.expect("the receiver starts")
}

pub(crate) fn webhooks(receiver: &FakeHttp) -> Vec<Webhook> {
    let requests = receiver.requests();
    requests.iter().map(|it| webhook(&it.json())).collect()
}

fn webhook(body: &Value) -> Webhook {
    let sent = serde_json::from_value::<WebhookBody>(body.clone());
    let sent = sent.expect("the body has the documented form");
    Webhook {
        kind: sent.kind,
        ending: Ending::of(&sent.inquiry),
        inquiry: sent.inquiry.id,
        body: body.to_string(),
    }
}

/// All messages.
pub(crate) fn cards(telegram: &FakeTelegram, cluster: &Cluster) -> Vec<Card> {
    let messages = telegram.messages().into_iter();
    let cards = messages.map(|message| Card {
        text: message.text().to_owned(),
        has_buttons: !message.buttons().is_empty(),
        may_be_unknown: cluster.is_interrupted(&message),
    });
    cards.collect()
}

/// All pages of the list of inquiries.
pub(crate) async fn list(client: &Client, mut params: ListInquiriesParams) -> Vec<InquiryResponse> {
    params.limit = Some(200);
    let mut items = Vec::new();
    loop {
        let page = client.inquiries(&params).await.expect("a page");
        items.extend(page.items);
        params.cursor = page.next;
        if params.cursor.is_none() {
            return items;
        }
    }
}

/// Each inquiry as a node shows it; none if it is not found.
pub(crate) async fn inquiries(
    client: &Client,
    ids: impl IntoIterator<Item = InquiryId>,
) -> BTreeMap<InquiryId, Option<InquiryResponse>> {
    let mut found = BTreeMap::new();
    for id in ids {
        let inquiry = match client.inquiry(&id).await {
            Ok(inquiry) => Some(inquiry),
            Err(error) => {
                let status = error.problem().map(|problem| problem.status);
                assert_eq!(status, Some(404), "{id}: {error}");
                None
            }
        };
        found.insert(id, inquiry);
    }
    found
}

pub(crate) async fn audit(client: &Client) -> Vec<AuditEntryResponse> {
    let mut params = AuditParams {
        with_answers: true,
        ..AuditParams::default()
    };
    let mut entries = Vec::new();
    loop {
        let page = client.audit(&params).await.expect("a page");
        entries.extend(page.items);
        params.cursor = page.next;
        if params.cursor.is_none() {
            return entries;
        }
    }
}

/// A conversation with everything that the user wrote; none if it was deleted.
pub(crate) async fn transcript(client: &Client, id: &ConversationId) -> Option<Transcript> {
    let mut params = ReadConversationParams {
        limit: Some(200),
        ..ReadConversationParams::default()
    };
    let mut user_texts = Vec::new();
    loop {
        let page = client.conversation(id, &params).await.ok()?;
        let messages = page.messages.into_iter();
        let written = messages.filter(|message| message.role == Role::User);
        user_texts.extend(written.flat_map(|it| it.blocks).map(|block| block.text));
        params.before = page.before;
        if params.before.is_none() {
            let state = page.conversation.state.name().to_owned();
            return Some(Transcript { state, user_texts });
        }
    }
}
