//! Notes which outcomes have reached their agent: after the response was written, and not if the
//! agent gave up the call.

use std::borrow::Cow;
use std::collections::{HashMap, VecDeque};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use askback_client::Client;
use askback_core::id::InquiryId;
use askback_wire::asker::DeliveryState;
use rmcp::RoleServer;
use rmcp::model::{ClientNotification, JsonRpcMessage, RequestId};
use rmcp::service::{RxJsonRpcMessage, TxJsonRpcMessage};
use rmcp::transport::Transport;
use tokio::sync::{mpsc, oneshot};
use tokio::task::JoinHandle;

/// Questions for which a call of this process waits or whose outcome is on its way: no other call
/// delivers them as late answers.
#[derive(Debug, Clone, Default)]
pub(crate) struct Attended(Arc<Mutex<HashMap<InquiryId, usize>>>);

impl Attended {
    /// Marks a question for as long as the guard is kept.
    pub(crate) fn attend(&self, id: &InquiryId) -> Attending {
        *locked(&self.0).entry(id.clone()).or_default() += 1;
        Attending {
            all: self.clone(),
            id: id.clone(),
        }
    }

    /// Whether a call sees to it.
    pub(crate) fn contains(&self, id: &InquiryId) -> bool {
        locked(&self.0).contains_key(id)
    }
}

/// See [`Attended::attend`].
#[derive(Debug)]
pub(crate) struct Attending {
    all: Attended,
    id: InquiryId,
}

impl Attending {
    /// The question.
    pub(crate) fn id(&self) -> &InquiryId {
        &self.id
    }
}

impl Drop for Attending {
    fn drop(&mut self) {
        let mut all = locked(&self.all.0);
        if let Some(count) = all.get_mut(&self.id) {
            *count -= 1;
            if *count == 0 {
                all.remove(&self.id);
            }
        }
    }
}

/// The outcomes that one response carries.
#[derive(Debug, Default)]
pub(crate) struct Receipt {
    pub(crate) delivered: Vec<Attending>,
}

/// What is to be noted, in order.
enum Note {
    Done(Receipt),
    Failed(Vec<InquiryId>),
    /// Says when all that came before is noted.
    Flush(oneshot::Sender<()>),
    /// Nothing follows.
    Stop,
}

/// Responses that were written and may yet turn out to be for nobody.
const WRITTEN_MAX: usize = 64;

/// The receipts of one connection.
pub(crate) struct Deliveries {
    /// Of responses that are not written yet.
    open: Mutex<HashMap<RequestId, Receipt>>,
    /// Of the last responses that were.
    written: Mutex<VecDeque<(RequestId, Vec<InquiryId>)>>,
    notes: mpsc::UnboundedSender<Note>,
}

/// Notes what is left when the connection has ended.
pub(crate) struct Worker(JoinHandle<()>);

impl Worker {
    /// Waits until all is noted, but not for long: what is not noted is delivered again.
    pub(crate) async fn finish(self) {
        const LONGEST: Duration = Duration::from_secs(3);
        let finished = tokio::time::timeout(LONGEST, self.0).await.is_ok();
        tracing::debug!(finished, "deliveries noted");
    }
}

impl Deliveries {
    /// Receipts whose notes go to the server. The worker ends with [`Deliveries::stop`].
    pub(crate) fn start(client: Client) -> (Arc<Deliveries>, Worker) {
        let (notes, mut received) = mpsc::unbounded_channel();
        let worker = tokio::spawn(async move {
            while let Some(note) = received.recv().await {
                match note {
                    Note::Stop => return,
                    Note::Flush(done) => drop(done.send(())),
                    Note::Done(receipt) => {
                        let ids = receipt.delivered.iter().map(Attending::id);
                        note_all(&client, ids, DeliveryState::Done).await;
                    }
                    Note::Failed(ids) => {
                        note_all(&client, ids.iter(), DeliveryState::Failed).await;
                    }
                }
            }
        });
        let deliveries = Deliveries {
            open: Mutex::default(),
            written: Mutex::default(),
            notes,
        };
        (Arc::new(deliveries), Worker(worker))
    }

    /// Waits until the outcomes of earlier responses are noted, so that a call which follows one of
    /// them is not taken for its repetition. Not for long: then it is told the same outcome again.
    pub(crate) async fn flush(&self) {
        const LONGEST: Duration = Duration::from_secs(2);
        let flushed = tokio::time::timeout(LONGEST, async {
            while !locked(&self.open).is_empty() {
                tokio::time::sleep(Duration::from_millis(2)).await;
            }
            let (done, noted) = oneshot::channel();
            self.note(Note::Flush(done));
            noted.await.is_ok()
        });
        if !matches!(flushed.await, Ok(true)) {
            tracing::debug!("deliveries are not noted yet");
        }
    }

    /// The connection has ended. Calls that are under way deliver nothing any more.
    pub(crate) fn stop(&self) {
        self.note(Note::Stop);
    }

    /// The response to this request will carry these outcomes.
    pub(crate) fn expect(&self, request: &RequestId, receipt: Receipt) {
        locked(&self.open).insert(request.clone(), receipt);
    }

    /// A response was written.
    fn wrote(&self, request: RequestId) {
        let Some(receipt) = locked(&self.open).remove(&request) else {
            return;
        };
        if receipt.delivered.is_empty() {
            return;
        }
        let ids = receipt.delivered.iter().map(|one| one.id.clone()).collect();
        let mut written = locked(&self.written);
        written.push_back((request, ids));
        if written.len() > WRITTEN_MAX {
            written.pop_front();
        }
        self.note(Note::Done(receipt));
    }

    /// The client gave up a request, before or after its response was written.
    fn cancelled(&self, request: &RequestId) {
        drop(locked(&self.open).remove(request));
        let mut written = locked(&self.written);
        let place = written.iter().position(|(id, _)| id == request);
        if let Some((_, ids)) = place.and_then(|place| written.remove(place)) {
            self.note(Note::Failed(ids));
        }
    }

    fn note(&self, note: Note) {
        // The worker ends with the connection; what is not noted is delivered again.
        if self.notes.send(note).is_err() {
            tracing::debug!("a delivery is not noted");
        }
    }
}

async fn note_all(client: &Client, ids: impl Iterator<Item = &InquiryId>, state: DeliveryState) {
    for id in ids {
        note_delivery(client, id, state).await;
    }
}

/// Notes one delivery, for as long as a server takes to take over.
pub(crate) async fn note_delivery(client: &Client, id: &InquiryId, state: DeliveryState) {
    const ATTEMPTS: usize = 10;
    const PAUSE: Duration = Duration::from_millis(200);
    for _ in 0..ATTEMPTS {
        match client.note_delivery(id, state).await {
            Ok(()) => return,
            Err(error) if error.is_passing() => tokio::time::sleep(PAUSE).await,
            Err(error) => {
                tracing::debug!(%id, %error, "the delivery cannot be noted");
                return;
            }
        }
    }
}

/// A transport that sees which responses were written and which requests were given up.
pub(crate) struct Watched<T> {
    inner: T,
    deliveries: Arc<Deliveries>,
}

impl<T> Watched<T> {
    pub(crate) fn new(inner: T, deliveries: Arc<Deliveries>) -> Watched<T> {
        Watched { inner, deliveries }
    }
}

impl<T: Transport<RoleServer>> Transport<RoleServer> for Watched<T> {
    type Error = T::Error;

    fn name() -> Cow<'static, str> {
        T::name()
    }

    fn send(
        &mut self,
        item: TxJsonRpcMessage<RoleServer>,
    ) -> impl Future<Output = Result<(), Self::Error>> + Send + 'static {
        let request = match &item {
            JsonRpcMessage::Response(response) => Some(response.id.clone()),
            JsonRpcMessage::Request(_)
            | JsonRpcMessage::Notification(_)
            | JsonRpcMessage::Error(_) => None,
        };
        let deliveries = Arc::clone(&self.deliveries);
        let sent = self.inner.send(item);
        async move {
            sent.await?;
            if let Some(request) = request {
                deliveries.wrote(request);
            }
            Ok(())
        }
    }

    async fn receive(&mut self) -> Option<RxJsonRpcMessage<RoleServer>> {
        let message = self.inner.receive().await?;
        if let JsonRpcMessage::Notification(notification) = &message
            && let ClientNotification::CancelledNotification(cancelled) = &notification.notification
            && let Some(request) = &cancelled.params.request_id
        {
            self.deliveries.cancelled(request);
        }
        Some(message)
    }

    fn close(&mut self) -> impl Future<Output = Result<(), Self::Error>> + Send {
        self.inner.close()
    }
}

fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
