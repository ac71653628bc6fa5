//! Tells the outside about an outcome, or that a deadline is near. It never delays the question: what
//! it tells is committed and published before this begins.

use std::time::Duration;

use askback_store::JobRow;
use jiff::SignedDuration;

use crate::commit::{WebhookEvent, WebhookJob};
use crate::engine::Engine;
use crate::storage_format;
use crate::view;

/// How long one delivery may take, whatever its receiver does.
const DELIVERY_MAX: Duration = Duration::from_secs(30);
/// Deliveries that are tried before it is given up: about six hours with the pauses between them.
const ATTEMPTS: u32 = 16;

pub(super) async fn run(engine: &Engine, row: JobRow) {
    let delivered = match storage_format::parse::<WebhookJob>(&row.json) {
        Ok(job) => deliver(engine, &job).await,
        Err(error) => {
            tracing::error!(%error, job = row.id, "a webhook cannot be read");
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

/// True if there is nothing left to do.
async fn deliver(engine: &Engine, job: &WebhookJob) -> bool {
    match engine.store().inquiry(&job.inquiry).await {
        // A reminder of what has its outcome by now would only confuse.
        Ok(Some(row)) if job.event == WebhookEvent::InquiryReminder && row.resolution.is_some() => {
            true
        }
        Ok(Some(row)) => match view::webhook_body(&row, job.event) {
            Ok(body) => {
                let delivering = engine.inner.parts.webhooks.deliver(&job.url, &body);
                tokio::select! {
                    delivered = delivering => delivered,
                    () = engine.clock().sleep(DELIVERY_MAX) => false,
                }
            }
            Err(error) => {
                tracing::error!(%error, inquiry = %job.inquiry, "an outcome cannot be read");
                true
            }
        },
        Ok(None) => true,
        Err(error) => {
            tracing::warn!(%error, inquiry = %job.inquiry, "cannot read an outcome yet");
            false
        }
    }
}
