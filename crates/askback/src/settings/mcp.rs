//! How agents over MCP are served.

use askback_core::dialect::Dialect;
use askback_locale::Locale;
use askback_mcp::{Elicitation, McpOptions};
use askback_wire::duration::HumanDuration;
use askback_wire::elicitation_form::FormWords;
use clap::ValueEnum;
use serde::Deserialize;

use super::variable;

/// The `[mcp]` table of the configuration file.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(crate) struct McpSettings {
    pub(crate) tools: Vec<Dialect>,
    pub(crate) hold: Option<HumanDuration>,
    pub(crate) elicitation: ElicitationSetting,
    pub(crate) instant_reply: Option<HumanDuration>,
    /// Whether the endpoint serves the fixtures of the conformance suite.
    #[cfg(feature = "conformance")]
    #[serde(skip)]
    pub(crate) conformance: bool,
}

/// Whether dialogs of the agent's own client show questions, too.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, ValueEnum, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum ElicitationSetting {
    /// Only the inbox shows them.
    Off,
    /// If the client says that it has dialogs; never in goose, which exits if it has no terminal.
    #[default]
    Auto,
    /// If the client says that it has dialogs.
    Always,
}

impl From<ElicitationSetting> for Elicitation {
    fn from(setting: ElicitationSetting) -> Elicitation {
        match setting {
            ElicitationSetting::Off => Elicitation::Off,
            ElicitationSetting::Auto => Elicitation::Auto,
            ElicitationSetting::Always => Elicitation::Always,
        }
    }
}

impl McpSettings {
    pub(crate) fn options(&self) -> McpOptions {
        let mut options = McpOptions::default();
        if !self.tools.is_empty() {
            options.dialects.clone_from(&self.tools);
        }
        options.hold = self.hold.map(HumanDuration::std_duration);
        options.elicitation = self.elicitation.into();
        if let Some(limit) = self.instant_reply {
            options.instant_reply = limit.std_duration();
        }
        options.form_words = form_words(Locale::from_env(variable));
        options
    }
}

fn form_words(locale: Locale) -> FormWords {
    let text = |id: &str| locale.text(id, &[]);
    FormWords {
        locale: locale.tag().to_owned(),
        answer: text("form-answer"),
        several_questions: text("form-questions"),
        other: text("other"),
        recommended: text("recommended"),
        first_day: text("form-first-day"),
        last_day: text("form-last-day"),
        skip: text("form-skip"),
    }
}
