//! Answers, declines, undoes and hands on as a person in a channel, and says what came of it.

use askback_core::conversation::command::{Command, RespondentAction, Target};
use askback_core::conversation::rejection::Rejection;
use askback_engine::{CommitOptions, InquiryView, SeenInquiry, SubmitError};

use crate::answer::asked_question::AskedQuestion;
use crate::answer::feedback_text::invalid;
use crate::answer::handle_incoming::feedback;
use crate::card::{Card, CardState, ContentLevel};
use crate::contract::feedback::{Feedback, PressResult};
use crate::contract::incoming::HandlerError;

/// Answers or declines, at once or with an undo window.
pub(crate) async fn respond(
    asked: AskedQuestion<'_>,
    action: RespondentAction,
) -> Result<Feedback, HandlerError> {
    let undo_seconds = asked.handler.channel.undo_seconds;
    let command = action.into_command(target(&asked.view), undo_seconds);
    submit(asked, command).await
}

/// Undoes the answer of this person. Others are told who has answered.
pub(crate) async fn undo(asked: AskedQuestion<'_>) -> Result<Feedback, HandlerError> {
    if let Some(held) = &asked.view.held {
        let (by, alias) = (&held.resolution.by, asked.respondent.alias);
        if !asked.handler.shared.accounts.is_person(by, alias).await? {
            return asked.told_held().await;
        }
    }
    let target = target(&asked.view);
    submit(asked, Command::UndoAnswer { target }).await
}

pub(crate) async fn submit(
    asked: AskedQuestion<'_>,
    command: Command,
) -> Result<Feedback, HandlerError> {
    let shared = &asked.handler.shared;
    let engine = &shared.engine;
    let locale = asked.recipient().locale;
    let done = if let Command::HandOn { to, .. } = &command {
        let name = shared.config().recipients.name_of(Some(to));
        let text = locale.text("handed-on-to-unnamed", &[("to", name.as_str().into())]);
        let is_reachable = shared.accounts.is_reachable(to.as_str()).await?;
        let result = PressResult::HandedOn { is_reachable };
        if is_reachable {
            Some((result, text))
        } else {
            let person = [("person", name.into())];
            let why = locale.text("hand-on-unreachable", &person);
            Some((result, format!("{text}. {why}")))
        }
    } else {
        let is_undo = matches!(command, Command::UndoAnswer { .. });
        is_undo.then(|| (PressResult::Undone, locale.text("web-undone", &[])))
    };
    let conversation = &asked.view.row.conversation;
    let actor = asked.respondent.actor.clone();
    // They may act on what was checked: meanwhile, somebody else may have answered.
    let options = CommitOptions {
        seen: Some(SeenInquiry::of(&asked.view)),
        ..CommitOptions::default()
    };
    let submitted = engine.submit_with(conversation, command, actor, options);
    match submitted.await {
        Ok(submitted) => {
            if let Some((result, text)) = done {
                return Ok(feedback(result, text));
            }
            let after = submitted.inquiry_after(asked.view.clone());
            let card = asked.card_of(&after).await?;
            Ok(accepted(&card, asked.handler.channel.undo_seconds))
        }
        Err(SubmitError::Rejected(Rejection::InvalidAnswer(problems))) => {
            Ok(invalid(locale, &asked.view, &problems))
        }
        Err(SubmitError::Rejected(Rejection::NothingHeld)) => {
            let text = locale.text("notice-nothing-to-undo", &[]);
            Ok(feedback(PressResult::Changed, text))
        }
        Err(error @ (SubmitError::Closing | SubmitError::Store(_))) => {
            Err(HandlerError(error.to_string()))
        }
        Err(
            SubmitError::Rejected(_)
            | SubmitError::NotFound
            | SubmitError::Repeated { .. }
            | SubmitError::AlreadyAsked { .. }
            | SubmitError::KeyReused,
        ) => asked.lost_race().await,
    }
}

/// What was accepted. Channels that may not show questions and answers do not say it.
fn accepted(card: &Card, undo_seconds: Option<u32>) -> Feedback {
    let locale = card.reader.locale;
    let outcome = match &card.state {
        CardState::Held { outcome, .. } | CardState::Ended { outcome, .. } => Some(outcome),
        CardState::Open { .. } | CardState::HandedOn { .. } => None,
    };
    let lines = outcome.map(|outcome| card.answer_lines(outcome));
    let answer = lines.filter(|lines| !lines.is_empty());
    let answer = answer.map_or_else(|| locale.text("web-decline", &[]), |lines| lines.join(", "));
    let is_shown = card.content == ContentLevel::Full;
    let Some(seconds) = undo_seconds else {
        let text = if is_shown {
            locale.text("channel-sent", &[("answer", answer.into())])
        } else {
            locale.text("channel-sent-plain", &[])
        };
        return feedback(PressResult::Accepted, text);
    };
    let given = ("seconds", i64::from(seconds).into());
    let text = if is_shown {
        locale.text("channel-sent-undo", &[("answer", answer.into()), given])
    } else {
        locale.text("channel-sent-undo-plain", &[given])
    };
    feedback(PressResult::AcceptedWithUndo { seconds }, text)
}

pub(crate) fn target(view: &InquiryView) -> Target {
    Target::Delivered {
        id: view.row.id.clone(),
        revision: view.row.revision,
        hand_ons: view.inquiry.hand_ons(),
    }
}
