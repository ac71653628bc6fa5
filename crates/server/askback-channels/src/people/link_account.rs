//! People who write to the bot first: with a one-time code, or to be reached again.

use askback_locale::Locale;

use crate::answer::handle_incoming::{ChannelHandler, feedback};
use crate::contract::feedback::{Feedback, PressResult};
use crate::contract::incoming::{HandlerError, Incoming};
use crate::deliver::undelivered::retry_address;
use crate::people::after_linking::send_pending;
use crate::people::reachable::ReachableAccount;
use crate::state::link_code;

/// Links the account of somebody who sends a one-time code.
pub(crate) async fn link(
    handler: &ChannelHandler,
    incoming: &Incoming,
    code: &str,
) -> Result<Feedback, HandlerError> {
    let accounts = &handler.shared.accounts;
    let redeemed = accounts.redeem_code(code.trim(), &handler.name, incoming);
    let mut alias = redeemed.await?.map(|account| account.recipient);
    let config = handler.shared.config();
    if alias.is_none() {
        // It may have been linked with this code before the server ended: what follows is done again then.
        let owner = handler.owner(&config.recipients, incoming).await?;
        alias = owner.map(|(alias, _)| alias.to_owned());
    }
    let people = &config.recipients.people;
    let known = alias.and_then(|alias| people.get_key_value(&alias));
    let Some((alias, person)) = known else {
        let text = Locale::choose(&["en"]).text("channel-code-invalid", &[]);
        return Ok(feedback(PressResult::NotAllowed, text));
    };
    retry_undelivered(handler, incoming).await?;
    let account = ReachableAccount {
        channel: handler.name.clone(),
        recipient: alias.clone(),
        address: incoming.address.0.clone(),
    };
    send_pending(&handler.shared, &account).await?;
    let args = [("name", person.name.as_str().into())];
    let text = person.locale.text("channel-linked", &args);
    Ok(feedback(PressResult::Linked, text))
}

/// Everybody in the group could use the code, and would read the questions: it does not work any more.
pub(crate) async fn refuse_in_group(
    handler: &ChannelHandler,
    incoming: &Incoming,
    code: &str,
) -> Result<Feedback, HandlerError> {
    handler.shared.state().remove(link_code(code)).await?;
    let config = handler.shared.config();
    let owner = handler.owner(&config.recipients, incoming).await?;
    let locale = owner.map_or_else(|| Locale::choose(&["en"]), |(_, person)| person.locale);
    let text = locale.text("channel-code-in-group", &[]);
    Ok(feedback(PressResult::NotAllowed, text))
}

/// Somebody who writes to the bot can be reached: what was refused before is tried again.
pub(crate) async fn retry_undelivered(
    handler: &ChannelHandler,
    incoming: &Incoming,
) -> Result<(), HandlerError> {
    let config = handler.shared.config();
    if handler.owner(&config.recipients, incoming).await?.is_some() {
        retry_address(&handler.shared, &handler.name, &incoming.address.0).await?;
    }
    Ok(())
}
