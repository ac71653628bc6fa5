//! All metrics of a server, in one table. They contain no texts of questions or answers, and no ids.
//!
//! Counters belong to this process. What waits in the store is counted when somebody asks for it
//! ([`Metrics::set_backlog`]), and is the same on all nodes.

use std::borrow::Cow;
use std::time::Duration;

use askback_core::conversation::event::Event;
use askback_core::outcome::Outcome;
use askback_store::{Backlog, Sequence};
use jiff::Timestamp;
use prometheus_client::encoding::text::encode;
use prometheus_client::metrics::counter::Counter;
use prometheus_client::metrics::family::Family;
use prometheus_client::metrics::gauge::Gauge;
use prometheus_client::metrics::histogram::Histogram;
use prometheus_client::metrics::info::Info;
use prometheus_client::registry::Registry;

use crate::jobs::queue::Queue;
use crate::record::Record;

/// The labels of a metric. Each value comes from a fixed list or from the configuration, so that their number is bounded.
type Labels<const N: usize> = [(&'static str, Cow<'static, str>); N];
/// A counter with labels.
pub type LabelledCounter<const N: usize> = Family<Labels<N>, Counter>;
/// A gauge with a label.
pub type LabelledGauge = Family<Labels<1>, Gauge>;

macro_rules! metrics {
    ($($field:ident: $kind:ty = $make:expr, $name:literal, $help:literal;)+) => {
        /// What is measured.
        pub struct Metrics {
            registry: Registry,
            $(#[doc = $help] pub $field: $kind,)+
        }

        impl Default for Metrics {
            fn default() -> Metrics {
                let mut registry = Registry::with_prefix("askback");
                let build = Info::new([("version", env!("CARGO_PKG_VERSION"))]);
                registry.register("build", "The version of this server", build);
                $(
                    let $field: $kind = $make;
                    registry.register($name, $help, $field.clone());
                )+
                Metrics { registry, $($field,)+ }.with_known_labels()
            }
        }
    };
}

metrics! {
    requests: LabelledCounter<3> = LabelledCounter::default(), "http_requests", "Requests by route, method and status";
    streams: Gauge = Gauge::default(), "event_streams", "Feeds that are open";
    asked: Counter = Counter::default(), "inquiries_asked", "Inquiries asked";
    refused: LabelledCounter<1> = LabelledCounter::default(), "inquiries_refused", "Requests to ask that were refused, by reason";
    outcomes: LabelledCounter<2> = LabelledCounter::default(), "inquiry_outcomes", "Inquiries that ended, by outcome and surface";
    answer_time: Histogram = Histogram::new(ANSWER_SECONDS), "inquiry_answer_seconds", "Time from question to answer";
    pending: Gauge = Gauge::default(), "pending_inquiries", "Inquiries without an outcome, of all nodes";
    oldest_pending: Gauge = Gauge::default(), "oldest_pending_seconds", "Age of the oldest inquiry without an outcome, of all nodes";
    agent_deliveries: LabelledCounter<1> = LabelledCounter::default(), "agent_deliveries", "Deliveries of outcomes to the agents that asked, by result";
    channel_messages: LabelledCounter<2> = LabelledCounter::default(), "channel_messages", "Messages that channels sent or edited, by channel and result";
    channel_messages_waiting: LabelledGauge = LabelledGauge::default(), "channel_messages_waiting", "Messages of channels that are due or tried again later, of all nodes";
    webhooks: LabelledCounter<1> = LabelledCounter::default(), "webhooks", "Attempts to deliver webhooks, by result";
    job_runs: LabelledCounter<1> = LabelledCounter::default(), "job_runs", "Jobs that were started, by queue";
    job_retries: LabelledCounter<1> = LabelledCounter::default(), "job_retries", "Jobs that failed and are tried again, by queue";
    jobs_waiting: LabelledGauge = LabelledGauge::default(), "jobs_waiting", "Jobs that are running, due or due later, by queue, of all nodes";
    transactions: Counter = Counter::default(), "store_transactions", "Transactions written, each of which waited for the disk";
    commit_time: Histogram = Histogram::new(COMMIT_SECONDS), "store_commit_seconds", "Time that a decision waited for its commit";
    feed_lag: Gauge = Gauge::default(), "feed_lag_events", "Committed events that this node has not published yet";
}

const ANSWER_SECONDS: [f64; 12] = [
    1.0, 5.0, 15.0, 60.0, 300.0, 900.0, 3600.0, 14_400.0, 43_200.0, 86_400.0, 259_200.0, 604_800.0,
];
const COMMIT_SECONDS: [f64; 11] = [
    0.000_5, 0.001, 0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.5, 1.0, 5.0,
];

/// What becomes of an attempt to deliver a webhook.
pub(crate) const WEBHOOK_DELIVERED: &str = "delivered";
pub(crate) const WEBHOOK_FAILED: &str = "failed";
pub(crate) const WEBHOOK_GIVEN_UP: &str = "given_up";

impl Metrics {
    /// Rates need a counter before its first step, so those with few values begin with 0.
    fn with_known_labels(self) -> Metrics {
        for result in [WEBHOOK_DELIVERED, WEBHOOK_FAILED, WEBHOOK_GIVEN_UP] {
            self.webhooks.get_or_create_owned(&label("result", result));
        }
        for result in ["started", "delivered", "failed"] {
            let labels = label("result", result);
            self.agent_deliveries.get_or_create_owned(&labels);
        }
        for queue in Queue::KINDS {
            let labels = label("queue", queue);
            self.job_runs.get_or_create_owned(&labels);
            self.job_retries.get_or_create_owned(&labels);
        }
        self
    }

    /// Counts what a commit of this process asks and resolves.
    pub(crate) fn count_record(&self, record: &Record) {
        for (_, event) in &record.events {
            if let Event::InquiryAsked { .. } = event {
                self.asked.inc();
            } else if let Event::InquiryResolved {
                inquiry,
                resolution,
                ..
            } = event
            {
                let surface = askback_stored::surface_name(resolution.by.surface);
                let labels = [
                    ("outcome", resolution.outcome.name().into()),
                    ("surface", surface.into()),
                ];
                self.outcomes.get_or_create(&labels).inc();
                if matches!(resolution.outcome, Outcome::Answered { .. })
                    && let Some(view) = record.inquiry(inquiry)
                {
                    let taken = resolution.at.duration_since(view.row.asked_at);
                    self.answer_time.observe(taken.as_secs_f64());
                }
            }
        }
    }

    pub(crate) fn count_commit(&self, taken: Duration) {
        self.commit_time.observe(taken.as_secs_f64());
    }

    /// Sets what waits in the store.
    pub fn set_backlog(&self, backlog: &Backlog, now: Timestamp) {
        set(&self.pending, backlog.pending);
        let age = backlog.oldest_asked_at.map(|at| now.duration_since(at));
        self.oldest_pending
            .set(age.map_or(0, |age| age.as_secs().max(0)));
        for kind in Queue::KINDS {
            let of_kind = |(queue, _): &(&String, &u64)| queue.split(' ').next() == Some(kind);
            let jobs = backlog.jobs.iter().filter(of_kind);
            let gauge = self.jobs_waiting.get_or_create(&label("queue", kind));
            set(&gauge, jobs.map(|(_, count)| *count).sum());
        }
    }

    /// Sets how many messages of a channel wait.
    pub fn set_messages_waiting(&self, channel: &str, backlog: &Backlog) {
        let labels = [("channel", Cow::Owned(channel.to_owned()))];
        let gauge = self.channel_messages_waiting.get_or_create(&labels);
        set(&gauge, backlog.messages.get(channel).copied().unwrap_or(0));
    }

    /// Sets how far the feed of this node is behind the store.
    pub(crate) fn set_feed_lag(&self, newest: Sequence, published: Sequence) {
        set(&self.feed_lag, newest.saturating_sub(published));
    }

    /// Sets the counter of the store.
    pub fn set_transactions(&self, transactions: u64) {
        let counted = self.transactions.get();
        self.transactions
            .inc_by(transactions.saturating_sub(counted));
    }

    /// All metrics in the text format of `OpenMetrics`.
    pub fn text(&self) -> String {
        let mut text = String::new();
        if let Err(error) = encode(&mut text, &self.registry) {
            tracing::warn!(%error, "cannot encode the metrics");
        }
        text
    }
}

fn set(gauge: &Gauge, value: u64) {
    gauge.set(i64::try_from(value).unwrap_or(i64::MAX));
}

/// One label whose values are known.
pub(crate) fn label(name: &'static str, value: &'static str) -> Labels<1> {
    [(name, Cow::Borrowed(value))]
}

#[cfg(test)]
#[path = "metrics_tests.rs"]
mod tests;
