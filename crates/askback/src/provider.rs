//! Which language model thinks.

use std::path::Path;
use std::sync::Arc;

use anyhow::{Context as _, bail};
use askback_agent::scripted::{Script, ScriptedLlm};
use askback_engine::ports::Llm;

use crate::settings::Settings;

/// The provider that is asked for; without one, the scripted agent that needs no key.
pub(crate) fn choose(settings: &Settings) -> anyhow::Result<Arc<dyn Llm>> {
    match settings.provider.as_deref() {
        None | Some("scripted") => Ok(Arc::new(ScriptedLlm::demo()?)),
        Some(name) => match name.strip_prefix("scripted:") {
            Some(path) => {
                let path = Path::new(path);
                let text = std::fs::read_to_string(path)
                    .with_context(|| format!("cannot read the script {}", path.display()))?;
                let script = Script::parse(&text)
                    .with_context(|| format!("the script {} is not right", path.display()))?;
                Ok(Arc::new(ScriptedLlm::new(script)))
            }
            None => bail!("--provider takes anthropic, openai or scripted:FILE"),
        },
    }
}
