//! The app file: its fields, its validation, and the app it defines.

use std::collections::BTreeMap;

use askback_core::conversation::policy::{AskRules, Policy};
use askback_core::dialect::Dialect;
use askback_core::nearest_name::nearest_name;
use askback_engine::ports::App;
use serde::Deserialize;
use serde_json::Value;

use super::localised::{AppLanguage, Localised};

const ID_CHARS_MAX: usize = 64;
const TOOLS_MAX: usize = 200;

#[derive(Debug, Deserialize)]
pub(super) struct AppFile {
    id: String,
    pub(super) name: Localised,
    /// One sentence, for lists of apps.
    description: Option<Localised>,
    /// The system prompt. The guidance of the ask tools is added to it later.
    system: Localised,
    /// The tools that the model sees. `*` means all tools that do not ask.
    #[serde(default)]
    tools: Vec<String>,
    /// Overrides the configured model.
    model: Option<String>,
    #[serde(default)]
    limits: LimitsSection,
    #[serde(default)]
    policy: PolicySection,
    #[serde(flatten)]
    unknown: UnknownFields,
}

/// Fields that nothing here reads. Files that were written for another program have some.
type UnknownFields = BTreeMap<String, Value>;

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct LimitsSection {
    /// Most tokens of one reply.
    reply_tokens_max: Option<u32>,
    /// Most inquiries of each ask tool in one conversation.
    inquiries_max: Option<u32>,
    #[serde(flatten)]
    unknown: UnknownFields,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct PolicySection {
    sub_agents_may_ask: bool,
    unattended: bool,
    clip_labels: bool,
    asks: BTreeMap<Dialect, AskOverrides>,
    #[serde(flatten)]
    unknown: UnknownFields,
}

/// Overrides the default rules of a dialect.
#[derive(Debug, Default, Clone, Deserialize)]
#[serde(default)]
struct AskOverrides {
    enabled: Option<bool>,
    standalone: Option<bool>,
    message_answers: Option<bool>,
    per_conversation_max: Option<u32>,
    expires_after_ms: Option<i64>,
    #[serde(flatten)]
    unknown: UnknownFields,
}

/// The known fields of each part of a file, for "did you mean".
const FIELDS: [&str; 8] = [
    "id",
    "name",
    "description",
    "system",
    "tools",
    "model",
    "limits",
    "policy",
];
const LIMITS: [&str; 2] = ["reply_tokens_max", "inquiries_max"];
const POLICY: [&str; 4] = ["sub_agents_may_ask", "unattended", "clip_labels", "asks"];
const ASKS: [&str; 5] = [
    "enabled",
    "standalone",
    "message_answers",
    "per_conversation_max",
    "expires_after_ms",
];

impl AppFile {
    /// Parses and validates a file. The error is a sentence that says what to change.
    pub(super) fn parse(text: &str) -> Result<AppFile, String> {
        let app: AppFile = serde_json::from_str(text)
            .map_err(|error| format!("not an app file (see docs/apps.md): {error}"))?;
        match app.problem() {
            Some(problem) => Err(problem),
            None => Ok(app),
        }
    }

    /// One sentence for each field that is ignored.
    pub(super) fn warnings(&self) -> Vec<String> {
        let asks = self.policy.asks.iter().map(|(dialect, asks)| {
            let place = format!("policy.asks.{}.", dialect.name());
            (place, &asks.unknown, ASKS.as_slice())
        });
        let sections = [
            (String::new(), &self.unknown, FIELDS.as_slice()),
            ("limits.".to_owned(), &self.limits.unknown, &LIMITS),
            ("policy.".to_owned(), &self.policy.unknown, &POLICY),
        ];
        let sections = sections.into_iter().chain(asks);
        let warnings = sections.flat_map(|(place, unknown, known)| {
            unknown.keys().map(move |name| {
                let meant = nearest_name(name, known)
                    .map(|nearest| format!("; did you mean `{place}{nearest}`?"));
                format!(
                    "`{place}{name}` is unknown and ignored{}",
                    meant.unwrap_or_default()
                )
            })
        });
        warnings.collect()
    }

    fn problem(&self) -> Option<String> {
        let allowed =
            |ch: char| ch.is_ascii_lowercase() || ch.is_ascii_digit() || "-_".contains(ch);
        if self.id.is_empty() || self.id.len() > ID_CHARS_MAX || !self.id.chars().all(allowed) {
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

    pub(super) fn description(&self, language: &AppLanguage) -> Option<&str> {
        let description = self.description.as_ref()?;
        Some(description.in_language(language))
    }

    /// The app, with its texts in one language.
    pub(super) fn build(&self, language: &AppLanguage) -> App {
        App {
            id: self.id.clone(),
            system: self.system.in_language(language).trim().to_owned(),
            model: self.model.clone(),
            tools: self.tools.clone(),
            tokens_max: self.limits.reply_tokens_max,
            policy: self.policy(),
        }
    }

    fn policy(&self) -> Policy {
        let mut asks = BTreeMap::new();
        for dialect in Dialect::TOOLS {
            let default = AskRules::of(dialect);
            let overrides = self.policy.asks.get(&dialect).cloned().unwrap_or_default();
            let limit = overrides.per_conversation_max.or(self.limits.inquiries_max);
            let rules = AskRules {
                enabled: overrides.enabled.unwrap_or(default.enabled),
                standalone: overrides.standalone.unwrap_or(default.standalone),
                message_answers: overrides.message_answers.unwrap_or(default.message_answers),
                per_conversation_max: limit.or(default.per_conversation_max),
                expires_after_ms: overrides.expires_after_ms.or(default.expires_after_ms),
            };
            if rules != default {
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

/// What is wrong with a tool name. A misspelt ask tool would otherwise be missing without an error.
fn tool_problem(name: &str) -> Option<String> {
    if name.trim().is_empty() {
        return Some("`tools` contains an empty name".to_owned());
    }
    let meant: Vec<&str> = Dialect::TOOLS
        .into_iter()
        .map(Dialect::name)
        .filter(|dialect| normalized(dialect) == normalized(name))
        .collect();
    if meant.is_empty() || meant.contains(&name) {
        return None;
    }
    let meant = meant.join("\" or \"");
    Some(format!("`tools` lists \"{name}\"; write \"{meant}\""))
}

fn normalized(name: &str) -> String {
    let significant = name.chars().filter(char::is_ascii_alphanumeric);
    significant.collect::<String>().to_ascii_lowercase()
}
