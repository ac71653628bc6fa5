//! Sends and edits the messages of one channel.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use askback_core::text::Text;
use askback_engine::InquiryView;
use askback_store::{ChannelDelivery, DeliveryProgress, DeliveryUpdate, StoreError};
use jiff::{SignedDuration, Timestamp};

use crate::card::build::CardReader;
use crate::card::{Card, CardState};
use crate::config::{ChannelsConfig, ConfiguredChannel};
use crate::contract::channel::{Address, Attention, MessageId, Rendered, SendError};
use crate::deliver::copies::Copies;
use crate::deliver::messages::{TRIED_AGAIN, keep_refused};
use crate::deliver::pauses::Pauses;
use crate::deliver::shown_page::{has_hash, stored_hash};
use crate::deliver::thread_text::{send_thread_text, waiting_texts};
use crate::dispatcher::Shared;
use crate::links::personal_links::links_since;
use crate::people::account::resolve;
use crate::people::recipients::{NamedRecipient, Recipient};
use crate::state::Kept;

/// How long sending or editing a message may take.
const SEND_TIMEOUT: Duration = Duration::from_secs(30);
/// Failed edits in a row after which a message of an ended question is left as it is: two hours.
pub(crate) const EDIT_ATTEMPTS_MAX: u32 = 120;
/// The longest pause between two attempts. New messages wait for it, too, so that the order is kept.
const PAUSE_MAX: SignedDuration = SignedDuration::from_mins(1);
/// A message that has failed this often in a row does not hold back the others if one of them can be sent.
const HOLDS_BACK_MAX: u32 = 6;
/// The longest pause that a provider can ask for: an absurd one must not silence a channel for days.
const RETRY_AFTER_MAX: SignedDuration = SignedDuration::from_hours(1);
/// How often a message is tried whose person or account is not in the configuration.
const ACCOUNT_RETRY: SignedDuration = SignedDuration::from_mins(10);
/// Messages to one address within this time make one sound.
const BURST: SignedDuration = SignedDuration::from_secs(60);

/// What became of an attempt.
enum Step {
    /// Go on with the next message to the same address.
    Next,
    /// It failed and is tried again at this time. Nothing is sent to this address before, unless the message has
    /// failed often and the next one can be sent.
    Retry(Timestamp),
    /// Nothing is sent to this address before this time.
    Delay(Timestamp),
    /// Nothing is sent through this channel before this time.
    DelayAll(Timestamp),
}

/// One channel and what it needs while it sends.
pub(crate) struct Sender {
    pub(crate) shared: Arc<Shared>,
    pub(crate) name: String,
    pub(crate) channel: ConfiguredChannel,
    /// When the last message with a sound was sent to each address.
    notified: parking_lot::Mutex<BTreeMap<String, Timestamp>>,
    pauses: Pauses,
    /// Whether it was logged that a question can be answered nowhere in this channel.
    has_warned: AtomicBool,
}

impl Sender {
    pub(crate) fn new(shared: Arc<Shared>, name: String, channel: ConfiguredChannel) -> Sender {
        Sender {
            shared,
            name,
            channel,
            notified: parking_lot::Mutex::default(),
            pauses: Pauses::default(),
            has_warned: AtomicBool::new(false),
        }
    }

    /// Sends the messages of one address until it has to wait. What was planned while it waits has to wait, too.
    pub(crate) async fn send_in_order(
        &self,
        address: String,
        rows: Vec<ChannelDelivery>,
    ) -> Result<(), StoreError> {
        let now = self.shared.engine.clock().now();
        if let Some((address, until)) = self.pauses.of(&address, now) {
            let store = self.shared.engine.store();
            let delayed = store.delay_deliveries(&self.name, address.as_deref(), until);
            return delayed.await;
        }
        let mut retry = None;
        for row in rows {
            let holds_back = row.attempts < HOLDS_BACK_MAX;
            match self.deliver(row).await? {
                // The one before cannot be sent; this address can be reached.
                Step::Next => retry = None,
                Step::Retry(until) if holds_back || retry.is_some() => {
                    let until = retry.unwrap_or(until);
                    return self.pause(Some(address), until).await;
                }
                Step::Retry(until) => retry = Some(until),
                Step::Delay(until) => return self.pause(Some(address), until).await,
                Step::DelayAll(until) => return self.pause(None, until).await,
            }
        }
        match retry {
            Some(until) => self.pause(Some(address), until).await,
            None => Ok(()),
        }
    }

    fn reader<'a>(
        &'a self,
        config: &'a ChannelsConfig,
        row: &'a ChannelDelivery,
        recipient: &'a Recipient,
    ) -> CardReader<'a> {
        CardReader {
            config,
            name: &self.name,
            channel: &self.channel,
            alias: &row.target.recipient,
            recipient,
        }
    }

    fn copies(&self) -> Copies<'_> {
        Copies {
            shared: &self.shared,
            channel: &self.name,
        }
    }

    /// Sends nothing to an address, or to any, before this time.
    async fn pause(&self, address: Option<String>, until: Timestamp) -> Result<(), StoreError> {
        let store = self.shared.engine.store();
        let delayed = store.delay_deliveries(&self.name, address.as_deref(), until);
        delayed.await?;
        self.pauses.set(address, until);
        Ok(())
    }

    /// Brings one message to the current state of its inquiry.
    async fn deliver(&self, mut row: ChannelDelivery) -> Result<Step, StoreError> {
        if row.external_id.is_none() {
            // Sending it timed out or the server ended, but somebody has pressed it: it did arrive.
            row.external_id = self.copies().pressed(&row).await?;
        }
        let engine = &self.shared.engine;
        let config = self.shared.config();
        // Read before the inquiry, so that the inquiry is at least as new as what the texts are about.
        let texts = waiting_texts(&self.shared, &row).await?;
        let view = engine.inquiry(&row.target.inquiry).await?;
        let person = config.recipients.people.get(&row.target.recipient);
        let to = resolve(&config, &self.channel, &row.target);
        let Some(view) = view else {
            return self.write(&row, DeliveryProgress::Retired, None).await;
        };
        let has_ended = view.resolution.is_some();
        let (Some(person), Some(to)) = (person, to) else {
            return self.without_account(&row, has_ended).await;
        };
        let done = if has_ended {
            DeliveryProgress::Retired
        } else {
            DeliveryProgress::Sent
        };
        let reader = self.reader(&config, &row, person);
        let mut card = reader.card(&self.shared, &view).await?;
        if let Some((progress, due_at)) = self.not_to_send(&row, &view, &card, person).await? {
            return self.write(&row, progress, due_at).await;
        }
        let message = self.render(&row, &view, &mut card).await?;
        let hash = message.hash();
        let is_quiet = person.is_quiet_at(engine.clock().now());
        let is_shown = row.external_id.is_some() && has_hash(row.shown_hash.as_deref(), &hash);
        let has_texts = !texts.is_empty();
        let sent = match &row.external_id {
            Some(id) if is_shown => Ok(id.clone()),
            Some(_) | None => self.call(&row, &to, &message, is_quiet).await?,
        };
        let id = match sent {
            Ok(id) => id,
            Err(error) => return self.failed(&row, has_ended, error).await,
        };
        for Kept { key, value } in texts {
            if value.waits_for(&card) {
                continue;
            }
            let text = value.text(&view, &card);
            let told = send_thread_text(self, &row, &to, key, text, is_quiet).await?;
            if let Err(error) = told {
                return self.failed(&row, has_ended, error).await;
            }
        }
        let is_first = row.external_id.is_none();
        let row = ChannelDelivery {
            external_id: Some(id),
            shown_hash: Some(stored_hash(&hash, &card)),
            ..row
        };
        if !is_first {
            let (copies, channel) = (self.copies(), self.channel.channel.as_ref());
            let updated = copies.update(channel, &row, &to, &message, has_ended);
            if let Err(error) = updated.await? {
                return self.failed(&row, has_ended, error).await;
            }
        }
        if !is_shown || has_texts {
            self.count_sent();
        }
        let update = finished(&row, done);
        engine.store().update_delivery(update).await?;
        Ok(Step::Next)
    }

    fn count_sent(&self) {
        self.count_message("sent");
        let now = self.shared.engine.clock().now();
        self.shared.status.succeeded(&self.name, now);
    }

    /// The person or the account is not in the configuration, perhaps by mistake: while the question waits, so does the
    /// message.
    async fn without_account(
        &self,
        row: &ChannelDelivery,
        has_ended: bool,
    ) -> Result<Step, StoreError> {
        if has_ended {
            return self.write(row, DeliveryProgress::Retired, None).await;
        }
        let later = self.shared.engine.clock().now() + ACCOUNT_RETRY;
        self.write(row, row.progress, Some(later)).await
    }

    /// The message of a card, with buttons that are URLs where the channel has them.
    async fn render(
        &self,
        row: &ChannelDelivery,
        view: &InquiryView,
        card: &mut Card,
    ) -> Result<Rendered, StoreError> {
        let recipient = row.target.recipient.as_str();
        let since = links_since(&self.shared.engine, view, recipient).await?;
        let config = self.shared.config();
        let press_urls = config.press_urls.as_ref();
        let channel = (self.name.as_str(), self.channel.channel.surface());
        card.press_links = press_urls.and_then(|urls| urls.links(channel, recipient, since));
        let message = self.channel.channel.render(card);
        if card.is_answerable() && !message.is_answerable && card.link.is_none() {
            self.warn_of_missing_link();
        }
        Ok(message)
    }

    /// Says once that a message without its link is of no use.
    fn warn_of_missing_link(&self) {
        if !self.has_warned.swap(true, Ordering::Relaxed) {
            tracing::warn!(
                channel = self.name,
                "a question cannot be answered in its message, and the server has no public URL for a link to its page: \
                 set `public_url`, or start the server with --public-url URL"
            );
        }
    }

    /// What becomes of a first message that is not to be sent now. `None` if it is, or if there is one already.
    async fn not_to_send(
        &self,
        row: &ChannelDelivery,
        view: &InquiryView,
        card: &Card,
        person: &Recipient,
    ) -> Result<Option<(DeliveryProgress, Option<Timestamp>)>, StoreError> {
        // One that was being sent when the server ended may have arrived.
        if row.external_id.is_some() || row.progress == DeliveryProgress::Sending {
            return Ok(None);
        }
        // It ended or was handed on before the person was told: they need no message about it.
        if view.resolution.is_some() {
            return Ok(Some((DeliveryProgress::Retired, None)));
        }
        if matches!(card.state, CardState::HandedOn { .. }) {
            return Ok(Some((DeliveryProgress::Due, None)));
        }
        if row.progress != DeliveryProgress::Due {
            return Ok(None);
        }
        // Whoever names a channel wants the message there now.
        let named = view.inquiry.recipient().map(Text::as_str);
        if named.is_some_and(|named| NamedRecipient::parse(named).channel.is_some()) {
            return Ok(None);
        }
        let (presence, alias) = (&self.shared.presence, &row.target.recipient);
        let held = presence.held_back_until(alias, person, view.row.asked_at);
        Ok(held
            .await?
            .map(|until| (DeliveryProgress::Due, Some(until))))
    }

    /// Calls the provider. A send is marked before, so that after a crash it is known that a message may
    /// have been sent.
    async fn call(
        &self,
        row: &ChannelDelivery,
        to: &Address,
        message: &Rendered,
        is_quiet: bool,
    ) -> Result<Result<String, SendError>, StoreError> {
        let channel = &self.channel.channel;
        if let Some(id) = &row.external_id {
            let id = MessageId(id.clone());
            let edited = in_time(channel.edit(to, &id, message)).await;
            return Ok(edited.map(|()| id.0));
        }
        let now = self.shared.engine.clock().now();
        self.write(row, DeliveryProgress::Sending, Some(now))
            .await?;
        let send = channel.send(to, message, self.attention(row, is_quiet));
        Ok(in_time(send).await.map(|id| id.0))
    }

    async fn failed(
        &self,
        row: &ChannelDelivery,
        has_ended: bool,
        error: SendError,
    ) -> Result<Step, StoreError> {
        let now = self.shared.engine.clock().now();
        let status = &self.shared.status;
        match &error {
            // A person who deleted a message or unsubscribed is no failure of the channel.
            SendError::MessageGone => {}
            SendError::Permanent(_) => {
                let next = if has_ended {
                    "the question has ended, and the message stays as it is"
                } else {
                    TRIED_AGAIN
                };
                let error = Text::name_or_mark(&error.to_string());
                self.count_message("refused");
                status.refused(row, (now, error), next);
            }
            SendError::RetryAfter(_) | SendError::Temporary(_) | SendError::Unauthorized(_) => {
                let error = Text::name_or_mark(&error.to_string());
                self.count_message("failed");
                status.failed(&self.name, now, error);
            }
        }
        let unsent = if row.external_id.is_some() {
            DeliveryProgress::Sent
        } else {
            DeliveryProgress::Due
        };
        match error {
            SendError::RetryAfter(pause) => {
                let pause = requested_pause(pause);
                self.write(row, unsent, Some(now + pause)).await?;
                Ok(Step::Delay(now + pause))
            }
            SendError::Temporary(_) if has_ended && row.attempts >= EDIT_ATTEMPTS_MAX => {
                self.write(row, DeliveryProgress::Failed, None).await
            }
            SendError::Temporary(_) => {
                let until = now + pause_after(row.attempts);
                let tried = ChannelDelivery {
                    attempts: row.attempts.saturating_add(1),
                    ..row.clone()
                };
                self.write(&tried, unsent, Some(until)).await?;
                Ok(Step::Retry(until))
            }
            SendError::Permanent(reason) => {
                if !has_ended {
                    let store = self.shared.engine.store();
                    keep_refused(store.as_ref(), row, reason).await?;
                }
                self.write(row, DeliveryProgress::Failed, None).await
            }
            SendError::MessageGone => self.write(row, DeliveryProgress::Retired, None).await,
            SendError::Unauthorized(_) => {
                let until = now + SignedDuration::from_secs(60);
                self.write(row, unsent, Some(until)).await?;
                Ok(Step::DelayAll(until))
            }
        }
    }

    fn count_message(&self, result: &'static str) {
        let labels = [
            ("channel", self.name.clone().into()),
            ("result", result.into()),
        ];
        let messages = &self.shared.engine.metrics().channel_messages;
        messages.get_or_create(&labels).inc();
    }

    async fn write(
        &self,
        row: &ChannelDelivery,
        progress: DeliveryProgress,
        due_at: Option<Timestamp>,
    ) -> Result<Step, StoreError> {
        let update = DeliveryUpdate {
            due_at,
            attempts: row.attempts,
            ..finished(row, progress)
        };
        self.shared.engine.store().update_delivery(update).await?;
        Ok(Step::Next)
    }

    /// One sound for a burst of questions, and none in quiet hours.
    pub(crate) fn attention(&self, row: &ChannelDelivery, is_quiet: bool) -> Attention {
        let now = self.shared.engine.clock().now();
        let mut notified = self.notified.lock();
        notified.retain(|_, at| now < *at + BURST);
        if is_quiet || notified.contains_key(&row.target.address) {
            return Attention::Silent;
        }
        notified.insert(row.target.address.clone(), now);
        Attention::Notify
    }
}

/// A message that does not arrive within [`SEND_TIMEOUT`] counts as failed.
pub(crate) async fn in_time<T>(
    sending: impl Future<Output = Result<T, SendError>>,
) -> Result<T, SendError> {
    let late = |_| Err(SendError::temporary("no response in time"));
    let sent = tokio::time::timeout(SEND_TIMEOUT, sending).await;
    sent.unwrap_or_else(late)
}

/// The delivery with nothing left to do.
pub(crate) fn finished(row: &ChannelDelivery, progress: DeliveryProgress) -> DeliveryUpdate {
    DeliveryUpdate {
        number: row.number,
        version: row.version,
        progress,
        attempts: 0,
        due_at: None,
        external_id: row.external_id.clone(),
        shown_hash: row.shown_hash.clone(),
    }
}

/// The pause that a provider asks for, within reason.
fn requested_pause(pause: Duration) -> SignedDuration {
    let pause = SignedDuration::try_from(pause).unwrap_or(RETRY_AFTER_MAX);
    pause.min(RETRY_AFTER_MAX)
}

/// 1 s, 2 s, 4 s, … up to a minute.
fn pause_after(attempts: u32) -> SignedDuration {
    let seconds = 1_i64.checked_shl(attempts.min(16)).unwrap_or(i64::MAX);
    SignedDuration::from_secs(seconds).min(PAUSE_MAX)
}

#[cfg(test)]
#[path = "sender_tests.rs"]
mod tests;
