//! The rules of a conversation, as the model and the machine have them.

use askback_core::conversation::policy::{AskRules, Policy};
use askback_core::dialect::Dialect;
use proptest::option;
use proptest::prelude::any;
use proptest::sample::select;
use proptest::strategy::Strategy;

use crate::suite::machine::Kind;

/// The rules of one conversation.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Rules {
    pub(crate) kind: Kind,
    pub(super) sub_agents_may_ask: bool,
    pub(super) unattended: bool,
    /// What every dialect has instead of its own rules.
    own: Option<Own>,
}

#[derive(Debug, Clone, Copy)]
struct Own {
    standalone: bool,
    message_answers: bool,
    asked_max: Option<u32>,
    deadline: Option<i64>,
}

impl Rules {
    pub(crate) fn any() -> impl Strategy<Value = Rules> {
        let kind = select(vec![
            Kind::Parent,
            Kind::Parent,
            Kind::SubAgent,
            Kind::External,
        ]);
        let own = (
            any::<bool>(),
            any::<bool>(),
            option::of(0..4_u32),
            option::of(select(vec![0, 1, 60])),
        );
        let own = own.prop_map(|(standalone, message_answers, asked_max, deadline)| Own {
            standalone,
            message_answers,
            asked_max,
            deadline,
        });
        let unattended = proptest::bool::weighted(0.05);
        (kind, any::<bool>(), unattended, option::of(own)).prop_map(
            |(kind, sub_agents_may_ask, unattended, own)| Rules {
                kind,
                sub_agents_may_ask,
                unattended,
                own,
            },
        )
    }

    pub(crate) fn policy(&self) -> Policy {
        let mut policy = Policy {
            sub_agents_may_ask: self.sub_agents_may_ask,
            unattended: self.unattended,
            ..Policy::default()
        };
        if let Some(own) = self.own {
            let rules = AskRules {
                enabled: true,
                standalone: own.standalone,
                message_answers: own.message_answers,
                per_conversation_max: own.asked_max,
                expires_after_ms: own.deadline.map(|seconds| seconds * 1_000),
            };
            policy.asks = Dialect::TOOLS.map(|dialect| (dialect, rules)).into();
        }
        policy
    }

    pub(super) fn standalone(&self, dialect: Dialect) -> bool {
        self.own
            .map_or(dialect == Dialect::Question, |own| own.standalone)
    }

    pub(super) fn message_answers(&self, dialect: Dialect) -> bool {
        self.own
            .map_or(dialect == Dialect::Question, |own| own.message_answers)
    }

    pub(super) fn asked_max(&self, dialect: Dialect) -> Option<u32> {
        let default = (dialect == Dialect::AskUser).then_some(10);
        self.own.map_or(default, |own| own.asked_max)
    }

    pub(super) fn deadline(&self) -> Option<i64> {
        self.own
            .and_then(|own| own.deadline)
            .filter(|seconds| *seconds > 0)
    }
}
