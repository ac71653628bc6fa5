//! Texts that reply to a message: to a prompt, or to a card whose shown question takes text.

use askback_core::draft::DraftPage;
use askback_engine::InquiryView;

use crate::answer::handle_incoming::{ChannelHandler, Deed, Respondent, Unhandled, feedback};
use crate::card::build::stored_draft;
use crate::contract::button::{Button, Press, RangeDay};
use crate::contract::feedback::{Feedback, PressResult};
use crate::contract::incoming::Incoming;
use crate::deliver::shown_page::{page_number, shown_page};

impl ChannelHandler {
    /// A text that replies to a message. One that we do not know may be a copy of a card, which its buttons tell.
    pub(crate) async fn reply(
        &self,
        incoming: &Incoming,
        text: &str,
        button: Option<&str>,
    ) -> Result<Feedback, Unhandled> {
        let Some(message) = &incoming.message else {
            return Ok(feedback(PressResult::Ignored, String::new()));
        };
        if let Some(button) = self.prompt_of(&incoming.address, message).await? {
            return self.answer_prompt(incoming, &button, text).await;
        }
        let store = self.shared.engine.store();
        let address = incoming.address.0.as_str();
        let delivery = store.delivery_of_message(&self.name, address, &message.0);
        let shown = button.and_then(Button::decode);
        let Some(delivery) = delivery.await? else {
            return match shown {
                Some(button) => self.reply_to_copy(incoming, text, &button).await,
                None => self.explain_in_private(incoming).await,
            };
        };
        let inquiry = delivery.target.inquiry;
        let Some(view) = self.shared.engine.inquiry(&inquiry).await? else {
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
        let deed = Deed::Reply((page, day), text);
        self.act(incoming, &button, deed).await
    }

    /// A text that replies to the copy of a card that was sent twice.
    async fn reply_to_copy(
        &self,
        incoming: &Incoming,
        text: &str,
        shown: &Button,
    ) -> Result<Feedback, Unhandled> {
        let button = Button {
            press: Press::Send { shown: None },
            ..shown.clone()
        };
        let view = self.shared.engine.inquiry(&button.inquiry).await?;
        let page = view.and_then(|view| page_of(shown.press, &view));
        let deed = Deed::Reply((page, shown.press.asked_day()), text);
        let told = self.act(incoming, &button, deed).await?;
        if told.result != PressResult::NotAllowed {
            self.remember_copy(incoming, &button.inquiry).await?;
        }
        Ok(told)
    }

    /// Takes a text for the question that the card showed.
    pub(crate) async fn reply_to_card(
        &self,
        view: &InquiryView,
        respondent: Respondent<'_>,
        ((page, day), text): ((Option<usize>, RangeDay), &str),
    ) -> Result<Feedback, Unhandled> {
        let locale = respondent.recipient.locale;
        let explained = |id| Ok(feedback(PressResult::NotAnAnswer, locale.text(id, &[])));
        let questions = view.inquiry.questions();
        if questions.len() > 1 && self.channel.channel.shows_all_questions() {
            return explained("channel-use-fields");
        }
        let draft = stored_draft(&self.shared.engine, view).await?;
        if page.is_some_and(|page| page != page_number(&draft)) {
            return self.changed(view, &respondent).await;
        }
        let DraftPage::Question(index) = draft.page else {
            return explained("channel-reply-at-review");
        };
        self.write(view, respondent, ((index, day), text)).await
    }

    /// Takes a text for the question that a prompt has asked for.
    pub(crate) async fn answer_prompt(
        &self,
        incoming: &Incoming,
        button: &Button,
        text: &str,
    ) -> Result<Feedback, Unhandled> {
        let deed = if let Press::Write { question, day } = button.press {
            Deed::Text((question, day), text)
        } else if button.press == Press::Reason {
            Deed::Reason(text)
        } else {
            return Ok(feedback(PressResult::Ignored, String::new()));
        };
        let told = self.act(incoming, button, deed).await?;
        if !matches!(told.result, PressResult::Invalid { .. }) {
            self.close_prompt(&incoming.address).await?;
        }
        Ok(told)
    }
}

/// The page that has this button. Of several questions, only the review sends.
fn page_of(press: Press, view: &InquiryView) -> Option<usize> {
    let count = view.inquiry.questions().len();
    let is_review = count > 1 && matches!(press, Press::Send { .. });
    press.question().or(is_review.then_some(count))
}
