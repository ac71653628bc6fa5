//! Agents: each gets its answer, and the built-in agent goes on, with every message once.

use std::collections::{BTreeMap, BTreeSet};

use askback_core::id::ConversationId;
use askback_wire::inquiry::InquiryStatus;

use super::super::AGENT_QUESTIONS;
use super::super::history::{Ending, Request, Transcript};
use super::facts::Facts;
use super::questions::agent_step;
use super::{Invariant, Violations};

pub(super) fn check(facts: &Facts<'_>, found: &mut Violations) {
    check_results(facts, found);
    let mut steps: BTreeMap<&ConversationId, BTreeSet<u64>> = BTreeMap::new();
    for (inquiry, question) in &facts.questions {
        if let (Some(conversation), Some((number, _))) =
            (facts.conversation(inquiry), agent_step(question))
        {
            steps.entry(conversation).or_default().insert(number);
        }
    }
    for (conversation, transcript) in &facts.history.conversations {
        if facts.is_deleted_conversation(conversation) {
            continue;
        }
        found.expect(
            transcript.state == "idle",
            Invariant::AgentContinues,
            || format!("{conversation} is {}", transcript.state),
        );
        let asked = steps.remove(conversation).unwrap_or_default();
        let last = asked.last().copied().unwrap_or_default();
        let is_question = |number: &u64| !number.is_multiple_of(AGENT_QUESTIONS + 1);
        let expected: BTreeSet<u64> = (1..=last).filter(is_question).collect();
        found.expect(asked == expected, Invariant::AgentContinues, || {
            format!("{conversation} has asked {asked:?}")
        });
        check_messages(facts, (conversation, transcript), found);
    }
}

/// The agent gets the answer that is the outcome.
fn check_results(facts: &Facts<'_>, found: &mut Violations) {
    for (inquiry, _) in facts.existing() {
        let Some(ending) = Ending::of(inquiry) else {
            continue;
        };
        if ending.given.status != InquiryStatus::Answered {
            continue;
        }
        let transcript = facts.history.conversations.get(&inquiry.conversation_id);
        let result = inquiry.result.as_ref().map(|it| it.content.as_str());
        let has_text = |text: &String| {
            let mut written = transcript.into_iter().flat_map(|it| &it.user_texts);
            result.is_some_and(|it| it.contains(text)) || written.any(|it| it.contains(text))
        };
        found.expect(
            ending.given.texts.iter().all(has_text),
            Invariant::ResultHasAnswer,
            || format!("{}: {ending:?} gave {result:?}", inquiry.id),
        );
    }
}

fn check_messages(
    facts: &Facts<'_>,
    (conversation, transcript): (&ConversationId, &Transcript),
    found: &mut Violations,
) {
    let operations = facts.operations_in.get(conversation);
    for operation in operations.into_iter().flatten() {
        let Request::Message { text, .. } = &operation.request else {
            continue;
        };
        let count = transcript
            .user_texts
            .iter()
            .filter(|it| *it == text)
            .count();
        let is_right = match (operation.is_accepted(), operation.may_have_effect()) {
            (true, _) => count == 1,
            (false, true) => count <= 1,
            (false, false) => count == 0,
        };
        found.expect(is_right, Invariant::MessageIsKeptOnce, || {
            format!("{conversation} has the message {text:?} {count} times")
        });
    }
}
