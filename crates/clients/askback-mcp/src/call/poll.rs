//! Waits for the outcome of a question, and tells the client meanwhile that its call is alive.

use parking_lot::Mutex;
use std::collections::HashMap;
use std::time::Duration;

use askback_client::{Client, ClientError};
use askback_core::id::InquiryId;
use askback_wire::duration::HumanDuration;
use askback_wire::inquiry::InquiryResponse;
use rmcp::model::ProgressNotificationParam;
use tokio::time::Instant;

use crate::call::executor::Caller;
use crate::call::retry::{is_unreachable, retry_delay};
use crate::texts::waiting_for_user;

/// The duration of one long poll. Progress notifications are sent between two polls.
const POLL_INTERVAL: Duration = Duration::from_secs(10);

/// Questions whose pending results are counted. Beyond that, counting starts anew.
const PENDING_COUNTS_MAX: usize = 10_000;

/// Pending results in a row, by question.
#[derive(Default)]
pub(crate) struct PendingCounts(Mutex<HashMap<InquiryId, u32>>);

impl PendingCounts {
    /// The number of pending results in a row, including this one.
    pub(crate) fn count(&self, id: &InquiryId) -> u32 {
        let mut counts = self.0.lock();
        if counts.len() > PENDING_COUNTS_MAX {
            counts.clear();
        }
        let count = counts.entry(id.clone()).or_default();
        *count += 1;
        *count
    }

    pub(crate) fn reset(&self, id: &InquiryId) {
        self.0.lock().remove(id);
    }
}

/// Polls until the question has an outcome or the wait limit is reached.
pub(crate) async fn poll_until_resolved(
    client: &Client,
    mut inquiry: InquiryResponse,
    caller: &Caller,
) -> Result<InquiryResponse, ClientError> {
    let started = Instant::now();
    let mut failures = 0;
    let mut reported = None;
    while !inquiry.status.is_resolved() {
        let waited = started.elapsed();
        let left = caller
            .wait_limit
            .map_or(POLL_INTERVAL, |limit| limit.saturating_sub(waited));
        if left.is_zero() {
            break;
        }
        // The numbers must increase.
        let seconds = waited.as_secs();
        if reported.is_none_or(|before| before < seconds) {
            reported = Some(seconds);
            caller.report_progress(&inquiry, seconds).await;
        }
        let timeout = u64::try_from(left.min(POLL_INTERVAL).as_millis()).unwrap_or(u64::MAX);
        let polled = client
            .poll_inquiry(&inquiry.id, HumanDuration::from_millis(timeout))
            .await;
        match polled {
            Ok(polled) => {
                inquiry = polled;
                failures = 0;
            }
            Err(error) if is_unreachable(&error) => {
                tracing::info!(%error, "the server is gone; waiting for another one");
                failures += 1;
                tokio::time::sleep(retry_delay(failures).min(left)).await;
            }
            Err(error) => return Err(error),
        }
    }
    Ok(inquiry)
}

impl Caller {
    /// Tells the client that the call is alive, if it asked for progress notifications.
    async fn report_progress(&self, inquiry: &InquiryResponse, seconds: u64) {
        let Some((peer, token)) = &self.progress else {
            return;
        };
        let message = format!("{} ({seconds} s)", waiting_for_user(inquiry));
        let progress = Duration::from_secs(seconds).as_secs_f64();
        let progress = ProgressNotificationParam::new(token.clone(), progress);
        let sent = peer.notify_progress(progress.with_message(message)).await;
        if let Err(error) = sent {
            tracing::debug!(%error, "cannot send progress");
        }
    }
}
