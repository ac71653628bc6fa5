//! Delivers outcomes and reminders to webhook URLs. They were committed and published before, so a
//! slow receiver delays nothing.

use std::time::Duration;

use askback_core::id::InquiryId;
use askback_store::{JobId, JobRow, StoreError};
use askback_stored::{StoredWebhookJob, WebhookEvent};
use jiff::{SignedDuration, Timestamp};

use super::queue::host_and_port;
use super::start::{finish_job, replace_job};
use crate::commit::json;
use crate::engine::{Engine, Inner};
use crate::metrics::{WEBHOOK_DELIVERED, WEBHOOK_FAILED, WEBHOOK_GIVEN_UP, label};
use crate::ports::WebhookDelivery;
use crate::view::InquiryView;

const DELIVERY_TIMEOUT: Duration = Duration::from_secs(30);
/// With exponential backoff this is about six hours.
const ATTEMPTS: u32 = 16;
/// How long a delivery that was given up can be tried again.
const KEPT: SignedDuration = SignedDuration::from_hours(24 * 7);
/// What the names of all queues of webhooks begin with.
const QUEUES: &str = "webhook ";

/// A webhook that was not delivered yet.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct QueuedWebhook {
    /// The number of its job.
    pub id: JobId,
    /// The inquiry that it is about.
    pub inquiry: InquiryId,
    /// Why it is sent.
    pub event: WebhookEvent,
    /// The host and port of its URL. The rest may contain secrets of the receiver.
    pub host: String,
    /// How often it was tried.
    pub attempts: u32,
    /// Why the last attempt failed.
    pub last_error: Option<String>,
    /// When it is tried next; `None` if it was given up.
    pub next_attempt_at: Option<Timestamp>,
}

/// The webhooks that were not delivered yet.
pub struct WebhookQueue<'a>(pub(crate) &'a Inner);

impl WebhookQueue<'_> {
    /// Up to `limit` of them after a number.
    pub async fn list(&self, after: JobId, limit: usize) -> Result<Vec<QueuedWebhook>, StoreError> {
        let rows = self.0.parts.store.list_jobs(QUEUES, after, limit).await?;
        Ok(rows.iter().filter_map(queued).collect())
    }

    /// Tries a webhook again now, as often as the first time. False if there is none with this number.
    pub async fn retry(&self, id: JobId) -> Result<bool, StoreError> {
        let store = &self.0.parts.store;
        let rows = store.list_jobs(QUEUES, id.saturating_sub(1), 1).await?;
        let Some(row) = rows.into_iter().find(|row| row.id == id) else {
            return Ok(false);
        };
        // It is being sent.
        if self.0.running.is_ours(id) {
            return Ok(true);
        }
        let Ok(mut job) = askback_stored::from_json::<StoredWebhookJob>(&row.json) else {
            return Ok(false);
        };
        job.given_up = false;
        job.attempts_before = row.attempt;
        let now = self.0.parts.clock.now();
        store.replace_job(id, now, json(&job)?).await?;
        self.0.job_waker.wake(None);
        Ok(true)
    }
}

fn queued(row: &JobRow) -> Option<QueuedWebhook> {
    let job: StoredWebhookJob = askback_stored::from_json(&row.json).ok()?;
    Some(QueuedWebhook {
        id: row.id,
        event: job.event(),
        inquiry: job.inquiry,
        host: host_and_port(&job.url),
        attempts: row.attempt,
        last_error: job.last_error,
        next_attempt_at: (!job.given_up).then_some(row.run_at),
    })
}

pub(super) async fn run(engine: &Engine, row: JobRow) {
    let job = match askback_stored::from_json::<StoredWebhookJob>(&row.json) {
        Ok(job) => job,
        Err(error) => {
            tracing::error!(%error, job = row.id, "cannot parse a webhook job");
            return finish_job(engine, row.id).await;
        }
    };
    if job.given_up {
        return finish_job(engine, row.id).await;
    }
    let delivered = tokio::select! {
        biased;
        delivered = deliver(engine, row.id, &job) => delivered,
        // The job stays in the store, and the next server delivers it again.
        () = engine.inner.shutdown.wait_until_closing() => return,
    };
    match delivered {
        Ok(()) => {
            count(engine, WEBHOOK_DELIVERED);
            finish_job(engine, row.id).await;
        }
        Err(error) => failed(engine, &row, job, error).await,
    }
}

fn count(engine: &Engine, result: &'static str) {
    let webhooks = &engine.metrics().webhooks;
    webhooks.get_or_create(&label("result", result)).inc();
}

/// Schedules the next attempt, or gives up. Names the host alone: the rest of the URL may contain secrets of the receiver.
async fn failed(engine: &Engine, row: &JobRow, mut job: StoredWebhookJob, error: String) {
    let host = host_and_port(&job.url);
    let attempt = row.attempt.saturating_sub(job.attempts_before);
    let given_up = attempt >= ATTEMPTS;
    let inquiry = &job.inquiry;
    let pause = if given_up {
        tracing::warn!(%inquiry, host, attempt, error, "gave up on a webhook; `askback webhooks retry` tries it again");
        KEPT
    } else {
        tracing::warn!(%inquiry, host, attempt, error, "a webhook was not delivered; will retry");
        SignedDuration::from_secs(i64::from(1_u32 << attempt.min(12)))
    };
    job.last_error = Some(error);
    job.given_up = given_up;
    replace_job(engine, row, engine.clock().now() + pause, &job).await;
    count(engine, WEBHOOK_FAILED);
    if given_up {
        count(engine, WEBHOOK_GIVEN_UP);
    }
}

/// `Ok` if nothing is left to do: it was delivered, or never can be.
async fn deliver(engine: &Engine, id: JobId, job: &StoredWebhookJob) -> Result<(), String> {
    match engine.store().inquiry(&job.inquiry).await {
        // The inquiry was resolved in the meantime, so a reminder would be wrong.
        Ok(Some(row))
            if job.event() == WebhookEvent::InquiryReminder && row.resolution.is_some() =>
        {
            Ok(())
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
                    () = engine.clock().sleep(DELIVERY_TIMEOUT) => Err("no response in time".to_owned()),
                }
            }
            Err(error) => {
                tracing::error!(%error, inquiry = %job.inquiry, "cannot parse an inquiry for its webhook");
                Ok(())
            }
        },
        Ok(None) => Ok(()),
        Err(error) => Err(format!("the store cannot be read: {error}")),
    }
}

#[cfg(test)]
#[path = "webhook_tests.rs"]
mod tests;
