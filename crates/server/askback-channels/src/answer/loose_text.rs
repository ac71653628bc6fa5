//! What people write that is no reply to a question: taken if it can only be meant for one prompt, and else answered with
//! how to answer.

use askback_locale::Locale;

use crate::answer::handle_incoming::{ChannelHandler, feedback};
use crate::answer::typed_reply::answer_prompt;
use crate::contract::feedback::{Feedback, PressResult};
use crate::contract::incoming::{HandlerError, Incoming};

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
