//! What is fixed when a conversation begins.

use std::collections::BTreeMap;

use askback_core::conversation::policy::{AskRules, Policy};
use askback_core::conversation::{ConversationSettings, Driver, Parent};
use askback_core::dialect::Dialect;
use askback_core::id::{CallId, ConversationId};
use serde::{Deserialize, Serialize};

use crate::is_default;
use crate::name::Named;

/// The settings without the id of the conversation, which its row has.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct StoredSettings {
    driver: Named<Driver>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    parent: Option<StoredParent>,
    #[serde(default, skip_serializing_if = "is_default")]
    policy: StoredPolicy,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    provider: Option<String>,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
struct StoredParent {
    conversation: ConversationId,
    call: CallId,
}

#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(default)]
struct StoredPolicy {
    asks: BTreeMap<Named<Dialect>, StoredAskRules>,
    sub_agents_may_ask: bool,
    unattended: bool,
    clip_labels: bool,
}

/// Rules are stored whole, so one that is left out is a mistake and not the same as none.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct StoredAskRules {
    enabled: bool,
    standalone: bool,
    message_answers: bool,
    #[serde(deserialize_with = "Option::deserialize")]
    per_conversation_max: Option<u32>,
    #[serde(deserialize_with = "Option::deserialize")]
    expires_after_ms: Option<i64>,
}

impl From<&ConversationSettings> for StoredSettings {
    fn from(settings: &ConversationSettings) -> StoredSettings {
        let policy = &settings.policy;
        StoredSettings {
            driver: Named(settings.driver),
            parent: settings.parent.as_ref().map(|parent| StoredParent {
                conversation: parent.conversation.clone(),
                call: parent.call.clone(),
            }),
            policy: StoredPolicy {
                asks: policy
                    .asks
                    .iter()
                    .map(|(dialect, rules)| (Named(*dialect), rules.into()))
                    .collect(),
                sub_agents_may_ask: policy.sub_agents_may_ask,
                unattended: policy.unattended,
                clip_labels: policy.clip_labels,
            },
            provider: settings.provider.clone(),
        }
    }
}

impl StoredSettings {
    pub(crate) fn restore(self, id: ConversationId) -> ConversationSettings {
        ConversationSettings {
            id,
            driver: self.driver.0,
            parent: self.parent.map(|parent| Parent {
                conversation: parent.conversation,
                call: parent.call,
            }),
            policy: Policy {
                asks: self
                    .policy
                    .asks
                    .into_iter()
                    .map(|(dialect, rules)| (dialect.0, rules.into()))
                    .collect(),
                sub_agents_may_ask: self.policy.sub_agents_may_ask,
                unattended: self.policy.unattended,
                clip_labels: self.policy.clip_labels,
            },
            provider: self.provider,
        }
    }
}

impl From<&AskRules> for StoredAskRules {
    fn from(rules: &AskRules) -> StoredAskRules {
        StoredAskRules {
            enabled: rules.enabled,
            standalone: rules.standalone,
            message_answers: rules.message_answers,
            per_conversation_max: rules.per_conversation_max,
            expires_after_ms: rules.expires_after_ms,
        }
    }
}

impl From<StoredAskRules> for AskRules {
    fn from(stored: StoredAskRules) -> AskRules {
        AskRules {
            enabled: stored.enabled,
            standalone: stored.standalone,
            message_answers: stored.message_answers,
            per_conversation_max: stored.per_conversation_max,
            expires_after_ms: stored.expires_after_ms,
        }
    }
}
