//! Reports to the askback server which outcomes were delivered.
//!
//! An outcome counts as delivered once its response was written. A client that cancels the call afterwards changes
//! nothing: some cancel every call when they have read its result.

pub(crate) mod earlier_questions;
pub(crate) mod in_flight;
pub(crate) mod unread_answers;

use parking_lot::Mutex;
use std::borrow::Cow;
use std::collections::{HashMap, HashSet, VecDeque};
use std::sync::Arc;
use std::time::Duration;

use askback_client::Client;
use askback_core::id::InquiryId;
use askback_wire::asker::DeliveryState;
use rmcp::RoleServer;
use rmcp::model::{ClientNotification, ErrorData, JsonRpcMessage, RequestId};
use rmcp::service::{RxJsonRpcMessage, TxJsonRpcMessage};
use rmcp::transport::Transport;
use tokio::sync::{mpsc, oneshot};
use tokio::task::JoinHandle;

use crate::delivery::in_flight::{InFlightGuard, InFlightQuestions};
use crate::http::message_check::RefusedMessage;

/// Sent to the worker, which reports in order.
enum Report {
    Delivered(Vec<InFlightGuard>),
    Failed(Vec<InquiryId>),
    /// Signals that everything before it was reported.
    Flush(oneshot::Sender<()>),
    Stop,
}

/// Written responses that are remembered, in case the client did not read them.
const WRITTEN_MAX: usize = 64;

/// Responses that were not written and are remembered, in case the client reads them on another
/// connection.
const ABANDONED_MAX: usize = 256;

/// The outcomes in the responses of one connection.
pub(crate) struct DeliveryTracker {
    /// Responses with outcomes that are not written yet.
    unwritten: Mutex<HashMap<RequestId, UnwrittenResponse>>,
    /// The last responses with outcomes that were written.
    written: Mutex<VecDeque<WrittenResponse>>,
    /// The outcomes of the last responses that were not written.
    abandoned: Mutex<VecDeque<(RequestId, Vec<AbandonedOutcome>)>>,
    updates: mpsc::UnboundedSender<Report>,
}

struct UnwrittenResponse {
    outcomes: Vec<InFlightGuard>,
    /// Whether the client may be reading it already.
    has_begun: bool,
}

struct WrittenResponse {
    request: RequestId,
    outcomes: Vec<InquiryId>,
    /// Whether the client has made another call since.
    is_followed: bool,
}

/// An outcome that any call of its agent may deliver now.
type AbandonedOutcome = (InFlightQuestions, InquiryId);

/// The task that reports deliveries.
pub(crate) struct DeliveryWorker(JoinHandle<()>);

impl DeliveryWorker {
    /// Waits a short time until everything is reported. What is not is delivered again later.
    pub(crate) async fn finish(self) {
        const TIMEOUT: Duration = Duration::from_secs(3);
        let finished = tokio::time::timeout(TIMEOUT, self.0).await.is_ok();
        tracing::debug!(finished, "deliveries reported");
    }
}

impl DeliveryTracker {
    /// Starts the worker. It ends with [`DeliveryTracker::stop`].
    pub(crate) fn start(client: Client) -> (Arc<DeliveryTracker>, DeliveryWorker) {
        let (updates, mut received) = mpsc::unbounded_channel();
        let worker = tokio::spawn(async move {
            while let Some(update) = received.recv().await {
                match update {
                    Report::Stop => return,
                    Report::Flush(done) => drop(done.send(())),
                    Report::Delivered(questions) => {
                        for question in &questions {
                            report_delivery(&client, question.id(), DeliveryState::Done).await;
                        }
                    }
                    Report::Failed(ids) => {
                        for id in &ids {
                            report_delivery(&client, id, DeliveryState::Failed).await;
                        }
                    }
                }
            }
        });
        let tracker = DeliveryTracker {
            unwritten: Mutex::default(),
            written: Mutex::default(),
            abandoned: Mutex::default(),
            updates,
        };
        (Arc::new(tracker), DeliveryWorker(worker))
    }

    /// Waits a short time until the outcomes of earlier responses are reported. Otherwise the next call
    /// with the same input would be taken for a repetition and get the same outcome again.
    ///
    /// `is_relevant` selects the responses to wait for by the key under which they are registered.
    pub(crate) async fn flush(&self, is_relevant: impl Fn(&RequestId) -> bool) {
        const TIMEOUT: Duration = Duration::from_secs(2);
        let flushed = tokio::time::timeout(TIMEOUT, async {
            while self.unwritten.lock().keys().any(&is_relevant) {
                tokio::time::sleep(Duration::from_millis(2)).await;
            }
            let (done, flushed) = oneshot::channel();
            self.send(Report::Flush(done));
            flushed.await.is_ok()
        });
        if !matches!(flushed.await, Ok(true)) {
            tracing::debug!("deliveries are not reported yet");
        }
    }

    /// Called when the connection has ended. Calls in progress deliver nothing any more.
    pub(crate) fn stop(&self) {
        self.send(Report::Stop);
    }

    /// Registers the outcomes that the response to this request will contain.
    pub(crate) fn register(&self, request: &RequestId, questions: Vec<InFlightGuard>) {
        let response = UnwrittenResponse {
            outcomes: questions,
            has_begun: false,
        };
        self.unwritten.lock().insert(request.clone(), response);
    }

    /// Called before a response is written. The client may read and cancel it before this process knows that it was
    /// written.
    pub(crate) fn begin_writing(&self, request: &RequestId) {
        if let Some(response) = self.unwritten.lock().get_mut(request) {
            response.has_begun = true;
        }
    }

    /// Called when a response was written to the client.
    pub(crate) fn response_written(&self, request: RequestId) {
        let response = self.unwritten.lock().remove(&request);
        let registered = response.map(|response| response.outcomes);
        // While one connection wrote the response, another one may have failed to.
        let questions = registered.or_else(|| self.take_abandoned(&request));
        let questions = questions.unwrap_or_default();
        if questions.is_empty() {
            return;
        }
        let outcomes = questions.iter().map(|question| question.id().clone());
        let mut written = self.written.lock();
        written.push_back(WrittenResponse {
            request,
            outcomes: outcomes.collect(),
            is_followed: false,
        });
        if written.len() > WRITTEN_MAX {
            written.pop_front();
        }
        self.send(Report::Delivered(questions));
    }

    /// The questions whose outcomes were in the last written responses, newest first and each once. A client
    /// that gave up a call without a word did not read its response.
    ///
    /// `is_relevant` is the same as for [`DeliveryTracker::flush`].
    pub(crate) fn recently_written(
        &self,
        is_relevant: impl Fn(&RequestId) -> bool,
    ) -> Vec<InquiryId> {
        let written = self.written.lock();
        let responses = written.iter().rev();
        let responses = responses.filter(|response| is_relevant(&response.request));
        let mut seen = HashSet::new();
        responses
            .flat_map(|response| &response.outcomes)
            .filter(|id| seen.insert(*id))
            .cloned()
            .collect()
    }

    /// The outcomes in the responses that were written since the client made its last call.
    pub(crate) fn take_unfollowed(
        &self,
        is_relevant: impl Fn(&RequestId) -> bool,
    ) -> Vec<InquiryId> {
        let mut written = self.written.lock();
        let responses = written.iter_mut();
        let mut outcomes = Vec::new();
        for response in responses.filter(|it| !it.is_followed && is_relevant(&it.request)) {
            response.is_followed = true;
            outcomes.extend(response.outcomes.iter().cloned());
        }
        outcomes
    }

    /// The client does not read the response, unless it reads it already.
    pub(crate) fn request_cancelled(&self, request: &RequestId) {
        self.abandoned.lock().retain(|(id, _)| id != request);
        let mut unwritten = self.unwritten.lock();
        if unwritten.get(request).is_some_and(|it| it.has_begun) {
            return;
        }
        let response = unwritten.remove(request);
        drop(unwritten);
        if let Some(response) = response {
            self.delivery_failed(&response.outcomes);
        }
    }

    /// The response was written, and perhaps not read. Its outcomes come again as late answers, with a remark.
    fn leave_undelivered(&self, request: &RequestId) {
        drop(self.unwritten.lock().remove(request));
    }

    fn delivery_failed(&self, questions: &[InFlightGuard]) {
        let ids = questions.iter().map(|question| question.id().clone());
        let ids: Vec<InquiryId> = ids.collect();
        if !ids.is_empty() {
            self.send(Report::Failed(ids));
        }
    }

    /// The response was not written. Its outcomes are delivered another time, unless the client reads
    /// the response on another connection first.
    pub(crate) fn abandon(&self, request: &RequestId) {
        let Some(response) = self.unwritten.lock().remove(request) else {
            return;
        };
        if response.outcomes.is_empty() {
            return;
        }
        let outcomes = response
            .outcomes
            .iter()
            .map(InFlightGuard::to_untracked)
            .collect();
        let mut abandoned = self.abandoned.lock();
        abandoned.push_back((request.clone(), outcomes));
        if abandoned.len() > ABANDONED_MAX {
            abandoned.pop_front();
        }
        drop(abandoned);
        if !response.has_begun {
            self.delivery_failed(&response.outcomes);
        }
    }

    /// The response is about to be written on another connection. Returns whether it has outcomes.
    pub(crate) fn reclaim(&self, request: &RequestId) -> bool {
        if let Some(questions) = self.take_abandoned(request) {
            self.register(request, questions);
        }
        self.unwritten.lock().contains_key(request)
    }

    fn take_abandoned(&self, request: &RequestId) -> Option<Vec<InFlightGuard>> {
        let mut abandoned = self.abandoned.lock();
        let position = abandoned.iter().position(|(id, _)| id == request)?;
        let (_, outcomes) = abandoned.remove(position)?;
        let guards = outcomes.iter().map(|(questions, id)| questions.track(id));
        Some(guards.collect())
    }

    fn send(&self, update: Report) {
        // The worker ends with the connection. What is not reported is delivered again.
        if self.updates.send(update).is_err() {
            tracing::debug!("a delivery is not reported");
        }
    }
}

/// Reports one delivery, with retries while another server takes over.
pub(crate) async fn report_delivery(client: &Client, id: &InquiryId, state: DeliveryState) {
    const ATTEMPTS_MAX: usize = 10;
    const RETRY_DELAY: Duration = Duration::from_millis(200);
    for _ in 0..ATTEMPTS_MAX {
        match client.note_delivery(id, state).await {
            Ok(()) => return,
            Err(error) if error.is_transient() => tokio::time::sleep(RETRY_DELAY).await,
            Err(error) => {
                tracing::debug!(%id, %error, "cannot report the delivery");
                return;
            }
        }
    }
}

/// Tells a [`DeliveryTracker`] which responses were written and which requests were cancelled, and
/// responses to invalid lines.
pub(crate) struct TrackedTransport<T> {
    inner: T,
    /// The errors to respond with. See [`crate::stdio::lines`].
    invalid_lines: mpsc::Receiver<RefusedMessage>,
    delivery_tracker: Arc<DeliveryTracker>,
    open_requests: OpenRequestIds,
}

/// The requests without a response, and whether the client has used the id a second time.
type OpenRequestIds = Mutex<HashMap<RequestId, bool>>;

impl<T> TrackedTransport<T> {
    pub(crate) fn new(
        inner: T,
        invalid_lines: mpsc::Receiver<RefusedMessage>,
        delivery_tracker: Arc<DeliveryTracker>,
    ) -> TrackedTransport<T> {
        TrackedTransport {
            inner,
            invalid_lines,
            delivery_tracker,
            open_requests: OpenRequestIds::default(),
        }
    }

    /// Notes that a request is open. Refuses a second one with its id: the client takes the next response
    /// with this id for that of the second, so the outcome in it does not count as delivered.
    fn refuse_used_id(&self, request: &RequestId) -> Option<ErrorData> {
        let mut open = self.open_requests.lock();
        if let Some(is_used_twice) = open.get_mut(request) {
            *is_used_twice = true;
            let message = "A request with this id is still open. Use a new id for every request.";
            return Some(ErrorData::invalid_request(message, None));
        }
        open.insert(request.clone(), false);
        None
    }
}

impl<T: Transport<RoleServer>> Transport<RoleServer> for TrackedTransport<T> {
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
            JsonRpcMessage::Error(error) => error.id.clone(),
            JsonRpcMessage::Request(_) | JsonRpcMessage::Notification(_) => None,
        };
        let delivery_tracker = Arc::clone(&self.delivery_tracker);
        let open = request.map(|request| {
            let is_used_twice = self.open_requests.lock().remove(&request);
            match is_used_twice {
                Some(_) => delivery_tracker.begin_writing(&request),
                // The client has cancelled it.
                None => delivery_tracker.request_cancelled(&request),
            }
            (request, is_used_twice == Some(true))
        });
        let sent = self.inner.send(item);
        async move {
            sent.await?;
            match open {
                // Which of the two it is for, only the client knows.
                Some((request, true)) => delivery_tracker.leave_undelivered(&request),
                Some((request, false)) => delivery_tracker.response_written(request),
                None => {}
            }
            Ok(())
        }
    }

    async fn receive(&mut self) -> Option<RxJsonRpcMessage<RoleServer>> {
        let message = loop {
            let refused = tokio::select! {
                message = self.inner.receive() => {
                    let message = message?;
                    let JsonRpcMessage::Request(request) = &message else {
                        break message;
                    };
                    let Some(error) = self.refuse_used_id(&request.id) else {
                        break message;
                    };
                    let id = Some(request.id.clone());
                    RefusedMessage { error, id }
                }
                Some(refused) = self.invalid_lines.recv() => refused,
            };
            let response = JsonRpcMessage::error(refused.error, refused.id);
            if self.inner.send(response).await.is_err() {
                return None;
            }
        };
        if let JsonRpcMessage::Notification(notification) = &message
            && let ClientNotification::CancelledNotification(cancelled) = &notification.notification
            && let Some(request) = &cancelled.params.request_id
        {
            self.open_requests.lock().remove(request);
            self.delivery_tracker.request_cancelled(request);
        }
        Some(message)
    }

    fn close(&mut self) -> impl Future<Output = Result<(), Self::Error>> + Send {
        self.inner.close()
    }
}

#[cfg(test)]
#[path = "delivery_tests.rs"]
mod tests;
