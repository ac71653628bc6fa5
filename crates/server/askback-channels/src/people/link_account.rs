//! People who write to the bot first: with a one-time code, or to be reached again.

use askback_core::text::Text;
use askback_locale::Locale;
use askback_store::{DeliveryPlan, InquiryFilter, NewDelivery, StoreError};

use crate::answer::handle_incoming::{ChannelHandler, feedback};
use crate::contract::feedback::{Feedback, PressResult};
use crate::contract::incoming::{HandlerError, Incoming};
use crate::deliver::follow_up::start;
use crate::deliver::messages::retry_address;
use crate::dispatcher::Shared;
use crate::people::account::{ReachableAccount, reachable_among};
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

/// More would flood a new chat; the inbox has the rest.
const QUESTIONS_MAX: usize = 20;
/// Pending questions that are read at a time, and how often: presses wait meanwhile.
const PAGE: usize = 200;
const PAGES_MAX: usize = 10;

/// Plans messages for the pending questions of an account, those with the nearest deadline first. What was planned
/// before is not planned again.
pub(crate) async fn send_pending(
    shared: &Shared,
    account: &ReachableAccount,
) -> Result<(), StoreError> {
    let mut plan = DeliveryPlan::due(shared.engine.clock().now());
    let linked = shared.accounts.linked().await?;
    let config = shared.config();
    let mut cursor = None;
    for _ in 0..PAGES_MAX {
        let filter = InquiryFilter {
            cursor,
            ..InquiryFilter::pending(PAGE)
        };
        let page = shared.engine.inquiries(filter).await?;
        for view in page.items {
            let named = view.inquiry.recipient().map(Text::as_str);
            if plan.new.len() < QUESTIONS_MAX
                && reachable_among(&config, &linked, named, start(&view)).contains(account)
            {
                plan.new.push(NewDelivery {
                    inquiry: view.row.id,
                    channel: account.channel.clone(),
                    recipient: account.recipient.clone(),
                    address: account.address.clone(),
                });
            }
        }
        cursor = page.next;
        if cursor.is_none() || plan.new.len() == QUESTIONS_MAX {
            break;
        }
    }
    shared.write_plan(plan).await
}
