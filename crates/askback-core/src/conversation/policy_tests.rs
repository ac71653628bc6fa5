//! The rules each dialect has by itself, and that a conversation's own rules replace them.

use serde_json::json;

use super::{AskRules, Policy};
use crate::conversation::fixtures::{Fixture, ask, rules};
use crate::dialect::Dialect;

#[test]
fn defaults_are_the_columns_of_the_design() {
    let columns = [
        (Dialect::AskUserQuestion, false, None),
        (Dialect::AskUserQuestionClaude, false, None),
        (Dialect::Question, true, None),
        (Dialect::AskUser, false, Some(10)),
    ];
    for (dialect, alone, max) in columns {
        let wanted = AskRules {
            enabled: true,
            standalone: alone,
            message_answers: alone,
            per_conversation_max: max,
            expires_after_ms: None,
        };
        assert_eq!(AskRules::of(dialect), wanted);
        assert_eq!(Policy::default().rules(dialect), wanted);
    }
    let policy = Policy::default();
    assert!(!policy.sub_agents_may_ask && !policy.unattended && !policy.clip_labels);
}

#[test]
fn rules_of_one_dialect_leave_the_others_alone() {
    let policy = rules(Dialect::AskUser, |rules| rules.enabled = false);
    assert!(!policy.rules(Dialect::AskUser).enabled);
    for other in [Dialect::AskUserQuestion, Dialect::Question] {
        assert_eq!(policy.rules(other), AskRules::of(other));
    }
}

#[test]
fn message_answers_where_the_policy_lets_it_and_not_where_it_forbids_it() {
    for dialect in Dialect::ALL {
        for message_answers in [true, false] {
            let policy = rules(dialect, |rules| rules.message_answers = message_answers);
            let asked = Fixture::with(policy).round(&[ask(dialect)]);
            let decided = asked.decide(&crate::conversation::fixtures::say("Green"));
            assert_eq!(decided.is_ok(), message_answers, "{dialect:?}");
        }
    }
}

#[test]
fn every_dialect_can_be_made_to_stand_alone() {
    for dialect in Dialect::ALL {
        let policy = rules(dialect, |rules| rules.standalone = true);
        let fixture = Fixture::with(policy).round(&[ask(dialect), ask(dialect)]);
        assert_eq!(fixture.conversation.state.name(), "llm_requesting");
        assert!(fixture.results().iter().all(|result| result.is_error));
    }
}

#[test]
fn policy_survives_the_store() {
    let mut policy = rules(Dialect::Question, |rules| rules.expires_after_ms = Some(5));
    policy.unattended = true;
    let stored = serde_json::to_value(&policy).unwrap();
    assert_eq!(serde_json::from_value::<Policy>(stored).unwrap(), policy);
    let none = serde_json::from_value::<Policy>(json!({})).unwrap();
    assert_eq!(none, Policy::default());
}

/// Rules that lost a field must not quietly lose a limit with it.
#[test]
fn rules_are_read_whole_or_not_at_all() {
    let whole = serde_json::to_value(AskRules::of(Dialect::AskUser)).unwrap();
    let read = |value| serde_json::from_value::<AskRules>(value);
    assert_eq!(read(whole.clone()).unwrap(), AskRules::of(Dialect::AskUser));
    for field in whole.as_object().unwrap().keys() {
        let mut partial = whole.clone();
        partial.as_object_mut().unwrap().remove(field);
        assert!(read(partial).is_err(), "{field}");
    }
    let mut unlimited = whole;
    unlimited["per_conversation_max"] = serde_json::Value::Null;
    assert_eq!(read(unlimited).unwrap().per_conversation_max, None);
}
