//! Links to a question belong to the person who got the message. After a hand-on they show that, but not who has it now.
//!
//! They work for [`LINK_LIFETIME`](crate::LINK_LIFETIME). Whoever opens one later, while the question still waits, can ask for a
//! new one, which arrives where the old one did: the message is updated, and a text in its thread has the new link, because a mail cannot
//! be updated.

use std::sync::Arc;

use askback_core::identity::Identity;
use askback_core::text::{Lines, Text};
use askback_engine::{Engine, InquiryView};
use askback_store::{ChannelDelivery, DeliveryPlan, DeliveryProgress, StoreError};
use jiff::{SignedDuration, Timestamp};

use crate::card::build::is_for;
use crate::contract::button::PersonCode;
use crate::deliver::thread_text::ThreadText;
use crate::dispatcher::Shared;
use crate::people::alias_proof::AliasProof;
use crate::state::{ChannelState, new_link, thread_text};

/// A person gets at most one new link to a question within this time.
const PAUSE: SignedDuration = SignedDuration::from_hours(1);

/// What the holder of a personal link may do with its question.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum LinkHolder {
    /// Answer it: it is for them.
    Recipient {
        /// Their name, for the record of the answer.
        name: Option<Text>,
        /// Who they are, as the link proves.
        identity: Option<Identity>,
    },
    /// Only see it: it was handed on.
    Former,
}

/// What became of the request for a new link.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NewLink {
    /// It is on its way.
    Planned,
    /// There was one within the last hour.
    SentRecently,
    /// The person has no message to which it could be sent.
    NoMessage,
}

/// The links to questions that people got in messages.
pub struct PersonalLinks {
    shared: Arc<Shared>,
    /// Held while a new link is planned.
    renewing: tokio::sync::Mutex<()>,
}

impl PersonalLinks {
    pub(crate) fn new(shared: Arc<Shared>) -> PersonalLinks {
        PersonalLinks {
            shared,
            renewing: tokio::sync::Mutex::default(),
        }
    }

    /// Whether a question is still for the person whose link is opened. `None` if it is not, and was not handed on: the person was
    /// removed, or has left the group. Two people with the same code are nobody.
    pub async fn holder(
        &self,
        view: &InquiryView,
        person: PersonCode,
    ) -> Result<Option<LinkHolder>, StoreError> {
        let config = self.shared.config();
        let Some((alias, person)) = config.recipients.with_code(person) else {
            return Ok(None);
        };
        if is_for(&self.shared.engine, &config, view, alias).await? {
            let name = Text::clean(&person.name, Lines::One);
            let identity = AliasProof::Link.identity(alias);
            return Ok(Some(LinkHolder::Recipient { name, identity }));
        }
        Ok(view.inquiry.handed_on().map(|_| LinkHolder::Former))
    }

    /// Whether a person can get a new link to a question: it waits, is for them, and they have a message about it.
    pub async fn can_renew(
        &self,
        view: &InquiryView,
        person: PersonCode,
    ) -> Result<bool, StoreError> {
        Ok(!self.messages(view, person).await?.is_empty())
    }

    /// Sends a new link to a person, and to nobody else.
    pub async fn renew(
        &self,
        view: &InquiryView,
        person: PersonCode,
    ) -> Result<NewLink, StoreError> {
        let shared = &self.shared;
        // Of two requests at the same time, one is too soon.
        let _one_at_a_time = self.renewing.lock().await;
        let rows = self.messages(view, person).await?;
        let Some(first) = rows.first() else {
            return Ok(NewLink::NoMessage);
        };
        let (inquiry, alias) = (&view.row.id, first.target.recipient.as_str());
        let now = shared.engine.clock().now();
        let sent = shared.state().get(new_link(inquiry, alias)).await?;
        if sent.is_some_and(|sent| now < sent + PAUSE) {
            return Ok(NewLink::SentRecently);
        }
        let mut plan = DeliveryPlan {
            changed: vec![inquiry.clone()],
            ..DeliveryPlan::due(now)
        };
        for row in &rows {
            thread_text(row.number, ThreadText::NewLink).plan(&mut plan, &ThreadText::NewLink)?;
        }
        new_link(inquiry, alias).plan(&mut plan, &now)?;
        shared.write_plan(plan).await?;
        Ok(NewLink::Planned)
    }

    /// The messages to a person to which a new link can be sent.
    async fn messages(
        &self,
        view: &InquiryView,
        person: PersonCode,
    ) -> Result<Vec<ChannelDelivery>, StoreError> {
        let (engine, config) = (&self.shared.engine, self.shared.config());
        let Some((alias, _)) = config.recipients.with_code(person) else {
            return Ok(Vec::new());
        };
        if view.resolution.is_some() || !is_for(engine, &config, view, alias).await? {
            return Ok(Vec::new());
        }
        let mut rows = engine.store().deliveries_of(&view.row.id).await?;
        rows.retain(|row| {
            row.target.recipient == alias
                && row.progress == DeliveryProgress::Sent
                && config.channels.contains_key(&row.target.channel)
        });
        Ok(rows)
    }
}

/// How long the links in a message work.
pub const LINK_LIFETIME: SignedDuration = SignedDuration::from_hours(24 * 7);

/// Since when the links in the messages to a person work: since they got a new one, or from a time that is recent enough for
/// a message that is sent now.
pub(crate) async fn links_since(
    engine: &Engine,
    view: &InquiryView,
    alias: &str,
) -> Result<Timestamp, StoreError> {
    let asked_at = view.row.asked_at;
    let recent = recent_start(asked_at, engine.clock().now());
    if recent == asked_at {
        return Ok(asked_at);
    }
    let state = ChannelState(engine.store().as_ref());
    let sent = state.get(new_link(&view.row.id, alias)).await?;
    Ok(sent.map_or(recent, |sent| sent.max(recent)))
}

/// The latest multiple of half a lifetime after the question was asked. A link that starts there works for at least the other
/// half, and is the same for a while, so that messages are not edited for its sake alone.
fn recent_start(asked_at: Timestamp, now: Timestamp) -> Timestamp {
    let half = LINK_LIFETIME / 2;
    let halves = now.duration_since(asked_at).as_secs() / half.as_secs();
    let halves = i32::try_from(halves.max(0)).unwrap_or(0);
    asked_at + half * halves
}

#[cfg(test)]
#[path = "personal_links_tests.rs"]
mod tests;
