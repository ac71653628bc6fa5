//! Metrics for Prometheus. They contain no texts of questions or answers.

use std::sync::Arc;

use axum::extract::{MatchedPath, Request, State};
use axum::http::Method;
use axum::middleware::Next;
use axum::response::Response;
use prometheus_client::encoding::EncodeLabelSet;
use prometheus_client::encoding::text::encode;
use prometheus_client::metrics::counter::Counter;
use prometheus_client::metrics::family::Family;
use prometheus_client::metrics::gauge::Gauge;
use prometheus_client::registry::Registry;

pub(crate) struct Metrics {
    registry: Registry,
    requests: Family<RequestLabels, Counter>,
    pub(crate) streams: Gauge,
    transactions: Counter,
    pending: Gauge,
}

#[derive(Debug, Clone, PartialEq, Eq, Hash, EncodeLabelSet)]
struct RequestLabels {
    route: String,
    method: &'static str,
    status: u32,
}

impl Metrics {
    pub(crate) fn new() -> Metrics {
        let mut registry = Registry::with_prefix("askback");
        let requests = Family::default();
        let streams = Gauge::default();
        let transactions = Counter::default();
        let pending = Gauge::default();
        registry.register(
            "http_requests",
            "Requests by route and status",
            requests.clone(),
        );
        registry.register("event_streams", "Feeds that are open", streams.clone());
        registry.register(
            "store_transactions",
            "Transactions written, each of which waited for the disk",
            transactions.clone(),
        );
        registry.register(
            "pending_inquiries",
            "Inquiries without an outcome, of all nodes",
            pending.clone(),
        );
        Metrics {
            registry,
            requests,
            streams,
            transactions,
            pending,
        }
    }

    /// All metrics in the text format. `transactions` is the counter of the store; `pending` is missing
    /// if the store cannot be read, and keeps its last value then.
    pub(crate) fn text(&self, transactions: Option<u64>, pending: Option<u64>) -> String {
        if let Some(pending) = pending {
            self.pending.set(i64::try_from(pending).unwrap_or(i64::MAX));
        }
        let counted = self.transactions.get();
        self.transactions
            .inc_by(transactions.unwrap_or(counted).saturating_sub(counted));
        let mut text = String::new();
        if let Err(error) = encode(&mut text, &self.registry) {
            tracing::warn!(%error, "cannot encode the metrics");
        }
        text
    }
}

/// Counts a request by route, not by path, which contains ids.
pub(crate) async fn count(
    State(metrics): State<Arc<Metrics>>,
    request: Request,
    next: Next,
) -> Response {
    let route = request
        .extensions()
        .get::<MatchedPath>()
        .map(|path| path.as_str().to_owned());
    let method = method_label(request.method());
    let response = next.run(request).await;
    let labels = RequestLabels {
        route: route.unwrap_or_else(|| "none".to_owned()),
        method,
        status: u32::from(response.status().as_u16()),
    };
    metrics.requests.get_or_create(&labels).inc();
    response
}

/// A method as a label: a standard HTTP method, or `other`, because a client can send any text.
fn method_label(method: &Method) -> &'static str {
    const KNOWN: [&str; 9] = [
        "GET", "HEAD", "POST", "PUT", "DELETE", "OPTIONS", "PATCH", "CONNECT", "TRACE",
    ];
    let known = KNOWN.into_iter().find(|known| *known == method.as_str());
    known.unwrap_or("other")
}
