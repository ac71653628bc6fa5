//! Tells people whether the agent waits for the answer to a question at the moment.

use parking_lot::Mutex;
use std::collections::HashSet;

use askback_client::Client;
use askback_core::id::InquiryId;
use askback_wire::asker::DeliveryState;
use askback_wire::inquiry::InquiryResponse;

use crate::delivery::in_flight::InFlightQuestions;
use crate::delivery::report_delivery;

/// Questions that are remembered. Beyond that, remembering starts anew.
const REMEMBERED_MAX: usize = 10_000;

/// Which questions nobody waits for any more. A process that is killed says nothing, and neither do people hear
/// anything then.
pub(crate) struct Attachments {
    client: Client,
    /// The questions that calls wait for.
    in_flight: InFlightQuestions,
    /// Those of which the server was told that the agent has stopped waiting.
    detached: Mutex<HashSet<InquiryId>>,
}

impl Attachments {
    pub(crate) fn new(client: Client, in_flight: InFlightQuestions) -> Attachments {
        Attachments {
            client,
            in_flight,
            detached: Mutex::default(),
        }
    }

    /// Says that the agent waits, if people were told that it does not.
    pub(crate) async fn attach(&self, inquiry: &InquiryResponse) {
        let is_known = inquiry.asker.as_ref().is_some_and(|asker| asker.detached);
        let was_told = self.detached.lock().remove(&inquiry.id);
        if !inquiry.status.is_resolved() && (is_known || was_told) {
            report_delivery(&self.client, &inquiry.id, DeliveryState::Attached).await;
        }
    }

    /// Says that the agent has stopped waiting, unless another call waits for the same question.
    pub(crate) async fn detach(&self, id: &InquiryId) {
        if self.in_flight.contains(id) {
            return;
        }
        self.remember(id);
        report_delivery(&self.client, id, DeliveryState::Detached).await;
        // A call may have begun to wait meanwhile, and reported it first.
        if self.in_flight.contains(id) {
            report_delivery(&self.client, id, DeliveryState::Attached).await;
        }
    }

    /// Says that the agent is gone, for every question that a call waits for.
    pub(crate) async fn detach_all(&self) {
        for id in self.in_flight.ids() {
            report_delivery(&self.client, &id, DeliveryState::Detached).await;
        }
    }

    fn remember(&self, id: &InquiryId) {
        let mut detached = self.detached.lock();
        if detached.len() > REMEMBERED_MAX {
            detached.clear();
        }
        detached.insert(id.clone());
    }
}
