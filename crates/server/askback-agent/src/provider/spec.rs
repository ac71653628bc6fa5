//! The value of `--provider`, and how to open the provider that it names.

use std::path::PathBuf;
use std::str::FromStr;
use std::sync::Arc;

use askback_engine::ports::Llm;

use super::{Protocol, Provider, ProviderSettings, ProviderSettingsError};
use crate::scripted::{Script, ScriptError, ScriptedLlm};

/// A provider as `--provider` names it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ProviderSpec {
    /// A model behind HTTP.
    Model(Protocol),
    /// The demo script that comes with the binary.
    Demo,
    /// A script file.
    Script(PathBuf),
}

/// `--provider` names no provider.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("a provider is `anthropic`, `openai`, `openai-responses`, `scripted` or `scripted:FILE`")]
pub struct UnknownProvider;

/// Why a provider cannot be opened.
#[derive(Debug, thiserror::Error)]
pub enum ProviderOpenError {
    /// See [`ProviderSettingsError`].
    #[error(transparent)]
    Settings(#[from] ProviderSettingsError),
    /// See [`ScriptError`].
    #[error(transparent)]
    Script(#[from] ScriptError),
}

impl FromStr for ProviderSpec {
    type Err = UnknownProvider;

    fn from_str(name: &str) -> Result<ProviderSpec, UnknownProvider> {
        match name {
            "anthropic" => Ok(ProviderSpec::Model(Protocol::Anthropic)),
            "openai" => Ok(ProviderSpec::Model(Protocol::OpenAiChat)),
            "openai-responses" => Ok(ProviderSpec::Model(Protocol::OpenAiResponses)),
            "scripted" => Ok(ProviderSpec::Demo),
            _ => match name.strip_prefix("scripted:") {
                Some(file) if !file.is_empty() => Ok(ProviderSpec::Script(file.into())),
                _ => Err(UnknownProvider),
            },
        }
    }
}

impl ProviderSpec {
    /// Opens the provider. `configure` adjusts the settings of a model; scripts have none.
    pub fn open(
        self,
        configure: impl FnOnce(&mut ProviderSettings),
    ) -> Result<Arc<dyn Llm>, ProviderOpenError> {
        match self {
            ProviderSpec::Model(protocol) => {
                let mut settings = ProviderSettings::new(protocol);
                configure(&mut settings);
                Ok(Arc::new(Provider::new(settings)?))
            }
            ProviderSpec::Demo => Ok(Arc::new(ScriptedLlm::demo()?)),
            ProviderSpec::Script(path) => Ok(Arc::new(ScriptedLlm::new(Script::read(&path)?))),
        }
    }
}
