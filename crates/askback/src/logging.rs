//! Logs to standard error. Log lines contain ids, never answers.

use tracing_subscriber::filter::{LevelFilter, Targets};
use tracing_subscriber::layer::SubscriberExt as _;
use tracing_subscriber::util::SubscriberInitExt as _;

use crate::args::LogFormat;
use crate::output;
use crate::settings::variable;

/// `ASKBACK_LOG` sets a level, or levels by target, as in `askback=debug`.
pub(crate) fn start(format: LogFormat) {
    let wanted = variable("ASKBACK_LOG");
    let targets = wanted
        .as_deref()
        .and_then(|wanted| wanted.parse::<Targets>().ok());
    let filter = targets.unwrap_or_else(|| Targets::new().with_default(LevelFilter::INFO));
    // The MCP library logs whole messages, which contain answers.
    let default = filter.default_level().unwrap_or(LevelFilter::OFF);
    let own = filter
        .into_iter()
        .filter(|(target, _)| !target.starts_with("rmcp"));
    let filter = Targets::new()
        .with_default(default)
        .with_targets(own)
        .with_target("rmcp", LevelFilter::OFF);
    let registry = tracing_subscriber::registry().with(filter);
    let layer = tracing_subscriber::fmt::layer()
        .with_writer(output::stderr)
        // Colours of the log could not be told from those in a text of somebody else's.
        .with_ansi(false);
    let started = match format {
        LogFormat::Json => registry.with(layer.json()).try_init(),
        LogFormat::Pretty => registry.with(layer.with_target(false)).try_init(),
    };
    // A second start in one process keeps the first logger.
    debug_assert!(started.is_ok());
}
