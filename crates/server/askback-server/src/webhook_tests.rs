//! Resolved addresses are checked on each connection, and redirects are not followed.

use std::io::{Read as _, Write as _};
use std::net::TcpListener;
use std::path::Path;
use std::sync::mpsc::{Receiver, channel};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::Duration;

use askback_core::id::{ConversationId, InquiryId};
use askback_engine::InquiryView;
use askback_engine::ports::{WebhookDelivery, WebhookEvent, Webhooks as _};
use askback_store::InquiryRow;
use futures_util::future::poll_immediate;
use jiff::Timestamp;

use super::{HttpWebhooks, WebhookPolicy, WebhookRefusal, WebhookSecrets};
use crate::recipient_names::RecipientNames;

/// A receiver on this machine that responds with `response` and reports each request.
struct Local {
    port: u16,
    requests: Arc<Mutex<Receiver<String>>>,
}

impl Local {
    fn start(response: String) -> Local {
        let listener = TcpListener::bind(("127.0.0.1", 0)).unwrap();
        let port = listener.local_addr().unwrap().port();
        let (sender, requests) = channel();
        thread::spawn(move || {
            while let Ok((mut stream, _)) = listener.accept() {
                let mut head = vec![0; 4096];
                let count = stream.read(&mut head).unwrap_or(0);
                drop(sender.send(String::from_utf8_lossy(&head[..count]).into_owned()));
                drop(stream.write_all(response.as_bytes()));
            }
        });
        Local {
            port,
            requests: Arc::new(Mutex::new(requests)),
        }
    }

    fn ok() -> Local {
        Local::start("HTTP/1.1 200 OK\r\ncontent-length: 0\r\nconnection: close\r\n\r\n".to_owned())
    }

    /// Whether a request arrived. Waits a moment for it.
    fn was_called(&self, wait: Duration) -> bool {
        self.requests.lock().unwrap().recv_timeout(wait).is_ok()
    }
}

fn webhooks(allowed: &[&str]) -> HttpWebhooks {
    let names = RecipientNames::default();
    names.follow(Arc::default);
    webhooks_with(names, allowed)
}

fn webhooks_with(names: RecipientNames, allowed: &[&str]) -> HttpWebhooks {
    let allowed = allowed.iter().map(|text| text.parse().unwrap()).collect();
    let secret = "whsec_of-this-test-and-no-other";
    let secrets = WebhookSecrets::open(Some(secret), Path::new("/nowhere")).unwrap();
    let policy = Arc::new(WebhookPolicy::new(allowed));
    HttpWebhooks::new(policy, secrets, names)
}

/// Whether a delivery is accepted.
async fn deliver(allowed: &[&str], url: &str) -> bool {
    post(&webhooks(allowed), url).await
}

async fn post(webhooks: &HttpWebhooks, url: &str) -> bool {
    let inquiry = InquiryView::from_row(InquiryRow {
        id: InquiryId::new("inq_1"),
        conversation: ConversationId::new("cnv_1"),
        status: "pending".to_owned(),
        dialect: "question".to_owned(),
        json: String::new(),
        revision: 1,
        source: None,
        webhook: None,
        credential: None,
        asked_at: Timestamp::UNIX_EPOCH,
        expires_at: None,
        held: None,
        resolved_at: None,
        resolution: None,
        asker: None,
        snoozed_until: None,
        version: 1,
    });
    let delivery = WebhookDelivery {
        id: "inq_1-7".to_owned(),
        url,
        event: WebhookEvent::InquiryReminder,
        inquiry: &inquiry.unwrap(),
    };
    webhooks.deliver(delivery).await.is_ok()
}

const SOON: Duration = Duration::from_millis(200);
const LATE: Duration = Duration::from_mins(1);

/// The policy permits a name that it cannot resolve; the resolver checks its addresses. This calls the
/// webhook client directly with such a name.
#[tokio::test]
async fn name_that_resolves_to_this_machine_is_refused() {
    let local = Local::ok();
    let url = format!("http://localhost:{}/", local.port);
    let error = webhooks(&[])
        .client()
        .unwrap()
        .post(&url)
        .send()
        .await
        .unwrap_err();
    let mut cause = std::error::Error::source(&error);
    let mut refused = false;
    while let Some(found) = cause {
        refused |= found.downcast_ref::<WebhookRefusal>().is_some();
        cause = found.source();
    }
    assert!(refused, "{error:?}");
    assert!(!local.was_called(SOON));
    let allowed = webhooks(&["localhost"])
        .client()
        .unwrap()
        .post(&url)
        .send()
        .await;
    assert_eq!(allowed.unwrap().status(), 200);
    assert!(local.was_called(LATE));
    let allowed = webhooks(&["127.0.0.0/8"])
        .client()
        .unwrap()
        .post(&url)
        .send()
        .await;
    assert_eq!(allowed.unwrap().status(), 200, "the address was allowed");
}

/// A URL that was stored before the policy, or that is no longer allowed, is not called.
#[tokio::test]
async fn url_is_checked_again_when_it_is_called() {
    let local = Local::ok();
    let url = format!("http://127.0.0.1:{}/", local.port);
    assert!(!deliver(&[], &url).await);
    assert!(!local.was_called(SOON));
    assert!(deliver(&["127.0.0.1"], &url).await);
    assert!(local.was_called(LATE));
}

/// After a restart, webhooks are due before the people of the store were read.
#[tokio::test]
async fn delivery_waits_for_the_names_of_people() {
    let local = Local::ok();
    let url = format!("http://127.0.0.1:{}/", local.port);
    let names = RecipientNames::default();
    let webhooks = webhooks_with(names.clone(), &["127.0.0.1"]);
    let mut delivery = Box::pin(post(&webhooks, &url));
    assert!(poll_immediate(&mut delivery).await.is_none());
    assert!(!local.was_called(SOON));
    names.follow(Arc::default);
    assert!(delivery.await);
    assert!(local.was_called(LATE));
}

#[tokio::test]
async fn redirect_is_not_followed() {
    let target = Local::ok();
    let redirect = Local::start(format!(
        "HTTP/1.1 307 -\r\nlocation: http://127.0.0.1:{}/\r\ncontent-length: 0\r\nconnection: close\r\n\r\n",
        target.port
    ));
    let url = format!("http://127.0.0.1:{}/", redirect.port);
    assert!(!deliver(&["127.0.0.1"], &url).await, "it was not taken");
    assert!(redirect.was_called(LATE));
    assert!(!target.was_called(SOON));
}
