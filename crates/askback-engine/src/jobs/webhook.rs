//! Delivers outcomes and reminders to webhook URLs. They were committed and published before, so a
//! slow receiver delays nothing.

use std::time::Duration;

use askback_store::{JobId, JobRow};
use askback_stored::{StoredWebhookJob, WebhookEvent};
use jiff::SignedDuration;

use crate::engine::Engine;
use crate::ports::WebhookDelivery;
use crate::view::InquiryView;

const DELIVERY_TIMEOUT: Duration = Duration::from_secs(30);
/// With exponential backoff this is about six hours.
const ATTEMPTS: u32 = 16;

pub(super) async fn run(engine: &Engine, row: JobRow) {
    let delivered = match askback_stored::from_json::<StoredWebhookJob>(&row.json) {
        Ok(job) => tokio::select! {
            biased;
            delivered = deliver(engine, row.id, &job) => delivered,
            // The job stays in the store, and the next server delivers it again.
            () = engine.inner.shutdown.wait_until_closing() => return,
        },
        Err(error) => {
            tracing::error!(%error, job = row.id, "cannot parse a webhook job");
            true
        }
    };
    if delivered || row.attempt >= ATTEMPTS {
        engine.finish_job(row.id).await;
        return;
    }
    let pause = SignedDuration::from_secs(i64::from(1_u32 << row.attempt.min(12)));
    let at = engine.clock().now() + pause;
    engine.release_job(&row, at).await;
}

/// Returns true if nothing is left to do: it was delivered, or never can be.
async fn deliver(engine: &Engine, id: JobId, job: &StoredWebhookJob) -> bool {
    match engine.store().inquiry(&job.inquiry).await {
        // The inquiry was resolved in the meantime, so a reminder would be wrong.
        Ok(Some(row))
            if job.event() == WebhookEvent::InquiryReminder && row.resolution.is_some() =>
        {
            true
        }
        Ok(Some(row)) => match InquiryView::from_row(row) {
            Ok(view) => {
                let delivering = engine.inner.parts.webhooks.deliver(WebhookDelivery {
                    id: format!("{}-{id}", job.inquiry),
                    url: &job.url,
                    event: job.event(),
                    inquiry: &view,
                });
                tokio::select! {
                    biased;
                    delivered = delivering => delivered,
                    () = engine.clock().sleep(DELIVERY_TIMEOUT) => false,
                }
            }
            Err(error) => {
                tracing::error!(%error, inquiry = %job.inquiry, "cannot parse an inquiry for its webhook");
                true
            }
        },
        Ok(None) => true,
        Err(error) => {
            tracing::warn!(%error, inquiry = %job.inquiry, "cannot read an inquiry for its webhook; will retry");
            false
        }
    }
}
