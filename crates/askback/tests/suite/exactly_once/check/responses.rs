//! Responses: a refusal says who was first, and a repetition with the same key says the same.

use super::super::history::{End, Operation, Request};
use super::facts::Facts;
use super::{Invariant, Violations};

/// Refusals of a repetition that may follow an acknowledgement: the answer was undone, or the conversation deleted.
const LATER_REFUSALS: [&str; 3] = ["answer_undone", "conversation_closed", "not_found"];

pub(super) fn check(facts: &Facts<'_>, found: &mut Violations) {
    for operation in &facts.history.operations {
        let Some(problem) = operation.refused() else {
            continue;
        };
        found.expect(problem.status < 500, Invariant::NoInternalError, || {
            format!(
                "{} got {} {}",
                operation.actor, problem.status, problem.detail
            )
        });
        check_winner(facts, operation, found);
    }
    for (intent, operations) in &facts.intents {
        check_repetitions(intent, operations, found);
    }
}

fn check_winner(facts: &Facts<'_>, operation: &Operation, found: &mut Violations) {
    let (Some(problem), Request::End(end)) = (operation.refused(), &operation.request) else {
        return;
    };
    let winner = problem.winner.as_ref();
    let names_winner = match problem.code.as_str() {
        "not_pending" => winner.is_some_and(|it| it.inquiry_id == end.inquiry),
        "held" => winner.is_some_and(|winner| {
            let by = winner.answered_by.as_deref().unwrap_or_default();
            let first = facts.by_actor.get(by).map(|it| &it.request);
            let given = winner.outcome.as_ref().map(Into::into);
            matches!(first, Some(Request::End(first))
                if first.inquiry == end.inquiry && Some(&first.given) == given.as_ref())
        }),
        _ => true,
    };
    let has_gone = winner.is_none() && problem.code == "held" && was_undone(facts, operation, end);
    found.expect(
        names_winner || has_gone || facts.is_deleted(&end.inquiry),
        Invariant::RefusalNamesWinner,
        || {
            let (actor, code) = (&operation.actor, &problem.code);
            format!("{actor} got {code} with {winner:?} for {end:?}")
        },
    );
}

/// Whether the answer that a request met may have been undone before the response could name it.
fn was_undone(facts: &Facts<'_>, refused: &Operation, end: &End) -> bool {
    facts.operations_of[&end.inquiry].iter().any(|it| {
        let is_undo = matches!(it.request, Request::Undo { .. }) && it.refused().is_none();
        let is_over = it.is_accepted() && it.ended < refused.begun;
        is_undo && it.begun < refused.ended && !is_over
    })
}

fn check_repetitions(intent: &str, operations: &[&Operation], found: &mut Violations) {
    let mut ids = operations.iter().filter_map(|it| {
        let accepted = it.accepted()?;
        let is_new = matches!(it.request, Request::Ask(_));
        let asked = accepted.inquiries.first().filter(|_| is_new);
        let begun = accepted.conversation.as_ref();
        let asked = asked.map(|it| it.id.as_str());
        asked.or_else(|| begun.map(askback_core::id::ConversationId::as_str))
    });
    let first = ids.next();
    found.expect(
        ids.all(|id| Some(id) == first),
        Invariant::KeySaysTheSame,
        || format!("{intent}: {first:?} and another id"),
    );
    for earlier in operations {
        for later in operations.iter().filter(|it| it.begun > earlier.ended) {
            let agree = match (earlier.refused(), later.refused()) {
                (None, Some(problem)) => {
                    let code = problem.code.as_str();
                    !earlier.is_accepted() || LATER_REFUSALS.contains(&code)
                }
                (Some(problem), None) => problem.code != "not_pending" || !later.is_accepted(),
                _ => true,
            };
            let codes = [earlier, later].map(|it| it.refused().map(|it| &it.code));
            let is_mismatch = codes
                .iter()
                .flatten()
                .any(|code| *code == "idempotency_mismatch");
            found.expect(agree && !is_mismatch, Invariant::KeySaysTheSame, || {
                format!(
                    "{intent}: {} and {} got {codes:?}",
                    earlier.actor, later.actor
                )
            });
        }
    }
}
