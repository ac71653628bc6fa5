//! Texts that reply to a message: to a prompt, or to a card whose shown question takes text.

use askback_core::draft::DraftPage;
use askback_engine::InquiryView;

use crate::answer::asked_question::AskedQuestion;
use crate::answer::deed::Deed;
use crate::answer::edit_draft::write;
use crate::answer::handle_incoming::{ChannelHandler, explain_in_private, feedback};
use crate::card::build::stored_draft;
use crate::contract::button::{Button, Press, RangeDay};
use crate::contract::feedback::{Feedback, PressResult};
use crate::contract::incoming::{HandlerError, Incoming};
use crate::deliver::shown_page::{page_number, shown_page};

/// A text that replies to a message. One that we do not know may be a copy of a card, which its buttons tell.
pub(crate) async fn reply(
    handler: &ChannelHandler,
    incoming: &Incoming,
    text: &str,
    button: Option<&str>,
) -> Result<Feedback, HandlerError> {
    let Some(message) = &incoming.message else {
        return Ok(feedback(PressResult::Ignored, String::new()));
    };
    if let Some(button) = handler.prompts(&incoming.address).asked_by(message).await? {
        return answer_prompt(handler, incoming, &button, text).await;
    }
    let store = handler.shared.engine.store();
    let address = incoming.address.0.as_str();
    let delivery = store.delivery_of_message(&handler.name, address, &message.0);
    let shown = button.and_then(Button::decode);
    let Some(delivery) = delivery.await? else {
        return match shown {
            Some(button) => reply_to_copy(handler, incoming, text, &button).await,
            None => explain_in_private(handler, incoming).await,
        };
    };
    let inquiry = delivery.target.inquiry;
    let Some(view) = handler.shared.engine.inquiry(&inquiry).await? else {
        return Ok(feedback(PressResult::Ignored, String::new()));
    };
    let button = Button {
        inquiry,
        revision: view.row.revision,
        press: Press::Send { shown: None },
    };
    // What the provider says was shown when the text was written. The message may have been edited since then.
    let page = shown.as_ref().and_then(|shown| page_of(shown.press, &view));
    let page = page.or_else(|| shown_page(delivery.shown_hash.as_deref()));
    let day = shown.map_or(RangeDay::First, |shown| shown.press.asked_day());
    let deed = Deed::Reply { page, day, text };
    handler.act(incoming, &button, deed).await
}

/// A text that replies to the copy of a card that was sent twice.
async fn reply_to_copy(
    handler: &ChannelHandler,
    incoming: &Incoming,
    text: &str,
    shown: &Button,
) -> Result<Feedback, HandlerError> {
    let button = Button {
        press: Press::Send { shown: None },
        ..shown.clone()
    };
    let view = handler.shared.engine.inquiry(&button.inquiry).await?;
    let page = view.and_then(|view| page_of(shown.press, &view));
    let day = shown.press.asked_day();
    let deed = Deed::Reply { page, day, text };
    let told = handler.act(incoming, &button, deed).await?;
    if told.result != PressResult::NotAllowed {
        handler.copies().remember(incoming, &button.inquiry).await?;
    }
    Ok(told)
}

/// Takes a text for the question that the card showed.
pub(crate) async fn reply_to_card(
    asked: AskedQuestion<'_>,
    page: Option<usize>,
    day: RangeDay,
    text: &str,
) -> Result<Feedback, HandlerError> {
    let handler = asked.handler;
    let locale = asked.recipient().locale;
    let explained = |id| Ok(feedback(PressResult::NotAnAnswer, locale.text(id, &[])));
    let questions = asked.view.inquiry.questions();
    if questions.len() > 1 && handler.channel.channel.shows_all_questions() {
        return explained("channel-use-fields");
    }
    let draft = stored_draft(&handler.shared.engine, &asked.view).await?;
    if page.is_some_and(|page| page != page_number(&draft)) {
        return asked.changed().await;
    }
    let DraftPage::Question(index) = draft.page else {
        return explained("channel-reply-at-review");
    };
    write(asked, index, day, text).await
}

/// Takes a text for the question that a prompt has asked for.
pub(crate) async fn answer_prompt(
    handler: &ChannelHandler,
    incoming: &Incoming,
    button: &Button,
    text: &str,
) -> Result<Feedback, HandlerError> {
    let deed = if let Press::Write { question, day } = button.press {
        Deed::Text {
            question,
            day,
            text,
        }
    } else if button.press == Press::Reason {
        Deed::Reason(text)
    } else {
        return Ok(feedback(PressResult::Ignored, String::new()));
    };
    let told = handler.act(incoming, button, deed).await?;
    if told.result != PressResult::Invalid {
        handler.prompts(&incoming.address).close().await?;
    }
    Ok(told)
}

/// The page that has this button. Of several questions, only the review sends.
fn page_of(press: Press, view: &InquiryView) -> Option<usize> {
    let count = view.inquiry.questions().len();
    let is_review = count > 1 && matches!(press, Press::Send { .. });
    press.question().or(is_review.then_some(count))
}
