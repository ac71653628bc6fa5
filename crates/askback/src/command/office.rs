//! What goes on beside one durable question: drafts are stored, and an outcome from elsewhere calls
//! whoever asks it.

use std::os::unix::net::UnixStream;
use std::sync::mpsc::Receiver;
use std::time::Duration;

use askback_client::{Client, FeedItem};
use askback_core::draft::Draft;
use askback_core::id::InquiryId;
use askback_tui::session::{Outside, Woken};
use askback_wire::event::EventResponse;
use askback_wire::inquiry::InquiryResponse;
use askback_wire::link::LinkResponse;
use tokio::runtime::Handle;
use tokio::sync::watch;
use tokio::task::JoinHandle;

use super::drafts::store;
use super::post::Post;
use super::reply;

/// How long an end waits for what was typed last.
const LAST: Duration = Duration::from_secs(2);

/// What is told to whoever asks.
enum Told {
    /// The question is over.
    Over(Box<InquiryResponse>),
    /// A link for another device, or in words why there is none.
    Shared(Result<LinkResponse, String>),
}

/// The office of one question.
pub(crate) struct Office {
    runtime: Handle,
    client: Client,
    id: InquiryId,
    drafts: Option<(watch::Sender<Option<Draft>>, JoinHandle<()>)>,
    watching: JoinHandle<()>,
    post: Post<Told>,
    news: Receiver<Told>,
    over: Option<InquiryResponse>,
}

impl Office {
    /// Opens it, with what becomes readable when the question is over.
    pub(crate) fn open(
        runtime: &Handle,
        client: &Client,
        asked: &InquiryResponse,
    ) -> anyhow::Result<(Office, UnixStream)> {
        let (drafts, changes) = watch::channel(None);
        let (post, news, wake) = Post::open()?;
        let id = asked.id.clone();
        let saved = runtime.spawn(store(client.clone(), (id.clone(), asked.revision), changes));
        let watching = watch_end(client.clone(), asked.clone(), post.clone());
        let office = Office {
            runtime: runtime.clone(),
            client: client.clone(),
            id,
            drafts: Some((drafts, saved)),
            watching: runtime.spawn(watching),
            post,
            news,
            over: None,
        };
        Ok((office, wake))
    }

    /// Stores the last of what was typed. Gives how the question ended elsewhere, if it did.
    pub(crate) async fn settle(&mut self) -> Option<InquiryResponse> {
        if let Some((drafts, saved)) = self.drafts.take() {
            drop(drafts);
            if tokio::time::timeout(LAST, saved).await.is_err() {
                tracing::debug!("the last draft was not stored");
            }
        }
        self.over.take()
    }

    /// Closes it. Until then a server that is gone is replaced, so that a reply gets there.
    pub(crate) async fn close(mut self) {
        self.settle().await;
        self.watching.abort();
        // It was ended on purpose.
        drop(self.watching.await);
    }
}

/// Tells when the question is over.
async fn watch_end(client: Client, asked: InquiryResponse, post: Post<Told>) {
    let mut events = client.conversation_events(&asked.conversation_id, None);
    let mut look = true;
    loop {
        // What happened before the feed stood is read.
        if look && events.open().await.is_ok() {
            look = false;
            if let Ok(found) = client.inquiry(&asked.id).await
                && found.status.is_resolved()
            {
                return post.send(Told::Over(Box::new(found)));
            }
        }
        match events.next().await {
            Ok(FeedItem::Event(event)) => {
                if let EventResponse::InquiryResolved(event) = *event
                    && event.inquiry.id == asked.id
                {
                    return post.send(Told::Over(Box::new(event.inquiry)));
                }
            }
            Ok(FeedItem::Restored) => look = true,
            Ok(FeedItem::Lost(error)) => {
                tracing::debug!(%error, "the server is gone");
            }
            Err(error) => {
                tracing::debug!(%error, "the question cannot be watched");
                return;
            }
        }
    }
}

impl Outside for Office {
    fn changed(&mut self, draft: &Draft) {
        if let Some((drafts, _)) = &self.drafts {
            drafts.send_replace(Some(draft.clone()));
        }
    }

    fn deadline_stopped(&mut self) {
        let (client, id) = (self.client.clone(), self.id.clone());
        self.runtime
            .spawn(async move { reply::keep_open(&client, &id).await });
    }

    fn share(&mut self) {
        let (client, id, post) = (self.client.clone(), self.id.clone(), self.post.clone());
        self.runtime.spawn(async move {
            post.send(Told::Shared(reply::share(&client, &id).await));
        });
    }

    fn woken(&mut self) -> Woken {
        match self.news.try_recv() {
            Ok(Told::Over(found)) => {
                self.over = Some(*found);
                Woken::Over
            }
            Ok(Told::Shared(made)) => Woken::Shared(made),
            Err(_) => Woken::GoOn,
        }
    }
}
