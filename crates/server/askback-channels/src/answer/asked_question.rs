//! One question, and the person who does something with it: what it looks like to them, and what they are told if it
//! cannot be done.

use askback_core::conversation::state::HeldAnswer;
use askback_engine::InquiryView;

use crate::answer::handle_incoming::{ChannelHandler, Proof, Respondent, feedback};
use crate::card::build::{CardReader, is_for};
use crate::card::{Card, CardState, HandOnMenu};
use crate::contract::button::Press;
use crate::contract::feedback::{Feedback, PressResult};
use crate::contract::incoming::HandlerError;
use crate::people::recipients::Recipient;

/// A question that was delivered to a person, who does something with it.
pub(crate) struct AskedQuestion<'a> {
    /// The channel in which they do it.
    pub(crate) handler: &'a ChannelHandler,
    /// As it was when they did it.
    pub(crate) view: InquiryView,
    pub(crate) respondent: Respondent<'a>,
}

impl<'a> AskedQuestion<'a> {
    pub(crate) fn recipient(&self) -> &'a Recipient {
        self.respondent.recipient
    }

    /// The card that the person sees.
    pub(crate) async fn card(&self) -> Result<Card, HandlerError> {
        self.card_of(&self.view).await
    }

    /// Their card of the question as it is now.
    pub(crate) async fn card_of(&self, view: &InquiryView) -> Result<Card, HandlerError> {
        let handler = self.handler;
        let reader = CardReader {
            config: &handler.shared.config(),
            name: &handler.name,
            channel: &handler.channel,
            alias: self.respondent.alias,
            recipient: self.respondent.recipient,
        };
        Ok(reader.card(&handler.shared, view).await?)
    }

    /// Whether the message has the whole question with its controls, so that a text can be an answer to it.
    pub(crate) async fn is_shown_whole(&self) -> Result<bool, HandlerError> {
        let mut card = self.card().await?;
        card.hand_on = HandOnMenu::default();
        Ok(self.handler.channel.channel.render(&card).is_answerable)
    }

    /// What to say if the question cannot take this press any more, at a revision that the person was shown.
    pub(crate) async fn refused_already(
        &self,
        press: Press,
        shown_revision: u32,
    ) -> Result<Option<Feedback>, HandlerError> {
        let is_undo = press == Press::Undo;
        let (view, shared) = (&self.view, &self.handler.shared);
        let alias = self.respondent.alias;
        let told = if view.resolution.is_some() {
            Some((PressResult::AlreadyEnded, self.ending().await?))
        } else if !is_for(&shared.engine, &shared.config(), view, alias).await? {
            Some((PressResult::Changed, self.ending().await?))
        } else if let (Some(held), false) = (&view.held, is_undo) {
            Some((PressResult::Held, self.held_text(held)))
        } else if view.row.revision != shown_revision && !is_undo {
            Some((PressResult::Changed, self.changed_text()))
        } else {
            None
        };
        if told.is_some() {
            self.redraw().await?;
        }
        Ok(told.map(|(result, text)| feedback(result, text)))
    }

    /// Says who has answered, to somebody who cannot undo it.
    pub(crate) async fn told_held(&self) -> Result<Feedback, HandlerError> {
        self.redraw().await?;
        let held = self.view.held.as_ref();
        let text = held.map(|held| self.held_text(held));
        Ok(feedback(PressResult::Held, text.unwrap_or_default()))
    }

    /// Says that the question is no longer what the person was shown, and shows it again.
    pub(crate) async fn changed(&self) -> Result<Feedback, HandlerError> {
        self.redraw().await?;
        Ok(feedback(PressResult::Changed, self.changed_text()))
    }

    /// Somebody else was first, or the question ended meanwhile.
    pub(crate) async fn lost_race(self) -> Result<Feedback, HandlerError> {
        let revision = self.view.row.revision;
        let now = self
            .handler
            .shared
            .engine
            .inquiry(&self.view.row.id)
            .await?;
        let now = AskedQuestion {
            view: now.unwrap_or(self.view),
            ..self
        };
        match now
            .refused_already(Press::Send { shown: None }, revision)
            .await?
        {
            Some(told) => Ok(told),
            None => now.changed().await,
        }
    }

    /// Makes the messages of the inquiry due, so that they show its draft or its end.
    pub(crate) async fn redraw(&self) -> Result<(), HandlerError> {
        Ok(self.handler.shared.redraw(&self.view.row.id).await?)
    }

    fn changed_text(&self) -> String {
        self.recipient().locale.text("channel-changed", &[])
    }

    /// Who has answered, and until when it can be undone.
    fn held_text(&self, held: &HeldAnswer) -> String {
        let shared = &self.handler.shared;
        let left = held.until.duration_since(shared.engine.clock().now());
        let resolution = &held.resolution;
        let former = &shared.config().recipients.former;
        let by = former.actor(&resolution.by, resolution.at);
        let locale = self.recipient().locale;
        let person = by
            .name
            .map_or_else(|| locale.text("someone", &[]), |name| name.to_string());
        let seconds = left.as_secs().max(0) + 1;
        let args = [("person", person.into()), ("seconds", seconds.into())];
        locale.text("channel-held-by", &args)
    }

    /// Who ended the question or handed it on, when and how. Behind a URL, answers are shown only if they were given in
    /// the same way, and not who has it now: whoever has it may answer, but not read the answers of others.
    async fn ending(&self) -> Result<String, HandlerError> {
        let mut card = self.card().await?;
        let handler = self.handler;
        let Respondent {
            alias, recipient, ..
        } = self.respondent;
        let by = self.view.resolution.as_ref().map(|it| &it.resolution.by);
        let surface = handler.channel.channel.surface();
        let is_own = match by.filter(|by| by.surface == surface) {
            Some(by) => handler.shared.accounts.is_person(by, alias).await?,
            None => false,
        };
        if handler.proof == Proof::Url && matches!(card.state, CardState::HandedOn { .. }) {
            return Ok(recipient.locale.text("handed-on-to-other", &[]));
        }
        if handler.proof == Proof::Url && !is_own {
            card.content = card.content.without_answers();
        }
        Ok(card.status().unwrap_or_default())
    }
}
