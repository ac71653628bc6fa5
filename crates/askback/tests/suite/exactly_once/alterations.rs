//! Faults that are planted in a recorded history: one for each invariant, at least. A history that was sound must be
//! found to be unsound afterwards, whether it was made up or recorded in a real run.

use std::collections::BTreeSet;

use askback_core::id::{ConversationId, InquiryId};
use askback_wire::audit::AuditKind;
use askback_wire::inquiry::{InquiryResponse, InquiryStatus};
use askback_wire::problem::{ProblemCode, ProblemResponse};

use super::check::Invariant;
use super::history::{FeedEvent, History, Operation, Request, Response};

/// A planted fault, and what it breaks.
pub(crate) struct Alteration {
    pub(crate) breaks: Invariant,
    pub(crate) name: &'static str,
    /// None if there is nothing in the history that could be altered so.
    pub(crate) apply: fn(&mut History) -> Option<()>,
}

macro_rules! alterations {
    ($($breaks:ident: $apply:ident),+ $(,)?) => {
        pub(crate) const ALTERATIONS: &[Alteration] = &[$(Alteration {
            breaks: Invariant::$breaks,
            name: stringify!($apply),
            apply: $apply,
        }),+];
    };
}

alterations! {
    AskedQuestionExists: lose_question,
    QuestionIsAskedOnce: double_question,
    QuestionWasSent: invent_question,
    OneEnding: change_ending_in_feed,
    EndingStays: reopen_on_node,
    AcknowledgedEndingHolds: change_sent_answer,
    EndingWasSent: invent_answer,
    OneWinner: accept_second_answer,
    RefusalNamesWinner: hide_winner,
    KeySaysTheSame: refuse_repetition,
    KeySaysTheSame: give_repetition_another_question,
    NoInternalError: fail_internally,
    DeadlineIsKept: answer_after_deadline,
    ResultHasAnswer: empty_result,
    AgentContinues: leave_agent_working,
    AgentContinues: skip_step,
    MessageIsKeptOnce: double_message,
    MessageIsKeptOnce: lose_message,
    FeedIsInOrder: repeat_event,
    FeedIsComplete: lose_outcome_in_feed,
    FeedsAgree: lose_outcome_in_feed,
    LifeIsInOrder: hold_after_outcome,
    UndoIsShownOnce: lose_undo,
    WebhookIsDelivered: lose_webhook,
    WebhookIsTheOutcome: change_webhook,
    CardShowsEnding: leave_buttons,
    AuditHasOneLine: lose_audit_line,
    AuditHasOneLine: double_audit_line,
    AuditFollowsFeed: move_audit_line,
    NodesAgree: forget_on_one_node,
    ListIsComplete: lose_in_list,
    ListIsComplete: double_in_list,
    DraftIsKept: invent_draft,
    SnoozeEnds: snooze_ended_question,
}

/// The inquiries that exist at the end and were not deleted.
fn kept(history: &History) -> Vec<InquiryResponse> {
    let deletions = history
        .operations
        .iter()
        .filter_map(|it| match &it.request {
            Request::Delete { conversation } => Some(conversation),
            _ => None,
        });
    let deleted: BTreeSet<&ConversationId> = deletions.collect();
    let first = history.nodes.first();
    let inquiries = first.into_iter().flat_map(|it| it.values()).flatten();
    let inquiries = inquiries.filter(|it| !deleted.contains(&it.conversation_id));
    inquiries.cloned().collect()
}

fn ended(history: &History) -> impl Iterator<Item = InquiryResponse> + use<> {
    kept(history).into_iter().filter(|it| it.outcome.is_some())
}

fn on_node<'a>(history: &'a mut History, id: &InquiryId) -> Option<&'a mut InquiryResponse> {
    history.nodes.first_mut()?.get_mut(id)?.as_mut()
}

/// A request to end a question that was not deleted, which was accepted for good, and its number.
fn winning_end(history: &History) -> Option<(usize, InquiryResponse)> {
    ended(history).find_map(|inquiry| {
        let mut operations = history.operations.iter();
        let found = operations.position(|it| {
            let is_shown = it.accepted().is_some_and(|it| !it.inquiries.is_empty());
            matches!(&it.request, Request::End(end)
                if end.inquiry == inquiry.id && end.undo_seconds.is_none())
                && is_shown
                && inquiry.answered_by.as_ref() == Some(&it.actor)
        });
        Some((found?, inquiry))
    })
}

fn lose_question(history: &mut History) -> Option<()> {
    let kept = kept(history);
    let asked = history.operations.iter().find_map(|it| {
        let accepted = it.accepted()?.inquiries.first()?;
        let is_kept = kept.iter().any(|it| it.id == accepted.id);
        (matches!(it.request, Request::Ask(_)) && is_kept).then(|| accepted.id.clone())
    })?;
    history.nodes.first_mut()?.insert(asked, None);
    Some(())
}

fn double_question(history: &mut History) -> Option<()> {
    let mut copy = kept(history).into_iter().next()?;
    copy.id = InquiryId::new("inq_copy");
    history.listed.push(copy);
    Some(())
}

fn invent_question(history: &mut History) -> Option<()> {
    let mut copy = kept(history).into_iter().next()?;
    copy.id = InquiryId::new("inq_copy");
    copy.questions.first_mut()?.text = "Question nobody?".to_owned();
    history.listed.push(copy);
    Some(())
}

fn change_ending_in_feed(history: &mut History) -> Option<()> {
    let (_, inquiry) = winning_end(history)?;
    resolved_event(history, &inquiry.id)?.ending.as_mut()?.by = Some("somebody else".to_owned());
    Some(())
}

fn resolved_event<'a>(history: &'a mut History, id: &InquiryId) -> Option<&'a mut FeedEvent> {
    let mut events = history.feeds.first_mut()?.iter_mut();
    events.find(|it| it.inquiry == *id && it.name == "resolved")
}

fn reopen_on_node(history: &mut History) -> Option<()> {
    let (_, inquiry) = winning_end(history)?;
    let shown = on_node(history, &inquiry.id)?;
    shown.status = InquiryStatus::Pending;
    shown.outcome = None;
    shown.resolved_at = None;
    Some(())
}

fn change_sent_answer(history: &mut History) -> Option<()> {
    let (number, _) = winning_end(history)?;
    let Request::End(end) = &mut history.operations[number].request else {
        return None;
    };
    end.given.texts.push("something else".to_owned());
    Some(())
}

fn invent_answer(history: &mut History) -> Option<()> {
    let (number, _) = winning_end(history)?;
    history.operations[number].actor = "somebody else".to_owned();
    Some(())
}

fn accept_second_answer(history: &mut History) -> Option<()> {
    let (number, _) = winning_end(history)?;
    let mut second = history.operations[number].clone();
    second.actor = "somebody else".to_owned();
    if let Request::End(end) = &mut second.request {
        end.key = None;
    }
    history.operations.push(second);
    Some(())
}

fn hide_winner(history: &mut History) -> Option<()> {
    let kept: BTreeSet<InquiryId> = kept(history).into_iter().map(|it| it.id).collect();
    let mut operations = history.operations.iter_mut();
    operations.find_map(|it| {
        let (Request::End(end), Response::Refused(problem)) = (&it.request, &mut it.response)
        else {
            return None;
        };
        let is_named = kept.contains(&end.inquiry) && problem.code == "not_pending";
        is_named.then(|| problem.winner = None)
    })
}

/// An accepted request with a key, once more and later.
fn repetition(history: &History) -> Option<Operation> {
    let mut operations = history.operations.iter();
    let mut later = operations
        .find(|it| matches!(it.request, Request::Ask(_)) && keyed_and_accepted(it))?
        .clone();
    later.actor = "repetition".to_owned();
    later.begun = u64::MAX - 1;
    later.ended = u64::MAX - 1;
    Some(later)
}

fn keyed_and_accepted(operation: &Operation) -> bool {
    operation.request.key().is_some() && operation.is_accepted()
}

fn refuse_repetition(history: &mut History) -> Option<()> {
    let mut later = repetition(history)?;
    later.response = refusal(ProblemCode::IdempotencyMismatch);
    history.operations.push(later);
    Some(())
}

fn refusal(code: ProblemCode) -> Response {
    Response::Refused(Box::new(ProblemResponse::new(code, "planted")))
}

fn give_repetition_another_question(history: &mut History) -> Option<()> {
    let mut later = repetition(history)?;
    let Response::Accepted(accepted) = &mut later.response else {
        return None;
    };
    accepted.inquiries.first_mut()?.id = InquiryId::new("inq_copy");
    history.operations.push(later);
    Some(())
}

fn fail_internally(history: &mut History) -> Option<()> {
    let mut failed = history.operations.first()?.clone();
    failed.actor = "failure".to_owned();
    failed.response = refusal(ProblemCode::Internal);
    history.operations.push(failed);
    Some(())
}

fn answer_after_deadline(history: &mut History) -> Option<()> {
    // Whoever stops the agent does not have to look at the deadline.
    let inquiry = ended(history).find(|it| it.status == InquiryStatus::Answered)?;
    on_node(history, &inquiry.id)?.expires_at = inquiry.resolved_at;
    Some(())
}

fn empty_result(history: &mut History) -> Option<()> {
    let is_external = |it: &InquiryResponse| it.source.is_some();
    let mut answered = ended(history).filter(|it| it.status == InquiryStatus::Answered);
    let inquiry = answered.find(is_external)?;
    let result = on_node(history, &inquiry.id)?.result.as_mut()?;
    result.content.clear();
    Some(())
}

fn leave_agent_working(history: &mut History) -> Option<()> {
    let transcript = history.conversations.values_mut().next()?;
    transcript.state = "llm_requesting".to_owned();
    Some(())
}

fn skip_step(history: &mut History) -> Option<()> {
    let first = kept(history).into_iter().find(|it| {
        let question = it.questions.first();
        question.is_some_and(|it| it.text.starts_with("Step 1 of "))
    })?;
    let message = first.questions[0].text.replacen("Step 1 of ", "", 1);
    let mut later = first;
    later.id = InquiryId::new("inq_copy");
    later.questions[0].text = format!("Step 999 of {message}");
    history.listed.push(later);
    Some(())
}

/// A message that was accepted, with its conversation.
fn message(history: &History) -> Option<(ConversationId, String)> {
    let mut operations = history.operations.iter();
    operations.find_map(|it| match &it.request {
        Request::Message {
            conversation, text, ..
        } if it.is_accepted() && history.conversations.contains_key(conversation) => {
            Some((conversation.clone(), text.clone()))
        }
        _ => None,
    })
}

fn double_message(history: &mut History) -> Option<()> {
    let (conversation, text) = message(history)?;
    let transcript = history.conversations.get_mut(&conversation)?;
    transcript.user_texts.push(text);
    Some(())
}

fn lose_message(history: &mut History) -> Option<()> {
    let (conversation, text) = message(history)?;
    let transcript = history.conversations.get_mut(&conversation)?;
    transcript.user_texts.retain(|it| *it != text);
    Some(())
}

fn repeat_event(history: &mut History) -> Option<()> {
    let feed = history.feeds.first_mut()?;
    let event = feed.last()?.clone();
    feed.push(event);
    Some(())
}

fn lose_outcome_in_feed(history: &mut History) -> Option<()> {
    let inquiry = ended(history).next()?;
    let feed = history.feeds.first_mut()?;
    feed.retain(|it| it.inquiry != inquiry.id || it.name != "resolved");
    Some(())
}

fn hold_after_outcome(history: &mut History) -> Option<()> {
    let inquiry = ended(history).next()?;
    let mut event = resolved_event(history, &inquiry.id)?.clone();
    let feed = history.feeds.first_mut()?;
    event.name = "held".to_owned();
    event.ending = None;
    event.sequence = feed.last()?.sequence + 1;
    feed.push(event);
    Some(())
}

fn lose_undo(history: &mut History) -> Option<()> {
    let kept: BTreeSet<InquiryId> = kept(history).into_iter().map(|it| it.id).collect();
    let feed = history.feeds.first_mut()?;
    let mut events = feed.iter();
    let undone = events.position(|it| it.name == "reopened" && kept.contains(&it.inquiry))?;
    let event = &feed[undone];
    let mut operations = history.operations.iter();
    let is_acknowledged = operations.any(|it| {
        matches!(it.request, Request::Undo { .. })
            && it.is_accepted()
            && Some(&it.actor) == event.undone_by.as_ref()
    });
    is_acknowledged.then(|| drop(feed.remove(undone)))
}

fn lose_webhook(history: &mut History) -> Option<()> {
    let kept: BTreeSet<InquiryId> = ended(history).map(|it| it.id).collect();
    let mut webhooks = history.webhooks.iter();
    let lost = webhooks.find(|it| it.kind == "inquiry_resolved" && kept.contains(&it.inquiry))?;
    let lost = lost.inquiry.clone();
    history.webhooks.retain(|it| it.inquiry != lost);
    Some(())
}

fn change_webhook(history: &mut History) -> Option<()> {
    let mut webhooks = history.webhooks.iter();
    let mut other = webhooks.find(|it| it.kind == "inquiry_resolved")?.clone();
    other.body.push(' ');
    history.webhooks.push(other);
    Some(())
}

fn leave_buttons(history: &mut History) -> Option<()> {
    let texts: BTreeSet<String> = ended(history)
        .filter_map(|it| it.questions.into_iter().next())
        .map(|it| it.text)
        .collect();
    let mut cards = history.cards.iter_mut().filter(|it| !it.may_be_unknown);
    let card = cards.find(|it| it.text.lines().any(|line| texts.contains(line)))?;
    card.has_buttons = true;
    Some(())
}

/// The place of the line about an outcome that is still there.
fn audit_line(history: &History) -> Option<usize> {
    let kept: BTreeSet<InquiryId> = ended(history).map(|it| it.id).collect();
    let mut audit = history.audit.iter();
    audit.position(|it| {
        let inquiry = it.inquiry_id.as_ref();
        it.kind == AuditKind::Outcome && inquiry.is_some_and(|it| kept.contains(it))
    })
}

fn lose_audit_line(history: &mut History) -> Option<()> {
    let line = audit_line(history)?;
    history.audit.remove(line);
    Some(())
}

fn double_audit_line(history: &mut History) -> Option<()> {
    let line = history.audit[audit_line(history)?].clone();
    history.audit.push(line);
    Some(())
}

fn move_audit_line(history: &mut History) -> Option<()> {
    let line = audit_line(history)?;
    history.audit[line].sequence += 1;
    Some(())
}

fn forget_on_one_node(history: &mut History) -> Option<()> {
    let inquiry = kept(history).into_iter().next()?;
    history.nodes.get_mut(1)?.insert(inquiry.id, None);
    Some(())
}

fn lose_in_list(history: &mut History) -> Option<()> {
    let inquiry = kept(history).into_iter().next()?;
    history.listed.retain(|it| it.id != inquiry.id);
    Some(())
}

fn double_in_list(history: &mut History) -> Option<()> {
    let inquiry = kept(history).into_iter().next()?;
    history.listed.push(inquiry);
    Some(())
}

fn invent_draft(history: &mut History) -> Option<()> {
    let mut operations = history.operations.iter_mut();
    operations.find_map(|it| {
        let (Request::ReadDraft { .. }, Response::Accepted(accepted)) =
            (&it.request, &mut it.response)
        else {
            return None;
        };
        accepted.draft = Some("draft of nobody.".to_owned());
        Some(())
    })
}

fn snooze_ended_question(history: &mut History) -> Option<()> {
    let inquiry = ended(history).next()?;
    history.snoozed.push(inquiry.id);
    Some(())
}
