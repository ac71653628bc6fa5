//! Turns what people do in a channel into commands of the engine. Who may do it is checked each time.

use std::sync::Arc;

use askback_core::identity::Identity;
use askback_core::outcome::{Actor, Surface};
use askback_core::text::{Lines, Text};
use askback_locale::Locale;

use crate::answer::asked_question::AskedQuestion;
use crate::answer::deed::Deed;
use crate::answer::loose_text::{explain, loose_text};
use crate::answer::prompts::Prompts;
use crate::answer::typed_reply::reply;
use crate::config::ConfiguredChannel;
use crate::contract::button::{Button, Press};
use crate::contract::channel::Address;
use crate::contract::feedback::{Feedback, PressResult};
use crate::contract::incoming::{HandlerError, Incoming, IncomingAction};
use crate::deliver::copies::Copies;
use crate::dispatcher::Shared;
use crate::people::alias_proof::AliasProof;
use crate::people::link_account::{link, refuse_in_group, retry_undelivered};
use crate::people::recipients::{Recipient, Recipients};

/// Names in records are at most this long.
const NAME_CHARS_MAX: usize = 80;

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

/// A person who may act on an inquiry.
pub(crate) struct Respondent<'a> {
    pub(crate) actor: Actor,
    pub(crate) alias: &'a str,
    pub(crate) recipient: &'a Recipient,
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

    pub(crate) async fn handle_any(&self, incoming: &Incoming) -> Result<Feedback, HandlerError> {
        match &incoming.action {
            IncomingAction::Link { code } => link(self, incoming, code).await,
            IncomingAction::LinkInGroup { code } => refuse_in_group(self, incoming, code).await,
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
                    let reason = reason.as_deref();
                    let deed = Deed::HandOn { to, reason };
                    self.act(incoming, &button, deed).await
                }
                Some(_) | None => Ok(self.not_allowed(incoming, "data of no button")),
            },
            IncomingAction::Reply { text, button } => {
                reply(self, incoming, text, button.as_deref()).await
            }
            IncomingAction::Text { text } => loose_text(self, incoming, text).await,
            IncomingAction::Unreadable => explain(self, incoming, "channel-text-only").await,
            IncomingAction::Help => {
                retry_undelivered(self, incoming).await?;
                explain(self, incoming, "channel-help").await
            }
        }
    }

    /// Does something with an inquiry, if the person may.
    pub(crate) async fn act(
        &self,
        incoming: &Incoming,
        button: &Button,
        deed: Deed<'_>,
    ) -> Result<Feedback, HandlerError> {
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
        let copies = self.copies();
        if !matches!(
            deed,
            Deed::Text { .. } | Deed::Reply { .. } | Deed::Reason(_)
        ) {
            copies.remember(incoming, &button.inquiry).await?;
        }
        let asked = AskedQuestion {
            handler: self,
            view,
            respondent,
        };
        let told = asked.refused_already(button.press, button.revision);
        if let Some(told) = told.await? {
            return Ok(told);
        }
        if matches!(deed, Deed::Press(Press::People { shown: false })) {
            let prompts = self.prompts(&incoming.address);
            prompts.close_reason(&button.inquiry).await?;
        }
        Box::pin(deed.done(asked, button)).await
    }

    pub(crate) fn copies(&self) -> Copies<'_> {
        Copies {
            shared: &self.shared,
            channel: &self.name,
        }
    }

    pub(crate) fn prompts<'a>(&'a self, address: &'a Address) -> Prompts<'a> {
        Prompts {
            state: self.shared.state(),
            channel: &self.name,
            address,
        }
    }

    /// The person to whom an account belongs, by the configuration or by a code.
    pub(crate) async fn owner<'a>(
        &self,
        recipients: &'a Recipients,
        incoming: &Incoming,
    ) -> Result<Option<(&'a str, &'a Recipient)>, HandlerError> {
        let mut owner = recipients.owner(&incoming.identity);
        if owner.is_none() {
            let mut linked = self.shared.accounts.linked().await?.into_iter();
            let account = linked.find(|account| {
                account.channel == self.name && account.identity == incoming.identity.as_str()
            });
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
    ) -> Result<Option<Respondent<'a>>, HandlerError> {
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
        #[expect(clippy::wildcard_enum_match_arm, reason = "most have accounts")]
        match self.channel.channel.surface() {
            Surface::Ntfy => AliasProof::Ntfy.identity(alias),
            Surface::Push => AliasProof::Webpush.identity(alias),
            _ => Some(incoming.identity.clone()),
        }
    }

    fn not_allowed(&self, incoming: &Incoming, why: &str) -> Feedback {
        let channel = &self.name;
        let identity = self.recorded_identity(incoming, "?");
        let identity = identity.as_ref().map_or("?", Identity::as_str);
        tracing::warn!(%channel, identity, why, "refused a press in a channel");
        let text = Locale::choose(&["en"]).text("channel-not-allowed", &[]);
        feedback(PressResult::NotAllowed, text)
    }
}
