//! One app file: its fields, what is checked, and the app it makes.

use std::collections::BTreeMap;

use askback_core::conversation::policy::{AskRules, Policy};
use askback_core::dialect::Dialect;
use askback_engine::ports::App;
use serde::Deserialize;

use super::localised::{Locale, Localised};

/// Longest id.
const ID_CHARS_MAX: usize = 64;
/// Most tools an app lists.
const TOOLS_MAX: usize = 200;

/// The file.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct AppFile {
    /// What conversations name it by.
    id: String,
    /// What people call it.
    pub(super) name: Localised,
    /// What it does, in a sentence, for lists.
    #[serde(default)]
    description: Option<Localised>,
    /// The system prompt, without the guidance of the ask tools: that is added.
    system: Localised,
    /// The tools the model sees; `*` stands for all that do not ask.
    #[serde(default)]
    tools: Vec<String>,
    /// The model, if it must be this one.
    #[serde(default)]
    model: Option<String>,
    #[serde(default)]
    limits: Limits,
    #[serde(default)]
    policy: Rules,
}

#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
struct Limits {
    /// Most tokens of one reply.
    reply_tokens_max: Option<u32>,
    /// How many inquiries each ask tool may make in one conversation.
    inquiries_max: Option<u32>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
struct Rules {
    sub_agents_may_ask: bool,
    unattended: bool,
    clip_labels: bool,
    asks: BTreeMap<Dialect, AskOverrides>,
}

/// What differs from the rules that a dialect has by itself.
#[derive(Debug, Default, Clone, Copy, Deserialize)]
#[serde(deny_unknown_fields, default)]
struct AskOverrides {
    enabled: Option<bool>,
    standalone: Option<bool>,
    message_answers: Option<bool>,
    per_conversation_max: Option<u32>,
    expires_after_ms: Option<i64>,
}

impl AppFile {
    /// Reads a file, or says in a sentence what is wrong with it.
    pub(super) fn parse(text: &str) -> Result<AppFile, String> {
        let app: AppFile = serde_json::from_str(text)
            .map_err(|error| format!("not in the form of docs/apps.md: {error}"))?;
        match app.problem() {
            Some(problem) => Err(problem),
            None => Ok(app),
        }
    }

    fn problem(&self) -> Option<String> {
        let fits = |ch: char| ch.is_ascii_lowercase() || ch.is_ascii_digit() || "-_".contains(ch);
        if self.id.is_empty() || self.id.len() > ID_CHARS_MAX || !self.id.chars().all(fits) {
            return Some(format!(
                "`id` must be 1 to {ID_CHARS_MAX} of a-z, 0-9, - and _"
            ));
        }
        let texts = [
            ("name", Some(&self.name)),
            ("description", self.description.as_ref()),
            ("system", Some(&self.system)),
        ];
        for (field, text) in texts {
            if let Some(problem) = text.and_then(Localised::problem) {
                return Some(format!("`{field}` {problem}"));
            }
        }
        if self.tools.len() > TOOLS_MAX {
            return Some(format!("`tools` lists more than {TOOLS_MAX}"));
        }
        if self
            .model
            .as_deref()
            .is_some_and(|model| model.trim().is_empty())
        {
            return Some("`model` is empty; leave it out to use the configured one".to_owned());
        }
        if self.limits.reply_tokens_max == Some(0) {
            return Some("`limits.reply_tokens_max` must be at least 1".to_owned());
        }
        let expires = |rules: &AskOverrides| rules.expires_after_ms.is_some_and(|ms| ms <= 0);
        if self.policy.asks.values().any(expires) {
            return Some(
                "`expires_after_ms` must be at least 1; leave it out for never".to_owned(),
            );
        }
        self.tools.iter().enumerate().find_map(|(index, name)| {
            if self.tools[..index].contains(name) {
                return Some(format!("`tools` lists \"{name}\" twice"));
            }
            tool_problem(name)
        })
    }

    /// The sentence on what it does.
    pub(super) fn about(&self, locale: &Locale) -> Option<&str> {
        let description = self.description.as_ref()?;
        Some(description.in_language(locale))
    }

    /// The app, its texts in one language.
    pub(super) fn build(&self, locale: &Locale) -> App {
        App {
            id: self.id.clone(),
            system: self.system.in_language(locale).trim().to_owned(),
            model: self.model.clone(),
            tools: self.tools.clone(),
            tokens_max: self.limits.reply_tokens_max,
            policy: self.rules(),
        }
    }

    fn rules(&self) -> Policy {
        let mut asks = BTreeMap::new();
        for dialect in Dialect::ALL {
            let own = AskRules::of(dialect);
            let differs = self.policy.asks.get(&dialect).copied().unwrap_or_default();
            let limit = differs.per_conversation_max.or(self.limits.inquiries_max);
            let rules = AskRules {
                enabled: differs.enabled.unwrap_or(own.enabled),
                standalone: differs.standalone.unwrap_or(own.standalone),
                message_answers: differs.message_answers.unwrap_or(own.message_answers),
                per_conversation_max: limit.or(own.per_conversation_max),
                expires_after_ms: differs.expires_after_ms.or(own.expires_after_ms),
            };
            if rules != own {
                asks.insert(dialect, rules);
            }
        }
        Policy {
            asks,
            sub_agents_may_ask: self.policy.sub_agents_may_ask,
            unattended: self.policy.unattended,
            clip_labels: self.policy.clip_labels,
        }
    }
}

/// What is wrong with the name of a tool: above all, an ask tool that is misspelt would be missing
/// without a word.
fn tool_problem(name: &str) -> Option<String> {
    if name.trim().is_empty() {
        return Some("`tools` holds an empty name".to_owned());
    }
    let meant: Vec<&str> = Dialect::ALL
        .into_iter()
        .map(Dialect::name)
        .filter(|dialect| folded(dialect) == folded(name))
        .collect();
    if meant.is_empty() || meant.contains(&name) {
        return None;
    }
    let meant = meant.join("\" or \"");
    Some(format!("`tools` lists \"{name}\"; write \"{meant}\""))
}

fn folded(name: &str) -> String {
    let kept = name.chars().filter(char::is_ascii_alphanumeric);
    kept.collect::<String>().to_ascii_lowercase()
}
