//! Links to a question belong to the person who got the message. After a hand-on they show who has it now.

use askback_core::text::{Lines, Text};
use askback_engine::InquiryView;
use askback_locale::Locale;
use askback_store::StoreError;

use crate::card::build::{escalated, is_addressed};
use crate::card::text::handed_on_to;
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
    Former {
        /// To whom it was handed on, by whom and why.
        handed_on: String,
    },
}

impl Dispatcher {
    /// Whether a question is still for a person.
    pub(crate) async fn is_for(&self, view: &InquiryView, alias: &str) -> Result<bool, StoreError> {
        let config = &self.shared.config;
        let escalated = escalated(&self.shared.engine, config, view).await?;
        Ok(is_addressed(config, view, alias, &escalated))
    }

    /// Whether a question is still for the person whose link is opened. Somebody who is no longer configured, or two
    /// people with the same code, are nobody: their link ends with the first hand-on.
    pub async fn link_holder(
        &self,
        view: &InquiryView,
        person: PersonCode,
        locale: Locale,
    ) -> Result<LinkHolder, StoreError> {
        let config = &self.shared.config;
        let found = config.recipients.with_code(person);
        let alias = found.map_or("", |(alias, _)| alias);
        let is_theirs = self.is_for(view, alias).await?;
        let handed_on = view.inquiry.handed_on().filter(|_| !is_theirs);
        Ok(match handed_on {
            Some(handed_on) => {
                let to = config.recipients.name_of(view.inquiry.recipient());
                let reason = handed_on.reason.as_ref().map(Text::as_str);
                LinkHolder::Former {
                    handed_on: handed_on_to(locale, (&to, &handed_on.by), reason),
                }
            }
            None => LinkHolder::Recipient {
                name: found.and_then(|(_, person)| Text::clean(&person.name, Lines::One)),
            },
        })
    }
}
