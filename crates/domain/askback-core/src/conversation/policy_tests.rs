//! The rules each dialect has by itself, and that a conversation's own rules replace them.

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
    for dialect in Dialect::TOOLS {
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
    for dialect in Dialect::TOOLS {
        let policy = rules(dialect, |rules| rules.standalone = true);
        let fixture = Fixture::with(policy).round(&[ask(dialect), ask(dialect)]);
        assert_eq!(fixture.conversation.state.name(), "llm_requesting");
        assert!(fixture.results().iter().all(|result| result.is_error));
    }
}
