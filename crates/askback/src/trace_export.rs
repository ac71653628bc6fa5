//! Where the spans of requests go that the server makes: to an OpenTelemetry collector, by OTLP over HTTP.

use anyhow::Context as _;
use opentelemetry::{KeyValue, global};
use opentelemetry_otlp::{Protocol, SpanExporter, WithExportConfig as _};
use opentelemetry_sdk::Resource;
use opentelemetry_sdk::trace::SdkTracerProvider;

use crate::settings::variable;

/// The library reads it, too, with the other `OTEL_` variables.
const ENDPOINT: &str = "OTEL_EXPORTER_OTLP_ENDPOINT";

/// Exports while `run` runs, if there is a collector, and then what is left. Call it outside of a runtime: sending blocks.
pub(crate) fn during<T>(run: impl FnOnce() -> anyhow::Result<T>) -> anyhow::Result<T> {
    if variable(ENDPOINT).is_none() {
        return run();
    }
    // reqwest has none of its own here. Another part of the program may have set the same.
    drop(rustls::crypto::ring::default_provider().install_default());
    let exporter = SpanExporter::builder()
        .with_http()
        .with_protocol(Protocol::HttpBinary)
        .build()
        .with_context(|| format!("cannot export to {ENDPOINT}"))?;
    let name = variable("OTEL_SERVICE_NAME").unwrap_or_else(|| "askback".to_owned());
    let version = KeyValue::new("service.version", env!("CARGO_PKG_VERSION"));
    let resource = Resource::builder().with_service_name(name);
    let provider = SdkTracerProvider::builder()
        .with_batch_exporter(exporter)
        .with_resource(resource.with_attribute(version).build())
        .build();
    global::set_tracer_provider(provider.clone());
    let ran = run();
    if let Err(error) = provider.shutdown() {
        tracing::warn!(%error, "the last traces were not exported");
    }
    ran
}
