//! Which provider to use, as `--provider` names it.

use std::path::PathBuf;
use std::str::FromStr;
use std::sync::Arc;

use askback_engine::ports::Llm;

use super::{Provider, Settings, SettingsError, Wire};
use crate::scripted::{Script, ScriptError, ScriptedLlm};

/// A provider by its name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Choice {
    /// A model behind HTTP.
    Model(Wire),
    /// The demonstration that needs no key.
    Demo,
    /// A script of one's own.
    Script(PathBuf),
}

/// The name of a provider that does not exist.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("a provider is `anthropic`, `openai`, `scripted` or `scripted:FILE`")]
pub struct UnknownChoice;

/// Why a provider cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum OpenError {
    /// Its settings are wrong.
    #[error(transparent)]
    Settings(#[from] SettingsError),
    /// Its script is wrong.
    #[error(transparent)]
    Script(#[from] ScriptError),
}

impl FromStr for Choice {
    type Err = UnknownChoice;

    fn from_str(name: &str) -> Result<Choice, UnknownChoice> {
        match name {
            "anthropic" => Ok(Choice::Model(Wire::Anthropic)),
            "openai" => Ok(Choice::Model(Wire::OpenAi)),
            "scripted" => Ok(Choice::Demo),
            _ => match name.strip_prefix("scripted:") {
                Some(file) if !file.is_empty() => Ok(Choice::Script(file.into())),
                _ => Err(UnknownChoice),
            },
        }
    }
}

impl Choice {
    /// Opens the provider. `configure` sets what was configured for a model behind HTTP, and is not
    /// asked for a script.
    pub fn open(self, configure: impl FnOnce(&mut Settings)) -> Result<Arc<dyn Llm>, OpenError> {
        match self {
            Choice::Model(wire) => {
                let mut settings = Settings::new(wire);
                configure(&mut settings);
                Ok(Arc::new(Provider::new(settings)?))
            }
            Choice::Demo => Ok(Arc::new(ScriptedLlm::demo()?)),
            Choice::Script(path) => Ok(Arc::new(ScriptedLlm::new(Script::read(&path)?))),
        }
    }
}
