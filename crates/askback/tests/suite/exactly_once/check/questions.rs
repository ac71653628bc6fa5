//! Questions: none is lost, none is asked twice, none comes from nowhere.

use std::collections::{BTreeMap, BTreeSet};

use askback_core::id::InquiryId;

use super::super::history::{Operation, Request};
use super::facts::Facts;
use super::{Invariant, Violations};

pub(super) fn check(facts: &Facts<'_>, found: &mut Violations) {
    let mut by_question: BTreeMap<&str, BTreeSet<&InquiryId>> = BTreeMap::new();
    for (inquiry, question) in &facts.questions {
        by_question.entry(question).or_default().insert(inquiry);
        found.expect(
            was_sent(facts, question),
            Invariant::QuestionWasSent,
            || format!("{inquiry}: nobody has asked {question:?}"),
        );
    }
    for (question, inquiries) in by_question {
        found.expect(inquiries.len() == 1, Invariant::QuestionIsAskedOnce, || {
            format!("{question:?} is {inquiries:?}")
        });
    }
    for operation in &facts.history.operations {
        check_exists(facts, operation, found);
    }
}

/// An acknowledged question is on every node, unless its conversation was deleted.
fn check_exists(facts: &Facts<'_>, operation: &Operation, found: &mut Violations) {
    let (Request::Ask(_), Some(accepted)) = (&operation.request, operation.accepted()) else {
        return;
    };
    for inquiry in &accepted.inquiries {
        for (node, inquiries) in facts.history.nodes.iter().enumerate() {
            let exists = matches!(inquiries.get(&inquiry.id), Some(Some(_)));
            found.expect(
                exists || facts.is_deleted(&inquiry.id),
                Invariant::AskedQuestionExists,
                || {
                    format!(
                        "{} of {} is not on node {node}",
                        inquiry.id, operation.actor
                    )
                },
            );
        }
    }
}

fn was_sent(facts: &Facts<'_>, question: &str) -> bool {
    let message = agent_step(question).map(|(_, message)| message);
    let mut known = facts.with_text(message.unwrap_or(question));
    known.any(|operation| {
        let is_asked = matches!(operation.request, Request::Ask(_) | Request::Begin { .. });
        is_asked && operation.may_have_effect()
    })
}

/// The number of the reply and the first message of the conversation, in a question of the built-in agent.
pub(super) fn agent_step(question: &str) -> Option<(u64, &str)> {
    let (number, message) = question
        .strip_prefix("Step ")?
        .strip_suffix('?')?
        .split_once(" of ")?;
    Some((number.parse().ok()?, message))
}
