//! Turns what people do in a channel into commands of the engine. Who may do it is checked each time.

use std::sync::Arc;

use askback_core::identity::Identity;
use askback_core::outcome::{Actor, Surface};
use askback_core::text::{Lines, Text};
use askback_locale::Locale;

use crate::answer::asked_question::AskedQuestion;
use crate::answer::deed::Deed;
use crate::answer::prompts::Prompts;
use crate::answer::typed_reply::{answer_prompt, reply};
use crate::config::ConfiguredChannel;
use crate::contract::button::{Button, Press};
use crate::contract::channel::{Address, ChannelFuture, MessageId};
use crate::contract::feedback::{Feedback, PressResult, TextPrompt};
use crate::contract::incoming::{HandlerError, Incoming, IncomingAction, IncomingHandler};
use crate::deliver::copies::Copies;
use crate::dispatcher::Shared;
use crate::people::alias_proof::AliasProof;
use crate::people::link_account::{link, refuse_in_group, retry_undelivered};
use crate::people::recipients::{Recipient, Recipients};
use crate::state::position;

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
            IncomingAction::Press { data }
            | IncomingAction::Submit { data, .. }
            | IncomingAction::HandOn { data, .. } => {
                let button = Button::decode(data);
                let deed = button
                    .as_ref()
                    .and_then(|it| pressed(&incoming.action, it.press));
                match (button, deed) {
                    (Some(button), Some(deed)) => self.act(incoming, &button, deed).await,
                    _ => Ok(self.not_allowed(incoming, "data of no button")),
                }
            }
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

/// What somebody does with a button. `None` if the button is for something else.
fn pressed(action: &IncomingAction, press: Press) -> Option<Deed<'_>> {
    match (action, press) {
        (IncomingAction::Submit { fields, .. }, _) => Some(Deed::Submit(fields)),
        (IncomingAction::HandOn { reason, .. }, Press::HandOn { to }) => Some(Deed::HandOn {
            to,
            reason: reason.as_deref(),
        }),
        (IncomingAction::HandOn { .. }, _) => None,
        (_, press) => Some(Deed::Press(press)),
    }
}

/// Takes a text without a reply.
pub(crate) async fn loose_text(
    handler: &ChannelHandler,
    incoming: &Incoming,
    text: &str,
) -> Result<Feedback, HandlerError> {
    match handler.prompts(&incoming.address).only_open().await? {
        Some(button) => answer_prompt(handler, incoming, &button, text).await,
        None => explain(handler, incoming, "channel-help").await,
    }
}

/// A reply to a message that asks nothing: explained to one person, ignored among several.
pub(crate) async fn explain_in_private(
    handler: &ChannelHandler,
    incoming: &Incoming,
) -> Result<Feedback, HandlerError> {
    let account = incoming.identity.as_str().split_once(':');
    if account.is_some_and(|(_, account)| account == incoming.address.0) {
        return explain(handler, incoming, "channel-help").await;
    }
    Ok(feedback(PressResult::Ignored, String::new()))
}

/// Says what to do. Somebody whose account is unknown is told how to link it.
pub(crate) async fn explain(
    handler: &ChannelHandler,
    incoming: &Incoming,
    key: &str,
) -> Result<Feedback, HandlerError> {
    let config = handler.shared.config();
    let text = match handler.owner(&config.recipients, incoming).await? {
        Some((_, person)) => person.locale.text(key, &[]),
        None => Locale::choose(&["en"]).text("channel-how-to-link", &[]),
    };
    Ok(feedback(PressResult::NotAnAnswer, text))
}

impl IncomingHandler for ChannelHandler {
    fn handle(&self, incoming: Incoming) -> ChannelFuture<'_, Result<Feedback, HandlerError>> {
        Box::pin(async move { self.handle_any(&incoming).await })
    }

    fn prompt_shown<'a>(
        &'a self,
        address: &'a Address,
        prompt: &'a TextPrompt,
        message: MessageId,
    ) -> ChannelFuture<'a, Result<(), HandlerError>> {
        Box::pin(async move {
            let prompts = self.prompts(address);
            Ok(prompts.remember(prompt, &message).await?)
        })
    }

    fn position(&self) -> ChannelFuture<'_, Result<Option<String>, HandlerError>> {
        Box::pin(async move { Ok(self.shared.state().get(position(&self.name)).await?) })
    }

    fn set_position(&self, reached: String) -> ChannelFuture<'_, Result<(), HandlerError>> {
        Box::pin(async move {
            let state = self.shared.state();
            Ok(state.set(position(&self.name), &reached).await?)
        })
    }

    fn mark_healthy(&self) {
        let now = self.shared.engine.clock().now();
        self.shared.status.received(&self.name, now);
    }

    fn mark_reachable(&self) {
        let now = self.shared.engine.clock().now();
        self.shared.status.succeeded(&self.name, now);
    }
}
