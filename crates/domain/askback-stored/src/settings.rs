//! What is fixed when a conversation begins.

use std::collections::BTreeMap;

use askback_core::conversation::policy::{AskRules, Policy};
use askback_core::conversation::{ConversationSettings, Driver, Parent};
use askback_core::dialect::Dialect;
use askback_core::id::{CallId, ConversationId};
use askback_macros::skip_none;
use serde::{Deserialize, Serialize};

use crate::form::{Form, forms};
use crate::name::Named;
use crate::{Unreadable, is_default};

/// The settings without the id of the conversation, which its row has.
#[skip_none]
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct StoredSettings {
    driver: Named<Driver>,
    parent: Option<StoredParent>,
    #[serde(default, skip_serializing_if = "is_default")]
    policy: StoredPolicy,
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

impl StoredSettings {
    pub(crate) fn new(settings: &ConversationSettings) -> StoredSettings {
        StoredSettings {
            driver: Form::store(&settings.driver),
            parent: Form::store(&settings.parent),
            policy: Form::store(&settings.policy),
            provider: settings.provider.clone(),
        }
    }

    pub(crate) fn restore(self, id: ConversationId) -> Result<ConversationSettings, Unreadable> {
        Ok(ConversationSettings {
            id,
            driver: self.driver.restore()?,
            parent: self.parent.restore()?,
            policy: self.policy.restore()?,
            provider: self.provider,
        })
    }
}

forms! {
    struct StoredParent = Parent { conversation, call }
    struct StoredPolicy = Policy { asks, sub_agents_may_ask, unattended, clip_labels }
    struct StoredAskRules = AskRules {
        enabled, standalone, message_answers, per_conversation_max, expires_after_ms,
    }
}
