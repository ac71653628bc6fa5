//! Configurable rules, each with the default of its dialect.

use std::collections::BTreeMap;

use jiff::{SignedDuration, Timestamp};

use crate::dialect::{Dialect, ParseOptions};
use crate::limits;

/// The rules of one conversation.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Policy {
    /// Rules that differ from a dialect's defaults.
    pub asks: BTreeMap<Dialect, AskRules>,
    /// Whether sub-agents may ask. By default only parent conversations can.
    pub sub_agents_may_ask: bool,
    /// Whether nobody can answer here, so that asking is refused at once.
    pub unattended: bool,
    /// Whether over-long headers and labels are cut instead of refused.
    pub clip_labels: bool,
}

/// The rules of one dialect.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct AskRules {
    /// Whether the model may use it.
    pub enabled: bool,
    /// Whether it must be the only call of its message.
    pub standalone: bool,
    /// Whether a chat message answers a waiting question; it is refused otherwise.
    pub message_answers: bool,
    /// How many inquiries a conversation may make; none is no limit.
    pub per_conversation_max: Option<u32>,
    /// After which time a question ends unanswered, in milliseconds. By default never, and never
    /// if it is not greater than 0.
    pub expires_after_ms: Option<i64>,
}

impl AskRules {
    /// The rules a dialect has by itself.
    pub fn of(dialect: Dialect) -> AskRules {
        let alone = dialect == Dialect::Question;
        AskRules {
            enabled: true,
            standalone: alone,
            message_answers: alone,
            per_conversation_max: match dialect {
                Dialect::AskUser => Some(limits::ASK_USER_PER_CONVERSATION),
                Dialect::AskUserQuestion
                | Dialect::AskUserQuestionClaude
                | Dialect::Question
                | Dialect::Questions => None,
            },
            expires_after_ms: None,
        }
    }

    /// When a question that is asked now ends unanswered, if ever.
    pub(super) fn expires_at(&self, now: Timestamp) -> Option<Timestamp> {
        let after = self.expires_after_ms.filter(|after| *after > 0)?;
        now.checked_add(SignedDuration::from_millis(after)).ok()
    }
}

impl Policy {
    /// The rules in force for a dialect.
    pub fn rules(&self, dialect: Dialect) -> AskRules {
        self.asks
            .get(&dialect)
            .copied()
            .unwrap_or_else(|| AskRules::of(dialect))
    }

    pub(super) fn parse_options(&self) -> ParseOptions {
        ParseOptions {
            clip_labels: self.clip_labels,
        }
    }
}

#[cfg(test)]
#[path = "policy_tests.rs"]
mod tests;
