//! Turns what people do in a channel into commands of the engine. Who may do it is checked each time.

use std::sync::Arc;

use askback_core::answer::Answers;
use askback_core::conversation::command::RespondentAction;
use askback_core::conversation::state::HeldAnswer;
use askback_core::draft::Draft;
use askback_core::identity::Identity;
use askback_core::input_parser::InputParser;
use askback_core::outcome::{Actor, Surface};
use askback_core::text::{Lines, Text};
use askback_engine::InquiryView;
use askback_locale::Locale;
use askback_store::{DeliveryPlan, DraftRow, StoreError};

use crate::answer::draft_edits::{self, Edited};
use crate::answer::feedback_text::{invalid, not_all_answered};
use crate::answer::hand_on;
use crate::card::build::{build_card, escalated, is_addressed, reader, restored_draft};
use crate::card::{Card, CardState};
use crate::config::ConfiguredChannel;
use crate::contract::button::{Button, PersonCode, Press, RangeDay};
use crate::contract::draft_code::DraftCode;
use crate::contract::feedback::{Feedback, PressResult};
use crate::contract::incoming::{FieldInput, Incoming, IncomingAction};
use crate::dispatcher::Shared;
use crate::people::account::linked_accounts;
use crate::people::recipients::{Recipient, Recipients};

/// Names in records are at most this long.
const NAME_CHARS_MAX: usize = 80;
/// How often an edit is applied to a draft that others change at the same time.
const EDIT_ATTEMPTS_MAX: usize = 5;

/// Handles what arrives on one channel.
pub(crate) struct ChannelHandler {
    pub(crate) shared: Arc<Shared>,
    pub(crate) name: String,
    pub(crate) channel: ConfiguredChannel,
    pub(crate) proof: Proof,
}

/// How it is known who acts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Proof {
    /// The provider says which account it is.
    Account,
    /// They have a URL that was sent to the account. It may have been passed on.
    Url,
}

/// Why nothing can be told to the person.
pub(crate) enum Unhandled {
    Store(StoreError),
    Closing,
}

impl From<StoreError> for Unhandled {
    fn from(error: StoreError) -> Unhandled {
        Unhandled::Store(error)
    }
}

/// A person who may act on an inquiry.
pub(crate) struct Respondent<'a> {
    pub(crate) actor: Actor,
    pub(crate) alias: &'a str,
    pub(crate) recipient: &'a Recipient,
}

/// What a person does with an inquiry.
pub(crate) enum Deed<'a> {
    Press(Press),
    Submit(&'a [FieldInput]),
    /// A text that a prompt has asked for.
    Text((usize, RangeDay), &'a str),
    /// A text that replies to a card, which showed this page and asked for this day.
    Reply((Option<usize>, RangeDay), &'a str),
    /// The reason of a hand-on.
    Reason(&'a str),
    HandOn(PersonCode, Option<&'a str>),
}

pub(crate) fn feedback(result: PressResult, text: String) -> Feedback {
    Feedback {
        result,
        text,
        prompt: None,
    }
}

impl ChannelHandler {
    pub(crate) fn new(shared: Arc<Shared>, name: String, channel: ConfiguredChannel) -> Self {
        ChannelHandler {
            shared,
            name,
            channel,
            proof: Proof::Account,
        }
    }

    pub(crate) async fn handle_any(&self, incoming: &Incoming) -> Result<Feedback, Unhandled> {
        match &incoming.action {
            IncomingAction::Link { code } => self.link(incoming, code).await,
            IncomingAction::LinkInGroup { code } => self.refuse_in_group(incoming, code).await,
            IncomingAction::Press { data } => match Button::decode(data) {
                Some(button) => self.act(incoming, &button, Deed::Press(button.press)).await,
                None => Ok(self.not_allowed(incoming, "data of no button")),
            },
            IncomingAction::Submit { data, fields } => match Button::decode(data) {
                Some(button) => self.act(incoming, &button, Deed::Submit(fields)).await,
                None => Ok(self.not_allowed(incoming, "data of no button")),
            },
            IncomingAction::HandOn { data, reason } => match Button::decode(data) {
                Some(
                    button @ Button {
                        press: Press::HandOn { to },
                        ..
                    },
                ) => {
                    let deed = Deed::HandOn(to, reason.as_deref());
                    self.act(incoming, &button, deed).await
                }
                Some(_) | None => Ok(self.not_allowed(incoming, "data of no button")),
            },
            IncomingAction::Reply { text, button } => {
                self.reply(incoming, text, button.as_deref()).await
            }
            IncomingAction::Text { text } => self.loose_text(incoming, text).await,
            IncomingAction::Unreadable => self.explain(incoming, "channel-text-only").await,
            IncomingAction::Help => {
                self.retry_undelivered(incoming).await?;
                self.explain(incoming, "channel-help").await
            }
        }
    }

    /// Does something with an inquiry, if the person may.
    pub(crate) async fn act(
        &self,
        incoming: &Incoming,
        button: &Button,
        deed: Deed<'_>,
    ) -> Result<Feedback, Unhandled> {
        let config = self.shared.config();
        let respondent = self
            .respondent(&config.recipients, incoming, button)
            .await?;
        let Some(respondent) = respondent else {
            return Ok(self.not_allowed(incoming, "not a recipient of the question"));
        };
        let Some(view) = self.shared.engine.inquiry(&button.inquiry).await? else {
            return Ok(self.not_allowed(incoming, "no such question"));
        };
        if !matches!(deed, Deed::Text(..) | Deed::Reply(..) | Deed::Reason(_)) {
            self.remember_copy(incoming, &button.inquiry).await?;
        }
        if let Some(told) = self.refused_already(&view, button, &respondent).await? {
            return Ok(told);
        }
        let shown = if let Press::Send { shown } = button.press {
            shown
        } else {
            None
        };
        match deed {
            // It does not say what its message shows.
            Deed::Press(Press::Send { shown: None }) => self.changed(&view, &respondent).await,
            Deed::Press(Press::Undo) => self.undo(&view, respondent).await,
            Deed::Press(Press::Decline) => {
                self.respond(&view, respondent, RespondentAction::Decline)
                    .await
            }
            Deed::Press(Press::Write { .. }) | Deed::Text(..) | Deed::Reply(..)
                if !self.is_shown_whole(&view, &respondent).await? =>
            {
                let card = self.card(&view, &respondent).await?;
                let invalid = PressResult::Invalid { fields: Vec::new() };
                Ok(feedback(invalid, card.answer_elsewhere()))
            }
            Deed::Press(Press::Write { .. }) => Ok(self.ask_for_text(&view, &respondent, button)),
            Deed::Press(Press::People { shown }) => {
                if !shown {
                    self.close_reason_prompt(incoming, &button.inquiry).await?;
                }
                self.show_people(&view, &respondent, shown).await
            }
            Deed::Press(Press::Reason) => Ok(hand_on::reason_prompt(button, &respondent)),
            Deed::Reason(reason) => self.keep_reason(&view, &respondent, reason).await,
            Deed::Press(Press::HandOn { to }) => {
                let reason = self.kept_reason(&view, &respondent).await?;
                self.hand_on(&view, respondent, (to, reason.as_deref()))
                    .await
            }
            Deed::HandOn(to, reason) => self.hand_on(&view, respondent, (to, reason)).await,
            Deed::Press(press) => {
                self.edit(&view, respondent, shown, |parser, draft| {
                    draft_edits::press(&view.inquiry, parser, draft, press)
                })
                .await
            }
            Deed::Submit(fields) => {
                self.edit(&view, respondent, shown, |parser, draft| {
                    let whole = Draft::new(&view.inquiry);
                    // Without a code, the message does not follow the draft.
                    let draft = shown.map_or(&whole, |_| draft);
                    draft_edits::submit(&view.inquiry, parser, draft, fields)
                })
                .await
            }
            Deed::Reply(shown, text) => self.reply_to_card(&view, respondent, (shown, text)).await,
            Deed::Text(question, text) => self.write(&view, respondent, (question, text)).await,
        }
    }

    /// The person to whom an account belongs, by the configuration or by a code.
    pub(crate) async fn owner<'a>(
        &self,
        recipients: &'a Recipients,
        incoming: &Incoming,
    ) -> Result<Option<(&'a str, &'a Recipient)>, Unhandled> {
        let store = self.shared.engine.store();
        let mut owner = recipients.owner(&incoming.identity);
        if owner.is_none() {
            let linked = linked_accounts(store.as_ref()).await?;
            let mut linked = linked
                .into_iter()
                .filter(|account| account.channel == self.name);
            let account = linked.find(|account| account.identity == incoming.identity.as_str());
            owner = account.and_then(|account| {
                let found = recipients.people.get_key_value(&account.recipient);
                found.map(|(alias, person)| (alias.as_str(), person))
            });
        }
        Ok(owner)
    }

    /// The person, if the question was delivered to them through this channel.
    async fn respondent<'a>(
        &self,
        recipients: &'a Recipients,
        incoming: &Incoming,
        button: &Button,
    ) -> Result<Option<Respondent<'a>>, Unhandled> {
        let store = self.shared.engine.store();
        let Some((alias, recipient)) = self.owner(recipients, incoming).await? else {
            return Ok(None);
        };
        let deliveries = store.deliveries_of(&button.inquiry).await?;
        let is_theirs = deliveries
            .iter()
            .any(|row| row.target.channel == self.name && row.target.recipient == alias);
        // A text replies to the prompt for it; what the outcome keeps is the card.
        let mut cards = deliveries.iter().filter(|row| {
            row.target.channel == self.name && row.target.address == incoming.address.0
        });
        let card = cards.find_map(|row| row.external_id.as_deref());
        let pressed = incoming.message.as_ref().map(|id| id.0.as_str());
        let message = card.or(pressed);
        let actor = Actor {
            name: Text::clean(&recipient.name, Lines::One).map(|name| name.clip(NAME_CHARS_MAX)),
            identity: self.recorded_identity(incoming, alias),
            surface: self.channel.channel.surface(),
            message: message.and_then(|id| Text::clean(id, Lines::One)),
        };
        Ok(is_theirs.then_some(Respondent {
            actor,
            alias,
            recipient,
        }))
    }

    /// What the outcome keeps. A topic of ntfy is a secret, and a browser is nobody: the alias stands for them.
    fn recorded_identity(&self, incoming: &Incoming, alias: &str) -> Option<Identity> {
        if matches!(
            self.channel.channel.surface(),
            Surface::Ntfy | Surface::Push
        ) {
            return Identity::new(&self.channel.service, alias);
        }
        Some(incoming.identity.clone())
    }

    fn not_allowed(&self, incoming: &Incoming, why: &str) -> Feedback {
        let channel = &self.name;
        let identity = self.recorded_identity(incoming, "?");
        let identity = identity.as_ref().map_or("?", Identity::as_str);
        tracing::warn!(%channel, identity, why, "refused a press in a channel");
        let text = Locale::choose(&["en"]).text("channel-not-allowed", &[]);
        feedback(PressResult::NotAllowed, text)
    }

    /// What to say if the question cannot take this any more.
    pub(crate) async fn refused_already(
        &self,
        view: &InquiryView,
        button: &Button,
        respondent: &Respondent<'_>,
    ) -> Result<Option<Feedback>, Unhandled> {
        let is_undo = button.press == Press::Undo;
        let told = if view.resolution.is_some() {
            Some((
                PressResult::AlreadyEnded,
                self.ending(view, respondent).await?,
            ))
        } else if !self.is_addressed(view, respondent.alias).await? {
            Some((PressResult::Changed, self.ending(view, respondent).await?))
        } else if let (Some(held), false) = (&view.held, is_undo) {
            Some((PressResult::Held, self.held_text(held, respondent)))
        } else if view.row.revision != button.revision && !is_undo {
            let text = respondent.recipient.locale.text("channel-changed", &[]);
            Some((PressResult::Changed, text))
        } else {
            None
        };
        if told.is_some() {
            self.redraw(view).await?;
        }
        Ok(told.map(|(result, text)| feedback(result, text)))
    }

    /// Who has answered, and until when it can be undone.
    fn held_text(&self, held: &HeldAnswer, respondent: &Respondent<'_>) -> String {
        let left = held.until.duration_since(self.shared.engine.clock().now());
        let config = self.shared.config();
        let resolution = &held.resolution;
        let by = config
            .recipients
            .former
            .actor(&resolution.by, resolution.at);
        let locale = respondent.recipient.locale;
        let person = by
            .name
            .map_or_else(|| locale.text("someone", &[]), |name| name.to_string());
        let seconds = left.as_secs().max(0) + 1;
        let args = [("person", person.into()), ("seconds", seconds.into())];
        locale.text("channel-held-by", &args)
    }

    /// Says who has answered, to somebody who cannot undo it.
    pub(crate) async fn told_held(
        &self,
        view: &InquiryView,
        respondent: &Respondent<'_>,
    ) -> Result<Feedback, Unhandled> {
        self.redraw(view).await?;
        let held = view.held.as_ref();
        let text = held.map(|held| self.held_text(held, respondent));
        Ok(feedback(PressResult::Held, text.unwrap_or_default()))
    }

    /// Whether the question is still for this person.
    async fn is_addressed(&self, view: &InquiryView, alias: &str) -> Result<bool, Unhandled> {
        let config = self.shared.config();
        let escalated = escalated(&self.shared.engine, &config, view).await?;
        Ok(is_addressed(&config, view, alias, &escalated))
    }

    pub(crate) async fn card(
        &self,
        view: &InquiryView,
        respondent: &Respondent<'_>,
    ) -> Result<Card, Unhandled> {
        let config = self.shared.config();
        let config = (&*config, self.name.as_str(), &self.channel);
        let reader = (respondent.alias, respondent.recipient);
        Ok(build_card(&self.shared.engine, view, config, reader).await?)
    }

    /// Who ended the question or handed it on, when and how. Behind a URL, answers are shown only if they were given in
    /// the same way, and not who has it now: whoever has it may answer, but not read the answers of others.
    async fn ending(
        &self,
        view: &InquiryView,
        respondent: &Respondent<'_>,
    ) -> Result<String, Unhandled> {
        let mut card = self.card(view, respondent).await?;
        let Respondent {
            alias, recipient, ..
        } = respondent;
        let is_own = view.resolution.as_ref().is_some_and(|ended| {
            let by = &ended.resolution.by;
            by.surface == self.channel.channel.surface()
                && self
                    .shared
                    .config()
                    .recipients
                    .is_person(by, alias, recipient)
        });
        if self.proof == Proof::Url && matches!(card.state, CardState::HandedOn { .. }) {
            return Ok(recipient.locale.text("handed-on-to-other", &[]));
        }
        if self.proof == Proof::Url && !is_own {
            card.content = card.content.without_answers();
        }
        Ok(card.status().unwrap_or_default())
    }

    /// Says that the question is no longer what the person was shown, and shows it again.
    pub(crate) async fn changed(
        &self,
        view: &InquiryView,
        respondent: &Respondent<'_>,
    ) -> Result<Feedback, Unhandled> {
        self.redraw(view).await?;
        let text = respondent.recipient.locale.text("channel-changed", &[]);
        Ok(feedback(PressResult::Changed, text))
    }

    /// Makes the messages of the inquiry due, so that they show its draft or its end.
    pub(crate) async fn redraw(&self, view: &InquiryView) -> Result<(), Unhandled> {
        let plan = DeliveryPlan {
            changed: vec![view.row.id.clone()],
            ..DeliveryPlan::due(self.shared.engine.clock().now())
        };
        Ok(self.shared.write_plan(plan).await?)
    }

    /// Applies an edit to the draft, and sends the answers if the edit completes them. Nothing is done if the draft is
    /// no longer what the person was shown. If it is changed elsewhere at the same time, the edit is applied again.
    pub(crate) async fn edit(
        &self,
        view: &InquiryView,
        respondent: Respondent<'_>,
        shown: Option<DraftCode>,
        change: impl Fn(&InputParser, &Draft) -> Edited,
    ) -> Result<Feedback, Unhandled> {
        let engine = &self.shared.engine;
        let now = engine.clock().now();
        let locale = respondent.recipient.locale;
        let parser = locale.typing(reader(respondent.recipient, now).today);
        for _ in 0..EDIT_ATTEMPTS_MAX {
            let stored = engine.store().draft(&view.row.id).await?;
            let before = restored_draft(view, stored.as_ref());
            if shown.is_some_and(|shown| shown != DraftCode::new(&before)) {
                return self.changed(view, &respondent).await;
            }
            let edited = change(&parser, &before);
            if !edited.problems.is_empty() {
                return Ok(invalid(locale, view, &edited.problems));
            }
            if let Some(answers) = edited.sent {
                let action = answer_action(&answers);
                return self.respond(view, respondent, action).await;
            }
            let is_complete = edited.unanswered.is_empty();
            let is_kept = is_complete || shown.is_some();
            if is_kept && !self.replace_draft(view, stored, &edited.draft).await? {
                continue;
            }
            return Ok(if is_complete {
                feedback(PressResult::DraftSaved, String::new())
            } else {
                not_all_answered(locale, view, &edited.unanswered, shown)
            });
        }
        self.lost_race(view, &respondent).await
    }

    /// Stores the draft in place of the one that was read, and shows it. False if another one is stored by now, or the
    /// question has ended.
    async fn replace_draft(
        &self,
        view: &InquiryView,
        stored: Option<DraftRow>,
        draft: &Draft,
    ) -> Result<bool, Unhandled> {
        let engine = &self.shared.engine;
        let Ok(json) = serde_json::to_string(draft) else {
            return Ok(false);
        };
        let row = DraftRow {
            inquiry: view.row.id.clone(),
            json,
            at: engine.clock().now(),
        };
        let is_stored = engine.store().replace_draft(row, stored).await?;
        if is_stored {
            self.redraw(view).await?;
        }
        Ok(is_stored)
    }
}

fn answer_action(answers: &Answers) -> RespondentAction {
    RespondentAction::Answer {
        answers: answers.to_json(),
        notes: None,
    }
}
