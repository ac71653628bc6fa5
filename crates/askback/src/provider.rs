//! The model provider of a server in this process.

use std::io::Write as _;
use std::sync::Arc;
use std::time::Duration;

use askback_agent::provider::{ApiKey, ProviderSpec};
use askback_core::conversation::command::RawReply;
use askback_engine::ports::{Llm, LlmFailure, LlmRequest, PortFuture, TokenSink};
use askback_wire::duration::HumanDuration;

use crate::output;
use crate::settings::{Settings, variable};

/// The configured provider, or the scripted demo agent, which needs no API key.
pub(crate) fn or_scripted(settings: &Settings) -> anyhow::Result<Arc<dyn Llm>> {
    let spec: ProviderSpec = settings.provider.as_deref().unwrap_or("scripted").parse()?;
    let llm = spec.open(|model| {
        let key = settings
            .api_key
            .clone()
            .or_else(|| variable(model.protocol.key_variable()));
        model.key = key.as_deref().and_then(ApiKey::new);
        model.base_url.clone_from(&settings.base_url);
        model.model.clone_from(&settings.model);
        model.stream = settings.stream;
        let limit = settings.reply_timeout.map(HumanDuration::duration);
        if let Some(limit) = limit.and_then(|limit| Duration::try_from(limit).ok()) {
            model.reply_timeout = limit;
        }
    })?;
    Ok(llm)
}

/// The same; warns if it cannot reply, so that this is known before the first message.
pub(crate) fn or_scripted_checked(settings: &Settings) -> anyhow::Result<Arc<dyn Llm>> {
    let llm = or_scripted(settings)?;
    if let Some(problem) = llm.setup_problem() {
        // Without standard error there is nobody to warn.
        drop(writeln!(output::stderr(), "askback: {problem}"));
    }
    Ok(llm)
}

/// The configured provider, or none. Then model requests wait for a server that has one: a command
/// such as `list` must not let the demo agent reply in place of a model.
pub(crate) fn or_none(settings: &Settings) -> anyhow::Result<Arc<dyn Llm>> {
    match settings.provider {
        Some(_) => or_scripted(settings),
        None => Ok(Arc::new(NoProvider)),
    }
}

/// Never replies. The request stays due for the next server.
struct NoProvider;

impl Llm for NoProvider {
    fn request<'a>(
        &'a self,
        _: LlmRequest,
        _: &'a dyn TokenSink,
    ) -> PortFuture<'a, Result<RawReply, LlmFailure>> {
        Box::pin(std::future::pending())
    }

    fn can_continue(&self, _: Option<&str>) -> bool {
        false
    }
}

#[cfg(test)]
#[path = "provider_tests.rs"]
mod tests;
