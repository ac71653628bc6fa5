//! Answers, declines, undoes and hands on as a person in a channel, and says what came of it.

use askback_core::conversation::command::{Command, RespondentAction, Target};
use askback_core::conversation::rejection::Rejection;
use askback_engine::{InquiryView, SubmitError};
use askback_locale::Locale;
use jiff::SignedDuration;

use crate::answer::feedback_text::invalid;
use crate::answer::handle_incoming::{ChannelHandler, Respondent, Unhandled, feedback};
use crate::card::{Card, ContentLevel};
use crate::contract::button::{Button, Press};
use crate::contract::feedback::{Feedback, PressResult};
use crate::people::reachable::reachable_accounts;

impl ChannelHandler {
    /// Answers or declines, at once or with an undo window.
    pub(crate) async fn respond(
        &self,
        view: &InquiryView,
        respondent: Respondent<'_>,
        action: RespondentAction,
    ) -> Result<Feedback, Unhandled> {
        let target = target(view);
        let command = match self.channel.undo_seconds {
            Some(seconds) => Command::AnswerWithUndo {
                target,
                reply: action,
                window: SignedDuration::from_secs(seconds.into()),
            },
            None => match action {
                RespondentAction::Answer { answers, notes } => Command::Answer {
                    target,
                    answers,
                    notes,
                },
                RespondentAction::Decline => Command::Decline { target },
                RespondentAction::Reject => Command::Reject { target },
            },
        };
        self.submit(view, respondent, command).await
    }

    /// Undoes the answer of this person. Others are told who has answered.
    pub(crate) async fn undo(
        &self,
        view: &InquiryView,
        respondent: Respondent<'_>,
    ) -> Result<Feedback, Unhandled> {
        let config = self.shared.config();
        let by = view.held.as_ref().map(|held| &held.resolution.by);
        let is_theirs = |by| {
            config
                .recipients
                .is_person(by, respondent.alias, respondent.recipient)
        };
        if !by.is_none_or(is_theirs) {
            return self.told_held(view, &respondent).await;
        }
        let target = target(view);
        self.submit(view, respondent, Command::UndoAnswer { target })
            .await
    }

    pub(crate) async fn submit(
        &self,
        view: &InquiryView,
        respondent: Respondent<'_>,
        command: Command,
    ) -> Result<Feedback, Unhandled> {
        let engine = &self.shared.engine;
        let locale = respondent.recipient.locale;
        let done = if let Command::HandOn { to, .. } = &command {
            let name = self.shared.config().recipients.name_of(Some(to));
            let text = locale.text("handed-on-to-unnamed", &[("to", name.as_str().into())]);
            let now = engine.clock().now();
            let accounts = reachable_accounts(&self.shared, Some(to.as_str()), now).await?;
            let unreachable = accounts.is_empty().then(|| {
                let person = [("person", name.into())];
                format!("{text}. {}", locale.text("hand-on-unreachable", &person))
            });
            let is_reachable = unreachable.is_none();
            let result = PressResult::HandedOn { is_reachable };
            Some((result, unreachable.unwrap_or(text)))
        } else {
            let is_undo = matches!(command, Command::UndoAnswer { .. });
            is_undo.then(|| (PressResult::Undone, locale.text("web-undone", &[])))
        };
        let conversation = &view.row.conversation;
        let submitted = engine
            .submit(conversation, command, respondent.actor.clone())
            .await;
        match submitted {
            Ok(submitted) => {
                if let Some((result, text)) = done {
                    return Ok(feedback(result, text));
                }
                let after = submitted.inquiry_after(view.clone());
                let card = self.card(&after, &respondent).await?;
                Ok(self.accepted(&card))
            }
            Err(SubmitError::Rejected(Rejection::InvalidAnswer(problems))) => {
                Ok(invalid(locale, view, &problems))
            }
            Err(SubmitError::Rejected(Rejection::NothingHeld)) => {
                let text = locale.text("notice-nothing-to-undo", &[]);
                Ok(feedback(PressResult::Changed, text))
            }
            Err(SubmitError::Closing) => Err(Unhandled::Closing),
            Err(SubmitError::Store(error)) => Err(error.into()),
            Err(
                SubmitError::Rejected(_)
                | SubmitError::NotFound
                | SubmitError::Repeated { .. }
                | SubmitError::AlreadyAsked { .. }
                | SubmitError::KeyReused,
            ) => self.lost_race(view, &respondent).await,
        }
    }

    /// Somebody else was first, or the question ended meanwhile.
    pub(crate) async fn lost_race(
        &self,
        view: &InquiryView,
        respondent: &Respondent<'_>,
    ) -> Result<Feedback, Unhandled> {
        let now = self.shared.engine.inquiry(&view.row.id).await?;
        let now = now.unwrap_or_else(|| view.clone());
        let button = Button {
            inquiry: view.row.id.clone(),
            revision: view.row.revision,
            press: Press::Send { shown: None },
        };
        let told = self.refused_already(&now, &button, respondent).await?;
        match told {
            Some(told) => Ok(told),
            None => self.changed(&now, respondent).await,
        }
    }

    fn accepted(&self, card: &Card) -> Feedback {
        let locale = card.reader.locale;
        let outcome = match &card.state {
            crate::card::CardState::Held { outcome, .. }
            | crate::card::CardState::Ended { outcome, .. } => Some(outcome),
            crate::card::CardState::Open { .. } | crate::card::CardState::HandedOn { .. } => None,
        };
        let lines = outcome.map(|outcome| card.answer_lines(outcome));
        let answer = lines.filter(|lines| !lines.is_empty());
        let answer =
            answer.map_or_else(|| locale.text("web-decline", &[]), |lines| lines.join(", "));
        if card.content != ContentLevel::Full {
            return self.accepted_without_content(locale);
        }
        let Some(seconds) = self.channel.undo_seconds else {
            let text = locale.text("channel-sent", &[("answer", answer.into())]);
            return feedback(PressResult::Accepted, text);
        };
        let args = [
            ("answer", answer.into()),
            ("seconds", i64::from(seconds).into()),
        ];
        let text = locale.text("channel-sent-undo", &args);
        feedback(PressResult::AcceptedWithUndo { seconds }, text)
    }

    /// For channels that may not show questions and answers.
    fn accepted_without_content(&self, locale: Locale) -> Feedback {
        match self.channel.undo_seconds {
            Some(seconds) => {
                let args = [("seconds", i64::from(seconds).into())];
                let text = locale.text("channel-sent-undo-plain", &args);
                feedback(PressResult::AcceptedWithUndo { seconds }, text)
            }
            None => feedback(
                PressResult::Accepted,
                locale.text("channel-sent-plain", &[]),
            ),
        }
    }
}

pub(crate) fn target(view: &InquiryView) -> Target {
    Target::Delivered {
        id: view.row.id.clone(),
        revision: view.row.revision,
        hand_ons: view.inquiry.hand_ons(),
    }
}
