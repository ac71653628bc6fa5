//! Which language model thinks.

use std::sync::Arc;

use askback_agent::provider::{ApiKey, Choice};
use askback_engine::ports::Llm;

use crate::settings::{Settings, variable};

/// The provider that is asked for; without one, the scripted agent that needs no key.
pub(crate) fn choose(settings: &Settings) -> anyhow::Result<Arc<dyn Llm>> {
    let choice: Choice = settings.provider.as_deref().unwrap_or("scripted").parse()?;
    let llm = choice.open(|model| {
        let key = settings
            .api_key
            .clone()
            .or_else(|| variable(model.wire.key_variable()));
        model.key = key.as_deref().and_then(ApiKey::new);
        model.base_url.clone_from(&settings.base_url);
        model.model.clone_from(&settings.model);
        model.stream = settings.stream;
    })?;
    Ok(llm)
}
