//! Links to a question belong to the person who got the message. After a hand-on they show that, but not who has it now.

use askback_core::text::{Lines, Text};
use askback_engine::InquiryView;
use askback_store::StoreError;

use crate::card::build::{escalated, is_addressed};
use crate::contract::button::PersonCode;
use crate::dispatcher::Dispatcher;

/// What the holder of a personal link may do with its question.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum LinkHolder {
    /// Answer it: it is for them.
    Recipient {
        /// Their name, for the record of the answer.
        name: Option<Text>,
    },
    /// Only see it: it was handed on.
    Former,
}

impl Dispatcher {
    /// Whether a question is still for a person.
    pub(crate) async fn is_for(&self, view: &InquiryView, alias: &str) -> Result<bool, StoreError> {
        let config = self.shared.config();
        let escalated = escalated(&self.shared.engine, &config, view).await?;
        Ok(is_addressed(&config, view, alias, &escalated))
    }

    /// Whether a question is still for the person whose link is opened. `None` if it is not, and was not handed on: the person was
    /// removed, or has left the group. Two people with the same code are nobody.
    pub async fn link_holder(
        &self,
        view: &InquiryView,
        person: PersonCode,
    ) -> Result<Option<LinkHolder>, StoreError> {
        let config = self.shared.config();
        let Some((alias, person)) = config.recipients.with_code(person) else {
            return Ok(None);
        };
        if self.is_for(view, alias).await? {
            let name = Text::clean(&person.name, Lines::One);
            return Ok(Some(LinkHolder::Recipient { name }));
        }
        Ok(view.inquiry.handed_on().map(|_| LinkHolder::Former))
    }
}
